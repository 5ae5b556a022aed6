package render

import (
	"encoding/binary"
	"math"
)

// halveBelow is the scale from which on the next halved copy is taken. At this distance the samples that are mixed still
// share all of a plane between them; closer to 1/2 thin lines would come and go.
const halveBelow = 0.7

// halving is how often a plane is halved before it is drawn.
func (c Camera) halving() (n int) {
	sy, sx := c.scales()
	for scale := max(sy, sx); scale <= halveBelow && n < 30; scale *= 2 {
		n++
	}
	return n
}

// Step is the side in pixels of the blocks whose means a picture is drawn from: 1 where every pixel matters.
func (c Camera) Step() int { return 1 << c.halving() }

// taps tell, per device pixel, the first of two samples of a level to mix, and the weight of the one after it in 256ths.
// The last sample of a level can be the first; its weight is all then.
type taps []tap

type tap struct{ first, weight uint32 }

// fill computes the taps of the device pixels on the image, of an image of size pixels, into a level whose samples have sides of
// 1<<log pixels. finest is false for a level that is coarser than the zoom asks for.
func (t *taps) fill(a *axis, size int, scale, o float64, log int, finest bool) {
	*t = grow(*t, a.to-a.from)
	side := float64(int(1) << log)
	last := (size+(1<<log)-1)>>log - 1
	if scale >= 1 && finest { // an axis that is enlarged while the other one is reduced keeps its sharp blocks
		for i := range *t {
			(*t)[i] = tap{uint32(min(a.at(a.from+i)>>log, last)), 0}
		}
		return
	}
	for i := range *t {
		at := ((float64(a.from+i)+0.5)/scale+o)/side - 0.5
		at = clampFloat(at, 0, float64(last))
		whole := math.Floor(at)
		(*t)[i] = tap{uint32(whole), uint32(math.Floor(float64((at-whole)*256) + 0.5))}
	}
}

// mix mixes two rows of a sheet's samples for device pixels from..to-1 of row y.
func (r *groundRow) mix(data *samples, sh *sheet, y, from, to int) {
	along, across := sh.along(from, to), sh.ty[y-sh.y0]
	if data.narrow != nil {
		r.mixed = mixRows(r.mixed, data.narrow[sh.level], along, across)
	} else {
		r.mixed = mixRows(r.mixed, data.wide[sh.level], along, across)
	}
}

// mixRows mixes two rows of a level as far as the taps along them need it. The result is in 256ths and half a sample too
// high, for rounding; it and mixedCode stay below 1<<32, so that differences may wrap. It has a place beyond the last
// sample, whose content does not matter: taps that look there give it no weight.
func mixRows[T uint8 | uint16](dst []uint32, l level[T], along taps, across tap) []uint32 {
	upper, lower := l.row(int(across.first)), l.row(min(int(across.first)+1, l.h-1))
	dst = grow(dst, len(upper)+1)
	from, to := int(along[0].first), min(int(along[len(along)-1].first)+2, len(upper))
	out := dst[from:to]
	upper, lower = upper[from:to][:len(out)], lower[from:to][:len(out)]
	weight := across.weight
	for i := range out {
		a, b := uint32(upper[i]), uint32(lower[i])
		out[i] = a<<8 + (b-a)*weight + 128
	}
	return dst
}

// mixedCode is the sample between two neighbours of a mixed row.
func mixedCode(a, b, weight uint32) uint16 { return uint16((a<<8 + (b-a)*weight) >> 16) }

func colourMixed(dst []uint8, mixed []uint32, t taps, levels *[1 << 16]uint8, colour *lut) {
	dst = dst[:4*len(t)]
	for i, p := range t {
		code := mixedCode(mixed[p.first], mixed[p.first+1], p.weight)
		binary.LittleEndian.PutUint32(dst[4*i:4*i+4:4*i+4], colour[levels[code]])
	}
}

func addMixed(sums []uint64, mixed []uint32, t taps, levels *[1 << 16]uint8, colour *[256]uint64) {
	sums = sums[:len(t)]
	for i, p := range t {
		sums[i] += colour[levels[mixedCode(mixed[p.first], mixed[p.first+1], p.weight)]]
	}
}
