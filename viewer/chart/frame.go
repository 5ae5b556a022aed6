package chart

import (
	"image"
	"image/color"
	"math"
	"strings"
)

// furniture is what stands around the data of a plot.
type furniture struct {
	title, note string
	legend      []entry
	x, y        Axis
	xs, ys      spread
	ramp        *rampBar // nil: none
	square      bool     // the same limits and lengths on both axes
	down        bool     // y grows downwards
	bare        bool     // no grid, since the data fill the plot
	above       bool     // the categories of x stand above the plot
	cells       bool     // categories of both axes take the same room
	headroom    float64  // dp kept free between the head and the plot
}

// rampBar is the colour bar beside a plot.
type rampBar struct {
	axis   Axis
	lo, hi float64
	colour [256]color.NRGBA
}

// frame is a laid out plot: a pen that knows its axes.
type frame struct {
	*pen
	plot rect
	x, y ruler
}

const (
	titleSize  = 13
	labelSize  = 11.5
	noteSize   = 11
	edge       = 8 // between the parts and the border, dp
	rowHeight  = 16
	leastPlot  = 12
	rampWidth  = 12
	longLegend = 0.2 // of the height
)

// compact drops what a small picture has no room for.
func (p *pen) compact(f *furniture) {
	if p.h < 110 || p.w < 120 {
		f.title, f.note, f.legend = "", "", nil
	}
	if p.h < 80 || p.w < 100 {
		f.x.Unit, f.y.Unit = "", ""
		f.x.Name, f.y.Name = "", ""
	}
	if p.w < 160 {
		f.ramp = nil
	}
}

// open lays out a plot and draws everything around the data.
func (p *pen) open(f furniture) *frame {
	p.compact(&f)
	if f.square {
		f.equalise()
	}
	fr := &frame{pen: p, x: newRuler(f.x, f.xs), y: newRuler(f.y, f.ys)}
	top := p.head(f) + f.headroom
	if f.above {
		top += rowHeight - 4
	}
	right := p.w - edge - 6 - p.rampRoom(f)
	names := p.nameRoom(f, right)
	bottom := p.h - edge - names
	if fr.x.title() != "" && !f.above {
		bottom -= rowHeight
	}
	bottom = math.Max(bottom, top+leastPlot)
	fr.layY(f, top, bottom)
	left := math.Min(fr.yRoom(), p.w*0.45)
	right = math.Max(right, left+leastPlot)
	fr.plot = rect{left, top, right, bottom}
	if f.square {
		fr.plot.x1 = left + math.Min(fr.plot.w(), fr.plot.h())
		fr.plot.y1 = top + math.Min(fr.plot.w(), fr.plot.h())
		fr.layY(f, top, fr.plot.y1)
	}
	if n, m := float64(len(f.x.Names)), float64(len(f.y.Names)); f.cells && n > 0 && m > 0 {
		side := math.Min(fr.plot.w()/n, fr.plot.h()/m)
		fr.plot.x1, fr.plot.y1 = left+float64(side*n), top+float64(side*m)
		fr.layY(f, top, fr.plot.y1)
	}
	fr.x.lay(fr.plot.x0, fr.plot.x1, false)
	fr.drawAxes(f, names)
	if p.seek != nil {
		p.seek.inside = fr.plot.holds(pt{p.seek.x, p.seek.y})
		p.seek.atX, p.seek.atY = fr.x.value(p.seek.x), fr.y.value(p.seek.y)
	}
	return fr
}

func (fr *frame) layY(f furniture, top, bottom float64) {
	if f.down {
		fr.y.lay(top, bottom, true)
	} else {
		fr.y.lay(bottom, top, true)
	}
}

