package remedy

import (
	"fmt"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
)

// classes numbers the distinct values of an image: 0 stays 0 (and takes NaN), the others get 1, 2, ... in order of
// appearance. values[class] is the value.
func classes(a raster.Array) (class []uint32, values []float64) {
	switch v := a.Values.(type) {
	case []uint8:
		return classesOfFew(v)
	case []int8:
		return classesOf(v)
	case []uint16:
		return classesOfFew(v)
	case []int16:
		return classesOf(v)
	case []uint32:
		return classesOf(v)
	case []int32:
		return classesOf(v)
	case []uint64:
		return classesOf(v)
	case []int64:
		return classesOf(v)
	case []float32:
		return classesOf(v)
	case []float64:
		return classesOf(v)
	}
	return nil, nil
}

func classesOf[E pixel.Element](v []E) (class []uint32, values []float64) {
	class, values = make([]uint32, len(v)), []float64{0}
	known := map[E]uint32{0: 0}
	var last E
	var at uint32
	for i, x := range v {
		if x == last {
			class[i] = at
			continue
		}
		if x != x { // NaN
			continue
		}
		c, seen := known[x]
		if !seen {
			c = uint32(len(values))
			known[x] = c
			values = append(values, float64(x))
		}
		last, at, class[i] = x, c, c
	}
	return class, values
}

// classesOfFew is classesOf for types of so few values that a table holds them all.
func classesOfFew[E uint8 | uint16](v []E) (class []uint32, values []float64) {
	class, values = make([]uint32, len(v)), []float64{0}
	table := make([]uint32, 1<<16)
	for i, x := range v {
		if x == 0 {
			continue
		}
		if table[x] == 0 {
			table[x] = uint32(len(values))
			values = append(values, float64(x))
		}
		class[i] = table[x]
	}
	return class, values
}

// labelImage is an image of labels in the narrowest type that holds them.
func labelImage(labels []uint32, shape []int, axes string) raster.Array {
	var most uint32
	for _, l := range labels {
		most = max(most, l)
	}
	a := raster.Array{Shape: shape, Axes: axes, Type: raster.Uint32, Values: labels}
	if most < 1<<16 {
		narrow := make([]uint16, len(labels))
		for i, l := range labels {
			narrow[i] = uint16(l)
		}
		a.Type, a.Values = raster.Uint16, narrow
	}
	return a
}

// rearrange gives an image with its axes in another order, some of them turned round: axis i of the result is axis
// order[i] of a, backwards where reversed[i].
func rearrange(a raster.Array, order []int, reversed []bool, axes string) (raster.Array, error) {
	if len(order) != len(a.Shape) {
		return a, unlike(a, fmt.Sprintf("%d axes", len(order)))
	}
	n, step := len(order), make([]int, len(order))
	for i, s := n-1, 1; i >= 0; i-- {
		step[i] = s
		s *= a.Shape[i]
	}
	shape, walk, start := make([]int, n), make([]int, n), 0
	for i, from := range order {
		shape[i], walk[i] = a.Shape[from], step[from]
		if reversed != nil && reversed[i] {
			start += (shape[i] - 1) * walk[i]
			walk[i] = -walk[i]
		}
	}
	out := raster.Array{Shape: shape, Axes: axes, Type: a.Type, Values: pixel.New(a.Type, pixel.Len(a.Values))}
	copyWalk(pixel.Memory(out.Values), pixel.Memory(a.Values), a.Type.Held(), shape, walk, start)
	return out, nil
}

// copyWalk fills dst in order with elements of src that stand walk[i] apart along axis i.
func copyWalk(dst, src []byte, size int, shape, walk []int, start int) {
	if len(dst) == 0 {
		return
	}
	n := len(shape)
	index, from := make([]int, n), start
	for to := 0; to < len(dst); {
		if walk[n-1] == 1 {
			to += copy(dst[to:], src[from*size:(from+shape[n-1])*size])
		} else {
			for x := range shape[n-1] {
				at := (from + x*walk[n-1]) * size
				copy(dst[to:to+size], src[at:at+size])
				to += size
			}
		}
		for i := n - 2; i >= 0; i-- {
			from += walk[i]
			if index[i]++; index[i] < shape[i] {
				break
			}
			from -= shape[i] * walk[i]
			index[i] = 0
		}
	}
}

// reshaped is the same samples under another shape.
func reshaped(a raster.Array, shape []int, axes string) (raster.Array, error) {
	n := 1
	for _, s := range shape {
		n *= s
	}
	if n != pixel.Len(a.Values) {
		return a, unlike(a, fmt.Sprint(shape))
	}
	a.Shape, a.Axes = shape, axes
	return a, nil
}

// squeezed are the axes of a shape that are longer than 1.
func squeezed(shape []int) (out []int) {
	for _, n := range shape {
		if n != 1 {
			out = append(out, n)
		}
	}
	return out
}

func unlike(a raster.Array, expected string) error {
	return &fault.Error{Kind: fault.Inconsistent, Found: fmt.Sprintf("an image of shape %v", a.Shape), Expected: expected}
}

// axesOf are letters for an image of so many axes.
func axesOf(n int) string {
	if n > 4 || n < 1 {
		return ""
	}
	return "TZYX"[4-n:]
}

// slice is the first n samples.
func slice(values any, n int) any { return pixel.Slice(values, 0, n) }

// negative is an image with the sign of its values turned round.
func negative(a raster.Array) (raster.Array, error) {
	switch v := a.Values.(type) {
	case []float32:
		out := make([]float32, len(v))
		for i, x := range v {
			out[i] = -x
		}
		a.Values = out
	case []float64:
		out := make([]float64, len(v))
		for i, x := range v {
			out[i] = -x
		}
		a.Values = out
	default:
		return a, unlike(a, "floating point numbers")
	}
	return a, nil
}
