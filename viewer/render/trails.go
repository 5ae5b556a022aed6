package render

import (
	"math"
	"slices"

	"coverslip/viewer"
)

// trackLayer is one set of tracks as one picture shows it: the way behind every object, and where the object is now.
type trackLayer struct {
	set         *Tracks
	look        trackLook
	first, last int // frames where links end, as positions in ends
	now         int
	tail        int
	half        float64 // of the width of lines
	radius      float64 // of heads
	focus       int64
	marked      uint32
	hues        []uint32 // by track, those of the labels that are shown; nil where none are
	ringed      bool     // the focused track has a ring
	opacity     float64  // of what is not in focus
}

// trackLook says which tracks are shown and in what colour.
type trackLook struct {
	truth, all, judged bool
	only               int64
	by                 viewer.Colour
	reach              reach
	time, depth        limits
}

func (f *frame) setupTracks(s *Scene, v viewer.View) {
	f.tracks, f.hues = f.tracks[:0], f.hues[:0]
	for pass := range 2 {
		for _, k := range s.Tracks {
			if k == nil || len(k.nodes) == 0 || k.Truth != (pass == 0) {
				continue
			}
			if l, ok := f.trackLayer(s, v, k); ok {
				f.tracks = append(f.tracks, l)
			}
		}
	}
}

func (f *frame) trackLayer(s *Scene, v viewer.View, k *Tracks) (l trackLayer, ok bool) {
	side, focus, mark := sideOf(v, k.Truth)
	l = trackLayer{set: k, focus: focus, marked: mark, opacity: 1, now: s.T, tail: v.TailFrames()}
	l.look = trackLook{truth: k.Truth, all: side.Style != viewer.Hidden, judged: v.Errors, by: v.Colour, reach: s.reachOf(v)}
	l.look.time, l.look.depth, _ = s.colourLimits(&l.look.reach)
	if v.Focus != (viewer.Focus{}) {
		l.opacity = calm
		if v.Only {
			l.look.only, l.opacity = focus, 1
		}
		if v.Only && focus == 0 {
			return l, false
		}
	}
	labels := s.Answer
	if k.Truth {
		labels = s.Truth
	}
	l.ringed = focus != 0 && labels.find(focus) == 0 // else the label's outline is marked
	if !l.look.all && !l.look.judged && !l.ringed {
		return l, false
	}
	if labels != nil && side.Style != viewer.Hidden {
		l.hues = f.labelHues(k, labels)
	}
	if r := &l.look.reach; r.time {
		l.first, l.last = k.ends.within(max(r.first, math.MinInt+1), r.last)
	} else {
		l.first, l.last = k.ends.within(s.T-min(l.tail, s.T-math.MinInt32)+1, s.T)
	}
	a, b := k.frames.of(s.T)
	distance := f.pen.Scale * math.Sqrt(float64(s.H)*float64(s.W)/float64(max(b-a, 1)))
	l.radius = clampFloat(0.2*distance, 1, 3)
	l.half = 0.5
	if f.pen.Scale >= 0.5 && distance > 8 {
		l.half = 0.75
	}
	return l, true
}

// style tells how something with a verdict is drawn, if it is.
func (k *trackLook) style(s Style, id int64) (Style, bool) {
	if k.only != 0 && id != k.only {
		return Plain, false
	}
	if k.judged && s != Plain && !(k.truth && (s == Match || s == WeakLink)) {
		return s, true
	}
	return Plain, k.all
}

// labelHues gives tracks the colours of the labels with their ids, so that an outline and the tail behind it agree. A track
// without a label in this plane has the colour that its label would like to have.
func (f *frame) labelHues(k *Tracks, labels *Labels) []uint32 {
	from := len(f.hues)
	colours := &labelColours
	if k.Truth {
		colours = &paleColours
	}
	var free [colourCount]int
	for _, id := range k.ids {
		f.hues = append(f.hues, colours[labels.memory.pick(id, &free)])
	}
	hues := f.hues[from:]
	for i, id := range labels.IDs {
		if track, ok := k.index[id]; ok && i > 0 {
			hues[track] = colours[labels.colour[i]]
		}
	}
	return hues
}

func (l *trackLayer) colour(track int32, t int, z float64, style Style) uint32 {
	k, set := &l.look, l.set
	c := uint32(0)
	switch k.by {
	case viewer.ByFrame:
		c = along(viridis, k.time.part(float64(t)))
	case viewer.ByDepth:
		c = depthColour(&k.reach, k.depth.part(z))
	case viewer.ByLineage:
		c = trackColour(set.roots[track])
	case viewer.ByVerdict:
		if style != Plain {
			return styleColours[style]
		}
		fallthrough
	default:
		if l.hues != nil {
			return l.hues[track]
		}
		c = trackColour(set.ids[track])
	}
	if k.truth {
		c = paler(c)
	}
	return c
}

// drawTracks draws what of a layer touches an area: old before new.
func (f *frame) drawTracks(a *area, l *trackLayer) {
	const beside, close = 5, 2 // line pixels that marks and that plain lines reach beyond their places
	low, high := f.heights(a, beside)
	top, bottom := f.heights(a, close)
	k := l.set
	for i := l.first; i < l.last; i++ {
		links := k.links[k.ends.starts[i]:k.ends.starts[i+1]]
		from, _ := slices.BinarySearchFunc(links, low-k.tall[i], func(q link, y float32) int {
			if q.top() < y {
				return -1
			}
			return 1
		})
		strength := 1.0
		if !l.look.reach.time {
			strength = 1 - 0.8*float64(l.now-k.ends.at[i])/float64(max(l.tail, 1))
		}
		for n := from; n < len(links) && links[n].top() <= high; n++ {
			q := &links[n]
			if last := max(q.y0, q.y1); last >= top && q.top() <= bottom || last >= low && (q.division || l.look.judged) {
				f.drawLink(a, l, q, strength)
			}
		}
	}
	f.drawHeads(a, l)
}

