package picture

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
)

// bmpHeader is what a BMP says before its pixels (spec/formats.md 4).
type bmpHeader struct {
	w, h        int
	topDown     bool
	depth       int // bits per pixel: 1, 2, 4, 8, 16, 24, 32
	compression uint32
	pixels      int64 // where the rows begin
	palette     [][3]uint8
	masks       [4]uint32 // red, green, blue, opacity
	grey        bool      // all colours of the palette are grey
}

// Compression codes of BMP.
const (
	bmpNone      = 0
	bmpRLE8      = 1
	bmpRLE4      = 2
	bmpMasks     = 3
	bmpJPEG      = 4
	bmpPNG       = 5
	bmpFourMasks = 6
)

// Sizes of the second header, which tell its version.
const (
	bmpOS2    = 12 // 16-bit sizes, palette entries of three bytes
	bmpOS2v2  = 64 // may be cut to 16
	bmpInfo   = 40
	bmpMasked = 52 // and larger: three masks in the header
	bmpAlpha  = 56 // and larger: a fourth one
)

func (p *Picture) openBMP() error {
	p.Format = "BMP"
	h, err := p.bmpHeader()
	if err != nil {
		return err
	}
	samples := 3
	switch {
	case h.grey:
		samples = 1
	case h.masks[3] != 0:
		samples = 4
	}
	if err := p.setShape(h.w, h.h, samples, 4, pixel.Uint8); err != nil {
		return err
	}
	perByte := 8
	if h.compression == bmpRLE8 || h.compression == bmpRLE4 {
		perByte = 1 << 14 // a jump of four bytes passes 255 rows
	}
	if err := p.believe(h.w, h.h, perByte); err != nil {
		return err
	}
	p.read = func(dst any, split bool) (string, error) { return p.readBMP(h, canvasOf(p, dst.([]uint8), split)) }
	return nil
}

// bmpHeader reads the headers and the palette and checks that the variant is one that can be read.
func (p *Picture) bmpHeader() (*bmpHeader, error) {
	var b [14 + 124]byte
	n, _ := p.r.ReadAt(b[:min(int64(len(b)), p.size)], 0)
	if n < 14+bmpOS2 {
		return nil, p.broken(io.ErrUnexpectedEOF)
	}
	le := binary.LittleEndian
	h := &bmpHeader{pixels: int64(le.Uint32(b[10:]))}
	size := le.Uint32(b[14:])
	entry, used := 4, 0
	switch {
	case size == bmpOS2:
		h.w, h.h, h.depth, entry = int(le.Uint16(b[18:])), int(le.Uint16(b[20:])), int(le.Uint16(b[24:])), 3
	case size == 16 || size >= bmpInfo && size <= 1<<16:
		if int64(n) < 14+min(int64(size), 124) {
			return nil, p.broken(io.ErrUnexpectedEOF)
		}
		h.w, h.h, h.depth = int(int32(le.Uint32(b[18:]))), int(int32(le.Uint32(b[22:]))), int(le.Uint16(b[28:]))
		if size >= bmpInfo {
			h.compression, used = le.Uint32(b[30:]), int(min(le.Uint32(b[46:]), 1<<16))
			p.PixelX, p.PixelY = bmpPixel(b[38:]), bmpPixel(b[42:])
		}
	default:
		return nil, p.broken(fmt.Errorf("a header of %d bytes", size))
	}
	if h.h < 0 {
		h.h, h.topDown = -h.h, true
	}
	if h.w <= 0 || h.h == 0 {
		return nil, &fault.Error{Kind: fault.Malformed, File: p.name, Found: fmt.Sprintf("%d x %d pixels", h.w, h.h)}
	}
	if err := p.bmpVariant(h, size); err != nil {
		return nil, err
	}
	table := 14 + int64(size)
	if h.compression == bmpMasks || h.compression == bmpFourMasks {
		table += h.takeMasks(b[:n], size)
	}
	h.defaultMasks()
	if h.depth <= 8 {
		return h, p.bmpPalette(h, table, entry, used)
	}
	if h.pixels < table {
		h.pixels = table
	}
	return h, nil
}

// bmpPixel is micrometres per pixel; printers' and screens' resolutions mean nothing.
func bmpPixel(b []byte) float64 {
	var big [4]byte
	binary.BigEndian.PutUint32(big[:], binary.LittleEndian.Uint32(b))
	if big[0]&0x80 != 0 {
		return 0
	}
	return perMetre(big[:])
}

// bmpVariant refuses what cannot be read, by its name.
func (p *Picture) bmpVariant(h *bmpHeader, size uint32) error {
	unsupported := func(what string) error {
		return &fault.Error{Kind: fault.Unsupported, File: p.name, Found: "a BMP with " + what + ", which is not supported", Fix: "Save it as PNG"}
	}
	fits := map[int]uint32{1: bmpNone, 2: bmpNone, 4: bmpRLE4, 8: bmpRLE8, 16: bmpMasks, 24: bmpNone, 32: bmpMasks}
	other, known := fits[h.depth]
	switch c := h.compression; {
	case c == bmpJPEG || c == bmpPNG:
		if size == bmpOS2v2 {
			return unsupported("run lengths of 24 bits")
		}
		return unsupported(map[uint32]string{bmpJPEG: "a JPEG", bmpPNG: "a PNG"}[c] + " inside")
	case size == bmpOS2v2 && c == bmpMasks:
		return unsupported("fax compression")
	case !known:
		return p.broken(fmt.Errorf("%d bits per pixel", h.depth))
	case c == bmpNone || c == other || c == bmpFourMasks && other == bmpMasks:
		if h.topDown && (c == bmpRLE8 || c == bmpRLE4) {
			return p.broken(fmt.Errorf("packed rows from the top"))
		}
		return nil
	case c > bmpFourMasks:
		return unsupported(fmt.Sprintf("compression %d", c))
	}
	return p.broken(fmt.Errorf("compression %d with %d bits per pixel", h.compression, h.depth))
}

