package tiff

import (
	"bytes"
	"encoding/binary"
	"io"
)

// byteOrder is what both orders of encoding/binary offer.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// header reads the first 8 or 16 bytes and gives the offset of the first directory.
func (f *File) header() (int64, error) {
	var b [16]byte
	n, err := f.r.ReadAt(b[:min(int64(len(b)), max(f.size, 0))], 0)
	if err != nil && err != io.EOF {
		return 0, f.malformed("", "a file that cannot be read: "+err.Error(), "")
	}
	head := b[:n]
	switch {
	case n >= 8 && string(head[:2]) == "II":
		f.order = binary.LittleEndian
	case n >= 8 && string(head[:2]) == "MM":
		f.order = binary.BigEndian
	default:
		return 0, f.malformed("", looksLike(head), "a TIFF, which begins with II or MM")
	}
	switch magic := f.order.Uint16(head[2:]); magic {
	case 42:
		return int64(f.order.Uint32(head[4:])), nil
	case 43:
		if n < 16 || f.order.Uint16(head[4:]) != 8 || f.order.Uint16(head[6:]) != 0 {
			return 0, f.malformed("header", "a BigTIFF whose offsets are not 8 bytes long", "an offset size of 8")
		}
		f.Big = true
		return int64(f.order.Uint64(head[8:])), nil // above 2^63 it is negative, which chain refuses
	default:
		return 0, f.malformed("header", "version number "+itoa(int(magic)), "42 or 43")
	}
}

// looksLike says what a file that is no TIFF seems to be.
func looksLike(head []byte) string {
	lower := bytes.ToLower(bytes.TrimSpace(head))
	switch {
	case len(head) == 0:
		return "an empty file"
	case bytes.HasPrefix(head, []byte("\x89PNG")):
		return "a PNG picture"
	case bytes.HasPrefix(head, []byte("\xff\xd8")):
		return "a JPEG picture"
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return "a zip archive"
	case bytes.HasPrefix(lower, []byte("<!doctype h")), bytes.HasPrefix(lower, []byte("<html")):
		return "a web page, perhaps the error message of a failed download"
	case len(head) < 8:
		return "a file of " + itoa(len(head)) + " bytes"
	}
	for _, c := range head {
		if c < 9 || c > 13 && c < 32 || c > 126 {
			return "bytes that are no TIFF"
		}
	}
	return "text"
}
