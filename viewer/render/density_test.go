package render

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coverslip/datasets/raster"
	"coverslip/viewer"
)

// reduced is a picture with the mean of every n x n pixels as one.
func reduced(m *image.RGBA, n int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, m.Rect.Dx()/n, m.Rect.Dy()/n))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			for c := range 4 {
				sum := 0
				for dy := range n {
					for dx := range n {
						sum += int(m.Pix[m.PixOffset(n*x+dx, n*y+dy)+c])
					}
				}
				out.Pix[out.PixOffset(x, y)+c] = uint8((2*sum + n*n) / (2 * n * n))
			}
		}
	}
	return out
}

// distance is the mean difference of the samples of two pictures of one size.
func distance(a, b *image.RGBA) float64 {
	sum := 0
	for i := range a.Pix {
		sum += max(int(a.Pix[i]), int(b.Pix[i])) - min(int(a.Pix[i]), int(b.Pix[i]))
	}
	return float64(sum) / float64(len(a.Pix)) * 4 / 3 // the fourth is opacity
}

// finer composes a view n times finer.
func finer(t testing.TB, s *Scene, v viewer.View, n int) *image.RGBA {
	t.Helper()
	v, ok := v.Finer(n)
	if !ok {
		t.Fatalf("no picture %d times finer", n)
	}
	dst := image.NewRGBA(image.Rectangle{Max: v.Size})
	Compose(dst, s, v)
	return dst
}

