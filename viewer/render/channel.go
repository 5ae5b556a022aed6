package render

import (
	"math"

	"coverslip/datasets/raster"
)

// Channel is a plane prepared for display.
type Channel struct {
	Plane  raster.Plane
	Step   int      // pixels along the side of the block that each sample of Plane is the mean of, a power of two; 0 is 1, the plane itself
	Patch  *Patch   // a part of the plane with finer samples than Plane, or nil
	Name   string   // in words, for the title of a pane; "" for none
	Colour [3]uint8 // R G B that the file gives the channel; all zero: chosen by number
	Dark   bool     // high values are dark, as in a file that stores white as zero; a tone's LUT overrides it
	Depth  *Depth   // of a maximum coloured by depth, else nil
	data   *samples // nil: not prepared, not shown
	hues   []uint8  // of Depth
}

// samples is a plane in display form: codes of 8 or 16 bits, value = base + code*step, with halved copies.
type samples struct {
	narrow   []level[uint8]  // [0] is the plane itself for uint8 and bool
	wide     []level[uint16] // [0] is the plane itself for uint16, codes for all other types
	base     float64
	step     float64
	min, max float64 // of the finite samples
	lo, hi   float64 // automatic contrast
}

// level is a plane at 1, 1/2, 1/4 ... of its size.
type level[T uint8 | uint16] struct {
	h, w   int
	values []T
}

// lowPercent and highPercent bound the automatic contrast.
const lowPercent, highPercent = 0.5, 99.5

// PrepareChannel readies a plane: automatic contrast limits, quantised values for floats and wide integers, halved
// copies for zooming out. The plane itself is kept for read-out. It may run on any goroutine; the result is immutable.
func PrepareChannel(p raster.Plane) Channel { return prepareChannel(p, 0) }

// prepareChannel leaves room for values beyond those of the plane, as parts of their span.
func prepareChannel(p raster.Plane, room float64) Channel {
	c := Channel{Plane: p}
	if p.H <= 0 || p.W <= 0 {
		return c
	}
	n := p.H * p.W
	switch v := p.Values.(type) {
	case []uint8:
		c.data = prepareNarrow(v, p.H, p.W, n)
	case []uint16:
		c.data = prepareWide(v, p.H, p.W, n)
	case []int8:
		c.data = prepareCodes(v, p.H, p.W, n, room)
	case []int16:
		c.data = prepareCodes(v, p.H, p.W, n, room)
	case []uint32:
		c.data = prepareCodes(v, p.H, p.W, n, room)
	case []int32:
		c.data = prepareCodes(v, p.H, p.W, n, room)
	case []uint64:
		c.data = prepareCodes(v, p.H, p.W, n, room)
	case []int64:
		c.data = prepareCodes(v, p.H, p.W, n, room)
	case []float32:
		c.data = prepareCodes(v, p.H, p.W, n, room)
	case []float64:
		c.data = prepareCodes(v, p.H, p.W, n, room)
	}
	return c
}

func prepareNarrow(v []uint8, h, w, n int) *samples {
	if len(v) < n {
		return nil
	}
	s := &samples{narrow: halve(v[:n], h, w), step: 1}
	counts := count(v[:n], 256)
	s.limits(counts, n)
	return s
}

func prepareWide(v []uint16, h, w, n int) *samples {
	if len(v) < n {
		return nil
	}
	s := &samples{wide: halve(v[:n], h, w), step: 1}
	counts := count(v[:n], 1<<16)
	s.limits(counts, n)
	return s
}

// limits takes minimum, maximum and automatic contrast from the counts of the codes.
func (s *samples) limits(counts []uint32, n int) {
	first, last := extremes(counts)
	s.min, s.max = s.value(first), s.value(last)
	s.lo, s.hi = s.value(quantile(counts, n, lowPercent)), s.value(quantile(counts, n, highPercent))
	s.widen()
}

// widen makes lo < hi: sparse planes use their whole range, flat ones show black for 0 and white otherwise.
func (s *samples) widen() {
	if s.lo < s.hi {
		return
	}
	s.lo, s.hi = s.min, s.max
	if s.lo < s.hi {
		return
	}
	s.lo, s.hi = math.Min(s.lo, 0), math.Max(s.hi, 0)
	if s.lo >= s.hi {
		s.lo, s.hi = 0, 1
	}
}

func (s *samples) value(code int) float64 {
	return clampFloat(s.base+float64(float64(code)*s.step), -math.MaxFloat64, math.MaxFloat64)
}

// count counts every code. Two tables break the dependence between equal neighbours.
func count[T uint8 | uint16](v []T, n int) []uint32 {
	a, b := make([]uint32, n), make([]uint32, n)
	i := 0
	for ; i+1 < len(v); i += 2 {
		a[v[i]]++
		b[v[i+1]]++
	}
	if i < len(v) {
		a[v[i]]++
	}
	for k, c := range b {
		a[k] += c
	}
	return a
}

func extremes(counts []uint32) (first, last int) {
	for first < len(counts)-1 && counts[first] == 0 {
		first++
	}
	last = len(counts) - 1
	for last > first && counts[last] == 0 {
		last--
	}
	return first, last
}

// quantile is the smallest code that at least percent of the n samples do not exceed.
func quantile(counts []uint32, n int, percent float64) int {
	need := max(uint64(math.Ceil(float64(n)*percent/100)), 1)
	var sum uint64
	for code, c := range counts {
		if sum += uint64(c); sum >= need {
			return code
		}
	}
	return len(counts) - 1
}

// Auto is the automatic contrast (0.5 and 99.5 percentile, nearest rank). lo < hi always.
func (c Channel) Auto() (lo, hi float64) {
	if c.data == nil {
		return 0, 1
	}
	return c.data.lo, c.data.hi
}

// Range is the smallest and the largest finite sample.
func (c Channel) Range() (lo, hi float64) {
	if c.data == nil {
		return 0, 0
	}
	return c.data.min, c.data.max
}
