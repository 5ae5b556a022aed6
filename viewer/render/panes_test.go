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

// layeredStack is a stack of nuclei that drift from slice to slice: its slices, the labels of each, and a scene of slice z
// with its sections at the view's cross. Slices lie 2.5 pixels apart.
type layeredStack struct {
	slices, labels []raster.Plane
}

func newLayeredStack(side, depth int) *layeredStack {
	t := newTissue(side, 36)
	st := new(layeredStack)
	for z := range depth {
		pixels, labels := make([]uint16, side*side), make([]uint16, side*side)
		for i := range pixels {
			from := (i + 3*z + side*2*z) % len(pixels)
			pixels[i], labels[i] = t.pixels[from]+uint16(20*z), t.labels[from]
		}
		st.slices = append(st.slices, raster.Plane{H: side, W: side, Type: raster.Uint16, Values: pixels})
		st.labels = append(st.labels, raster.Plane{H: side, W: side, Type: raster.Uint16, Values: labels})
	}
	return st
}

func (st *layeredStack) scene(z int, cross viewer.Point) *Scene {
	p := st.slices[z]
	s := &Scene{H: p.H, W: p.W, Channels: []Channel{PrepareChannel(p)}, Calibration: raster.Calibration{X: 0.4, Y: 0.4, Z: 1}}
	s.Truth = PrepareLabels(st.labels[z], nil)
	at := CrossOf(s, viewer.View{Cross: cross})
	image, labels := NewSections(int(at.Y), int(at.X), len(st.slices)), NewSections(int(at.Y), int(at.X), len(st.slices))
	for z := range st.slices {
		image.Add(z, st.slices[z])
		labels.Add(z, st.labels[z])
	}
	section := func(p, l raster.Plane) *Scene {
		return &Scene{H: p.H, W: p.W, Channels: []Channel{PrepareChannel(p)}, Truth: PrepareLabels(l, nil), Calibration: s.Calibration}
	}
	s.XZ, s.YZ = section(image.XZ(), labels.XZ()), section(image.YZ(), labels.YZ())
	return s
}

// twoRuns is a scene with another run's answer beside it.
func twoRuns() *Scene {
	t := newTissue(160, 36)
	s := t.scene()
	other := *s
	other.Answer, other.Title = s.Truth.SetStyles(map[int64]Style{3: Extra, 4: Match}), "agent B"
	s.Other, s.Title = &other, "agent A"
	return s
}

// threeChannels is a scene of three channels, two of which have names.
func threeChannels() *Scene {
	t := newTissue(160, 36)
	s := t.scene()
	bright := make([]uint8, 160*160)
	for i, v := range t.pixels {
		bright[i] = uint8(v / 16)
	}
	second := PrepareChannel(raster.Plane{H: 160, W: 160, Type: raster.Uint8, Values: bright})
	second.Name = "GFP"
	s.Channels[0].Name = "DAPI"
	s.Channels = append(s.Channels, second, PrepareChannel(t.truth()))
	return s
}

// sceneNamed is what the pictures in testdata/panes.txt are of.
func sceneNamed(name string, v viewer.View) *Scene {
	switch name {
	case "stack":
		return newLayeredStack(96, 24).scene(v.Z, v.Cross)
	case "runs":
		return twoRuns()
	case "channels":
		return threeChannels()
	}
	return newTissue(160, 36).scene()
}

// Each line of testdata/panes.txt is the name of a picture, its scene and its view.
func TestGoldenPanes(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "panes.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		fields := strings.SplitN(line, " ", 3)
		v, err := viewer.Parse(fields[2])
		if err != nil {
			t.Fatal(err)
		}
		got := picture(t, sceneNamed(fields[1], v), fields[2])
		file := filepath.Join("testdata", fields[0]+".png")
		if *update {
			writePNG(t, file, got)
			continue
		}
		if n := differences(got, readPNG(t, file)); n != 0 {
			writePNG(t, filepath.Join("testdata", "failed", fields[0]+".png"), got)
			t.Errorf("%s: %d pixels differ, see testdata/failed", fields[0], n)
		}
	}
}

