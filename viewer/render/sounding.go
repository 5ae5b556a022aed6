package render

import (
	"encoding/binary"
	"math"
)

// In a picture of a density over 1 lines are many device pixels wide, more than sight takes in. There the distance of every pixel from the
// nearest pixel of another label is found in two steps, strip by strip: along the columns of the strip, then along each row, where only
// columns of the same run count, since the end of the run is nearer than all beyond it. The lines themselves are the same.

// wideAxes are the axes of a picture, and of what lies as far beyond it as lines may reach.
type wideAxes struct {
	y, x   axis
	beyond int // device pixels
}

func (a *wideAxes) fill(f *frame, s *Scene) {
	if f.density == 1 {
		return
	}
	sy, sx := f.cam.scales()
	a.beyond = pad * f.density
	a.y.fillBeyond(a.beyond, f.h, s.H, sy, f.cam.OY)
	a.x.fillBeyond(a.beyond, f.w, s.W, sx, f.cam.OX)
}

// sounding is the distances along the columns in a strip of device rows, for the pixels of objects. Indices count from the left end of
// the wide axis.
type sounding struct {
	from         reader
	axes         *wideAxes
	size         int  // height of the image
	ground       bool // the background counts as an object
	first, end   int  // device rows
	low, high    int32
	deepest      uint8   // distances that are greater, or not known
	above, below []uint8 // by row of the strip and index
	next         []uint8 // of rows beside the strip
	row, before  labelRow
}

// take measures device rows first..end-1 between device columns left..right-1, as far as reach.
func (s *sounding) take(f *frame, from reader, first, end, left, right, reach int) {
	s.from, s.axes, s.size, s.first, s.end = from, &f.wide, f.y.size, first, end
	n := len(f.wide.x.source)
	reach = min(reach, f.wide.beyond)
	s.deepest = uint8(reach + 1)
	s.low, s.high = int32(left+f.wide.beyond-reach), int32(right+f.wide.beyond+reach)
	s.above, s.below = grow(s.above, n*(end-first)), grow(s.below, n*(end-first))
	s.next = grow(s.next, n)
	s.sweep(s.above, first-reach, end, 1)
	s.sweep(s.below, end-1+reach, first-1, -1)
	s.row.source = unread
}

// unread is the source of a label row that holds nothing.
const unread = -2

// sweep goes from device row y to the one before end and counts for every pixel the rows since its label began.
func (s *sounding) sweep(out []uint8, y, end, step int) {
	n := len(s.axes.x.source)
	s.row.source, s.before.source = unread, unread
	last := s.next
	fillBytes(last, s.deepest)
	for ; y != end; y += step {
		s.read(y)
		into := s.next
		if y >= s.first && y < s.end {
			into = out[n*(y-s.first) : n*(y-s.first+1)]
		}
		s.count(into, last)
		last = into
	}
}

// read makes device row y the present row and keeps the one before.
func (s *sounding) read(y int) {
	source := int(s.axes.y.source[y+s.axes.beyond])
	if source < 0 || source >= min(s.from.labels.H, s.size) {
		source = -1
	}
	if s.row.source == source {
		s.before.source = source // nothing changes from row to row
		return
	}
	s.row, s.before = s.before, s.row
	s.row.source = source
	s.row.runs = s.row.runs[:0]
	if source >= 0 {
		s.row.read(&s.axes.x, s.from)
	}
	s.row.extend(int32(len(s.axes.x.source)), outside)
}

// count makes the distances of the present row from those of the row before.
func (s *sounding) count(into, last []uint8) {
	at := 0
	for _, q := range s.row.runs {
		a, b := max(q.a, s.low), min(q.b, s.high)
		if a >= b || !s.counts(q.id) {
			continue
		}
		if s.before.source == s.row.source || s.before.source == unread {
			deepen(into[a:b], last[a:b], s.deepest)
			continue
		}
		for a < b {
			for s.before.runs[at].b <= a {
				at++
			}
			p := s.before.runs[at]
			end := min(b, p.b)
			if p.id == q.id {
				deepen(into[a:end], last[a:end], s.deepest)
			} else {
				fillBytes(into[a:end], 1)
			}
			a = end
		}
	}
}

// counts tells whether distances in a run of the label are wanted.
func (s *sounding) counts(id uint32) bool { return id != outside && (id != 0 || s.ground) }

// deepen adds one to distances, up to the deepest, eight at a time; all are below 128.
func deepen(into, last []uint8, deepest uint8) {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(last); i += 8 {
		d := binary.LittleEndian.Uint64(last[i:])
		full := (d | tops) - ones*uint64(deepest) // the top bit stays where a distance is the deepest
		binary.LittleEndian.PutUint64(into[i:], d+^full&tops>>7)
	}
	for ; i < len(last); i++ {
		into[i] = min(last[i]+1, deepest)
	}
}

// fathom is the distances of a run of one row, ready to be asked for in the order of the indices.
type fathom struct {
	run          run
	above, below []uint8 // of the whole row
	reach        int32
	near         int   // indices around the present one from which a border above or below is near
	seen         int32 // the index up to which these are counted
}

// fathom is the distances of run q of device row y.
func (s *sounding) fathom(y int, q run) fathom {
	n := len(s.axes.x.source)
	i := n * (y - s.first)
	t := fathom{run: q, above: s.above[i : i+n], below: s.below[i : i+n], reach: int32(s.deepest) - 1}
	return t
}

// square is the squared distance from index i to the nearest pixel of another label; math.MaxInt32 is beyond reach. It is asked for
// rising i, from the given first one on.
func (t *fathom) square(i, first int32) int32 {
	a, b := t.run.a, t.run.b
	from, to := max(i-t.reach, a), min(i+t.reach+1, b)
	if i == first {
		t.near, t.seen = 0, from
	} else if i-t.reach > a {
		t.near -= count01(t.vertical(i-t.reach-1) <= t.reach)
	}
	for ; t.seen < to; t.seen++ {
		t.near += count01(t.vertical(t.seen) <= t.reach)
	}
	best := int32(math.MaxInt32)
	if side := min(i-a+1, b-i); side <= t.reach {
		best = side * side
	}
	if t.near == 0 {
		return best
	}
	if d := t.vertical(i); d <= t.reach {
		best = min(best, d*d)
	}
	for k := int32(1); k <= t.reach && k*k < best; k++ {
		if i-k >= from {
			d := t.vertical(i - k)
			best = min(best, d*d+k*k)
		}
		if i+k < to {
			d := t.vertical(i + k)
			best = min(best, d*d+k*k)
		}
	}
	return best
}

func (t *fathom) vertical(i int32) int32 { return int32(min(t.above[i], t.below[i])) }

// along tells whether the border near index i runs along the row rather than across it, as sight.along does.
func (t *fathom) along(i int32, density int) bool {
	n := int32(density)
	score := func(d int32) int { return count01(d <= n) + count01(d <= directionReach*n) }
	away := score(int32(t.above[i])) + score(int32(t.below[i]))
	return away >= score(i-t.run.a+1)+score(t.run.b-i)
}
