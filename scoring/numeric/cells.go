package numeric

import "math"

// cells sorts points into boxes, so that those near a place are found without looking at all.
type cells struct {
	lo, size Point
	dim      [3]int
	start    []int32 // of each box in items
	items    []int32
}

// newCells sorts the listed points into boxes about as wide as the radius, not many more boxes than points.
func newCells(points []Point, listed []int, radius float64) *cells {
	c := &cells{lo: Point{math.Inf(1), math.Inf(1), math.Inf(1)}}
	hi := Point{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for _, i := range listed {
		for k, v := range points[i] {
			c.lo[k], hi[k] = min(c.lo[k], v), max(hi[k], v)
		}
	}
	for k := range c.dim {
		c.dim[k] = int(min(math.Floor((hi[k]-c.lo[k])/radius), 1<<16)) + 1
		if !(radius > 0) || c.dim[k] < 1 {
			c.dim[k] = 1
		}
	}
	for c.dim[0]*c.dim[1]*c.dim[2] > 4*len(listed)+8 {
		widest := 0
		for k := range c.dim {
			if c.dim[k] > c.dim[widest] {
				widest = k
			}
		}
		c.dim[widest] = (c.dim[widest] + 1) / 2
	}
	for k := range c.dim {
		c.size[k] = (hi[k] - c.lo[k]) / float64(c.dim[k])
	}
	c.sort(points, listed)
	return c
}

func (c *cells) sort(points []Point, listed []int) {
	c.start = make([]int32, c.dim[0]*c.dim[1]*c.dim[2]+1)
	box := make([]int32, len(listed))
	for n, i := range listed {
		p := points[i]
		box[n] = int32((c.index(0, p[0])*c.dim[1]+c.index(1, p[1]))*c.dim[2] + c.index(2, p[2]))
		c.start[box[n]+1]++
	}
	for k := 1; k < len(c.start); k++ {
		c.start[k] += c.start[k-1]
	}
	next := append([]int32(nil), c.start...)
	c.items = make([]int32, len(listed))
	for n, i := range listed {
		c.items[next[box[n]]] = int32(i)
		next[box[n]]++
	}
}

// index is the box of a coordinate along one axis, the nearest for one outside.
func (c *cells) index(axis int, v float64) int {
	if c.dim[axis] == 1 {
		return 0
	}
	f := (v - c.lo[axis]) / c.size[axis]
	switch {
	case !(f > 0):
		return 0
	case f >= float64(c.dim[axis]):
		return c.dim[axis] - 1
	}
	return int(f)
}

// near calls visit for every point that may be within radius of a place.
func (c *cells) near(at Point, radius float64, visit func(int)) {
	var from, to [3]int
	for k, v := range at {
		reach := radius*(1+1e-9) + math.Abs(v)*1e-12 // a point exactly at the limit must not be lost to rounding
		from[k], to[k] = c.index(k, v-reach), c.index(k, v+reach)
	}
	for i := from[0]; i <= to[0]; i++ {
		for j := from[1]; j <= to[1]; j++ {
			row := (i*c.dim[1] + j) * c.dim[2]
			for _, t := range c.items[c.start[row+from[2]]:c.start[row+to[2]+1]] {
				visit(int(t))
			}
		}
	}
}
