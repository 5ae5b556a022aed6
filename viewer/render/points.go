package render

import (
	"math"
	"slices"

	"coverslip/viewer"
)

// Points is the points of one side, ready to draw. It does not change and is safe for use by several goroutines.
type Points struct {
	Truth  bool
	Radius float64 // of matching, in image pixels; 0 none

	items  []Point // by frame, then by row
	frames frames
	slices map[place]int // how many points lie there
	values limits
}

// place is a frame and a slice.
type place struct{ t, z int }

// NewPoints readies points. Those whose place is not finite are left out.
func NewPoints(truth bool, radius float64, items []Point) *Points {
	p := &Points{Truth: truth, Radius: radius, slices: map[place]int{}}
	values := make([]float64, 0, len(items))
	for _, q := range items {
		if !isPlace(q.Z, q.Y, q.X) {
			continue
		}
		p.items = append(p.items, q)
		p.slices[place{q.T, int(math.Floor(clampFloat(q.Z, -1<<31, 1<<31)))}]++
		values = append(values, q.Value)
	}
	slices.SortStableFunc(p.items, func(a, b Point) int { return byPlace(a.T, b.T, a.Y, b.Y) })
	p.frames.index(len(p.items), func(i int) int { return p.items[i].T })
	p.values = robust(values)
	return p
}

// At counts the points of frame t in slice z; z < 0 counts those of all slices.
func (p *Points) At(t, z int) int {
	if p == nil {
		return 0
	}
	if z < 0 {
		a, b := p.frames.of(t)
		return b - a
	}
	return p.slices[place{t, z}]
}

// Count is how many points there are in all frames.
func (p *Points) Count() int {
	if p == nil {
		return 0
	}
	return len(p.items)
}

// rows is which of items[from:to], all of one frame, have y from..to.
func (p *Points) rows(from, to int, low, high float64) (int, int) {
	after := func(q Point, y float64) int {
		if q.Y < y {
			return -1
		}
		return 1
	}
	a, _ := slices.BinarySearchFunc(p.items[from:to], low, after)
	b, _ := slices.BinarySearchFunc(p.items[from:to], math.Nextafter(high, math.Inf(1)), after)
	return from + a, from + b
}

// Sizes of the shapes of points in line pixels.
const (
	shapeRadius  = 5.0 // of a ring and a cross where there is room
	leastShape   = 2.2 // below that they become squares
	leastSquare  = 1.3 // side
	mostSquare   = 3.0
	roomPerShape = 0.42 // of the distance between points
	largerAt     = 8.0  // zoom at which shapes are half as large again
	leastCircle  = 3.0  // of the radius of matching
)

// pointLayer is one set of points as one picture shows it.
type pointLayer struct {
	set     *Points
	look    pointLook
	a, b    int // frames of the set
	reach   float64
	radius  float64 // of shapes in line pixels
	circle  float64 // of the circle of matching in line pixels, 0 none
	focus   int64
	marked  uint32 // colour of the focused one's ring
	opacity float64
}

// pointLook says which points are shown and in what colour.
type pointLook struct {
	truth, all, judged bool
	only               int64 // not 0: no other
	none               bool
	by                 viewer.Colour
	reach              reach
	time, depth, value limits
}

func (f *frame) setupPoints(s *Scene, v viewer.View) {
	f.points = f.points[:0]
	for pass := range 2 { // the truth's rings below the answer's crosses
		for _, p := range s.Points {
			if p == nil || len(p.items) == 0 || p.Truth != (pass == 0) {
				continue
			}
			if l, ok := f.pointLayer(s, v, p); ok {
				f.points = append(f.points, l)
			}
		}
	}
}

// sideOf is the label layer and the focus that a side has in a View.
func sideOf(v viewer.View, truth bool) (layer viewer.LabelLayer, focus int64, mark uint32) {
	if truth {
		return v.Truth, v.Focus.Truth, focusTruthColour
	}
	return v.Answer, v.Focus.Answer, focusAnswerColour
}

