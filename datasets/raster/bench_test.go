package raster

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"coverslip/datasets/raster/tiff"
)

// tissue is a plane that looks a little like a micrograph: soft structure with noise, so that it compresses like one.
func tissue(w, h, frame int) []uint8 {
	rng := rand.New(rand.NewPCG(7, uint64(frame)))
	out := make([]uint8, w*h)
	for i := range out {
		x, y := i%w, i/w
		out[i] = uint8(60 + (x*y/97+frame)%90 + rng.IntN(8))
	}
	return out
}

// writeStack writes frames of h x w and gives the path.
func writeStack(tb testing.TB, frames, h, w int, o tiff.EncodeOptions) string {
	tb.Helper()
	a := Array{Shape: []int{frames, h, w}, Axes: "TYX", Type: Uint8}
	values := make([]uint8, 0, frames*h*w)
	few := [][]uint8{tissue(w, h, 0), tissue(w, h, 1), tissue(w, h, 2), tissue(w, h, 3)}
	for i := range frames {
		values = append(values, few[i%len(few)]...)
	}
	a.Values = values
	path := filepath.Join(tb.TempDir(), "stack.tif")
	writeFile(tb, path, a, o)
	return path
}

func writeFile(tb testing.TB, path string, a Array, o tiff.EncodeOptions) {
	tb.Helper()
	var b bytes.Buffer
	if err := tiff.Encode(&b, a, o); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		tb.Fatal(err)
	}
}

// counted counts the bytes that are read.
type counted struct {
	io.ReaderAt
	bytes, reads atomic.Int64
}

func (c *counted) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(b, at)
	c.bytes.Add(int64(n))
	c.reads.Add(1)
	return n, err
}

// openCounted opens a file through a counter.
func openCounted(tb testing.TB, path string) (*File, *counted, int64) {
	tb.Helper()
	o, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	info, err := o.Stat()
	if err != nil {
		tb.Fatal(err)
	}
	c := &counted{ReaderAt: o}
	f := &File{Path: path, closers: []io.Closer{o}}
	if err := f.decode(c, info.Size()); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	return f, c, info.Size()
}

// BenchmarkOpen800 opens an 800-page 512 x 512 uint8 Deflate TIFF and reads its first plane.
func BenchmarkOpen800(b *testing.B) {
	path := writeStack(b, 800, 512, 512, tiff.EncodeOptions{})
	for b.Loop() {
		f, err := Open(context.Background(), path)
		if err != nil {
			b.Fatal(err)
		}
		firstPlane(b, f)
		f.Close()
	}
}

func firstPlane(tb testing.TB, f *File) Plane {
	tb.Helper()
	s, err := f.Stack(NewCache(64<<20), Layout{})
	if err != nil {
		tb.Fatal(err)
	}
	p, err := s.Plane(context.Background(), 0, 0, 0)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// sparseStack writes a TIFF of uncompressed uint8 pages whose pixels are holes in the file.
func sparseStack(tb testing.TB, pages, h, w int) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "sparse.tif")
	o, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer o.Close()
	if err := writeSparse(o, pages, h, w); err != nil {
		tb.Fatal(err)
	}
	return path
}

// BenchmarkOpen1GiB opens an uncompressed 1 GiB stack of 1024 pages and reads its first plane. It prints the share of the
// file that was read.
func BenchmarkOpen1GiB(b *testing.B) {
	path := sparseStack(b, 1024, 1024, 1024)
	var share float64
	for b.Loop() {
		f, c, size := openCounted(b, path)
		firstPlane(b, f)
		share = float64(c.bytes.Load()) / float64(size)
		f.Close()
	}
	b.ReportMetric(100*share, "%read")
}

