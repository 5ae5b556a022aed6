package chart

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"strconv"

	"coverslip/viewer/render"
)

// Camera is the part of a lineage that is seen: frames from T0 to T1 and rows from Row0 to Row1. The zero value sees all.
type Camera struct{ T0, T1, Row0, Row1 float64 }

// Lineage shows objects over time as lines, daughters joined to their mother, the families of two sides beside each other.
// NewLineage lays it out once; then it is cheap to copy, and its fields may differ from copy to copy.
type Lineage struct {
	Title    string
	Time     Axis // name and unit of the time axis; its values are frames
	Upright  bool // time runs down and lives stand side by side; else time runs to the right
	Families bool // lives are coloured by family; else by verdict
	Camera   Camera
	Empty    string

	forests []Forest
	tree    *tree
}

// NewLineage lays forests out; the first is the one that the others are set beside. They must not change afterwards.
func NewLineage(forests ...Forest) Lineage {
	return Lineage{Time: Axis{Name: "Frame", Whole: true}, forests: forests, tree: plant(forests)}
}

func (c Lineage) Draw(dst *image.RGBA, o Options)                  { draw(c, dst, o) }
func (c Lineage) At(w, h int, o Options, y, x float64) (Hit, bool) { return at(c, w, h, o, y, x) }
func (c Lineage) SVG(w io.Writer, width, height int) error         { return svg(c, w, width, height) }

// Place gives the row and the frame at a device pixel.
func (c Lineage) Place(w, h int, o Options, y, x float64) (row, t float64, ok bool) {
	row, t, ok = place(c, w, h, o, y, x)
	if c.Upright {
		row, t = t, row
	}
	return row, t, ok
}

// Whole is the camera that sees all.
func (c Lineage) Whole() Camera {
	if c.tree == nil {
		return Camera{0, 1, 0, 1}
	}
	t0, t1 := float64(c.tree.t0), float64(c.tree.t1)
	pad := 0.5 + float64(0.01*(t1-t0))
	return Camera{t0 - pad, t1 + pad, -0.02*c.tree.rows - 0.25, 1.02*c.tree.rows + 0.25}
}

// camera is the one in force.
func (c Lineage) camera() Camera {
	all := c.Whole()
	m := c.Camera
	if !(m.T0 < m.T1) || !finite(m.T0) || !finite(m.T1) {
		m.T0, m.T1 = all.T0, all.T1
	}
	if !(m.Row0 < m.Row1) || !finite(m.Row0) || !finite(m.Row1) {
		m.Row0, m.Row1 = all.Row0, all.Row1
	}
	return m
}

// Pan moves a camera by frames and rows.
func (m Camera) Pan(t, rows float64) Camera {
	return Camera{m.T0 + t, m.T1 + t, m.Row0 + rows, m.Row1 + rows}
}

// Zoom enlarges by factors along time and rows, keeping frame t and row in their places.
func (m Camera) Zoom(byT, byRow, t, row float64) Camera {
	if !(byT > 0) || !(byRow > 0) {
		return m
	}
	return Camera{t + (m.T0-t)/byT, t + (m.T1-t)/byT, row + (m.Row0-row)/byRow, row + (m.Row1-row)/byRow}
}

// Find gives the life with an id.
func (c Lineage) Find(forest int, id int64) (Ref, bool) {
	if c.tree == nil || forest < 0 || forest >= len(c.tree.index) {
		return Ref{}, false
	}
	i, ok := c.tree.index[forest][id]
	if !ok {
		return Ref{}, false
	}
	return c.tree.nodes[i].ref, true
}

// Life gives what a Ref names.
func (c Lineage) Life(r Ref) (Life, bool) {
	if n := c.node(r); n != nil {
		return *n.Life, true
	}
	return Life{}, false
}

// Mother, Daughters and Row say where a life stands in the lineage.
func (c Lineage) Mother(r Ref) (Ref, bool) {
	if n := c.node(r); n != nil && n.mother >= 0 {
		return c.tree.nodes[n.mother].ref, true
	}
	return Ref{}, false
}

func (c Lineage) Daughters(r Ref) []Ref {
	n := c.node(r)
	if n == nil {
		return nil
	}
	refs := make([]Ref, len(n.daughters))
	for i, d := range n.daughters {
		refs[i] = c.tree.nodes[d].ref
	}
	return refs
}

// Row is the row of a life, NaN for none.
func (c Lineage) Row(r Ref) float64 {
	if n := c.node(r); n != nil {
		return n.row
	}
	return math.NaN()
}