func (f *frame) pointLayer(s *Scene, v viewer.View, p *Points) (l pointLayer, ok bool) {
	side, focus, mark := sideOf(v, p.Truth)
	l = pointLayer{set: p, focus: focus, marked: mark, opacity: 1}
	l.look = pointLook{truth: p.Truth, all: side.Style != viewer.Hidden, judged: v.Errors, by: v.Colour, reach: s.reachOf(v)}
	l.look.time, l.look.depth, l.look.value = s.colourLimits(&l.look.reach)
	if v.Focus != (viewer.Focus{}) {
		if v.Only {
			l.look.only, l.look.none = focus, focus == 0
		}
		l.opacity = calm
	}
	if !l.look.all && !l.look.judged && focus == 0 {
		return l, false
	}
	l.a, l.b = p.frames.within(l.look.reach.first, l.look.reach.last)
	if l.a >= l.b || l.look.none {
		return l, false
	}
	n := float64(p.frames.starts[l.b] - p.frames.starts[l.a])
	if r := &l.look.reach; !r.flat && !r.deep && s.Depth > 2*fadeSlices {
		n = n * (2*fadeSlices + 1) / float64(s.Depth)
	}
	distance := f.pen.Scale * math.Sqrt(float64(s.H)*float64(s.W)/n)
	l.radius = math.Min(roomPerShape*distance, shapeRadius*math.Min(1+0.5*f.pen.Scale/largerAt, 1.5))
	if r := p.Radius * f.pen.Scale; !v.HideRadius && r > leastCircle && r < 1e6 && l.radius >= leastShape {
		l.circle = r
	}
	if l.reach = leastShape + 1; l.radius >= leastShape {
		l.reach = math.Max(4*l.radius+4, l.circle+3)
	}
	if focus != 0 {
		l.reach = math.Max(l.reach, 4*l.radius+14)
	}
	return l, true
}

// colourLimits is what colours by frame, depth and value run over, the same for all sets of a picture.
func (s *Scene) colourLimits(r *reach) (time, depth, value limits) {
	time, value = empty(), empty()
	widen := func(f *frames) {
		if first, last, ok := f.limits(); ok {
			time.add(float64(first))
			time.add(float64(last))
		}
	}
	for _, p := range s.Points {
		if p != nil {
			widen(&p.frames)
			if p.values.lo <= p.values.hi {
				value.add(p.values.lo)
				value.add(p.values.hi)
			}
		}
	}
	for _, k := range s.Tracks {
		if k != nil {
			widen(&k.frames)
		}
	}
	depth = limits{math.Max(float64(r.low), 0), math.Min(float64(r.high)+1, float64(max(s.Depth, 1)))}
	if !r.deep {
		depth = limits{float64(r.low) + 0.5 - fadeSlices, float64(r.low) + 0.5 + fadeSlices}
	}
	return time, depth, value
}

// mark is how one point is drawn.
type mark struct {
	style   Style // Plain: a ring or a cross
	colour  uint32
	size    float64 // factor
	opacity float64
}

// of tells how a point is drawn, if it is.
func (k *pointLook) of(q *Point) (m mark, ok bool) {
	if k.none || k.only != 0 && q.ID != k.only {
		return m, false
	}
	if k.judged && q.Style != Plain && !(k.truth && q.Style == Match) {
		m.style = q.Style
	} else if !k.all {
		return m, false
	}
	off, ok := k.reach.off(q.Z)
	if !ok {
		return m, false
	}
	m.size, m.opacity = shrunk(off), faded(off)
	m.colour = k.colour(q, m.style)
	if k.by == viewer.ByValue && !math.IsNaN(q.Value) {
		m.size *= 0.6 + float64(1.2*math.Sqrt(k.value.part(q.Value)))
	}
	return m, true
}

func (k *pointLook) colour(q *Point, style Style) uint32 {
	switch k.by {
	case viewer.ByClass:
		return classColour(q.Class)
	case viewer.ByFrame:
		return along(viridis, k.time.part(float64(q.T)))
	case viewer.ByValue:
		if math.IsNaN(q.Value) {
			return unknownColour
		}
		return along(viridis, k.value.part(q.Value))
	case viewer.ByDepth:
		return depthColour(&k.reach, k.depth.part(q.Z))
	case viewer.ByTrack, viewer.ByLineage:
		return trackColour(q.ID)
	}
	if style != Plain {
		return styleColours[style]
	}
	return sideColour(k.truth)
}

