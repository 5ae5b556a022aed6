package viewer

import (
	"errors"
	"image"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coverslip/datasets/fault"
)

// Each line of testdata/views.txt is a text, "=>", and its canonical form, or "refused" and words that the message has.
func TestVectors(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "views.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for n, line := range strings.Split(string(data), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		text, want, ok := strings.Cut(line, "=>")
		if !ok {
			t.Fatalf("line %d has no =>", n+1)
		}
		want = strings.TrimSpace(want)
		v, err := Parse(text)
		if words, refused := strings.CutPrefix(want, "refused "); refused {
			if err == nil || !strings.Contains(err.Error(), words) || !errors.Is(err, fault.Malformed) {
				t.Errorf("line %d: %q gave %v, %v; expected a refusal with %q", n+1, text, v, err, words)
			}
			continue
		}
		if err != nil || v.String() != want {
			t.Errorf("line %d: %q gave %q, %v; expected %q", n+1, text, v.String(), err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	data, _ := os.ReadFile(filepath.Join("testdata", "views.txt"))
	for _, line := range strings.Split(string(data), "\n") {
		text, _, _ := strings.Cut(line, "=>")
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := Parse(text)
		if err != nil {
			return
		}
		checkCanonical(t, v)
	})
}

// checkCanonical holds the laws of canonical Views: Normal leaves them alone and the text form gives them back.
func checkCanonical(t *testing.T, v View) {
	t.Helper()
	if n := v.Normal(); !n.Equal(v) {
		t.Fatalf("%+v is not canonical: %+v", v, n)
	}
	back, err := Parse(v.String())
	if err != nil || !back.Equal(v) {
		t.Fatalf("%q gave %+v, %v; expected %+v", v.String(), back, err, v)
	}
}

func TestRoundTripOfRandomViews(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		v := randomView(rnd)
		checkCanonical(t, v.Normal())
		if v.String() != v.Normal().String() {
			t.Fatalf("%+v: the text is not that of the canonical View", v)
		}
	}
}

// oddNumbers are values that like to break text forms.
var oddNumbers = []float64{0, math.Copysign(0, -1), 1, -1, 0.4, 1e-320, 1e300, -1e300, math.NaN(), math.Inf(1), math.Inf(-1), 0.1 + 0.2, 65535, 1.0 / 3}

func randomNumber(rnd *rand.Rand) float64 {
	if rnd.IntN(3) == 0 {
		return oddNumbers[rnd.IntN(len(oddNumbers))]
	}
	return math.Ldexp(rnd.NormFloat64(), rnd.IntN(24)-6)
}

func randomView(rnd *rand.Rand) View {
	names := []string{"", "kidney_01", "two words", "100%", "Zellkerne µ/é.tif", "\xff\x00\n", "a=b 'c' \"d\"", "%41", "\u00a0"}
	v := View{Image: names[rnd.IntN(len(names))], T: rnd.IntN(50) - 5, Z: rnd.IntN(50) - 5, Channel: rnd.IntN(6) - 1,
		Size: image.Pt(rnd.IntN(40000)-100, rnd.IntN(40000)-100), Density: rnd.IntN(12) - 1, Zoom: randomNumber(rnd),
		At: Point{randomNumber(rnd), randomNumber(rnd)}, Single: rnd.IntN(2) == 0, Errors: rnd.IntN(2) == 0,
		HideImage: rnd.IntN(2) == 0, Bar: rnd.IntN(2) == 0,
		Answer: LabelLayer{LabelStyle(rnd.IntN(4)), randomNumber(rnd)}, Truth: LabelLayer{LabelStyle(rnd.IntN(4)), randomNumber(rnd)},
		Focus: Focus{int64(rnd.Uint64()) * int64(rnd.IntN(2)), int64(rnd.Uint64()) * int64(rnd.IntN(2))}}
	v.Mask, v.HideRadius, v.Only, v.Tiles = rnd.IntN(2) == 0, rnd.IntN(2) == 0, rnd.IntN(2) == 0, rnd.IntN(2) == 0
	v.Colour, v.Tail, v.Arrows = Colour(rnd.IntN(9)), rnd.IntN(40)-4, rnd.IntN(300)-10
	v.Layout, v.Split, v.Cross = Layout(rnd.IntN(7)), randomNumber(rnd), Point{randomNumber(rnd), randomNumber(rnd)}
	v.Other, v.Chart = names[rnd.IntN(len(names))], names[rnd.IntN(len(names))]
	v.Line = Segment{Point{randomNumber(rnd), randomNumber(rnd)}, Point{randomNumber(rnd), randomNumber(rnd)}}
	v.Project = Projection{ProjectionKind(rnd.IntN(7)), rnd.IntN(2) == 0, rnd.IntN(20) - 3}
	luts := append([]string{"", "#12ab9f", "nonsense", "#12AB9F"}, LUTs...)
	for range rnd.IntN(5) {
		v.Tones = append(v.Tones, Tone{rnd.IntN(2) == 0, luts[rnd.IntN(len(luts))], randomNumber(rnd), randomNumber(rnd), randomNumber(rnd)})
	}
	return v
}

