package picture

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
)

// pngHeader is what the chunks before the pixels say.
type pngHeader struct {
	w, h           uint32
	depth, kind    uint8 // bits per sample; colour type
	interlaced     bool
	palette        int           // entries
	colours        [256][4]uint8 // of the palette, with opacity; those that it lacks are black
	transparent    bool
	pixelX, pixelY float64 // micrometres per pixel, 0 unknown
	pixels         int64   // where the first chunk of pixels begins
}

// Colour types of PNG.
const (
	pngGrey      = 0
	pngRGB       = 2
	pngPalette   = 3
	pngGreyAlpha = 4
	pngRGBA      = 6
)

func (p *Picture) openPNG() error {
	p.Format = "PNG"
	h, err := p.pngChunks()
	if err != nil {
		return p.broken(err)
	}
	if h.w > math.MaxInt32 || h.h > math.MaxInt32 || h.w == 0 || h.h == 0 {
		return &fault.Error{Kind: fault.Malformed, File: p.name, Found: fmt.Sprintf("%d x %d pixels", h.w, h.h)}
	}
	samples := map[uint8]int{pngGrey: 1, pngRGB: 3, pngPalette: 3, pngGreyAlpha: 2, pngRGBA: 4}[h.kind]
	if samples == 0 || !slices.Contains(pngDepths[h.kind], h.depth) {
		return p.broken(fmt.Errorf("colour type %d with %d bits", h.kind, h.depth))
	}
	if h.kind == pngPalette && h.palette == 0 {
		return p.broken(fmt.Errorf("a palette picture without its palette"))
	}
	if h.kind == pngPalette && h.transparent {
		samples = 4
	}
	t := pixel.Uint8
	switch {
	case h.kind == pngGrey && h.depth == 1:
		t = pixel.Bool
	case h.depth == 16:
		t = pixel.Uint16
	}
	if err := p.setShape(int(h.w), int(h.h), samples, samples*t.Size(), t); err != nil {
		return err
	}
	if err := p.believe(int(h.w), int(h.h), 8*1040); err != nil { // one bit per pixel, Deflate's largest ratio
		return err
	}
	p.PixelX, p.PixelY = h.pixelX, h.pixelY
	p.read = func(dst any, split bool) (string, error) { return p.readPNG(h, dst, split) }
	return nil
}

// pngDepths are the bits per sample that go with each colour type.
var pngDepths = map[uint8][]uint8{pngGrey: {1, 2, 4, 8, 16}, pngRGB: {8, 16}, pngPalette: {1, 2, 4, 8}, pngGreyAlpha: {8, 16}, pngRGBA: {8, 16}}

// pngChunks reads the chunks before the pixels, those that count with their checksums.
func (p *Picture) pngChunks() (*pngHeader, error) {
	h := &pngHeader{pixels: 8}
	for i := range h.colours {
		h.colours[i][3] = 255
	}
	for {
		var head [8]byte
		if n, _ := p.r.ReadAt(head[:], h.pixels); n < 8 {
			return h, fmt.Errorf("no pixels")
		}
		size, name := int64(binary.BigEndian.Uint32(head[:])), string(head[4:])
		switch name {
		case "IDAT", "IEND":
			if h.w == 0 && h.depth == 0 {
				return h, fmt.Errorf("no header")
			}
			return h, nil
		case "IHDR", "PLTE", "tRNS", "pHYs":
			if size > 3*256 {
				return h, fmt.Errorf("chunk %s of %d bytes", name, size)
			}
			body := make([]byte, size+4)
			if n, _ := p.r.ReadAt(body, h.pixels+8); n < len(body) {
				return h, fmt.Errorf("the file ends in chunk %s", name)
			}
			if crc32.Update(crc32.ChecksumIEEE(head[4:]), crc32.IEEETable, body[:size]) != binary.BigEndian.Uint32(body[size:]) {
				return h, fmt.Errorf("a wrong checksum in chunk %s", name)
			}
			if err := h.take(name, body[:size]); err != nil {
				return h, err
			}
		}
		h.pixels += 12 + size
	}
}

// take notes what a chunk says.
func (h *pngHeader) take(name string, b []byte) error {
	switch {
	case name == "IHDR" && len(b) == 13:
		h.w, h.h = binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
		h.depth, h.kind, h.interlaced = b[8], b[9], b[12] == 1
		if b[10] != 0 || b[11] != 0 || b[12] > 1 {
			return fmt.Errorf("compression %d, filter %d, interlacing %d", b[10], b[11], b[12])
		}
	case name == "IHDR":
		return fmt.Errorf("a header of %d bytes", len(b))
	case name == "PLTE":
		h.palette = len(b) / 3
		for i := range h.palette {
			copy(h.colours[i][:3], b[3*i:])
		}
	case name == "tRNS":
		h.transparent = true
		for i := range min(len(b), 256) {
			h.colours[i][3] = b[i]
		}
	case name == "pHYs" && len(b) == 9 && b[8] == 1:
		h.pixelX, h.pixelY = perMetre(b), perMetre(b[4:])
	}
	return nil
}

// perMetre turns pixels per metre into micrometres per pixel; printers' resolutions (up to 1200 per inch) mean nothing.
func perMetre(b []byte) float64 {
	n := float64(binary.BigEndian.Uint32(b))
	if n < 1200.5/0.0254 {
		return 0
	}
	return 1e6 / n
}