// referenceViews are the views of all reference pictures with their scenes.
func referenceViews(t testing.TB) map[string]*Scene {
	t.Helper()
	all, overlays := map[string]*Scene{}, overlayScenes()
	lines := func(file string) []string {
		text, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
	tissue := newTissue(160, 36).scene()
	for _, line := range lines("golden.txt") {
		_, text, _ := strings.Cut(line, " ")
		all[text] = tissue
	}
	for _, c := range overlayViews(t) {
		all[c[2]] = overlays[c[1]]
	}
	for _, line := range lines("panes.txt") {
		f := strings.SplitN(line, " ", 3)
		v, err := viewer.Parse(f[2])
		if err != nil {
			t.Fatal(err)
		}
		all[f[2]] = sceneNamed(f[1], v)
	}
	return all
}

// N times the size, the zoom and the density give the same picture N times finer: lines, shapes, patterns and texts are at the same places
// and as wide. What is left is that edges of objects are known to a part of a pixel: where the zoom is a whole number they are the
// same. The image itself is left out: enlarged by a fraction it is not the same picture.
func TestFinerPicturesAreTheSame(t *testing.T) {
	for text, s := range referenceViews(t) {
		v, err := viewer.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		v.HideImage = true
		one := image.NewRGBA(image.Rectangle{Max: v.Size})
		Compose(one, s, v)
		for _, n := range []int{2, 3} {
			got := reduced(finer(t, s, v, n), n)
			whole := isWhole(s, v)
			limit := 6.0
			if whole {
				limit = 2
			}
			if d := distance(one, got); d > limit {
				t.Errorf("%s, %d times finer: the mean difference is %.2f of 255, at most %.0f expected", text, n, d, limit)
			}
			most := 4.5 // on grey
			if whole {
				most = 1.5
			} else if s.Answer == nil && s.Truth == nil {
				most = 1.2
			}
			if v.Layout == viewer.One {
				if d := onGrey(t, s, v, n); d > most {
					t.Errorf("%s, %d times finer: on grey the mean difference is %.2f of 255, at most %.1f expected", text, n, d, most)
				}
			}
			if whole {
				checkSamePlaces(t, fmt.Sprintf("%s, %d times finer", text, n), one, got)
			}
		}
	}
}

// onGrey is the distance of a picture to the one n times finer over an image without any structure, which shows dark seams too.
func onGrey(t testing.TB, s *Scene, v viewer.View, n int) float64 {
	t.Helper()
	flat := *s
	grey := bytes.Repeat([]byte{200}, s.H*s.W)
	flat.Channels = []Channel{PrepareChannel(raster.Plane{H: s.H, W: s.W, Type: raster.Uint8, Values: grey})}
	v.HideImage, v.Tones = false, []viewer.Tone{{Lo: 0, Hi: 255}}
	one := image.NewRGBA(image.Rectangle{Max: v.Size})
	Compose(one, &flat, v)
	return distance(one, reduced(finer(t, &flat, v, n), n))
}

// isWhole tells whether image pixels begin at device pixels.
func isWhole(s *Scene, v viewer.View) bool {
	cam := CameraOf(v, s.H, s.W, v.Size.X, v.Size.Y)
	y, x := cam.OY*cam.Scale, cam.OX*cam.Scale
	return v.Layout == viewer.One && cam.Scale >= 1 && cam.Scale == math.Trunc(cam.Scale) && y == math.Trunc(y) && x == math.Trunc(x)
}

// checkSamePlaces wants the bright pixels of one picture to have one in the other at most a pixel away. Dashes may begin elsewhere
// where a border turns.
func checkSamePlaces(t *testing.T, what string, a, b *image.RGBA) {
	t.Helper()
	light := func(m *image.RGBA, x, y int) int {
		c := m.RGBAAt(x, y)
		return int(max(c.R, c.G, c.B))
	}
	w, h, bright, lonely := a.Rect.Dx(), a.Rect.Dy(), 0, 0
	for _, pair := range [2][2]*image.RGBA{{a, b}, {b, a}} {
		for y := 2; y < h-2; y++ {
			for x := 2; x < w-2; x++ {
				if light(pair[0], x, y) < 160 {
					continue
				}
				best := 0
				for dy := -1; dy <= 1; dy++ {
					for dx := -1; dx <= 1; dx++ {
						best = max(best, light(pair[1], x+dx, y+dy))
					}
				}
				bright++
				lonely += count01(best < 80)
			}
		}
	}
	if 100*lonely > bright {
		t.Errorf("%s: %d of %d pixels are drawn in one picture only", what, lonely, bright)
	}
}

// The lines of fine pictures are those found by looking at every pixel around.
func TestFineLinesAgreeWithLookingAtEveryPixel(t *testing.T) {
	for seed, c := range []struct {
		zoom    float64
		density int
	}{{2, 2}, {3, 2}, {7.3, 2}, {1.1, 3}, {0.7, 3}, {9, 3}} {
		l := PrepareLabels(speckle(60, 70, uint64(seed)), nil)
		for _, style := range []Style{Plain, Match, Double} {
			styles := map[int64]Style{}
			for _, id := range l.IDs[1:] {
				styles[id] = style
			}
			s := &Scene{H: 60, W: 60, Answer: l.SetStyles(styles)}
			v := viewer.View{Size: image.Pt(90, 70), Zoom: c.zoom, At: viewer.Point{Y: 28, X: 5}, Density: c.density, HideImage: true, Errors: style != Plain}
			if style == Plain {
				v.Answer.Style = viewer.Outline
			}
			got := image.NewRGBA(image.Rectangle{Max: v.Size})
			Compose(got, s, v)
			checkEveryPixel(t, got, s, v, style)
		}
	}
}

func checkEveryPixel(t *testing.T, got *image.RGBA, s *Scene, v viewer.View, style Style) {
	t.Helper()
	w, h, l := v.Size.X, v.Size.Y, s.Answer
	f := new(frame)
	f.setup(make([]uint8, 4*w*h), &Scene{H: s.H, W: s.W}, v, CameraOf(v, s.H, s.W, w, h), w, h)
	ln := plainLine(f.pen.Scale, 1)
	if style != Plain {
		ln = styleLine(style, f.pen.Scale, 1)
	}
	ln.ready(v.Density)
	want := make([]uint8, 4)
	for y := range h {
		for x := range w {
			iy, ix := f.cam.Pixel(y, x)
			if iy < 0 || ix < 0 || iy >= l.H || ix >= l.W {
				continue
			}
			put(want, 0, blackColour)
			if id := l.Index[iy*l.W+ix]; id != 0 {
				colour := labelColours[l.colour[id]]
				if style != Plain {
					colour = styleColours[style]
				}
				b := ln.at(nearest(f, l, y, x, ln.far+1), v.Density)
				blend(want, 0, colour, uint32(b.ink), uint32(256-b.ink-b.dark))
			}
			if i := got.PixOffset(x, y); !bytes.Equal(got.Pix[i:i+4], want) {
				t.Fatalf("zoom %v, density %d, style %d: pixel %d %d is %v, expected %v", v.Zoom, v.Density, style, y, x, got.Pix[i:i+4], want)
			}
		}
	}
}

// Fine pictures too are the same for any goroutines and wherever the picture is cut off.
func TestFinePicturesHaveNoSeams(t *testing.T) {
	s := newTissue(160, 36).scene()
	for _, text := range everything {
		v, _ := viewer.Parse(text + " density=3")
		want := image.NewRGBA(image.Rectangle{Max: v.Size})
		compose(want, s, v, 1)
		for _, workers := range []int{2, 7} {
			got := image.NewRGBA(image.Rectangle{Max: v.Size})
			if compose(got, s, v, workers); !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("%s: %d goroutines give other bytes than one", text, workers)
			}
		}
	}
	for _, zoom := range []string{"0.5", "1", "2", "8"} {
		large := picture(t, s, "density=2 size=400x400 errors=on answer=outline truth=outline focus=a9,t9 at=80,80 zoom="+zoom)
		small := picture(t, s, "density=2 size=202x122 errors=on answer=outline truth=outline focus=a9,t9 at=80,80 zoom="+zoom)
		if !bytes.Equal(crop(large, 99, 139, 202, 122).Pix, small.Pix) {
			t.Errorf("zoom %s: the middle of a large picture is not the small picture", zoom)
		}
	}
}

