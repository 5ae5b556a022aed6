package chart

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"sort"
)

// Mode is how a series is drawn.
type Mode uint8

const (
	Points      Mode = iota
	Lines            // a line through the data
	LinesPoints      // both
	Steps            // a line that keeps its height until the next datum, as a distribution function does
)

// Series is data over a common pair of axes. NaN in Y is a gap in lines.
type Series struct {
	Name      string
	X, Y      []float64 // of the same length
	Low, High []float64 // ends of the error bars in units of y; nil or NaN: none
	Labels    []string  // what each datum is ("human_kidney_01"); nil: only the values are said
	Mode      Mode
	Look      Look
}

// Line is a straight line across the plot, with a name on it: a threshold, an onset, a limit.
type Line struct {
	Name     string
	At       float64
	Vertical bool // at an x, else at a y
	Look     Look
}

// Band shades what lies between two curves over X.
type Band struct {
	Name         string
	X, Low, High []float64
	Look         Look
}

// Gap is a distance in y that is pointed out at an x, such as the largest between two distribution functions.
type Gap struct {
	X, Low, High float64
	Text         string
}

// XY is series over a pair of axes: curves, scatter, distribution functions, dose responses.
type XY struct {
	Title, Note string // Note is a line below the title, such as "r = 0.93, n = 210"
	X, Y        Axis
	Series      []Series
	Lines       []Line
	Bands       []Band
	Gaps        []Gap
	Identity    bool   // both axes have the same limits, and the line y = x is drawn
	Equal       bool   // both axes have the same limits
	Empty       string // what is said where there is no datum
}

func (c XY) Draw(dst *image.RGBA, o Options)                  { draw(c, dst, o) }
func (c XY) At(w, h int, o Options, y, x float64) (Hit, bool) { return at(c, w, h, o, y, x) }
func (c XY) SVG(w io.Writer, width, height int) error         { return svg(c, w, width, height) }
func (c XY) Place(w, h int, o Options, y, x float64) (_, _ float64, _ bool) {
	return place(c, w, h, o, y, x)
}

// Profile is an XY chart of channels or sides against a distance: curves without markers.
func Profile(title string, x, y Axis, curves ...Series) XY {
	c := XY{Title: title, X: x, Y: y, Series: append([]Series(nil), curves...), Empty: "No profile"}
	for i := range c.Series {
		c.Series[i].Mode = Lines
	}
	return c
}

// Distribution is the empirical distribution function of values: the part of them that is not above x.
func Distribution(name string, values []float64, look Look) Series {
	v := sorted(values)
	s := Series{Name: name, Mode: Steps, Look: look}
	if len(v) == 0 {
		return s
	}
	s.X, s.Y = append(s.X, v[0]), append(s.Y, 0)
	for i, x := range v {
		if i+1 == len(v) || v[i+1] != x {
			s.X, s.Y = append(s.X, x), append(s.Y, float64(i+1)/float64(len(v)))
		}
	}
	return s
}

// LargestGap is the place where two distribution functions are furthest apart, the Kolmogorov-Smirnov distance. ok is false where one
// of them has no value.
func LargestGap(a, b []float64) (g Gap, ok bool) {
	a, b = sorted(a), sorted(b)
	if len(a) == 0 || len(b) == 0 {
		return g, false
	}
	best := -1.0
	for i, j := 0, 0; i < len(a) || j < len(b); {
		x := math.Inf(1)
		if i < len(a) {
			x = a[i]
		}
		if j < len(b) {
			x = math.Min(x, b[j])
		}
		for i < len(a) && a[i] == x {
			i++
		}
		for j < len(b) && b[j] == x {
			j++
		}
		fa, fb := float64(i)/float64(len(a)), float64(j)/float64(len(b))
		if d := math.Abs(fa - fb); d > best {
			best = d
			g = Gap{X: x, Low: math.Min(fa, fb), High: math.Max(fa, fb), Text: "D = " + Number(d)}
		}
	}
	return g, true
}

