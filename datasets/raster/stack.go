package raster

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"coverslip/datasets/fault"
)

// Layout steers the display policy where a file is silent.
type Layout struct {
	Axes    string // one letter per axis of the series, from MPTZCYXS; "" takes the file's own
	Unnamed byte   // 'Z' or 'T': what a lone unnamed leading axis (I, Q) means; 0 takes Z
	Series  int    // the nth of File.Series, counted from 1; 0 leaves the choice to the file
	Apart   bool   // the tiles of a mosaic one by one along T, not laid out as one plane
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
	Mosaic        *Mosaic // how the planes are laid out from tiles, nil for most files
	Positions     int     // how many stage positions or tiles T runs over before time: T / Positions points in time; 1 for most files
	Levels        []Level // sizes of the smaller copies that Level gives, largest first

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
	src, letters, err := f.choose(layout)
	if err != nil {
		return nil, err
	}
	var mosaic *Mosaic
	if k := strings.IndexByte(letters, 'M'); k >= 0 && !layout.Apart {
		if mosaic = f.mosaic; mosaic == nil || src != f.shown || len(mosaic.Tiles) != src.lead[k] {
			mosaic = rowByRow(src.lead[k], src)
		}
		src = src.laidOut(mosaic, k)
		letters = letters[:k] + letters[k+1:]
	}
	s := &Stack{Mosaic: mosaic, Type: src.Type, Calibration: f.Calibration, Axes: src.Axes, Palette: f.look.palette, MinIsWhite: f.look.minIsWhite && src.Type != Bool,
		Offset: f.look.offset, Slope: f.look.slope, src: src, cache: cache, samples: src.samples}
	s.axes = mapAxes(src.lead, letters, layout.Unnamed)
	s.Positions = 1
	for i, l := range letters {
		if l == 'P' || l == 'M' {
			s.Positions *= src.lead[i]
		}
	}
	for _, l := range src.levels {
		s.Levels = append(s.Levels, Level{Y: l.h, X: l.w})
	}
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
		f.onClose(func() {
			cache.drop(src)
			for _, l := range src.levels {
				cache.drop(l)
			}
		})
	}
	return s, nil
}

// choose finds the series to be shown and the letters of its leading axes.
func (f *File) choose(layout Layout) (src *series, letters string, err error) {
	src = f.shown
	if layout.Axes != "" && f.inkSource == "" {
		src = f.scored
	}
	if n := layout.Series; n != 0 {
		if n < 0 || n > len(f.all) {
			return nil, "", &fault.Error{Kind: fault.Inconsistent, File: f.Path, Found: fmt.Sprintf("series %d", n), Expected: fmt.Sprintf("1 to %d", len(f.all))}
		}
		src = f.all[n-1]
	}
	if src.h == 0 || src.w == 0 || src.frames == 0 {
		return nil, "", &fault.Error{Kind: fault.Inconsistent, File: f.Path, Found: fmt.Sprintf("an empty array of shape %v", src.Shape), Expected: "pixels to show"}
	}
	if layout.Axes == "" {
		return src, src.leadAxes, nil
	}
	letters, err = relabel(f.Path, src, layout.Axes)
	return src, letters, err
}

// Level is the size of a smaller copy of a stack's planes.
type Level struct{ Y, X int }

// Level is the stack of the nth smaller copy, counted from 1: the same T Z C, fewer Y and X, larger pixels. 0 is the stack
// itself. It shares the cache and ends with the file.
func (s *Stack) Level(n int) (*Stack, error) {
	if n == 0 {
		return s, nil
	}
	if n < 0 || n > len(s.Levels) {
		return nil, &fault.Error{Kind: fault.Inconsistent, Found: fmt.Sprintf("level %d", n), Expected: fmt.Sprintf("0 to %d", len(s.Levels))}
	}
	src := s.src.levels[n-1]
	out := &Stack{Shape: s.Shape, Type: s.Type, RGB: s.RGB, Calibration: s.Calibration, Channels: s.Channels, Axes: s.Axes, Palette: s.Palette,
		MinIsWhite: s.MinIsWhite, Offset: s.Offset, Slope: s.Slope, Positions: s.Positions, src: src, cache: s.cache, axes: s.axes, samples: s.samples}
	out.Shape.Y, out.Shape.X = src.h, src.w
	out.Calibration.Y *= float64(s.Shape.Y) / float64(src.h)
	out.Calibration.X *= float64(s.Shape.X) / float64(src.w)
	return out, nil
}

// relabel gives the letters of the leading axes when a user names the axes of a series.
func relabel(file string, s *series, axes string) (string, error) {
	bad := func(expected string) error {
		return &fault.Error{Kind: fault.Inconsistent, File: file, Found: fmt.Sprintf("axes %q for a file of shape %v", axes, s.Shape), Expected: expected}
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
	if err := s.has(t, z, c); err != nil {
		return Plane{}, err
	}
	return s.take(ctx, Place{t, z, c}, cut{})
}

// has tells why there is no such plane, or nil.
func (s *Stack) has(t, z, c int) error {
	if t >= 0 && z >= 0 && c >= 0 && t < s.Shape.T && z < s.Shape.Z && c < s.Shape.C {
		return nil
	}
	return &fault.Error{Kind: fault.Inconsistent, Found: fmt.Sprintf("plane t %d, z %d, c %d", t, z, c),
		Expected: fmt.Sprintf("t below %d, z below %d, c below %d", s.Shape.T, s.Shape.Z, s.Shape.C)}
}

// take finds a plane, or what is cut out of it.
func (s *Stack) take(ctx context.Context, p Place, k cut) (Plane, error) {
	frame, sample := s.find(p)
	key := planeKey{s.src, frame, sample, k}
	if s.cache != nil {
		return s.cache.plane(ctx, key)
	}
	planes, first, err := key.planes(ctx)
	if err != nil {
		return Plane{}, err
	}
	return planes[sample-first], nil
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
