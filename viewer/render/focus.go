package render

import (
	"math"

	"coverslip/viewer"
)

var (
	focusAnswerColour = rgb(0xffffff)
	focusTruthColour  = rgb(0x00e5ff)
)

// focusMark is the emphasised outline of one object.
type focusMark struct {
	labels   *Labels
	index    uint32
	in, out  line // below and above the border
	colour   uint32
	minY     int // device rows and columns that it may touch, ends included
	maxY     int
	minX     int
	maxX     int
	brackets bool
}

// tiny is the extent in line pixels below which brackets point at a focused object.
const tiny = 14

func (f *frame) setupFocus(s *Scene, v viewer.View) {
	f.marked = f.marked[:0]
	f.addMark(s.Answer, v.Focus.Answer, false)
	f.addMark(s.Truth, v.Focus.Truth, true)
}

func (f *frame) addMark(labels *Labels, id int64, truth bool) {
	i := labels.find(id)
	if i == 0 {
		return
	}
	m := focusMark{labels: labels, index: i, colour: focusAnswerColour}
	if truth {
		m.colour = focusTruthColour
		m.out.colour = m.colour
		m.out.pattern = dashed
		m.out.stroke(0, 2, 1)
		m.out.darken(2, 3, 0.6)
		m.out.gap = 0.85
		m.in.darken(0, 1, 0.3)
	} else {
		m.in.colour = m.colour
		m.in.stroke(0, 2, 1)
		m.in.darken(2, 3, 0.6)
		m.out.darken(0, 1.5, 0.75)
	}
	m.in.ready(f.density)
	m.out.ready(f.density)
	b := labels.boxes[i]
	y0, x0 := f.cam.ToDevice(viewer.Point{Y: float64(b.minY), X: float64(b.minX)})
	y1, x1 := f.cam.ToDevice(viewer.Point{Y: float64(b.maxY) + 1, X: float64(b.maxX) + 1})
	m.brackets = math.Max(y1-y0, x1-x0) < tiny*f.fine
	reach := focusReach * f.density
	m.minY, m.minX = devicePixel(y0)-reach, devicePixel(x0)-reach
	m.maxY, m.maxX = devicePixel(y1)+reach, devicePixel(x1)+reach
	f.marked = append(f.marked, m)
}

// focusReach is how many line pixels beyond an object its mark may draw.
const focusReach = 3

func devicePixel(x float64) int { return int(clampFloat(math.Floor(x), -1<<30, 1<<30)) }

// draw lays device row y of the mark over the row.
func (m *focusMark) draw(r *ring, f *frame, row []uint8, y int) {
	if y < m.minY || y > m.maxY {
		return
	}
	r.advance(f, reader{labels: m.labels, only: m.index}, y, focusReach)
	middle := r.middle()
	from, to := int32(max(m.minX, f.x.from)+pad), int32(min(m.maxX+1, f.x.to)+pad)
	for _, q := range middle.runs {
		a, b := max(q.a, from), min(q.b, to)
		switch q.id {
		case 1:
			m.in.draw(r, f, row, y, a, b, q, m.in.colour)
		case 0:
			m.out.draw(r, f, row, y, a, b, q, m.out.colour)
		}
	}
}

// drawBrackets points at focused objects that are too small to show an outline.
func (f *frame) drawBrackets() {
	for i := range f.marked {
		m := &f.marked[i]
		if !m.brackets {
			continue
		}
		n := f.density
		arm, away, thick := 6*n, (3+4*i)*n, 2*n // the second pair around the first
		y0, y1 := m.minY-away, m.maxY+away
		x0, x1 := m.minX-away, m.maxX+away
		for k := 0; k < arm; k += n {
			for _, p := range [8][2]int{{y0, x0 + k}, {y0, x1 - k}, {y1, x0 + k}, {y1, x1 - k},
				{y0 + k, x0}, {y0 + k, x1}, {y1 - k, x0}, {y1 - k, x1}} {
				f.block(p[0], p[1], thick, thick, m.colour, 256, 256)
			}
		}
	}
}
