package animation

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"math/rand/v2"
	"testing"
	"time"
)

// picture is a picture of w x h pixels of a function of place.
func picture(w, h int, at func(x, y int) color.RGBA) *image.RGBA {
	im := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			im.SetRGBA(x, y, at(x, y))
		}
	}
	return im
}

func decoded(t *testing.T, delay time.Duration, pictures ...*image.RGBA) *gif.GIF {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, delay)
	for _, im := range pictures {
		if err := w.Add(im); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&b)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestFewColoursComeBackExactly reads the file with the standard library's decoder.
func TestFewColoursComeBackExactly(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 17, 255, 256} {
		first := picture(33, 29, func(x, y int) color.RGBA { v := uint8((x*31 + y) % n); return color.RGBA{v, 255 - v, v / 2, 255} })
		second := picture(33, 29, func(x, y int) color.RGBA { v := uint8((x + 7*y) % n); return color.RGBA{v, v, v, 255} })
		g := decoded(t, 80*time.Millisecond, first, second)
		if len(g.Image) != 2 || g.LoopCount != 0 || g.Delay[0] != 8 {
			t.Fatalf("%d colours: %d pictures, loop %d, delay %v", n, len(g.Image), g.LoopCount, g.Delay)
		}
		for i, want := range []*image.RGBA{first, second} {
			for y := range 29 {
				for x := range 33 {
					if got := color.RGBAModel.Convert(g.Image[i].At(x, y)); got != want.RGBAAt(x, y) {
						t.Fatalf("%d colours, picture %d at y %d x %d: %v, expected %v", n, i, y, x, got, want.RGBAAt(x, y))
					}
				}
			}
		}
	}
}

// TestManyColoursStayClose bounds the mean error of a noisy colour picture and of grey levels with a few strong colours, as a
// picture with outlines has them.
func TestManyColoursStayClose(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for name, c := range map[string]struct {
		at    func(x, y int) color.RGBA
		worst float64
	}{
		"noise": {func(x, y int) color.RGBA {
			return color.RGBA{uint8(rnd.IntN(256)), uint8(rnd.IntN(256)), uint8(rnd.IntN(256)), 255}
		}, 16},
		"grey with lines": {func(x, y int) color.RGBA {
			if x%40 == 0 {
				return color.RGBA{0xe6, 0x9f, 0, 255}
			}
			v := uint8((x*y + rnd.IntN(3)) % 256)
			return color.RGBA{v, v, v ^ uint8(x&1), 255}
		}, 2},
	} {
		im := picture(200, 150, c.at)
		g := decoded(t, time.Second, im)
		sum := 0.0
		for y := range 150 {
			for x := range 200 {
				got := color.RGBAModel.Convert(g.Image[0].At(x, y)).(color.RGBA)
				want := im.RGBAAt(x, y)
				sum += far(got.R, want.R) + far(got.G, want.G) + far(got.B, want.B)
			}
		}
		if mean := sum / (3 * 200 * 150); mean > c.worst {
			t.Errorf("%s: mean error %.2f of 255", name, mean)
		}
	}
}

func far(a, b uint8) float64 { return float64(max(a, b) - min(a, b)) }

func TestBadAnimations(t *testing.T) {
	var b bytes.Buffer
	if err := NewWriter(&b, 0).Close(); err == nil {
		t.Error("an animation without a picture")
	}
	w := NewWriter(&b, 0)
	grey := func(int, int) color.RGBA { return color.RGBA{1, 1, 1, 255} }
	if err := w.Add(picture(0, 4, grey)); !errors.Is(err, ErrSize) {
		t.Error(err)
	}
	if err := w.Add(picture(5, 4, grey)); err != nil {
		t.Error(err)
	}
	if err := w.Add(picture(4, 5, grey)); !errors.Is(err, ErrSize) {
		t.Error(err)
	}
}

func BenchmarkAdd(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 2))
	im := picture(1400, 900, func(x, y int) color.RGBA {
		v := uint8(x/8 + rnd.IntN(40))
		return color.RGBA{v, v, v + uint8(y&7), 255}
	})
	var out bytes.Buffer
	w := NewWriter(&out, 0)
	for b.Loop() {
		out.Reset()
		if err := w.Add(im); err != nil {
			b.Fatal(err)
		}
	}
}
