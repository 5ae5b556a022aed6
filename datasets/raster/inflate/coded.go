package inflate

import "encoding/binary"

// Lengths and distances by symbol: base, and extra bits.
var (
	lengthBase  = [32]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}
	lengthExtra = [32]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	distBase    = [32]uint16{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577}
	distExtra   = [32]uint8{0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13}
)

// margin is how many bytes of input and output the quick loop wants before it: a refill, and the longest repetition with
// three literals.
const (
	marginIn  = 16
	marginOut = 258 + 3
)

// coded unpacks a block of codes: quickly as long as there is room on both sides, then carefully.
func (d *decoder) coded() bool {
	if end, ok := d.quick(); end || !ok {
		return ok
	}
	for {
		d.refill()
		symbol, ok := d.symbol(d.lit.entries[:], litBits)
		switch {
		case !ok || d.spent():
			return false
		case symbol == 256:
			return true
		case symbol < 256:
			if d.n >= len(d.out) {
				return false
			}
			d.out[d.n] = byte(symbol)
			d.n++
		case !d.match(symbol):
			return false
		}
	}
}

// match reads the rest of a repetition and carries it out. 33 bits behind the symbol must be valid.
func (d *decoder) match(symbol uint32) bool {
	if symbol > 285 {
		return false
	}
	length := int(lengthBase[symbol-257]) + d.drop(uint(lengthExtra[symbol-257]))
	symbol, ok := d.symbol(d.dist.entries[:], distBits)
	if !ok || symbol > 29 {
		return false
	}
	back := int(distBase[symbol]) + d.drop(uint(distExtra[symbol]))
	if d.spent() || back > d.n || length > len(d.out)-d.n {
		return false
	}
	repeat(d.out[d.n:d.n+length], d.out[d.n-back:d.n+length])
	d.n += length
	return true
}

// quick unpacks codes while input and output have a margin. end tells that the block is over. Its state is kept in local
// variables, which is most of the speed.
func (d *decoder) quick() (end, ok bool) {
	in, pos, bits, have := d.in, d.pos, d.bits, d.have
	out, n, lit := d.out, d.n, &d.lit.entries
	for pos+marginIn <= len(in) && n+marginOut <= len(out) {
		bits |= binary.LittleEndian.Uint64(in[pos:]) << (have & 63)
		pos += int((63 - have) >> 3)
		have |= 56
		e := lit[bits&(1<<litBits-1)]
		if e&literal != 0 {
			room := out[n : n+3 : n+3]
			bits >>= e & 15
			have -= uint(e & 15)
			room[0] = byte(e >> 16)
			n++
			if e = lit[bits&(1<<litBits-1)]; e&literal != 0 {
				bits >>= e & 15
				have -= uint(e & 15)
				room[1] = byte(e >> 16)
				n++
				if e = lit[bits&(1<<litBits-1)]; e&literal != 0 { // three of 11 bits leave 23 of 56
					bits >>= e & 15
					have -= uint(e & 15)
					room[2] = byte(e >> 16)
					n++
				}
			}
			continue
		}
		d.pos, d.bits, d.have, d.n = pos, bits, have, n
		symbol, ok := d.symbol(lit[:], litBits)
		switch {
		case !ok:
			return true, false
		case symbol == 256:
			return true, true
		case symbol < 256:
			out[n] = byte(symbol)
			d.n++
		case !d.match(symbol):
			return true, false
		}
		pos, bits, have, n = d.pos, d.bits, d.have, d.n
	}
	d.pos, d.bits, d.have, d.n = pos, bits, have, n
	return false, true
}

// symbol decodes one symbol. 15 bits must be valid; length, distance and the extra bits of both take 48 at most.
func (d *decoder) symbol(t []entry, first uint) (uint32, bool) {
	e := t[d.bits&(1<<first-1)]
	if e&further != 0 {
		d.bits >>= first
		d.have -= first
		e = t[e.symbol()+uint32(d.bits)&(1<<(e>>8&15)-1)]
	}
	d.bits >>= e & 15
	d.have -= uint(e & 15)
	return e.symbol(), e != 0
}

// drop takes bits that are known to be valid.
func (d *decoder) drop(n uint) int {
	v := int(d.bits & (1<<n - 1))
	d.bits >>= n
	d.have -= n
	return v
}

// repeat fills dst with from, which begins before dst in the same memory and is repeated where the two overlap.
func repeat(dst, from []byte) {
	back := len(from) - len(dst)
	if back >= len(dst) {
		copy(dst, from)
		return
	}
	switch back { // runs of one sample, which are most of a label image: the sample fills words
	case 1:
		fillWords(dst, uint64(from[0])*0x0101010101010101)
		return
	case 2:
		fillWords(dst, uint64(binary.LittleEndian.Uint16(from))*0x0001000100010001)
		return
	case 4:
		fillWords(dst, uint64(binary.LittleEndian.Uint32(from))*0x0000000100000001)
		return
	}
	for n := copy(dst, from[:back]); n < len(dst); n *= 2 { // what has been copied is the source of the next stretch
		copy(dst[n:], dst[:n])
	}
}

// fillWords repeats the bytes of a word, the lowest first.
func fillWords(dst []byte, word uint64) {
	for ; len(dst) >= 32; dst = dst[32:] {
		binary.LittleEndian.PutUint64(dst, word)
		binary.LittleEndian.PutUint64(dst[8:], word)
		binary.LittleEndian.PutUint64(dst[16:], word)
		binary.LittleEndian.PutUint64(dst[24:], word)
	}
	for ; len(dst) >= 8; dst = dst[8:] {
		binary.LittleEndian.PutUint64(dst, word)
	}
	for i := range dst {
		dst[i] = byte(word)
		word >>= 8
	}
}
