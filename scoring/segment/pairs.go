package segment

// pairTable counts pixels per pair of entries: a hash table with open addressing, since a dense table of all pairs
// would be far larger than the pairs that touch.
type pairTable struct {
	slots []pairSlot
	used  int
}

// pairSlot holds the pair as one number plus 1, so that 0 is free.
type pairSlot struct {
	key    uint64
	pixels int
}

func (t *pairTable) add(a, b int32, n int) {
	if t.used*2 >= len(t.slots) {
		t.grow()
	}
	key := (uint64(uint32(a))<<32 | uint64(uint32(b))) + 1
	s := t.slot(key)
	if s.key == 0 {
		s.key = key
		t.used++
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

// each calls f for every pair, in no particular order.
func (t *pairTable) each(f func(a, b int32, n int)) {
	for _, s := range t.slots {
		if s.key != 0 {
			f(int32((s.key-1)>>32), int32(uint32(s.key-1)), s.pixels)
		}
	}
}
