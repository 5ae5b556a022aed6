package chart

import (
	"fmt"
	"image"
	"io"
	"math"
	"sort"
)

// Set is values whose distribution is drawn.
type Set struct {
	Name   string
	Values []float64
	Look   Look
}

// Histogram counts values in bins, several sets over each other. A bin holds its lower edge, and the last one also its upper edge.
type Histogram struct {
	Title, Note string
	X           Axis
	Sets        []Set
	Edges       []float64 // of the bins, rising; nil: Bins bins of equal width on the axis over the data
	Bins        int       // 0: chosen by the number of values
	Share       bool      // parts of each set instead of counts
	Lines       []Line
	Empty       string
}

func (c Histogram) Draw(dst *image.RGBA, o Options)                  { draw(c, dst, o) }
func (c Histogram) At(w, h int, o Options, y, x float64) (Hit, bool) { return at(c, w, h, o, y, x) }
func (c Histogram) SVG(w io.Writer, width, height int) error         { return svg(c, w, width, height) }
func (c Histogram) Place(w, h int, o Options, y, x float64) (_, _ float64, _ bool) {
	return place(c, w, h, o, y, x)
}

// edges are the borders of the bins; n is the number of finite values.
func (c Histogram) edges() (edges []float64, n int) {
	s := newSpread()
	for _, set := range c.Sets {
		s.add(set.Values...)
	}
	if len(c.Edges) > 1 && sort.Float64sAreSorted(c.Edges) && finite(c.Edges[0]) && finite(c.Edges[len(c.Edges)-1]) {
		return c.Edges, s.n
	}
	lo, hi := apart(s.lo, s.hi)
	if c.X.Min < c.X.Max {
		lo, hi = c.X.Min, c.X.Max
	}
	if s.n == 0 {
		return nil, 0
	}
	bins := c.Bins
	if bins <= 0 {
		bins = int(math.Min(math.Max(math.Ceil(2*math.Cbrt(float64(s.n))), 5), 60)) // Rice's rule
	}
	if log := c.X.Scale == Log || c.X.Scale == LogZero; log && s.positive < hi { // bins that look equally wide
		lo = math.Max(lo, s.positive)
		for i := 0; i <= bins; i++ {
			edges = append(edges, lo*math.Pow(hi/lo, float64(i)/float64(bins)))
		}
		edges[bins] = hi
		return edges, s.n
	}
	for i := 0; i <= bins; i++ {
		part := float64(i) / float64(bins)
		edges = append(edges, float64(lo*(1-part))+float64(hi*part))
	}
	return edges, s.n
}

// count gives how many values lie in each bin, and how many there are in all.
func count(values, edges []float64) (bins []int, all int) {
	bins = make([]int, len(edges)-1)
	last := len(bins) - 1
	for _, v := range values {
		if !finite(v) {
			continue
		}
		all++
		i := sort.SearchFloat64s(edges, v)
		if i == len(edges) || edges[i] != v {
			i--
		}
		if i == len(bins) && v == edges[len(edges)-1] {
			i = last
		}
		if i >= 0 && i <= last {
			bins[i]++
		}
	}
	return bins, all
}

func (c Histogram) heights(set int, edges []float64) []float64 {
	bins, all := count(c.Sets[set].Values, edges)
	h := make([]float64, len(bins))
	for i, n := range bins {
		h[i] = float64(n)
		if c.Share && all > 0 {
			h[i] /= float64(all)
		}
	}
	return h
}

func (c Histogram) paint(p *pen) {
	edges, n := c.edges()
	if n == 0 {
		p.empty(c.Title, c.Empty, "No values")
		return
	}
	xs, ys := newSpread(), newSpread()
	heights := make([][]float64, len(c.Sets))
	for i := range c.Sets {
		heights[i] = c.heights(i, edges)
		ys.add(heights[i]...)
	}
	x := c.X
	if !(x.Min < x.Max) && x.Scale == Linear {
		x.Min, x.Max = edges[0], edges[len(edges)-1]
	}
	xs.add(edges...)
	y := Axis{Name: "Count", Zero: true, Whole: true}
	if c.Share {
		y = Axis{Name: "Share", Zero: true}
	}
	fr := p.open(furniture{title: c.Title, note: c.Note, legend: c.legend(), x: x, y: y, xs: xs, ys: ys})
	fr.clip(fr.plot)
	for i := range c.Sets {
		fr.bins(edges, heights[i], i, c.Sets[i].Look.of(i))
	}
	fr.unclip()
	fr.lines(c.Lines)
	fr.cursor()
}

func (c Histogram) legend() (entries []entry) {
	if len(c.Sets) < 2 {
		return nil
	}
	for i, s := range c.Sets {
		entries = append(entries, entry{name: s.Name, look: s.Look.of(i), fill: true, alpha: binInk(i), line: true})
	}
	return entries
}

func binInk(set int) float64 {
	if set == 0 {
		return 0.4
	}
	return 0.22
}

// bins draws one set: a light fill and an outline with the dashes of the set.
func (fr *frame) bins(edges, heights []float64, set int, look Look) {
	c := fr.th.of(look.Colour)
	base := fr.y.at(0)
	start := fr.x.at(edges[0])
	if !finite(start) {
		start = fr.plot.x0
	}
	outline := []pt{{start, base}}
	for i, h := range heights {
		x0, x1, y := fr.x.at(edges[i]), fr.x.at(edges[i+1]), fr.y.at(h)
		if !finite(x0) {
			x0 = fr.plot.x0
		}
		if !finite(x1) {
			continue
		}
		if h > 0 {
			fr.rect(rect{x0, y, x1, base}, faded(c, binInk(set)))
			fr.datum(Ref{set, i}, rect{x0, y, x1, base})
		}
		outline = append(outline, pt{x0, y}, pt{x1, y})
		fr.above(Ref{set, i}, rect{x0, fr.plot.y0, x1, fr.plot.y1})
	}
	outline = append(outline, pt{outline[len(outline)-1].x, base})
	fr.line(outline, stroke{width: 1.5, colour: c, dash: dashes[look.Dash]})
}

func (c Histogram) words(r Ref, _ float64) Hit {
	edges, _ := c.edges()
	bins, all := count(c.Sets[r.Series].Values, edges)
	lo, hi := edges[r.Index], edges[r.Index+1]
	name, unit := c.X.split()
	h := Hit{Ref: r, X: lo + (hi-lo)/2, Y: float64(bins[r.Index])}
	if c.Share && all > 0 {
		h.Y /= float64(all)
	}
	where := fmt.Sprintf("%s of %s at %s %s to %s", Number(float64(bins[r.Index])), Number(float64(all)), name, Number(lo), withUnit(hi, unit))
	h.Text = joined(": ", c.Sets[r.Series].Name, where)
	return h
}
