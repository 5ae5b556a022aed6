package tiff

import (
	"coverslip/datasets/raster/pixel"
)

// canvas is the samples of a page that is being read: rows of Width x lanes samples, one plane after the other.
type canvas struct {
	values any // []E of the layout's type
	plane  int // first plane that values hold: a planar page may be read one sample at a time
}

// place copies the used part of a decoded piece into the canvas. b is in the machine's byte order.
func (c canvas) place(l *Layout, s piece, b []byte) {
	lanes, rb := l.lanes(), l.rowBytes()
	base := (s.plane - c.plane) * l.Height * l.Width * lanes
	n := s.w * lanes
	for y := range s.h {
		to := base + ((s.y+y)*l.Width+s.x)*lanes
		row := b[y*rb:]
		switch {
		case l.Type == pixel.Float16:
			half := pixel.View[uint16](row[:n*2])
			for i, v := range c.values.([]float32)[to : to+n] {
				_ = v
				c.values.([]float32)[to+i] = pixel.FromHalf(half[i])
			}
		case l.Bits < 8:
			unpackBits(c.values.([]uint8)[to:to+n], row, l.Bits)
		default:
			size := l.Type.Size()
			copy(pixel.Memory(c.values)[to*size:(to+n)*size], row[:n*size])
		}
	}
}

// direct is the canvas memory of a strip whose stored form is the held form, or nil.
func (c canvas) direct(l *Layout, s piece) []byte {
	if l.Tiled || l.Bits < 8 || l.Type == pixel.Float16 || l.Compression == codecJPEG {
		return nil
	}
	rb := l.rowBytes()
	at := ((s.plane-c.plane)*l.Height + s.y) * rb
	return pixel.Memory(c.values)[at : at+s.h*rb]
}

// unpackBits spreads samples of 1, 2 or 4 bits, highest bits first.
func unpackBits(dst []uint8, src []byte, bits int) {
	mask := byte(1<<bits - 1)
	for i := range dst {
		at := i * bits
		dst[i] = src[at/8] >> (8 - bits - at%8) & mask
	}
}
