package chart

import (
	"image"
	"image/color"
	"io"
	"math"
	"strings"
)

// HeatMap is a matrix of values by colour: a kymograph, a difference map, a confusion matrix.
type HeatMap struct {
	Title, Note    string
	Rows, Columns  int
	Values         []float64 // Rows x Columns, row by row; NaN: none
	X, Y           Axis      // with Names: categories; else column i covers XStart + i*XStep to XStart + (i+1)*XStep, rows likewise
	XStart, YStart float64
	XStep, YStep   float64 // 0 is 1
	Up             bool    // row 0 is at the bottom
	Value          Axis    // name, unit and limits of the values; Min >= Max: from the data
	Ramp           string  // colours, see Ramp; "" is viridis
	Diverging      bool    // limits from the data lie evenly around 0; the ramp is then "diverging" unless said
	Numbers        bool    // values are written into cells that have the room
	Square         bool    // cells are as high as wide (categories only)
	Lines          []Line  // such as where a phase ends
	Empty          string
}

func (c HeatMap) Draw(dst *image.RGBA, o Options)                  { draw(c, dst, o) }
func (c HeatMap) At(w, h int, o Options, y, x float64) (Hit, bool) { return at(c, w, h, o, y, x) }
func (c HeatMap) SVG(w io.Writer, width, height int) error         { return svg(c, w, width, height) }
func (c HeatMap) Place(w, h int, o Options, y, x float64) (_, _ float64, _ bool) {
	return place(c, w, h, o, y, x)
}

// Limits are the least and the greatest finite value of all matrices, for maps that must be compared.
func Limits(matrices ...[]float64) (lo, hi float64) {
	s := newSpread()
	for _, m := range matrices {
		s.add(m...)
	}
	if s.n == 0 {
		return 0, 0
	}
	return s.lo, s.hi
}

func (c HeatMap) cell(row, column int) float64 {
	return value(c.Values, row*c.Columns+column)
}

// ramp is the colours and limits of the values; ok is false where there is no value.
func (c HeatMap) ramp() (b rampBar, ok bool) {
	lo, hi := Limits(c.Values)
	b = rampBar{axis: c.Value, lo: c.Value.Min, hi: c.Value.Max}
	if !(b.lo < b.hi) {
		b.lo, b.hi = lo, hi
		if c.Diverging {
			top := math.Max(math.Abs(lo), math.Abs(hi))
			b.lo, b.hi = -top, top
		}
		b.lo, b.hi = apart(b.lo, b.hi)
	}
	name := c.Ramp
	if name == "" && c.Diverging {
		name = "diverging"
	}
	b.colour = Ramp(name)
	for _, v := range c.Values {
		ok = ok || finite(v)
	}
	return b, ok
}

func (b *rampBar) of(v float64) color.NRGBA {
	at := (v - b.lo) / (b.hi - b.lo) * 255
	return b.colour[int(math.Min(math.Max(at+0.5, 0), 255))]
}

func (c HeatMap) axes() (x, y Axis) {
	x, y = c.X, c.Y
	step := func(s float64) float64 {
		if s == 0 || !finite(s) {
			return 1
		}
		return s
	}
	if len(x.Names) != c.Columns {
		x.Names = nil
		x.Min, x.Max = c.XStart, c.XStart+float64(step(c.XStep)*float64(c.Columns))
	}
	if len(y.Names) != c.Rows {
		y.Names = nil
		y.Min, y.Max = c.YStart, c.YStart+float64(step(c.YStep)*float64(c.Rows))
	}
	x.Scale, y.Scale = Linear, Linear
	return x, y
}

func (c HeatMap) paint(p *pen) {
	b, ok := c.ramp()
	if !ok || c.Rows <= 0 || c.Columns <= 0 {
		p.empty(c.Title, c.Empty, "No values")
		return
	}
	x, y := c.axes()
	fr := p.open(furniture{title: c.Title, note: c.Note, x: x, y: y, ramp: &b, down: !c.Up, bare: true, cells: c.Square})
	fr.clip(fr.plot)
	high, wide := fr.plot.h()/float64(c.Rows), fr.plot.w()/float64(c.Columns)
	if c.Rows*c.Columns <= 2500 && high >= 3 && wide >= 3 {
		c.cells(fr, &b, high, wide)
	} else {
		fr.picture(fr.plot, c.picture(&b, fr))
	}
	fr.unclip()
	c.note(fr, high, wide)
	fr.lines(c.Lines)
	fr.cursor()
}