// drawPoints draws what of a layer touches an area.
func (f *frame) drawPoints(a *area, l *pointLayer) {
	low := f.pen.ToImage(a.top-l.reach, 0).Y
	high := f.pen.ToImage(a.bottom+l.reach, 0).Y
	for i := l.a; i < l.b; i++ {
		from, to := l.set.rows(l.set.frames.starts[i], l.set.frames.starts[i+1], low, high)
		for k := from; k < to; k++ {
			f.drawPoint(a, l, &l.set.items[k])
		}
	}
}

func (f *frame) drawPoint(a *area, l *pointLayer, q *Point) {
	y, x, ok := f.place(q.Y, q.X)
	if !ok || x < a.left-l.reach || x > a.right+l.reach {
		return
	}
	focused := q.ID == l.focus && l.focus != 0
	m, ok := l.look.of(q)
	if !ok && !focused {
		return
	}
	if !ok {
		if off, near := l.look.reach.off(q.Z); near && !l.look.none {
			a.focusRing(y, x, l.radius, l.look.truth, l.marked, faded(off))
		}
		return
	}
	if !focused {
		m.opacity *= l.opacity
	}
	r := l.radius * m.size
	if l.radius < leastShape {
		side := clampFloat(0.9*r, leastSquare, mostSquare)
		a.square(y, x, side, tint{m.colour, uint32(m.opacity * 240), 0})
	} else {
		if l.circle > 0 && m.style != Match {
			a.ring(ringShape{y, x, l.circle, 0.4, solid}, tint{m.colour, uint32(m.opacity * 110), 0})
		}
		a.point(y, x, r, l.look.truth, q, m, l.look.by == viewer.ByVerdict)
	}
	if focused {
		a.focusRing(y, x, r, l.look.truth, l.marked, 1)
	}
}

// point draws the shape of a point: a ring for the truth, an x for the answer, or that of its verdict. The shapes differ
// without their colours.
func (a *area) point(y, x, r float64, truth bool, q *Point, m mark, classes bool) {
	c := tint{m.colour, 256, 140}.scaled(m.opacity)
	half := clampFloat(0.16*r, 0.55, 1)
	switch m.style {
	case Match:
		a.ring(ringShape{y, x, r, 0.6, solid}, c)
	case WeakLink: // dotted, around what the class is called on this side
		if !truth {
			a.ring(ringShape{y, x, r * 1.6, half * 1.1, dotted}, c)
		}
		if q.Class >= 0 && classes {
			c.colour = classColour(q.Class)
		}
		a.side(y, x, r*0.9, half, truth, c)
	case Extra:
		a.disc(y, x, r*1.5, tint{m.colour, 150, 0}.scaled(m.opacity), true)
		a.cross(y, x, r*0.95, half*1.1, c)
	case Missed:
		a.ring(ringShape{y, x, r * 1.3, half * 1.2, dashed}, c)
	case Double:
		a.ring(ringShape{y, x, r * 0.8, 0.6, solid}, c)
		a.ring(ringShape{y, x, r*0.8 + math.Max(r*0.6, 2.4), 0.6, solid}, c)
	default:
		a.side(y, x, r, half, truth, c)
	}
}

func (a *area) side(y, x, r, half float64, truth bool, c tint) {
	if truth {
		a.ring(ringShape{y, x, r, half * 0.9, solid}, c)
	} else {
		a.cross(y, x, r*0.85, half, c)
	}
}

// focusRing is the mark of the focused point or track: the answer's solid, the truth's dashed and further out, so that both show
// where they agree.
func (a *area) focusRing(y, x, r float64, truth bool, colour uint32, opacity float64) {
	c := tint{colour, 256, 200}.scaled(opacity)
	r = math.Max(1.9*r, 7)
	if truth {
		a.ring(ringShape{y, x, r + 4, 1.1, dashed}, c)
	} else {
		a.ring(ringShape{y, x, r, 1, solid}, c)
	}
}
