package remedy

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/tiff"
)

// BenchmarkLongMovie numbers the pieces of a binary movie of 200 x 512 x 512. peak-MiB is the highest heap in use: that of
// a few frames, not of the movie's 100 MiB.
func BenchmarkLongMovie(b *testing.B) {
	const frames, side = 200, 512
	v := make([]uint16, frames*side*side)
	for i := range v {
		if i/side%16 < 10 && i%16 < 10 {
			v[i] = 1
		}
	}
	path := filepath.Join(b.TempDir(), "movie.tif")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if err := tiff.Encode(f, raster.Array{Shape: []int{frames, side, side}, Axes: "TYX", Type: raster.Uint16, Values: v}, tiff.EncodeOptions{}); err != nil {
		b.Fatal(err)
	}
	f.Close()
	v = nil
	runtime.GC()
	stop, peak := make(chan bool), make(chan uint64)
	go watch(stop, peak)
	for b.Loop() {
		target := filepath.Join(b.TempDir(), "pieces.tif")
		os.Remove(target)
		numbered := mask{movie: true}.piecewise()
		if err := numbered.write(b.Context(), path, target, false); err != nil {
			b.Fatal(err)
		}
	}
	stop <- true
	most := float64(<-peak) / (1 << 20)
	b.ReportMetric(most, "peak-MiB")
	if most > 64 {
		b.Errorf("%.0f MiB in use", most)
	}
}

// watch samples the heap until told to stop.
func watch(stop chan bool, peak chan uint64) {
	var most uint64
	var m runtime.MemStats
	for {
		select {
		case <-stop:
			peak <- most
			return
		case <-time.After(time.Millisecond):
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
		}
	}
}
