package chart

import (
	"image"
	"io"
	"math"
	"sort"
)

// BarSeries is one value per category.
type BarSeries struct {
	Name      string
	Values    []float64 // NaN: none
	Low, High []float64 // ends of the error bars; nil or NaN: none
	Look      Look
}

// Order is how categories are sorted.
type Order uint8

const (
	AsGiven Order = iota
	Falling       // by the value of the first series, those without one last
	Rising
)

// Bars is a value for each of some categories, side by side where there are several series.
type Bars struct {
	Title, Note string
	X           string // what the categories are
	Names       []string
	Y           Axis
	Series      []BarSeries
	Lines       []Line // thresholds
	Order       Order
	Empty       string
}

func (c Bars) Draw(dst *image.RGBA, o Options)                  { draw(c, dst, o) }
func (c Bars) At(w, h int, o Options, y, x float64) (Hit, bool) { return at(c, w, h, o, y, x) }
func (c Bars) SVG(w io.Writer, width, height int) error         { return svg(c, w, width, height) }

// order is the indices of the categories from left to right.
func (c Bars) order() []int {
	index := make([]int, len(c.Names))
	for i := range index {
		index[i] = i
	}
	if c.Order == AsGiven || len(c.Series) == 0 {
		return index
	}
	v := c.Series[0].Values
	sort.SliceStable(index, func(i, j int) bool {
		a, b := value(v, index[i]), value(v, index[j])
		if math.IsNaN(a) || math.IsNaN(b) {
			return !math.IsNaN(a)
		}
		if c.Order == Falling {
			return a > b
		}
		return a < b
	})
	return index
}

func (c Bars) paint(p *pen) {
	ys, n := newSpread(), 0
	for i := range c.Series {
		s := &c.Series[i]
		for k := range c.Names {
			if finite(value(s.Values, k)) {
				n++
			}
			ys.add(value(s.Values, k), value(s.Low, k), value(s.High, k))
		}
	}
	if n == 0 {
		p.empty(c.Title, c.Empty, "No values")
		return
	}
	for _, l := range c.Lines {
		if !l.Vertical {
			ys.add(l.At)
		}
	}
	order := c.order()
	names := make([]string, len(order))
	for i, k := range order {
		names[i] = c.Names[k]
	}
	y := c.Y
	if y.Scale == Linear {
		y.Zero = true
	}
	fr := p.open(furniture{title: c.Title, note: c.Note, legend: c.legend(), x: Axis{Name: c.X, Names: names}, y: y, ys: ys})
	fr.clip(fr.plot.grown(1))
	slot := fr.plot.w() / float64(len(order))
	wide := slot * 0.8 / float64(len(c.Series))
	if len(order) > 60 && len(c.Series) == 1 {
		wide = slot
	}
	for i, k := range order {
		left := fr.x.at(float64(i)) - wide*float64(len(c.Series))/2
		for j := range c.Series {
			fr.column(&c.Series[j], Ref{j, k}, left+wide*float64(j), wide)
		}
	}
	fr.unclip()
	if zero := fr.y.at(0); zero > fr.plot.y0 && zero < fr.plot.y1-1 {
		fr.rect(rect{fr.plot.x0, zero, fr.plot.x1, zero}, fr.th.quiet)
	}
	fr.lines(c.Lines)
}

func (c Bars) legend() (entries []entry) {
	if len(c.Series) < 2 {
		return nil
	}
	for i, s := range c.Series {
		entries = append(entries, entry{name: s.Name, look: s.Look.of(i), fill: true, alpha: barInk(i), marker: i > 0})
	}
	return entries
}

// barInk makes neighbours differ in lightness as well.
func barInk(series int) float64 {
	if series%2 == 1 {
		return 0.55
	}
	return 0.95
}

// column draws one bar from the base line, with the mark of its series on it where it is not the first.
func (fr *frame) column(s *BarSeries, ref Ref, left, wide float64) {
	v := value(s.Values, ref.Index)
	base := fr.y.at(0)
	if !finite(base) {
		base = fr.plot.y1
	}
	base = math.Min(math.Max(base, fr.plot.y0), fr.plot.y1)
	middle := left + wide/2
	look := s.Look.of(ref.Series)
	c := fr.th.of(look.Colour)
	if !finite(v) || !finite(fr.y.at(v)) {
		fr.stamp(pt{middle, base - 6}, Cross, math.Min(6, wide), fr.th.quiet)
		fr.datum(ref, rect{middle, base - 6, middle, base - 6})
		return
	}
	top := fr.y.at(v)
	gap := 1.0
	if wide < 4 { // a gap would come and go with the pixels
		gap = 0
	}
	q := rect{left + gap/2, math.Min(top, base), left + wide - gap/2, math.Max(top, base)}
	fr.rect(q, faded(c, barInk(ref.Series)))
	if ref.Series > 0 && wide >= 8 && q.h() > 16 {
		fr.stamp(pt{middle, base + math.Copysign(8, top-base)}, look.Marker, math.Min(7, wide*0.6), fr.th.ink)
	}
	fr.bar(pt{middle, top}, fr.y.at(value(s.Low, ref.Index)), fr.y.at(value(s.High, ref.Index)), fr.th.ink)
	q.y0, q.y1 = math.Max(q.y0, fr.plot.y0), math.Min(q.y1, fr.plot.y1)
	fr.datum(ref, q)
	fr.above(ref, rect{q.x0, fr.plot.y0, q.x1, fr.plot.y1})
}

// above lets a whole strip stand for a datum where nothing else is near.
func (p *pen) above(ref Ref, r rect) {
	if p.seek != nil && r.holds(pt{p.seek.x, p.seek.y}) {
		p.seek.take(ref, reach-1e-3)
	}
}

func (c Bars) words(r Ref, _ float64) Hit {
	h := Hit{Ref: r, X: math.NaN()}
	s := &c.Series[r.Series]
	h.Y = value(s.Values, r.Index)
	head := c.Names[r.Index]
	if len(c.Series) > 1 {
		head = joined(", ", head, s.Name)
	}
	h.Text = joined(": ", head, c.Y.says(h.Y))
	if lo, hi := value(s.Low, r.Index), value(s.High, r.Index); finite(lo) && finite(hi) {
		h.Text += " (" + Number(lo) + " to " + Number(hi) + ")"
	}
	return h
}
