package demo

// agent is an imagined agent: a name, a word on how it works, and how its answers differ from the truth.
type agent struct {
	name, about string
	flat        habits // on the slides
	deep        habits // on the stack
}

// habits are the mistakes of an agent. Shares are of the truth's instances; lengths are in pixels.
type habits struct {
	wobble float64    // how far contours stray
	reach  float64    // the size of these errors along the contour
	shift  [3]float64 // all contours, along Z Y X
	grow   int        // rounds of growing into the background; negative: shrinking
	missed float64    // share of instances not found
	cut    float64    // share of instances cut in two or three
	joined float64    // share of instances joined with a touching neighbour
	extra  float64    // false objects, as a share of the instances
}

// agents lists them best first.
func agents() []agent {
	return []agent{
		{
			name:  "careful",
			about: "Good outlines, a few objects missed.",
			flat:  habits{wobble: 2.5, reach: 8, missed: 0.025, joined: 0.02, extra: 0.01},
			deep:  habits{wobble: 4.2, reach: 14, missed: 0.04, joined: 0.02, extra: 0.01},
		},
		{
			name:  "splitter",
			about: "Finds nearly all foreground but cuts many objects in two or three and joins some neighbours.",
			flat:  habits{wobble: 2.5, reach: 8, missed: 0.045, cut: 0.52, joined: 0.10, extra: 0.02},
			deep:  habits{wobble: 4.2, reach: 14, missed: 0.055, cut: 0.56, joined: 0.12, extra: 0.01},
		},
		{
			name:  "careless",
			about: "Misses objects, invents others, outlines too wide and out of place; on the slides, one image has the wrong size and one is missing.",
			flat:  habits{wobble: 3.4, reach: 9, shift: [3]float64{0, 2.2, -1.8}, grow: 1, missed: 0.15, cut: 0.34, joined: 0.30, extra: 0.20},
			deep:  habits{wobble: 5.0, reach: 15, shift: [3]float64{0.6, 2, -3}, grow: 1, missed: 0.46, cut: 0.16, joined: 0.30, extra: 0.30},
		},
	}
}

// answer is what an agent with these habits makes of a truth: whole objects first, then their outlines.
func (h habits) answer(truth labels, seed uint64) labels {
	r := newRNG(seed, 1)
	a := truth.clone()
	objects := a.objects()
	a.join(r, objects, h.joined)
	a.drop(r, h.missed)
	a.cut(r, h.cut)
	a.invent(r, objects, h.extra)
	a = a.stray(hash(seed, 2), h)
	a.grow(h.grow)
	a.tidyParts(12)
	a.renumber()
	return a
}

// share is how many of n objects a share means: rounded, and at least one of a share above zero.
func share(n int, part float64) int {
	if part == 0 || n == 0 {
		return 0
	}
	return max(1, int(float64(float64(n)*part)+0.5))
}

// drop removes a share of the instances.
func (l labels) drop(r *rng, part float64) {
	n := l.count()
	gone := make([]bool, n+1)
	for _, k := range r.pick(n, share(n, part)) {
		gone[k+1] = true
	}
	for i, v := range l.ID {
		if gone[v] {
			l.ID[i] = 0
		}
	}
}

// pick chooses k of 0..n-1 without repetition.
func (r *rng) pick(n, k int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	for i := range min(k, n) {
		j := i + r.below(n-i)
		all[i], all[j] = all[j], all[i]
	}
	return all[:min(k, n)]
}

// join gives a share of the instances the label of a neighbour at most two pixels away. Each takes part once.
func (l labels) join(r *rng, objects []object, part float64) {
	n, done := len(objects)-1, 0
	into := make([]uint16, n+1)
	for k := range into {
		into[k] = uint16(k)
	}
	taken := make([]bool, n+1)
	for _, k := range r.pick(n, n) {
		if done == share(n, part) {
			break
		}
		v := uint16(k + 1)
		if next := l.beside(v, objects[v]); next != 0 && !taken[v] && !taken[next] {
			taken[v], taken[next] = true, true
			into[v] = next
			done++
		}
	}
	for i, v := range l.ID {
		l.ID[i] = into[v]
	}
}

// beside is the neighbour that an instance shares most of its rim with, looking two pixels ahead in Y and X; 0: none.
func (l labels) beside(v uint16, o object) uint16 {
	rim := map[uint16]int{}
	o.each(l, v, func(z, y, x int) {
		for _, s := range [4][2]int{{2, 0}, {-2, 0}, {0, 2}, {0, -2}} {
			if w := l.at(z, y+s[0], x+s[1]); w != 0 && w != v {
				rim[w]++
			}
		}
	})
	best := uint16(0)
	for w, n := range rim {
		if m := rim[best]; n > m || n == m && w < best {
			best = w
		}
	}
	return best
}

// cut parts a share of the instances in two, every fourth of them in three, along uneven planes near the middle.
func (l *labels) cut(r *rng, part float64) {
	l.renumber()
	objects := l.objects()
	fresh := uint16(len(objects) - 1)
	n := len(objects) - 1
	for turn, k := range r.pick(n, share(n, part)) {
		v := uint16(k + 1)
		o := objects[v]
		nz, ny, nx := r.direction3()
		if l.Flat {
			nz = 0
			ny, nx = r.direction()
		}
		seed, off := r.next(), r.between(-0.12, 0.12)
		pieces := 2
		if turn%4 == 3 {
			pieces = 3
		}
		width := float64(o.radius(l.Flat) * 0.75)
		fresh += uint16(pieces - 1)
		o.each(*l, v, func(z, y, x int) {
			side := float64((float64(z)-o.z)*nz) + float64((float64(y)-o.y)*ny) + float64((float64(x)-o.x)*nx)
			side = side/width - off + float64(0.25*noise3(seed, float64(z), float64(y), float64(x), 6))
			switch {
			case pieces == 2 && side > 0, pieces == 3 && side > 0.45:
				l.ID[l.index(z, y, x)] = fresh
			case pieces == 3 && side < -0.45:
				l.ID[l.index(z, y, x)] = fresh - 1
			}
		})
	}
}
