package raster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"math"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"sync/atomic"
	"testing"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

// checkRegions compares regions of a plane with the plane: crops, means of blocks, corners of blocks.
func checkRegions(t *testing.T, name string, s *Stack, p Place, rng *rand.Rand) {
	t.Helper()
	ctx := context.Background()
	plane, err := s.Plane(ctx, p.T, p.Z, p.C)
	if err != nil {
		return // as files of the collections may be
	}
	for _, step := range []int{1, 2, 4, 8, 64} {
		x, y := rng.IntN(plane.W), rng.IntN(plane.H)
		r := image.Rect(x, y, x+1+rng.IntN(plane.W-x), y+1+rng.IntN(plane.H-y))
		if step == 8 {
			r = image.Rect(0, 0, plane.W, plane.H)
		}
		got, err := s.Region(ctx, p.T, p.Z, p.C, r, step)
		if small, _ := s.copyFor(step); err == nil && small == nil {
			err = sameMeans(plane, got, r, step)
		}
		if err != nil {
			t.Fatalf("%s, plane %+v, %v at step %d: %v", name, p, r, step, err)
		}
		got, err = s.Corners(ctx, p.T, p.Z, p.C, r, step)
		if err != nil {
			t.Fatalf("%s, corners of %v at step %d: %v", name, r, step, err)
		}
		for i := range got.H * got.W {
			by, bx := (r.Min.Y/step+i/got.W)*step, (r.Min.X/step+i%got.W)*step
			if a, b := got.At(i/got.W, i%got.W), plane.At(by, bx); a != b && !(a != a && b != b) {
				t.Fatalf("%s, corners of %v at step %d: %g at %d, %d, expected %g", name, r, step, a, by, bx, b)
			}
		}
	}
}

// sameMeans compares with means taken the long way.
func sameMeans(plane, got Plane, r image.Rectangle, step int) error {
	by, bx := r.Min.Y/step, r.Min.X/step
	if h, w := (r.Max.Y+step-1)/step-by, (r.Max.X+step-1)/step-bx; got.H != h || got.W != w || got.Type != plane.Type || pixel.Len(got.Values) != h*w {
		return fmt.Errorf("%d x %d samples of type %s, expected %d x %d of type %s", got.H, got.W, got.Type, h, w, plane.Type)
	}
	for i := range got.H * got.W {
		y, x := (by+i/got.W)*step, (bx+i%got.W)*step
		block := image.Rect(x, y, min(x+step, plane.W), min(y+step, plane.H))
		want := meanOf(plane, block)
		if have := got.At(i/got.W, i%got.W); have != want && !(have != have && want != want) && !(plane.Type.IsFloat() && math.Abs(have-want) <= 1e-6*math.Abs(want)) {
			return fmt.Errorf("%v has the mean %v, expected %v", block, have, want)
		}
	}
	return nil
}

// meanOf is the mean of a block with numbers of any length, rounded half up for whole ones.
func meanOf(p Plane, block image.Rectangle) float64 {
	if block.Dx()*block.Dy() == 1 {
		return p.At(block.Min.Y, block.Min.X)
	}
	sum, n, real, odd := new(big.Int), int64(0), 0.0, math.NaN()
	for y := block.Min.Y; y < block.Max.Y; y++ {
		for x := block.Min.X; x < block.Max.X; x++ {
			switch v := pixel.Slice(p.Values, y*p.W+x, y*p.W+x+1).(type) {
			case []uint64:
				sum.Add(sum, new(big.Int).SetUint64(v[0]))
			case []int64:
				sum.Add(sum, big.NewInt(v[0]))
			default:
				f := p.At(y, x)
				if f != f {
					n--
				} else if real += f; !p.Type.IsFloat() {
					sum.Add(sum, big.NewInt(int64(f)))
				}
			}
			n++
		}
	}
	if p.Type.IsFloat() {
		if n == 0 {
			return odd
		}
		return real / float64(n)
	}
	double := new(big.Int).Add(sum.Lsh(sum, 1), big.NewInt(n)) // floor((2 sum + n) / 2n)
	q, _ := new(big.Float).SetInt(double.Div(double, big.NewInt(2*n))).Float64()
	return q
}

