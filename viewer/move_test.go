package viewer

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"
)

var (
	testImage   = image.Pt(2048, 1536)
	testPicture = image.Pt(1400, 901)
)

// under is the image point under a device point.
func under(v View, y, x float64, img, pic image.Point) Point {
	s, m := v.Scale(img, pic), v.Middle(img)
	return Point{m.Y + (y-float64(pic.Y)/2)/s, m.X + (x-float64(pic.X)/2)/s}
}

// Where the cursor is on the image, zooming keeps the image point under it, to a twentieth of a device pixel.
func TestZoomKeepsThePointUnderTheCursor(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	v := View{}
	for i := range 5000 {
		y, x := rnd.Float64()*float64(testPicture.Y), rnd.Float64()*float64(testPicture.X)
		before := under(v, y, x, testImage, testPicture)
		if before.Y < 0 || before.X < 0 || before.Y > float64(testImage.Y) || before.X > float64(testImage.X) {
			continue
		}
		w := v.ZoomAbout(Point{y, x}, []float64{1.2, 1 / 1.2, 2, 0.3, 7}[rnd.IntN(5)], testImage, testPicture)
		after := under(w, y, x, testImage, testPicture)
		scale := w.Scale(testImage, testPicture)
		if math.Abs(after.Y-before.Y)*scale > 0.05 || math.Abs(after.X-before.X)*scale > 0.05 {
			t.Fatalf("step %d: %v is under the cursor after %v", i, after, before)
		}
		checkCanonical(t, w)
		v = w
	}
}

func TestZoomStaysWithinBounds(t *testing.T) {
	v := View{}
	for range 100 {
		v = v.ZoomAbout(Point{10, 10}, 3, testImage, testPicture)
	}
	if v.Zoom != MaxZoom {
		t.Errorf("zoom %v", v.Zoom)
	}
	for range 100 {
		v = v.ZoomAbout(Point{10, 10}, 0.3, testImage, testPicture)
	}
	if v.Zoom != MinZoom {
		t.Errorf("zoom %v", v.Zoom)
	}
	if w := v.ZoomAbout(Point{math.NaN(), 0}, 2, testImage, testPicture); !w.Equal(v) {
		t.Errorf("not a number moved the view to %v", w)
	}
}

// A pan moves the image by as much as the hand, and never out of the picture.
func TestPan(t *testing.T) {
	v := View{Zoom: 2, At: Point{700, 900}}
	w := v.Pan(10, -30, testImage, testPicture)
	if w.At != (Point{695, 915}) {
		t.Errorf("at %v", w.At)
	}
	for _, d := range []float64{1e6, -1e6} {
		w := v.Pan(d, d, testImage, testPicture)
		top := under(w, 0, 0, testImage, testPicture)
		bottom := under(w, float64(testPicture.Y), float64(testPicture.X), testImage, testPicture)
		if bottom.Y <= 0 || bottom.X <= 0 || top.Y >= float64(testImage.Y) || top.X >= float64(testImage.X) {
			t.Errorf("pan by %v left %v to %v", d, top, bottom)
		}
		checkCanonical(t, w)
	}
	if w := v.Pan(math.NaN(), 0, testImage, testPicture); !w.Equal(v) {
		t.Errorf("not a number moved the view to %v", w)
	}
}

func TestFitShowsTheWholeImage(t *testing.T) {
	v := View{Zoom: 7, At: Point{3, 4}, Bar: true}.Fit()
	if v.Zoom != 0 || !v.Bar || v.Middle(testImage) != (Point{768, 1024}) {
		t.Errorf("fit is %v", v)
	}
	if s := v.Scale(testImage, testPicture); s != 901.0/1536 {
		t.Errorf("scale %v", s)
	}
	if s := v.Scale(image.Point{}, image.Point{}); s != 1 {
		t.Errorf("scale of nothing is %v", s)
	}
}

func TestFrameShowsAnObjectWell(t *testing.T) {
	for _, c := range []struct {
		box        image.Rectangle
		zoom, want float64
	}{
		{image.Rect(100, 100, 200, 200), 2, 2},           // well seen: zoom stays
		{image.Rect(100, 100, 104, 104), 1, 90.1 / 4},    // tiny: up to a tenth of the picture
		{image.Rect(100, 100, 1100, 1100), 2, 0.4505},    // too large: half of the picture
		{image.Rect(0, 0, 0, 0), 1, MaxZoom},             // empty counts as one pixel
		{image.Rect(1000, 800, 1001, 801), 0.1, MaxZoom}, // bounded
	} {
		v := View{Zoom: c.zoom, At: Point{5, 5}}.Frame(c.box, testImage, testPicture)
		if math.Abs(v.Zoom-c.want) > 1e-4*c.want {
			t.Errorf("%v at zoom %v: zoom %v, expected %v", c.box, c.zoom, v.Zoom, c.want)
		}
		checkCanonical(t, v)
	}
}

func TestSteps(t *testing.T) {
	for _, c := range []struct{ at, by, count, want int }{
		{0, 1, 5, 1}, {4, 1, 5, 4}, {0, -1, 5, 0}, {2, 10, 5, 4}, {9, 0, 5, 4}, {9, -1, 5, 3}, {0, 1, 0, 0}, {3, math.MaxInt, 9, 8}, {3, math.MinInt, 9, 0},
	} {
		if v := (View{T: c.at}).StepT(c.by, c.count); v.T != c.want {
			t.Errorf("frame %d by %d of %d gave %d", c.at, c.by, c.count, v.T)
		}
		if v := (View{Z: c.at}).StepZ(c.by, c.count); v.Z != c.want {
			t.Errorf("slice %d by %d of %d gave %d", c.at, c.by, c.count, v.Z)
		}
	}
}

func TestTonesAreCopied(t *testing.T) {
	v := View{}.WithTone(2, Tone{LUT: "fire"})
	w := v.ToggleChannel(2).WithTone(0, Tone{Gamma: 0.5})
	if v.Tone(2).Off || v.Tone(0) != (Tone{}) || !w.Tone(2).Off || w.Tone(2).LUT != "fire" {
		t.Errorf("%v became %v", v, w)
	}
	if w = w.ToggleChannel(2).WithTone(2, Tone{}).WithTone(0, Tone{}); w.Tones != nil {
		t.Errorf("default tones are kept: %v", w.Tones)
	}
	if w := v.WithTone(-1, Tone{Off: true}); !w.Equal(v) {
		t.Errorf("channel -1 gave %v", w)
	}
}
