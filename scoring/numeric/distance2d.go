package numeric

import "slices"

// SquaredDistances gives for each pixel of a mask, rows of width w, the squared distance to the nearest pixel that is
// not set, in pixels: 0 for those that are not. It is exact. At least one pixel must not be set, and h and w must be
// below 2^30. Without such a pixel all distances of set pixels are -1.
//
// Source: Meijster, Roerdink and Hesselink 2000, in whole numbers.
func SquaredDistances(mask []bool, h, w int) []int64 {
	d := columnDistances(mask, h, w)
	e := envelope{column: make([]int, w), from: make([]int, w), heights: make([]int64, w)}
	for y := range h {
		if row := d[y*w : (y+1)*w]; slices.ContainsFunc(row, func(v int64) bool { return v != 0 }) {
			e.row(row)
		}
	}
	return d
}

// columnDistances is the distance to the nearest unset pixel of the same column, -1 where there is none.
func columnDistances(mask []bool, h, w int) []int64 {
	d := make([]int64, h*w)
	for i, set := range mask[:h*w] {
		switch {
		case !set:
		case i < w || d[i-w] < 0:
			d[i] = -1
		default:
			d[i] = d[i-w] + 1
		}
	}
	for i := h*w - w - 1; i >= 0; i-- {
		if below := d[i+w]; below >= 0 && (d[i] < 0 || d[i] > below+1) {
			d[i] = below + 1
		}
	}
	return d
}

// envelope is the lower envelope of the parabolas (x - column)^2 + height of one row.
type envelope struct {
	column  []int // of each parabola on the envelope
	from    []int // first x where it is lowest
	heights []int64
}

// row replaces distances within columns, -1 for none, by the least of (x - column)^2 + distance^2.
func (e *envelope) row(d []int64) {
	n := -1 // the last parabola
	for x, distance := range d {
		if distance < 0 {
			continue
		}
		height, start := distance*distance, 0
		for n >= 0 {
			start = crossing(e.column[n], e.heights[n], x, height)
			if start > e.from[n] {
				break
			}
			n--
			start = 0
		}
		if start < len(d) {
			n++
			e.column[n], e.from[n], e.heights[n] = x, start, height
		}
	}
	if n < 0 {
		return
	}
	for x := len(d) - 1; x >= 0; x-- {
		for e.from[n] > x {
			n--
		}
		off := int64(x - e.column[n])
		d[x] = off*off + e.heights[n]
	}
}

// crossing is the first x at which the parabola of column b, right of a, is lower than that of a, at least 0.
func crossing(a int, heightA int64, b int, heightB int64) int {
	top := int64(b)*int64(b) - int64(a)*int64(a) + heightB - heightA
	if top < 0 {
		return 0
	}
	if b == a+1 { // the usual case needs no division, which takes most of the time otherwise
		return int(top/2) + 1
	}
	return int(top/int64(2*(b-a))) + 1
}
