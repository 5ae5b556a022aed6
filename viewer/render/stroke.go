package render

import "math/bits"

// stroke draws one line along one run of the middle row.
type stroke struct {
	*line
	ring  *ring
	frame *frame
	y     int
	run   run
	along bool  // the border runs along the row
	until int32 // the index up to which along holds
}

// draw lays the line over the indices from..to-1 of run q of the middle row.
func (ln *line) draw(r *ring, f *frame, row []uint8, y int, from, to int32, q run, colour uint32) {
	k := stroke{line: ln, ring: r, frame: f, y: y, run: q, until: from}
	s := &r.sight
	for from < to {
		var border bool
		if from, border = s.look(r, from, to, ln.far); !border {
			continue
		}
		s.measure(ln.needed)
		drawn := ^uint64(0)
		if ln.pattern != solid && ln.inked > 0 {
			drawn = k.drawn(s)
		}
		ln.drawBands(s, row, drawn, colour)
	}
}

// drawBands lays the line over what is in sight; drawn tells where the pattern has ink.
func (ln *line) drawBands(s *sight, row []uint8, drawn uint64, colour uint32) {
	x, left := int(s.start)-pad, s.inside
	for i := range ln.bands[:ln.count] {
		b := &ln.bands[i]
		todo := left & s.within[b.square%maxSquares]
		left &^= todo
		if todo&^drawn != 0 && b.ink > 0 {
			shadeBits(row, x, todo&^drawn, 0, 0, uint32(b.gap))
			todo &= drawn
		}
		if todo != 0 {
			shadeBits(row, x, todo, colour, uint32(b.ink), uint32(b.dark))
		}
	}
}

// drawn tells where the pattern of the line has ink.
func (k *stroke) drawn(s *sight) uint64 {
	wanted := s.within[k.inked-1] & s.inside
	if wanted == 0 {
		return 0
	}
	along := k.directions(s, wanted)
	drawn := along & k.frame.patterns[k.pattern].at(s.octet)
	if k.pattern.drawn(k.y+k.frame.y.anchor, 1) {
		drawn |= ^along
	}
	return drawn
}

// patternStep is for how many line pixels of a row the direction of a border is taken to be the same.
const patternStep = 4

// directions tells at which of the wanted indices the border runs along the row rather than across it. Patterns count
// pixels that way.
func (k *stroke) directions(s *sight, wanted uint64) (along uint64) {
	enlarged := k.frame.enlarged()
	var each uint64
	if !enlarged {
		each = s.along(k.ring, k.run)
	}
	iy := k.frame.y.at(k.y)
	held := span(0, k.until-s.start) // from the look before
	for {
		if k.along {
			along |= held
		}
		wanted &^= held
		if wanted == 0 {
			return along
		}
		i := int32(bits.TrailingZeros64(wanted))
		k.along = each>>i&1 != 0
		if enlarged { // by image pixels, so that the steps of a slanting border do not count
			k.along = k.ring.from.lies(iy, int(k.frame.x.source[s.start+i]), k.run.id)
		}
		k.until = s.start + i + patternStep
		held = span(i, i+patternStep)
	}
}

// enlarged tells whether the direction of a border is looked up in image pixels.
func (f *frame) enlarged() bool { return f.cam.Scale >= 2 }

// shadeBits blends the pixels from x on whose bits are set.
func shadeBits(row []uint8, x int, todo uint64, colour, ink, dark uint32) {
	switch {
	case ink == 256:
		for ; todo != 0; todo &= todo - 1 {
			put(row, x+bits.TrailingZeros64(todo), colour)
		}
		return
	case ink+dark == 0:
		return
	}
	d := dab(colour, ink, 256-ink-dark)
	for ; todo != 0; todo &= todo - 1 {
		i := 4 * (x + bits.TrailingZeros64(todo))
		d.lay(row[i : i+4 : i+4])
	}
}

// shadeRow blends all pixels of a row.
func shadeRow(row []uint8, colour, ink uint32) {
	d := dab(colour, ink, 256-ink)
	for i := 0; i+4 <= len(row); i += 4 {
		d.lay(row[i : i+4 : i+4])
	}
}
