package picture

import (
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
)

// pngHeader is what the chunks before the pixels say.
type pngHeader struct {
	w, h        uint32
	depth, kind uint8
	palette     int
	transparent bool
	pixelX      float64
	pixelY      float64
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
	p.Format, p.image = "PNG", png.Decode
	h, err := p.pngChunks()
	if err != nil {
		return p.broken(err)
	}
	if h.w > math.MaxInt32 || h.h > math.MaxInt32 || h.w == 0 || h.h == 0 {
		return &fault.Error{Kind: fault.Malformed, File: p.name, Found: fmt.Sprintf("%d x %d pixels", h.w, h.h)}
	}
	samples := map[uint8]int{pngGrey: 1, pngRGB: 3, pngPalette: 3, pngGreyAlpha: 2, pngRGBA: 4}[h.kind]
	if samples == 0 {
		return p.broken(fmt.Errorf("colour type %d", h.kind))
	}
	if h.kind == pngPalette && h.transparent {
		samples = 4
	}
	t, held := pixel.Uint8, 4
	if h.kind == pngGrey && !h.transparent {
		held = 1
	}
	switch {
	case h.kind == pngGrey && h.depth == 1:
		t = pixel.Bool
	case h.depth == 16:
		t, held = pixel.Uint16, held*2
	}
	if err := p.setShape(int(h.w), int(h.h), samples, held, t); err != nil {
		return err
	}
	if err := p.believe(int(h.w), int(h.h), 8*1040); err != nil { // one bit per pixel, Deflate's largest ratio
		return err
	}
	p.PixelX, p.PixelY = h.pixelX, h.pixelY
	p.build = func(m image.Image) (any, string, error) { return p.fromPNG(m, h) }
	return nil
}

// pngChunks reads the chunks before the pixels. Checksums are left to the decoder.
func (p *Picture) pngChunks() (h pngHeader, err error) {
	var b [32]byte
	for at := int64(8); ; {
		if n, _ := p.r.ReadAt(b[:8], at); n < 8 {
			return h, fmt.Errorf("no pixels")
		}
		size, name := int64(binary.BigEndian.Uint32(b[:])), string(b[4:8])
		body := b[:min(size, int64(len(b)))]
		if n, _ := p.r.ReadAt(body, at+8); n < len(body) {
			return h, fmt.Errorf("the file ends in chunk %s", name)
		}
		switch {
		case name == "IHDR" && size == 13:
			h.w, h.h = binary.BigEndian.Uint32(body), binary.BigEndian.Uint32(body[4:])
			h.depth, h.kind = body[8], body[9]
		case name == "PLTE":
			h.palette = int(size / 3)
		case name == "tRNS":
			h.transparent = true
		case name == "pHYs" && size == 9 && body[8] == 1:
			h.pixelX, h.pixelY = perMetre(body), perMetre(body[4:])
		case name == "IDAT" || name == "IEND":
			return h, nil
		}
		at += 12 + size
	}
}

// perMetre turns pixels per metre into micrometres per pixel; printers' resolutions (up to 1200 per inch) mean nothing.
func perMetre(b []byte) float64 {
	n := float64(binary.BigEndian.Uint32(b))
	if n < 1200.5/0.0254 {
		return 0
	}
	return 1e6 / n
}

// fromPNG takes the stored samples back out of the decoder's picture.
func (p *Picture) fromPNG(m image.Image, h pngHeader) (any, string, error) {
	switch v := m.(type) {
	case *image.Gray:
		if p.Type == pixel.Bool {
			return p.samples(m, func(x, y int, to []uint8) { to[0] = v.GrayAt(x, y).Y >> 7 }), "", nil
		}
		return p.samples(m, func(x, y int, to []uint8) { to[0] = v.GrayAt(x, y).Y }), "", nil
	case *image.Paletted:
		return p.fromPalette(v, h.palette)
	case *image.Gray16, *image.RGBA64, *image.NRGBA64:
		return p.wide(m), "", nil
	case *image.RGBA:
		return p.samples(m, func(x, y int, to []uint8) { c := v.RGBAAt(x, y); to[0], to[1], to[2] = c.R, c.G, c.B }), "", nil
	case *image.NRGBA:
		bit := h.kind == pngGrey && h.depth == 1
		return p.samples(m, func(x, y int, to []uint8) {
			c := v.NRGBAAt(x, y)
			switch len(to) {
			case 1:
				to[0] = c.R
				if bit {
					to[0] >>= 7
				}
			case 2:
				to[0], to[1] = c.R, c.A
			case 3:
				to[0], to[1], to[2] = c.R, c.G, c.B
			default:
				to[0], to[1], to[2], to[3] = c.R, c.G, c.B, c.A
			}
		}), "", nil
	}
	return nil, "", p.broken(fmt.Errorf("a %T", m))
}

// fromPalette looks the colours up; entries that the palette lacks are black.
func (p *Picture) fromPalette(v *image.Paletted, entries int) (any, string, error) {
	var colours [256]color.NRGBA
	for i, c := range v.Palette {
		colours[i] = color.NRGBAModel.Convert(c).(color.NRGBA)
		if n, ok := c.(color.NRGBA); ok {
			colours[i] = n // the conversion would lose the colour of what is wholly transparent
		}
	}
	note := ""
	values := p.samples(v, func(x, y int, to []uint8) {
		i := v.ColorIndexAt(x, y)
		c := colours[i]
		if int(i) >= entries {
			note = "some indices lie outside the palette and are black"
		}
		to[0], to[1], to[2] = c.R, c.G, c.B
		if len(to) == 4 {
			to[3] = c.A
		}
	})
	return values, note, nil
}

// wide collects 16-bit samples.
func (p *Picture) wide(m image.Image) any {
	n := p.Len() / (p.Shape[0] * p.Shape[1])
	out := make([]uint16, 0, p.Len())
	b := m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			var c color.NRGBA64
			switch v := m.(type) {
			case *image.Gray16:
				c.R = v.Gray16At(x, y).Y
			case *image.RGBA64:
				o := v.RGBA64At(x, y)
				c = color.NRGBA64{R: o.R, G: o.G, B: o.B}
			case *image.NRGBA64:
				c = v.NRGBA64At(x, y)
			}
			out = append(out, [][]uint16{{c.R}, {c.R, c.A}, {c.R, c.G, c.B}, {c.R, c.G, c.B, c.A}}[n-1]...)
		}
	}
	return out
}
