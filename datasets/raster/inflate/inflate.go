// Package inflate unpacks zlib streams (RFC 1950, 1951) whose unpacked size is known, from memory to memory: strips and
// tiles of image files. Not having to stop and go on anywhere makes it faster than a reader.
//
// It is strict: what it does not unpack to the last byte with the right checksum it leaves to a patient reader.
package inflate

import (
	"encoding/binary"
	"sync"
)

// Zlib unpacks a whole stream into dst and tells whether it filled dst exactly and the checksum fits. If not, dst holds
// anything.
func Zlib(src, dst []byte) bool {
	if len(src) < 6 || src[0]&15 != 8 || src[1]&0x20 != 0 || (int(src[0])<<8|int(src[1]))%31 != 0 {
		return false
	}
	d := decoders.Get().(*decoder)
	defer decoders.Put(d)
	d.in, d.out, d.n = src[2:], dst, 0
	d.pos, d.bits, d.have, d.over = 0, 0, 0, 0
	defer func() { d.in, d.out = nil, nil }()
	for last := false; !last; {
		var ok bool
		if last, ok = d.block(); !ok {
			return false
		}
	}
	rest := d.rest()
	return d.n == len(dst) && len(rest) >= 4 && binary.BigEndian.Uint32(rest) == adler(dst)
}

// decoders are kept: their tables are larger than many strips.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

// decoder takes bits from in, the lowest first, and appends bytes to out.
type decoder struct {
	in   []byte
	pos  int    // of the next byte of in
	bits uint64 // bits taken from in
	have uint   // how many of them are valid; bits behind the end of in are zero and counted in over
	over uint
	out  []byte
	n    int // bytes in out

	lit  table
	dist table
}

// refill makes at least 56 bits valid.
func (d *decoder) refill() {
	if d.pos+8 <= len(d.in) {
		d.bits |= binary.LittleEndian.Uint64(d.in[d.pos:]) << d.have
		d.pos += int((63 - d.have) >> 3)
		d.have |= 56
		return
	}
	for d.have <= 56 {
		if d.pos < len(d.in) {
			d.bits |= uint64(d.in[d.pos]) << d.have
			d.pos++
		} else {
			d.over += 8
		}
		d.have += 8
	}
}

// take gives n bits, up to 32.
func (d *decoder) take(n uint) int {
	if d.have < n {
		d.refill()
	}
	v := d.bits & (1<<n - 1)
	d.bits >>= n
	d.have -= n
	return int(v)
}

// spent tells whether bits behind the end were used.
func (d *decoder) spent() bool { return d.over > d.have }

// rest is what follows in the input behind the byte that bits were taken from last.
func (d *decoder) rest() []byte {
	if d.spent() {
		return nil
	}
	return d.in[d.pos-int(d.have-d.over)/8:]
}

// block unpacks one block and tells whether it was the last one.
func (d *decoder) block() (last, ok bool) {
	last = d.take(1) == 1
	switch d.take(2) {
	case 0:
		return last, d.stored()
	case 1:
		d.lit.build(fixedLengths[:288], litBits)
		d.dist.build(fixedLengths[288:], distBits)
		return last, d.coded()
	case 2:
		return last, d.codes() && d.coded()
	}
	return last, false
}

// stored copies bytes.
func (d *decoder) stored() bool {
	rest := d.rest()
	if len(rest) < 4 {
		return false
	}
	n := int(binary.LittleEndian.Uint16(rest))
	if n != int(^binary.LittleEndian.Uint16(rest[2:])) || len(rest) < 4+n || len(d.out)-d.n < n {
		return false
	}
	copy(d.out[d.n:], rest[4:4+n])
	d.n += n
	d.in, d.pos, d.bits, d.have, d.over = rest[4+n:], 0, 0, 0, 0
	return true
}

// fixedLengths are the code lengths of blocks without codes of their own: 288 of literals and lengths, 32 of
// distances, the last two of which mean nothing.
var fixedLengths = func() (out [288 + 32]uint8) {
	for i := range out {
		switch {
		case i < 144:
			out[i] = 8
		case i < 256:
			out[i] = 9
		case i < 280:
			out[i] = 7
		case i < 288:
			out[i] = 8
		default:
			out[i] = 5
		}
	}
	return out
}()

// codeOrder is the order in which the lengths of the codes for code lengths are stored.
var codeOrder = [19]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// codes reads the codes of a block.
func (d *decoder) codes() bool {
	lits, dists, n := d.take(5)+257, d.take(5)+1, d.take(4)+4
	if lits > 286 || dists > 30 {
		return false
	}
	var small [19]uint8
	for _, k := range codeOrder[:n] {
		small[k] = uint8(d.take(3))
	}
	if !d.dist.build(small[:], distBits) {
		return false
	}
	var lengths [286 + 30]uint8
	for i := 0; i < lits+dists; {
		d.refill()
		e := d.dist.entries[d.bits&(1<<distBits-1)]
		if e == 0 || d.spent() {
			return false
		}
		d.bits >>= e & 15
		d.have -= uint(e & 15)
		repeat, v := 1, uint8(0)
		switch s := int(e.symbol()); s {
		case 16:
			if i == 0 {
				return false
			}
			repeat, v = 3+d.take(2), lengths[i-1]
		case 17:
			repeat = 3 + d.take(3)
		case 18:
			repeat = 11 + d.take(7)
		default:
			v = uint8(s)
		}
		if i+repeat > lits+dists {
			return false
		}
		for range repeat {
			lengths[i] = v
			i++
		}
	}
	return lengths[256] != 0 && d.lit.build(lengths[:lits], litBits) && d.dist.build(lengths[lits:lits+dists], distBits)
}
