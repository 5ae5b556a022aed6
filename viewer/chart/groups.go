package chart

import (
	"fmt"
	"image"
	"io"
	"math"
)

// Group is the values of one group: a condition, a class, a cell type.
type Group struct {
	Name   string
	Values []float64
	Labels []string // what each value is of; nil: only values are said
	Look   Look
}

// Bracket says over two groups what a test between them found.
type Bracket struct {
	Left, Right int    // indices of groups
	Text        string // "p = 0.003"
	Doubt       bool   // the outcome is not the expected one: drawn dashed
}

// Groups shows values by group: every value a dot, the shape of many values as a violin, the median and the quartiles.
type Groups struct {
	Title, Note string
	Y           Axis
	Groups      []Group
	Brackets    []Bracket
	Lines       []Line
	Empty       string
}

func (c Groups) Draw(dst *image.RGBA, o Options)                  { draw(c, dst, o) }
func (c Groups) At(w, h int, o Options, y, x float64) (Hit, bool) { return at(c, w, h, o, y, x) }
func (c Groups) SVG(w io.Writer, width, height int) error         { return svg(c, w, width, height) }

const (
	violinFrom = 15  // values that a violin needs to mean something
	swarmUpTo  = 600 // values that are set beside each other; more are spread within the violin
	bracketRow = 18  // dp
)

func (c Groups) paint(p *pen) {
	ys := newSpread()
	names := make([]string, len(c.Groups))
	for i, g := range c.Groups {
		ys.add(g.Values...)
		names[i] = g.Name
	}
	if ys.n == 0 {
		p.empty(c.Title, c.Empty, "No values")
		return
	}
	for _, l := range c.Lines {
		if !l.Vertical {
			ys.add(l.At)
		}
	}
	rows, levels := c.levels()
	if p.h < 110 {
		levels = 0
	}
	fr := p.open(furniture{title: c.Title, note: c.Note, x: Axis{Names: names}, y: c.Y, ys: ys, headroom: float64(levels) * bracketRow})
	slot := fr.plot.w() / float64(len(c.Groups))
	fr.clip(fr.plot.grown(4))
	for i := range c.Groups {
		fr.group(&c.Groups[i], i, slot)
	}
	fr.unclip()
	for i, b := range c.Brackets {
		if levels > 0 && rows[i] >= 0 {
			fr.bracket(b, rows[i])
		}
	}
	fr.lines(c.Lines)
}

// levels gives each bracket a row above the plot such that none crosses another; -1 where it names no groups.
func (c Groups) levels() (rows []int, levels int) {
	rows = make([]int, len(c.Brackets))
	for i, b := range c.Brackets {
		rows[i] = -1
		if b.Left < 0 || b.Right < 0 || b.Left >= len(c.Groups) || b.Right >= len(c.Groups) {
			continue
		}
		row := 0
		for k := 0; k < i; k++ {
			if rows[k] == row && overlap(b, c.Brackets[k]) {
				row, k = row+1, -1
			}
		}
		rows[i], levels = row, max(levels, row+1)
	}
	return rows, levels
}

func overlap(a, b Bracket) bool {
	return max(min(a.Left, a.Right), min(b.Left, b.Right)) <= min(max(a.Left, a.Right), max(b.Left, b.Right))
}

func (fr *frame) group(g *Group, index int, slot float64) {
	look := g.Look.of(index)
	c := fr.th.of(look.Colour)
	v := sorted(g.Values)
	if len(v) == 0 {
		fr.text(pt{fr.x.at(float64(index)), fr.plot.y1 - 6}, text{s: elide("none", tickSize, slot, false), size: tickSize, colour: fr.th.quiet, anchor: 0.5})
		return
	}
	middle, half := fr.x.at(float64(index)), math.Min(slot*0.42, 90)
	var density func(v float64) float64
	if len(v) >= violinFrom && v[0] < v[len(v)-1] {
		density = fr.violin(v, middle, half, look)
	}
	size := 5.5
	if len(v) > 150 {
		size = 4
	}
	for i, at := range fr.swarm(g.Values, middle, half, size, density) {
		if finite(at.x) && finite(at.y) {
			fr.stamp(at, look.Marker, size, faded(c, 0.8))
			fr.datum(Ref{index, i}, rect{at.x, at.y, at.x, at.y})
		}
	}
	fr.quartiles(v, middle, half)
}

// quartiles draws the median and a thinner line from the lower to the upper quartile.
func (fr *frame) quartiles(v []float64, middle, half float64) {
	q1, m, q3 := fr.y.at(Quantile(v, 0.25)), fr.y.at(Quantile(v, 0.5)), fr.y.at(Quantile(v, 0.75))
	if finite(m) {
		wide := half * 0.8
		fr.line([]pt{{middle - wide, m}, {middle + wide, m}}, stroke{width: 5, colour: fr.th.plot})
		fr.line([]pt{{middle - wide, m}, {middle + wide, m}}, stroke{width: 2.6, colour: fr.th.ink})
	}
	if len(v) >= 4 && finite(q1) && finite(q3) {
		for _, y := range [...]float64{q1, q3} {
			fr.line([]pt{{middle - half*0.4, y}, {middle + half*0.4, y}}, stroke{width: 3.4, colour: fr.th.plot})
			fr.line([]pt{{middle - half*0.4, y}, {middle + half*0.4, y}}, stroke{width: 1.4, colour: fr.th.ink})
		}
	}
}