// sorted is the finite values in rising order.
func sorted(values []float64) []float64 {
	v := make([]float64, 0, len(values))
	for _, x := range values {
		if finite(x) {
			v = append(v, x)
		}
	}
	sort.Float64s(v)
	return v
}

func (s *Series) len() int { return min(len(s.X), len(s.Y)) }

// value is element i of v, NaN where it has none.
func value(v []float64, i int) float64 {
	if i < len(v) {
		return v[i]
	}
	return math.NaN()
}

// spreads gathers what the axes must show; n is the number of data.
func (c XY) spreads() (xs, ys spread, n int) {
	xs, ys = newSpread(), newSpread()
	for i := range c.Series {
		s := &c.Series[i]
		for k := range s.len() {
			if finite(s.X[k]) && finite(s.Y[k]) {
				n++
				xs.add(s.X[k])
				ys.add(s.Y[k], value(s.Low, k), value(s.High, k))
			}
		}
	}
	for _, b := range c.Bands {
		for k := range min(len(b.X), len(b.Low), len(b.High)) {
			if finite(b.X[k]) && finite(b.Low[k]) && finite(b.High[k]) {
				n++
				xs.add(b.X[k])
				ys.add(b.Low[k], b.High[k])
			}
		}
	}
	for _, l := range c.Lines {
		if l.Vertical {
			xs.add(l.At)
		} else {
			ys.add(l.At)
		}
	}
	return xs, ys, n
}

func (c XY) paint(p *pen) {
	xs, ys, n := c.spreads()
	if n == 0 {
		p.empty(c.Title, c.Empty, "No data")
		return
	}
	f := furniture{title: c.Title, note: c.Note, x: c.X, y: c.Y, xs: xs, ys: ys, square: c.Identity || c.Equal, legend: c.legend()}
	if len(c.Series) == 0 && !(c.X.Min < c.X.Max) && c.X.Scale == Linear { // bands fill the plot
		f.x.Min, f.x.Max = xs.lo, xs.hi
	}
	rx, ry := newRuler(c.X, xs), newRuler(c.Y, ys)
	if k := rx.unseen(xs) + ry.unseen(ys); k > 0 {
		f.note = joined("; ", c.Note, fmt.Sprintf("values with no place on a logarithmic axis: %d", k))
	}
	fr := p.open(f)
	fr.clip(fr.plot)
	for i, b := range c.Bands {
		fr.band(b, i+len(c.Series))
	}
	if c.Identity {
		fr.line([]pt{{fr.plot.x0, fr.plot.y1}, {fr.plot.x1, fr.plot.y0}}, stroke{width: 1, colour: p.th.quiet, dash: dashes[Dashed]})
	}
	for i := range c.Series {
		fr.curve(&c.Series[i], i)
	}
	fr.unclip()
	fr.clip(fr.plot.grown(6))
	for i := range c.Series {
		fr.points(&c.Series[i], i)
	}
	fr.unclip()
	fr.lines(c.Lines)
	for _, g := range c.Gaps {
		fr.gap(g)
	}
	fr.cursor()
}

func (c XY) legend() (entries []entry) {
	for i, s := range c.Series {
		entries = append(entries, entry{name: s.Name, look: s.Look.of(i), line: s.Mode != Points, marker: s.Mode == Points || s.Mode == LinesPoints})
	}
	for i, b := range c.Bands {
		entries = append(entries, entry{name: b.Name, look: b.Look.of(i + len(c.Series)), fill: true, alpha: bandInk})
	}
	if len(entries) == 1 && c.Title != "" {
		return nil
	}
	return entries
}

const bandInk = 0.35