// Next gives the life that is there in frame t and stands nearest to r among those of its side, on a later row (step > 0) or an earlier one.
func (c Lineage) Next(r Ref, t, step int) (Ref, bool) {
	from := c.node(r)
	if from == nil || step == 0 {
		return Ref{}, false
	}
	best, found := math.Inf(1), Ref{}
	for i := range c.tree.nodes {
		n := &c.tree.nodes[i]
		d := n.row - from.row
		if step < 0 {
			d = -d
		}
		if n.ref.Series == r.Series && t >= n.Start && t <= n.End && d > 0 && d < best {
			best, found = d, n.ref
		}
	}
	return found, finite(best)
}

// Reveal is the camera moved, as little as needed, so that a life and a frame are seen with some room around them.
func (c Lineage) Reveal(r Ref, t float64) Camera {
	m := c.camera()
	n := c.node(r)
	if n == nil || !finite(t) {
		return m
	}
	shift := func(v, lo, hi float64) float64 {
		room := float64(0.1 * (hi - lo))
		return math.Min(v-(lo+room), 0) + math.Max(v-(hi-room), 0)
	}
	return m.Pan(shift(t, m.T0, m.T1), shift(n.row, m.Row0, m.Row1))
}

// node finds a life by its place: forests follow each other in the list of nodes.
func (c Lineage) node(r Ref) *node {
	if c.tree == nil || r.Series < 0 || r.Series >= len(c.forests) || r.Index < 0 || r.Index >= len(c.forests[r.Series].Lives) {
		return nil
	}
	at := r.Index
	for _, f := range c.forests[:r.Series] {
		at += len(f.Lives)
	}
	return &c.tree.nodes[at]
}

// bough is a lineage being drawn: lengths along time and across it, whatever way time runs.
type bough struct {
	*frame
	c           *Lineage
	upright     bool
	t0, t1      float64 // dp of the ends of the plot along time
	r0, r1      float64 // and across
	cam         Camera
	perT, pitch float64 // dp of a frame and of a row
	thick       float64
}

func (c Lineage) paint(p *pen) {
	if c.tree == nil || len(c.tree.nodes) == 0 {
		p.empty(c.Title, c.Empty, "No tracks")
		return
	}
	cam := c.camera()
	t, rows := c.Time, Axis{Min: cam.Row0, Max: cam.Row1, hidden: true}
	t.Min, t.Max, t.Scale, t.Names = cam.T0, cam.T1, Linear, nil
	f := furniture{title: c.Title, legend: c.legend(), x: t, y: rows, down: true, xs: newSpread(), ys: newSpread()}
	if c.Upright {
		f.x, f.y = rows, t
	}
	fr := p.open(f)
	b := bough{frame: fr, c: &c, upright: c.Upright, cam: cam, t0: fr.plot.x0, t1: fr.plot.x1, r0: fr.plot.y0, r1: fr.plot.y1}
	if c.Upright {
		b.t0, b.t1, b.r0, b.r1 = b.r0, b.r1, b.t0, b.t1
	}
	b.perT, b.pitch = (b.t1-b.t0)/(cam.T1-cam.T0), (b.r1-b.r0)/(cam.Row1-cam.Row0)
	b.thick = math.Min(math.Max(b.pitch*0.35, 1/p.o.scale()), 2.6)
	if s := p.seek; s != nil {
		s.place = s.atX
		if c.Upright {
			s.place = s.atY
		}
	}
	fr.clip(fr.plot)
	b.sides()
	b.lives()
	b.faults()
	fr.unclip()
	b.cursor()
}

func (b *bough) along(t float64) float64  { return b.t0 + float64((t-b.cam.T0)*b.perT) }
func (b *bough) across(r float64) float64 { return b.r0 + float64((r-b.cam.Row0)*b.pitch) }

// box is a rectangle from t0 to t1 along time and r0 to r1 across, in dp.
func (b *bough) box(t0, t1, r0, r1 float64) rect {
	if b.upright {
		return rect{r0, t0, r1, t1}
	}
	return rect{t0, r0, t1, r1}
}

// held keeps a coordinate near the plot, so that long lines cost only what is seen of them.
func held(v, lo, hi float64) float64 { return min(max(v, lo-20), hi+20) }

// sides shades the families of the second side, so that the two are told apart.
func (b *bough) sides() {
	if len(b.c.forests) < 2 {
		return
	}
	for _, f := range b.c.tree.families {
		if f.forest == 0 || f.to < b.cam.Row0 || f.from > b.cam.Row1 {
			continue
		}
		b.rect(b.box(b.t0, b.t1, b.across(f.from-familyGap/2), b.across(f.to+familyGap/2)), b.th.grid)
	}
}

