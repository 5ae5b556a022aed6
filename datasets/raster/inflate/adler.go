package inflate

import "encoding/binary"

const (
	adlerModulus = 65521
	// adlerWords is how many words of 8 bytes are summed in lanes of 16 bits: 510 x (0 + 1 + ... + 15) still fits.
	adlerWords = 16
	adlerBytes = 8 * adlerWords
	// adlerBlock is how many bytes are summed before the modulus is taken. The sums stay far below 64 bits.
	adlerBlock = 256 * adlerBytes
)

// everyOther picks the bytes of a word that then lie in lanes of 16 bits.
const everyOther = 0x00ff00ff00ff00ff

// adler is the Adler-32 checksum of RFC 1950, eight bytes at a time: going byte by byte, as the standard library does,
// takes a third of the time of unpacking an image of few values.
func adler(p []byte) uint32 {
	a, b := uint64(1), uint64(0)
	for len(p) > 0 {
		block := p[:min(adlerBlock, len(p))]
		p = p[len(block):]
		for ; len(block) >= adlerBytes; block = block[adlerBytes:] {
			a, b = adlerLanes(a, b, (*[adlerBytes]byte)(block))
		}
		for _, v := range block {
			a += uint64(v)
			b += a
		}
		a, b = a%adlerModulus, b%adlerModulus
	}
	return uint32(b<<16 | a)
}

// adlerLanes adds some words to both sums. b gets a once for each byte, and each byte as often as there are bytes from it
// to the end: 8 times for each later word, and 8 to 1 times within its own.
func adlerLanes(a, b uint64, p *[adlerBytes]byte) (uint64, uint64) {
	var even, odd, earlier uint64 // bytes 0, 2, 4, 6 of the words; bytes 1, 3, 5, 7; at each word all before it
	for i := 0; i < adlerBytes; i += 8 {
		w := binary.LittleEndian.Uint64(p[i : i+8])
		earlier += even + odd
		even += w & everyOther
		odd += w >> 8 & everyOther
	}
	b += adlerBytes*a + 8*lanes(earlier, 1, 1, 1, 1) + lanes(even, 8, 6, 4, 2) + lanes(odd, 7, 5, 3, 1)
	return a + lanes(even+odd, 1, 1, 1, 1), b
}

// lanes adds up the lanes of a word, the lowest first, each so many times.
func lanes(w, n0, n1, n2, n3 uint64) uint64 {
	return n0*(w&0xffff) + n1*(w>>16&0xffff) + n2*(w>>32&0xffff) + n3*(w>>48)
}
