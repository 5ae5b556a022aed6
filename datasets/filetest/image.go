package filetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

// maxSamples are read whole; of larger arrays, made of nothing but a number in a header, shape and type are compared.
const maxSamples = 1 << 28

func (v Vector) checkImage(ctx context.Context, path string) (err error) {
	var f *raster.File
	var readErr, stackErr, late error
	hash := ""
	err = v.measure(func() {
		begin := time.Now()
		f, readErr = raster.Open(ctx, path)
		late = v.inTime(begin)
		if readErr != nil {
			return
		}
		if f.Series[0].Len() <= maxSamples {
			hash, readErr = raster.Hash(ctx, f)
		}
		if f.Series[0].Len() > 0 {
			_, stackErr = f.Stack(nil, raster.Layout{})
		}
	})
	if f != nil {
		defer f.Close()
	}
	switch {
	case err != nil:
		return err
	case late != nil:
		return late
	case stackErr != nil:
		return fmt.Errorf("no stack: %v", stackErr)
	case v.Outcome == "survive":
		return nil
	case readErr != nil || v.Outcome == "error":
		return v.checkError(readErr)
	}
	return v.compare(ctx, f, hash)
}

func (v Vector) compare(ctx context.Context, f *raster.File, hash string) error {
	h := f.Series[0]
	switch {
	case v.Shape != nil && fmt.Sprint(h.Shape) != fmt.Sprint(v.Shape):
		return fmt.Errorf("shape %v %s, expected %v %s; notes %q", h.Shape, h.Axes, v.Shape, *v.Axes, f.Notes)
	case v.Axes != nil && h.Axes != *v.Axes:
		return fmt.Errorf("axes %s, expected %s", h.Axes, *v.Axes)
	case v.Type != nil && h.Type.String() != *v.Type:
		return fmt.Errorf("type %s, expected %s", h.Type, *v.Type)
	case v.Hash != nil && hash != *v.Hash:
		return fmt.Errorf("other numbers; notes %q", f.Notes)
	}
	notes := f.Notes
	if h.Len() <= maxSamples {
		a, more, err := f.Whole(ctx)
		if err != nil {
			return err
		}
		notes = append(notes, more...)
		if h.Len() == 0 {
			return nil
		}
		if err := corners(ctx, f, a); err != nil {
			return err
		}
	}
	if v.Outcome == "warn" && len(notes) == 0 {
		return fmt.Errorf("no note, expected one like %q", v.Warn)
	}
	if err := v.score(ctx, f, hash, notes); err != nil {
		return err
	}
	if err := errors.Join(v.Metadata.check(f), v.checkLevels(ctx, f), v.checkScreen(ctx, f), v.checkArrays(ctx, f)); err != nil {
		return err
	}
	return v.probe(ctx, f)
}

// checkLevels compares the sizes of the smaller copies and reads each.
func (v Vector) checkLevels(ctx context.Context, f *raster.File) error {
	if len(v.Display.Levels) == 0 {
		return nil
	}
	s, err := f.Stack(raster.NewCache(1<<20), raster.Layout{})
	if err != nil {
		return err
	}
	if len(s.Levels) != len(v.Display.Levels)-1 {
		return fmt.Errorf("levels %v, expected %v", s.Levels, v.Display.Levels)
	}
	for i, want := range v.Display.Levels {
		l, err := s.Level(i)
		if err != nil {
			return err
		}
		p, err := l.Plane(ctx, l.Shape.T-1, l.Shape.Z-1, l.Shape.C-1)
		if got := []int{p.H, p.W}; err != nil || !slices.Equal(got, want[len(want)-2:]) {
			return fmt.Errorf("level %d of size %v, expected %v; %v", i, got, want, err)
		}
	}
	return nil
}

