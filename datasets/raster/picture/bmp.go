package picture

import (
	"encoding/binary"
	"image"
	"image/color"
	"io"

	"golang.org/x/image/bmp"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
)

func (p *Picture) openBMP() error {
	p.Format, p.image = "BMP", bmp.Decode
	var head [34]byte
	if n, _ := p.r.ReadAt(head[:], 0); n < len(head) {
		return p.broken(io.ErrUnexpectedEOF)
	}
	w, h := int(int32(binary.LittleEndian.Uint32(head[18:]))), int(int32(binary.LittleEndian.Uint32(head[22:])))
	if binary.LittleEndian.Uint32(head[14:]) >= 40 {
		if err := p.setShape(w, max(h, -h), 1, 4, pixel.Uint8); err != nil {
			return err
		}
	}
	c, err := bmp.DecodeConfig(io.NewSectionReader(p.r, 0, p.size))
	if err == bmp.ErrUnsupported {
		return &fault.Error{Kind: fault.Unsupported, File: p.name, Found: "a BMP variant that is not supported", Fix: "Save it as PNG"}
	}
	if err != nil {
		return p.broken(err)
	}
	samples := 3
	palette, isPalette := c.ColorModel.(color.Palette)
	switch {
	case isPalette && greys(palette):
		samples = 1
	case c.ColorModel == color.NRGBAModel:
		samples = 4
	}
	p.build = p.fromBMP
	if err := p.believe(c.Width, c.Height, 8); err != nil {
		return err
	}
	return p.setShape(c.Width, c.Height, samples, 4, pixel.Uint8)
}

// greys tells whether all entries of a palette are grey: then the picture has one channel.
func greys(palette color.Palette) bool {
	for _, c := range palette {
		if r, g, b, _ := c.RGBA(); r != g || g != b {
			return false
		}
	}
	return true
}

func (p *Picture) fromBMP(m image.Image) (any, string, error) {
	return p.samples(m, func(x, y int, to []uint8) {
		c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
		if len(to) == 1 {
			to[0] = c.R
			return
		}
		to[0], to[1], to[2] = c.R, c.G, c.B
		if len(to) == 4 {
			to[3] = c.A
		}
	}), "", nil
}