// heights is the image rows of an area and of so many line pixels beyond it.
func (f *frame) heights(a *area, beside float64) (low, high float32) {
	return float32(f.pen.ToImage(a.top-beside, 0).Y), float32(f.pen.ToImage(a.bottom+beside, 0).Y)
}

func (f *frame) drawLink(a *area, l *trackLayer, q *link, strength float64) {
	id := l.set.ids[q.track]
	style, ok := l.look.style(q.style, id)
	if !ok {
		return
	}
	off, ok := l.look.reach.off(float64(q.z))
	if !ok {
		return
	}
	s := stretch{half: l.half}
	s.y0, s.x0 = f.onPaper(float64(q.y0), float64(q.x0))
	s.y1, s.x1 = f.onPaper(float64(q.y1), float64(q.x1))
	if max(s.x0, s.x1) < a.left || min(s.x0, s.x1) > a.right {
		return
	}
	if id != l.focus || l.focus == 0 {
		strength *= l.opacity
	}
	strength *= faded(off)
	colour := l.colour(q.track, int(q.t), float64(q.z), style)
	way := course{q.steep, float64(q.slope), float64(q.secant)}
	if f.sy != f.sx {
		way = s.ordered()
	}
	a.link(&s, way, style, l.look.truth, q.gap && !q.division, tint{colour, uint32(strength * 256), 0})
	if q.division {
		y, x := f.onPaper(float64(q.y0), float64(q.x0))
		if q.backwards {
			y, x = f.onPaper(float64(q.y1), float64(q.x1))
		}
		a.diamond(y, x, l.radius+1, tint{colour, 256, 200}.scaled(strength))
	}
}

// link draws the line of a link. Verdicts differ by more than colour: spurious ones are thick with an x, missing ones
// dashed, switches of identity double.
func (a *area) link(s *stretch, way course, style Style, truth, gap bool, c tint) {
	switch style {
	case Plain:
		if truth {
			s.pattern = dashed
		}
	case Match:
		s.half = 0.5
	case WeakLink:
		s.half, s.pattern = s.half+0.25, dotted
	case Extra:
		s.half += 0.35
	case Missed:
		s.half, s.pattern = s.half+0.35, dashed
	case Double:
		a.twin(*s, c)
		return
	}
	if gap {
		s.pattern++
		if s.pattern == patternCount {
			s.pattern = dotted
		}
	}
	a.follow(s, way, c)
	if style == Extra && max(math.Abs(s.y1-s.y0), math.Abs(s.x1-s.x0)) > 10 {
		a.cross((s.y0+s.y1)/2, (s.x0+s.x1)/2, 3, 0.7, tint{c.colour, c.ink, c.ink / 2})
	}
}

// twin draws two lines side by side.
func (a *area) twin(s stretch, c tint) {
	dy, dx := s.y1-s.y0, s.x1-s.x0
	length := math.Sqrt(float64(dy*dy) + float64(dx*dx))
	if length == 0 {
		return
	}
	apart := 1.6 / length
	oy, ox := snap(-dx*apart), snap(dy*apart)
	for _, side := range [2]float64{-1, 1} {
		t := s
		t.y0, t.y1 = s.y0+float64(side*oy), s.y1+float64(side*oy)
		t.x0, t.x1 = s.x0+float64(side*ox), s.x1+float64(side*ox)
		t.half = 0.5
		a.line(t, c)
	}
}

// drawHeads draws where the tracks are now.
func (f *frame) drawHeads(a *area, l *trackLayer) {
	k := l.set
	first, last := k.frames.of(l.now)
	const beside = 20 // as far as the ring of a focused one goes
	low, high := f.pen.ToImage(a.top-beside, 0).Y, f.pen.ToImage(a.bottom+beside, 0).Y
	from, _ := slices.BinarySearchFunc(k.nodes[first:last], low, func(n node, y float64) int {
		if n.y < y {
			return -1
		}
		return 1
	})
	for i := first + from; i < last && k.nodes[i].y <= high; i++ {
		f.drawHead(a, l, &k.nodes[i])
	}
}

func (f *frame) drawHead(a *area, l *trackLayer, n *node) {
	y, x, ok := f.place(n.y, n.x)
	if !ok {
		return
	}
	off, ok := l.look.reach.off(n.z)
	if !ok {
		return
	}
	id := l.set.ids[n.track]
	focused := id == l.focus && l.focus != 0
	strength := faded(off)
	if style, ok := l.look.style(n.style, id); ok {
		if !focused {
			strength *= l.opacity
		}
		colour := l.colour(n.track, n.t, n.z, style)
		a.head(y, x, l.radius*shrunk(off), l.look.truth, mark{style: style, colour: colour, opacity: strength})
	}
	if focused && l.ringed {
		a.focusRing(y, x, l.radius, l.look.truth, l.marked, faded(off))
	}
}

func (a *area) head(y, x, r float64, truth bool, m mark) {
	c := tint{m.colour, 256, 160}.scaled(m.opacity)
	switch {
	case m.style != Plain && m.style != Match:
		a.point(y, x, r*1.5, truth, &Point{Class: -1}, m, true)
	case truth:
		a.ring(ringShape{y, x, r + 0.5, 0.5, solid}, c)
	default:
		a.disc(y, x, r, c, false)
	}
}
