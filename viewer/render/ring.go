package render

import "math"

// ring holds the label rows around the device row being drawn. Labels are handled as runs, stretches of one label, and
// not pixel by pixel: a row costs as much as it has objects.
type ring struct {
	row   int // device row in the middle of the window
	from  reader
	reach int
	next  int
	rows  [2*pad + 2]labelRow
	win   [2*pad + 1]*labelRow // device rows row-reach .. row+reach; neighbours of one image row share
	runs  [2*pad + 1][]run     // theirs
	same  [2*pad + 1]bool      // the next row towards the middle is the same
	at    [2*pad + 1]int       // how far along its runs a walk is in each row
	near  []uint8              // the last result of distances
}

// labelRow is one row of a label plane as the picture shows it.
type labelRow struct {
	source int   // image row, -1 if there is no plane
	runs   []run // without gaps from index 0 to the end; neighbours differ
}

// run is the indices a..b-1 of a label row, all of one label. Index i is device pixel i-pad, or an image column where
// the run belongs to a plane.
type run struct {
	a, b int32
	id   uint32 // dense index of the label; outside where there is no plane
}

const outside = ^uint32(0)

// reader makes device rows of a label plane.
type reader struct {
	labels *Labels
	only   uint32 // not 0: 1 where the label is this one, else 0
}

// advance makes the window surround device row y and starts a walk along it from the left.
func (r *ring) advance(f *frame, from reader, y, reach int) {
	n := 2*reach + 1
	r.from = from
	if r.row == y-1 && r.reach == reach {
		copy(r.win[:n-1], r.win[1:n])
		r.win[n-1] = r.load(f, from, y+reach, r.win[n-2])
	} else {
		r.reach = reach
		var before *labelRow
		for i := range n {
			before = r.load(f, from, y-reach+i, before)
			r.win[i] = before
		}
	}
	r.row = y
	for i := range n {
		r.runs[i], r.at[i] = r.win[i].runs, 0
		switch {
		case i < reach:
			r.same[i] = r.win[i] == r.win[i+1]
		case i > reach:
			r.same[i] = r.win[i] == r.win[i-1]
		}
	}
}

// load gives the label row of device row y; before is the one of the device row above, reused if it shows the same.
func (r *ring) load(f *frame, from reader, y int, before *labelRow) *labelRow {
	source := f.y.at(y)
	if source < 0 || source >= min(from.labels.H, f.y.size) {
		source = -1
	}
	if before != nil && before.source == source {
		return before
	}
	row := &r.rows[r.next]
	r.next = (r.next + 1) % len(r.rows)
	row.source = source
	row.runs = row.runs[:0]
	if source >= 0 {
		row.read(f, from)
	}
	row.extend(int32(f.w+2*pad), outside)
	return row
}

// read turns the runs of the image row into runs of device pixels.
func (row *labelRow) read(f *frame, from reader) {
	row.extend(f.x.index(0), outside)
	first, last := f.x.source[0], f.x.source[len(f.x.source)-1]
	for _, q := range from.labels.rowRuns(row.source, first) {
		if q.a > last {
			break
		}
		if from.only != 0 {
			if q.id != from.only {
				continue
			}
			q.id = 1
		}
		row.extend(f.x.index(q.a), 0)
		row.extend(f.x.index(q.b), q.id)
	}
	row.extend(f.x.index(int32(from.labels.W)), 0)
}

// extend goes on with one label up to index b.
func (row *labelRow) extend(b int32, id uint32) {
	n := len(row.runs)
	a := int32(0)
	if n > 0 {
		a = row.runs[n-1].b
	}
	if b <= a {
		return
	}
	if n > 0 && row.runs[n-1].id == id {
		row.runs[n-1].b = b
		return
	}
	row.runs = append(row.runs, run{a, b, id})
}

// find is the run at index i of row k of the window, not to the left of where the walk is.
func (r *ring) find(k int, i int32) run {
	runs, at := r.runs[k], r.at[k]
	for runs[at].b <= i {
		at++
	}
	return runs[at]
}

// far is the squared distance of pixels that lie beyond a line's reach.
const far = 63

var farBytes = makeFar()

func makeFar() (b [512]uint8) {
	fillBytes(b[:], far)
	return b
}

