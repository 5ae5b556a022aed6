package inflate

import "math/bits"

// Bits that the first look-up takes; longer codes go on in a second table behind the first.
const (
	litBits  = 11
	distBits = 9
)

// entry is what a code stands for: the bits of the code in the low four, then a kind or the number of extra bits, and the
// symbol from bit 16 on. 0 is no code.
type entry uint32

// further marks an entry that points to a second table: its symbol is the place, bits 8 to 11 the bits of the index.
const further entry = 1 << 7

// literal marks an entry of the first table that stands for a byte.
const literal entry = 1 << 6

func (e entry) symbol() uint32 { return uint32(e >> 16) }

// table finds entries by the next bits of the input.
type table struct {
	entries [1<<litBits + 1<<10]entry
}

// build makes the table for code lengths up to 15. It tells whether the lengths make a code: a complete one, or a single
// symbol of one bit, or none.
func (t *table) build(lengths []uint8, first uint) bool {
	codes, ok := assign(lengths)
	clear(t.entries[:1<<first])
	if !ok {
		return false
	}
	for s, n := range lengths { // for now an entry is the longest code that begins so
		if head := &t.entries[uint32(codes[s])&(1<<first-1)]; uint(n) > first {
			*head = max(*head, entry(n))
		}
	}
	free := uint32(1) << first
	for s, n := range lengths {
		c, e := uint32(codes[s]), entry(s)<<16|entry(n)
		if n == 0 {
			continue
		}
		if uint(n) <= first {
			if s < 256 {
				e |= literal
			}
			for i := c; i < 1<<first; i += 1 << n {
				t.entries[i] = e
			}
			continue
		}
		head := &t.entries[c&(1<<first-1)]
		if *head&further == 0 {
			width := uint32(*head) - uint32(first)
			if free+1<<width > uint32(len(t.entries)) {
				return false
			}
			*head = entry(free)<<16 | entry(width)<<8 | further | entry(first)
			clear(t.entries[free : free+1<<width])
			free += 1 << width
		}
		width := uint32(*head>>8) & 15
		for i := c >> first; i < 1<<width; i += 1 << (uint(n) - first) {
			t.entries[head.symbol()+i] = e - entry(first)
		}
	}
	return true
}

// assign gives each symbol its code, the lowest bit first as it comes out of the input. ok is as for build.
func assign(lengths []uint8) (codes [320]uint16, ok bool) {
	var count [16]int
	for _, n := range lengths {
		count[n]++
	}
	count[0] = 0
	left, used := 1, 0
	for n := 1; n < 16; n++ {
		left = left<<1 - count[n]
		used += count[n]
		if left < 0 {
			return codes, false
		}
	}
	if left > 0 && (used > 1 || used == 1 && count[1] != 1) {
		return codes, false
	}
	var next [16]uint32
	code := uint32(0)
	for n := 1; n < 16; n++ {
		code = (code + uint32(count[n-1])) << 1
		next[n] = code
	}
	for s, n := range lengths {
		if n > 0 {
			codes[s] = bits.Reverse16(uint16(next[n])) >> (16 - n)
			next[n]++
		}
	}
	return codes, true
}