// The scale bar has N times the pixels, to the nearest one, and the same text at the same place.
func TestFineBar(t *testing.T) {
	for _, micrometres := range []float64{0.25, 0.1, 0.275, 1.3, 0.0123} {
		s := &Scene{H: 300, W: 400, Calibration: raster.Calibration{X: micrometres}, Badge: "answer only"}
		v := viewer.View{Size: image.Pt(240, 90), Zoom: 2, At: viewer.Point{Y: 150, X: 200}, Bar: true}
		one := image.NewRGBA(image.Rectangle{Max: v.Size})
		Compose(one, s, v)
		length := barPixels(one, 1)
		for _, n := range []int{2, 3, 8} {
			many := finer(t, s, v, n)
			if got := barPixels(many, n); got < length*n-n/2 || got > length*n+n/2 {
				t.Errorf("%v um: a bar of %d pixels is one of %d at density %d", micrometres, length, got, n)
			}
			if micrometres == 0.25 || micrometres == 0.1 { // the bar is a whole number of pixels
				if d := distance(one, reduced(many, n)); d != 0 {
					t.Errorf("%v um, density %d: bar and texts differ by %.3f", micrometres, n, d)
				}
			}
		}
	}
}

// barPixels is the length of the scale bar.
func barPixels(m *image.RGBA, n int) (length int) {
	y := m.Rect.Dy() - textMargin*n - 2*n
	for x := range m.Rect.Dx() {
		length += count01(m.RGBAAt(x, y).R == 255)
	}
	return length
}