// anything fills an array of any type.
func anything(t Type, rng *rand.Rand, shape ...int) Array {
	a := Array{Shape: shape, Axes: "TZCYXS"[6-len(shape):], Type: t}
	if len(shape) == 2 {
		a.Axes = "YX"
	}
	a.Values = pixel.New(t, Header{Shape: shape}.Len())
	switch v := a.Values.(type) {
	case []float32:
		for i := range v {
			v[i] = float32(rng.IntN(2000) - 1000)
		}
		v[3] = float32(math.NaN())
	case []float64:
		for i := range v {
			v[i] = float64(rng.IntN(2000) - 1000)
		}
	default:
		for i, b := 0, pixel.Memory(a.Values); i < len(b); i++ {
			b[i] = byte(rng.Uint32())
			if t == Bool {
				b[i] &= 1
			}
		}
	}
	return a
}

// TestRegionTypes cuts planes of all types out of files, chunky ones and arrays included.
func TestRegionTypes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for typ := Bool; typ <= Float64; typ++ {
		for _, plain := range []bool{false, true} {
			f := open(t, anything(typ, rng, 203, 301), tiff.EncodeOptions{Uncompressed: plain})
			s, err := f.Stack(NewCache(1<<22), Layout{})
			if err != nil {
				t.Fatal(err)
			}
			for range 4 {
				checkRegions(t, fmt.Sprint(typ, plain), s, Place{}, rng)
			}
		}
		a := anything(typ, rng, 67, 91, 3)
		a.Axes = "YXS"
		s, err := open(t, a, tiff.EncodeOptions{}).Stack(NewCache(1<<22), Layout{})
		if err != nil {
			t.Fatal(err)
		}
		checkRegions(t, fmt.Sprint(typ, " chunky"), s, Place{C: 2}, rng)
	}
}

// TestRegionMosaic cuts laid-out planes, overlapping tiles included.
func TestRegionMosaic(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, axes := range []string{"MZCYX", "MYXS"} {
		shape := []int{5, 2, 2, 40, 60}
		if axes == "MYXS" {
			shape = []int{5, 40, 60, 3}
		}
		a := counting(axes, shape...)
		if axes == "MYXS" {
			a.Axes = "ZYXS"
		}
		f := open(t, a, tiff.EncodeOptions{})
		s, err := f.Stack(NewCache(1<<22), Layout{Axes: axes})
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			checkRegions(t, axes, s, Place{C: 1, Z: s.Shape.Z - 1}, rng)
		}
		overlapping := f.scored.laidOut(&Mosaic{H: 40, W: 60, Tiles: []Tile{{0, 0}, {3, 55}, {38, 2}, {36, 60}, {70, 30}}}, 0)
		k := stackOf(t, overlapping, NewCache(1<<22))
		for range 5 {
			checkRegions(t, axes+" overlapping", k, Place{C: k.Shape.C - 1}, rng)
		}
	}
}

// TestRegionSources cuts whatever the collections of files hold.
func TestRegionSources(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	tried := 0
	for _, root := range []string{"../../../shared/zoo", "../../../shared/real"} {
		filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			if info, err := d.Info(); err != nil || info.Size() > 4<<20 {
				return nil
			}
			f, err := Open(context.Background(), path)
			if err != nil {
				return nil
			}
			defer f.Close()
			s, err := f.Stack(NewCache(1<<24), Layout{})
			if err != nil || s.Shape.Y*s.Shape.X > 1<<17 {
				return nil
			}
			tried++
			checkRegions(t, path, s, Place{T: s.Shape.T - 1, Z: s.Shape.Z / 2, C: s.Shape.C - 1}, rng)
			return nil
		})
	}
	if tried == 0 {
		t.Skip("no collections of files beside the repository")
	}
	t.Logf("%d files", tried)
}