func (fr *frame) band(b Band, index int) {
	look := b.Look.of(index)
	var up, down []pt
	flush := func() {
		path := append(up, reversed(down)...)
		fr.fill(path, faded(fr.th.of(look.Colour), bandInk))
		if len(up) > 1 {
			fr.line(up, stroke{width: 1, colour: fr.th.of(look.Colour), dash: dashes[look.Dash]})
		}
		up, down = nil, nil
	}
	for i := range min(len(b.X), len(b.Low), len(b.High)) {
		x, lo, hi := fr.x.at(b.X[i]), fr.y.at(b.Low[i]), fr.y.at(b.High[i])
		if !finite(x + lo + hi) {
			flush()
			continue
		}
		if k := len(up); k > 0 { // the place between two data belongs to the later one
			fr.above(Ref{index, i}, rect{up[k-1].x, hi, x, lo})
		}
		up, down = append(up, pt{x, hi}), append(down, pt{x, lo})
		fr.datum(Ref{index, i}, rect{x, hi, x, hi})
	}
	flush()
}

// curve draws the line of a series, broken where a value is missing.
func (fr *frame) curve(s *Series, index int) {
	if s.Mode == Points {
		return
	}
	look := s.Look.of(index)
	st := stroke{width: 1.8, colour: fr.th.of(look.Colour), dash: dashes[look.Dash]}
	var path []pt
	before := -1
	flush := func() {
		if len(path) == 1 && s.Mode != LinesPoints { // a datum alone would not show
			fr.stamp(path[0], Dot, 3.5, st.colour)
		}
		fr.line(path, st)
		path, before = path[:0], -1
	}
	for i := range s.len() {
		at := pt{fr.x.at(s.X[i]), fr.y.at(s.Y[i])}
		if !finite(at.x) || !finite(at.y) {
			flush()
			continue
		}
		if before >= 0 {
			last := path[len(path)-1]
			if fr.x.jumps(s.X[before], s.X[i]) || fr.y.jumps(s.Y[before], s.Y[i]) {
				flush()
				path, before = append(path, at), i
				continue
			}
			if s.Mode == Steps {
				path = append(path, pt{at.x, last.y})
			}
			fr.between(Ref{index, before}, Ref{index, i}, last, at)
		}
		path, before = append(path, at), i
	}
	flush()
}

// points draws markers and error bars, and notes where the data are.
func (fr *frame) points(s *Series, index int) {
	look := s.Look.of(index)
	c := fr.th.of(look.Colour)
	size, ink := 6.5, 0.9
	switch n := s.len(); {
	case n > 20000:
		size, ink = 3, 0.4
	case n > 2000:
		size, ink = 4, 0.5
	case n > 300:
		size, ink = 5, 0.75
	}
	in := fr.plot.grown(6)
	for i := range s.len() {
		at := pt{fr.x.at(s.X[i]), fr.y.at(s.Y[i])}
		if !finite(at.x) || !finite(at.y) {
			continue
		}
		fr.bar(at, fr.y.at(value(s.Low, i)), fr.y.at(value(s.High, i)), c)
		if s.Mode == Points || s.Mode == LinesPoints {
			fr.stamp(at, look.Marker, size, faded(c, ink))
		}
		if in.holds(at) {
			fr.datum(Ref{index, i}, rect{at.x, at.y, at.x, at.y})
		}
	}
}

// bar draws an error bar from lo to hi, of which either may be missing.
func (fr *frame) bar(at pt, lo, hi float64, c color.NRGBA) {
	for _, y := range [...]float64{lo, hi} {
		if finite(y) {
			fr.line([]pt{at, {at.x, y}}, stroke{width: 1.3, colour: c})
			fr.line([]pt{{at.x - 3.5, y}, {at.x + 3.5, y}}, stroke{width: 1.3, colour: c})
		}
	}
}

