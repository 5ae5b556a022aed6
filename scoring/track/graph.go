package track

import (
	"coverslip/datasets/tabular"
)

// track is a row of a lineage. Ids beyond 64 bits stand as 0, which no label and no cell has.
type track struct {
	id, parent int64
	start, end float64 // frames, whole numbers
	child      link    // from the parent's last frame to this track's first, if both cells are there
	parents    bool    // there is such a link
	used       bool    // it is one of the truth's
}

// link is a step of a lineage from a cell to a later one, by frame and place in the frame.
type link struct {
	from, to spot
}

// spot is a cell: its frame and its place in it.
type spot struct{ frame, place int }

// graph is one side: the cells of all frames, and the links of its lineage between them.
type graph struct {
	frames [][]node
	tracks []track
	byID   map[int64]int // place in tracks
	edges  int
}

// newGraph lays a lineage over the cells (3.6). Labels without a row have no links, rows without cells neither.
func newGraph(frames [][]node, rows []tabular.Track) *graph {
	g := &graph{frames: frames, byID: make(map[int64]int, len(rows))}
	for _, r := range rows {
		t := track{id: whole(r.ID), parent: whole(r.Parent), start: r.Start, end: r.End}
		if t.id != 0 {
			g.byID[t.id] = len(g.tracks)
		}
		g.tracks = append(g.tracks, t)
	}
	for i := range g.tracks {
		t := &g.tracks[i]
		g.follow(t)
		if t.child, t.parents = g.parentLink(*t); t.parents {
			g.edges++
		}
	}
	return g
}

// whole converts a whole number; what does not fit into 64 bits gives 0.
func whole(v float64) int64 {
	if !(v >= -(1<<63) && v < 1<<63) {
		return 0
	}
	return int64(v)
}

// span is the part of a track's frames that the movie has; empty when first > last.
func (g *graph) span(t track) (first, last int) {
	n := float64(len(g.frames))
	return int(min(max(t.start, 0), n)), int(max(min(t.end, n-1), -1))
}

// at finds a label in a frame, which may lie outside the movie.
func (g *graph) at(frame float64, label int64) (spot, bool) {
	if label == 0 || frame < 0 || frame >= float64(len(g.frames)) {
		return spot{}, false
	}
	f := int(frame)
	k := find(g.frames[f], label)
	return spot{f, k}, k >= 0
}

func (g *graph) node(s spot) *node { return &g.frames[s.frame][s.place] }

// follow links the cells of a track from frame to frame. A hole breaks the chain.
func (g *graph) follow(t *track) {
	if t.id == 0 {
		return
	}
	first, last := g.span(*t)
	previous := -1
	for f := first; f <= last; f++ {
		k := find(g.frames[f], t.id)
		if k >= 0 && previous >= 0 {
			g.frames[f-1][previous].next = int32(k)
			g.edges++
		}
		previous = k
	}
}

// parentLink is the link from the last cell of a track's parent to its own first cell. The parent must be a row that ends
// before; a gap is allowed.
func (g *graph) parentLink(t track) (link, bool) {
	k, known := g.byID[t.parent]
	if t.parent == 0 || !known || !(g.tracks[k].end < t.start) {
		return link{}, false
	}
	from, ok1 := g.at(g.tracks[k].end, t.parent)
	to, ok2 := g.at(t.start, t.id)
	return link{from, to}, ok1 && ok2
}

// between tells whether a link leads from one cell to another, and whether it is one to a parent's child.
func (g *graph) between(from, to spot) (there, parent bool) {
	a, b := g.node(from), g.node(to)
	if to.frame == from.frame+1 && int(a.next) == to.place {
		return true, false
	}
	if k, known := g.byID[b.label]; known && g.tracks[k].parents && g.tracks[k].child == (link{from, to}) {
		return true, true
	}
	return false, false
}

// use remembers that a link is one of the truth's.
func (g *graph) use(from, to spot, parent bool) {
	if parent {
		g.tracks[g.byID[g.node(to).label]].used = true
	} else {
		g.node(from).used = true
	}
}

// each calls f for every link: those along tracks, frame by frame, then those to children, row by row.
func (g *graph) each(f func(l link, parent, used bool)) {
	for frame := 0; frame+1 < len(g.frames); frame++ {
		for k := range g.frames[frame] {
			if n := &g.frames[frame][k]; n.next >= 0 {
				f(link{spot{frame, k}, spot{frame + 1, int(n.next)}}, false, n.used)
			}
		}
	}
	for _, t := range g.tracks {
		if t.parents {
			f(t.child, true, t.used)
		}
	}
}

// division is a mother cell in its last frame and its two daughters in their first.
type division struct {
	mother    spot
	daughters [2]spot
}

// divisions lists the mothers that exactly two rows name as their parent, with all three cells there (3.7).
func (g *graph) divisions() []division {
	children := make(map[int64][]int, len(g.tracks))
	for i, t := range g.tracks {
		if _, known := g.byID[t.parent]; known && t.parent != 0 {
			children[t.parent] = append(children[t.parent], i)
		}
	}
	var list []division
	for _, t := range g.tracks {
		pair := children[t.id]
		if t.id == 0 || len(pair) != 2 {
			continue
		}
		mother, ok := g.at(t.end, t.id)
		a, okA := g.at(g.tracks[pair[0]].start, g.tracks[pair[0]].id)
		b, okB := g.at(g.tracks[pair[1]].start, g.tracks[pair[1]].id)
		if ok && okA && okB {
			list = append(list, division{mother, [2]spot{a, b}})
		}
	}
	return list
}

// complete counts the truth's tracks that have a cell, and those of them that one answer track of the same frames follows
// throughout.
func complete(truth, pred *graph) (tracks []int, whole []bool) {
	for i, t := range truth.tracks {
		if t.id == 0 {
			continue
		}
		first, last := truth.span(t)
		seen, ok, label := false, true, int64(0)
		for f, next := first, int32(-1); f <= last; f++ {
			k := int(next)
			if next = -1; k < 0 {
				k = find(truth.frames[f], t.id)
			}
			if k < 0 {
				continue
			}
			partner := truth.frames[f][k].partner
			next = truth.frames[f][k].next
			if partner < 0 {
				seen, ok = true, false
				continue
			}
			l := pred.frames[f][partner].label
			ok = ok && (!seen || l == label)
			seen, label = true, l
		}
		if !seen {
			continue
		}
		if k, known := pred.byID[label]; ok {
			ok = known && pred.tracks[k].start == t.start && pred.tracks[k].end == t.end
		}
		tracks, whole = append(tracks, i), append(whole, ok)
	}
	return tracks, whole
}
