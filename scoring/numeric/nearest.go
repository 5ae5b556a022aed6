package numeric

// Planar finds nearest points in the plane. It is not changed after NewPlanar and may be used from several goroutines.
// Points that lie about evenly are sorted into boxes, others into a tree; both find the same.
type Planar struct {
	x, y  []float64
	boxes *boxes  // nil for a tree
	order []int32 // the points; a node is a range of them, its point the middle one
	byY   []bool  // of the node whose middle is here: split along y, not x
}

// planarLeaf is how many points are looked at one by one.
const planarLeaf = 8

// NewPlanar takes finite points; x and y are as long as each other and not changed afterwards.
func NewPlanar(x, y []float64) *Planar {
	if b := newBoxes(x, y); b != nil {
		return &Planar{x: x, y: y, boxes: b}
	}
	return newTree(x, y)
}

func newTree(x, y []float64) *Planar {
	p := &Planar{x: x, y: y, order: make([]int32, len(x)), byY: make([]bool, len(x))}
	for i := range p.order {
		p.order[i] = int32(i)
	}
	p.build(0, len(x))
	return p
}

func (p *Planar) build(lo, hi int) {
	for hi-lo > planarLeaf {
		mid := (lo + hi) / 2
		along := p.x
		if p.spread(p.y, lo, hi) > p.spread(p.x, lo, hi) {
			along, p.byY[mid] = p.y, true
		}
		selectNth(p.order[lo:hi], mid-lo, along)
		p.build(lo, mid)
		lo = mid + 1
	}
}

func (p *Planar) spread(v []float64, lo, hi int) float64 {
	least, most := v[p.order[lo]], v[p.order[lo]]
	for _, i := range p.order[lo+1 : hi] {
		least, most = min(least, v[i]), max(most, v[i])
	}
	return most - least
}

// selectNth brings the index with the nth smallest value to place n, smaller ones before it, larger ones behind.
func selectNth(order []int32, n int, v []float64) {
	lo, hi := 0, len(order)-1
	for lo < hi {
		pivot := medianOf3(v[order[lo]], v[order[(lo+hi)/2]], v[order[hi]])
		i, j := lo, hi
		for i <= j {
			for v[order[i]] < pivot {
				i++
			}
			for v[order[j]] > pivot {
				j--
			}
			if i <= j {
				order[i], order[j] = order[j], order[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			hi = j
		case n >= i:
			lo = i
		default:
			return
		}
	}
}

func medianOf3(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }

// Nearest is the point with the smallest squared distance dx*dx + dy*dy to a finite place, at most limit, and that
// distance. Among equal distances the lowest index wins. index is -1 where no point is within the limit.
func (p *Planar) Nearest(x, y, limit float64) (index int, squared float64) {
	q := planarQuery{p, x, y, -1, limit}
	switch {
	case !(limit >= 0):
	case p.boxes != nil:
		q.search(p.boxes)
	default:
		q.visit(0, len(p.order))
	}
	return q.index, q.best
}

type planarQuery struct {
	*Planar
	atX, atY float64
	index    int
	best     float64
}

// consider takes point i where it is nearer than the best so far, or as near with a lower index.
func (q *planarQuery) consider(i int) {
	dx, dy := q.x[i]-q.atX, q.y[i]-q.atY
	d := float64(dx*dx) + float64(dy*dy) // each product rounded, so that ties are ties on every machine
	if d < q.best || d == q.best && (q.index < 0 || i < q.index) {
		q.index, q.best = i, d
	}
}

// visit leaves out a side that is further away than the best so far; rounding keeps the order of distances, so no tie is
// lost.
func (q *planarQuery) visit(lo, hi int) {
	for hi-lo > planarLeaf {
		mid := (lo + hi) / 2
		i := int(q.order[mid])
		offset := q.atX - q.x[i]
		if q.byY[mid] {
			offset = q.atY - q.y[i]
		}
		q.consider(i)
		nearLo, nearHi, farLo, farHi := lo, mid, mid+1, hi
		if offset > 0 {
			nearLo, nearHi, farLo, farHi = mid+1, hi, lo, mid
		}
		q.visit(nearLo, nearHi)
		if float64(offset*offset) > q.best {
			return
		}
		lo, hi = farLo, farHi
	}
	for _, i := range q.order[lo:hi] {
		q.consider(int(i))
	}
}
