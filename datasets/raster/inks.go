package raster

import (
	"context"
	"image"
)

// showInks lets the screen show the colours of a picture in four inks. Scoring goes on to see the inks.
func (f *File) showInks(source string) {
	f.inkSource = source
	f.shown = f.scored.inColours()
	f.Notes = append(f.Notes, "the picture is stored as four inks (CMYK): the screen shows their colours, scoring sees the inks as they are stored")
}

// inColours is the red, green and blue of a series of inks. The inks of a frame are turned into colours where they lie.
func (s *series) inColours() *series {
	out := *s
	out.Shape = append([]int(nil), s.Shape...)
	for i := range out.Axes {
		if out.Axes[i] == 'S' {
			out.Shape[i] = 3
		}
	}
	out.samples, out.planar, out.splits, out.rgb, out.alpha = 3, false, false, true, false
	out.levels = nil
	for _, l := range s.levels {
		out.levels = append(out.levels, l.inColours())
	}
	out.hand = func(ctx context.Context, frame int, part image.Rectangle) ([]any, error) {
		n := s.size(part)
		values, err := s.fill(ctx, frame, request{sample: -1, split: s.splits, part: part}, n*s.samples, nil)
		if err != nil {
			return nil, err
		}
		if v, ok := values.([]uint16); ok {
			return mixed(v, n, s), nil
		}
		return mixed(values.([]uint8), n, s), nil
	}
	return &out
}

// mixed turns the inks of n pixels into planes of colours: what an ink leaves of the light, times what black leaves of it.
func mixed[E uint8 | uint16](inks []E, n int, s *series) (planes []any) {
	full := uint32(^E(0))
	step, next := s.samples, 1 // from pixel to pixel, from ink to ink
	if s.planar || s.splits {
		step, next = 1, n
	}
	var out [3][]E
	for k := range out {
		if out[k] = inks[k*next:]; step == 1 {
			out[k] = out[k][:n:n]
		} else {
			out[k] = make([]E, n)
		}
	}
	for i := range n {
		at := i * step
		black := full - uint32(inks[at+3*next])
		for k := range out {
			out[k][i] = E(((full-uint32(inks[at+k*next]))*black + full/2) / full)
		}
	}
	for _, plane := range out {
		planes = append(planes, plane)
	}
	return planes
}
