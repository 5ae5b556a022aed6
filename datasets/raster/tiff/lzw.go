package tiff

import (
	"bytes"
	"compress/lzw"
	"errors"
	"io"
)

// Codes of TIFF's LZW (spec/formats.md 1.4): the high bit first, 9 to 12 bits, one code earlier wider than needed.
const (
	lzwClear = 256
	lzwEnd   = 257
	lzwFirst = 258 // the first code of a string of two bytes
	lzwCodes = 1 << 12
)

var errLZW = errors.New("an LZW code that is not defined yet")

// unpackLZW reads TIFF's LZW, and the older form with the low bit first that some writers of TIFF 5 used. A missing
// first clear code is no error: the table starts fresh.
func unpackLZW(src, dst []byte) (int, error) {
	if len(src) > 1 && src[0] == 0 && src[1]&1 == 1 {
		z := lzw.NewReader(bytes.NewReader(src), lzw.LSB, 8)
		defer z.Close()
		return io.ReadFull(z, dst)
	}
	var d lzwDecoder
	return d.decode(src, dst)
}

// lzwDecoder keeps no strings: each is a stretch of the output, the one that its code was made from and one byte more.
type lzwDecoder struct {
	start  [lzwCodes]uint32
	length [lzwCodes]uint32
}

// decode fills dst, up to 4 GiB. io.ErrUnexpectedEOF says that src or its end code came too early.
func (d *lzwDecoder) decode(src, dst []byte) (int, error) {
	var bits uint64
	var have uint // bits that wait
	width, next := uint(9), uint32(lzwFirst)
	n, last, lastLen := 0, uint32(0), uint32(0) // lastLen 0: the code before was a clear code
	for n < len(dst) {
		for have < width {
			if len(src) == 0 {
				return n, io.ErrUnexpectedEOF
			}
			bits, have, src = bits<<8|uint64(src[0]), have+8, src[1:]
		}
		have -= width
		code := uint32(bits>>have) & (1<<width - 1)
		if code == lzwEnd {
			return n, io.ErrUnexpectedEOF
		}
		if code == lzwClear {
			width, next, lastLen = 9, lzwFirst, 0
			continue
		}
		if lastLen > 0 && next < lzwCodes {
			d.start[next], d.length[next] = last, lastLen+1
			next++
			if next >= 1<<width-1 && width < 12 {
				width++
			}
		}
		last = uint32(n)
		if code < lzwClear {
			dst[n], lastLen = byte(code), 1
			n++
			continue
		}
		if code >= next {
			return n, errLZW
		}
		lastLen = d.length[code]
		n += lzwCopy(dst, n, int(d.start[code]), int(lastLen))
	}
	return n, nil
}

// lzwCopy repeats an earlier stretch of dst at n. The stretch may reach one byte into what it writes.
func lzwCopy(dst []byte, n, from, length int) int {
	length = min(length, len(dst)-n)
	if length <= 16 && n+16 <= len(dst) && from+16 <= n { // most strings are short: two moves of eight bytes
		copy(dst[n:n+16], dst[from:from+16])
		return length
	}
	if from+length > n {
		copy(dst[n:], dst[from:n])
		dst[n+length-1] = dst[from]
		return length
	}
	copy(dst[n:n+length], dst[from:from+length])
	return length
}
