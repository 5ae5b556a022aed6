package render

import (
	"image"
	"math"
	"testing"

	"coverslip/datasets/raster"
	"coverslip/viewer"
)

// An arrow begins at its element and points where the vector does, as long as the usual length says.
func TestArrowsPointTheRightWay(t *testing.T) {
	s := black()
	for _, d := range [][2]float32{{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {0.6, 0.8}, {-0.8, 0.6}} {
		s.Arrows = []*Arrows{NewArrows(false, 1, 1, 100, 100, []float32{d[0]}, []float32{d[1]})}
		v := parsed(t, "size=200x200 pixels=off arrows=60 answer=outline")
		if got := s.ArrowScale(v); math.Abs(got-54) > 1e-4 {
			t.Errorf("%v: %v device pixels per unit, expected 54", d, got)
		}
		m := image.NewRGBA(image.Rectangle{Max: v.Size})
		Compose(m, s, v)
		y, x, _ := lit(m)
		dy, dx := y-100, x-100
		long := math.Hypot(dy, dx)
		if turn := (dy*float64(d[0]) + dx*float64(d[1])) / long; turn < 0.99 || long < 20 || long > 45 {
			t.Errorf("%v: the ink lies at %.1f %.1f from the element", d, dy, dx)
		}
		cam := CameraOf(v, 100, 100, 200, 200)
		tip := viewer.Point{Y: 50 + 26*float64(d[0]), X: 50 + 26*float64(d[1])}
		if !ink(m, cam, tip.Y, tip.X) || ink(m, cam, tip.Y+4*float64(d[0]), tip.X+4*float64(d[1])) {
			t.Errorf("%v: the tip is not at %v", d, tip)
		}
	}
}

// Colours of angles: white agrees, red is clockwise, blue anticlockwise, opposite directions have the ends of the scale.
func TestAngleColours(t *testing.T) {
	for _, c := range []struct {
		dy, dx, ty, tx float64
		part           float64
	}{{0, 2, 0, 1, 0.5}, {1, 0, 0, 1, 0.75}, {-3, 0, 0, 1, 0.25}, {1e-9, -1, 0, 1, 1}, {1, 1, 0, 1, 0.625}} {
		if got, want := angleColour(c.dy, c.dx, c.ty, c.tx), diverging[int(c.part*255+0.5)]; got != want {
			t.Errorf("%+v: %06x, expected %06x", c, got, want)
		}
	}
	if angleColour(0, 0, 1, 0) != unknownColour {
		t.Error("no length has a direction")
	}
}

func TestOddFields(t *testing.T) {
	nan := float32(math.NaN())
	inf := float32(math.Inf(-1))
	for _, a := range []*Arrows{NewArrows(false, 2, 2, 1, 1, nil, nil), NewArrows(false, -1, 5, 1, 1, nil, nil), NewArrows(false, 1, 1, 0, 1, []float32{1}, []float32{1}),
		NewArrows(true, 1<<40, 1<<40, 1, 1, nil, nil), NewArrows(false, 2, 1, 50, 100, []float32{nan, inf}, []float32{1, 1}), NewArrows(true, 1, 2, 100, 50, []float32{0, 0}, []float32{0, 0})} {
		s := black()
		s.Arrows = []*Arrows{nil, a}
		for _, view := range everything {
			picture(t, s, view+" arrows=4")
		}
		if _, _, ok := a.At(-1, math.Inf(1)); ok {
			t.Error("a vector beside the field")
		}
	}
	var none *Arrows
	if _, _, ok := none.At(1, 1); ok {
		t.Error("a vector without a field")
	}
	a := NewArrows(false, 1, 2, 10, 10, []float32{1, nan}, []float32{2, 0})
	if dy, dx, ok := a.At(3, 4); dy != 1 || dx != 2 || !ok {
		t.Errorf("vector %v %v %v", dy, dx, ok)
	}
	if _, _, ok := a.At(3, 14); ok {
		t.Error("a vector that is not a number")
	}
}

// Every device pixel of the mask has the verdict of the image pixel under its centre, at any zoom.
func TestMaskSaysTheVerdictOfEveryPixel(t *testing.T) {
	answer, truth := speckle(60, 70, 3), speckle(60, 70, 9)
	for _, odd := range []int{60, 47} { // a truth that is smaller than the image
		cut := raster.Plane{H: odd, W: odd, Type: raster.Uint32, Values: make([]uint32, odd*odd)}
		for i := range cut.Values.([]uint32) {
			cut.Values.([]uint32)[i] = truth.Values.([]uint32)[i/odd*60+i%odd]
		}
		s := &Scene{H: 60, W: 60, Answer: PrepareLabels(answer, nil), Truth: PrepareLabels(cut, nil)}
		for _, zoom := range []float64{0.31, 0.5, 1, 1.7, 8} {
			checkMask(t, s, zoom)
		}
	}
}

func checkMask(t *testing.T, s *Scene, zoom float64) {
	t.Helper()
	v := viewer.View{Zoom: zoom, At: viewer.Point{Y: 28, X: 31}, HideImage: true, Mask: true}
	m := image.NewRGBA(image.Rect(0, 0, 120, 90))
	Compose(m, s, v)
	cam := CameraOf(v, 60, 60, 120, 90)
	inked := func(y, x int) uint32 { c := m.RGBAAt(x, y); return pack(c.R, c.G, c.B) }
	for y := range 90 {
		for x := range 120 {
			iy, ix := cam.Pixel(y, x)
			a, ok := s.Answer.At(iy, ix)
			if !ok {
				continue
			}
			b, _ := s.Truth.At(iy, ix)
			c := m.RGBAAt(x, y)
			var good bool
			switch {
			case a != 0 && b != 0:
				good = c.G > c.B && c.B > c.R
			case a != 0:
				good = c.R > c.G && c.G > c.B
			case b != 0:
				good = c.B > c.G && c.G > c.R
			default:
				good = inked(y, x) == blackColour
			}
			if !good {
				t.Fatalf("zoom %v: pixel %d %d, answer %d and truth %d, is %v", zoom, y, x, a, b, c)
			}
		}
	}
}

// Side by side each pane shows its own side with the verdicts of both; without a truth there are no verdicts.
func TestMaskOfOneSide(t *testing.T) {
	s := &Scene{H: 60, W: 60, Answer: PrepareLabels(speckle(60, 70, 3), nil), Truth: PrepareLabels(speckle(60, 70, 9), nil)}
	colours := func(s *Scene) (green, orange, blue, grey int) {
		m := picture(t, s, "size=120x120 pixels=off mask=on")
		for i := 0; i < len(m.Pix); i += 4 {
			r, g, b := m.Pix[i], m.Pix[i+1], m.Pix[i+2]
			green += count01(g > b && b > r)
			orange += count01(r > g && g > b)
			blue += count01(b > g && g > r)
			grey += count01(r == g && g == b && r > 0)
		}
		return
	}
	if g, o, b, _ := colours(s.answerSide()); g == 0 || o == 0 || b > 0 {
		t.Errorf("the answer's side: %d %d %d", g, o, b)
	}
	if g, o, b, _ := colours(s.truthSide()); g == 0 || o > 0 || b == 0 {
		t.Errorf("the truth's side: %d %d %d", g, o, b)
	}
	if g, o, b, n := colours(&Scene{H: 60, W: 60, Answer: s.Answer}); g+o+b > 0 || n == 0 {
		t.Errorf("without a truth: %d %d %d %d", g, o, b, n)
	}
}
