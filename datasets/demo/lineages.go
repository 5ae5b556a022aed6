package demo

// trackHabits are the mistakes of an agent that follows cells. Shares are of the divisions or of the cells of a frame.
type trackHabits struct {
	wobble  float64 // how far contours stray, pixels
	late    int     // divisions are seen up to so many frames late, less one
	orphans float64 // share of divisions whose daughters lose their mother
	unseen  float64 // share of divisions where one daughter goes on as the mother
	missed  float64 // share of cells not found in a frame
	joined  int     // pairs of neighbours that are one cell for some frames
	swaps   int     // pairs of neighbours that exchange their identities
}

// naming says under which number an answer has each cell of the truth in each frame; 0: not at all.
type naming struct {
	of     [][]uint16 // frame, cell
	parent map[uint16]uint16
}

// answer is what an agent with these habits makes of the movie.
func (c *colony) answer(h trackHabits, seed uint64) tracked {
	r := newRNG(colonySeed, 7, seed)
	n := c.faithful()
	c.divide(r, n, h)
	for range h.swaps {
		c.mixUp(r, n)
	}
	for range h.joined {
		c.merge(r, n)
	}
	var out tracked
	out.masks = newLabels(colonyT, colonyH, colonyW)
	out.masks.Flat = false
	for t := range colonyT {
		for id := range n.of[t] {
			if r.chance(h.missed) {
				n.of[t][id] = 0
			}
		}
		c.redraw(t, n.of[t], h, hash(colonySeed, seed, uint64(t)), out.masks)
	}
	out.tracks = n.tracks(out.masks)
	return out
}

// faithful calls each cell by its true number.
func (c *colony) faithful() *naming {
	n := &naming{parent: map[uint16]uint16{}}
	for t := range colonyT {
		row := make([]uint16, len(c.tracks)+1)
		for _, b := range c.frames[t] {
			row[b.id] = uint16(b.id)
		}
		n.of = append(n.of, row)
	}
	return n
}

// divide makes the mistakes at divisions. Daughters follow each other in the list of tracks.
func (c *colony) divide(r *rng, n *naming, h trackHabits) {
	for k := 0; k+1 < len(c.tracks); k++ {
		a, b := c.tracks[k], c.tracks[k+1]
		if a.parent == 0 || a.parent != b.parent {
			continue
		}
		k++
		mother := n.of[a.start-1][a.parent]
		if r.chance(h.unseen) {
			for t := a.start; t <= a.end; t++ {
				n.of[t][a.id] = mother
			}
			continue
		}
		until := a.start + max(0, r.below(h.late+1)-1)
		for t := a.start; t < until; t++ {
			if t <= a.end {
				n.of[t][a.id] = mother
			}
			if t <= b.end {
				n.of[t][b.id] = mother
			}
		}
		if !r.chance(h.orphans) {
			n.parent[uint16(a.id)], n.parent[uint16(b.id)] = mother, mother
		}
	}
}

// sideBySide picks a frame of the second half and two cells side by side in it that both live for some frames more.
func (c *colony) sideBySide(r *rng) (t, a, b int, ok bool) {
	t = colonyT/2 + r.below(colonyT/2-6)
	all := c.frames[t]
	one := &all[r.below(len(all))]
	for i := range all {
		two := &all[i]
		if two.id != one.id && length(one.y-two.y, one.x-two.x) < 3.2*rodRadius && c.tracks[one.id-1].end > t+4 && c.tracks[two.id-1].end > t+4 {
			return t, one.id, two.id, true
		}
	}
	return 0, 0, 0, false
}

// mixUp exchanges the numbers of two neighbours from some frame on.
func (c *colony) mixUp(r *rng, n *naming) {
	t, a, b, ok := c.sideBySide(r)
	if !ok {
		return
	}
	na, nb := n.of[t][a], n.of[t][b]
	for ; t < colonyT; t++ {
		for id, v := range n.of[t] {
			if v == na {
				n.of[t][id] = nb
			} else if v == nb {
				n.of[t][id] = na
			}
		}
	}
}

// merge makes one object of two neighbours for some frames.
func (c *colony) merge(r *rng, n *naming) {
	from, a, b, ok := c.sideBySide(r)
	if !ok {
		return
	}
	for t := from; t < from+4+r.below(8) && t < colonyT; t++ {
		if n.of[t][a] != 0 && n.of[t][b] != 0 {
			n.of[t][b] = n.of[t][a]
		}
	}
}

// redraw puts the cells of a frame into an answer under their new numbers, with unsteady outlines.
func (c *colony) redraw(t int, names []uint16, h trackHabits, seed uint64, into labels) {
	frame := newLabels(1, colonyH, colonyW)
	at := t * colonyH * colonyW
	for i, v := range c.masks.ID[at : at+colonyH*colonyW] {
		frame.ID[i] = names[v]
	}
	frame = frame.stray(seed, habits{wobble: h.wobble, reach: 6})
	copy(into.ID[at:], frame.ID)
}

// tracks lists what is to be seen in a label movie: first and last frame of each number, and its mother where she ends
// before it starts.
func (n *naming) tracks(masks labels) []track {
	all := make([]track, masks.count()+1)
	for i, v := range masks.ID {
		t, _, _ := masks.place(i)
		if all[v].id == 0 {
			all[v] = track{id: int(v), start: t}
		}
		all[v].end = t
	}
	var out []track
	for _, row := range all[1:] {
		if row.id == 0 {
			continue
		}
		if m := n.parent[uint16(row.id)]; m != 0 && all[m].id != 0 && all[m].end < row.start {
			row.parent = int(m)
		}
		out = append(out, row)
	}
	return out
}