// Panes and what lies under the pointer are at the same places at every density.
func TestFinePanesAndHits(t *testing.T) {
	views := layoutViews()
	s := overlaid(160, 36)
	hits := 0
	for text, scene := range views {
		v, err := viewer.Parse("size=420x300 " + text)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{2, 7} {
			fine, _ := v.Finer(n)
			one, many := Panes(scene, v, v.Size.X, v.Size.Y), Panes(scene, fine, fine.Size.X, fine.Size.Y)
			for i := range one {
				r := one[i].Rect
				if len(many) != len(one) || many[i].Rect != (image.Rectangle{Min: r.Min.Mul(n), Max: r.Max.Mul(n)}) {
					t.Errorf("%s: pane %d at %v is at %v, %d times finer", text, i, r, many[i].Rect, n)
				}
			}
		}
		fine, _ := v.Finer(4)
		for k := range 600 {
			y, x := float64(k/30*15), float64(k%30*14)
			a, okA := s.Hit(v, v.Size.X, v.Size.Y, y, x)
			b, okB := s.Hit(fine, fine.Size.X, fine.Size.Y, 4*y, 4*x)
			if okA != okB || a.ID != b.ID {
				t.Fatalf("%s: at %v %v there is %v, four times finer %v", text, y, x, a, b)
			}
			hits += count01(okA)
		}
	}
	if hits < 100 {
		t.Errorf("only %d hits", hits)
	}
}

// BenchmarkComposeFine is a window on a screen of two device pixels per line pixel, and pictures to be saved.
func BenchmarkComposeFine(b *testing.B) {
	s := newTissue(2048, 45).scene()
	for _, n := range []int{2, 4, 8} {
		b.Run(fmt.Sprintf("density=%d", n), func(b *testing.B) {
			v := judgedView(700, 450)
			v.Size = image.Pt(700, 450)
			v, _ = v.Finer(n)
			dst := image.NewRGBA(image.Rectangle{Max: v.Size})
			for b.Loop() {
				Compose(dst, s, v)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(v.Size.X*v.Size.Y), "ns/pixel")
		})
	}
}

// Hatches, the patterns of the mask, dashes and dots lie at the same places at every density.
func TestFinePatterns(t *testing.T) {
	l, none := PrepareLabels(disc(101, 45), nil), PrepareLabels(raster.Plane{H: 101, W: 101, Type: raster.Uint8, Values: make([]uint8, 101*101)}, nil)
	extra := l.SetStyles(map[int64]Style{1: Extra})
	for name, c := range map[string]struct {
		scene Scene
		view  string
		limit float64 // of the mean difference; diagonal lines have steps at density 1
	}{
		"hatch":          {Scene{Answer: extra}, "errors=on", 3.5},
		"dashes":         {Scene{Truth: l}, "truth=outline", 0.5},
		"dots":           {Scene{Answer: l.SetStyles(map[int64]Style{1: WeakLink})}, "errors=on", 0.3},
		"only in answer": {Scene{Answer: l, Truth: none}, "mask=on", 3.5},
		"only in truth":  {Scene{Answer: none, Truth: l}, "mask=on", 0},
		"hatched point":  {Scene{Points: []*Points{NewPoints(false, 0, []Point{{ID: 1, Y: 50, X: 50, Class: -1, Style: Extra}})}}, "errors=on", 0.06},
		"dashed track": {Scene{Tracks: []*Tracks{NewTracks(true, []Track{{ID: 1, Steps: []Step{{Y: 10, X: 10, T: -1}, {Y: 40, X: 90}}}})}},
			"truth=outline", 0.05},
	} {
		s := c.scene
		s.H, s.W = 101, 101
		v, err := viewer.Parse("pixels=off size=200x200 zoom=2 at=50,50 " + c.view)
		if err != nil {
			t.Fatal(err)
		}
		one := image.NewRGBA(image.Rectangle{Max: v.Size})
		Compose(one, &s, v)
		drawn := distance(one, image.NewRGBA(one.Rect)) // opacity counts a third of 255
		for _, n := range []int{2, 3, 8} {
			d := distance(one, reduced(finer(t, &s, v, n), n))
			if drawn < 85.1 || d > c.limit {
				t.Errorf("%s, density %d: the mean difference is %.2f of the %.2f that are drawn", name, n, d, drawn-85)
			}
		}
	}
}
