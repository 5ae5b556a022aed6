package remedy

import (
	"fmt"
	"slices"
	"strings"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
)

// shapeOf is the shape of an image's first series, read from its headers; nil where it cannot be read.
func (f *finder) shapeOf(path string) (shape []int, series int) {
	img, err := raster.Open(f.ctx, path)
	if err != nil {
		return nil, 0
	}
	defer img.Close()
	if len(img.Series) == 0 {
		return nil, 0
	}
	return img.Series[0].Shape, len(img.Series)
}

// fits lists the orders of axes that give an image of the one shape the other; the order as it is comes first where it
// fits. Axes of length 1 play no part.
func fits(have, want []int) (orders [][]int) {
	have, want = squeezed(have), squeezed(want)
	if len(have) != len(want) || len(have) > 4 {
		return nil
	}
	var place func(order []int)
	place = func(order []int) {
		if len(order) == len(want) {
			orders = append(orders, slices.Clone(order))
			return
		}
		for i := range have {
			if have[i] == want[len(order)] && !slices.Contains(order, i) {
				place(append(order, i))
			}
		}
	}
	place(nil)
	return orders
}

func inOrder(order []int) bool {
	return slices.IsSorted(order)
}

// axesIn takes axes of length 1 off and puts the others into an order.
func axesIn(order []int, axes string) func(raster.Array) (raster.Array, error) {
	return func(a raster.Array) (raster.Array, error) {
		a, err := reshaped(a, squeezed(a.Shape), "")
		if err != nil || inOrder(order) && len(order) == len(a.Shape) {
			a.Axes = axes
			return a, err
		}
		return rearrange(a, order, nil, axes)
	}
}

// orderText says which order of axes a file would have: "the axes were Z Y X, not Y X Z".
func orderText(order []int, axes string) string {
	if inOrder(order) {
		return "the image had no axes of length 1"
	}
	now := make([]byte, len(order))
	for to, from := range order {
		now[from] = axes[to]
	}
	return fmt.Sprintf("the axes stood in the order %s, not %s", spaced(axes), spaced(string(now)))
}

func spaced(axes string) string { return strings.Join(strings.Split(axes, ""), " ") }

// turned is an image with its last two axes swapped or turned round.
type turned struct {
	text           string
	swap, up, side bool
}

var turns = []turned{
	{"Y and X were swapped", true, false, false},
	{"the image were upside down", false, true, false},
	{"left and right were swapped", false, false, true},
	{"the image were turned by 180 degrees", false, true, true},
	{"the image were turned by 90 degrees to the left", true, true, false},
	{"the image were turned by 90 degrees to the right", true, false, true},
}

func (t turned) edit(a raster.Array) (raster.Array, error) {
	n := len(a.Shape)
	if n < 2 {
		return a, unlike(a, "at least two axes")
	}
	order, reversed := make([]int, n), make([]bool, n)
	for i := range order {
		order[i] = i
	}
	if t.swap {
		order[n-2], order[n-1] = n-1, n-2
	}
	reversed[n-2], reversed[n-1] = t.up, t.side
	return rearrange(a, order, reversed, a.Axes)
}

// everyNth takes each kth row and column.
func everyNth(k int) func(raster.Array) (raster.Array, error) {
	return func(a raster.Array) (raster.Array, error) {
		n := len(a.Shape)
		if n < 2 {
			return a, unlike(a, "at least two axes")
		}
		shape, walk := slices.Clone(a.Shape), make([]int, n)
		for i, s := n-1, 1; i >= 0; i-- {
			walk[i] = s
			s *= a.Shape[i]
		}
		for i := n - 2; i < n; i++ {
			shape[i], walk[i] = shape[i]/k, walk[i]*k
		}
		size := 1
		for _, s := range shape {
			size *= s
		}
		out := raster.Array{Shape: shape, Axes: a.Axes, Type: a.Type, Values: pixel.New(a.Type, size)}
		copyWalk(pixel.Memory(out.Values), pixel.Memory(a.Values), a.Type.Held(), shape, walk, 0)
		return out, nil
	}
}

// repeated makes k x k pixels of each.
func repeated(k int) func(raster.Array) (raster.Array, error) {
	return func(a raster.Array) (raster.Array, error) {
		n := len(a.Shape)
		if n < 2 {
			return a, unlike(a, "at least two axes")
		}
		shape := slices.Clone(a.Shape)
		w, size := a.Shape[n-1], a.Type.Held()
		shape[n-2], shape[n-1] = k*shape[n-2], k*w
		out := raster.Array{Shape: shape, Axes: a.Axes, Type: a.Type, Values: pixel.New(a.Type, k*k*pixel.Len(a.Values))}
		from, to := pixel.Memory(a.Values), pixel.Memory(out.Values)
		for at := 0; at < len(to); at += k * w * size {
			row := at / (k * w * size) / k
			for x := range k * w {
				copy(to[at+x*size:][:size], from[(row*w+x/k)*size:])
			}
		}
		return out, nil
	}
}

// alike tells whether all series of a file have one shape and type.
func (f *finder) alike(path string) (shape []int, series int) {
	img, err := raster.Open(f.ctx, path)
	if err != nil {
		return nil, 0
	}
	defer img.Close()
	for _, s := range img.Series {
		if !slices.Equal(s.Shape, img.Series[0].Shape) || s.Type != img.Series[0].Type {
			return nil, 0
		}
	}
	if len(img.Series) < 2 {
		return nil, 0
	}
	return img.Series[0].Shape, len(img.Series)
}