// place is where a cell is.
func (c HeatMap) place(fr *frame, row, column int) rect {
	high, wide := fr.plot.h()/float64(c.Rows), fr.plot.w()/float64(c.Columns)
	if c.Up {
		row = c.Rows - 1 - row
	}
	y, x := fr.plot.y0+float64(high*float64(row)), fr.plot.x0+float64(wide*float64(column))
	return rect{x, y, x + wide, y + high}
}

func (c HeatMap) cells(fr *frame, b *rampBar, high, wide float64) {
	for row := range c.Rows {
		for column := range c.Columns {
			q, v := c.place(fr, row, column), c.cell(row, column)
			if !finite(v) {
				fr.rect(q, fr.th.grid)
				if high >= 6 && wide >= 6 {
					fr.hatch(q)
				}
				continue
			}
			colour := b.of(v)
			fr.rect(q, colour)
			if !c.Numbers {
				continue
			}
			s := Number(v)
			if width(s, tickSize, false) <= wide-4 && high >= tickSize+4 {
				fr.text(pt{(q.x0 + q.x1) / 2, (q.y0+q.y1)/2 + 4}, text{s: s, size: tickSize, colour: inkOn(colour), anchor: 0.5})
			}
		}
	}
}

// hatch marks a cell without a value.
func (p *pen) hatch(q rect) {
	for d := -q.h(); d < q.w(); d += 5 {
		from, to, ok := clipLine(pt{q.x0 + d, q.y1}, pt{q.x0 + d + q.h(), q.y0}, q)
		if ok {
			p.line([]pt{from, to}, stroke{width: 1, colour: p.th.faint})
		}
	}
}

// note tells the seeker which cell is under the pointer, and where the chosen cells are, without going through all.
func (c HeatMap) note(fr *frame, high, wide float64) {
	if s := fr.seek; s != nil && fr.plot.holds(pt{s.x, s.y}) {
		row := min(int((s.y-fr.plot.y0)/high), c.Rows-1)
		column := min(int((s.x-fr.plot.x0)/wide), c.Columns-1)
		if c.Up {
			row = c.Rows - 1 - row
		}
		s.take(Ref{0, row*c.Columns + column}, 0)
	}
	for _, r := range fr.o.Selected {
		if r.Series == 0 && r.Index >= 0 && r.Index < c.Rows*c.Columns {
			fr.lit = append(fr.lit, c.place(fr, r.Index/c.Columns, r.Index%c.Columns).grown(-2))
		}
	}
}

// picture is the matrix as pixels. Where it has more cells than the plot has device pixels, a pixel is the mean of its cells.
func (c HeatMap) picture(b *rampBar, fr *frame) *image.NRGBA {
	h := min(c.Rows, max(1, int(fr.plot.h()*fr.o.scale()*2)))
	w := min(c.Columns, max(1, int(fr.plot.w()*fr.o.scale()*2)))
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		r0, r1 := y*c.Rows/h, max((y+1)*c.Rows/h, y*c.Rows/h+1)
		at := y
		if c.Up {
			at = h - 1 - y
		}
		for x := range w {
			c0, c1 := x*c.Columns/w, max((x+1)*c.Columns/w, x*c.Columns/w+1)
			sum, n := 0.0, 0
			for row := r0; row < r1; row++ {
				for column := c0; column < c1; column++ {
					if v := c.cell(row, column); finite(v) {
						sum += v
						n++
					}
				}
			}
			colour := fr.th.grid
			if n > 0 {
				colour = b.of(sum / float64(n))
			}
			m.SetNRGBA(x, at, colour)
		}
	}
	return m
}

func (c HeatMap) words(r Ref, _ float64) Hit {
	row, column := r.Index/c.Columns, r.Index%c.Columns
	x, y := c.axes()
	h := Hit{Ref: r, X: centre(x, column, c.Columns), Y: centre(y, row, c.Rows)}
	where := joined(", ", category(y, h.Y), category(x, h.X))
	h.Text = joined(": ", where, c.Value.says(c.cell(row, column)))
	return h
}

// category is a value of an axis with the axis's name even where it is a category: "truth round".
func category(a Axis, v float64) string {
	if len(a.Names) > 0 {
		return strings.TrimSpace(a.Name + " " + a.says(v))
	}
	return a.says(v)
}

// centre is the middle of cell i of n.
func centre(a Axis, i, n int) float64 {
	if len(a.Names) > 0 {
		return float64(i)
	}
	return a.Min + float64((a.Max-a.Min)*(float64(i)+0.5)/float64(n))
}
