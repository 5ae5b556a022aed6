package raster

import (
	"context"
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

// TestMemory opens files and reads arrays, planes and mosaics: all memory taken together stays below 64 MiB and 1.1 times
// the pixels asked for.
func TestMemory(t *testing.T) {
	movie := writeStack(t, 40, 1024, 1024, tiff.EncodeOptions{})
	mosaic := sparseStack(t, 100, 512, 512)
	wide := filepath.Join(t.TempDir(), "wide.tif")
	writeFile(t, wide, Array{Shape: []int{1, 4096, 4096, 3}, Axes: "ZYXS", Type: Uint8, Values: make([]uint8, 3<<24)}, tiff.EncodeOptions{})
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
