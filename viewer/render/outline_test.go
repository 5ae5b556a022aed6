package render

import (
	"bytes"
	"image"
	"testing"

	"coverslip/datasets/raster"
	"coverslip/viewer"
)

// speckle is a label plane with objects of all shapes: random rectangles over each other, some single pixels.
func speckle(side, objects int, seed uint64) raster.Plane {
	rnd := noise(seed)
	v := make([]uint32, side*side)
	for id := 1; id <= objects; id++ {
		y, x := int(rnd.next()%uint64(side)), int(rnd.next()%uint64(side))
		h, w := int(rnd.next()%14)+1, int(rnd.next()%14)+1
		value := uint32(id)
		if id%5 == 0 {
			value = 0
		}
		for dy := range min(h, side-y) {
			for dx := range min(w, side-x) {
				v[(y+dy)*side+x+dx] = value
			}
		}
	}
	return raster.Plane{H: side, W: side, Type: raster.Uint32, Values: v}
}

// The lines drawn by edges are those found by looking at every pixel around.
func TestLinesAgreeWithLookingAtEveryPixel(t *testing.T) {
	const w, h, grey, ink = 150, 40, 0xff808080, 0xff40c0f0
	for seed, zoom := range []float64{1, 1, 2, 3.3, 0.6, 0.3, 14} {
		l := PrepareLabels(speckle(60, 70, uint64(seed)), nil)
		f := new(frame)
		v := viewer.View{Zoom: zoom, At: viewer.Point{Y: 28, X: 25}}
		f.setup(make([]uint8, 4*w*h), &Scene{H: 60, W: 60}, v, CameraOf(v, 60, 60, w, h), w, h)
		for _, style := range []Style{Match, Extra, Double} {
			ln := styleLine(style, zoom, 1)
			ln.ready(1)
			r := &ring{row: -100}
			for y := range h {
				got, want := make([]uint8, 4*w), make([]uint8, 4*w)
				fillRow(got, grey)
				fillRow(want, grey)
				r.advance(f, reader{labels: l}, y, ln.far)
				for _, q := range r.middle().runs {
					a, b := max(q.a, pad), min(q.b, w+pad)
					if q.id == 0 || q.id == outside || a >= b {
						continue
					}
					ln.draw(r, f, got, y, a, b, q, ink)
					for x := int(a) - pad; x < int(b)-pad; x++ {
						b := ln.at(nearest(f, l, y, x, pad), 1)
						blend(want, x, ink, uint32(b.ink), uint32(256-b.ink-b.dark))
					}
				}
				if !bytes.Equal(got, want) {
					t.Fatalf("zoom %v, style %d, row %d: the line is not where it should be", zoom, style, y)
				}
			}
		}
	}
}

// nearest is the squared distance to the nearest device pixel of another label, looked for so many rows and columns around.
func nearest(f *frame, l *Labels, y, x, around int) int {
	at := func(y, x int) uint32 {
		iy, ix := f.cam.Pixel(y, x)
		if iy < 0 || ix < 0 || iy >= l.H || ix >= l.W {
			return outside
		}
		return l.Index[iy*l.W+ix]
	}
	best := far * f.density * f.density
	for dy := -around; dy <= around; dy++ {
		for dx := -around; dx <= around; dx++ {
			if at(y+dy, x+dx) != at(y, x) {
				best = min(best, dy*dy+dx*dx)
			}
		}
	}
	return best
}

// At every zoom each visible object of some size has a closed outline: every pixel beside another label has ink.
func TestOutlinesAreClosed(t *testing.T) {
	p := speckle(60, 40, 5)
	s := &Scene{H: 60, W: 60, Answer: PrepareLabels(p, nil)}
	for _, zoom := range []float64{0.3, 0.5, 1, 1.7, 4, 11} {
		v := viewer.View{Zoom: zoom, At: viewer.Point{Y: 30, X: 30}, HideImage: true, Answer: viewer.LabelLayer{Style: viewer.Outline}}
		m := image.NewRGBA(image.Rect(0, 0, 90, 90))
		Compose(m, s, v)
		cam := CameraOf(v, 60, 60, 90, 90)
		for y := 1; y < 89; y++ {
			for x := 1; x < 89; x++ {
				id := labelUnder(s.Answer, cam, y, x)
				edge := id != labelUnder(s.Answer, cam, y-1, x) || id != labelUnder(s.Answer, cam, y+1, x) ||
					id != labelUnder(s.Answer, cam, y, x-1) || id != labelUnder(s.Answer, cam, y, x+1)
				c := m.RGBAAt(x, y)
				if lit := int(c.R)+int(c.G)+int(c.B) > 150; id > 0 && edge && !lit {
					t.Fatalf("zoom %v: border pixel %d %d of object %d is %v", zoom, y, x, id, c)
				} else if id == 0 && lit {
					t.Fatalf("zoom %v: background pixel %d %d is %v", zoom, y, x, c)
				}
			}
		}
	}
}