// equalise gives both axes the scale of x and limits that hold the data of both.
func (f *furniture) equalise() {
	f.xs.join(f.ys)
	f.ys = f.xs
	f.y.Scale = f.x.Scale
	switch xSet, ySet := f.x.Min < f.x.Max, f.y.Min < f.y.Max; {
	case xSet && ySet:
		f.x.Min, f.x.Max = math.Min(f.x.Min, f.y.Min), math.Max(f.x.Max, f.y.Max)
	case ySet:
		f.x.Min, f.x.Max = f.y.Min, f.y.Max
	}
	f.y.Min, f.y.Max = f.x.Min, f.x.Max
	f.y.Zero, f.y.Names, f.x.Names = f.x.Zero, nil, nil
}

// head draws title, note and legend and tells where the plot begins.
func (p *pen) head(f furniture) float64 {
	y := float64(edge)
	room := p.w - 2*edge
	if f.title != "" {
		p.text(pt{edge, y + 12}, text{s: elide(f.title, titleSize, room, true), size: titleSize, colour: p.th.ink, bold: true})
		y += 20
	}
	if f.note != "" {
		p.text(pt{edge, y + 10}, text{s: elide(f.note, noteSize, room, false), size: noteSize, colour: p.th.quiet})
		y += rowHeight
	}
	y = p.legend(f.legend, y)
	return y + 6
}

// nameRoom is how high the labels of the x axis are.
func (p *pen) nameRoom(f furniture, right float64) float64 {
	if f.above || f.x.hidden {
		return 0
	}
	if len(f.x.Names) == 0 {
		return rowHeight
	}
	slot := (right - p.w*0.12) / float64(len(f.x.Names))
	widest := widestName(f.x.Names)
	if widest <= slot-4 {
		return rowHeight
	}
	return math.Min(widest, p.h*0.28) + 8
}

func widestName(names []string) float64 {
	n := 0.0
	for i, s := range names {
		if i > 2000 { // more than can be read
			break
		}
		n = math.Max(n, width(s, tickSize, false))
	}
	return n
}

// yRoom is how wide the labels and the title of the y axis are.
func (fr *frame) yRoom() float64 {
	n := 0.0
	for _, t := range fr.y.ticks {
		n = math.Max(n, width(t.label, tickSize, false))
	}
	if len(fr.y.Names) > 0 {
		n = math.Min(widestName(fr.y.Names), fr.w*0.25)
	}
	n += edge + 8
	if fr.y.title() != "" {
		n += rowHeight
	}
	return n
}

func (p *pen) rampRoom(f furniture) float64 {
	if f.ramp == nil {
		return 0
	}
	r := ruler{Axis: f.ramp.axis, lo: f.ramp.lo, hi: f.ramp.hi, from: f.ramp.lo, to: f.ramp.hi}
	r.lay(p.h*0.8, 0, true)
	n := 0.0
	for _, t := range r.ticks {
		n = math.Max(n, width(t.label, tickSize, false))
	}
	if r.title() != "" {
		n += rowHeight
	}
	return n + rampWidth + 16
}

func (fr *frame) drawAxes(f furniture, names float64) {
	q := fr.plot
	fr.rect(q, fr.th.plot)
	if !f.bare {
		for _, t := range fr.y.ticks {
			fr.gridLine(rect{q.x0, t.at, q.x1, t.at}, t)
		}
		for _, t := range fr.x.ticks {
			fr.gridLine(rect{t.at, q.y0, t.at, q.y1}, t)
		}
	}
	if !f.bare {
		fr.rect(rect{q.x0, q.y1, q.x1, q.y1}, fr.th.faint)
		fr.rect(rect{q.x0, q.y0, q.x0, q.y1}, fr.th.faint)
	}
	below := q.y1 + names - 3
	switch {
	case f.above:
		fr.namesAbove()
	case len(fr.x.Names) > 0:
		fr.xNames(names)
	default:
		fr.xLabels()
	}
	if len(fr.y.Names) > 0 {
		fr.yNames()
	} else {
		fr.yLabels()
	}
	fr.breaks()
	if s := fr.x.title(); s != "" && !f.above {
		s = elide(s, labelSize, fr.w-2*edge, false)
		half := width(s, labelSize, false) / 2
		x := math.Min(math.Max((q.x0+q.x1)/2, edge+half), fr.w-edge-half)
		fr.text(pt{x, below + 15}, text{s: s, size: labelSize, colour: fr.th.ink, anchor: 0.5})
	}
	if s := fr.y.title(); s != "" {
		fr.sideTitle(s, edge+10)
	}
	if f.ramp != nil {
		fr.drawRamp(f.ramp)
	}
}

