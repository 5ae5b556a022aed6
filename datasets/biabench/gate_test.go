package biabench

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// A picture that cannot be read to its end passes, whatever its header says.
func TestPictures(t *testing.T) {
	box := image.Rect(0, 0, 40, 30)
	palette := image.NewPaletted(box, color.Palette{color.Black, color.White})
	encode := func(img image.Image, how func(*bytes.Buffer, image.Image) error) []byte {
		var b bytes.Buffer
		if err := how(&b, img); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	pngOf := func(img image.Image) []byte {
		return encode(img, func(b *bytes.Buffer, i image.Image) error { return png.Encode(b, i) })
	}
	jpegOf := func(img image.Image) []byte {
		return encode(img, func(b *bytes.Buffer, i image.Image) error { return jpeg.Encode(b, i, nil) })
	}
	colour, grey := pngOf(image.NewNRGBA(box)), pngOf(image.NewGray16(box))
	for name, c := range map[string]struct {
		bytes []byte
		want  string
	}{
		"colour.png": {colour, Colour}, "grey.png": {grey, ""}, "palette.png": {pngOf(palette), Colour}, "cut.png": {colour[:len(colour)-20], ""},
		"colour.jpg": {jpegOf(image.NewNRGBA(box)), Colour}, "grey.JPEG": {jpegOf(image.NewGray(box)), ""}, "cut.jpg": {jpegOf(image.NewNRGBA(box))[:300], ""},
		"png-inside.bmp": {colour, Colour}, "png-inside.tif": {colour, ""}, "empty.png": {nil, ""}, "text.jpg": {[]byte("text"), ""}, "short.bmp": {[]byte("BM"), ""},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, c.bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		same(t, name, judgePicture(context.Background(), path), c.want)
	}
}

func TestFractions(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{nil, ""}, {[]float64{nan, inf}, ""}, {[]float64{0, 1, 0, 1}, ""}, {[]float64{0, 0.5, 1}, Probability}, {[]float64{0.5, 0.5, nan, 0.25, 0.5, 0}, Probability},
		{[]float64{0, 0.5, 1, 1.0000001}, ""}, {[]float64{0, 0.5, 1, -1e-300}, ""}, {[]float64{0, math.Copysign(0, -1), 1}, ""}, {[]float64{0, 0.5, 1, inf}, Probability},
	} {
		same(t, "verdict", judgeFractions(c.values), c.want)
	}
}

func TestGatedFormats(t *testing.T) {
	for format, want := range map[string]bool{"Binary mask": true, "uint16 TIF (LABELS)": true, "Instance map": true, "CSV": false, "": false} {
		same(t, format, gated("a.TIFF", &format), want)
		same(t, format, gated("a.npy", &format), false)
	}
	same(t, "no format", gated("a.tif", nil), false)
}
