package render

// drawFine draws the label layers and the focus marks over device rows from..to-1 of a picture of a density over 1.
func (f *frame) drawFine(s *sounding, from, to int) {
	if from >= to || f.x.from >= f.x.to {
		return
	}
	for i := range f.layers {
		l := &f.layers[i]
		s.ground = false
		s.take(f, l.reader(), from, to, f.x.from, f.x.to, l.reach)
		for y := from; y < to; y++ {
			l.drawFine(s, f, f.pix[4*f.w*y:4*f.w*(y+1)], y)
		}
	}
	for i := range f.marked {
		m := &f.marked[i]
		first, end := max(from, m.minY), min(to, m.maxY+1)
		left, right := max(m.minX, f.x.from), min(m.maxX+1, f.x.to)
		if first >= end || left >= right {
			continue
		}
		s.ground = true
		s.take(f, reader{labels: m.labels, only: m.index}, first, end, left, right, focusReach*f.density)
		for y := first; y < end; y++ {
			m.drawFine(s, f, f.pix[4*f.w*y:4*f.w*(y+1)], y, left, right)
		}
	}
}

// drawFine lays device row y of the layer over the row.
func (l *layer) drawFine(s *sounding, f *frame, row []uint8, y int) {
	s.read(y)
	shift := int32(f.wide.beyond)
	first, end := int32(f.x.from)+shift, int32(f.x.to)+shift
	for _, q := range s.row.runs {
		a, b := max(q.a, first), min(q.b, end)
		if q.id == 0 || q.id == outside || a >= b {
			continue
		}
		ln, colour := l.inside(f, row, y, int(a-shift), int(b-shift), q.id)
		ln.drawFine(s, f, row, y, a, b, q, colour)
	}
}

// drawFine lays device row y of the mark over columns left..right-1 of the row.
func (m *focusMark) drawFine(s *sounding, f *frame, row []uint8, y, left, right int) {
	s.read(y)
	shift := int32(f.wide.beyond)
	for _, q := range s.row.runs {
		a, b := max(q.a, int32(left)+shift), min(q.b, int32(right)+shift)
		switch q.id {
		case 1:
			m.in.drawFine(s, f, row, y, a, b, q, m.in.colour)
		case 0:
			m.out.drawFine(s, f, row, y, a, b, q, m.out.colour)
		}
	}
}

// drawFine lays the line over the indices from..to-1 of run q of device row y.
func (ln *line) drawFine(s *sounding, f *frame, row []uint8, y int, from, to int32, q run, colour uint32) {
	t := s.fathom(y, q)
	k := dash{pattern: ln.pattern, frame: f, sounding: s, fathom: &t, y: y, until: from}
	for i := from; i < to; i++ {
		square := int(t.square(i, from))
		if square >= len(ln.fine) {
			continue
		}
		b := ln.fine[square]
		x := int(i) - f.wide.beyond
		switch {
		case b.ink+b.dark == 0:
		case ln.pattern != solid && square <= ln.inkTo && !k.drawn(i, x) && b.ink > 0:
			blend(row, x, 0, 0, 256-uint32(b.gap))
		default:
			blend(row, x, colour, uint32(b.ink), 256-uint32(b.ink)-uint32(b.dark))
		}
	}
}

// dash follows the pattern of a line along a run.
type dash struct {
	pattern  pattern
	frame    *frame
	sounding *sounding
	fathom   *fathom
	y        int
	along    bool  // the border runs along the row
	until    int32 // the index up to which along holds
}

// drawn tells whether the pattern has ink at index i, which is device column x. Directions are looked up as stroke does, but hold for an
// image pixel where these are enlarged: dashes many device pixels wide would show where the direction changes within one.
func (k *dash) drawn(i int32, x int) bool {
	f := k.frame
	if i >= k.until {
		if f.enlarged() {
			column := f.wide.x.source[i]
			k.until = f.wide.x.index(column + 1)
			k.along = k.sounding.from.lies(k.sounding.row.source, int(column), k.fathom.run.id)
		} else {
			k.until = i + int32(patternStep*f.density)
			k.along = k.fathom.along(i, f.density)
		}
	}
	if k.along {
		return k.pattern.drawn(x+f.x.anchor, f.density)
	}
	return k.pattern.drawn(k.y+f.y.anchor, f.density)
}
