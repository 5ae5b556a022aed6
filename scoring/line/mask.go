package line

import (
	"context"
	"fmt"
	"slices"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/parallel"
	"coverslip/datasets/raster/pixel"
	"coverslip/scoring/numeric"
)

// loaded is a file read as a mask.
type loaded struct {
	shape []int // after the axes that the reference drops
	mask  *numeric.Mask
	notes []string
	err   error
}

// load reads a file the way the reference sees it. The mask is nil for arrays of other than two or three axes.
func load(ctx context.Context, path string, volumes bool) (l loaded) {
	defer func() {
		if p := recover(); p != nil {
			l = loaded{err: fmt.Errorf("the reader failed: %v", p)}
		}
	}()
	array, notes, err := raster.ReadArrayNotes(ctx, path)
	l = loaded{notes: notes, err: err}
	if err == nil {
		l.shape, l.mask, l.err = Binary(ctx, array, volumes)
	}
	return l
}

// Binary makes a mask of an array: foreground is what is above 0. Of an array with one axis more than its structures have
// (three for planes, four for volumes) a last axis of 3 or 4 counts as colours, whose largest value is taken; of another
// array of three axes given for a plane, the first place along the last axis is. The shape is that after this. There is no
// mask for one and for four axes, and none for three where planes are asked for.
func Binary(ctx context.Context, a raster.Array, volumes bool) (shape []int, mask *numeric.Mask, err error) {
	shape = slices.Clone(a.Shape)
	step, used := 1, 1
	axes := 2
	if volumes {
		axes = 3
	}
	if n := len(shape); n == axes+1 {
		if last := shape[n-1]; last == 3 || last == 4 {
			step, used, shape = last, last, shape[:n-1]
		} else if !volumes {
			step, shape = last, shape[:n-1]
		}
	}
	dims := shape
	if len(dims) == 2 {
		dims = []int{1, shape[0], shape[1]}
	}
	if len(dims) != 3 || slices.Contains(dims, 0) {
		return shape, nil, nil
	}
	mask = numeric.NewMask(dims[0], dims[1], dims[2])
	fill := filler(a.Values, step, used, dims[2])
	if fill == nil {
		return shape, nil, fmt.Errorf("it holds no numbers")
	}
	const band = 64
	rows := dims[0] * dims[1]
	err = parallel.Each(ctx, (rows+band-1)/band, func(i int) error {
		for r := i * band; r < min(rows, (i+1)*band); r++ {
			fill(r, mask.Row(r/dims[1], r%dims[1]))
		}
		return nil
	})
	return shape, mask, err
}

// filler sets the bits of a row of a mask from the same row of an array's values, a []E; nil for other values.
func filler(values any, step, used, width int) func(row int, bits []uint64) {
	switch v := values.(type) {
	case []uint8:
		return fillRow(v, step, used, width)
	case []int8:
		return fillRow(v, step, used, width)
	case []uint16:
		return fillRow(v, step, used, width)
	case []int16:
		return fillRow(v, step, used, width)
	case []uint32:
		return fillRow(v, step, used, width)
	case []int32:
		return fillRow(v, step, used, width)
	case []uint64:
		return fillRow(v, step, used, width)
	case []int64:
		return fillRow(v, step, used, width)
	case []float32:
		return fillRow(v, step, used, width)
	case []float64:
		return fillRow(v, step, used, width)
	}
	return nil
}

const stride = 32

func fillRow[E pixel.Element](values []E, step, used, width int) func(row int, bits []uint64) {
	return func(row int, bits []uint64) {
		line := values[row*width*step : (row+1)*width*step]
		if step > 1 {
			for x := range width {
				if above(line[x*step : x*step+used]) {
					bits[(x+1)>>6] |= 1 << (uint(x+1) & 63)
				}
			}
			return
		}
		var zeros [stride]E
		for x := 0; x < width; {
			if x+stride <= width && *(*[stride]E)(line[x:]) == zeros {
				x += stride
				continue
			}
			for end := min(x+stride, width); x < end; x++ {
				if line[x] > 0 {
					bits[(x+1)>>6] |= 1 << (uint(x+1) & 63)
				}
			}
		}
	}
}

// above tells whether the largest of some values is above 0; with a NaN among them it is NaN.
func above[E pixel.Element](values []E) bool {
	yes := false
	for _, v := range values {
		if v != v {
			return false
		}
		yes = yes || v > 0
	}
	return yes
}
