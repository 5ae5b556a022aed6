package render

import "coverslip/viewer"

// maskLayer colours the foreground of both sides by verdict, whatever objects it belongs to.
type maskLayer struct {
	answer, truth *Labels
	ink           uint32
	hidden        int // a verdict that is not drawn
}

// maskOpacity is the opacity of the mask where the answer's layer asks for none.
const maskOpacity = 0.5

// Verdicts of a pixel by bits: 1 in the answer, 2 in the truth.
const (
	onlyAnswer = 1
	onlyTruth  = 2
	inBoth     = 3
)

func (f *frame) setupMask(s *Scene, v viewer.View) {
	f.mask = maskLayer{}
	if !v.Mask {
		return
	}
	opacity := maskOpacity
	if l := v.Answer.Normal(); l.Opacity != 0 {
		opacity = l.Opacity
	}
	f.mask = maskLayer{answer: s.Answer, truth: s.Truth, ink: uint32(float64(opacity*256) + 0.5)}
	switch {
	case s.unseen == nil:
	case s.Answer == nil:
		f.mask.answer, f.mask.hidden = s.unseen, onlyAnswer
	case s.Truth == nil:
		f.mask.truth, f.mask.hidden = s.unseen, onlyTruth
	}
}

// maskCursor goes along the foreground of one side in a device row.
type maskCursor struct {
	runs []run
	axis *axis
	a, b int32 // of the present run, as indices of the axis; at the end both are beyond all
}

const beyond = 1<<31 - 1

func cursorOf(l *Labels, f *frame, y int) maskCursor {
	c := maskCursor{axis: &f.x}
	if source := f.y.at(y); l != nil && source >= 0 && source < min(l.H, f.y.size) {
		c.runs = l.rowRuns(source, f.x.source[0])
	}
	c.next()
	return c
}

// next takes runs that follow one another as one.
func (c *maskCursor) next() {
	c.a, c.b = beyond, beyond
	for len(c.runs) > 0 {
		a, b := c.axis.index(c.runs[0].a), c.axis.index(c.runs[0].b)
		if a < b {
			if c.a != beyond && a != c.b {
				return
			}
			if c.a == beyond {
				c.a = a
			}
			c.b = b
		}
		c.runs = c.runs[1:]
		if int(b) >= len(c.axis.source) {
			c.runs = nil
		}
	}
}

// draw lays device row y of the mask over the row.
func (m *maskLayer) draw(f *frame, row []uint8, y int) {
	if m.ink == 0 {
		return
	}
	answer, truth := cursorOf(m.answer, f, y), cursorOf(m.truth, f, y)
	for at := int32(f.x.from + pad); at < int32(f.x.to+pad); {
		for answer.b <= at {
			answer.next()
		}
		for truth.b <= at {
			truth.next()
		}
		end, verdict := int32(f.x.to+pad), 0
		for bit, c := range [2]*maskCursor{&answer, &truth} {
			if c.a <= at {
				verdict |= 1 << bit
				end = min(end, c.b)
			} else {
				end = min(end, c.a)
			}
		}
		if verdict != 0 && verdict != m.hidden {
			m.shade(f, row, y, int(at)-pad, int(end)-pad, verdict)
		}
		at = end
	}
}

// shade colours device pixels from..to-1. What is only in the answer has diagonal lines, what is only in the truth dots, so
// that the picture can be read without its colours. Without a truth nobody knows, and the answer is grey.
func (m *maskLayer) shade(f *frame, row []uint8, y, from, to, verdict int) {
	part := row[4*from : 4*to]
	switch {
	case verdict == inBoth:
		shadeRow(part, styleColours[Match], m.ink)
	case verdict == onlyTruth:
		shadeRow(part, styleColours[Missed], m.ink*3/4)
		if floorDiv(y+f.y.anchor, f.density)&3 == 0 {
			for x := from; x < to; x++ {
				if floorDiv(x+f.x.anchor, f.density)&3 < 2 {
					blend(row, x, styleColours[Missed], 230, 26)
				}
			}
		}
	case m.truth == nil:
		shadeRow(part, unknownColour, m.ink)
	default:
		shadeRow(part, styleColours[Extra], m.ink*3/4)
		sum := y + f.y.anchor + f.x.anchor
		for x := from; x < to; x++ {
			if hatched(sum+x, f.density) {
				blend(row, x, styleColours[Extra], 230, 26)
			}
		}
	}
}
