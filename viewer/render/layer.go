package render

import "coverslip/viewer"

// layer is one label image over the picture, ready to draw.
type layer struct {
	labels *Labels
	pale   bool             // colours are mixed with white
	fill   uint32           // ink of the fill, 0 none
	lines  [styleCount]line // by style
	on     [styleCount]bool // styles that are drawn at all
	part   bool             // objects of some styles are not drawn, as though they were background
	only   uint32           // not 0: index of the one object that is drawn
	reach  int              // the longest of the lines', in device pixels
}

// calm is the strength of what is not in focus while something is.
const calm = 0.7

// setupLayers lays fills below outlines and, among equals, the truth's outline over the answer's and its fill below.
func (f *frame) setupLayers(s *Scene, v viewer.View) {
	f.layers = f.layers[:0]
	f.alone = v.Only && v.Focus != (viewer.Focus{})
	strength := 1.0
	if v.Focus != (viewer.Focus{}) && !v.Only {
		strength = calm
	}
	if v.Truth.Style == viewer.Fill {
		f.addLayer(s.Truth, v.Truth, v.Errors, true, v.Focus.Truth, strength)
	}
	f.addLayer(s.Answer, v.Answer, v.Errors, false, v.Focus.Answer, strength)
	if v.Truth.Style != viewer.Fill {
		f.addLayer(s.Truth, v.Truth, v.Errors, true, v.Focus.Truth, strength)
	}
}

func (f *frame) addLayer(labels *Labels, how viewer.LabelLayer, judged, truth bool, focus int64, strength float64) {
	how = how.Normal()
	if labels == nil || len(labels.Index) == 0 || len(labels.IDs) < 2 {
		return
	}
	l := layer{labels: labels, pale: truth}
	if f.alone {
		if l.only = labels.find(focus); l.only == 0 {
			return
		}
	}
	scale := f.pen.Scale
	if how.Style != viewer.Hidden {
		own := plainLine(scale, strength)
		if truth {
			own = truthLine(scale, strength)
		}
		if how.Style == viewer.Fill {
			own = fillEdge(scale, strength)
			l.fill = uint32(float64(opacityOf(how)*256) + 0.5)
		}
		for s := range l.lines {
			l.lines[s], l.on[s] = own, true
		}
	}
	if judged && labels.styles != nil {
		for s := Match; s < styleCount; s++ {
			if truth && (s == Match || s == WeakLink) {
				continue // the answer's side of the pair says it
			}
			l.lines[s], l.on[s] = styleLine(s, scale, strength), true
		}
	}
	for s := range l.lines {
		l.part = l.part || !l.on[s] && labels.has(Style(s))
		l.on[s] = l.on[s] && labels.has(Style(s))
		if !l.on[s] {
			continue
		}
		l.lines[s].ready(f.density)
		l.reach = max(l.reach, l.lines[s].far)
		if l.lines[s].pattern != solid {
			l.reach = max(l.reach, directionReach*f.density)
		}
	}
	if l.reach > 0 {
		f.layers = append(f.layers, l)
	}
}

// has tells whether some object has the style.
func (l *Labels) has(s Style) bool {
	if l.styles == nil {
		return s == Plain
	}
	return l.used&(1<<s) != 0
}

// fillEdge keeps filled objects apart with a thin line in their colour.
func fillEdge(scale, strength float64) line {
	var l line
	l.stroke(0, 1, 0.75*strength)
	return l
}

// draw lays device row y of the layer over the row.
func (l *layer) draw(r *ring, f *frame, row []uint8, y int) {
	r.advance(f, l.reader(), y, l.reach)
	middle := r.middle()
	if middle.source < 0 {
		return
	}
	first, end := int32(f.x.from+pad), int32(f.x.to+pad)
	for _, q := range middle.runs {
		a, b := max(q.a, first), min(q.b, end)
		if q.id == 0 || q.id == outside || a >= b {
			continue
		}
		ln, colour := l.inside(f, row, y, int(a)-pad, int(b)-pad, q.id)
		ln.draw(r, f, row, y, a, b, q, colour)
	}
}

// reader is what makes the rows of the layer's labels.
func (l *layer) reader() reader {
	from := reader{labels: l.labels, only: l.only}
	if l.part {
		from.on = &l.on
	}
	return from
}

func (l *layer) style(v uint32) Style {
	if l.labels.styles == nil {
		return Plain
	}
	return l.labels.styles[v]
}

func (l *layer) colour(v uint32) uint32 {
	c := l.labels.colour[v]
	if l.pale {
		return paleColours[c]
	}
	return labelColours[c]
}

// inside draws the fill and the hatch of device pixels from..to-1 of an object, and gives the line and the colour of its border.
func (l *layer) inside(f *frame, row []uint8, y, from, to int, v uint32) (ln *line, colour uint32) {
	if l.only != 0 {
		v = l.only
	}
	ln = &l.lines[l.style(v)]
	if colour = ln.colour; colour == 0 {
		colour = l.colour(v)
	}
	if l.fill != 0 {
		shadeRow(row[4*from:4*to], l.colour(v), l.fill)
	}
	if ln.hatch == 0 {
		return ln, colour
	}
	sum := y + f.y.anchor + f.x.anchor
	for x := from; x < to; x++ {
		if hatched(sum+x, f.density) {
			blend(row, x, ln.colour, ln.hatch, 256-ln.hatch)
		}
	}
	return ln, colour
}

// opacityOf is the opacity of a fill with its default.
func opacityOf(l viewer.LabelLayer) float64 {
	if l = l.Normal(); l.Opacity == 0 {
		return viewer.DefaultOpacity
	}
	return l.Opacity
}