// Quantile is the quantile of values in rising order, linear between them.
func Quantile(sorted []float64, part float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := part * float64(len(sorted)-1)
	k := min(int(at), len(sorted)-1)
	if k+1 >= len(sorted) {
		return sorted[k]
	}
	w := at - float64(k)
	return float64(sorted[k]*(1-w)) + float64(sorted[k+1]*w)
}

const violinSteps = 64

// violin draws the smoothed shape of the values (Gaussian kernel, Silverman's width) between the least and the greatest, and gives
// its width as a part of the widest at a value.
func (fr *frame) violin(v []float64, middle, half float64, look Look) func(float64) float64 {
	lo, hi := v[0], v[len(v)-1]
	iqr := Quantile(v, 0.75) - Quantile(v, 0.25)
	spread := math.Min(deviation(v), iqr/1.34)
	if !(spread > 0) {
		spread = (hi - lo) / 8
	}
	h := math.Max(float64(0.9*spread)*math.Pow(float64(len(v)), -0.2), (hi-lo)/1000)
	var d [violinSteps + 1]float64
	at := func(i int) float64 { return lo + float64((hi-lo)*float64(i))/violinSteps }
	stride := len(v)/4000 + 1 // a shape needs no more
	top := 0.0
	for i := range d {
		y := at(i)
		for k := 0; k < len(v); k += stride {
			z := (v[k] - y) / h
			if z > -5 && z < 5 {
				d[i] += math.Exp(float64(-0.5 * z * z))
			}
		}
		top = math.Max(top, d[i])
	}
	var right, left []pt
	for i := range d {
		d[i] /= top
		y := fr.y.at(at(i))
		if finite(y) {
			right = append(right, pt{middle + float64(d[i]*half), y})
			left = append(left, pt{middle - float64(d[i]*half), y})
		}
	}
	path := append(right, reversed(left)...)
	c := fr.th.of(look.Colour)
	fr.fill(path, faded(c, 0.22))
	if len(path) > 2 {
		fr.line(append(path, path[0]), stroke{width: 1.3, colour: c, dash: dashes[look.Dash]})
	}
	return func(y float64) float64 {
		i := int(math.Round((y - lo) / (hi - lo) * violinSteps))
		return d[min(max(i, 0), violinSteps)]
	}
}

func deviation(v []float64) float64 {
	mean := 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	sum := 0.0
	for _, x := range v {
		sum += float64((x-mean)*(x-mean)) / float64(len(v))
	}
	return math.Sqrt(sum)
}

// swarm places the values of a group: few beside each other where they would overlap, in the order given, many spread evenly over
// the width of the violin. The same values stand at the same places.
func (fr *frame) swarm(values []float64, middle, half, size float64, density func(float64) float64) []pt {
	at := make([]pt, len(values))
	rows := map[int]int{}
	many := len(values) > swarmUpTo
	for i, v := range values {
		y := fr.y.at(v)
		at[i] = pt{math.NaN(), math.NaN()}
		if !finite(v) || !finite(y) {
			continue
		}
		shift := 0.0
		if many {
			wide := 0.9
			if density != nil {
				wide *= density(v)
			}
			_, part := math.Modf(float64(i) * 0.6180339887498949) // the golden ratio spreads evenly
			shift = (part*2 - 1) * half * wide
		} else {
			row := int(math.Round(y / size))
			n := rows[row]
			rows[row]++
			shift = float64((n+1)/2) * size
			if n%2 == 1 {
				shift = -shift
			}
			if shift > half || shift < -half { // a full row begins again
				shift = math.Mod(shift, half)
			}
		}
		at[i] = pt{middle + shift, y}
	}
	return at
}

func (fr *frame) bracket(b Bracket, row int) {
	left, right := fr.x.at(float64(b.Left)), fr.x.at(float64(b.Right))
	if left > right {
		left, right = right, left
	}
	y := fr.plot.y0 - 5 - float64(row)*bracketRow
	st := stroke{width: 1.2, colour: fr.th.ink}
	if b.Doubt {
		st.dash, st.colour = dashes[Dashed], fr.th.of(Vermillion)
	}
	fr.line([]pt{{left, y + 4}, {left, y}, {right, y}, {right, y + 4}}, st)
	t := text{s: elide(b.Text, tickSize, (right-left)+float64(0.8*fr.plot.w())/float64(len(fr.x.Names)), false), size: tickSize, colour: st.colour, anchor: 0.5}
	half := width(t.s, t.size, false) / 2
	x := math.Min(math.Max((left+right)/2, half+2), fr.w-half-2)
	fr.text(pt{x, y - 3}, t)
}

func (c Groups) words(r Ref, _ float64) Hit {
	g := &c.Groups[r.Series]
	h := Hit{Ref: r, X: math.NaN(), Y: value(g.Values, r.Index)}
	head := g.Name
	if r.Index < len(g.Labels) {
		head = joined(", ", head, g.Labels[r.Index])
	}
	v := sorted(g.Values)
	_, unit := c.Y.split()
	h.Text = joined(": ", head, c.Y.says(h.Y)) + fmt.Sprintf(" (median %s of %d)", withUnit(Quantile(v, 0.5), unit), len(v))
	return h
}