// sideTitle writes the name of an upright axis beside the plot; a long one may go on below the plot, but not above it.
func (fr *frame) sideTitle(s string, x float64) {
	top, bottom := fr.plot.y0-4, fr.h-edge/2
	s = elide(s, labelSize, bottom-top, false)
	half := width(s, labelSize, false) / 2
	y := math.Min(math.Max((fr.plot.y0+fr.plot.y1)/2, top+half), bottom-half)
	fr.text(pt{x, y}, text{s: s, size: labelSize, colour: fr.th.ink, anchor: 0.5, up: true})
}

func (fr *frame) gridLine(r rect, t tick) {
	if !t.minor {
		fr.rect(r, fr.th.grid)
	}
}

// xLabels draws the labels of the x axis; one that would leave the picture is moved, and left out if it then touches the one before.
func (fr *frame) xLabels() {
	end := math.Inf(-1)
	for _, t := range fr.x.ticks {
		length := 4.0
		if t.minor {
			length = 2.5
		}
		fr.rect(rect{t.at, fr.plot.y1, t.at, fr.plot.y1 + length}, fr.th.faint)
		half := width(t.label, tickSize, false) / 2
		x := math.Min(math.Max(t.at, half+2), fr.w-half-2)
		if t.label == "" || x-half < end+3 {
			continue
		}
		end = x + half
		fr.text(pt{x, fr.plot.y1 + rowHeight - 1}, text{s: t.label, size: tickSize, colour: fr.th.quiet, anchor: 0.5})
	}
}

func (fr *frame) yLabels() {
	for _, t := range fr.y.ticks {
		length := 4.0
		if t.minor {
			length = 2.5
		}
		fr.rect(rect{fr.plot.x0 - length, t.at, fr.plot.x0, t.at}, fr.th.faint)
		if t.label != "" {
			s := elide(t.label, tickSize, fr.plot.x0-8, false)
			fr.text(pt{fr.plot.x0 - 7, t.at + 3.8}, text{s: s, size: tickSize, colour: fr.th.quiet, anchor: 1})
		}
	}
}

// xNames draws the categories below the plot: upright where they fit, else turned, and only every n-th where they are many.
func (fr *frame) xNames(room float64) {
	slot := fr.plot.w() / float64(len(fr.x.Names))
	turned := room > rowHeight
	every := 1
	if turned {
		every = max(1, int(math.Ceil((tickSize+2)/slot)))
	}
	for i := 0; i < len(fr.x.Names); i += every {
		at := fr.x.at(float64(i))
		t := text{size: tickSize, colour: fr.th.quiet, anchor: 0.5}
		if !turned {
			t.s = elide(fr.x.Names[i], tickSize, slot-3, false)
			fr.text(pt{at, fr.plot.y1 + rowHeight - 2}, t)
			continue
		}
		t.s, t.up, t.anchor = elide(fr.x.Names[i], tickSize, room-8, false), true, 1
		fr.text(pt{at + 3.8, fr.plot.y1 + 5}, t)
	}
}

func (fr *frame) namesAbove() {
	slot := fr.plot.w() / float64(len(fr.x.Names))
	every := max(1, int(math.Ceil((widestName(fr.x.Names)+3)/slot)))
	for i := 0; i < len(fr.x.Names); i += every {
		fr.text(pt{fr.x.at(float64(i)), fr.plot.y0 - 5}, text{s: fr.x.Names[i], size: tickSize, colour: fr.th.quiet, anchor: 0.5})
	}
}

