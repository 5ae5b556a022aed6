package segment

import (
	"context"
	"math"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
	"coverslip/scoring/report"
)

// class says what a stored value means to the reference.
type class uint8

const (
	foreground class = 1 << iota // value > 0
	truncated                    // has a fraction, which the conversion to an id drops
	wild                         // NaN, infinite or beyond 64 bits
)

// runs are the stretches of equal stored values along one row: run i ends before column ends[i].
type runs struct {
	ends    []int
	ids     []int64
	classes []class
}

func (r *runs) reset() { r.ends, r.ids, r.classes = r.ends[:0], r.ids[:0], r.classes[:0] }

// labels is a label image of any element type. Rows run along the last axis and are counted through all planes.
type labels interface {
	// scan splits a row into runs.
	scan(row int, into *runs)
	// edges sets the bits of the pixels of some rows of a plane whose value differs from a 4-neighbour.
	edges(ctx context.Context, set *bitmap, from, to int)
	// edgeMask is the same for any number of axes, neighbours lying along the first two.
	edgeMask(shape []int) []bool
	// window copies a part of a plane.
	window(report.Box) []sample
}

// rows is a label image of one element type, seen as rows along its last axis.
type rows[E pixel.Element] struct {
	values   []E
	width    int
	classify func(E) (int64, class)
}

func (s rows[E]) scan(row int, into *runs) {
	into.reset()
	line := s.values[row*s.width : (row+1)*s.width]
	for start := 0; start < len(line); {
		v, end := line[start], start+1
		// Whole strides first: equal to themselves moved by one means equal throughout.
		for end+stride <= len(line) && *(*[stride]E)(line[end:]) == *(*[stride]E)(line[end-1:]) {
			end += stride
		}
		for end < len(line) && line[end] == v {
			end++
		}
		id, c := s.classify(v)
		into.ends = append(into.ends, end)
		into.ids = append(into.ids, id)
		into.classes = append(into.classes, c)
		start = end
	}
}

// newLabels wraps an array by its element type; nil if it holds no numbers.
func newLabels(a raster.Array) labels {
	width := rowWidth(a.Shape)
	switch v := a.Values.(type) {
	case []uint8:
		return rows[uint8]{v, width, wholeID[uint8]}
	case []int8:
		return rows[int8]{v, width, wholeID[int8]}
	case []uint16:
		return rows[uint16]{v, width, wholeID[uint16]}
	case []int16:
		return rows[int16]{v, width, wholeID[int16]}
	case []uint32:
		return rows[uint32]{v, width, wholeID[uint32]}
	case []int32:
		return rows[int32]{v, width, wholeID[int32]}
	case []uint64:
		return rows[uint64]{v, width, wholeID[uint64]}
	case []int64:
		return rows[int64]{v, width, wholeID[int64]}
	case []float32:
		return rows[float32]{v, width, floatID[float32]}
	case []float64:
		return rows[float64]{v, width, floatID[float64]}
	}
	return nil
}

// wholeID converts an integer to the id the reference uses; uint64 beyond 2^63 - 1 wraps to a negative id.
func wholeID[E pixel.Element](v E) (int64, class) {
	if v > 0 {
		return int64(v), foreground
	}
	return int64(v), 0
}

// floatID truncates toward zero. NaN, infinities and values out of range become the lowest 64-bit number.
func floatID[E pixel.Element](v E) (int64, class) {
	f, c := float64(v), class(0)
	if f > 0 {
		c = foreground
	}
	if !(f >= -(1<<63) && f < 1<<63) {
		return math.MinInt64, c | wild
	}
	if f != math.Trunc(f) {
		c |= truncated
	}
	return int64(f), c
}

// rowWidth is the length of the last axis, 0 for an array without axes.
func rowWidth(shape []int) int {
	if len(shape) == 0 {
		return 0
	}
	return shape[len(shape)-1]
}

// planeHeight is the length of the axis before the last, 1 for a single row.
func planeHeight(shape []int) int {
	if len(shape) < 2 {
		return 1
	}
	return shape[len(shape)-2]
}

func volume(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}