// TestRegionFolder cuts a folder of pictures, which are decoded whole, and one with a plane that has no file.
func TestRegionFolder(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, ext := range []string{".png", ".jpg", ".tif"} {
		dir := t.TempDir()
		for _, name := range []string{"a_T0_Z0", "a_T0_Z1", "a_T1_Z0"} {
			path := filepath.Join(dir, name+ext)
			if ext == ".tif" {
				writeFile(t, path, anything(Uint16, rng, 50, 70), tiff.EncodeOptions{})
				continue
			}
			m := image.NewRGBA(image.Rect(0, 0, 70, 50))
			for i := range m.Pix {
				if m.Pix[i] = uint8(rng.Uint32()); i%4 == 3 {
					m.Pix[i] = 255
				}
			}
			writePicture(t, path, m)
		}
		f, err := OpenFolder(context.Background(), dir)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		s, err := f.Stack(NewCache(1<<22), Layout{})
		if err != nil {
			t.Fatal(err)
		}
		for at := range s.Shape.T {
			for z := range s.Shape.Z {
				if _, err := s.Plane(context.Background(), at, z, 0); err != nil {
					t.Fatalf("%s: %v", ext, err)
				}
				checkRegions(t, ext, s, Place{T: at, Z: z, C: s.Shape.C - 1}, rng)
			}
		}
	}
}

// TestRegionLevels takes smaller copies of the planes where the file has them.
func TestRegionLevels(t *testing.T) {
	ctx := context.Background()
	s := stackOf(t, slow(2, new(atomic.Int64), nil), NewCache(1<<20))
	half := slow(2, new(atomic.Int64), nil)
	half.h, half.w = 4, 4
	half.read = func(_ context.Context, i int, _ request, dst any) (found, error) {
		for k := range dst.([]uint8) {
			dst.([]uint8)[k] = uint8(100 + 50*(k&1))
		}
		return found{}, nil
	}
	s.src.levels, s.Levels = []*series{half}, []Level{{4, 4}}
	for step, want := range map[int]float64{2: 100, 4: 125, 8: 125} {
		p, err := s.Region(ctx, 0, 1, 0, image.Rect(0, 0, 8, 8), step)
		if err != nil || p.W != 8/step || p.At(0, 0) != want {
			t.Errorf("step %d: %g, expected %g; %v", step, p.At(0, 0), want, err)
		}
		if p, err = s.Corners(ctx, 0, 1, 0, image.Rect(0, 0, 8, 8), step); err != nil || p.At(0, 0) != 1 {
			t.Errorf("step %d: the corner is %g, expected 1; %v", step, p.At(0, 0), err)
		}
	}
}

// TestRegionRefuses asks for what is not there.
func TestRegionRefuses(t *testing.T) {
	s, err := open(t, counting("ZYX", 2, 20, 30), tiff.EncodeOptions{}).Stack(NewCache(1<<20), Layout{})
	if err != nil {
		t.Fatal(err)
	}
	good := image.Rect(2, 3, 9, 8)
	for _, c := range []struct {
		z    int
		r    image.Rectangle
		step int
	}{{2, good, 1}, {-1, good, 1}, {0, good, 0}, {0, good, -1}, {0, good, 3}, {0, good, 1 << 16}, {0, good, math.MinInt}, {0, image.Rectangle{}, 1},
		{0, image.Rect(0, 0, 31, 5), 1}, {0, image.Rect(0, 0, 5, 21), 2}, {0, image.Rect(-1, 0, 5, 5), 1}, {0, image.Rectangle{image.Pt(9, 9), image.Pt(3, 3)}, 1},
		{0, image.Rectangle{image.Pt(math.MinInt, 0), image.Pt(math.MaxInt, 5)}, 1}, {0, image.Rectangle{image.Pt(0, math.MaxInt-1), image.Pt(5, math.MaxInt)}, 4}} {
		if _, err := s.Region(context.Background(), 0, c.z, 0, c.r, c.step); !errors.Is(err, fault.Inconsistent) {
			t.Errorf("%v at step %d of plane %d: %v", c.r, c.step, c.z, err)
		}
	}
	if p, err := s.Region(context.Background(), 0, 0, 0, good, 1<<15); err != nil || p.H != 1 || p.W != 1 {
		t.Errorf("one block for all: %d x %d, %v", p.H, p.W, err)
	}
}