func (fr *frame) yNames() {
	slot := fr.plot.h() / float64(len(fr.y.Names))
	every := max(1, int(math.Ceil((tickSize+3)/slot)))
	room := fr.plot.x0 - edge - 6
	if fr.y.title() != "" {
		room -= rowHeight
	}
	for i := 0; i < len(fr.y.Names); i += every {
		s := elide(fr.y.Names[i], tickSize, room, false)
		fr.text(pt{fr.plot.x0 - 6, fr.y.at(float64(i)) + 3.8}, text{s: s, size: tickSize, colour: fr.th.quiet, anchor: 1})
	}
}

// breaks marks where an axis jumps to 0.
func (fr *frame) breaks() {
	cut := func(at pt) {
		for _, d := range []float64{-2.5, 2.5} {
			fr.line([]pt{{at.x + d - 2.5, at.y + 5}, {at.x + d + 2.5, at.y - 5}}, stroke{width: 3.5, colour: fr.th.ground})
			fr.line([]pt{{at.x + d - 2.5, at.y + 5}, {at.x + d + 2.5, at.y - 5}}, stroke{width: 1.2, colour: fr.th.quiet})
		}
	}
	if at, ok := fr.x.gap(); ok {
		cut(pt{at, fr.plot.y1})
	}
	if at, ok := fr.y.gap(); ok {
		cut(pt{fr.plot.x0, at})
	}
}

// gap is the dp coordinate of the break before 0.
func (r *ruler) gap() (at float64, ok bool) {
	middle := (r.zero + r.first) / 2
	return r.a + float64((middle-r.from)/(r.to-r.from)*(r.b-r.a)), r.Scale == LogZero && r.lo == 0
}

func (fr *frame) drawRamp(b *rampBar) {
	x := fr.plot.x1 + 12
	r := ruler{Axis: b.axis, lo: b.lo, hi: b.hi, from: b.lo, to: b.hi}
	r.lay(fr.plot.y1, fr.plot.y0, true)
	m := image.NewNRGBA(image.Rect(0, 0, 1, 256))
	for i, c := range b.colour {
		m.SetNRGBA(0, 255-i, c)
	}
	fr.picture(rect{x, fr.plot.y0, x + rampWidth, fr.plot.y1}, m)
	widest := 0.0
	for _, t := range r.ticks {
		fr.rect(rect{x + rampWidth, t.at, x + rampWidth + 4, t.at}, fr.th.faint)
		fr.text(pt{x + rampWidth + 6, t.at + 3.8}, text{s: t.label, size: tickSize, colour: fr.th.quiet})
		widest = math.Max(widest, width(t.label, tickSize, false))
	}
	if s := r.title(); s != "" {
		fr.sideTitle(s, x+rampWidth+6+widest+14)
	}
}

// cursor marks the place of Options.Cursor.
func (fr *frame) cursor() {
	if fr.o.Cursor == nil {
		return
	}
	x := fr.x.at(*fr.o.Cursor)
	if !(x >= fr.plot.x0-0.5 && x <= fr.plot.x1+0.5) {
		return
	}
	fr.rect(rect{x, fr.plot.y0, x + 1, fr.plot.y1}, fr.th.ink)
	fr.fill([]pt{{x - 4.5, fr.plot.y0 - 6}, {x + 5.5, fr.plot.y0 - 6}, {x + 0.5, fr.plot.y0 + 1}}, fr.th.ink)
}

// empty says in words why there is nothing to see.
func (p *pen) empty(title, words, otherwise string) {
	if words == "" {
		words = otherwise
	}
	if title != "" && p.h >= 60 {
		p.text(pt{edge, edge + 12}, text{s: elide(title, titleSize, p.w-2*edge, true), size: titleSize, colour: p.th.ink, bold: true})
	}
	s := elide(words, labelSize, p.w-4, false)
	p.text(pt{p.w / 2, p.h/2 + 4}, text{s: s, size: labelSize, colour: p.th.quiet, anchor: 0.5})
}

// joined puts the parts of a sentence together, leaving out empty ones.
func joined(sep string, parts ...string) string {
	kept := parts[:0:0]
	for _, s := range parts {
		if s != "" {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, sep)
}
