package track

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
	"coverslip/scoring/call"
)

// Movie is a label stack that is read frame by frame, with the reference's view of what the frames are (3.3).
type Movie struct {
	Frames, Y, X int
	Shape        []int    // of the first series as stored
	Notes        []string // what a user should know of the file
	Copies       int      // further series of the same shape

	file    *tiff.File
	series  tiff.Series
	byPage  bool // frames are the pages of the file
	closers []io.Closer
	once    sync.Once
	all     any // the whole series, where frames are no whole pages
	allErr  error
}

// notStack is the error for a readable file that is no label stack.
type notStack struct{ shape []int }

func (e notStack) Error() string {
	return "an array of " + call.Shape(e.shape) + " is no label stack; expected frames of one size with one value per pixel"
}

// OpenMovie reads the directories of a TIFF. Its errors say whether the file cannot be read or is no label stack
// (notStack). Pixels that cannot be decoded come to light in Frame.
func OpenMovie(path string) (*Movie, error) {
	m := &Movie{}
	f, err := m.open(path)
	if err == nil {
		err = m.lay(f, path)
	}
	if err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

func (m *Movie) open(path string) (f *tiff.File, err error) {
	o, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	m.closers = append(m.closers, o)
	info, err := o.Stat()
	if err != nil {
		return nil, err
	}
	return tiff.Open(o, info.Size(), path)
}

func (m *Movie) lay(f *tiff.File, path string) error {
	g := f.Group(func(name string) (*tiff.File, error) {
		return m.open(filepath.Join(filepath.Dir(path), filepath.Base(name)))
	})
	if g.Refused != nil {
		return g.Refused
	}
	m.file, m.series, m.Notes = f, g.Series[0], g.Notes
	m.Shape = m.series.Shape
	for _, s := range g.Series[1:] {
		if slices.Equal(s.Shape, m.Shape) {
			m.Copies++
		}
	}
	dims := slices.DeleteFunc(slices.Clone(m.Shape), func(n int) bool { return n == 1 })
	switch {
	case len(dims) == 2:
		m.Frames, m.Y, m.X = 1, dims[0], dims[1]
	case len(dims) == 3 && dims[2] != 3 && dims[2] != 4:
		m.Frames, m.Y, m.X = dims[0], dims[1], dims[2]
	default:
		return notStack{m.Shape}
	}
	m.byPage = len(m.Shape) == 3 && len(f.Pages) == m.Frames
	return nil
}

// Close releases the files.
func (m *Movie) Close() error {
	var errs []error
	for _, c := range m.closers {
		errs = append(errs, c.Close())
	}
	m.closers = nil
	return errors.Join(errs...)
}

// Frame reads frame t as Y x X values, a []E. scratch may be the result of an earlier call, which is then used again.
func (m *Movie) Frame(ctx context.Context, t int, scratch any) (values any, err error) {
	defer func() {
		if p := recover(); p != nil {
			values, err = nil, fmt.Errorf("frame %d: the reader failed: %v", t, p)
		}
	}()
	if m.byPage {
		return m.page(ctx, m.file.Pages[t], scratch)
	}
	per := product(m.Shape)
	if m.Frames > 1 {
		if t >= m.Shape[0] || product(m.Shape[1:]) != m.Y*m.X {
			return nil, fmt.Errorf("frame %d of an array of %s cannot be taken as %d x %d pixels", t, call.Shape(m.Shape), m.Y, m.X)
		}
		per = m.Y * m.X
	}
	return m.part(ctx, t*per, per, scratch)
}

// page reads a page of the file, which may be of another type than the first.
func (m *Movie) page(ctx context.Context, p *tiff.Page, scratch any) (any, error) {
	l := p.Layout
	if l.Elements() != m.Y*m.X {
		return nil, fmt.Errorf("page %d has %d values, expected %d x %d", p.Index+1, l.Elements(), m.Y, m.X)
	}
	values := room(scratch, l.Type, m.Y*m.X)
	_, err := m.file.Read(ctx, p, values, tiff.Request{Sample: -1, Strict: true})
	return values, err
}

// part reads n values of the series from a place on: whole pages where it can.
func (m *Movie) part(ctx context.Context, from, n int, scratch any) (any, error) {
	size := m.series.Layout.Elements()
	if size <= 0 || from%size != 0 || n%size != 0 {
		m.once.Do(func() {
			m.all, m.allErr = m.pages(ctx, 0, m.series.Frames.Count, pixel.New(m.series.Type, product(m.Shape)))
		})
		if m.allErr != nil {
			return nil, m.allErr
		}
		return pixel.Slice(m.all, from, from+n), nil
	}
	return m.pages(ctx, from/size, n/size, room(scratch, m.series.Type, n))
}

// pages reads count pages of the series into values.
func (m *Movie) pages(ctx context.Context, from, count int, values any) (any, error) {
	size := m.series.Layout.Elements()
	frames := m.series.Frames
	for i := range count {
		dst := pixel.Slice(values, i*size, (i+1)*size)
		var err error
		if frames.Pages == nil {
			err = frames.ReadBehind(ctx, from+i, dst, tiff.Request{Sample: -1})
		} else if fr := frames.Pages[from+i]; fr.Page != nil {
			_, err = fr.File.Read(ctx, fr.Page, dst, tiff.Request{Sample: -1, Strict: true})
		}
		if err != nil {
			return nil, err
		}
	}
	return values, ctx.Err()
}

// room is n zeros of a type, in the memory of scratch where that fits.
func room(scratch any, t pixel.Type, n int) any {
	fresh := pixel.New(t, 0)
	if pixel.Len(scratch) == n && fmt.Sprintf("%T", fresh) == fmt.Sprintf("%T", scratch) {
		clear(pixel.Memory(scratch))
		return scratch
	}
	return pixel.New(t, n)
}

func product(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}
