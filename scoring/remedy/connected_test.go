package remedy

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestConnected holds the labels against a flood fill that looks at all neighbours of each pixel.
func TestConnected(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for range 300 {
		shape := []int{1 + r.IntN(9), 1 + r.IntN(12)}
		if r.IntN(2) == 0 {
			shape = append([]int{1 + r.IntN(5)}, shape...)
		}
		n := 1
		for _, s := range shape {
			n *= s
		}
		class := make([]uint32, n)
		for i := range class {
			class[i] = uint32(max(0, r.IntN(5)-2))
		}
		if got, want := connected(class, shape), flooded(class, shape); !slices.Equal(got, want) {
			t.Fatalf("%v of shape %v:\ngot  %v\nwant %v", class, shape, got, want)
		}
	}
}

func flooded(class []uint32, shape []int) []uint32 {
	n := len(shape)
	h, w := shape[n-2], shape[n-1]
	d := len(class) / (h * w)
	labels, label := make([]uint32, len(class)), uint32(0)
	var fill func(z, y, x int, c uint32)
	fill = func(z, y, x int, c uint32) {
		if z < 0 || y < 0 || x < 0 || z >= d || y >= h || x >= w {
			return
		}
		i := (z*h+y)*w + x
		if class[i] != c || labels[i] != 0 {
			return
		}
		labels[i] = label
		for k := range 27 {
			fill(z+k/9-1, y+k/3%3-1, x+k%3-1, c)
		}
	}
	for i, c := range class {
		if c != 0 && labels[i] == 0 {
			label++
			fill(i/(h*w), i/w%h, i%w, c)
		}
	}
	return labels
}
