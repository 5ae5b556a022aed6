package tiff

import (
	"bytes"
	"errors"
	"io"

	"github.com/ulikunitz/xz/lzma"
)

// errXZ is a container that is not the one TIFF's LZMA scheme uses.
var errXZ = errors.New("no xz stream of LZMA2 data")

// Filters of an xz block.
const (
	xzDelta = 0x03
	xzLZMA2 = 0x21
)

// unpackXZ reads TIFF's LZMA: an xz stream of one block, LZMA2 with or without a filter of byte differences in front.
// The usual library writes that filter, and the xz reader of the LZMA package does not know it: so the container is read
// here. Checksums are left alone.
func unpackXZ(src, dst []byte) (int, error) {
	const head = 12 // of the stream: magic, flags, checksum
	if len(src) < head+1 || string(src[:6]) != "\xfd7zXZ\x00" {
		return 0, errXZ
	}
	size := 4 * (int(src[head]) + 1)
	if src[head] == 0 || len(src) < head+size {
		return 0, errXZ
	}
	distance, err := xzFilters(src[head+1 : head+size-4])
	if err != nil {
		return 0, err
	}
	window := min(max(len(dst), lzma.MinDictCap), lzma.MaxDictCap) // nothing lies further back than the piece is long
	z, err := lzma.Reader2Config{DictCap: window}.NewReader2(bytes.NewReader(src[head+size:]))
	if err != nil {
		return 0, err
	}
	n, err := io.ReadFull(z, dst)
	if distance > 0 {
		for i := distance; i < n; i++ {
			dst[i] += dst[i-distance]
		}
	}
	return n, err
}

// xzFilters reads a block header behind its size: flags, sizes, filters. It gives the distance of the delta filter, 0 for
// none.
func xzFilters(b []byte) (distance int, err error) {
	flags := b[0]
	b = b[1:]
	for _, present := range []byte{0x40, 0x80} { // packed and unpacked size: numbers of 7 bits a byte
		if flags&present != 0 {
			for len(b) > 0 && b[0]&0x80 != 0 {
				b = b[1:]
			}
			if len(b) == 0 {
				return 0, errXZ
			}
			b = b[1:]
		}
	}
	for left := int(flags&3) + 1; left > 0; left-- {
		if len(b) < 3 || b[1] != 1 { // each of the two has one byte of properties
			return 0, errXZ
		}
		switch {
		case b[0] == xzDelta && left > 1 && distance == 0:
			distance = int(b[2]) + 1
		case b[0] == xzLZMA2 && left == 1:
			return distance, nil
		default:
			return 0, errXZ
		}
		b = b[3:]
	}
	return 0, errXZ
}