// lives draws all lines that are seen: joints below, verdicts in their colours and dashes.
func (b *bough) lives() {
	nodes := b.c.tree.nodes
	for i := range nodes {
		n := &nodes[i]
		if n.mother < 0 {
			continue
		}
		m := &nodes[n.mother]
		lo, hi := math.Min(n.row, m.row), math.Max(n.row, m.row)
		if hi < b.cam.Row0 || lo > b.cam.Row1 || float64(n.Start) < b.cam.T0-1 && float64(m.End) < b.cam.T0-1 || float64(m.End) > b.cam.T1+1 {
			continue
		}
		at := b.along(float64(n.Start))
		c := mix(b.th.faint, b.th.quiet, 0.5)
		if b.c.Families {
			c = b.th.of(autoColours[n.family%len(autoColours)])
		}
		b.rect(b.box(at, at+b.thick/2, held(b.across(lo), b.r0, b.r1), held(b.across(hi), b.r0, b.r1)), c)
		if end := b.along(float64(m.End)); end < at { // the mother ends before the daughter begins
			r := b.across(m.row)
			b.bar(held(end, b.t0, b.t1), at, r, b.thick/2, c)
		}
	}
	for i := range nodes {
		if n := &nodes[i]; n.row > b.cam.Row0-1 && n.row < b.cam.Row1+1 {
			b.life(n)
		}
	}
}

func (b *bough) life(n *node) {
	end := max(n.End, n.Start)
	from, to := b.along(float64(n.Start)), b.along(float64(end))
	if to < b.t0-1 || from > b.t1+1 {
		return
	}
	b.stretch(n, n.Start, end, n.Style)
	for _, s := range n.Spans {
		b.stretch(n, max(s.From, n.Start), min(s.To, end), s.Style)
	}
	r := b.across(n.row)
	for _, g := range n.Gaps {
		g0, g1 := held(b.along(float64(g.From)-0.5), b.t0, b.t1), held(b.along(float64(g.To)+0.5), b.t0, b.t1)
		if g1 > g0 {
			b.bar(g0, g1, r, b.thick, b.th.plot)
			b.dashed(g0, g1, r, math.Max(b.thick/3, 1), b.th.quiet, dashes[Dotted])
		}
	}
	q := b.box(held(from, b.t0, b.t1), held(math.Max(to, from), b.t0, b.t1), r, r)
	b.datum(n.ref, q)
	b.label(n, from, r)
}

// stretch draws frames from..to of a life.
func (b *bough) stretch(n *node, from, to int, style render.Style) {
	if from > to {
		return
	}
	t0, t1 := held(b.along(float64(from)-0.4), b.t0, b.t1), held(b.along(float64(to)+0.4), b.t0, b.t1)
	colour, dash := verdict(style)
	if b.c.Families {
		colour, dash = autoColours[n.family%len(autoColours)], Solid
	}
	r := b.across(n.row)
	if dash == Solid || b.pitch < 3 {
		b.bar(t0, t1, r, b.thick, b.th.of(colour))
		return
	}
	if from != n.Start || to != n.End { // over another verdict
		b.bar(t0, t1, r, b.thick, b.th.plot)
	}
	b.dashed(t0, t1, r, b.thick, b.th.of(colour), dashes[dash])
}

// bar draws a line along time whose thickness is a whole number of device pixels, so that all lines look the same.
func (b *bough) bar(t0, t1, r, thick float64, c color.NRGBA) {
	k := b.o.scale()
	n := max(math.Round(thick*k), 1)
	from := math.Round(r*k-n/2) / k
	b.rect(b.box(t0, t1, from, from+n/k), c)
}

// dashed draws a dashed line along time.
func (b *bough) dashed(t0, t1, r, thick float64, c color.NRGBA, dash []float64) {
	for i, t := 0, t0; t < t1; i++ {
		next := math.Min(t+dash[i%len(dash)], t1)
		if i%2 == 0 {
			b.bar(t, next, r, thick, c)
		}
		t = next
	}
}

