package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/ycbcr"
)

func (p *Picture) openJPEG() error {
	p.Format, p.image = "JPEG", jpeg.Decode
	c, err := jpeg.DecodeConfig(io.NewSectionReader(p.r, 0, p.size))
	if err != nil {
		return p.broken(err)
	}
	samples := 3
	switch c.ColorModel {
	case color.GrayModel:
		samples = 1
	case color.CMYKModel:
		samples = 4
	}
	p.build = p.fromJPEG
	if err := p.setShape(c.Width, c.Height, samples, 4, pixel.Uint8); err != nil {
		return err
	}
	if err := p.believe(c.Width, c.Height, 1<<12); err != nil {
		return err
	}
	if samples == 4 {
		p.RGB, p.Alpha = false, false
	}
	return nil
}

func (p *Picture) fromJPEG(m image.Image) (any, string, error) {
	switch v := m.(type) {
	case *image.Gray:
		return p.samples(m, func(x, y int, to []uint8) { to[0] = v.GrayAt(x, y).Y }), "", nil
	case *image.YCbCr:
		return p.samples(m, func(x, y int, to []uint8) {
			to[0], to[1], to[2] = ycbcr.RGB(v, x, y)
		}), "", nil
	case *image.RGBA:
		return p.samples(m, func(x, y int, to []uint8) { c := v.RGBAAt(x, y); to[0], to[1], to[2] = c.R, c.G, c.B }), "", nil
	case *image.CMYK:
		return p.samples(m, func(x, y int, to []uint8) { c := v.CMYKAt(x, y); to[0], to[1], to[2], to[3] = c.C, c.M, c.Y, c.K }), "", nil
	}
	return nil, "", p.broken(fmt.Errorf("a %T", m))
}