// TestRegionGivesUp ends a long reduction with its context.
func TestRegionGivesUp(t *testing.T) {
	const side = 20000
	f, c, _ := openCounted(t, sparseStack(t, 1, side, side))
	s, err := f.Stack(NewCache(1<<20), Layout{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := s.Region(ctx, 0, 0, 0, image.Rect(0, 0, side, side), 16)
		done <- err
	}()
	for c.bytes.Load() < 1<<20 {
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if n := c.bytes.Load(); n > side*side/2 {
		t.Errorf("%d bytes were read all the same", n)
	}
}

// TestRegionReadsLittle reads a window of a large plane: hardly more than its own bytes, and an overview in little memory.
func TestRegionReadsLittle(t *testing.T) {
	const side = 30000
	f, c, _ := openCounted(t, sparseStack(t, 1, side, side))
	s, err := f.Stack(NewCache(1<<24), Layout{})
	if err != nil {
		t.Fatal(err)
	}
	before := c.bytes.Load()
	if _, err := s.Region(context.Background(), 0, 0, 0, image.Rect(14000, 15000, 15400, 15900), 1); err != nil {
		t.Fatal(err)
	}
	if n := c.bytes.Load() - before; n > 1400*900+1<<16 {
		t.Errorf("%d bytes were read for %d", n, 1400*900)
	}
	used := allocated(func() {
		if _, err := s.Region(context.Background(), 0, 0, 0, image.Rect(0, 0, side, side/4), 16); err != nil {
			t.Fatal(err)
		}
	})
	if used > 64<<20+side/16*side/64 {
		t.Errorf("%d MiB taken", used>>20)
	}
	t.Logf("overview: %d MiB taken, %d MiB resident", used>>20, residentMiB())
}

// TestMeansOfTallBlocks adds up as many of the largest samples as fields of a word must hold.
func TestMeansOfTallBlocks(t *testing.T) {
	const side = 600
	for _, c := range []struct{ low, high any }{{[]int8{-128}, []uint8{255}}, {[]int16{-1 << 15}, []uint16{1<<16 - 1}}, {[]int64{math.MinInt64}, []uint64{math.MaxUint64}},
		{[]int32{math.MinInt32}, []uint32{math.MaxUint32}}} {
		for _, one := range []any{c.low, c.high} {
			many := bytes.Repeat(pixel.Memory(one), side*side)
			out := append([]byte(nil), pixel.Memory(one)...)
			clear(out)
			switch one.(type) {
			case []uint8:
				reduce(out, many, side, 1024, false)
			case []int8:
				reduce(pixel.View[int8](out), pixel.View[int8](many), side, 1024, false)
			case []uint16:
				reduce(pixel.View[uint16](out), pixel.View[uint16](many), side, 1024, false)
			case []int16:
				reduce(pixel.View[int16](out), pixel.View[int16](many), side, 1024, false)
			case []uint32:
				reduce(pixel.View[uint32](out), pixel.View[uint32](many), side, 1024, false)
			case []int32:
				reduce(pixel.View[int32](out), pixel.View[int32](many), side, 1024, false)
			case []uint64:
				reduce(pixel.View[uint64](out), pixel.View[uint64](many), side, 1024, false)
			case []int64:
				reduce(pixel.View[int64](out), pixel.View[int64](many), side, 1024, false)
			}
			if !bytes.Equal(out, pixel.Memory(one)) {
				t.Errorf("%T: the mean of equal samples %v is %v in bytes", one, one, out)
			}
		}
	}
}