// layoutViews are views of all layouts with the scenes that they need.
func layoutViews() map[string]*Scene {
	stack := newLayeredStack(96, 24)
	plain := newTissue(160, 36).scene()
	return map[string]*Scene{
		"layout=side errors=on truth=outline bar=on":                                    plain,
		"layout=side errors=on zoom=3.1 at=20,150 answer=fill":                          twoRuns(),
		"layout=curtain errors=on truth=fill bar=on split=0.31":                         plain,
		"layout=curtain zoom=0.4 at=3,3 answer=outline":                                 twoRuns(),
		"layout=ortho z=7 truth=outline cross=30,70 bar=on":                             stack.scene(7, viewer.Point{Y: 30, X: 70}),
		"layout=ortho z=23 truth=fill zoom=6.7 at=44,12":                                stack.scene(23, viewer.Point{}),
		"layout=ortho zoom=0.3 at=50,50":                                                stack.scene(0, viewer.Point{}),
		"layout=channels bar=on answer=outline off=1 tone2=red":                         threeChannels(),
		"layout=channels zoom=1.7 at=80.2,31":                                           threeChannels(),
		"layout=ortho z=2":                                                              plain, // without sections: one pane
		"layout=channels":                                                               plain, // with one channel: one pane
		"layout=side zoom=20 at=2000,2000 errors=on focus=a3,t3 answer=fill radius=off": plain,
	}
}

func TestPanesLieInThePictureAndApart(t *testing.T) {
	for text, s := range layoutViews() {
		v, err := viewer.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []image.Point{{1400, 900}, {333, 201}, {120, 700}, {97, 96}, {40, 30}, {1, 1}} {
			whole := image.Rectangle{Max: size}
			panes := Panes(s, v, size.X, size.Y)
			for i, p := range panes {
				if p.Rect.Empty() || !p.Rect.In(whole) || p.View.Layout != viewer.One || p.Scene == nil {
					t.Fatalf("%s at %v: pane %d is %v of layout %v", text, size, i, p.Rect, p.View.Layout)
				}
				for _, q := range panes[:i] {
					if p.Rect.Overlaps(q.Rect) {
						t.Fatalf("%s at %v: panes %v and %v overlap", text, size, p.Rect, q.Rect)
					}
				}
			}
			if min(size.X, size.Y) < 2*leastPane && len(panes) != 1 {
				t.Errorf("%s at %v: %d panes in so small a picture", text, size, len(panes))
			}
		}
	}
}

func TestPanesAreTheSameForAnyGoroutines(t *testing.T) {
	for text, s := range layoutViews() {
		v, _ := viewer.Parse(text)
		want := image.NewRGBA(image.Rect(0, 0, 413, 306))
		compose(want, s, v, 1)
		for _, workers := range []int{2, 5, 64} {
			got := image.NewRGBA(want.Rect)
			for i := range got.Pix {
				got.Pix[i] = 0x5a // every pixel is drawn
			}
			compose(got, s, v, workers)
			if !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("%s: %d goroutines give other bytes than one", text, workers)
			}
		}
	}
}

// Left of the curtain lies the picture of the answer alone, right of it that of the truth alone, at the same place.
func TestCurtainHangsBeforeOnePicture(t *testing.T) {
	s := newTissue(160, 36).scene()
	const w, h = 400, 300
	text := fmt.Sprintf("size=%dx%d zoom=2.3 at=77,81 errors=on truth=fill answer=outline", w, h)
	got := picture(t, s, text+" layout=curtain split=0.6")
	left := picture(t, s.answerSide(), strings.Replace(text, "truth=fill", "", 1))
	right := picture(t, s.truthSide(), strings.Replace(text, "answer=outline", "", 1))
	for _, c := range []struct {
		name     string
		want     *image.RGBA
		from, to int
	}{{"answer", left, 0, 234}, {"truth", right, 246, w}} {
		for y := 40; y < h; y++ { // below the titles
			a, b := got.PixOffset(c.from, y), got.PixOffset(c.to-1, y)+4
			if !bytes.Equal(got.Pix[a:b], c.want.Pix[a:b]) {
				t.Fatalf("row %d is not that of the %s alone", y, c.name)
			}
		}
	}
}

func TestSideBySideIsTwoPictures(t *testing.T) {
	s := twoRuns()
	got := picture(t, s, "size=402x300 layout=side errors=on answer=outline")
	for i, c := range []struct {
		scene *Scene
		x     int
	}{{s, 0}, {s.Other, 202}} {
		alone := *c.scene
		alone.Other = nil
		want := picture(t, &alone, "size=200x300 errors=on answer=outline")
		for y := 40; y < 300; y++ {
			a, b := got.PixOffset(c.x, y), want.PixOffset(0, y)
			if !bytes.Equal(got.Pix[a:a+800], want.Pix[b:b+800]) {
				t.Fatalf("row %d of pane %d is not the run's own picture", y, i)
			}
		}
	}
}

