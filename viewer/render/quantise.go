package render

import (
	"math"

	"coverslip/datasets/raster/pixel"
)

// codes is how many steps a plane of a wide or floating type is shown with.
const codes = 1 << 16

// minSpan is how many codes must lie between the contrast limits, else a few extreme samples would coarsen the rest.
const minSpan = 1024

// prepareCodes quantises a plane to 16 bits: exactly where the range of an integer type allows, else in equal steps over
// the range. Samples that are not finite count as the smallest, positive infinity as the largest. room is how far the codes go
// beyond the samples at either end, as a part of their span.
func prepareCodes[E pixel.Element](values []E, h, w, n int, room float64) *samples {
	if len(values) < n {
		return nil
	}
	values = values[:n]
	s := new(samples)
	s.min, s.max = finiteRange(values)
	out := make([]uint16, n)
	lo, hi := s.min, s.max
	if span := hi/2 - lo/2; room > 0 && span < math.MaxFloat64/4 {
		lo, hi = lo-2*span*room, hi+2*span*room
	}
	least, most := lo, hi
	for range 4 {
		s.base, s.step = lo, stepFor[E](lo, hi)
		quantise(out, values, s.base, s.step)
		counts := count(out, codes)
		a, b := quantile(counts, n, lowPercent), quantile(counts, n, highPercent)
		s.lo, s.hi = s.value(a), s.value(b)
		if b-a >= minSpan || s.step <= exactStep[E]() {
			break
		}
		span := math.Max(s.hi-s.lo, s.step)
		narrowLo, narrowHi := math.Max(least, s.lo-span*2), math.Min(most, s.hi+span*2)
		if narrowHi-narrowLo > (hi-lo)/2 {
			break
		}
		lo, hi = narrowLo, narrowHi
	}
	s.widen()
	s.wide = halve(out, h, w)
	return s
}

// exactStep is the step at which nothing is lost: 1 for integers, none for floats.
func exactStep[E pixel.Element]() float64 {
	if isFloat[E]() {
		return 0
	}
	return 1
}

func isFloat[E pixel.Element]() bool { half := 0.5; return E(half) != 0 }

func stepFor[E pixel.Element](lo, hi float64) float64 {
	step := hi/(codes-1) - lo/(codes-1) // apart, so that the whole range of float64 does not overflow
	if exact := exactStep[E](); step < exact {
		return exact
	}
	if step == 0 {
		return 1
	}
	return step
}

func finiteRange[E pixel.Element](values []E) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, e := range values {
		x := float64(e)
		if x < lo && x >= -math.MaxFloat64 {
			lo = x
		}
		if x > hi && x <= math.MaxFloat64 {
			hi = x
		}
	}
	if lo > hi {
		return 0, 0
	}
	return lo, hi
}

func quantise[E pixel.Element](out []uint16, values []E, base, step float64) {
	for i, e := range values {
		q := (float64(e)-base)/step + 0.5
		switch {
		case q >= codes:
			out[i] = codes - 1
		case q >= 0:
			out[i] = uint16(q)
		default: // also not a number
			out[i] = 0
		}
	}
}
