package raster

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"

	"golang.org/x/image/bmp"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/tiff"
)

// FuzzOpen opens whatever bytes there are as an image file and looks at its first and last plane.
func FuzzOpen(f *testing.F) {
	for _, seed := range seeds(f) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		file := &File{Path: "fuzz"}
		err := file.decode(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			mustBeFault(t, err)
			return
		}
		defer file.Close()
		s, err := file.Stack(NewCache(1<<20), Layout{})
		if err != nil {
			mustBeFault(t, err)
			return
		}
		if s.Shape.X*s.Shape.Y*s.Shape.C > 1<<22 {
			return
		}
		for _, p := range []Place{{}, {s.Shape.T - 1, s.Shape.Z - 1, s.Shape.C - 1}} {
			if _, err := s.Plane(context.Background(), p.T, p.Z, p.C); err != nil {
				mustBeFault(t, err)
			}
		}
		if file.Series[0].Len() < 1<<20 {
			if _, err := file.Array(context.Background()); err != nil {
				mustBeFault(t, err)
			}
		}
	})
}

func mustBeFault(t *testing.T, err error) {
	t.Helper()
	if fault.KindOf(err) == nil {
		t.Errorf("%v is no fault", err)
	}
}

// seeds are small files of each format, by our own encoder and the standard ones.
func seeds(tb testing.TB) (out [][]byte) {
	tb.Helper()
	for _, o := range []tiff.EncodeOptions{{}, {Uncompressed: true, PixelUM: 0.1}, {ImageJ: true, StepUM: 2}} {
		var b bytes.Buffer
		a := counting("TZCYX", 2, 3, 2, 4, 5)
		if err := tiff.Encode(&b, a, o); err != nil {
			tb.Fatal(err)
		}
		out = append(out, b.Bytes())
	}
	grey := image.NewGray(image.Rect(0, 0, 9, 7))
	grey.SetGray(3, 3, color.Gray{200})
	palette := image.NewPaletted(grey.Rect, color.Palette{color.Black, color.White, color.NRGBA{1, 2, 3, 4}})
	for _, m := range []image.Image{grey, image.NewRGBA64(grey.Rect), image.NewNRGBA(grey.Rect), palette} {
		var p, j, w bytes.Buffer
		if png.Encode(&p, m) != nil || jpeg.Encode(&j, m, nil) != nil || bmp.Encode(&w, m) != nil {
			tb.Fatal("a picture could not be encoded")
		}
		out = append(out, p.Bytes(), j.Bytes(), w.Bytes())
	}
	return out
}
