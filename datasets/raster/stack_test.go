package raster

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

// counting makes an array whose samples count up, so that each sample tells where it comes from.
func counting(axes string, shape ...int) Array {
	a := Array{Shape: shape, Axes: axes, Type: Uint16}
	v := make([]uint16, Header{Shape: shape}.Len())
	for i := range v {
		v[i] = uint16(i)
	}
	a.Values = v
	return a
}

// open writes an array and opens it.
func open(t *testing.T, a Array, o tiff.EncodeOptions) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.tif")
	writeFile(t, path, a, o)
	f, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestStackAxes maps the axes of files to T Z C Y X.
func TestStackAxes(t *testing.T) {
	for _, c := range []struct {
		name   string
		axes   string // as written, Q and "" mean unnamed
		shape  []int
		layout Layout
		want   Shape
		place  Place // where the plane beginning with first is
		first  float64
	}{
		{"one plane", "YX", []int{2, 3}, Layout{}, Shape{1, 1, 1, 2, 3}, Place{}, 0},
		{"z stack", "ZYX", []int{5, 2, 3}, Layout{Unnamed: 'T'}, Shape{1, 5, 1, 2, 3}, Place{0, 4, 0}, 24},
		{"movie", "TYX", []int{5, 2, 3}, Layout{}, Shape{5, 1, 1, 2, 3}, Place{4, 0, 0}, 24},
		{"all axes", "TZCYX", []int{2, 3, 4, 2, 3}, Layout{}, Shape{2, 3, 4, 2, 3}, Place{1, 2, 3}, 138},
		{"another order", "CZTYX", []int{2, 3, 4, 2, 3}, Layout{}, Shape{4, 3, 2, 2, 3}, Place{3, 2, 1}, 138},
		{"another order, inner", "CZTYX", []int{2, 3, 4, 2, 3}, Layout{}, Shape{4, 3, 2, 2, 3}, Place{1, 0, 0}, 6},
		{"unnamed is z", "", []int{5, 2, 3}, Layout{}, Shape{1, 5, 1, 2, 3}, Place{0, 1, 0}, 6},
		{"unnamed is t", "", []int{5, 2, 3}, Layout{Unnamed: 'T'}, Shape{5, 1, 1, 2, 3}, Place{1, 0, 0}, 6},
		{"two unnamed, channels last", "", []int{5, 2, 2, 3}, Layout{}, Shape{1, 5, 2, 2, 3}, Place{0, 1, 1}, 18},
		{"two unnamed, long", "", []int{3, 6, 2, 3}, Layout{}, Shape{3, 6, 1, 2, 3}, Place{1, 1, 0}, 42},
		{"three unnamed", "", []int{2, 3, 2, 2, 3}, Layout{}, Shape{2, 3, 2, 2, 3}, Place{1, 0, 1}, 42},
		{"four unnamed join in time", "", []int{2, 2, 3, 2, 2, 3}, Layout{}, Shape{4, 3, 2, 2, 3}, Place{3, 2, 1}, 138},
		{"ones are dropped", "", []int{1, 5, 1, 2, 3}, Layout{}, Shape{1, 5, 1, 2, 3}, Place{0, 4, 0}, 24},
		{"relabelled", "ZYX", []int{5, 2, 3}, Layout{Axes: "TYX"}, Shape{5, 1, 1, 2, 3}, Place{4, 0, 0}, 24},
		{"relabelled channels", "", []int{3, 5, 2, 3}, Layout{Axes: "CTYX"}, Shape{5, 1, 3, 2, 3}, Place{4, 0, 2}, 84},
		{"samples", "ZYXS", []int{2, 2, 3, 2}, Layout{}, Shape{1, 2, 2, 2, 3}, Place{0, 1, 1}, 13},
	} {
		f := open(t, counting(c.axes, c.shape...), tiff.EncodeOptions{})
		s, err := f.Stack(NewCache(1<<20), c.layout)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		p, err := s.Plane(context.Background(), c.place.T, c.place.Z, c.place.C)
		if s.Shape != c.want || err != nil || p.At(0, 0) != c.first || len(s.Channels) != s.Shape.C {
			t.Errorf("%s: shape %+v, plane %+v begins with %g, expected %+v and %g; %v", c.name, s.Shape, c.place, p.At(0, 0), c.want, c.first, err)
		}
	}
}

