package render

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coverslip/datasets/raster"
	"coverslip/viewer"
)

var update = flag.Bool("update", false, "write the golden pictures in testdata anew: go test ./viewer/render -run Golden -update")

// picture composes a view given as text.
func picture(t testing.TB, s *Scene, text string) *image.RGBA {
	t.Helper()
	v, err := viewer.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	dst := image.NewRGBA(image.Rectangle{Max: v.Size})
	Compose(dst, s, v)
	return dst
}

// Each line of testdata/golden.txt is the name of a picture and the view of the test tissue (160 x 160) that it shows.
func TestGoldenPictures(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "golden.txt"))
	if err != nil {
		t.Fatal(err)
	}
	s := newTissue(160, 36).scene()
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		name, view, _ := strings.Cut(line, " ")
		file := filepath.Join("testdata", name+".png")
		got := picture(t, s, view)
		if *update {
			writePNG(t, file, got)
			continue
		}
		want := readPNG(t, file)
		if n := differences(got, want); n != 0 {
			writePNG(t, filepath.Join("testdata", "failed", name+".png"), got)
			t.Errorf("%s: %d pixels differ, see testdata/failed", name, n)
		}
	}
}

func writePNG(t *testing.T, file string, m image.Image) {
	t.Helper()
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	os.MkdirAll(filepath.Dir(file), 0o755)
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readPNG(t *testing.T, file string) image.Image {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// differences counts pixels that are not the same; pictures of different sizes differ everywhere.
func differences(a, b image.Image) int {
	if a.Bounds() != b.Bounds() {
		return a.Bounds().Dx() * a.Bounds().Dy()
	}
	n := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r, g, bl, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			if r != r2 || g != g2 || bl != b2 {
				n++
			}
		}
	}
	return n
}

var everything = []string{
	"size=301x203 answer=outline truth=outline bar=on",
	"size=301x203 errors=on focus=a9,t9 bar=on",
	"size=333x200 zoom=1 at=80.3,70.9 errors=on truth=fill",
	"size=400x300 zoom=7.3 at=31,44.44 answer=fill:0.7 truth=outline focus=a2",
	"size=150x260 zoom=0.21 at=80,80 errors=on focus=t5",
	"size=640x480 zoom=2 at=-20,170 errors=on answer=outline",
}

// The bytes do not depend on the number of goroutines, nor on what was drawn before with the same scratch.
func TestSameBytesForAnyGoroutines(t *testing.T) {
	s := newTissue(160, 36).scene()
	for _, text := range everything {
		v, _ := viewer.Parse(text)
		want := image.NewRGBA(image.Rectangle{Max: v.Size})
		compose(want, s, v, 1)
		for _, workers := range []int{2, 3, 16, 1000} {
			got := image.NewRGBA(image.Rectangle{Max: v.Size})
			compose(got, s, v, workers)
			if !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("%s: %d goroutines give other bytes than one", text, workers)
			}
		}
	}
}

// A window on the same camera shows the same: outlines and patterns do not depend on where the picture is cut off.
func TestCroppedPictureIsTheSame(t *testing.T) {
	s := newTissue(160, 36).scene()
	for _, zoom := range []string{"0.5", "1", "2", "4"} {
		large := picture(t, s, "size=400x400 errors=on answer=outline at=80,80 zoom="+zoom)
		small := picture(t, s, "size=200x120 errors=on answer=outline at=80,80 zoom="+zoom)
		if !bytes.Equal(crop(large, 100, 140, 200, 120).Pix, small.Pix) {
			t.Errorf("zoom %s: the middle of a large picture is not the small picture", zoom)
		}
	}
}

func crop(m *image.RGBA, x, y, w, h int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	for r := range h {
		copy(out.Pix[r*out.Stride:(r+1)*out.Stride], m.Pix[m.PixOffset(x, y+r):])
	}
	return out
}

