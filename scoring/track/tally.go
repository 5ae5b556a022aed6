package track

import (
	"cmp"
	"math"
	"slices"
)

// tally numbers the labels of one frame as they come and collects their pixels.
type tally struct {
	entries []entry
	direct  []int32 // number + 1 of labels below directLabels, 0 if not seen
	rest    map[int64]int32
	order   []int // of nodes
	places  []int
}

type entry struct {
	label          int64
	pixels         int
	sumY, sumX2    int64 // of the coordinates; x is doubled so that it stays whole
	y0, x0, y1, x1 int
}

const directLabels = 1 << 16

func (t *tally) reset() {
	for _, e := range t.entries {
		if e.label > 0 && e.label < int64(len(t.direct)) {
			t.direct[e.label] = 0
		}
	}
	t.entries = t.entries[:0]
	if t.rest == nil {
		t.rest = map[int64]int32{}
	}
	clear(t.rest)
}

// add counts the runs of row y and gives each the number of its label.
func (t *tally) add(r *runs, y int) {
	for i, label := range r.labels {
		n := t.number(label)
		r.numbers = append(r.numbers, n)
		e, start, end := &t.entries[n], r.starts[i], r.ends[i]
		e.pixels += end - start
		e.sumY += int64(y) * int64(end-start)
		e.sumX2 += int64(start+end-1) * int64(end-start)
		e.y0, e.y1 = min(e.y0, y), y+1
		e.x0, e.x1 = min(e.x0, start), max(e.x1, end)
	}
}

func (t *tally) number(label int64) int32 {
	if label > 0 && label < directLabels {
		if label >= int64(len(t.direct)) {
			t.direct = append(t.direct, make([]int32, min(directLabels, int(2*label)+256)-len(t.direct))...)
		}
		if t.direct[label] == 0 {
			t.direct[label] = t.create(label) + 1
		}
		return t.direct[label] - 1
	}
	n, ok := t.rest[label]
	if !ok {
		n = t.create(label)
		t.rest[label] = n
	}
	return n
}

func (t *tally) create(label int64) int32 {
	t.entries = append(t.entries, entry{label: label, y0: math.MaxInt, x0: math.MaxInt})
	return int32(len(t.entries) - 1)
}

// nodes lists the cells by label, and for each number the place of its cell; the places last until the next call.
func (t *tally) nodes() (list []node, places []int) {
	order := t.order[:0]
	for i := range t.entries {
		order = append(order, i)
	}
	t.order = order
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(t.entries[a].label, t.entries[b].label) })
	list, places = make([]node, len(order)), append(t.places[:0], order...) // as many
	t.places = places
	for k, i := range order {
		e := &t.entries[i]
		n := float64(e.pixels)
		list[k] = node{label: e.label, area: int32(e.pixels), y: float32(float64(e.sumY) / n), x: float32(float64(e.sumX2) / (2 * n)),
			y0: int32(e.y0), x0: int32(e.x0), y1: int32(e.y1), x1: int32(e.x1), partner: -1, next: -1}
		places[i] = k
	}
	return list, places
}

// pairTable counts pixels per pair of numbers: a hash table with open addressing.
type pairTable struct {
	slots []pairSlot
	keys  []uint64 // in order of arrival
}

// pairSlot holds the pair as one number plus 1, so that 0 is free.
type pairSlot struct {
	key    uint64
	pixels int
}

func (t *pairTable) reset() {
	clear(t.slots)
	t.keys = t.keys[:0]
}

func (t *pairTable) add(a, b int32, n int) {
	if len(t.keys)*2 >= len(t.slots) {
		t.grow()
	}
	key := (uint64(uint32(a))<<32 | uint64(uint32(b))) + 1
	s := t.slot(key)
	if s.key == 0 {
		s.key = key
		t.keys = append(t.keys, key)
	}
	s.pixels += n
}

func (t *pairTable) slot(key uint64) *pairSlot {
	mask := uint64(len(t.slots) - 1)
	for i := (key * 0x9e3779b97f4a7c15) >> 32 & mask; ; i = (i + 1) & mask {
		if s := &t.slots[i]; s.key == key || s.key == 0 {
			return s
		}
	}
}

func (t *pairTable) grow() {
	old := t.slots
	t.slots = make([]pairSlot, max(1024, 2*len(old)))
	for _, s := range old {
		if s.key != 0 {
			*t.slot(s.key) = s
		}
	}
}

// each calls f for every pair, in order of arrival.
func (t *pairTable) each(f func(a, b int32, n int)) {
	for _, key := range t.keys {
		f(int32((key-1)>>32), int32(uint32(key-1)), t.slot(key).pixels)
	}
}
