package render

// ring holds the label rows around the device row being drawn. Labels are handled as runs, stretches of one label, and
// their borders as bits, many pixels at a time: a row costs as much as it has objects.
type ring struct {
	row   int // device row in the middle of the window
	from  reader
	reach int
	next  int
	rows  [2*pad + 2]labelRow
	win   [2*pad + 1]*labelRow // device rows row-reach .. row+reach; neighbours of one image row share
	above [pad + 1]beside      // by distance from the middle row
	below [pad + 1]beside
	sight sight
	still bitRow // no bit set: from a row to its equal nothing changes
}

// beside is a row off the middle.
type beside struct {
	edges bitRow // of the row
	steps bitRow // between the row and the next one towards the middle
}

// labelRow is one row of a label plane as the picture shows it.
type labelRow struct {
	source int    // image row, -1 if there is no plane
	runs   []run  // without gaps from index 0 to the end; neighbours differ
	edges  bitRow // set where the label is not that of the index before
	steps  bitRow // set where the label is not that of the row above
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
	only   uint32            // not 0: 1 where the label is this one, else 0
	on     *[styleCount]bool // not nil: objects of other styles are background
}

// advance makes the window surround device row y.
func (r *ring) advance(f *frame, from reader, y, reach int) {
	n := 2*reach + 1
	r.from = from
	if r.row == y-1 && r.reach == reach {
		copy(r.win[:n-1], r.win[1:n])
		r.win[n-1] = r.load(f, y+reach, r.win[n-2])
	} else {
		r.reach = reach
		r.still = r.still.sized(int32(f.w + 2*pad))
		var before *labelRow
		for i := range n {
			before = r.load(f, y-reach+i, before)
			r.win[i] = before
		}
	}
	r.row = y
	for k := 1; k <= reach; k++ {
		up, down := r.win[reach-k], r.win[reach+k]
		r.above[k] = beside{up.edges, r.change(up, r.win[reach-k+1])}
		r.below[k] = beside{down.edges, r.change(r.win[reach+k-1], down)}
	}
}

// change tells where the labels change from a row to the one below.
func (r *ring) change(upper, lower *labelRow) bitRow {
	if upper == lower {
		return r.still
	}
	return lower.steps
}

// middle is the row being drawn.
func (r *ring) middle() *labelRow { return r.win[r.reach] }

// load gives the label row of device row y; before is the one of the device row above, reused if it shows the same.
func (r *ring) load(f *frame, y int, before *labelRow) *labelRow {
	source := f.y.at(y)
	if source < 0 || source >= min(r.from.labels.H, f.y.size) {
		source = -1
	}
	if source >= 0 {
		source = r.from.labels.block(source)
	}
	if before != nil && before.source == source {
		return before
	}
	row := &r.rows[r.next]
	r.next = (r.next + 1) % len(r.rows)
	row.source = source
	row.runs = row.runs[:0]
	if source >= 0 {
		row.read(&f.x, r.from)
	}
	n := int32(f.w + 2*pad)
	row.extend(n, outside)
	row.mark(n, before)
	return row
}

// mark sets the bits of edges and steps.
func (row *labelRow) mark(n int32, before *labelRow) {
	row.edges, row.steps = row.edges.sized(n), row.steps.sized(n)
	for _, q := range row.runs[1:] {
		row.edges[q.a>>3] |= 1 << (q.a & 7)
	}
	if before == nil {
		return
	}
	upper := before.runs
	p, at := upper[0], 0
	for _, q := range row.runs {
		a := q.a
		for p.b < q.b {
			if p.id != q.id {
				row.steps.set(a, p.b)
			}
			a = p.b
			at++
			p = upper[at]
		}
		if p.id != q.id {
			row.steps.set(a, q.b)
		}
		if p.b == q.b && at+1 < len(upper) {
			at++
			p = upper[at]
		}
	}
}

// read turns the runs of the image row into runs of device pixels.
func (row *labelRow) read(x *axis, from reader) {
	row.extend(x.index(0), outside)
	first, last := x.source[0], x.source[len(x.source)-1]
	for _, q := range from.labels.rowRuns(row.source, first) {
		if q.a > last {
			break
		}
		if from.on != nil && !from.on[from.labels.styles[q.id]] {
			continue
		}
		if from.only != 0 {
			if q.id != from.only {
				continue
			}
			q.id = 1
		}
		if q.a, q.b = x.index(q.a), x.index(q.b); q.a < q.b {
			row.extend(q.a, 0)
			row.extend(q.b, q.id)
		}
	}
	row.extend(x.index(int32(from.labels.W)), 0)
}

// extend goes on with one label up to index b.
func (row *labelRow) extend(b int32, id uint32) {
	a := int32(0)
	if n := len(row.runs); n > 0 {
		last := &row.runs[n-1]
		if a = last.b; a < b && last.id == id {
			last.b = b
			return
		}
	}
	if a < b {
		row.runs = append(row.runs, run{a, b, id})
	}
}

// differs is 1 where image pixel (y, x) is not of the label, else 0.
func (from reader) differs(y, x int, id uint32) int {
	l := from.labels
	if y < 0 || x < 0 || y >= l.H || x >= l.W {
		return 1
	}
	v := l.sample(y, x)
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
