package raster

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/parallel"
	"coverslip/datasets/raster/pixel"
)

// series is one array of a file whatever its format: frames of equal size, read one at a time.
type series struct {
	Header
	lead     []int  // extents of the axes that frames run along
	leadAxes string // their letters
	frames   int    // product of lead, or more precisely the number of frames there are
	h, w     int
	samples  int
	splits   bool      // a frame can be read with a plane for each sample although they lie side by side
	planar   bool      // samples of a frame lie one plane after the other; otherwise side by side
	rgb      bool      // the first three samples are red, green, blue
	alpha    bool      // the sample behind them is opacity
	parts    bool      // a part of a frame can be read without decoding all of it
	rows     int       // how many rows of a frame are decoded together; 0 or 1 where any row can be read alone
	levels   []*series // smaller copies of the frames, largest first
	read     func(ctx context.Context, frame int, rq request, dst any) (found, error)
	// hand, where it is there, reads a frame, or a part of it, as one plane for each sample, in memory of its own: for decoders
	// whose memory can become the planes.
	hand func(ctx context.Context, frame int, part image.Rectangle) (planes []any, err error)
}

// found is what came to light while reading a frame.
type found struct {
	cut  bool   // pixels are missing
	note string // something else to know, or ""
}

// request says how to read a frame.
type request struct {
	split  bool            // samples that lie side by side one plane after the other, of a series that splits
	sample int             // one sample of a planar frame; -1 for all
	strict bool            // missing pixels are an error
	part   image.Rectangle // of the frame, of a series with parts; empty for all of it
}

// elements is the number of samples of one frame.
func (s *series) elements() int { return s.h * s.w * s.samples }

// size is the number of pixels of a part of a frame; of the whole frame where the part is empty.
func (s *series) size(part image.Rectangle) int {
	if part.Empty() {
		return s.h * s.w
	}
	return part.Dx() * part.Dy()
}

// tooLargeFrame says that one frame alone is beyond the limit.
func tooLargeFrame(file string, s *series) error {
	return &fault.Error{Kind: fault.TooLarge, File: file, Found: fmt.Sprintf("a plane of %d x %d pixels and %d samples", s.h, s.w, s.samples),
		Expected: "at most 8 GiB"}
}

// MaxArrayBytes is the largest array that is read whole.
const MaxArrayBytes = 1 << 33

// whole reads all frames. notes tell of frames with missing pixels, which read as zero unless strict, and of other finds.
func (s *series) whole(ctx context.Context, file string, strict bool) (a Array, notes []string, err error) {
	n := 1
	for _, d := range s.Shape {
		if d != 0 && n > math.MaxInt/8/d {
			n = math.MaxInt / 8
			break
		}
		n *= d
	}
	if n > MaxArrayBytes/s.Type.Held() {
		return Array{}, nil, &fault.Error{Kind: fault.TooLarge, File: file, Found: fmt.Sprintf("an array of shape %v and type %s", s.Shape, s.Type),
			Expected: "at most 8 GiB"}
	}
	values := pixel.New(s.Type, n)
	per := s.elements()
	finds := make([]found, s.frames)
	err = parallel.Each(ctx, s.frames, func(i int) (err error) {
		finds[i], err = s.read(ctx, i, request{sample: -1, strict: strict}, pixel.Slice(values, i*per, (i+1)*per))
		return err
	})
	if err != nil {
		return Array{}, nil, err
	}
	return Array{Shape: append([]int(nil), s.Shape...), Axes: s.Axes, Type: s.Type, Values: values}, summary(finds), nil
}

// summary says what came to light, three cut frames by number at most.
func summary(finds []found) (notes []string) {
	cut := 0
	for i, f := range finds {
		if f.cut {
			cut++
			if cut <= 3 {
				notes = append(notes, fmt.Sprintf("page %d is cut off, what is missing reads as zero", i+1))
			}
		}
		if f.note != "" && !slices.Contains(notes, f.note) {
			notes = append(notes, f.note)
		}
	}
	if cut > 3 {
		notes = append(notes, fmt.Sprintf("%d more pages are cut off", cut-3))
	}
	return notes
}
