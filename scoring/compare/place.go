package compare

import (
	"cmp"
	"math"
	"slices"

	"coverslip/scoring/report"
)

const (
	alike   = 0.5 // IoU of the boxes from which two things of the answers are in the same place
	nearby  = 5.0 // pixels; where the record names no distance within which points match
	atMost  = 256 // neighbours looked at in one cell of the grid: of points on one spot any is as good as the next
	centred = 2.0 // a cell of the grid is so many times as wide as what may lie between two centres
)

// spot is a thing to be matched by place.
type spot struct {
	mark     int
	bin      bin
	y, x, z  float64 // the middle of its box, or the point
	box      report.Box
	level    int  // the power of two that its longest side fits in; point for a point
	unplaced bool // has no place of its own, and matches nothing
}

// bin is what two spots must agree in.
type bin struct {
	row    int32
	frame  int64
	aspect Aspect
	missed bool
}

const point = -1

func spotOf(i int, m *report.Mark, b bin) spot {
	s := spot{mark: i, bin: b, box: m.Box, z: m.Z, y: m.Y, x: m.X, level: point}
	d, h, w := m.Box.Z1-m.Box.Z0, m.Box.Y1-m.Box.Y0, m.Box.X1-m.Box.X0
	// A box that the pixels do not fit in is that of the largest of many regions under one mark.
	s.unplaced = d < 1 || h < 1 || w < 1 || float64(m.Area) > volume(m.Box)
	if b.aspect != Object || d > 1 || h > 1 || w > 1 { // only objects are ever known by a point alone
		s.z, s.y, s.x = middle(m.Box.Z0, m.Box.Z1), middle(m.Box.Y0, m.Box.Y1), middle(m.Box.X0, m.Box.X1)
		s.level = int(math.Ceil(math.Log2(float64(max(d, h, w)))))
	}
	return s
}

func middle(a, b int) float64 { return float64(a)/2 + float64(b)/2 }

func volume(b report.Box) float64 {
	return float64(b.Z1-b.Z0) * float64(b.Y1-b.Y0) * float64(b.X1-b.X0)
}

// couple is a possible pair, by place in the lists.
type couple struct {
	a, b      int
	closeness float64
}

