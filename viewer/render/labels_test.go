package render

import (
	"image"
	"math"
	"slices"
	"testing"

	"coverslip/datasets/raster"
)

// checkColours fails if two objects that touch, or with up to two background pixels in a row or column between them, are alike.
func checkColours(t *testing.T, l *Labels) {
	t.Helper()
	at := func(y, x int) uint32 {
		if y >= l.H || x < 0 || x >= l.W {
			return 0
		}
		return l.Index[y*l.W+x]
	}
	for y := range l.H {
		for x := range l.W {
			a := at(y, x)
			if a == 0 {
				continue
			}
			near := []uint32{at(y+1, x+1), at(y+1, x-1)}
			for _, step := range [][2]int{{0, 1}, {1, 0}} {
				for k := 1; k <= gap+1; k++ {
					b := at(y+k*step[0], x+k*step[1])
					near = append(near, b)
					if b != 0 {
						break
					}
				}
			}
			for _, b := range near {
				if b != 0 && b != a && l.colour[a] == l.colour[b] {
					t.Fatalf("objects %d and %d at row %d, column %d have the same colour", l.IDs[a], l.IDs[b], y, x)
				}
			}
		}
	}
}

func TestNeighboursHaveDifferentColours(t *testing.T) {
	for seed := range uint64(20) {
		checkColours(t, PrepareLabels(speckle(120, 300, seed), nil))
	}
	checkColours(t, PrepareLabels(newTissue(300, 20).truth(), NewPalette()))
	checkColours(t, PrepareLabels(hub(), nil))
}

// hub is one object with a hundred others inside it, in two touching columns of fifty: more neighbours than colours.
func hub() raster.Plane {
	const h, w = 160, 30
	v := make([]int16, h*w)
	for i := range v {
		v[i] = 7
	}
	for k := range 50 {
		for dy := range 3 {
			for dx := range 8 {
				v[(5+3*k+dy)*w+5+dx] = int16(100 + k)
				v[(5+3*k+dy)*w+13+dx] = int16(-100 - k)
			}
		}
	}
	return raster.Plane{H: h, W: w, Type: raster.Int16, Values: v}
}

// On a plane where a few objects have moved, almost all others keep their colours, whatever was prepared in between.
func TestColoursAreStable(t *testing.T) {
	a := newTissue(600, 30)
	palette := NewPalette()
	first := PrepareLabels(a.truth(), palette)
	PrepareLabels(speckle(100, 100, 3), palette)
	moved := slices.Clone(a.labels)
	for i, v := range a.labels {
		if v%20 == 0 { // every twentieth object is gone in the next slice
			moved[i] = 0
		}
	}
	second := PrepareLabels(raster.Plane{H: 600, W: 600, Type: raster.Uint16, Values: moved}, palette)
	changed := 0
	for _, id := range second.IDs[1:] {
		one, _ := first.Colour(id)
		two, _ := second.Colour(id)
		changed += count01(one != two)
	}
	if n := len(second.IDs) - 1; changed*20 > n {
		t.Errorf("%d of %d objects changed colour", changed, n)
	}
	again := PrepareLabels(a.truth(), NewPalette())
	if !slices.Equal(first.colour, again.colour) {
		t.Errorf("the same plane has other colours when prepared again")
	}
}

// A palette that has learnt a stack gives each id one colour throughout, and neighbours on any plane differ.
func TestLearntColoursHoldOverTheStack(t *testing.T) {
	var stack []*Labels
	for z := range 6 {
		p := newTissue(300, 30)
		for i, v := range p.labels {
			if int(v)%6 == z || i%300 < 10*z {
				p.labels[i] = 0
			}
		}
		stack = append(stack, PrepareLabels(p.truth(), nil))
	}
	palette := NewPalette()
	palette.Learn(stack...)
	seen := map[int64][3]uint8{}
	for z, l := range stack {
		values := make([]int64, len(l.Index))
		for i, k := range l.Index {
			values[i] = l.IDs[k]
		}
		learnt := PrepareLabels(raster.Plane{H: l.H, W: l.W, Values: values}, palette)
		checkColours(t, learnt)
		for _, id := range learnt.IDs[1:] {
			c, _ := learnt.Colour(id)
			if before, ok := seen[id]; ok && before != c {
				t.Fatalf("id %d changes colour in slice %d", id, z)
			}
			seen[id] = c
		}
	}
}

// Every element type gives the same label image; ids are keyed as the scorer keys them.
func TestLabelsOfEveryType(t *testing.T) {
	want := []int64{0, 5, 0, 7, 7, 1}
	planes := []any{
		[]uint8{0, 5, 0, 7, 7, 1}, []int8{0, 5, 0, 7, 7, 1}, []uint16{0, 5, 0, 7, 7, 1}, []int16{0, 5, 0, 7, 7, 1},
		[]uint32{0, 5, 0, 7, 7, 1}, []int32{0, 5, 0, 7, 7, 1}, []uint64{0, 5, 0, 7, 7, 1}, []int64{0, 5, 0, 7, 7, 1},
		[]float32{0, 5, 0.5, 7, 7.9, 1}, []float64{-0.5, 5.5, 0, 7, 7.25, 1.999},
	}
	for _, v := range planes {
		l := PrepareLabels(raster.Plane{H: 2, W: 3, Values: v}, nil)
		for i, w := range want {
			if id, ok := l.At(i/3, i%3); id != w || !ok {
				t.Errorf("%T: pixel %d is %d, expected %d", v, i, id, w)
			}
		}
		if r, ok := l.Box(7); !ok || r != image.Rect(0, 1, 2, 2) {
			t.Errorf("%T: box of 7 is %v", v, r)
		}
	}
	l := PrepareLabels(raster.Plane{H: 1, W: 4, Values: []uint64{1<<64 - 1, 1 << 63, 0, 1}}, nil)
	if !slices.Equal(l.IDs, []int64{0, -1, math.MinInt64, 1}) {
		t.Errorf("wide ids are %v", l.IDs)
	}
	l = PrepareLabels(raster.Plane{H: 1, W: 4, Values: []float64{math.NaN(), math.Inf(1), 1e300, -3.7}}, nil)
	if !slices.Equal(l.IDs, []int64{0, math.MinInt64, -3}) {
		t.Errorf("ids of odd numbers are %v", l.IDs)
	}
	if _, ok := l.At(0, 4); ok {
		t.Error("a pixel beside the plane is said to be on it")
	}
	if _, ok := l.Box(99); ok {
		t.Error("a box for an id that is not there")
	}
}

func TestSetStylesSharesPixels(t *testing.T) {
	l := PrepareLabels(disc(20, 6), nil)
	c := l.SetStyles(map[int64]Style{1: Extra, 99: Missed, 0: Match})
	if &c.Index[0] != &l.Index[0] || l.styles != nil || !c.has(Extra) || c.has(Missed) || c.has(Match) {
		t.Errorf("styles %v, used %b", c.styles, c.used)
	}
}
