package chart

import (
	"image"
	"io"
	"math"
	"strconv"

	"coverslip/viewer/render"
)

// Well is one well of a plate; Row and Column count from 0.
type Well struct {
	Row, Column int
	Name        string  // "A01"
	Value       float64 // NaN: none
	Label       string  // written in the well where it fits, such as a dose
	Style       render.Style
	Text        string // more in words, such as what is wrong with it
}

// Plate is a multi-well plate: values by colour, verdicts by outline. Places without a well are hatched.
type Plate struct {
	Title, Note   string
	Rows, Columns int
	Value         Axis // name, unit and limits of the values
	Ramp          string
	Wells         []Well
	Verdicts      map[render.Style]string // what the outlines mean, for the legend
	Empty         string
}

func (c Plate) Draw(dst *image.RGBA, o Options)                  { draw(c, dst, o) }
func (c Plate) At(w, h int, o Options, y, x float64) (Hit, bool) { return at(c, w, h, o, y, x) }
func (c Plate) SVG(w io.Writer, width, height int) error         { return svg(c, w, width, height) }

// largestPlate bounds rows and columns: 48 x 72 wells are the most that are made.
const largestPlate = 200

// RowName is the letter of a row of a plate: A to Z, then AA, AB ...
func RowName(row int) string {
	s := ""
	for row >= 0 {
		s = string(rune('A'+row%26)) + s
		row = row/26 - 1
	}
	return s
}

func (c Plate) paint(p *pen) {
	if c.Rows <= 0 || c.Columns <= 0 || c.Rows > largestPlate || c.Columns > largestPlate || len(c.Wells) == 0 {
		p.empty(c.Title, c.Empty, "No wells")
		return
	}
	values := make([]float64, len(c.Wells))
	for i, w := range c.Wells {
		values[i] = w.Value
	}
	b, any := HeatMap{Values: values, Value: c.Value, Ramp: c.Ramp}.ramp()
	f := furniture{title: c.Title, note: c.Note, above: true, cells: true, bare: true, down: true, legend: c.legend()}
	for i := range c.Columns {
		f.x.Names = append(f.x.Names, strconv.Itoa(i+1))
	}
	for i := range c.Rows {
		f.y.Names = append(f.y.Names, RowName(i))
	}
	if any {
		f.ramp = &b
	}
	fr := p.open(f)
	side := fr.plot.w() / float64(c.Columns)
	filled := make([]bool, c.Rows*c.Columns)
	for i, w := range c.Wells {
		if w.Row < 0 || w.Column < 0 || w.Row >= c.Rows || w.Column >= c.Columns {
			continue
		}
		filled[w.Row*c.Columns+w.Column] = true
		fr.well(&w, i, pt{fr.x.at(float64(w.Column)), fr.y.at(float64(w.Row))}, side, &b)
	}
	for i, ok := range filled {
		if !ok {
			at := pt{fr.x.at(float64(i % c.Columns)), fr.y.at(float64(i / c.Columns))}
			fr.hatch(rect{at.x, at.y, at.x, at.y}.grown(side * 0.32))
		}
	}
}

func (c Plate) legend() (entries []entry) {
	used := map[render.Style]bool{}
	for _, w := range c.Wells {
		used[w.Style] = true
	}
	for s := render.Match; s <= render.Double; s++ {
		if used[s] && c.Verdicts[s] != "" {
			colour, dash := verdict(s)
			entries = append(entries, entry{name: c.Verdicts[s], look: Look{colour, NoMarker, dash}, line: true})
		}
	}
	return entries
}

func (fr *frame) well(w *Well, index int, at pt, side float64, b *rampBar) {
	radius := side * 0.42
	corners := 24
	if radius < 4 {
		corners = 10
	}
	colour, inner := fr.th.plot, radius
	if w.Style != render.Plain { // a dark ring parts the outline from the colour
		inner = radius * 0.84
	}
	path := circle(at, inner, corners)
	if finite(w.Value) {
		colour = b.of(w.Value)
		fr.fill(path, colour)
	} else if radius >= 3 {
		d := inner * 0.5
		fr.line([]pt{{at.x - d, at.y - d}, {at.x + d, at.y + d}}, stroke{width: 1, colour: fr.th.quiet})
		fr.line([]pt{{at.x - d, at.y + d}, {at.x + d, at.y - d}}, stroke{width: 1, colour: fr.th.quiet})
	}
	outline := stroke{width: 1, colour: fr.th.faint}
	if w.Style != render.Plain {
		c, dash := verdict(w.Style)
		outline = stroke{width: math.Min(2.6, side*0.16), colour: fr.th.of(c)}
		for _, d := range dashes[dash] { // shorter, since the outline is
			outline.dash = append(outline.dash, d*math.Min(0.7, side/40))
		}
		path = circle(at, radius+outline.width*0.2, corners)
	}
	fr.line(append(path, path[0], path[1]), outline)
	if s := w.Label; s != "" && finite(w.Value) && width(s, 9.5, false) <= radius*1.7 {
		fr.text(pt{at.x, at.y + 3.4}, text{s: s, size: 9.5, colour: inkOn(colour), anchor: 0.5})
	}
	fr.datum(Ref{0, index}, rect{at.x, at.y, at.x, at.y}.grown(radius*0.9))
}

func (c Plate) words(r Ref, _ float64) Hit {
	w := &c.Wells[r.Index]
	h := Hit{Ref: r, Y: math.NaN(), X: math.NaN()}
	name := w.Name
	if name == "" {
		name = RowName(w.Row) + strconv.Itoa(w.Column+1)
	}
	h.Text = joined("; ", joined(": ", joined(", ", name, w.Label), c.Value.says(w.Value)), w.Text)
	return h
}