// Enlarged eight times, every image pixel is a block of 8 x 8 equal device pixels, whatever the centre.
func TestPixelsAreSharpBlocks(t *testing.T) {
	s := newTissue(64, 20).scene()
	for _, at := range []string{"32,32", "31.3,30.77", "32.0625,31.9375"} {
		v, _ := viewer.Parse("size=256x200 zoom=8 at=" + at)
		m := image.NewRGBA(image.Rectangle{Max: v.Size})
		Compose(m, s, v)
		cam := CameraOf(v, s.H, s.W, v.Size.X, v.Size.Y)
		rows, columns := map[int]int{}, map[int]int{}
		for y := range v.Size.Y {
			iy, _ := cam.Pixel(y, 0)
			rows[iy]++
			for x := range v.Size.X {
				_, ix := cam.Pixel(y, x)
				if y == 0 {
					columns[ix]++
				}
				want := s.Channels[0].grey(iy, ix)
				if got := m.RGBAAt(x, y); got.R != want || got.G != want || got.B != want {
					t.Fatalf("at %s: device pixel %d %d shows %v, image pixel %d %d is %d", at, y, x, got, iy, ix, want)
				}
			}
		}
		checkBlocks(t, rows)
		checkBlocks(t, columns)
	}
}

func checkBlocks(t *testing.T, sizes map[int]int) {
	t.Helper()
	short := 0
	for _, n := range sizes {
		if n > 8 {
			t.Fatalf("a block of %d device pixels", n)
		}
		if n < 8 {
			short++
		}
	}
	if short > 2 {
		t.Fatalf("%d blocks are short; only the first and the last may be", short)
	}
}

// grey is the level of a pixel under automatic contrast, by the formula.
func (c Channel) grey(y, x int) uint8 {
	lo, hi := c.Auto()
	part := (c.Plane.At(y, x) - lo) / (hi - lo)
	return uint8(math.Floor(255*math.Max(0, math.Min(1, part)) + 0.5))
}

// At zoom 1 the picture is the image; reduced by a power of two it is the mean of the samples.
func TestReducedPictureIsTheMean(t *testing.T) {
	values := make([]uint8, 64*64)
	for i := range values {
		values[i] = uint8(mix(uint64(i)))
	}
	s := &Scene{H: 64, W: 64, Channels: []Channel{PrepareChannel(raster.Plane{H: 64, W: 64, Type: raster.Uint8, Values: values})}}
	m := picture(t, s, "size=32x32 zoom=0.5 at=32,32 tone0=:0..255")
	for y := range 32 {
		for x := range 32 {
			sum := 0
			for _, i := range []int{0, 1, 64, 65} {
				sum += int(values[2*y*64+2*x+i])
			}
			if got := int(m.RGBAAt(x, y).R); got != (sum+2)/4 {
				t.Fatalf("pixel %d %d is %d, the mean %d/4", y, x, got, sum)
			}
		}
	}
}

// A bright line one pixel wide stays visible at every reduction and wherever the picture is.
func TestThinLinesStay(t *testing.T) {
	values := make([]uint16, 512*512)
	for y := range 512 {
		values[y*512+256] = 60000
	}
	s := &Scene{H: 512, W: 512, Channels: []Channel{PrepareChannel(raster.Plane{H: 512, W: 512, Type: raster.Uint16, Values: values})}}
	for zoom := 0.1; zoom < 1; zoom += 0.0137 {
		for shift := 0.0; shift < 10; shift += 0.7 {
			v := viewer.View{Zoom: zoom, At: viewer.Point{Y: 256, X: 256 + shift}, Tones: []viewer.Tone{{Lo: 0, Hi: 60000}}}
			m := image.NewRGBA(image.Rect(0, 0, 40, 4)) // all of it on the image
			Compose(m, s, v)
			sum := 0.0
			for x := range 40 {
				sum += float64(m.RGBAAt(x, 2).R)
			}
			if want := 255 * zoom; sum < 0.5*want || sum > 2*want {
				t.Errorf("zoom %.4f moved by %.1f: the line has brightness %.0f, about %.0f expected", zoom, shift, sum, want)
			}
		}
	}
}

