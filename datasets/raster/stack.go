package raster

import (
	"context"
	"fmt"
	"sync"

	"coverslip/datasets/fault"
)

// Layout steers the display policy where a file is silent.
type Layout struct {
	Axes    string // one letter per axis of the first series, from TZCYXS; "" takes the file's own
	Unnamed byte   // 'Z' or 'T': what a lone unnamed leading axis (I, Q) means; 0 takes Z
}

// Stack is pixels that are not read yet. It is safe for use by several goroutines.
type Stack struct {
	Shape       Shape
	Type        Type
	RGB         bool // channels 0..2 are red, green, blue of a colour picture
	Calibration Calibration
	Channels    []Channel  // len == Shape.C
	Axes        string     // the file's axes that T Z C Y X were made from
	Palette     [][3]uint8 // colours of the stored indices, nil for most files; label layers ignore it
	MinIsWhite  bool       // a continuous-tone image is to be shown inverted; masks and labels never are
	// Offset and Slope give the calibrated value Offset + Slope x sample of an ImageJ file; Slope 0 means none.
	Offset, Slope float64

	src      *series
	cache    *Cache
	axes     axisMap
	samples  int // samples of a frame that are channels
	mu       sync.Mutex
	stopLast context.CancelFunc // ends the last prefetch
}

// Stack gives the display policy: five axes T Z C Y X over the same pages, planes read when asked for.
// Chunky and planar RGB become three channels with RGB set; opacity is left out.
func (f *File) Stack(cache *Cache, layout Layout) (*Stack, error) {
	src := f.shown
	letters := src.leadAxes
	if layout.Axes != "" {
		var err error
		if letters, err = f.relabel(layout.Axes); err != nil {
			return nil, err
		}
		src = f.scored
	}
	s := &Stack{Type: src.Type, Calibration: f.Calibration, Axes: src.Axes, Palette: f.look.palette, MinIsWhite: f.look.minIsWhite && src.Type != Bool,
		Offset: f.look.offset, Slope: f.look.slope, src: src, cache: cache, samples: src.samples}
	s.axes = mapAxes(src.lead, letters, layout.Unnamed)
	channels := s.axes.extent('C')
	s.RGB = src.rgb && channels == 1
	if s.RGB && src.alpha {
		s.samples = 3
	}
	s.Shape = Shape{T: s.axes.extent('T'), Z: s.axes.extent('Z'), C: channels * s.samples, Y: src.h, X: src.w}
	s.Channels = make([]Channel, s.Shape.C)
	if !s.RGB {
		copy(s.Channels, f.Channels)
	}
	if cache != nil {
		f.onClose(func() { cache.drop(src) })
	}
	return s, nil
}

// relabel gives the letters of the leading axes when a user names the axes of the first series.
func (f *File) relabel(axes string) (string, error) {
	s := f.scored
	bad := func(expected string) error {
		return &fault.Error{Kind: fault.Inconsistent, File: f.Path, Found: fmt.Sprintf("axes %q for a file of shape %v", axes, s.Shape), Expected: expected}
	}
	if len(axes) != len(s.Shape) || len(s.lead) > len(axes) {
		return "", bad(fmt.Sprintf("%d letters", len(s.Shape)))
	}
	for i, d := range s.lead {
		if d != s.Shape[i] {
			return "", bad("the file's own axes, which a note in the file has reshaped")
		}
	}
	for i := range axes {
		if own := s.Axes[i]; i >= len(s.lead) && own != axes[i] && !(own == 'S' && axes[i] == 'C') {
			return "", bad(fmt.Sprintf("%s at the end", s.Axes[len(s.lead):]))
		}
	}
	return axes[:len(s.lead)], nil
}

// Place names a plane of a stack.
type Place struct{ T, Z, C int }

// Plane returns one plane, from the cache or the file. t, z, c are 0-based.
func (s *Stack) Plane(ctx context.Context, t, z, c int) (Plane, error) {
	if t < 0 || z < 0 || c < 0 || t >= s.Shape.T || z >= s.Shape.Z || c >= s.Shape.C {
		return Plane{}, &fault.Error{Kind: fault.Inconsistent, Found: fmt.Sprintf("plane t %d, z %d, c %d", t, z, c),
			Expected: fmt.Sprintf("t below %d, z below %d, c below %d", s.Shape.T, s.Shape.Z, s.Shape.C)}
	}
	frame, sample := s.find(Place{t, z, c})
	if s.cache == nil {
		planes, _, err := s.src.planes(ctx, frame, sample)
		if err != nil {
			return Plane{}, err
		}
		return planes[min(sample, len(planes)-1)], nil
	}
	return s.cache.plane(ctx, s.src, frame, sample)
}

// find gives the frame and the sample of a plane.
func (s *Stack) find(p Place) (frame, sample int) {
	return s.axes.frame(p.T, p.Z, p.C/s.samples), p.C % s.samples
}

// Prefetch reads planes in the background so that Plane finds them in the cache; it never blocks. Later calls replace
// earlier ones. What would not fit into half of the cache is left out.
func (s *Stack) Prefetch(planes []Place) {
	if s.cache == nil {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	s.mu.Lock()
	if s.stopLast != nil {
		s.stopLast()
	}
	s.stopLast = stop
	s.mu.Unlock()
	size := s.Shape.Y * s.Shape.X * s.Type.Held()
	fit := min(len(planes), s.cache.limit/2/max(size, 1))
	todo := append([]Place(nil), planes[:fit]...)
	go func() {
		defer stop()
		for _, p := range todo {
			if ctx.Err() != nil {
				return
			}
			if _, err := s.Plane(ctx, p.T, p.Z, p.C); err != nil {
				return // shown when the plane is asked for
			}
		}
	}()
}
