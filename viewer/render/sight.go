package render

// sight is the borders around a stretch of a device row, 64 indices at a time. Bit i stands for index start+i. The lowest
// and the highest pad bits are only looked at, never drawn, so nothing has to be fetched from beside.
type sight struct {
	start  int32
	octet  int
	inside uint64 // the indices to draw
	// By k, the rows k above and k below the middle taken together: edges, and from pad on steps.
	borders [2 * pad]uint64
	within  [maxSquares]uint64 // by index into squares: where another label is so near
}

// look takes in what lies up to reach around the indices from..to-1. It gives the first index that is left for another
// look, and whether there is any border at all.
func (s *sight) look(r *ring, from, to int32, reach int) (next int32, border bool) {
	start := (from - pad) &^ 7
	octet := int(start >> 3)
	next = min(to, start+64-pad)
	s.start, s.octet, s.inside = start, octet, span(from-start, next-start)
	all := r.middle().edges.at(octet)
	s.borders[0] = all
	for k := 1; k <= reach; k++ {
		above, below := &r.above[k], &r.below[k]
		edges := above.edges.at(octet) | below.edges.at(octet)
		steps := above.steps.at(octet) | below.steps.at(octet)
		s.borders[k&(pad-1)], s.borders[pad|k&(pad-1)] = edges, steps
		all |= edges | steps
	}
	return next, all != 0
}

// offset is a place to look for another label: k rows off the middle and some columns aside.
//
// An edge in row k means that the label there is not the one straight above or below the index, or that this one is
// itself another label; then a step lies between, which is nearer. So going through the offsets in order of distance
// finds the nearest pixel of another label by edges and steps alone, for 64 indices at once.
type offset struct {
	border      uint8 // of sight
	left, right uint8 // how far the bits there are moved
}

// far is a squared distance beyond all lines' reach.
const far = 63

// squares are the squared distances that occur below far, and offsets all places that a line may reach, nearest first:
// reached[i] of them are not beyond squares[i].
var squares, reached, offsets = makeOffsets()

// maxSquares is a power of two that they do not exceed.
const maxSquares = 64

func makeOffsets() (squares, reached []uint8, offsets []offset) {
	for square := 1; square < far; square++ {
		n := len(offsets)
		for k := 0; k < pad; k++ {
			for aside := 0; aside < pad; aside++ {
				switch {
				case k*k+aside*aside != square:
				case aside == 0:
					offsets = append(offsets, offset{uint8(pad + k), 0, 0})
				default:
					offsets = append(offsets, offset{uint8(k), uint8(aside - 1), uint8(aside)})
				}
			}
		}
		if len(offsets) > n {
			squares, reached = append(squares, uint8(square)), append(reached, uint8(len(offsets)))
		}
	}
	return squares, reached, offsets
}

// closeBy is how many of the squares are done without a table: 1, 2, 4, 5, 8.
const closeBy = 5

// measure finds for the first n squares where another label is so near. What is closer by is written out: most lines
// need nothing else.
func (s *sight) measure(n int) {
	e0, e1, e2 := s.borders[0], s.borders[1], s.borders[2]
	w1 := e0 | e0>>1 | s.borders[pad+1]
	w2 := w1 | e1 | e1>>1
	w4 := w2 | e0<<1 | e0>>2 | s.borders[pad+2]
	w5 := w4 | e1<<1 | e1>>2 | e2 | e2>>1
	w8 := w5 | e2<<1 | e2>>2
	s.within[0], s.within[1], s.within[2], s.within[3], s.within[4] = w1, w2, w4, w5, w8
	for i := closeBy; i < n; i++ {
		for _, o := range offsets[reached[i-1]:reached[i]] {
			b := s.borders[o.border%(2*pad)]
			w8 |= b<<(o.left&63) | b>>(o.right&63)
		}
		s.within[i] = w8
	}
}

// directionReach is how many line pixels off a border says which way it runs.
const directionReach = 3

// along tells which indices of run q lie at a border that runs along the row rather than across it, by where another
// label begins within 1 and within 3 pixels to either side.
func (s *sight) along(r *ring, q run) uint64 {
	above, below := &r.above, &r.below
	u1, d1 := above[1].steps.at(s.octet), below[1].steps.at(s.octet)
	u3 := u1 | above[2].steps.at(s.octet) | above[3].steps.at(s.octet)
	d3 := d1 | below[2].steps.at(s.octet) | below[3].steps.at(s.octet)
	a, b := q.a-s.start, q.b-s.start
	across := sums(span(a, a+1), span(a, a+3), span(b-1, b), span(b-3, b))
	away := sums(u1, u3, d1, d3)
	less := uint64(0)
	for i := range away {
		less |= across[i] &^ away[i]
	}
	return ^less
}

// sums tells where at least 1, 2, 3 or 4 of four bits are set, of which a1 implies a3 and b1 implies b3.
func sums(a1, a3, b1, b3 uint64) [4]uint64 {
	return [4]uint64{a3 | b3, a1 | b1 | a3&b3, a1&b3 | b1&a3, a1 & b1}
}

// lies tells whether the border of a label near image pixel (y, x) runs along the row.
func (from reader) lies(y, x int, id uint32) bool {
	beside, above := 0, 0
	for k := 1; k <= 3; k++ {
		beside += from.differs(y, x-k, id) + from.differs(y, x+k, id)
		above += from.differs(y-k, x, id) + from.differs(y+k, x, id)
	}
	return above >= beside
}