// At the cross-hair all three panes show one voxel, and along it they share a row and a column.
func TestSectionsMeetInOneVoxel(t *testing.T) {
	st := newLayeredStack(96, 24)
	rnd := noise(3)
	for range 50 {
		z := int(rnd.next() % 24)
		cross := viewer.Point{Y: math.Floor(rnd.unit()*96) + 0.5, X: math.Floor(rnd.unit()*96) + 0.5}
		s := st.scene(z, cross)
		y, x := int(cross.Y), int(cross.X)
		for k := range 96 {
			if a, b := s.Channels[0].Plane.At(y, k), s.XZ.Channels[0].Plane.At(z, k); a != b {
				t.Fatalf("y %d x %d z %d is %v in XY and %v in XZ", y, k, z, a, b)
			}
			if a, b := s.Channels[0].Plane.At(k, x), s.YZ.Channels[0].Plane.At(k, z); a != b {
				t.Fatalf("y %d x %d z %d is %v in XY and %v in YZ", k, x, z, a, b)
			}
			a, _ := s.Truth.At(k, x)
			if b, _ := s.YZ.Truth.At(k, z); a != b {
				t.Fatalf("y %d x %d z %d is object %v in XY and %v in YZ", k, x, z, a, b)
			}
		}
		for k := range 24 {
			if a, b := s.XZ.Channels[0].Plane.At(k, x), s.YZ.Channels[0].Plane.At(y, k); a != b {
				t.Fatalf("z %d is %v in XZ and %v in YZ", k, a, b)
			}
		}
	}
}

// Sections of every element type, with slices missing, of another size, out of range.
func TestSectionsOfEveryType(t *testing.T) {
	for _, typ := range elementTypes {
		cut := NewSections(2, 1, 4)
		for z := range 4 {
			p := planeOf(typ, 3, 5, func(i int) float64 { return float64((i*7 + z*3) % 100) })
			if z == 2 {
				continue
			}
			if !cut.Add(z, p) {
				t.Fatalf("%v: slice %d was not taken", typ, z)
			}
		}
		if cut.Add(4, planeOf(typ, 3, 5, func(int) float64 { return 0 })) || cut.Add(2, planeOf(typ, 3, 4, func(int) float64 { return 0 })) || cut.Add(2, raster.Plane{}) {
			t.Errorf("%v: a slice that does not belong was taken", typ)
		}
		xz, yz := cut.XZ(), cut.YZ()
		for z := range 4 {
			for k := range 5 {
				want := float64(((2*5+k)*7 + z*3) % 100)
				if z == 2 {
					want = 0
				}
				if got := xz.At(z, k); got != want && typ != raster.Bool {
					t.Errorf("%v: XZ at z %d x %d is %v, want %v", typ, z, k, got, want)
				}
			}
		}
		if xz.Type != typ || yz.H != 3 || yz.W != 4 || yz.At(2, 3) != xz.At(3, 1) {
			t.Errorf("%v: YZ is %d x %d, of type %v", typ, yz.H, yz.W, xz.Type)
		}
	}
}

// What is drawn at a device point is what Locate says lies there.
func TestLocateFindsWhatIsDrawn(t *testing.T) {
	for text, s := range layoutViews() {
		v, _ := viewer.Parse(text)
		w, h := 413, 306
		panes := Panes(s, v, w, h)
		rnd := noise(11)
		for range 200 {
			py, px := int(rnd.next()%uint64(h)), int(rnd.next()%uint64(w))
			at, ok := Locate(s, v, w, h, float64(py)+0.5, float64(px)+0.5)
			inside := false
			for _, p := range panes {
				inside = inside || image.Pt(px, py).In(p.Rect)
			}
			if ok != inside {
				t.Fatalf("%s: a place at y %d x %d: %v, a pane there: %v", text, py, px, ok, inside)
			}
			if !ok {
				continue
			}
			p := panes[at.Pane]
			y, x := p.Camera.Pixel(py-p.Rect.Min.Y, px-p.Rect.Min.X)
			if int(math.Floor(at.Local.Y)) != y || int(math.Floor(at.Local.X)) != x {
				t.Fatalf("%s: pixel y %d x %d is drawn where Locate says %v", text, y, x, at.Local)
			}
			cross := CrossOf(s, v)
			want := map[Plane]Place{XY: {Z: v.Z, Point: at.Local}, XZ: {Z: y, Point: viewer.Point{Y: cross.Y, X: at.Local.X}},
				YZ: {Z: x, Point: viewer.Point{Y: at.Local.Y, X: cross.X}}}[p.Plane]
			if at.Z != want.Z || at.Point != want.Point || at.Plane != p.Plane {
				t.Fatalf("%s: %+v, want z %d and %v", text, at, want.Z, want.Point)
			}
		}
	}
}

