package segment

import (
	"cmp"
	"slices"

	"coverslip/scoring/report"
)

// entry collects the pixels of one id. A negative id may have two: one of foreground values (a wrapped uint64, an
// infinity) and one of background values.
type entry struct {
	id         int64
	foreground bool
	pixels     int
	outside    int
	// Sums of coordinates; x is doubled so that it stays whole.
	sumZ, sumY, sumX2 int64
	box               report.Box
}

type entryKey struct {
	id         int64
	foreground bool
}

// tally numbers the ids of one label image as they come: entry 0 is background, entry 1 foreground without an id.
type tally struct {
	entries []entry
	direct  []int32 // entry of ids 1 .. len-1, 0 if not seen
	rest    map[entryKey]int32
	flags   class
}

const directIDs = 1 << 16

func newTally() tally {
	return tally{entries: []entry{{}, {foreground: true}}, rest: map[entryKey]int32{}}
}

// number gives the entry of an id, a new one if needed.
func (t *tally) number(id int64, fg bool) int32 {
	if id == 0 {
		if fg {
			return 1
		}
		return 0
	}
	if id > 0 && id < directIDs {
		if id >= int64(len(t.direct)) {
			t.direct = append(t.direct, make([]int32, max(256, min(directIDs, int(id)*2)-len(t.direct)))...)
		}
		if t.direct[id] == 0 {
			t.direct[id] = t.create(id, fg)
		}
		return t.direct[id]
	}
	key := entryKey{id, fg}
	n, ok := t.rest[key]
	if !ok {
		n = t.create(id, fg)
		t.rest[key] = n
	}
	return n
}

func (t *tally) create(id int64, fg bool) int32 {
	t.entries = append(t.entries, entry{id: id, foreground: fg})
	return int32(len(t.entries) - 1)
}

// addRow adds the runs of row y of plane z and appends their entries to numbers.
func (t *tally) addRow(r *runs, z, y int, numbers []int32) []int32 {
	start := 0
	for i, end := range r.ends {
		t.flags |= r.classes[i]
		n := t.number(r.ids[i], r.classes[i]&foreground != 0)
		if n != 0 {
			t.entries[n].add(z, y, start, end)
		}
		numbers = append(numbers, n)
		start = end
	}
	return numbers
}

func (e *entry) add(z, y, start, end int) {
	n := end - start
	e.extend(report.Box{Z0: z, Y0: y, X0: start, Z1: z + 1, Y1: y + 1, X1: end})
	e.pixels += n
	e.sumZ += int64(z) * int64(n)
	e.sumY += int64(y) * int64(n)
	e.sumX2 += int64(start+end-1) * int64(n)
}

func (e *entry) extend(box report.Box) {
	if e.pixels == 0 {
		e.box = box
	} else {
		e.box = unite(e.box, box)
	}
}

func (e *entry) merge(o *entry) {
	if o.pixels == 0 {
		return
	}
	e.extend(o.box)
	e.pixels += o.pixels
	e.outside += o.outside
	e.sumZ += o.sumZ
	e.sumY += o.sumY
	e.sumX2 += o.sumX2
}

// merge adds another tally and returns this tally's number of each of its entries.
func (t *tally) merge(o *tally) []int32 {
	t.flags |= o.flags
	numbers := make([]int32, len(o.entries))
	for i := range o.entries {
		e := &o.entries[i]
		numbers[i] = t.number(e.id, e.foreground)
		t.entries[numbers[i]].merge(e)
	}
	return numbers
}

// side lists the objects by id, and for each entry the index of its object (-1: none).
func (t *tally) side() (Side, []int) {
	s := Side{Loose: t.entries[1].object(), Truncated: t.flags&truncated != 0, Wild: t.flags&wild != 0}
	order := make([]int, 0, len(t.entries))
	for i, e := range t.entries {
		if e.foreground {
			s.Foreground += e.pixels
		}
		if i >= 2 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(t.entries[a].id, t.entries[b].id) })
	index := make([]int, len(t.entries))
	index[0], index[1] = -1, -1
	for k, i := range order {
		e := t.entries[i]
		if k > 0 && t.entries[order[k-1]].id == e.id { // the other half of a negative id
			e.merge(&t.entries[order[k-1]])
			s.Objects = s.Objects[:len(s.Objects)-1]
		}
		s.Objects = append(s.Objects, e.object())
		index[i] = len(s.Objects) - 1
	}
	return s, index
}

func (e *entry) object() Object {
	o := Object{ID: e.id, Pixels: e.pixels, Outside: e.outside, Box: e.box}
	if e.id > 0 {
		o.Area = e.pixels
	}
	if n := float64(e.pixels); n > 0 {
		o.Z, o.Y, o.X = float64(e.sumZ)/n, float64(e.sumY)/n, float64(e.sumX2)/(2*n)
	}
	return o
}

// unite is the smallest box around both. A box without extent counts as none.
func unite(a, b report.Box) report.Box {
	switch {
	case a.X1 <= a.X0:
		return b
	case b.X1 <= b.X0:
		return a
	}
	return report.Box{
		Z0: min(a.Z0, b.Z0), Y0: min(a.Y0, b.Y0), X0: min(a.X0, b.X0),
		Z1: max(a.Z1, b.Z1), Y1: max(a.Y1, b.Y1), X1: max(a.X1, b.X1),
	}
}
