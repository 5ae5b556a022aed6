package raster

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"coverslip/datasets/raster/tiff"
)

// allocated is the memory taken while do runs, whether it is given back or not.
func allocated(do func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// writePicture writes a PNG or a JPEG, by the name, and gives the path.
func writePicture(tb testing.TB, path string, m image.Image) string {
	tb.Helper()
	var b bytes.Buffer
	fast := png.Encoder{CompressionLevel: png.BestSpeed}
	err := fast.Encode(&b, m)
	if filepath.Ext(path) == ".jpg" {
		b.Reset()
		err = jpeg.Encode(&b, m, nil)
	}
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o600)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return path
}

// TestMemory opens files and reads arrays, planes and mosaics: all memory taken together stays below 64 MiB and 1.1 times
// the pixels asked for.
func TestMemory(t *testing.T) {
	movie := writeStack(t, 40, 1024, 1024, tiff.EncodeOptions{})
	mosaic := sparseStack(t, 100, 512, 512)
	wide := filepath.Join(t.TempDir(), "wide.tif")
	writeFile(t, wide, Array{Shape: []int{1, 4096, 4096, 3}, Axes: "ZYXS", Type: Uint8, Values: make([]uint8, 3<<24)}, tiff.EncodeOptions{})
	colours := image.NewRGBA(image.Rect(0, 0, 3400, 3400))
	for i := 3; i < len(colours.Pix); i += 4 {
		colours.Pix[i] = 255
	}
	asPNG := writePicture(t, filepath.Join(t.TempDir(), "a.png"), colours)
	asJPEG := writePicture(t, filepath.Join(t.TempDir(), "a.jpg"), colours)
	for _, c := range []struct {
		name, path string
		layout     *Layout // nil reads the array
		pixels     int
	}{
		{"array, Deflate", movie, nil, 40 << 20},
		{"array, plain", sparseStack(t, 200, 1024, 1024), nil, 200 << 20},
		{"plane, Deflate", movie, &Layout{}, 1 << 20},
		{"plane, plain", sparseStack(t, 2, 8192, 8192), &Layout{}, 1 << 26},
		{"mosaic", mosaic, &Layout{Axes: "MYX"}, 100 << 18},
		{"array, PNG", asPNG, nil, 3 * 3400 * 3400},
		{"plane, PNG", asPNG, &Layout{}, 3400 * 3400},
		{"array, JPEG", asJPEG, nil, 3 * 3400 * 3400},
		{"plane, JPEG", asJPEG, &Layout{}, 3400 * 3400},
		{"colours", wide, &Layout{}, 1 << 24}, // one of the three, although they lie side by side
	} {
		used := allocated(func() {
			f, err := Open(context.Background(), c.path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if c.layout == nil {
				_, err = f.Array(context.Background())
			} else {
				var s *Stack
				if s, err = f.Stack(NewCache(1<<30), *c.layout); err == nil {
					_, err = s.Plane(context.Background(), 0, 0, 0)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
		})
		most := 64<<20 + c.pixels/10*11
		t.Logf("%-15s %4d MiB of pixels, %4d MiB taken, limit %4d MiB", c.name, c.pixels>>20, used>>20, most>>20)
		if used > most {
			t.Errorf("%s: %d MiB taken for %d MiB of pixels", c.name, used>>20, c.pixels>>20)
		}
	}
}

// TestPictureTakesItsSizeOnce: a PNG is decoded to where it is wanted; of a JPEG the decoder's planes become the planes
// that are shown (brightness in its place, two of full size for the two of a quarter), and the array comes on top of them.
func TestPictureTakesItsSizeOnce(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 1600, 1600))
	for i := 3; i < len(m.Pix); i += 4 {
		m.Pix[i] = 255
	}
	for _, c := range []struct {
		name         string
		array, shown float64 // times the samples
	}{{"a.png", 1, 1}, {"a.jpg", 1.5, 3.5 / 3}} {
		f, err := Open(context.Background(), writePicture(t, filepath.Join(t.TempDir(), c.name), m))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		s, err := f.Stack(nil, Layout{})
		if err != nil {
			t.Fatal(err)
		}
		size := 3 * 1600 * 1600.0
		array := float64(allocated(func() { _, _, err = f.Whole(context.Background()) })) / size
		if err != nil {
			t.Fatal(err)
		}
		shown := float64(allocated(func() { _, err = s.Plane(context.Background(), 0, 0, 0) })) / size
		if t.Logf("%s: the array takes %.2f times its size, the three planes %.2f", c.name, array, shown); err != nil || array > c.array+0.05 || shown > c.shown+0.05 {
			t.Errorf("%s: %.2f and %.2f times its size, expected %.2f and %.2f; %v", c.name, array, shown, c.array, c.shown, err)
		}
	}
}
