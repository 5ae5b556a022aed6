package raster

import (
	"context"
	"fmt"
	"image"
	"sync"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/parallel"
	"coverslip/datasets/raster/pixel"
)

// maxStep bounds how far a region is reduced; sums of a block of that side fit into 64 bits.
const maxStep = 1 << 15

// bandBytes is about how much of a frame a processor decodes at once while it is reduced: no more than its caches hold, unless strips or
// tiles are larger. bandMost bounds what is taken so that bands fall together with them.
const bandBytes, bandMost = 1 << 20, 16 << 20

// cut is the part of a plane that is asked for, and how far it is reduced. The zero cut is the whole plane as it is.
type cut struct {
	area    image.Rectangle
	step    int
	corners bool
}

// Region reads the pixels of a rectangle r of a plane, reduced to one sample for each block of step x step pixels, step being
// a power of two: the mean of the block, rounded half up where numbers are whole. Blocks lie on a grid that begins at the
// corner of the plane, so r grows to whole blocks; those at the far edges hold what is there of them. NaN counts in no mean.
// With step 1 it is what Plane has there.
//
// Only the strips, tiles, rows or files that cross r are read, of samples that are stored as they are only the columns, and a
// reduction goes through a frame in bands: memory is taken for the result and some 16 MiB, or for one strip where strips are larger. PNG, BMP
// and JPEG are decoded whole. Where the file has smaller copies of its planes (Levels) that are reduced as far or less, they
// are what the result is made from, whatever their writer thinks a mean is. Regions are cached as planes are.
func (s *Stack) Region(ctx context.Context, t, z, c int, r image.Rectangle, step int) (Plane, error) {
	return s.region(ctx, Place{t, z, c}, cut{area: r, step: step})
}

// Corners is Region with the upper left sample of each block for label images, whose numbers have no mean.
func (s *Stack) Corners(ctx context.Context, t, z, c int, r image.Rectangle, step int) (Plane, error) {
	return s.region(ctx, Place{t, z, c}, cut{area: r, step: step, corners: true})
}

func (s *Stack) region(ctx context.Context, p Place, k cut) (Plane, error) {
	if err := s.has(p.T, p.Z, p.C); err != nil {
		return Plane{}, err
	}
	whole := image.Rect(0, 0, s.Shape.X, s.Shape.Y)
	if k.area.Empty() || !k.area.In(whole) {
		return Plane{}, &fault.Error{Kind: fault.Inconsistent, Found: fmt.Sprintf("columns %d to %d, rows %d to %d", k.area.Min.X, k.area.Max.X, k.area.Min.Y, k.area.Max.Y),
			Expected: fmt.Sprintf("a rectangle within %d columns and %d rows", s.Shape.X, s.Shape.Y)}
	}
	if k.step < 1 || k.step > maxStep || k.step&(k.step-1) != 0 {
		return Plane{}, &fault.Error{Kind: fault.Inconsistent, Found: fmt.Sprintf("a reduction by %d", k.step), Expected: fmt.Sprintf("a power of two from 1 to %d", maxStep)}
	}
	k.area = blocks(k.area, k.step, whole)
	if !k.corners && k.step > 1 {
		if small, by := s.copyFor(k.step); small != nil {
			k.area, k.step = shrunk(k.area, by), k.step/by
			s, whole = small, image.Rect(0, 0, small.Shape.X, small.Shape.Y)
		}
	}
	if k.area == whole && k.step == 1 {
		return s.Plane(ctx, p.T, p.Z, p.C)
	}
	if s.src.parts {
		return s.take(ctx, p, k)
	}
	plane, err := s.Plane(ctx, p.T, p.Z, p.C)
	if err != nil {
		return Plane{}, err
	}
	return k.of(ctx, plane)
}

// blocks is a rectangle grown to whole blocks, as far as they lie on the plane.
func blocks(r image.Rectangle, step int, whole image.Rectangle) image.Rectangle {
	up := func(n int) int { return (n + step - 1) / step * step }
	return image.Rect(r.Min.X/step*step, r.Min.Y/step*step, up(r.Max.X), up(r.Max.Y)).Intersect(whole)
}

// shrunk is the blocks that a rectangle of whole blocks covers.
func shrunk(r image.Rectangle, step int) image.Rectangle {
	return image.Rect(r.Min.X/step, r.Min.Y/step, (r.Max.X+step-1)/step, (r.Max.Y+step-1)/step)
}

// copyFor is the smallest copy of the planes that holds a sample for each block of a side of by pixels, by being a power of two up to step;
// nil where there is none.
func (s *Stack) copyFor(step int) (small *Stack, by int) {
	for by := step; by > 1; by /= 2 {
		want := shrunk(image.Rect(0, 0, s.Shape.X, s.Shape.Y), by)
		for i, l := range s.Levels {
			if l.X == want.Max.X && l.Y == want.Max.Y {
				if small, err := s.Level(i + 1); err == nil {
					return small, by
				}
			}
		}
	}
	return nil, 0
}

// of cuts out of a plane in memory.
func (k cut) of(ctx context.Context, p Plane) (Plane, error) {
	size := p.Type.Held()
	if k.step == 1 {
		out := Plane{H: k.area.Dy(), W: k.area.Dx(), Type: p.Type, Values: pixel.New(p.Type, k.area.Dx()*k.area.Dy())}
		patch{tile: image.Rect(0, 0, p.W, p.H), area: k.area}.paste(out.Values, p.Values, size)
		return out, ctx.Err()
	}
	if k.area.Dx() != p.W {
		var err error
		if p, err = (cut{area: k.area, step: 1}).of(ctx, p); err != nil {
			return p, err
		}
		k.area = k.area.Sub(k.area.Min)
	}
	out := k.room(p.Type)
	unit := max(bandBytes/(p.W*size*k.step), 1) * k.step
	err := k.bands(ctx, unit, func(band image.Rectangle, row int) error {
		reduce(pixel.Slice(out.Values, row*out.W, pixel.Len(out.Values)), pixel.Slice(p.Values, band.Min.Y*p.W, band.Max.Y*p.W), p.W, k.step, k.corners)
		return nil
	})
	return out, err
}