// matchSpots pairs the spots of two lists that are in the same place: boxes with an IoU of at least a half, points within near
// pixels. The closest pair is taken first. It gives each spot of a its partner, -1 for none.
func matchSpots(a, b []spot, near float64) (ofA []int) {
	g := newGrid(b, near)
	var couples []couple
	for i := range a {
		g.around(&a[i], func(k int) {
			if c := closeness(&a[i], &b[k], near); c > 0 {
				couples = append(couples, couple{i, k, c})
			}
		})
	}
	slices.SortFunc(couples, func(x, y couple) int {
		return cmp.Or(cmp.Compare(y.closeness, x.closeness), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	ofA = make([]int, len(a))
	for i := range ofA {
		ofA[i] = -1
	}
	taken := make([]bool, len(b))
	for _, c := range couples {
		if ofA[c.a] < 0 && !taken[c.b] {
			ofA[c.a], taken[c.b] = c.b, true
		}
	}
	return ofA
}

// closeness is above 0 for spots in the same place.
func closeness(a, b *spot, near float64) float64 {
	if a.level == point {
		d := math.Sqrt((a.z-b.z)*(a.z-b.z) + (a.y-b.y)*(a.y-b.y) + (a.x-b.x)*(a.x-b.x))
		if !(d <= near) {
			return 0
		}
		return 2 - d/near
	}
	p, q := a.box, b.box
	both := report.Box{Z0: max(p.Z0, q.Z0), Y0: max(p.Y0, q.Y0), X0: max(p.X0, q.X0), Z1: min(p.Z1, q.Z1), Y1: min(p.Y1, q.Y1), X1: min(p.X1, q.X1)}
	if both.Z1 <= both.Z0 || both.Y1 <= both.Y0 || both.X1 <= both.X0 {
		return 0
	}
	v := volume(both)
	if iou := v / (volume(p) + volume(q) - v); iou >= alike {
		return iou
	}
	return 0
}

// grid holds spots by the cell that they are in. Boxes are apart by size: two with an IoU of a half differ by a factor of two
// at most in each direction, and their middles by half a side of the smaller one.
type grid struct {
	near  float64
	first map[cell]int32
	next  []int32 // of the same cell, -1: none
}

type cell struct {
	bin     bin
	level   int32
	z, y, x int64
}

func newGrid(spots []spot, near float64) grid {
	g := grid{near, make(map[cell]int32, len(spots)), make([]int32, len(spots))}
	for i := len(spots) - 1; i >= 0; i-- { // so that the first comes first
		s := &spots[i]
		if s.unplaced {
			continue
		}
		w := g.width(s.level)
		c := cell{s.bin, int32(s.level), floor(s.z / w), floor(s.y / w), floor(s.x / w)}
		g.next[i] = -1
		if k, there := g.first[c]; there {
			g.next[i] = k
		}
		g.first[c] = int32(i)
	}
	return g
}

// width is that of a cell. That of a point's is centred times the distance that counts.
func (g grid) width(level int) float64 {
	if level == point {
		return centred * g.near
	}
	return math.Ldexp(1, level)
}

func floor(v float64) int64 { return int64(math.Floor(v)) }

// around visits the spots that may be in the place of s: in the two cells in each direction that half a width reaches.
func (g grid) around(s *spot, visit func(int)) {
	if s.unplaced {
		return
	}
	low, high := s.level-1, s.level+1
	if s.level == point {
		low, high = point, point
	}
	for level := max(low, point); level <= high; level++ {
		if (level == point) != (s.level == point) {
			continue
		}
		w := g.width(level)
		c := cell{bin: s.bin, level: int32(level)}
		for c.z = floor(s.z/w - 0.5); c.z <= floor(s.z/w+0.5); c.z++ {
			for c.y = floor(s.y/w - 0.5); c.y <= floor(s.y/w+0.5); c.y++ {
				for c.x = floor(s.x/w - 0.5); c.x <= floor(s.x/w+0.5); c.x++ {
					g.visit(c, visit)
				}
			}
		}
	}
}

func (g grid) visit(c cell, visit func(int)) {
	k, there := g.first[c]
	for n := 0; there && k >= 0 && n < atMost; n++ {
		visit(int(k))
		k = g.next[k]
	}
}

// nearOf is within how many pixels two points are in the same place: the distance that the scorer matches within.
func nearOf(reports ...*report.Report) float64 {
	for _, r := range reports {
		if v, ok := r.Metrics.Number("distance_threshold_px"); ok && v > 0 && !math.IsInf(v, 0) {
			return v
		}
	}
	return nearby
}

// placed pairs what only place tells: in the order of A's marks, then what only B has.
func (p *pairing) placed() {
	a, b := p.a.spots, p.b.spots
	ofA := matchSpots(a, b, nearOf(p.a.Report, p.b.Report))
	taken := make([]bool, len(b))
	for i := range a {
		if k := ofA[i]; k >= 0 {
			taken[k] = true
			p.put(&a[i], &b[k])
		} else {
			p.put(&a[i], nil)
		}
	}
	for k := range b {
		if !taken[k] {
			p.put(nil, &b[k])
		}
	}
}

// put makes the change of a thing that is matched by place; nil stands for a side without it.
func (p *pairing) put(a, b *spot) {
	s := cmp.Or(a, b)
	c := Change{Aspect: s.bin.aspect, Row: int(s.bin.row), Frame: int(s.bin.frame), A: p.a.spotSide(a, s.bin), B: p.b.spotSide(b, s.bin)}
	switch {
	case s.bin.missed:
		c.Class, c.By = p.judge(&c)
	case b == nil:
		c.Class = Dropped
	case a == nil:
		c.Class = Added
	default:
		c.Class = Kept
	}
	p.charge(&c)
	p.changes = append(p.changes, c)
}

func (r *collected) spotSide(s *spot, b bin) Side {
	switch {
	case s != nil && b.missed:
		return Side{Missed, s.mark, cost(&r.Marks[s.mark])}
	case s != nil:
		return Side{Invented, s.mark, cost(&r.Marks[s.mark])}
	case !b.missed:
		return Side{State: NotThere, Mark: -1}
	case r.whole[b.row]:
		return Side{State: Missed, Mark: -1}
	}
	return Side{State: Found, Mark: -1}
}
