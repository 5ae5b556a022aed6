package segment

import (
	"math"

	"coverslip/scoring/report"
)

// sample is a pixel's value so that equal ones are equal: its id and what the id drops of it. NaN is equal to nothing.
type sample struct {
	id   int64
	rest float64
}

// fresh is a value that no image holds.
var fresh = sample{math.MinInt64, 0.5}

// window copies the values of a part of a plane.
func (s rows[E]) window(b report.Box) []sample {
	list := make([]sample, 0, (b.Y1-b.Y0)*(b.X1-b.X0))
	for y := b.Y0; y < b.Y1; y++ {
		for _, v := range s.values[y*s.width+b.X0 : y*s.width+b.X1] {
			id, c := s.classify(v)
			p := sample{id: id}
			switch {
			case c&wild != 0:
				p.rest = float64(v)
			case c&truncated != 0:
				p.rest = float64(v) - math.Trunc(float64(v))
			}
			list = append(list, p)
		}
	}
	return list
}

// boundaryCounts are the boundary pixels of answer and truth, and those of each near the other's.
type boundaryCounts struct{ pred, truth, predHits, truthHits int }

func (c boundaryCounts) f1() float64 { return boundaryF1(c.pred, c.truth, c.predHits, c.truthHits) }

// How far the boundary changes around an object that is put right, how far this decides which pixels are near, and how far
// their surroundings reach.
const (
	boundaryMoves = 1
	nearMoves     = boundaryMoves + 2
	nearReaches   = nearMoves + 2
)

// gain is by how much boundary_f1 rises if the objects of a mark are put right: the answer's object taken out, the truth's
// put in its place. Pixels that belong to no object stay as they are.
func (c boundaryCounts) gain(pred, truth labels, shape []int, m *report.Mark) float64 {
	if m.Pred == 0 && m.Truth == 0 {
		return 0
	}
	b := grown(m.Box, nearReaches+1, shape)
	before, right := pred.window(b), truth.window(b)
	after := append([]sample(nil), before...)
	for i := range after {
		if m.Pred != 0 && before[i].id == m.Pred {
			after[i] = sample{}
		}
		if m.Truth != 0 && right[i].id == m.Truth {
			after[i] = fresh
		}
	}
	w := b.X1 - b.X0
	old, later, target := outline(before, w), outline(after, w), outline(right, w)
	fixed := c
	within(grown(m.Box, boundaryMoves, shape), b, func(i, y, x int) {
		near := nearAny(target, w, y, x)
		fixed.pred += asInt(later[i]) - asInt(old[i])
		fixed.predHits += asInt(later[i] && near) - asInt(old[i] && near)
	})
	within(grown(m.Box, nearMoves, shape), b, func(i, y, x int) {
		if target[i] {
			fixed.truthHits += asInt(nearAny(later, w, y, x)) - asInt(nearAny(old, w, y, x))
		}
	})
	return fixed.f1() - c.f1()
}

func asInt(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// grown is a box with a margin, cut to the image.
func grown(b report.Box, by int, shape []int) report.Box {
	b.Y0, b.X0 = max(0, b.Y0-by), max(0, b.X0-by)
	b.Y1, b.X1 = min(shape[0], b.Y1+by), min(shape[1], b.X1+by)
	return b
}

// within visits the pixels of a box by their place in a window around it.
func within(b, window report.Box, visit func(i, y, x int)) {
	for y := b.Y0 - window.Y0; y < b.Y1-window.Y0; y++ {
		for x := b.X0 - window.X0; x < b.X1-window.X0; x++ {
			visit(y*(window.X1-window.X0)+x, y, x)
		}
	}
}

// outline tells the pixels that differ from a 4-neighbour.
func outline(v []sample, w int) []bool {
	set := make([]bool, len(v))
	for i := range v {
		if i%w+1 < w && v[i] != v[i+1] {
			set[i], set[i+1] = true, true
		}
		if i+w < len(v) && v[i] != v[i+w] {
			set[i], set[i+w] = true, true
		}
	}
	return set
}

// nearAny tells whether a pixel of a set lies within 2.0 pixels.
func nearAny(set []bool, w, y, x int) bool {
	for dy := -2; dy <= 2; dy++ {
		for dx := -2; dx <= 2; dx++ {
			if yy, xx := y+dy, x+dx; dy*dy+dx*dx <= 4 && yy >= 0 && xx >= 0 && xx < w && yy < len(set)/w && set[yy*w+xx] {
				return true
			}
		}
	}
	return false
}