// room is a plane for what is cut out.
func (k cut) room(t Type) Plane {
	size := shrunk(k.area.Sub(k.area.Min), k.step)
	return Plane{H: size.Dy(), W: size.Dx(), Type: t, Values: pixel.New(t, size.Dy()*size.Dx())}
}

// bands visits the bands of the area, several at a time: they end at multiples of unit, which is a multiple of the step. row is the first
// row of the result that a band gives.
func (k cut) bands(ctx context.Context, unit int, visit func(band image.Rectangle, row int) error) error {
	first, end := k.area.Min.Y/unit, (k.area.Max.Y+unit-1)/unit
	return parallel.Each(ctx, end-first, func(i int) error {
		band := image.Rect(k.area.Min.X, (first+i)*unit, k.area.Max.X, (first+i+1)*unit).Intersect(k.area)
		return visit(band, (band.Min.Y-k.area.Min.Y)/k.step)
	})
}

// planes decodes a frame, or what is cut out of it, into planes: all samples where they lie side by side, the one asked for where
// they do not. first is the sample of the first plane.
func (k planeKey) planes(ctx context.Context) (planes []Plane, first int, err error) {
	if k.src.planar {
		first = k.sample
	}
	if k.cut.step > 1 {
		planes, err = k.reduced(ctx)
		return planes, first, err
	}
	area := k.cut.area
	h, w := k.src.h, k.src.w
	if !area.Empty() {
		h, w = area.Dy(), area.Dx()
	}
	parts, err := k.sharp(ctx, area, nil)
	for _, values := range parts {
		planes = append(planes, Plane{H: h, W: w, Type: k.src.Type, Values: values})
	}
	return planes, first, err
}

// sharp decodes a part of a frame at full size; an empty part is the whole frame. It reuses room where that is large enough.
func (k planeKey) sharp(ctx context.Context, part image.Rectangle, room any) (planes []any, err error) {
	s, size := k.src, k.src.size(part)
	if s.hand != nil {
		return s.hand(ctx, k.frame, part)
	}
	rq, n := request{sample: -1, split: s.splits, part: part}, s.samples
	if s.planar {
		rq.sample, n = k.sample, 1
	}
	values, err := s.fill(ctx, k.frame, rq, size*n, room)
	switch {
	case err != nil:
		return nil, err
	case n == 1:
		return []any{values}, nil
	}
	for i := range n {
		if s.splits {
			planes = append(planes, pixel.Slice(values, i*size, (i+1)*size))
		} else {
			planes = append(planes, pixel.Every(values, i, n))
		}
	}
	return planes, nil
}

// fill reads n samples into room, or into new memory where it is too small.
func (s *series) fill(ctx context.Context, frame int, rq request, n int, room any) (any, error) {
	if n > MaxArrayBytes/s.Type.Held() {
		return nil, tooLargeFrame("", s)
	}
	values := room
	if pixel.Len(room) < n {
		values = pixel.New(s.Type, n)
	} else {
		values = pixel.Slice(room, 0, n)
		clear(pixel.Memory(values))
	}
	_, err := s.read(ctx, frame, rq, values)
	return values, err
}

// reduced goes through a part of a frame in bands.
func (k planeKey) reduced(ctx context.Context) (out []Plane, err error) {
	n := k.src.samples
	if k.src.planar {
		n = 1
	}
	for range n {
		out = append(out, k.cut.room(k.src.Type))
	}
	alone := k.cut.corners && k.src.rows <= 1 // rows in between need not be read
	var rooms sync.Pool
	err = k.cut.bands(ctx, k.unit(n), func(band image.Rectangle, row int) error {
		rows := band.Dy()
		if alone {
			rows = 1
		}
		room := rooms.Get()
		if room == nil && k.src.hand == nil {
			room = pixel.New(k.src.Type, rows*band.Dx()*n)
		}
		defer rooms.Put(room)
		for ; band.Min.Y < band.Max.Y; row++ {
			part := band
			if alone {
				part.Max.Y = part.Min.Y + 1
			}
			planes, err := k.sharp(ctx, part, room)
			if err != nil {
				return err
			}
			for i, values := range planes {
				to := out[i].Values
				reduce(pixel.Slice(to, row*out[i].W, pixel.Len(to)), values, band.Dx(), k.cut.step, k.cut.corners)
			}
			if !alone {
				break
			}
			band.Min.Y += k.cut.step
		}
		return nil
	})
	return out, err
}

// unit is how many rows make a band: whole blocks, and as far as that is not too much, whole strips or tiles, which would else be
// decoded for two bands.
func (k planeKey) unit(samples int) int {
	grain, step := max(k.src.rows, 1), k.cut.step
	rowBytes := k.cut.area.Dx() * samples * k.src.Type.Held()
	unit := step
	for unit%grain != 0 && unit*rowBytes < bandMost {
		unit += step
	}
	if unit%grain != 0 {
		unit = max((grain+step-1)/step, 1) * step
	}
	return max(bandBytes/(rowBytes*unit), 1) * unit
}