func TestOutsideAndBorder(t *testing.T) {
	s := &Scene{H: 10, W: 10, Channels: []Channel{PrepareChannel(raster.Plane{H: 10, W: 10, Type: raster.Uint8, Values: make([]uint8, 100)})}}
	m := picture(t, s, "size=40x30 zoom=2 at=5,5")
	for _, c := range []struct {
		y, x int
		want uint32
	}{{0, 0, outsideColour}, {4, 20, borderColour}, {5, 20, blackColour}, {24, 29, blackColour}, {25, 30, borderColour}, {15, 9, borderColour}, {15, 30, borderColour}, {15, 31, outsideColour}} {
		if got := m.RGBAAt(c.x, c.y); pack(got.R, got.G, got.B) != c.want {
			t.Errorf("pixel %d %d is %v, expected %06x", c.y, c.x, got, c.want)
		}
	}
}

// What does not fit together costs itself alone: nothing of it is drawn, the rest is.
func TestOddScenes(t *testing.T) {
	whole := newTissue(64, 20).scene()
	small := newTissue(32, 16).scene()
	scenes := map[string]*Scene{
		"nothing":           {},
		"no channels":       {H: 8, W: 8},
		"unprepared":        {H: 8, W: 8, Channels: make([]Channel, 3)},
		"other size":        {H: 64, W: 64, Channels: small.Channels},
		"small labels":      {H: 64, W: 64, Channels: whole.Channels, Answer: small.Answer, Truth: small.Truth},
		"large labels":      {H: 32, W: 32, Channels: small.Channels, Answer: whole.Answer, Truth: whole.Truth},
		"short values":      {H: 8, W: 8, Channels: []Channel{PrepareChannel(raster.Plane{H: 8, W: 8, Values: make([]uint8, 3)})}},
		"empty labels":      {H: 8, W: 8, Answer: PrepareLabels(raster.Plane{}, nil), Truth: PrepareLabels(raster.Plane{H: 9, W: 9}, nil)},
		"colour, 1 channel": {H: 64, W: 64, RGB: true, Channels: whole.Channels},
		"badge":             {H: 8, W: 8, Badge: strings.Repeat("µ日\xff ", 50), Calibration: raster.Calibration{X: math.NaN()}},
		"tiny calibration":  {H: 8, W: 8, Calibration: raster.Calibration{X: 1e-300}},
		"huge calibration":  {H: 8, W: 8, Calibration: raster.Calibration{X: 1e300}},
	}
	for name, s := range scenes {
		for _, text := range append(everything, "size=1x1", "size=3x900 bar=on errors=on answer=outline", "size=50x50 single=on channel=9") {
			v, err := viewer.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			m := image.NewRGBA(image.Rectangle{Max: v.Size})
			Compose(m, s, v)
			for i := 3; i < len(m.Pix); i += 4 {
				if m.Pix[i] != 255 {
					t.Fatalf("%s, %s: pixel %d is not opaque", name, text, i/4)
				}
			}
		}
	}
	Compose(image.NewRGBA(image.Rectangle{}), whole, viewer.View{})
	Compose(image.NewRGBA(image.Rect(0, 0, 9, 9)), whole, viewer.View{Zoom: math.NaN(), At: viewer.Point{Y: math.Inf(1)}, Tones: []viewer.Tone{{LUT: "#", Lo: math.NaN(), Gamma: math.NaN()}}})
}

// raceDetector is set where the race detector, which allocates itself, is on.
var raceDetector bool

func TestComposeAllocatesNothing(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	s := newTissue(160, 36).scene()
	for _, text := range everything {
		v, _ := viewer.Parse(text)
		m := image.NewRGBA(image.Rectangle{Max: v.Size})
		for range 5 {
			Compose(m, s, v)
		}
		if n := testing.AllocsPerRun(20, func() { Compose(m, s, v) }); n > 0 {
			t.Errorf("%s: %v allocations per frame", text, n)
		}
	}
}