// A slice of a section is as many pixels deep as it is far from the next one.
func TestSectionsHaveTheVoxelsAspect(t *testing.T) {
	s := newLayeredStack(96, 24).scene(5, viewer.Point{})
	for _, c := range []struct {
		z, pixel, want float64
	}{{1, 0.4, 2.5}, {0, 0.4, 1}, {1, 0, 1}, {0.2, 0.4, 0.5}, {1e9, 1, maxAspect}, {math.NaN(), 1, 1}} {
		s.Calibration = raster.Calibration{X: c.pixel, Y: c.pixel, Z: c.z}
		v := viewer.View{Layout: viewer.Ortho, Zoom: 2, At: viewer.Point{Y: 48, X: 48}, Z: 5}
		panes := Panes(s, v, 600, 500)
		y0, _ := panes[2].Camera.ToDevice(viewer.Point{Y: 5})
		y1, _ := panes[2].Camera.ToDevice(viewer.Point{Y: 6})
		if math.Abs(y1-y0-2*c.want) > 1e-9 {
			t.Errorf("step %v at pixel %v: a slice is %v device pixels high, want %v", c.z, c.pixel, y1-y0, 2*c.want)
		}
		if y0 < 0 || y1 > float64(panes[2].Rect.Dy()) && c.want < maxAspect {
			t.Errorf("step %v: slice 5 is at %v, outside of its pane", c.z, y0)
		}
		if panes[2].Camera.OX != panes[0].Camera.OX || panes[1].Camera.OY != panes[0].Camera.OY {
			t.Error("the panes do not lie in line")
		}
	}
}

func TestPairsOfFieldsShareTheirContrast(t *testing.T) {
	ramp := func(lo, hi float64) *Scene {
		p := planeOf(raster.Float32, 20, 20, func(i int) float64 { return lo + (hi-lo)*float64(i)/399 })
		return &Scene{H: 20, W: 20, Channels: []Channel{PrepareChannel(p)}}
	}
	s := ramp(0, 10)
	s.Other = ramp(-30, 5)
	for _, layout := range []viewer.Layout{viewer.Side, viewer.Curtain} {
		panes := Panes(s, viewer.View{Layout: layout}, 300, 200)
		a, b := panes[0].View.Tone(0), panes[1].View.Tone(0)
		if a != b || !(a.Lo < -29 && a.Hi > 9) {
			t.Errorf("%v: contrast %v and %v, want one from -30 to 10", layout, a, b)
		}
	}
	manual := viewer.Tone{Lo: 1, Hi: 2}
	panes := Panes(s, viewer.View{Layout: viewer.Side}.WithTone(0, manual), 300, 200)
	if panes[0].View.Tone(0) != manual || panes[1].View.Tone(0) != manual {
		t.Error("limits that the user set were changed")
	}
}

func TestHandleOfTheCurtain(t *testing.T) {
	s := newTissue(160, 36).scene()
	v := viewer.View{Layout: viewer.Curtain, Split: 0.25}
	for x, want := range map[float64]bool{100: true, 106: true, 94: true, 107: false, 93: false, 200: false} {
		if OnHandle(s, v, 400, 300, x) != want {
			t.Errorf("column %v: on the handle is %v", x, !want)
		}
	}
	v.Layout = viewer.Side
	if OnHandle(s, v, 400, 300, 100) || OnHandle(nil, v, 400, 300, 100) {
		t.Error("a handle without a curtain")
	}
}

// BenchmarkOrtho moves the cross-hair: cutting both sections of image and labels out of 128 slices of 512 x 512 in memory,
// preparing them and drawing all three panes. The promise is 15 ms at 1400 x 900.
func BenchmarkOrtho(b *testing.B) {
	st := newLayeredStack(512, 128)
	s := st.scene(60, viewer.Point{Y: 200, X: 200})
	v := viewer.View{Layout: viewer.Ortho, Z: 60, Errors: true, Bar: true, Truth: viewer.LabelLayer{Style: viewer.Outline}}
	b.Run("compose", func(b *testing.B) { benchCompose(b, s, v, 1400, 900, 0) })
	b.Run("cut", func(b *testing.B) {
		for turn := 0; b.Loop(); turn++ {
			cut := NewSections(turn*37%512, turn*91%512, 128)
			for z, p := range st.slices {
				cut.Add(z, p)
			}
			PrepareChannel(cut.XZ())
			PrepareChannel(cut.YZ())
		}
		b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms/cut")
	})
}
