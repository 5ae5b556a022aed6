package render

import (
	"bytes"
	"image"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coverslip/viewer"
)

// overlayScenes are scenes by the name that testdata/overlays.txt uses.
func overlayScenes() map[string]*Scene {
	all := overlaid(160, 36)
	return map[string]*Scene{
		"all":    all,
		"points": all.with(true, false, false, false),
		"tracks": all.with(false, true, false, false),
		"field":  all.with(false, false, true, false),
		"labels": all.with(false, false, false, true),
		"stack":  stacked(160, 36, 30).with(true, false, false, false),
	}
}

// overlayViews is the lines of testdata/overlays.txt: the name of a picture, that of its scene, and the view.
func overlayViews(t testing.TB) [][3]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "overlays.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var out [][3]string
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		name, rest, _ := strings.Cut(line, " ")
		scene, view, _ := strings.Cut(rest, " ")
		out = append(out, [3]string{name, scene, view})
	}
	return out
}

func TestGoldenOverlays(t *testing.T) {
	scenes := overlayScenes()
	for _, c := range overlayViews(t) {
		file := filepath.Join("testdata", "overlays", c[0]+".png")
		got := picture(t, scenes[c[1]], c[2])
		if *update {
			writePNG(t, file, got)
			continue
		}
		if n := differences(got, readPNG(t, file)); n != 0 {
			writePNG(t, filepath.Join("testdata", "failed", c[0]+".png"), got)
			t.Errorf("%s: %d pixels differ, see testdata/failed", c[0], n)
		}
	}
}

// Overlays are cut into strips nowhere, whoever draws them, and allocate nothing.
func TestOverlaysDoNotDependOnGoroutines(t *testing.T) {
	scenes := overlayScenes()
	for _, c := range overlayViews(t) {
		v, s := parsed(t, c[2]), scenes[c[1]]
		v.Size = v.Size.Mul(2)
		want := image.NewRGBA(image.Rectangle{Max: v.Size})
		compose(want, s, v, 1)
		for _, workers := range []int{2, 5, 100} {
			got := image.NewRGBA(image.Rectangle{Max: v.Size})
			compose(got, s, v, workers)
			if !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("%s: %d goroutines give other bytes than one", c[0], workers)
			}
		}
		if n := testing.AllocsPerRun(3, func() { compose(want, s, v, 1) }); n > 0 && !raceDetector {
			t.Errorf("%s: %v allocations per frame", c[0], n)
		}
	}
}

