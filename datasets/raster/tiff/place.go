package tiff

import (
	"coverslip/datasets/raster/pixel"
)

// canvas is the samples of a page that is being read: rows of Width x lanes samples, one plane after the other.
type canvas struct {
	values any  // []E of the layout's type
	split  bool // samples that lie side by side in the file get planes of their own
	plane  int  // first plane that values hold: a planar page may be read one sample at a time
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
		case c.split:
			c.spread(l, (s.y+y)*l.Width+s.x, row, s.w)
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
	if c.split || l.Tiled || l.Bits < 8 || l.Type == pixel.Float16 {
		return nil
	}
	rb := l.rowBytes()
	at := ((s.plane-c.plane)*l.Height + s.y) * rb
	return pixel.Memory(c.values)[at : at+s.h*rb]
}

// Splits tells whether pages can be read with a plane for each sample.
func (l *Layout) Splits() bool {
	return l.lanes() > 1 && l.Bits >= 8 && l.Type != pixel.Float16 && l.Compression != codecJPEG && l.Compression != codecWebP && l.Compression != codecOldWebP
}

// spread copies n pixels of a row, sample by sample, to place at of each plane.
func (c canvas) spread(l *Layout, at int, row []byte, n int) {
	plane, lanes, to := l.Width*l.Height, l.lanes(), pixel.Memory(c.values)
	switch l.Type.Size() {
	case 1:
		split(to, row, at, plane, lanes, n)
	case 2:
		split(pixel.View[uint16](to), pixel.View[uint16](row), at, plane, lanes, n)
	case 4:
		split(pixel.View[uint32](to), pixel.View[uint32](row), at, plane, lanes, n)
	case 8:
		split(pixel.View[uint64](to), pixel.View[uint64](row), at, plane, lanes, n)
	}
}

func split[E uint8 | uint16 | uint32 | uint64](dst, row []E, at, plane, lanes, n int) {
	row = row[:n*lanes]
	for k := range lanes {
		d := dst[k*plane+at:][:n]
		for i := range d {
			d[i] = row[i*lanes+k]
		}
	}
}

// unpackBits spreads samples of 1, 2 or 4 bits, highest bits first.
func unpackBits(dst []uint8, src []byte, bits int) {
	mask := byte(1<<bits - 1)
	for i := range dst {
		at := i * bits
		dst[i] = src[at/8] >> (8 - bits - at%8) & mask
	}
}