// distances gives, for the indices from..to-1 within run q of the middle row, the squared distance to the nearest pixel
// of another label as far as the reach goes, else far. The result is valid until the next call.
func (r *ring) distances(from, to int32, q run, reach *reach) []uint8 {
	r.near = grow(r.near, int(to-from))
	for n := 0; n < len(r.near); {
		n += copy(r.near[n:], farBytes[:])
	}
	r.left(from, to, q.a, 0, reach[0])
	r.right(from, to, q.b, 0, reach[0])
	a, b := q.a, q.b // the innermost ends so far: farther rows whose ends are not farther in cannot be nearer
	for k := 1; k <= pad && reach[k] >= 0; k++ {
		above := r.aside(from, to, q.id, r.reach-k, k, reach[k])
		below := r.aside(from, to, q.id, r.reach+k, k, reach[k])
		if first := min(max(above.a, below.a), to); first > a {
			lower(r.near[:max(first-from, 0)], k)
			r.left(from, to, first, k, reach[k])
			a = first
		}
		if last := max(min(above.b, below.b), from); last < b {
			lower(r.near[min(last, to)-from:], k)
			r.right(from, to, last, k, reach[k])
			b = last
		}
	}
	return r.near
}

// aside gives where a label begins and ends in row i of the window, k rows off the middle, as far as from..to-1 is
// concerned. Where there is more than one stretch of it, aside takes them into account itself and gives endless.
func (r *ring) aside(from, to int32, id uint32, i, k int, reach int32) run {
	if r.same[i] {
		return endless // the row nearer by says the same and more
	}
	runs := r.runs[i][r.at[i]:]
	skip := 0
	for runs[skip].b <= from {
		skip++
	}
	r.at[i] += skip
	runs = runs[skip:]
	u := runs[0]
	if u.b >= to {
		if u.id != id {
			u.a = to
		}
		return u
	}
	at := 0
	if u.id != id {
		at, u = 1, runs[1]
	}
	if u.id != id || u.b < to && runs[at+1].b < to {
		r.pieces(runs, from, to, id, k, reach)
		return endless
	}
	return u
}

// endless is a run whose ends are out of sight.
var endless = run{math.MinInt32, math.MaxInt32, 0}

// lower notes that another label lies k rows off.
func lower(near []uint8, k int) {
	square := uint8(k * k)
	for i, d := range near {
		if d > square {
			near[i] = square
		}
	}
}

// pieces takes into account a row k off the middle that is of several labels between from and to.
func (r *ring) pieces(runs []run, from, to int32, id uint32, k int, reach int32) {
	for _, u := range runs {
		if u.id == id {
			r.left(from, min(to, u.b), u.a, k, reach)
			r.right(from, to, u.b, k, min(reach, u.b-u.a))
		} else {
			lower(r.near[max(u.a, from)-from:min(u.b, to)-from], k)
		}
		if u.b >= to {
			return
		}
	}
}

// left takes into account that k rows off the label begins at index a.
func (r *ring) left(from, to, a int32, k int, reach int32) {
	square := int32(k * k)
	for x := max(a, from); x < min(a+reach, to); x++ {
		d := x - a + 1
		r.near[x-from] = min(r.near[x-from], uint8(square+d*d))
	}
}

// right takes into account that k rows off the label ends before index b.
func (r *ring) right(from, to, b int32, k int, reach int32) {
	square := int32(k * k)
	for x := max(b-reach, from); x < min(b, to); x++ {
		d := b - x
		r.near[x-from] = min(r.near[x-from], uint8(square+d*d))
	}
}

// lies tells how the border near device pixel (y, x) of run q runs: more along the row than across it. Patterns count
// pixels that way. Enlarged, it looks at image pixels, so that the steps of a slanting border do not count.
func (r *ring) lies(f *frame, y, x int, q run) (along bool) {
	beside, above := 0, 0
	if f.cam.Scale >= 2 {
		iy, ix := f.y.at(y), f.x.at(x)
		for k := 1; k <= 3; k++ {
			beside += r.from.differs(iy, ix-k, q.id) + r.from.differs(iy, ix+k, q.id)
			above += r.from.differs(iy-k, ix, q.id) + r.from.differs(iy+k, ix, q.id)
		}
		return above >= beside
	}
	i := int32(x + pad)
	for k := 1; k <= min(r.reach, 3); k += 2 {
		beside += count01(i-int32(k) < q.a) + count01(i+int32(k) >= q.b)
		above += count01(r.find(r.reach-k, i).id != q.id) + count01(r.find(r.reach+k, i).id != q.id)
	}
	return above >= beside
}

// differs is 1 where image pixel (y, x) is not of the label, else 0.
func (from reader) differs(y, x int, id uint32) int {
	l := from.labels
	if y < 0 || x < 0 || y >= l.H || x >= l.W {
		return 1
	}
	v := l.Index[y*l.W+x]
	if from.only != 0 {
		v = uint32(count01(v == from.only))
	}
	return count01(v != id)
}

func count01(b bool) int {
	if b {
		return 1
	}
	return 0
}