// BenchmarkPlane reads an uncompressed 2048 x 2048 uint16 plane and compares with a copy of the same bytes in memory.
func BenchmarkPlane(b *testing.B) {
	const side = 2048
	a := Array{Shape: []int{2, side, side}, Axes: "ZYX", Type: Uint16, Values: make([]uint16, 2*side*side)}
	path := filepath.Join(b.TempDir(), "plane.tif")
	writeFile(b, path, a, tiff.EncodeOptions{Uncompressed: true})
	f, err := Open(context.Background(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	s, err := f.Stack(nil, Layout{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(2 * side * side)
	for b.Loop() {
		if _, err := s.Plane(context.Background(), 0, 1, 0); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	perPlane := b.Elapsed() / time.Duration(b.N)
	from, begin, n := make([]byte, 2*side*side), time.Now(), 0
	for time.Since(begin) < 200*time.Millisecond {
		copy(make([]byte, len(from)), from) // fresh memory, as a plane is
		n++
	}
	b.ReportMetric(float64(perPlane)/float64(time.Since(begin)/time.Duration(n)), "x-copy")
}

// BenchmarkDeflate unpacks a 2048 x 2048 uint8 Deflate plane in strips.
func BenchmarkDeflate(b *testing.B) {
	path := writeStack(b, 1, 2048, 2048, tiff.EncodeOptions{})
	f, err := Open(context.Background(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	s, err := f.Stack(nil, Layout{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(2048 * 2048)
	for b.Loop() {
		if _, err := s.Plane(context.Background(), 0, 0, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCachedPlane takes a plane out of the cache.
func BenchmarkCachedPlane(b *testing.B) {
	path := writeStack(b, 2, 64, 64, tiff.EncodeOptions{})
	f, err := Open(context.Background(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	s, err := f.Stack(NewCache(1<<20), Layout{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.Plane(context.Background(), 1, 0, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// residentMiB is the program's memory as the system counts it; 0 where it does not say.
func residentMiB() int {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	pages, _ := strconv.Atoi(strings.Fields(string(b))[1])
	return pages * os.Getpagesize() >> 20
}

// browse looks at every plane of a stack of 8 MiB planes and gives the most memory that was resident.
func browse(tb testing.TB, pages int) (most int) {
	path := sparseStack(tb, pages, 2048, 4096)
	f, err := Open(context.Background(), path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	s, err := f.Stack(NewCache(192<<20), Layout{})
	if err != nil {
		tb.Fatal(err)
	}
	for z := range s.Shape.Z {
		if _, err := s.Plane(context.Background(), 0, z, 0); err != nil {
			tb.Fatal(err)
		}
		most = max(most, residentMiB())
	}
	return most
}

// TestBrowse looks at a stack several times as large as the cache: resident memory stays below 500 MiB.
func TestBrowse(t *testing.T) {
	if residentMiB() == 0 {
		t.Skip("the system does not tell resident memory")
	}
	debug.FreeOSMemory()
	if most := browse(t, 100); most > 500 {
		t.Errorf("%d MiB resident", most)
	}
}

// BenchmarkBrowse5GB is the same with a stack of 5 GB.
func BenchmarkBrowse5GB(b *testing.B) {
	most := 0
	for b.Loop() {
		most = max(most, browse(b, 640))
	}
	b.ReportMetric(float64(most), "MiB-resident")
}

// TestOpenReadsLittle opens an 800-page file and a 1 GiB stack: only directories are read.
func TestOpenReadsLittle(t *testing.T) {
	f, c, size := openCounted(t, writeStack(t, 800, 128, 128, tiff.EncodeOptions{}))
	if f.Pages != 800 || c.bytes.Load() > size/5 {
		t.Errorf("%d pages, read %d of %d bytes in %d reads", f.Pages, c.bytes.Load(), size, c.reads.Load())
	}
	f, c, size = openCounted(t, sparseStack(t, 1024, 1024, 1024))
	firstPlane(t, f)
	t.Logf("1 GiB stack: read %d bytes in %d reads, %.3f %%", c.bytes.Load(), c.reads.Load(), 100*float64(c.bytes.Load())/float64(size))
	if f.Pages != 1024 || c.bytes.Load() > size/100 {
		t.Errorf("%d pages, read %d of %d bytes", f.Pages, c.bytes.Load(), size)
	}
}

// TestOpenManyPages opens a movie of 12,306 pages, as many as task 14's, and reads a frame from its middle.
func TestOpenManyPages(t *testing.T) {
	a := Array{Shape: []int{293, 21, 2, 4, 5}, Axes: "TZCYX", Type: Uint16, Values: make([]uint16, 293*21*2*20)}
	v := a.Values.([]uint16)
	for i := range v {
		v[i] = uint16(i)
	}
	path := filepath.Join(t.TempDir(), "movie.tif")
	writeFile(t, path, a, tiff.EncodeOptions{ImageJ: true})
	begin := time.Now()
	f, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	opened := time.Since(begin)
	s, err := f.Stack(NewCache(1<<20), Layout{})
	if err != nil {
		t.Fatal(err)
	}
	begin = time.Now()
	p, err := s.Plane(context.Background(), 100, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("12,306 pages in %v, one plane in %v", opened, time.Since(begin))
	at := ((100*21+5)*2+1)*20 + 1*5 + 2
	if want := float64(uint16(at)); f.Pages != 12306 || p.At(1, 2) != want {
		t.Errorf("%d pages, value %g, expected %g", f.Pages, p.At(1, 2), want)
	}
	if opened > 3*time.Second {
		t.Errorf("opening took %v", opened)
	}
}
