package chart

import (
	"image"
	"image/color"
	"math"
)

// pt is a place in dp, from the upper left corner.
type pt struct{ x, y float64 }

// rect is a rectangle in dp.
type rect struct{ x0, y0, x1, y1 float64 }

func (r rect) w() float64 { return r.x1 - r.x0 }
func (r rect) h() float64 { return r.y1 - r.y0 }

func (r rect) grown(by float64) rect { return rect{r.x0 - by, r.y0 - by, r.x1 + by, r.y1 + by} }

func (r rect) holds(p pt) bool { return p.x >= r.x0 && p.x <= r.x1 && p.y >= r.y0 && p.y <= r.y1 }

// stroke is how a line is drawn; the dashes are lengths of ink and gap in dp.
type stroke struct {
	width  float64
	colour color.NRGBA
	dash   []float64
}

// anchor is which part of a text stands at its place: of its width, 0 the left end, 0.5 the middle, 1 the right end.
type text struct {
	s      string
	size   float64
	colour color.NRGBA
	anchor float64
	bold   bool
	up     bool // read from below to above
}

// surface is a paper that a pen writes on. All places and lengths are dp.
type surface interface {
	// rect fills a rectangle whose edges are snapped to device pixels, so that it is crisp; it is at least one of them wide and high.
	rect(r rect, c color.NRGBA)
	fill(path []pt, c color.NRGBA)
	line(path []pt, s stroke)
	stamp(at pt, m Marker, size float64, c color.NRGBA)
	text(at pt, t text) // at is on the baseline
	// picture stretches an image over r, every pixel a sharp block.
	picture(r rect, m *image.NRGBA)
	clip(r rect)
	unclip()
}

// nowhere is no paper.
type nowhere struct{}

func (nowhere) rect(rect, color.NRGBA)                 {}
func (nowhere) fill([]pt, color.NRGBA)                 {}
func (nowhere) line([]pt, stroke)                      {}
func (nowhere) stamp(pt, Marker, float64, color.NRGBA) {}
func (nowhere) text(pt, text)                          {}
func (nowhere) picture(rect, *image.NRGBA)             {}
func (nowhere) clip(rect)                              {}
func (nowhere) unclip()                                {}

// pen draws a chart on a surface and notes where the data are.
type pen struct {
	surface
	th     *theme
	o      Options
	w, h   float64 // dp
	seek   *seeker // nil: nothing is looked for
	chosen map[Ref]bool
	lit    []rect // where the chosen data are
}

func newPen(s surface, o Options, w, h float64) *pen {
	p := &pen{surface: s, th: &dark, o: o, w: w, h: h}
	if o.Light {
		p.th = &light
	}
	if len(o.Selected) > 0 {
		p.chosen = make(map[Ref]bool, len(o.Selected))
		for _, r := range o.Selected {
			p.chosen[r] = true
		}
	}
	return p
}

// whole paints a chart from the ground up.
func (p *pen) whole(c painter) {
	p.rect(rect{0, 0, p.w, p.h}, p.th.ground)
	c.paint(p)
	for _, r := range p.lit {
		p.ring(r)
	}
}

// ring points a datum out: ink with a ground-coloured halo, so that it shows on everything.
func (p *pen) ring(r rect) {
	r = r.grown(3)
	if grow := 4.5 - math.Min(r.w(), r.h())/2; grow > 0 {
		r = r.grown(grow)
	}
	path := []pt{{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}, {r.x0, r.y0}}
	p.line(path, stroke{width: 4, colour: p.th.ground})
	p.line(path, stroke{width: 1.8, colour: p.th.ink})
}

// datum notes that a datum was drawn over r, which may be a mere point.
func (p *pen) datum(ref Ref, r rect) {
	if p.seek != nil {
		p.seek.near(ref, r)
	}
	if p.chosen != nil && p.chosen[ref] {
		p.lit = append(p.lit, r)
	}
}

// between notes that the line from a to b belongs to two data, each half to the nearer.
func (p *pen) between(from, to Ref, a, b pt) {
	if p.seek == nil {
		return
	}
	p.seek.nearLine(from, to, a, b)
}

// reach is how far from the pointer a datum may be, in dp.
const reach = 7

// seeker looks for the datum at one place. Of several that are equally near the last drawn is on top, so it wins.
type seeker struct {
	x, y     float64 // dp
	best     float64
	found    bool
	ref      Ref
	place    float64 // on the x axis of the found datum, where that extends along the axis
	inside   bool    // (y, x) is within a plot
	atY, atX float64 // then: in units of its axes
}

// near offers a datum and tells whether it is the nearest so far.
func (s *seeker) near(ref Ref, r rect) bool {
	dx := max(r.x0-s.x, 0, s.x-r.x1)
	dy := max(r.y0-s.y, 0, s.y-r.y1)
	return s.take(ref, math.Hypot(dx, dy))
}

func (s *seeker) take(ref Ref, d float64) bool {
	if !(d <= s.best) {
		return false
	}
	s.best, s.found, s.ref = d, true, ref
	return true
}

// lineHandicap makes data win over the lines between them.
const lineHandicap = 3

func (s *seeker) nearLine(from, to Ref, a, b pt) {
	dx, dy := b.x-a.x, b.y-a.y
	t := 0.0
	if l := float64(dx*dx) + float64(dy*dy); l > 0 {
		t = min(max((float64((s.x-a.x)*dx)+float64((s.y-a.y)*dy))/l, 0), 1)
	}
	d := math.Hypot(a.x+float64(t*dx)-s.x, a.y+float64(t*dy)-s.y) + lineHandicap
	if d < s.best {
		if t > 0.5 {
			from = to
		}
		s.take(from, d)
	}
}
