package chart

import "math"

// coverage finds how much of each device pixel closed shapes cover. Shapes that overlap and turn the same way round count once.
//
// Every edge adds to the pixels it crosses what it takes away from the cover of all pixels to its right; sums along a row then give the
// cover. Products are rounded before sums, so that no fused operation changes bits.
type coverage struct {
	w, h   int
	cells  []float32 // rows of w+2
	lo, hi []int     // the touched cells of each row, lo >= hi: none
	y0, y1 int       // the touched rows
}

func (a *coverage) reset(w, h int) {
	if a.w == w && a.h == h {
		return
	}
	a.w, a.h = w, h
	if n := (w + 2) * h; n > len(a.cells) {
		a.cells = make([]float32, n)
	}
	if h > len(a.lo) {
		a.lo, a.hi = make([]int, h), make([]int, h)
	}
	for y := range h {
		a.lo[y], a.hi[y] = w+2, 0
	}
	a.y0, a.y1 = h, 0
}

// polygon adds a closed shape.
func (a *coverage) polygon(path ...pt) {
	if len(path) < 3 {
		return
	}
	last := path[len(path)-1]
	for _, q := range path {
		a.edge(last, q)
		last = q
	}
}

func (a *coverage) edge(p, q pt) {
	if p.y == q.y || !finite(p.x) || !finite(p.y) || !finite(q.x) || !finite(q.y) {
		return
	}
	dir := 1.0
	if p.y > q.y {
		p, q, dir = q, p, -1
	}
	if q.y <= 0 || p.y >= float64(a.h) {
		return
	}
	slope := (q.x - p.x) / (q.y - p.y)
	x := p.x
	if p.y < 0 {
		x -= float64(p.y * slope)
		p.y = 0
	}
	end := math.Min(q.y, float64(a.h))
	first, last := int(p.y), int(math.Ceil(end))
	a.y0, a.y1 = min(a.y0, first), max(a.y1, last)
	for y := first; y < last; y++ {
		tall := math.Min(float64(y+1), end) - math.Max(float64(y), p.y)
		next := x + float64(slope*tall)
		a.span(y, x, next, tall*dir)
		x = next
	}
}

// span adds the part of an edge that lies in row y, from x to next; d is its height, negative upwards.
func (a *coverage) span(y int, x, next, d float64) {
	w := float64(a.w)
	if x > next {
		x, next = next, x
	}
	x, next = math.Min(math.Max(x, 0), w), math.Min(math.Max(next, 0), w)
	left, right := int(x), int(math.Ceil(next))
	row := a.cells[y*(a.w+2) : (y+1)*(a.w+2)]
	a.lo[y], a.hi[y] = min(a.lo[y], left), max(a.hi[y], max(right, left+1)+1)
	from := x - float64(left)
	if right <= left+1 {
		part := float64(d * (0.5*(x+next) - float64(left)))
		row[left] += float32(d - part)
		row[left+1] += float32(part)
		return
	}
	s := 1 / (next - x)
	a0 := float64(0.5 * s * (1 - from) * (1 - from))
	to := next - float64(right) + 1
	am := float64(0.5 * s * to * to)
	row[left] += float32(d * a0)
	if right == left+2 {
		row[left+1] += float32(d * (1 - a0 - am))
	} else {
		a1 := float64(s * (1.5 - from))
		row[left+1] += float32(d * (a1 - a0))
		for i := left + 2; i < right-1; i++ {
			row[i] += float32(d * s)
		}
		a2 := a1 + float64(float64(right-left-3)*s)
		row[right-1] += float32(d * (1 - a2 - am))
	}
	row[right] += float32(d * am)
}

// flush gives every covered pixel with its cover, 1 to 255, and forgets all shapes.
func (a *coverage) flush(put func(y, x int, cover uint32)) {
	for y := a.y0; y < a.y1; y++ {
		if a.lo[y] >= a.hi[y] {
			continue
		}
		row := a.cells[y*(a.w+2) : (y+1)*(a.w+2)]
		var sum float32
		for x := a.lo[y]; x < min(a.hi[y], len(row)); x++ {
			sum += row[x]
			row[x] = 0
			c := sum
			if c < 0 {
				c = -c
			}
			if c > 1 {
				c = 1
			}
			if n := uint32(float32(c*255) + 0.5); n > 0 && x < a.w {
				put(y, x, n)
			}
		}
		a.lo[y], a.hi[y] = a.w+2, 0
	}
	a.y0, a.y1 = a.h, 0
}

func finite(v float64) bool { return v-v == 0 }
