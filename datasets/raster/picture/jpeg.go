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
	p.Format = "JPEG"
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
	default:
		p.planes = p.jpegPlanes
	}
	p.read = p.readJPEG
	if err := p.setShape(c.Width, c.Height, samples, 4, pixel.Uint8); err != nil {
		return err
	}
	if err := p.believe(c.Width, c.Height, 1<<12); err != nil {
		return err
	}
	if samples == 4 {
		p.RGB, p.Alpha, p.Inks = false, false, true
	}
	return nil
}

// decodeJPEG gives the decoder's picture: greys, brightness and colour differences, colours, or inks. The decoder takes
// the marker of Adobe's programs into account, which stores inks inverted: 255 here is full ink.
func (p *Picture) decodeJPEG() (image.Image, error) {
	m, err := jpeg.Decode(io.NewSectionReader(p.r, 0, p.size))
	if err != nil {
		return nil, p.broken(err)
	}
	if b := m.Bounds(); b.Dx() != p.Shape[1] || b.Dy() != p.Shape[0] {
		return nil, p.broken(fmt.Errorf("%d x %d pixels where the header says %d x %d", b.Dx(), b.Dy(), p.Shape[1], p.Shape[0]))
	}
	return m, nil
}

func (p *Picture) readJPEG(dst any, split bool) (string, error) {
	m, err := p.decodeJPEG()
	if err != nil {
		return "", err
	}
	to, w, n := canvasOf(p, dst.([]uint8), split), p.Shape[1], p.samples()
	row := make([]uint8, w*n)
	for y := range p.Shape[0] {
		switch v := m.(type) {
		case *image.Gray:
			row = v.Pix[y*v.Stride:][:w]
		case *image.CMYK:
			row = v.Pix[y*v.Stride:][:4*w]
		case *image.YCbCr:
			ycbcr.Row(v, y, row)
		case *image.RGBA:
			for x := range w {
				copy(row[3*x:3*x+3], v.Pix[y*v.Stride+4*x:])
			}
		default:
			return "", p.broken(fmt.Errorf("a %T", m))
		}
		to.put(y, 0, 1, row)
	}
	return "", nil
}

// jpegPlanes turns the decoder's planes into red, green and blue in their place.
func (p *Picture) jpegPlanes() ([][]uint8, error) {
	m, err := p.decodeJPEG()
	if err != nil {
		return nil, err
	}
	if v, ok := m.(*image.YCbCr); ok {
		r, g, b := ycbcr.Planes(v)
		return [][]uint8{r, g, b}, nil
	}
	v, ok := m.(*image.RGBA)
	if !ok {
		return nil, p.broken(fmt.Errorf("a %T", m))
	}
	w, h := p.Shape[1], p.Shape[0]
	planes := [][]uint8{make([]uint8, w*h), make([]uint8, w*h), make([]uint8, w*h)}
	for k, to := range planes {
		for i := range to {
			to[i] = v.Pix[i/w*v.Stride+i%w*4+k]
		}
	}
	return planes, nil
}