// label writes the id at the beginning of a life, where rows are far enough apart.
func (b *bough) label(n *node, from, r float64) {
	const size = 9.5
	if b.pitch < 13 {
		return
	}
	s := strconv.FormatInt(n.ID, 10)
	wide := width(s, size, false)
	t := text{s: s, size: size, colour: b.th.quiet}
	if b.upright {
		if b.pitch > wide+8 && b.along(float64(n.End))-from > 12 {
			b.text(pt{r + 4, math.Max(from, b.t0) + 10}, t)
		}
		return
	}
	if b.along(float64(n.End))-from > wide+4 {
		b.text(pt{math.Max(from, b.t0) + 3, r - 3}, t)
	}
}

var faultLooks = [...]struct {
	marker Marker
	colour Colour
	words  string
}{
	OtherFault:     {Cross, Vermillion, "error"},
	MissedDivision: {Wedge, SkyBlue, "missed division"},
	FalseDivision:  {Triangle, Orange, "false division"},
	IDSwitch:       {Diamond, Purple, "ID switch"},
	MissedLink:     {Ring, SkyBlue, "missing link"},
	FalseLink:      {Plus, Orange, "spurious link"},
	WrongParent:    {Square, Yellow, "wrong parent"},
}

func (k FaultKind) known() FaultKind {
	if int(k) >= len(faultLooks) {
		return OtherFault
	}
	return k
}

// faults draws errors over all lines, since they are what is looked for.
func (b *bough) faults() {
	size := math.Min(math.Max(b.pitch, 5), 9)
	for i := range b.c.tree.nodes {
		n := &b.c.tree.nodes[i]
		if len(n.Faults) == 0 || n.row < b.cam.Row0-1 || n.row > b.cam.Row1+1 {
			continue
		}
		for _, f := range n.Faults {
			t, r := b.along(float64(f.T)), b.across(n.row)
			if t < b.t0-size || t > b.t1+size {
				continue
			}
			at := pt{t, r}
			if b.upright {
				at = pt{r, t}
			}
			look := faultLooks[f.Kind.known()]
			b.stamp(at, look.marker, size+3, b.th.plot)
			b.stamp(at, look.marker, size, b.th.of(look.colour))
			if b.seek != nil && b.seek.near(n.ref, rect{at.x, at.y, at.x, at.y}.grown(size/2)) {
				b.seek.place = float64(f.T)
			}
		}
	}
}

// cursor marks the present frame.
func (b *bough) cursor() {
	if b.o.Cursor == nil {
		return
	}
	t := b.along(*b.o.Cursor)
	if !(t >= b.t0 && t <= b.t1) {
		return
	}
	b.rect(b.box(t, t+1, b.r0, b.r1), b.th.ink)
	tip := []pt{{t - 4.5, b.r0 - 6}, {t + 5.5, b.r0 - 6}, {t + 0.5, b.r0 + 1}}
	if b.upright {
		for i, q := range tip {
			tip[i] = pt{q.y, q.x}
		}
	}
	b.fill(tip, b.th.ink)
}

// legend names the sides where there are two, and the errors that occur.
func (c Lineage) legend() (entries []entry) {
	if len(c.forests) > 1 {
		entries = append(entries, entry{name: c.forests[0].Name, look: Look{Quiet, NoMarker, Solid}, line: true},
			entry{name: c.forests[1].Name + " (shaded)", look: Look{Quiet, NoMarker, Solid}, line: true, fill: true, alpha: 0.25})
	}
	for k, used := range c.tree.faults {
		if used {
			l := faultLooks[k]
			entries = append(entries, entry{name: l.words, look: Look{l.colour, l.marker, Solid}, marker: true})
		}
	}
	return entries
}

func (c Lineage) words(r Ref, x float64) Hit {
	n := c.node(r)
	if n == nil {
		return Hit{Ref: r, Y: math.NaN(), X: math.NaN()}
	}
	frame := int(math.Min(math.Max(math.Round(x), float64(n.Start)), float64(max(n.End, n.Start))))
	h := Hit{Ref: r, Y: n.row, X: float64(frame)}
	text := fmt.Sprintf("track %d, frame %d (lives from %d to %d)", n.ID, frame, n.Start, n.End)
	if n.mother >= 0 {
		text += fmt.Sprintf(", daughter of %d", n.Parent)
	}
	if k := len(n.daughters); k > 0 {
		text += fmt.Sprintf(", %d daughters", k)
	}
	for _, g := range n.Gaps {
		if frame >= g.From && frame <= g.To {
			text += ", absent here"
		}
	}
	for _, f := range n.Faults {
		if f.T == frame {
			s := f.Text
			if s == "" {
				s = faultLooks[f.Kind.known()].words
			}
			text += "; " + s
		}
	}
	h.Text = joined(" ", c.forests[r.Series].Name, text)
	return h
}