// checkScreen compares what the screen shows where that is more than scoring sees, and calibrated values.
func (v Vector) checkScreen(ctx context.Context, f *raster.File) error {
	if v.Display.Shape == nil && v.Display.Min == nil {
		return nil
	}
	s, err := f.Stack(nil, raster.Layout{})
	if err != nil {
		return err
	}
	if want := v.Display.Shape; want != nil {
		planes, size := s.Shape.T*s.Shape.Z*s.Shape.C, want[len(want)-2:]
		if product(want[:len(want)-2]) != planes || !slices.Equal(size, []int{s.Shape.Y, s.Shape.X}) {
			return fmt.Errorf("the screen shows %+v, expected %v", s.Shape, want)
		}
	}
	if v.Display.Min == nil || v.Display.Max == nil {
		return nil
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	err = eachPlane(ctx, s, func(p raster.Plane) {
		for i := range p.H * p.W {
			x := s.Offset + s.Slope*p.At(i/p.W, i%p.W)
			lo, hi = min(lo, x), max(hi, x)
		}
	})
	if err == nil && (lo != *v.Display.Min || hi != *v.Display.Max) {
		err = fmt.Errorf("calibrated values from %g to %g, expected %g to %g", lo, hi, *v.Display.Min, *v.Display.Max)
	}
	return err
}

func product(extents []int) int {
	n := 1
	for _, e := range extents {
		n *= e
	}
	return n
}

// eachPlane reads a stack plane by plane, time slowest, channels fastest.
func eachPlane(ctx context.Context, s *raster.Stack, do func(raster.Plane)) error {
	for i := range s.Shape.T * s.Shape.Z * s.Shape.C {
		p, err := s.Plane(ctx, i/s.Shape.C/s.Shape.Z, i/s.Shape.C%s.Shape.Z, i%s.Shape.C)
		if err != nil {
			return err
		}
		do(p)
	}
	return nil
}

// checkArrays compares the arrays of an NPZ: shape, type, and the numbers plane by plane.
func (v Vector) checkArrays(ctx context.Context, f *raster.File) error {
	if f.Format != "NPZ" {
		return nil
	}
	var arrays map[string]struct {
		Shape []int  `json:"shape"`
		Type  string `json:"dtype"`
		Hash  string `json:"sha256_le"`
	}
	if err := json.Unmarshal(v.Members, &arrays); err != nil {
		return err
	}
	if len(arrays) != len(f.Series) {
		return fmt.Errorf("arrays %q, expected %d", f.Names, len(arrays))
	}
	for i, name := range f.Names {
		h, want := f.Series[i], arrays[name]
		if !slices.Equal(h.Shape, want.Shape) || h.Type.String() != want.Type {
			return fmt.Errorf("array %q is %v %s, expected %v %s", name, h.Shape, h.Type, want.Shape, want.Type)
		}
		s, err := f.Stack(nil, raster.Layout{Series: i + 1})
		if err != nil {
			return err
		}
		whole := raster.Array{Type: h.Type, Values: pixel.New(h.Type, h.Len())}
		memory := pixel.Memory(whole.Values)
		err = eachPlane(ctx, s, func(p raster.Plane) { memory = memory[copy(memory, pixel.Memory(p.Values)):] })
		if err != nil || len(memory) > 0 || raster.HashArray(whole) != want.Hash {
			return fmt.Errorf("array %q reads as other numbers; %v", name, err)
		}
	}
	return nil
}

// corners compares the first sample of the first plane and the last sample of the last plane of the stack with the array.
func corners(ctx context.Context, f *raster.File, a raster.Array) error {
	s, err := f.Stack(raster.NewCache(1<<26), raster.Layout{})
	if err != nil {
		return err
	}
	n := s.Shape.T * s.Shape.Z * s.Shape.C * s.Shape.Y * s.Shape.X
	if s.Mosaic != nil || n != pixel.Len(a.Values) { // the screen shows more, or leaves out opacity
		return nil
	}
	first, err := s.Plane(ctx, 0, 0, 0)
	if err != nil {
		return err
	}
	last, err := s.Plane(ctx, s.Shape.T-1, s.Shape.Z-1, s.Shape.C-1)
	if err != nil {
		return err
	}
	whole := raster.Plane{H: 1, W: n, Type: a.Type, Values: a.Values}
	same := func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }
	if got := last.At(last.H-1, last.W-1); !same(first.At(0, 0), whole.At(0, 0)) || !same(got, whole.At(0, n-1)) {
		return fmt.Errorf("the stack's corners are %g and %g, the array's %g and %g", first.At(0, 0), got, whole.At(0, 0), whole.At(0, n-1))
	}
	return nil
}

