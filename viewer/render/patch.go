package render

import (
	"image"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
)

// Patch is a rectangle of a plane with finer samples than the channel's own, for planes that are too large to be held whole.
type Patch struct {
	Plane raster.Plane // its samples, as Region of a stack gives them
	At    image.Point  // upper left pixel: X column, Y row; a multiple of the channel's Step
	Step  int          // pixels along the side of a sample, a power of two below the channel's Step
	data  *samples
}

// PrepareOverview readies the means of blocks of step x step pixels in the place of a plane that is too large. Contrast limits, range and
// histogram are those of the means.
func PrepareOverview(means raster.Plane, step int) Channel {
	return prepareChannel(means, 0.5).Coarse(step)
}

// Coarse says that the channel's samples are of blocks of step x step pixels.
func (c Channel) Coarse(step int) Channel {
	c.Step = step
	if c.Depth != nil {
		d := *c.Depth
		d.step = step
		c.Depth = &d
	}
	return c
}

func (c *Channel) step() int { return max(c.Step, 1) }

// covers tells whether the samples are those of an image of h x w pixels.
func (c *Channel) covers(h, w int) bool {
	n := c.step()
	return c.Plane.H == (h+n-1)/n && c.Plane.W == (w+n-1)/n
}

// PreparePatch readies a rectangle of the channel's plane, with the channel's limits: samples that it cannot tell apart are drawn alike.
// It gives nil for what does not fit the channel.
func (c Channel) PreparePatch(p raster.Plane, at image.Point, step int) *Patch {
	out := &Patch{Plane: p, At: at, Step: step}
	n := p.H * p.W
	if c.data == nil || p.Type != c.Plane.Type || n <= 0 || pixel.Len(p.Values) < n || step < 1 || step >= c.step() || at.X%c.step() != 0 || at.Y%c.step() != 0 {
		return nil
	}
	out.data = &samples{base: c.data.base, step: c.data.step, min: c.data.min, max: c.data.max, lo: c.data.lo, hi: c.data.hi}
	switch v := p.Values.(type) {
	case []uint8:
		out.data.narrow = halve(v[:n], p.H, p.W)
	case []uint16:
		out.data.wide = halve(v[:n], p.H, p.W)
	default:
		out.data.code(p)
	}
	return out
}

// code quantises a plane with codes that are given.
func (s *samples) code(p raster.Plane) {
	out := make([]uint16, p.H*p.W)
	switch v := pixel.Slice(p.Values, 0, p.H*p.W).(type) {
	case []int8:
		quantise(out, v, s.base, s.step)
	case []int16:
		quantise(out, v, s.base, s.step)
	case []uint32:
		quantise(out, v, s.base, s.step)
	case []int32:
		quantise(out, v, s.base, s.step)
	case []uint64:
		quantise(out, v, s.base, s.step)
	case []int64:
		quantise(out, v, s.base, s.step)
	case []float32:
		quantise(out, v, s.base, s.step)
	case []float64:
		quantise(out, v, s.base, s.step)
	}
	s.wide = halve(out, p.H, p.W)
}

// Bytes is about the memory that the patch takes.
func (p *Patch) Bytes() int { return 2 * p.Plane.Bytes() }

// Area is the pixels that the patch covers.
func (p *Patch) Area(h, w int) image.Rectangle {
	return image.Rect(p.At.X, p.At.Y, min(p.At.X+p.Plane.W*p.Step, w), min(p.At.Y+p.Plane.H*p.Step, h))
}

// At is the sample at pixel (y, x) as a float64: the pixel's own where it is held, else the mean of the finest block that is. It is
// NaN outside the plane.
func (c Channel) At(y, x int) (value float64, mean bool) {
	if p := c.Patch; p != nil && y >= p.At.Y && x >= p.At.X {
		if y, x := (y-p.At.Y)/p.Step, (x-p.At.X)/p.Step; y < p.Plane.H && x < p.Plane.W {
			return p.Plane.At(y, x), p.Step > 1
		}
	}
	n := c.step()
	if y < 0 || x < 0 {
		return c.Plane.At(-1, -1), n > 1
	}
	return c.Plane.At(y/n, x/n), n > 1
}
