package raster

import (
	"context"
	"fmt"
	"io"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/npy"
	"coverslip/datasets/raster/pixel"
)

// openArrays fills a File from NumPy's formats. ok is false for others.
func (f *File) openArrays(r io.ReaderAt, size int64) (ok bool, err error) {
	a, ok, err := npy.Open(r, size, f.Path)
	if ok {
		f.Format, f.Pages = "NPY", 1
		if err == nil {
			f.takeArray(a)
		}
		return true, err
	}
	members, notes, ok, err := npy.OpenZip(r, size, f.Path)
	if !ok || err != nil {
		return ok, err
	}
	f.Format, f.Pages, f.Notes = "NPZ", len(members), notes
	for _, m := range members {
		f.takeArray(m)
	}
	return true, nil
}

// takeArray adds an array as a series.
func (f *File) takeArray(a *npy.Array) {
	s := arraySeries(a)
	f.add(s, a.Name)
	if len(f.all) > 1 {
		return
	}
	f.Bits, f.bitsSource = 8*a.Type.Size(), f.Format
	if a.Type == Bool {
		f.Bits = 1
	}
	f.ScoringErr = &fault.Error{Kind: fault.Inconsistent, File: f.Path, Found: "a NumPy file", Expected: "an image file", Fix: "NumPy files are shown and not scored; save the array as TIFF"}
	if a.Len() == 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("an empty array of shape %v", a.Shape))
	}
	if c := coloursOf(a); c != nil {
		f.shown = c
		f.Notes = append(f.Notes, "the last axis is taken for red, green and blue")
	} else if len(a.Shape) > 2 {
		f.Notes = append(f.Notes, "a NumPy file names no axes: assign them if the sliders are wrong")
	}
}

// arraySeries gives the planes of an array: its last two axes, or one row for fewer. The leading axes count as unnamed on
// the screen.
func arraySeries(a *npy.Array) *series {
	s := &series{Header: a.Header, frames: 1, h: 1, w: 1, samples: 1, parts: true}
	n := len(a.Shape)
	if n > 0 {
		s.w = a.Shape[n-1]
	}
	if n > 1 {
		s.h = a.Shape[n-2]
	}
	for _, d := range a.Shape[:max(n-2, 0)] {
		s.lead, s.leadAxes = append(s.lead, d), s.leadAxes+"Q"
		s.frames *= d
	}
	s.read = arrayRows(a, s)
	return s
}

// arrayRows reads frames of an array, or the rows of a part of one.
func arrayRows(a *npy.Array, s *series) func(ctx context.Context, i int, rq request, dst any) (found, error) {
	return func(ctx context.Context, i int, rq request, dst any) (found, error) {
		from := i * s.elements()
		if rq.part.Empty() || rq.part.Dx() == s.w {
			return found{}, a.Read(ctx, from+rq.part.Min.Y*s.w*s.samples, dst)
		}
		n := rq.part.Dx() * s.samples
		for y := range rq.part.Dy() {
			at := from + ((rq.part.Min.Y+y)*s.w+rq.part.Min.X)*s.samples
			if err := a.Read(ctx, at, pixel.Slice(dst, y*n, (y+1)*n)); err != nil {
				return found{}, err
			}
		}
		return found{}, nil
	}
}

// coloursOf shows 8-bit arrays of axes Y X and three or four colours as a colour picture; nil for others.
func coloursOf(a *npy.Array) *series {
	n := len(a.Shape)
	if n != 3 || a.Type != Uint8 || a.Shape[2] != 3 && a.Shape[2] != 4 || a.Shape[0] <= 4 || a.Shape[1] <= 4 {
		return nil
	}
	s := &series{Header: Header{Shape: a.Shape, Axes: "YXS", Type: a.Type}, frames: 1, h: a.Shape[0], w: a.Shape[1], samples: a.Shape[2], rgb: true, alpha: a.Shape[2] == 4, parts: true}
	s.read = arrayRows(a, s)
	return s
}
