package render

// neighbours collects the pairs of objects that touch, also by a corner, or have at most gap background pixels between
// them along a row or a column. Pairs are of dense indices.
type neighbours struct {
	pairs []uint64 // in order of discovery, smaller index in the high half
	slots []uint64 // open addressing over pairs, 0 empty
	last  uint64
}

// gap is how many background pixels may lie between neighbours.
const gap = 2

// maxPairs stops the collection on planes that are no label images, such as noise; there colours may then repeat.
const maxPairs = 1 << 21

func newNeighbours() *neighbours { return &neighbours{slots: make([]uint64, 1<<12)} }

// row adds the pairs of row y, whose objects lie in runs, with itself and with the rows above.
func (n *neighbours) row(index []uint32, runs []run, y, w int) {
	n.along(runs)
	if y == 0 {
		return
	}
	up := index[(y-1)*w : y*w]
	up2, up3 := up, up
	if y > 1 {
		up2 = index[(y-2)*w : (y-1)*w]
		up3 = up2
	}
	if y > 2 {
		up3 = index[(y-3)*w : (y-2)*w]
	}
	for _, q := range runs {
		n.across(q, up, up2, up3)
	}
}

// along adds the pairs within a row.
func (n *neighbours) along(runs []run) {
	for i := 1; i < len(runs); i++ {
		if left := runs[i-1]; runs[i].a-left.b <= gap {
			n.add(left.id, runs[i].id)
		}
	}
}

// across adds the pairs of a run with the row above, its diagonals, and those further up where background lies between.
func (n *neighbours) across(q run, up, up2, up3 []uint32) {
	up2, up3 = up2[:len(up)], up3[:len(up)]
	for k, above := range up[q.a:q.b] {
		if above == q.id {
			continue
		}
		x := int(q.a) + k
		if above == 0 {
			above = up2[x]
			if above == 0 {
				above = up3[x]
			}
		}
		n.add(q.id, above)
		if x > 0 {
			n.add(q.id, up[x-1])
		}
		if x+1 < len(up) {
			n.add(q.id, up[x+1])
		}
	}
}

func (n *neighbours) add(a, b uint32) {
	if a == b || a == 0 || b == 0 {
		return
	}
	pair := uint64(min(a, b))<<32 | uint64(max(a, b))
	if pair == n.last || len(n.pairs) >= maxPairs {
		return
	}
	n.last = pair
	at := n.slot(pair)
	if n.slots[at] == pair {
		return
	}
	n.slots[at] = pair
	n.pairs = append(n.pairs, pair)
	if 2*len(n.pairs) > len(n.slots) {
		n.slots = make([]uint64, 4*len(n.slots))
		for _, p := range n.pairs {
			n.slots[n.slot(p)] = p
		}
	}
}

// slot is where a pair is or would go.
func (n *neighbours) slot(pair uint64) int {
	mask := len(n.slots) - 1
	at := int(mix(pair)) & mask
	for n.slots[at] != 0 && n.slots[at] != pair {
		at = (at + 1) & mask
	}
	return at
}

// mix scatters the bits of x (the finaliser of SplitMix64: Steele, Lea, Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// lists gives for n objects where each one's neighbours start in list.
func (n *neighbours) lists(objects int) (start []uint32, list []uint32) {
	start = make([]uint32, objects+1)
	for _, p := range n.pairs {
		start[p>>32]++
		start[uint32(p)]++
	}
	sum := uint32(0)
	for i, c := range start {
		start[i] = sum
		sum += c
	}
	list = make([]uint32, sum)
	fill := append([]uint32(nil), start...)
	for _, p := range n.pairs {
		a, b := uint32(p>>32), uint32(p)
		list[fill[a]], list[fill[b]] = b, a
		fill[a]++
		fill[b]++
	}
	return start, list
}
