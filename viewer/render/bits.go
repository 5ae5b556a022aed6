package render

import "encoding/binary"

// bitRow is a row of bits, one for each index of a device row, lowest first. It ends with slack so that 64 bits can be
// taken at every index.
type bitRow []uint8

// sized gives a row of n bits, all 0, reusing b where it is large enough.
func (b bitRow) sized(n int32) bitRow {
	b = grow(b, int(n)/8+16)
	clear(b)
	return b
}

// at is the 64 bits from index 8*octet on.
func (b bitRow) at(octet int) uint64 { return binary.LittleEndian.Uint64(b[octet:]) }

// set sets the bits from..to-1. It goes by whole words at fixed places, because loading what was just stored is quick only
// where both are the same bytes.
func (b bitRow) set(from, to int32) {
	for from < to {
		n := min(to-from, 64-from&63)
		p := b[from>>6<<3:][:8]
		v := ^uint64(0) >> ((64 - n) & 63) << (from & 63)
		binary.LittleEndian.PutUint64(p, binary.LittleEndian.Uint64(p)|v)
		from += n
	}
}

// span is the bits lo..hi-1 of 64, as far as there are such.
func span(lo, hi int32) uint64 {
	lo, hi = max(lo, 0), min(hi, 64)
	if lo >= hi {
		return 0
	}
	return ^uint64(0) >> (64 - (hi - lo)) << lo
}