// lines draws straight lines with their names: those of vertical lines in rows from the top, those of horizontal lines at the right end.
func (fr *frame) lines(lines []Line) {
	rows := make([]float64, 0, len(lines)) // where the text of each row ends
	for i, l := range lines {
		look := l.Look
		if look.Colour == AutoColour {
			look.Colour = Ink
		}
		if look.Dash == AutoDash {
			look.Dash = autoDashes[(i+1)%len(autoDashes)]
		}
		st := stroke{width: 1.3, colour: fr.th.of(look.Colour), dash: dashes[look.Dash]}
		t := text{s: elide(l.Name, tickSize, fr.plot.w()*0.6, false), size: tickSize, colour: st.colour}
		wide := width(t.s, t.size, false)
		if l.Vertical {
			x := fr.x.at(l.At)
			if !(x >= fr.plot.x0 && x <= fr.plot.x1) {
				continue
			}
			fr.line([]pt{{x, fr.plot.y0}, {x, fr.plot.y1}}, st)
			start := x + 4
			if start+wide > fr.plot.x1 {
				start = x - 4 - wide
			}
			row := 0
			for row < len(rows) && start < rows[row]+4 {
				row++
			}
			if row == len(rows) {
				rows = append(rows, 0)
			}
			rows[row] = start + wide
			if base := fr.plot.y0 + 12 + 14*float64(row); base < fr.plot.y1-3 {
				fr.tag(pt{start, base}, t, wide)
			}
			continue
		}
		y := fr.y.at(l.At)
		if !(y >= fr.plot.y0 && y <= fr.plot.y1) {
			continue
		}
		fr.line([]pt{{fr.plot.x0, y}, {fr.plot.x1, y}}, st)
		base := y - 4
		if base < fr.plot.y0+10 {
			base = y + 12
		}
		fr.tag(pt{fr.plot.x1 - 4 - wide, base}, t, wide)
	}
}

// tag writes on a patch of ground, so that it can be read over data.
func (fr *frame) tag(at pt, t text, wide float64) {
	if t.s == "" {
		return
	}
	fr.rect(rect{at.x - 2, at.y - 10, at.x + wide + 2, at.y + 3}, faded(fr.th.plot, 0.75))
	fr.text(at, t)
}

func (fr *frame) gap(g Gap) {
	x, lo, hi := fr.x.at(g.X), fr.y.at(g.Low), fr.y.at(g.High)
	if !finite(x + lo + hi) {
		return
	}
	st := stroke{width: 2, colour: fr.th.ink}
	fr.line([]pt{{x, lo}, {x, hi}}, st)
	for _, y := range [...]float64{lo, hi} {
		fr.line([]pt{{x - 5, y}, {x + 5, y}}, st)
	}
	t := text{s: g.Text, size: noteSize, colour: fr.th.ink, bold: true}
	wide := width(t.s, t.size, true)
	start := x + 8
	if start+wide > fr.plot.x1 {
		start = x - 8 - wide
	}
	fr.tag(pt{start, (lo+hi)/2 + 4}, t, wide)
}

func (c XY) words(r Ref, _ float64) Hit {
	h := Hit{Ref: r, Y: math.NaN(), X: math.NaN()}
	if r.Series >= len(c.Series) {
		b := &c.Bands[r.Series-len(c.Series)]
		h.X, h.Y = b.X[r.Index], b.High[r.Index]
		h.Text = joined(": ", b.Name, joined(", ", c.X.says(h.X), c.Y.says(b.Low[r.Index])+" to "+Number(h.Y)))
		return h
	}
	s := &c.Series[r.Series]
	h.X, h.Y = value(s.X, r.Index), value(s.Y, r.Index)
	head := s.Name
	if r.Index < len(s.Labels) {
		head = joined(", ", head, s.Labels[r.Index])
	}
	h.Text = joined(": ", head, joined(", ", c.X.says(h.X), c.Y.says(h.Y)))
	if lo, hi := value(s.Low, r.Index), value(s.High, r.Index); finite(lo) && finite(hi) {
		h.Text += " (" + Number(lo) + " to " + Number(hi) + ")"
	}
	return h
}