// A finer picture has the same lines over the same part of the image; what is beyond the bounds is not to be had.
func TestFiner(t *testing.T) {
	for _, c := range []struct {
		text  string
		times int
		want  string
	}{
		{"size=700x500", 1, "size=700x500"},
		{"size=700x500", 4, "size=2800x2000 density=4"},
		{"size=700x500 zoom=60 at=9,8 bar=on", 8, "size=5600x4000 density=8 zoom=480 at=9,8 bar=on"},
		{"size=1400x900 density=2 zoom=1.5 at=9,8", 3, "size=4200x2700 density=6 zoom=4.5 at=9,8"},
		{"size=1400x900 density=2", 5, ""}, // density 10
		{"size=700x500", 9, ""},            // density 9
		{"size=4200x200", 4, ""},           // 16800 wide
		{"size=3000x3000", 3, ""},          // 81 megapixels
		{"size=2730x2730", 3, "size=8190x8190 density=3"},
		{"size=700x500", 0, ""},
	} {
		v, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := v.Finer(c.times); ok != (c.want != "") || ok && got.String() != c.want {
			t.Errorf("%q %d times finer is %q, %v; expected %q", c.text, c.times, got, ok, c.want)
		}
	}
}

// Moves of a picture N times finer by N times the device pixels lead to the same places.
func TestMovesDoNotDependOnTheDensity(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	img, pic := image.Pt(300, 200), image.Pt(640, 480)
	for range 500 {
		n := 1 + rnd.IntN(MaxDensity)
		k := float64(n)
		v := View{Zoom: 0.05 + math.Exp(rnd.NormFloat64()*2), At: Point{200 * rnd.Float64(), 300 * rnd.Float64()}}
		w := v
		w.Zoom, w.Density = v.Zoom*k, n
		dy, dx, factor := 900*rnd.NormFloat64(), 900*rnd.NormFloat64(), math.Exp(rnd.NormFloat64()*2)
		v = v.Pan(dy, dx, img, pic).ZoomAbout(Point{50, 70}, factor, img, pic)
		w = w.Pan(k*dy, k*dx, img, pic.Mul(n)).ZoomAbout(Point{50 * k, 70 * k}, factor, img, pic.Mul(n))
		// The least zoom is one of device pixels, and zooms have six digits.
		if v.Zoom < 1.01*MinZoom {
			continue
		}
		if far := math.Hypot(v.At.Y-w.At.Y, v.At.X-w.At.X); math.Abs(w.Zoom/k/v.Zoom-1) > 1e-5 || far*v.Zoom > 0.05 {
			t.Fatalf("density %d: zoom %v at %v instead of %v at %v", n, w.Zoom/k, w.At, v.Zoom, v.At)
		}
	}
}
