package render

import (
	"math"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
	"coverslip/viewer"
)

// Span is the planes from..to-1 of count that a projection takes in around plane at: all, or as many as it says with at in
// the middle (the later of two middles lies behind), fewer at the ends.
func Span(p viewer.Projection, at, count int) (from, to int) {
	switch {
	case p.Kind == viewer.NoProjection:
		return at, at + 1
	case p.Span <= 0 || p.Span >= 2*count:
		return 0, count
	}
	from = at - (p.Span-1)/2
	return max(from, 0), min(from+p.Span, count)
}

// Projector makes one plane of many, which are added one by one: what it holds does not grow with their number.
//
// The maximum keeps the element type. Mean and sum are float64, or float32 where a mean of samples of at most 16 bits is
// taken. Samples that are not a number are left out; where all are, so is the result. Equal maxima count for the plane
// that was added first.
type Projector struct {
	kind  viewer.ProjectionKind
	ids   bool
	h, w  int
	typ   raster.Type
	from  int
	count int
	sum   gatherer
}

// gatherer is a projector of one element type.
type gatherer interface {
	add(values any, at int) bool
	plane() (any, raster.Type)
}

// NewProjector begins a projection of that kind; from is the number of the first plane.
func NewProjector(kind viewer.ProjectionKind, from int) *Projector {
	return &Projector{kind: kind, from: from}
}

// NewLabelProjector begins a projection of label planes, whatever becomes of the image: every pixel has the object of the
// first plane that has one there, so objects of early planes lie on top.
func NewLabelProjector() *Projector { return &Projector{ids: true} }

// Add takes in the next plane. A plane of another size or type than the first is passed over, and false.
func (p *Projector) Add(plane raster.Plane) bool {
	at := p.count
	p.count++
	if p.sum == nil {
		if plane.H <= 0 || plane.W <= 0 || pixel.Len(plane.Values) < plane.H*plane.W {
			return false
		}
		p.h, p.w, p.typ = plane.H, plane.W, plane.Type
		p.sum = p.begin(plane.Values, plane.H*plane.W)
	}
	if plane.H != p.h || plane.W != p.w || plane.Type != p.typ || pixel.Len(plane.Values) < p.h*p.w {
		return false
	}
	return p.sum.add(plane.Values, at)
}

// Skip counts a plane that is missing.
func (p *Projector) Skip() { p.count++ }

func (p *Projector) begin(values any, n int) gatherer {
	switch values.(type) {
	case []uint8:
		return beginOf[uint8](p, n)
	case []int8:
		return beginOf[int8](p, n)
	case []uint16:
		return beginOf[uint16](p, n)
	case []int16:
		return beginOf[int16](p, n)
	case []uint32:
		return beginOf[uint32](p, n)
	case []int32:
		return beginOf[int32](p, n)
	case []uint64:
		return beginOf[uint64](p, n)
	case []int64:
		return beginOf[int64](p, n)
	case []float32:
		return beginOf[float32](p, n)
	}
	return beginOf[float64](p, n)
}

func beginOf[E pixel.Element](p *Projector, n int) gatherer {
	switch {
	case p.ids:
		return &firstID[E]{typ: p.typ, ids: make([]E, n)}
	case p.kind == viewer.MeanProjection, p.kind == viewer.SumProjection:
		narrow := p.kind == viewer.MeanProjection && p.typ.Size() <= 2
		return &total[E]{mean: p.kind == viewer.MeanProjection, narrow: narrow, sum: make([]float64, n)}
	}
	m := &largest[E]{typ: p.typ, best: make([]E, n)}
	if p.kind == viewer.DepthProjection {
		m.where = make([]uint16, n)
	}
	return m
}

// Plane is the projection of what was added so far; empty without any plane.
func (p *Projector) Plane() raster.Plane {
	if p.sum == nil {
		return raster.Plane{}
	}
	values, typ := p.sum.plane()
	return raster.Plane{H: p.h, W: p.w, Type: typ, Values: values}
}

// Channel is the projection prepared for display, coloured by depth if that was asked for.
func (p *Projector) Channel() Channel {
	c := PrepareChannel(p.Plane())
	if m, ok := p.sum.(interface{ depths() []uint16 }); ok && m.depths() != nil {
		c.Depth = &Depth{From: p.from, Count: p.count, W: p.w, Index: m.depths()}
		c.hues = c.Depth.hues()
	}
	return c
}

// largest is a maximum and where it lies.
type largest[E pixel.Element] struct {
	typ   raster.Type
	some  bool
	best  []E
	where []uint16
}

func (m *largest[E]) add(values any, at int) bool {
	v, ok := values.([]E)
	if !ok {
		return false
	}
	v = v[:len(m.best)]
	here := uint16(min(at, math.MaxUint16))
	switch {
	case !m.some:
		copy(m.best, v)
		for i := range m.where {
			m.where[i] = here
		}
		m.some = true
	case m.where == nil:
		for i, x := range v {
			if b := m.best[i]; x > b || b != b {
				m.best[i] = x
			}
		}
	default:
		for i, x := range v {
			if b := m.best[i]; x > b || b != b {
				m.best[i], m.where[i] = x, here
			}
		}
	}
	return true
}

func (m *largest[E]) plane() (any, raster.Type) { return m.best, m.typ }
func (m *largest[E]) depths() []uint16          { return m.where }

// total is a sum or a mean.
type total[E pixel.Element] struct {
	mean, narrow bool
	count        int
	sum          []float64
	missing      []int32 // samples that are not a number; nil while there is none
}

func (s *total[E]) add(values any, _ int) bool {
	v, ok := values.([]E)
	if !ok {
		return false
	}
	s.count++
	for i, x := range v[:len(s.sum)] {
		if x != x {
			if s.missing == nil {
				s.missing = make([]int32, len(s.sum))
			}
			s.missing[i]++
			continue
		}
		s.sum[i] += float64(x)
	}
	return true
}

func (s *total[E]) plane() (any, raster.Type) {
	at := func(i int) float64 {
		n := s.count
		if s.missing != nil {
			n -= int(s.missing[i])
		}
		switch {
		case n == 0:
			return math.NaN()
		case s.mean:
			return s.sum[i] / float64(n)
		}
		return s.sum[i]
	}
	if s.narrow {
		out := make([]float32, len(s.sum))
		for i := range out {
			out[i] = float32(at(i))
		}
		return out, raster.Float32
	}
	out := make([]float64, len(s.sum))
	for i := range out {
		out[i] = at(i)
	}
	return out, raster.Float64
}

// firstID is the first object of each pixel.
type firstID[E pixel.Element] struct {
	typ raster.Type
	ids []E
}

func (f *firstID[E]) add(values any, _ int) bool {
	v, ok := values.([]E)
	if !ok {
		return false
	}
	for i, x := range v[:len(f.ids)] {
		if f.ids[i] == 0 {
			f.ids[i] = x
		}
	}
	return true
}

func (f *firstID[E]) plane() (any, raster.Type) { return f.ids, f.typ }