// TestStackRefuses gives axes that do not fit and planes that are not there.
func TestStackRefuses(t *testing.T) {
	f := open(t, counting("ZYX", 5, 2, 3), tiff.EncodeOptions{})
	for _, axes := range []string{"YX", "XYZ", "ZXY", "TZYX"} {
		if _, err := f.Stack(nil, Layout{Axes: axes}); !errors.Is(err, fault.Inconsistent) {
			t.Errorf("axes %s: %v", axes, err)
		}
	}
	s, err := f.Stack(nil, Layout{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []Place{{1, 0, 0}, {0, 5, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}} {
		if _, err := s.Plane(context.Background(), p.T, p.Z, p.C); !errors.Is(err, fault.Inconsistent) {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

// TestColours shows a colour picture as three channels.
func TestColours(t *testing.T) {
	a := Array{Shape: []int{2, 3, 3}, Axes: "YXS", Type: Uint8, Values: []uint8{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}}
	s, err := open(t, a, tiff.EncodeOptions{}).Stack(nil, Layout{})
	if err != nil || !s.RGB || s.Shape.C != 3 {
		t.Fatalf("%v, RGB %v, %d channels", err, s.RGB, s.Shape.C)
	}
	for c := range 3 {
		p, err := s.Plane(context.Background(), 0, 0, c)
		if err != nil || p.At(0, 0) != float64(c+1) || p.At(1, 2) != float64(c+16) {
			t.Errorf("channel %d: %g, %g, %v", c, p.At(0, 0), p.At(1, 2), err)
		}
	}
}

// slow is a source whose frames take as long as the test wants, and that counts how often they are read.
func slow(frames int, reads *atomic.Int64, hold chan struct{}) *series {
	s := &series{Header: Header{Shape: []int{frames, 8, 8}, Axes: "ZYX", Type: Uint8}, lead: []int{frames}, leadAxes: "Z", frames: frames, h: 8, w: 8, samples: 1}
	s.read = func(ctx context.Context, i int, _ request, dst any) (found, error) {
		reads.Add(1)
		if hold != nil {
			select {
			case <-hold:
			case <-ctx.Done():
				return found{}, ctx.Err()
			}
		}
		dst.([]uint8)[0] = uint8(i)
		return found{}, nil
	}
	return s
}

func stackOf(t *testing.T, s *series, c *Cache) *Stack {
	t.Helper()
	k, err := (&File{scored: s, shown: s}).Stack(c, Layout{})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestCacheBound keeps the cache below its limit and forgets the least recently used plane first.
func TestCacheBound(t *testing.T) {
	var reads atomic.Int64
	c := NewCache(5 * 64)
	s := stackOf(t, slow(10, &reads, nil), c)
	see := func(z int) {
		t.Helper()
		p, err := s.Plane(context.Background(), 0, z, 0)
		if err != nil || p.At(0, 0) != float64(z) {
			t.Fatalf("plane %d: %g, %v", z, p.At(0, 0), err)
		}
		if c.Used() > 5*64 {
			t.Fatalf("%d bytes held", c.Used())
		}
	}
	for z := range 10 {
		see(z)
	}
	see(5) // the oldest one left becomes the newest
	see(0) // pushes out 6
	if n := reads.Load(); n != 11 {
		t.Errorf("%d reads, expected 11", n)
	}
	see(5)
	see(6)
	if n := reads.Load(); n != 12 {
		t.Errorf("%d reads, expected 12", n)
	}
}

// TestOneDecoding lets many ask for the same plane at once: it is decoded once.
func TestOneDecoding(t *testing.T) {
	var reads atomic.Int64
	hold := make(chan struct{})
	s := stackOf(t, slow(3, &reads, hold), NewCache(1<<20))
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if p, err := s.Plane(context.Background(), 0, 2, 0); err != nil || p.At(0, 0) != 2 {
				t.Errorf("%v", err)
			}
		})
	}
	time.Sleep(10 * time.Millisecond)
	close(hold)
	wg.Wait()
	if n := reads.Load(); n != 1 {
		t.Errorf("decoded %d times", n)
	}
}

// TestGivingUp ends a wait with its context, and a decoding nobody waits for; the next call starts afresh.
func TestGivingUp(t *testing.T) {
	var reads atomic.Int64
	hold := make(chan struct{})
	s := stackOf(t, slow(3, &reads, hold), NewCache(1<<20))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := s.Plane(ctx, 0, 1, 0)
		done <- err
	}()
	for reads.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	close(hold)
	if p, err := s.Plane(context.Background(), 0, 1, 0); err != nil || p.At(0, 0) != 1 {
		t.Errorf("after giving up: %v", err)
	}
}

// TestOneStays lets one of two give up waiting: the other still gets the plane.
func TestOneStays(t *testing.T) {
	var reads atomic.Int64
	hold := make(chan struct{})
	s := stackOf(t, slow(3, &reads, hold), NewCache(1<<20))
	ctx, cancel := context.WithCancel(context.Background())
	left, stayed := make(chan error), make(chan error)
	ask := func(ctx context.Context, to chan error) {
		_, err := s.Plane(ctx, 0, 1, 0)
		to <- err
	}
	go ask(ctx, left)
	go ask(context.Background(), stayed)
	for {
		s.cache.mu.Lock()
		waiting := 0
		for _, f := range s.cache.flights {
			waiting += f.waiting
		}
		s.cache.mu.Unlock()
		if waiting == 2 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the one who left: %v", err)
	}
	close(hold)
	if err := <-stayed; err != nil || reads.Load() != 1 {
		t.Errorf("the one who stayed: %v after %d reads", err, reads.Load())
	}
}

// TestPrefetch reads ahead, and a later call replaces an earlier one.
func TestPrefetch(t *testing.T) {
	var reads atomic.Int64
	hold := make(chan struct{})
	c := NewCache(1 << 20)
	s := stackOf(t, slow(100, &reads, hold), c)
	var all []Place
	for z := range 90 {
		all = append(all, Place{Z: z})
	}
	s.Prefetch(all)
	for reads.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	s.Prefetch([]Place{{Z: 95}})
	for reads.Load() < 2 {
		time.Sleep(time.Millisecond)
	}
	close(hold)
	for c.Used() < 64 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(5 * time.Millisecond)
	before := reads.Load()
	if before > 3 {
		t.Errorf("the first call went on: %d reads", before)
	}
	if _, err := s.Plane(context.Background(), 0, 95, 0); err != nil || reads.Load() != before {
		t.Errorf("plane 95 was not in the cache: %v", err)
	}
	s.Prefetch(nil)
}

// TestClose empties the cache of a closed file's planes.
func TestClose(t *testing.T) {
	f := open(t, counting("ZYX", 5, 20, 30), tiff.EncodeOptions{})
	c := NewCache(1 << 20)
	firstPlaneOf(t, f, c)
	if c.Used() == 0 {
		t.Error("nothing is held")
	}
	if err := f.Close(); err != nil || c.Used() != 0 {
		t.Errorf("%v, %d bytes held", err, c.Used())
	}
}

func firstPlaneOf(t *testing.T, f *File, c *Cache) {
	t.Helper()
	s, err := f.Stack(c, Layout{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Plane(context.Background(), 0, 0, 0); err != nil {
		t.Fatal(err)
	}
}

// TestTwoFailures tells an unreadable file from one whose header leads nowhere, which is an empty array.
func TestTwoFailures(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, bytes string
		empty       bool
	}{
		{"offset past the end", "II*\x00\xff\xff\x00\x00rest", true},
		{"offset zero", "MM\x00*\x00\x00\x00\x00", true},
		{"no entries", "II*\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00", true},
		{"no TIFF", "segmentation", false},
		{"header cut off", "II*\x00", false},
		{"directory cut off", "II*\x00\x08\x00\x00\x00\x09\x00\x00\x01", false},
		{"nothing", "", false},
	} {
		path := filepath.Join(dir, "f.tif")
		if err := os.WriteFile(path, []byte(c.bytes), 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := ReadArray(context.Background(), path)
		if c.empty && (err != nil || len(a.Shape) != 1 || a.Shape[0] != 0 || pixel.Len(a.Values) != 0) || !c.empty && !errors.Is(err, fault.Malformed) {
			t.Errorf("%s: shape %v, %v", c.name, a.Shape, err)
		}
		if _, err := Open(context.Background(), path); !errors.Is(err, fault.Malformed) {
			t.Errorf("%s: Open gives %v", c.name, err)
		}
	}
	if _, err := ReadArray(context.Background(), filepath.Join(dir, "gone.tif")); !errors.Is(err, fault.Missing) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := ReadArray(context.Background(), dir); !errors.Is(err, fault.Malformed) {
		t.Errorf("a folder: %v", err)
	}
}

// TestHash compares the hash taken frame by frame with that of the whole array.
func TestHash(t *testing.T) {
	f := open(t, counting("TZYX", 2, 3, 4, 5), tiff.EncodeOptions{})
	a, err := f.Array(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	h, err := Hash(context.Background(), f)
	if err != nil || h != HashArray(a) {
		t.Errorf("%s, %s, %v", h, HashArray(a), err)
	}
}
