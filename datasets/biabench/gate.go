package biabench

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"os"
	"strings"

	"coverslip/datasets/raster"
)

// judgePicture looks at a picture whose task asks for a mask: Colour, Probability, or "" when it passes. A picture
// that cannot be read passes, since the scorer will say so itself (spec/contract.md 3.2).
func judgePicture(ctx context.Context, path string) string {
	if s := pictureSuffix(path); s == ".tif" || s == ".tiff" {
		return judgeTIFF(ctx, path)
	}
	magic := make([]byte, 26)
	if f, err := os.Open(path); err == nil {
		n, _ := io.ReadFull(f, magic)
		f.Close()
		magic = magic[:n]
	}
	// The reference's picture library goes by content, not by suffix.
	switch {
	case bytes.HasPrefix(magic, []byte("\x89PNG\r\n\x1a\n")) && len(magic) == 26:
		// Colour type: 2 RGB, 3 palette (expanded), 6 RGBA; 0 and 4 are grey, the latter with two channels.
		if t := magic[25]; (t == 2 || t == 3 || t == 6) && decodes(path, png.Decode) {
			return Colour
		}
	case bytes.HasPrefix(magic, []byte("\xff\xd8")):
		if jpegIsColour(path) && decodes(path, jpeg.Decode) {
			return Colour
		}
	case bytes.HasPrefix(magic, []byte("BM")):
		return judgeBMP(path)
	case bytes.HasPrefix(magic, []byte("II")), bytes.HasPrefix(magic, []byte("MM")):
		return judgeTIFF(ctx, path)
	}
	return ""
}

// judgeTIFF goes by the headers where they decide; pixels are read only of a picture that would be turned down, since
// one that cannot be read passes, and of floating point.
func judgeTIFF(ctx context.Context, path string) string {
	f, err := raster.Open(ctx, path)
	if err != nil {
		return ""
	}
	defer f.Close()
	if f.ScoringErr != nil || len(f.Series) == 0 || !strings.Contains(f.Format, "TIFF") && f.Format != "LSM" {
		return ""
	}
	h := f.Series[0]
	colour := len(h.Shape) == 3 && (h.Shape[2] == 3 || h.Shape[2] == 4)
	if !colour && !h.Type.IsFloat() {
		return ""
	}
	a, err := f.Array(ctx)
	if err != nil {
		return ""
	}
	if colour {
		return Colour
	}
	switch v := a.Values.(type) {
	case []float32:
		return judgeFractions(v)
	case []float64:
		return judgeFractions(v)
	}
	return ""
}

// judgeFractions finds a probability map: all finite values within 0 to 1, and more than two different ones.
func judgeFractions[E float32 | float64](values []E) string {
	var seen [2]E
	distinct := 0
	for _, v := range values {
		f := float64(v)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		if f < 0 || f > 1 {
			return ""
		}
		switch {
		case distinct > 0 && v == seen[0], distinct > 1 && v == seen[1]:
		case distinct < 2:
			seen[distinct] = v
			distinct++
		default:
			distinct = 3
		}
	}
	if distinct > 2 {
		return Probability
	}
	return ""
}

// judgeBMP tells a BMP in colour from one whose palette is only shades of grey.
func judgeBMP(path string) string {
	h, ok := readBMPHeader(path)
	if !ok || h.grey() || h.cut {
		return ""
	}
	return Colour
}

// decodes tells whether a picture can be read to its end.
func decodes(path string, decode func(io.Reader) (image.Image, error)) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = decode(f)
	return err == nil
}

func jpegIsColour(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	c, err := jpeg.DecodeConfig(f)
	return err == nil && c.ColorModel != color.GrayModel
}
