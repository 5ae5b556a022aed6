package demo

import (
	"math"

	"coverslip/datasets/raster/pixel"
)

// light is a plane of brightness under construction, row by row, in grey values.
type light struct {
	h, w int
	v    []float64
}

func newLight(h, w int, base float64) *light {
	l := &light{h, w, make([]float64, h*w)}
	for i := range l.v {
		l.v[i] = base
	}
	return l
}

// around visits the pixels within reach of a point.
func (l *light) around(y, x, reach float64, do func(i int, dy, dx float64)) {
	for py := max(0, int(math.Ceil(y-reach))); py <= min(l.h-1, int(y+reach)); py++ {
		for px := max(0, int(math.Ceil(x-reach))); px <= min(l.w-1, int(x+reach)); px++ {
			do(py*l.w+px, float64(py)-y, float64(px)-x)
		}
	}
}

// spot adds a Gaussian of the given width and height.
func (l *light) spot(y, x, sigma, peak float64) {
	s2 := float64(sigma * sigma)
	l.around(y, x, 4*sigma, func(i int, dy, dx float64) {
		l.v[i] += float64(peak * bell((float64(dy*dy)+float64(dx*dx))/s2))
	})
}

// line adds a straight stroke with a Gaussian profile; where strokes meet the brighter one counts, kept in top.
func (l *light) line(ay, ax, by, bx, sigma, peak float64) {
	reach := float64(3.5 * sigma)
	y0, y1 := min(ay, by)-reach, max(ay, by)+reach
	x0, x1 := min(ax, bx)-reach, max(ax, bx)+reach
	s2 := float64(sigma * sigma)
	for y := max(0, int(y0)); y <= min(l.h-1, int(y1)); y++ {
		for x := max(0, int(x0)); x <= min(l.w-1, int(x1)); x++ {
			away, _ := toSegment(float64(y), float64(x), ay, ax, by, bx)
			i := y*l.w + x
			l.v[i] = max(l.v[i], float64(peak*bell(float64(away*away)/s2)))
		}
	}
}

// add lays another plane over this one.
func (l *light) add(o *light) {
	for i, v := range o.v {
		l.v[i] += v
	}
}

// shade adds a field that changes slowly: clouds of the given size and strength.
func (l *light) shade(seed uint64, size, strength float64) {
	for y := range l.h {
		for x := range l.w {
			l.v[y*l.w+x] += float64(strength * noise2(seed, float64(y), float64(x), size))
		}
	}
}

// blur spreads the light with the 3 x 3 binomial kernel, so many times; edges are repeated.
func (l *light) blur(times int) {
	tmp := make([]float64, len(l.v))
	for range times {
		for y := range l.h {
			row := l.v[y*l.w : (y+1)*l.w]
			for x, v := range row {
				tmp[y*l.w+x] = float64(0.5*v) + float64(0.25*(row[max(x-1, 0)]+row[min(x+1, l.w-1)]))
			}
		}
		for y := range l.h {
			up, down := max(y-1, 0)*l.w, min(y+1, l.h-1)*l.w
			for x := range l.w {
				l.v[y*l.w+x] = float64(0.5*tmp[y*l.w+x]) + float64(0.25*(tmp[up+x]+tmp[down+x]))
			}
		}
	}
}

// camera says how light becomes numbers: read noise, shot noise at 1 grey value, and the largest number.
type camera struct {
	read, shot float64
	top        float64
}

// expose gives the noisy grey values; plane is the number of the plane, so that noise differs between planes.
func (l *light) expose(c camera, seed uint64, plane int) []float64 {
	out := make([]float64, len(l.v))
	for y := range l.h {
		for x := range l.w {
			i := y*l.w + x
			v := l.v[i]
			noise := c.read + float64(c.shot*math.Sqrt(max(v, 0)))
			out[i] = clamp(math.Floor(v+float64(2*noise*grain(seed, plane, y, x))+0.5), 0, c.top)
		}
	}
	return out
}

func (l *light) gray8(c camera, seed uint64, plane int) []uint8 {
	c.top = 255
	return as[uint8](l.expose(c, seed, plane))
}

func (l *light) gray16(c camera, seed uint64, plane int) []uint16 {
	c.top = 65535
	return as[uint16](l.expose(c, seed, plane))
}

// as turns whole numbers into another type.
func as[E pixel.Element](v []float64) []E {
	out := make([]E, len(v))
	for i, x := range v {
		out[i] = E(x)
	}
	return out
}

// array describes samples in memory for a file.
func array[E pixel.Element](axes string, values []E, shape ...int) pixel.Array {
	var t pixel.Type
	switch any(values).(type) {
	case []uint8:
		t = pixel.Uint8
	case []uint16:
		t = pixel.Uint16
	case []float32:
		t = pixel.Float32
	case []float64:
		t = pixel.Float64
	}
	return pixel.Array{Shape: shape, Axes: axes, Type: t, Values: values}
}

// rgb puts three planes side by side, sample after sample.
func rgb(red, green, blue []uint8) []uint8 {
	out := make([]uint8, 0, 3*len(red))
	for i := range red {
		out = append(out, red[i], green[i], blue[i])
	}
	return out
}
