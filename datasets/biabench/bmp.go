package biabench

import (
	"encoding/binary"
	"io"
	"os"
)

// bmpHeader is what decides whether a BMP counts as grey.
type bmpHeader struct {
	bits    int
	palette []byte // blue, green, red, unused per colour; nil for true colour
	cut     bool   // the file ends before its last row
}

// grey tells a palette that is the grey ramp, or of two colours black and white.
func (h bmpHeader) grey() bool {
	n := len(h.palette) / 4
	if n == 0 {
		return false
	}
	for i := range n {
		want := byte(i)
		if n == 2 {
			want = byte(i * 255)
		}
		c := h.palette[4*i:]
		if c[0] != want || c[1] != want || c[2] != want {
			return false
		}
	}
	return true
}

// readBMPHeader reads a BMP's bit depth and palette.
func readBMPHeader(path string) (bmpHeader, bool) {
	f, err := os.Open(path)
	if err != nil {
		return bmpHeader{}, false
	}
	defer f.Close()
	head := make([]byte, 14+40)
	if _, err := io.ReadFull(f, head); err != nil {
		return bmpHeader{}, false
	}
	u16, u32 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint32
	size := int64(u32(head[14:]))
	if size < 40 || size > 4096 {
		return bmpHeader{}, false
	}
	h := bmpHeader{bits: int(u16(head[28:]))}
	if compression := u32(head[30:]); compression == 0 || compression == 3 { // not run-length coded
		width, height := int64(int32(u32(head[18:]))), int64(int32(u32(head[22:])))
		row := (width*int64(h.bits) + 31) / 32 * 4
		info, err := f.Stat()
		h.cut = err != nil || width <= 0 || info.Size() < int64(u32(head[10:]))+row*max(height, -height)
	}
	if h.bits > 8 {
		return h, true
	}
	colours := int(u32(head[46:]))
	if colours <= 0 || colours > 1<<h.bits {
		colours = 1 << h.bits
	}
	h.palette = make([]byte, 4*colours)
	_, err = f.ReadAt(h.palette, 14+size)
	return h, err == nil
}
