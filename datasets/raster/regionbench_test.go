package raster

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"image"
	"os"
	"path/filepath"
	"testing"
	"time"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

// openStack opens a file of the path as a stack without a cache.
func openStack(b *testing.B, path string) *Stack {
	b.Helper()
	f, err := Open(context.Background(), path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	s, err := f.Stack(nil, Layout{})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// windows reads 1400 x 900 windows here and there.
func windows(b *testing.B, s *Stack) {
	r := image.Rect(0, 0, 1400, 900)
	for i := 0; b.Loop(); i++ {
		at := r.Add(image.Pt(i*977%(s.Shape.X-1400), i*1283%(s.Shape.Y-900)))
		if _, err := s.Region(context.Background(), 0, 0, 0, at, 1); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWindow reads windows out of a 30,000 x 30,000 plane in one strip without compression.
func BenchmarkWindow(b *testing.B) { windows(b, openStack(b, sparseStack(b, 1, 30000, 30000))) }

// BenchmarkWindowTiled reads windows out of a 30,000 x 30,000 plane of Deflate tiles.
func BenchmarkWindowTiled(b *testing.B) { windows(b, openStack(b, tiledPlane(b, 30000))) }

// tiledPlane writes a plane of 256 x 256 Deflate tiles, which all are one tile of tissue that the file holds once.
func tiledPlane(tb testing.TB, side int) string {
	tb.Helper()
	le := binary.LittleEndian
	tile, n := packed(tb, tissue(256, 256, 1)), (side+255)/256
	n *= n
	b := []byte{'I', 'I', 43, 0, 8, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0}
	tags := [][4]int{{256, 4, 1, side}, {257, 4, 1, side}, {258, 3, 1, 8}, {259, 3, 1, 8}, {262, 3, 1, 1}, {277, 3, 1, 1}, {322, 3, 1, 256}, {323, 3, 1, 256},
		{324, 16, n, 0}, {325, 16, n, 0}}
	lists := 16 + 8 + 20*len(tags) + 8
	tags[8][3], tags[9][3] = lists, lists+8*n
	b = le.AppendUint64(b, uint64(len(tags)))
	for _, t := range tags {
		b = le.AppendUint16(le.AppendUint16(b, uint16(t[0])), uint16(t[1]))
		b = le.AppendUint64(le.AppendUint64(b, uint64(t[2])), uint64(t[3]))
	}
	b = le.AppendUint64(b, 0)
	for range n {
		b = le.AppendUint64(b, uint64(lists+16*n))
	}
	for range n {
		b = le.AppendUint64(b, uint64(len(tile)))
	}
	path := filepath.Join(tb.TempDir(), "tiles.tif")
	if err := os.WriteFile(path, append(b, tile...), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

// overview reduces a whole plane and tells its speed beside that of a copy of the same bytes in memory, and of reading the file.
func overview(b *testing.B, path string, step int) {
	s := openStack(b, path)
	size := s.Shape.Y * s.Shape.X * s.Type.Held()
	b.SetBytes(int64(size))
	for b.Loop() {
		if _, err := s.Region(context.Background(), 0, 0, 0, image.Rect(0, 0, s.Shape.X, s.Shape.Y), step); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	per := b.Elapsed() / time.Duration(b.N)
	from, to := make([]byte, size), make([]byte, size)
	copy(to, from)
	begin := time.Now()
	copy(to, from)
	b.ReportMetric(float64(time.Since(begin))/float64(per), "x-copy-speed")
	begin = time.Now()
	if o, err := os.Open(path); err == nil {
		for _, err := o.Read(to[:1<<20]); err == nil; _, err = o.Read(to[:1<<20]) {
		}
		o.Close()
	}
	b.ReportMetric(float64(time.Since(begin))/float64(per), "x-read-speed")
}

// BenchmarkOverview reduces a 16,384 x 16,384 plane without compression by 8.
func BenchmarkOverview(b *testing.B) { overview(b, sparseStack(b, 1, 1<<14, 1<<14), 8) }

// BenchmarkOverviewWritten is the same with a file whose pixels are there, of two bytes each.
func BenchmarkOverviewWritten(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.tif")
	writeFile(b, path, Array{Shape: []int{8192, 8192}, Axes: "YX", Type: Uint16, Values: make([]uint16, 1<<26)}, tiff.EncodeOptions{Uncompressed: true})
	overview(b, path, 8)
}

// BenchmarkOverviewTiled reduces a 8,192 x 8,192 plane of Deflate tiles by 4.
func BenchmarkOverviewTiled(b *testing.B) { overview(b, tiledPlane(b, 8192), 4) }

// BenchmarkMeans reduces planes in memory, type by type.
func BenchmarkMeans(b *testing.B) {
	for typ := Uint8; typ <= Float64; typ++ {
		b.Run(typ.String(), func(b *testing.B) {
			p := Plane{H: 2048, W: 2048, Type: typ, Values: pixel.New(typ, 1<<22)}
			b.SetBytes(int64(p.Bytes()))
			for b.Loop() {
				if _, err := (cut{area: image.Rect(0, 0, 2048, 2048), step: 8}).of(context.Background(), p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// packed is bytes as a zlib stream.
func packed(tb testing.TB, raw []byte) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write(raw); err != nil {
		tb.Fatal(err)
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}