// score checks the scoring policy: Array fails where the reference fails, unless for want of its codec package, and
// gives the same numbers where it reads.
func (v Vector) score(ctx context.Context, f *raster.File, hash string, notes []string) error {
	asTIFF := strings.HasPrefix(strings.ToLower(filepath.Ext(f.Path)), ".tif")
	if v.Reference.Reads == nil || f.Series[0].Len() > maxSamples || asTIFF && !strings.Contains(v.Reference.Reader, "tifffile") {
		return nil
	}
	a, err := f.Array(ctx)
	switch reads := *v.Reference.Reads; {
	case reads && err != nil:
		return fmt.Errorf("the reference reads what Array refuses: %v", err)
	case reads && slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "cut to 8 bits") }):
	case reads && v.Reference.Same != nil && *v.Reference.Same && raster.HashArray(a) != hash:
		return errors.New("Array gives other numbers than Hash")
	case !reads && err == nil && !slices.Contains(notes, tiff.CodecNote):
		return errors.New("the reference cannot read the file, Array does")
	}
	return nil
}

// probe compares single samples and planes.
func (v Vector) probe(ctx context.Context, f *raster.File) error {
	if len(v.Probes) == 0 {
		return nil
	}
	type probe struct {
		Index     []int    `json:"index"`
		Value     *float64 `json:"value"`
		Tolerance float64  `json:"tolerance"`
		Plane     []int    `json:"plane"`
		Hash      string   `json:"sha256_le"`
		All       *float64 `json:"all"`
	}
	var probes []probe
	var means []float64
	tolerance := 0.0
	if json.Unmarshal(v.Probes, &probes) != nil {
		var doc struct {
			Pixels    []probe
			Means     []float64 `json:"channel_means"`
			Tolerance float64   `json:"mean_tolerance"`
		}
		if err := json.Unmarshal(v.Probes, &doc); err != nil {
			return err
		}
		probes, means, tolerance = doc.Pixels, doc.Means, doc.Tolerance
	}
	if f.Series[0].Len() > maxSamples {
		return nil
	}
	a, _, err := f.Whole(ctx)
	if err != nil {
		return err
	}
	if err := sameMeans(a, means, tolerance); err != nil {
		return err
	}
	for _, p := range probes {
		at, size := 0, pixel.Len(a.Values)
		for i, k := range append(p.Index, p.Plane...) {
			size /= a.Shape[i]
			at += k * size
		}
		part := raster.Array{Type: a.Type, Values: pixel.Slice(a.Values, at, at+size)}
		got := raster.Plane{H: 1, W: size, Type: a.Type, Values: part.Values}
		switch {
		case p.Value != nil && math.Abs(got.At(0, 0)-*p.Value) > p.Tolerance:
			return fmt.Errorf("at %v %g, expected %g within %g", p.Index, got.At(0, 0), *p.Value, p.Tolerance)
		case p.Hash != "" && raster.HashArray(part) != p.Hash:
			return fmt.Errorf("plane %v differs", p.Plane)
		case p.All != nil && (got.At(0, 0) != *p.All || got.At(0, size-1) != *p.All):
			return fmt.Errorf("plane %v is not all %g", p.Plane, *p.All)
		}
	}
	return nil
}

// sameMeans compares the mean of each sample of a picture, whose samples lie side by side.
func sameMeans(a raster.Array, means []float64, tolerance float64) error {
	for k, want := range means {
		part := pixel.Every(a.Values, k, len(means))
		p := raster.Plane{H: 1, W: pixel.Len(part), Type: a.Type, Values: part}
		got := 0.0
		for i := range p.W {
			got += p.At(0, i) / float64(p.W)
		}
		if math.Abs(got-want) > tolerance {
			return fmt.Errorf("sample %d is %g on average, expected %g within %g", k, got, want, tolerance)
		}
	}
	return nil
}