// takeMasks reads the masks in or behind the header and gives the bytes they take behind it.
func (h *bmpHeader) takeMasks(b []byte, size uint32) int64 {
	n, behind := 3, int64(12)
	if h.compression == bmpFourMasks || size >= bmpAlpha {
		n, behind = 4, 16
	}
	if size >= bmpMasked {
		behind = 0
	}
	for i := range n {
		if at := 14 + bmpInfo + 4*i; at+4 <= len(b) {
			h.masks[i] = binary.LittleEndian.Uint32(b[at:])
		}
	}
	return behind
}

// defaultMasks sets the masks of files that have none: 5-5-5 and 8-8-8.
func (h *bmpHeader) defaultMasks() {
	if h.masks[0]|h.masks[1]|h.masks[2] != 0 {
		return
	}
	if h.depth == 16 {
		h.masks = [4]uint32{0x7c00, 0x3e0, 0x1f, 0}
		return
	}
	h.masks = [4]uint32{0xff0000, 0xff00, 0xff, 0}
}

// bmpPalette reads the colours, blue first. Where a file says that none are used all are.
func (p *Picture) bmpPalette(h *bmpHeader, at int64, entry, used int) error {
	n := 1 << h.depth
	if used > 0 && used < n {
		n = used
	}
	if room := (h.pixels - at) / int64(entry); h.pixels > at && int64(n) > room {
		n = int(room)
	}
	b := make([]byte, n*entry)
	if got, _ := p.r.ReadAt(b, at); got < len(b) {
		return p.broken(fmt.Errorf("the file ends in the palette"))
	}
	if h.pixels < at+int64(len(b)) && h.pixels <= at {
		h.pixels = at + int64(len(b))
	}
	h.grey = true
	for i := range n {
		c := [3]uint8{b[i*entry+2], b[i*entry+1], b[i*entry]}
		h.palette = append(h.palette, c)
		h.grey = h.grey && c[0] == c[1] && c[1] == c[2]
	}
	h.masks[3] = 0
	return nil
}

// readBMP decodes the pixels.
func (p *Picture) readBMP(h *bmpHeader, to canvas[uint8]) (note string, err error) {
	dst := make([]uint8, h.w*to.samples)
	if h.compression == bmpRLE8 || h.compression == bmpRLE4 {
		index, err := p.bmpRuns(h)
		if err != nil {
			return "", err
		}
		for y := range h.h {
			if s := h.lookUp(dst, index[y*h.w:(y+1)*h.w]); s != "" {
				note = s
			}
			to.put(y, 0, 1, dst)
		}
		return note, nil
	}
	stride := (h.w*h.depth + 31) / 32 * 4
	const batch = 1 << 20
	rows := max(min(batch/stride, h.h), 1)
	buf, index := make([]byte, rows*stride), make([]uint8, h.w)
	for y := 0; y < h.h; y++ {
		if y%rows == 0 {
			want := buf[:min(rows, h.h-y)*stride]
			n, _ := p.r.ReadAt(want, h.pixels+int64(y)*int64(stride))
			if tail := stride - (h.w*h.depth+7)/8; n < len(want)-tail { // the padding of the last row may be missing
				return "", p.broken(fmt.Errorf("the file ends in row %d of %d", y+n/stride+1, h.h))
			}
		}
		row, at := buf[y%rows*stride:][:stride], h.h-1-y
		if h.topDown {
			at = y
		}
		switch h.depth {
		case 24:
			for x := range h.w {
				dst[3*x], dst[3*x+1], dst[3*x+2] = row[3*x+2], row[3*x+1], row[3*x]
			}
		case 16, 32:
			h.masked(dst, row)
		default:
			h.unpack(index, row)
			if s := h.lookUp(dst, index); s != "" {
				note = s
			}
		}
		to.put(at, 0, 1, dst)
	}
	return note, nil
}

// unpack spreads the indices of a row.
func (h *bmpHeader) unpack(index []uint8, row []byte) {
	if h.depth == 8 {
		copy(index, row)
		return
	}
	mask := byte(1<<h.depth - 1)
	for x := range index {
		at := x * h.depth
		index[x] = row[at/8] >> (8 - h.depth - at%8) & mask
	}
}

// lookUp turns indices into colours or greys; what lies outside the palette is black.
func (h *bmpHeader) lookUp(dst, index []uint8) (note string) {
	var colours [256][3]uint8
	n := copy(colours[:], h.palette)
	for i, v := range index {
		if int(v) >= n {
			note = "some indices lie outside the palette and are black"
		}
		if h.grey {
			dst[i] = colours[v][0]
			continue
		}
		copy(dst[3*i:3*i+3], colours[v][:])
	}
	return note
}

// masked takes colours out of 16 or 32 bits; each becomes 8 bits wide.
func (h *bmpHeader) masked(dst []uint8, row []byte) {
	samples := len(dst) / h.w
	for x := range h.w {
		var v uint32
		if h.depth == 16 {
			v = uint32(binary.LittleEndian.Uint16(row[2*x:]))
		} else {
			v = binary.LittleEndian.Uint32(row[4*x:])
		}
		for s := range samples {
			dst[x*samples+s] = scaled(v, h.masks[s])
		}
	}
}

// scaled is the part of v under a mask, stretched or cut to 8 bits.
func scaled(v, mask uint32) uint8 {
	if mask == 0 {
		return 0
	}
	shift := bits.TrailingZeros32(mask)
	most := uint64(mask >> shift)
	return uint8(uint64(v&mask>>shift<<shift>>shift) * 255 / most)
}
