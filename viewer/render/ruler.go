package render

import (
	"math"

	"coverslip/viewer"
)

// rulerTick is the length of the strokes across the ends of the measuring line, in line pixels.
const rulerTick = 12

// drawRuler draws the line that is measured along, with strokes across its ends: white on dark, so that it shows on any image.
func (f *frame) drawRuler(l viewer.Segment) {
	if l == (viewer.Segment{}) {
		return
	}
	y0, x0 := f.onPaper(l.From.Y, l.From.X)
	y1, x1 := f.onPaper(l.To.Y, l.To.X)
	length := math.Hypot(y1-y0, x1-x0)
	if !(length > 0) || length > 1<<20 {
		return
	}
	uy, ux := (y1-y0)/length*rulerTick/2, (x1-x0)/length*rulerTick/2
	a := f.area(0, f.h)
	a.x0, a.x1 = 0, f.w
	for _, pen := range []struct {
		half float64
		tint tint
	}{{2, tint{blackColour, 150, 0}}, {1, tint{inkColour, 256, 0}}} {
		a.line(stretch{y0: y0, x0: x0, y1: y1, x1: x1, half: pen.half}, pen.tint)
		for _, end := range [][2]float64{{y0, x0}, {y1, x1}} {
			a.line(stretch{y0: end[0] - ux, x0: end[1] + uy, y1: end[0] + ux, x1: end[1] - uy, half: pen.half}, pen.tint)
		}
	}
}