func parsed(t testing.TB, text string) viewer.View {
	t.Helper()
	v, err := viewer.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A window on the same camera shows the same overlays.
func TestCroppedOverlaysAreTheSame(t *testing.T) {
	s := overlaid(160, 36)
	for _, zoom := range []string{"0.25", "0.5", "1", "2", "8"} {
		view := "errors=on answer=outline truth=outline mask=on at=80,80 zoom=" + zoom
		large, small := picture(t, s, "size=400x400 "+view), picture(t, s, "size=200x120 "+view)
		if !bytes.Equal(crop(large, 100, 140, 200, 120).Pix, small.Pix) {
			t.Errorf("zoom %s: the middle of a large picture is not the small picture", zoom)
		}
	}
}

// lit is the weighted centre of what is not black, and how many pixels that is.
func lit(m *image.RGBA) (y, x float64, n int) {
	sum := 0.0
	for py := range m.Rect.Dy() {
		for px := range m.Rect.Dx() {
			c := m.RGBAAt(px, py)
			if v := float64(c.R) + float64(c.G) + float64(c.B); v > 0 {
				y, x, sum, n = y+v*(float64(py)+0.5), x+v*(float64(px)+0.5), sum+v, n+1
			}
		}
	}
	return y / sum, x / sum, n
}

// black is a scene of which nothing but overlays shows, under a view that shows no frame around it.
func black() *Scene { return &Scene{H: 100, W: 100} }

// Every kind of point lies where the camera says, to a part of a device pixel, at any zoom, and Hit finds it there.
func TestPointsLieWhereTheCameraSays(t *testing.T) {
	rnd := noise(4)
	for _, zoom := range []float64{0.2, 1, 1.37, 6, 40} {
		for _, style := range []Style{Plain, Match, Double, Missed} {
			for range 6 {
				p := Point{ID: 5, Y: 49 + 2*rnd.unit(), X: 49 + 2*rnd.unit(), Class: -1, Style: style}
				truth := style == Missed
				s := black()
				s.Points = []*Points{NewPoints(truth, 0, []Point{p})}
				v := viewer.View{Zoom: zoom, At: viewer.Point{Y: 50, X: 50}, HideImage: true, Errors: style != Plain}
				if style == Plain {
					v.Answer.Style = viewer.Outline
				}
				side := int(math.Min(200, 90*zoom))
				m := image.NewRGBA(image.Rect(0, 0, side, side))
				Compose(m, s, v)
				off := 0.15
				if style == Missed {
					off = 0.5 // dashes are whole pixels
				}
				wy, wx := CameraOf(v, 100, 100, side, side).ToDevice(viewer.Point{Y: p.Y, X: p.X})
				y, x, n := lit(m)
				if n == 0 || math.Abs(y-wy) > off || math.Abs(x-wx) > off {
					t.Errorf("zoom %v style %d: %d pixels around %.2f %.2f, expected %.2f %.2f", zoom, style, n, y, x, wy, wx)
				}
				hit, ok := s.Hit(v, side, side, wy+5, wx-5)
				if !ok || hit.ID != 5 || hit.Truth != truth || hit.Y != p.Y || hit.Style != style || hit.Track {
					t.Errorf("zoom %v style %d: hit %+v %v", zoom, style, hit, ok)
				}
				if _, ok := s.Hit(v, side, side, wy+6, wx-6); ok {
					t.Errorf("zoom %v: hit from 8.5 device pixels away", zoom)
				}
			}
		}
	}
}

// Nothing is drawn beside the image, and what has no place there is not drawn at all.
func TestOverlaysStayOnTheImage(t *testing.T) {
	full := overlaid(160, 36)
	far := []Point{{ID: 1, T: 6, Y: -3, X: 5}, {ID: 2, T: 6, Y: 1e12, X: 4}, {ID: 3, T: 6, Y: math.NaN()}, {ID: 4, T: 6, X: math.Inf(1)}, {ID: 5, T: 6, Y: 160.1, X: 160}}
	lost := []Track{{ID: 1, Steps: []Step{{T: 5, Y: -1e8, X: -1e8}, {T: 6, Y: 1e8, X: 1e8}}}, {ID: 2, Steps: []Step{{T: 5, Y: -20, X: -20}, {T: 6, Y: 20, X: 180}}}}
	full.Points = append(full.Points, NewPoints(false, 1e7, far))
	full.Tracks = append(full.Tracks, NewTracks(false, lost))
	bare := *full
	bare.Points, bare.Tracks, bare.Arrows, bare.Answer, bare.Truth = nil, nil, nil, nil, nil
	for _, view := range []string{"size=300x240 zoom=1 at=80,80", "size=300x240 zoom=3 at=-20,150", "size=90x90 zoom=0.25 at=80,80", "size=80x80 zoom=64 at=0,0"} {
		got := picture(t, full, view+" answer=outline truth=fill errors=on mask=on")
		want := picture(t, &bare, view)
		v := parsed(t, view)
		cam := CameraOf(v, 160, 160, v.Size.X, v.Size.Y)
		for y := range v.Size.Y {
			for x := range v.Size.X {
				iy, ix := cam.Pixel(y, x)
				inside := iy >= 0 && ix >= 0 && iy < 160 && ix < 160
				if !inside && got.RGBAAt(x, y) != want.RGBAAt(x, y) {
					t.Fatalf("%s: pixel %d %d beside the image is drawn", view, y, x)
				}
			}
		}
	}
	if n := full.Points[2].Count(); n != 2 {
		t.Errorf("%d of 5 points have a place, expected 2", n)
	}
	for _, at := range []float64{0, 40, 158} {
		if hit, ok := (&Scene{H: 160, W: 160, T: 6, Points: full.Points[2:]}).Hit(parsed(t, "answer=outline"), 160, 160, at, at); ok {
			t.Errorf("hit %+v, which is not drawn", hit)
		}
	}
}

// Frames, slices and the two sides choose what is shown; Hit and the picture agree.
func TestWhatIsShown(t *testing.T) {
	at := func(id int64, t int, z float64) Point { return Point{ID: id, T: t, Z: z, Y: 50, X: 50, Class: -1} }
	style := func(p Point, s Style) Point { p.Style = s; return p }
	cases := []struct {
		name  string
		p     Point
		truth bool
		view  string
		shown bool
	}{
		{"its frame", at(1, 4, 0), false, "answer=outline", true},
		{"another frame", at(1, 5, 0), false, "answer=outline", false},
		{"all frames", at(1, 5, 0), false, "answer=outline project=max:t", true},
		{"frames 3 to 5", at(1, 5, 0), false, "answer=outline project=max:t:3", true},
		{"frames 3 to 5", at(1, 6, 0), false, "answer=outline project=max:t:3", false},
		{"hidden", at(1, 4, 0), false, "truth=outline", false},
		{"truth", at(1, 4, 0), true, "truth=fill", true},
		{"no verdict", at(1, 4, 0), false, "errors=on", false},
		{"verdict", style(at(1, 4, 0), Extra), false, "errors=on", true},
		{"truth of a match", style(at(1, 4, 0), Match), true, "errors=on", false},
		{"truth of a wrong class", style(at(1, 4, 0), WeakLink), true, "errors=on", true},
		{"focus of nothing else", at(1, 4, 0), false, "focus=a1", false},
		{"only itself", at(1, 4, 0), false, "answer=outline only=on focus=a1", true},
		{"only another", at(1, 4, 0), false, "answer=outline only=on focus=a2", false},
		{"only the other side", at(1, 4, 0), false, "answer=outline only=on focus=t1", false},
		{"only, without focus", at(1, 4, 0), false, "answer=outline only=on", true},
		{"slice", at(1, 4, 10.2), false, "answer=outline", true},
		{"three slices on", at(1, 4, 13.9), false, "answer=outline", true},
		{"four slices on", at(1, 4, 14.1), false, "answer=outline", false},
		{"slab", at(1, 4, 14.1), false, "answer=outline project=max:z:9", true},
		{"off the slab", at(1, 4, 15.1), false, "answer=outline project=max:z:9", false},
	}
	for _, c := range cases {
		s := black()
		s.T, s.Z = 4, 10
		if c.p.Z > 0 {
			s.Depth = 30
		}
		s.Points = []*Points{NewPoints(c.truth, 0, []Point{c.p})}
		v := parsed(t, "size=100x100 pixels=off "+c.view)
		if _, ok := s.Hit(v, 100, 100, 50, 50); ok != c.shown {
			t.Errorf("%s (%s): hit %v, expected %v", c.name, c.view, ok, c.shown)
		}
		v.Focus = viewer.Focus{} // whose ring is drawn in any case
		if v.Only {
			continue
		}
		m := image.NewRGBA(image.Rectangle{Max: v.Size})
		Compose(m, s, v)
		if _, _, n := lit(m); (n > 0) != c.shown {
			t.Errorf("%s (%s): %d pixels drawn, expected shown %v", c.name, c.view, n, c.shown)
		}
	}
}

// The focused point has a ring in its frame, whatever else is shown, and none in others.
func TestFocusOfPointsAndTracks(t *testing.T) {
	s := black()
	s.T = 2
	s.Points = []*Points{NewPoints(false, 0, []Point{{ID: 1, T: 2, Y: 30, X: 30}}), NewPoints(true, 0, []Point{{ID: 1, T: 2, Y: 30, X: 30}})}
	s.Tracks = []*Tracks{NewTracks(false, []Track{{ID: 7, Steps: []Step{{T: 2, Y: 70, X: 70}}}})}
	rings := func(focus string) (white, cyan int) {
		m := picture(t, s, "size=200x200 pixels=off focus="+focus)
		for i := 0; i < len(m.Pix); i += 4 {
			c := pack(m.Pix[i], m.Pix[i+1], m.Pix[i+2])
			white += count01(c == focusAnswerColour)
			cyan += count01(c == focusTruthColour)
		}
		return white, cyan
	}
	if w, c := rings("a1,t1"); w < 10 || c < 10 {
		t.Errorf("%d white and %d cyan pixels around the points", w, c)
	}
	if w, _ := rings("a7"); w < 10 {
		t.Errorf("%d white pixels around the track", w)
	}
	s.T = 3
	if w, c := rings("a1,t1"); w+c > 0 {
		t.Errorf("%d pixels drawn in a frame without the point", w+c)
	}
}
