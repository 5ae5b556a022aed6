package numeric

import (
	"math"
	"slices"
)

// boxes are points of the plane sorted into square boxes, row by row.
type boxes struct {
	x0, y0        float64 // of the lowest box
	perUnit       float64 // boxes per unit of length
	columns, rows int
	start         []int32 // of each box in items
	items         []int32 // indices of points
}

const (
	pointsPerBox = 2  // on average
	fullestBox   = 64 // points; more make a search as slow as one without boxes
)

// newBoxes sorts points into boxes. It is nil for points that lie too unevenly, or too far apart for arithmetic.
func newBoxes(x, y []float64) *boxes {
	if len(x) == 0 {
		return nil
	}
	b := &boxes{x0: slices.Min(x), y0: slices.Min(y)}
	width, height := slices.Max(x)-b.x0, slices.Max(y)-b.y0
	// A strip as thin as a line would have boxes of no size.
	side := math.Sqrt(max(width, height/float64(len(x))) * max(height, width/float64(len(x))) * pointsPerBox / float64(len(x)))
	if b.perUnit = 1 / side; !(side > 1e-100 && side < 1e100) {
		return nil
	}
	b.columns, b.rows = int(width*b.perUnit)+1, int(height*b.perUnit)+1
	b.start = make([]int32, b.columns*b.rows+1, b.columns*b.rows+2)
	box := make([]int32, len(x))
	for i := range x {
		box[i] = int32(b.row(y[i])*b.columns + b.column(x[i]))
		b.start[box[i]+1]++
	}
	if slices.Max(b.start) > fullestBox {
		return nil
	}
	for k := 1; k < len(b.start); k++ {
		b.start[k] += b.start[k-1]
	}
	b.items = make([]int32, len(x))
	for i := len(x) - 1; i >= 0; i-- { // the starts move down to where they belong
		k := b.start[box[i]+1] - 1
		b.start[box[i]+1], b.items[k] = k, int32(i)
	}
	b.start = append(b.start[1:], int32(len(x)))
	return b
}

func (b *boxes) column(x float64) int { return clampedIndex((x-b.x0)*b.perUnit, b.columns) }
func (b *boxes) row(y float64) int    { return clampedIndex((y-b.y0)*b.perUnit, b.rows) }

// clampedIndex cuts to a whole number from 0 to n-1. It never falls where v rises.
func clampedIndex(v float64, n int) int {
	switch {
	case !(v > 0):
		return 0
	case v >= float64(n):
		return n - 1
	}
	return int(v)
}

// search looks into the box of the place, then into rings of boxes around it as long as one of them may hold a nearer
// point.
func (q *planarQuery) search(b *boxes) {
	column, row := b.column(q.atX), b.row(q.atY)
	q.look(b, row, column, column)
	for ring := 1; ; ring++ {
		// A point that is near enough lies in the boxes of this window; a little more, for rounding.
		reach := math.Sqrt(q.best)
		reachX, reachY := reach*(1+1e-9)+math.Abs(q.atX)*1e-12, reach*(1+1e-9)+math.Abs(q.atY)*1e-12
		left, right := b.column(q.atX-reachX), b.column(q.atX+reachX)
		top, bottom := b.row(q.atY-reachY), b.row(q.atY+reachY)
		if column-ring < left && column+ring > right && row-ring < top && row+ring > bottom {
			return
		}
		from, to := max(left, column-ring), min(right, column+ring)
		for r := max(top, row-ring); r <= min(bottom, row+ring); r++ {
			if r == row-ring || r == row+ring {
				q.look(b, r, from, to)
				continue
			}
			if from == column-ring {
				q.look(b, r, from, from)
			}
			if to == column+ring {
				q.look(b, r, to, to)
			}
		}
	}
}

// look considers the points of neighbouring boxes of a row.
func (q *planarQuery) look(b *boxes, row, from, to int) {
	if from > to {
		return
	}
	for _, i := range b.items[b.start[row*b.columns+from]:b.start[row*b.columns+to+1]] {
		q.consider(int(i))
	}
}