func labelUnder(l *Labels, cam Camera, y, x int) int64 {
	iy, ix := cam.Pixel(y, x)
	id, ok := l.At(iy, ix)
	if !ok {
		return -1
	}
	return id
}

// disc is one object of the given radius in the middle of a side x side plane.
func disc(side, radius int) raster.Plane {
	v := make([]uint8, side*side)
	for y := range side {
		for x := range side {
			if dy, dx := y-side/2, x-side/2; dy*dy+dx*dx <= radius*radius {
				v[y*side+x] = 1
			}
		}
	}
	return raster.Plane{H: side, W: side, Type: raster.Uint8, Values: v}
}

// traits is what a style looks like without its hue: the share of the border with ink, whether there is ink deep inside,
// and how many lines are crossed on the way in from the left.
type traits struct {
	border float64
	inside bool
	lines  int
}

func traitsOf(style Style, truth bool) traits {
	const side = 101
	l := PrepareLabels(disc(side, 40), nil).SetStyles(map[int64]Style{1: style})
	s := &Scene{H: side, W: side, Answer: l}
	if truth {
		s.Answer, s.Truth = nil, l
	}
	m := image.NewRGBA(image.Rect(0, 0, side, side))
	Compose(m, s, viewer.View{Zoom: 1, At: viewer.Point{Y: side / 2.0, X: side / 2.0}, HideImage: true, Errors: true})
	lit := func(y, x int) bool { c := m.RGBAAt(x, y); return int(c.R)+int(c.G)+int(c.B) > 120 }
	var tr traits
	border, on := 0, 0
	f := new(frame)
	v := viewer.View{Zoom: 1, At: viewer.Point{Y: side / 2.0, X: side / 2.0}}
	f.setup(make([]uint8, 4*side*side), &Scene{H: side, W: side}, v, CameraOf(v, side, side, side, side), side, side)
	for y := range side {
		for x := range side {
			if l.Index[y*side+x] == 1 && nearest(f, l, y, x, 1) == 1 {
				border++
				on += count01(lit(y, x))
			}
		}
	}
	tr.border = float64(on) / float64(border)
	for i := range 9 {
		tr.inside = tr.inside || lit(side/2, side/2+i)
	}
	for row := side/2 - 12; row <= side/2+12; row++ { // a dash may be missing in one row
		n := 0
		for x := 1; x < side/2-25; x++ {
			n += count01(lit(row, x) && !lit(row, x-1))
		}
		tr.lines = max(tr.lines, n)
	}
	return tr
}

// Without any hue the styles still differ: solid, interrupted seldom or often, hatched, doubled.
func TestStylesDifferWithoutColour(t *testing.T) {
	match, weak, extra := traitsOf(Match, false), traitsOf(WeakLink, false), traitsOf(Extra, false)
	double, missed := traitsOf(Double, false), traitsOf(Missed, true)
	if match.border < 1 || match.inside || match.lines != 1 {
		t.Errorf("a match is one solid line: %+v", match)
	}
	if extra.border < 1 || !extra.inside {
		t.Errorf("a false object is hatched: %+v", extra)
	}
	if double.border < 1 || double.inside || double.lines != 2 {
		t.Errorf("splits and merges are two lines: %+v", double)
	}
	if missed.border < 0.5 || missed.border > 0.75 || missed.inside {
		t.Errorf("a missed object is dashed: %+v", missed)
	}
	if weak.border < 0.2 || weak.border > 0.45 || weak.inside {
		t.Errorf("a weak match is dotted: %+v", weak)
	}
}

// The truth's side of a match is not drawn again, unstyled objects only where their layer is on.
func TestErrorsDrawWhatTheyShould(t *testing.T) {
	for style, want := range map[Style]bool{Plain: false, Match: false, WeakLink: false, Missed: true, Double: true} {
		if tr := traitsOf(style, true); (tr.border > 0) != want {
			t.Errorf("style %d of the truth: drawn %v, expected %v", style, !want, want)
		}
	}
	if tr := traitsOf(Plain, false); tr.border > 0 {
		t.Errorf("an object without style is drawn in the errors layer")
	}
}

// The focused object is shown even where all layers are hidden, and the two sides show apart where they agree.
func TestFocusShowsAlways(t *testing.T) {
	l := PrepareLabels(disc(101, 30), nil)
	s := &Scene{H: 101, W: 101, Answer: l, Truth: l}
	for _, zoom := range []string{"0.1", "1", "5"} {
		m := picture(t, s, "size=400x400 pixels=off focus=a1,t1 at=50,50 zoom="+zoom)
		white, cyan := 0, 0
		for i := 0; i < len(m.Pix); i += 4 {
			c := pack(m.Pix[i], m.Pix[i+1], m.Pix[i+2])
			white += count01(c == focusAnswerColour)
			cyan += count01(c == focusTruthColour)
		}
		if white < 10 || cyan < 10 {
			t.Errorf("zoom %s: %d white and %d cyan pixels", zoom, white, cyan)
		}
	}
}
