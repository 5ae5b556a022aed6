package tiff

import (
	"image"

	"coverslip/datasets/raster/pixel"
)

// canvas is the samples of a page, or of a part of it, that is being read: rows of area.Dx() x lanes samples, one plane
// after the other.
type canvas struct {
	values any             // []E of the layout's type
	area   image.Rectangle // the part of the page that values hold
	split  bool            // samples that lie side by side in the file get planes of their own
	plane  int             // first plane that values hold: a planar page may be read one sample at a time
}

// at is the index in values of the first sample of pixel y, x of the page; of a canvas that is split, in the first plane.
func (c canvas) at(l *Layout, plane, y, x int) int {
	w, h, lanes := c.area.Dx(), c.area.Dy(), l.lanes()
	if c.split {
		lanes = 1
	}
	return ((plane-c.plane)*h*w + (y-c.area.Min.Y)*w + x - c.area.Min.X) * lanes
}

// over is the part of a piece that the canvas holds.
func (c canvas) over(s piece) image.Rectangle {
	return c.area.Intersect(image.Rect(s.x, s.y, s.x+s.w, s.y+s.h))
}

// place copies the used part of a decoded piece into the canvas. b is in the machine's byte order.
func (c canvas) place(l *Layout, s piece, b []byte) {
	rb := l.rowBytes()
	r := c.over(s)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		c.row(l, c.at(l, s.plane, y, r.Min.X), b[(y-s.y)*rb:], r.Min.X-s.x, r.Dx())
	}
}

// row copies n pixels of a stored row, skipping some before them, to place to of the canvas.
func (c canvas) row(l *Layout, to int, row []byte, skip, n int) {
	lanes := l.lanes()
	if l.Bits < 8 {
		unpackBits(c.values.([]uint8)[to:to+n*lanes], row, skip*lanes, l.Bits)
		return
	}
	size := l.Type.Size()
	row = row[skip*lanes*size:][:n*lanes*size]
	switch {
	case c.split:
		c.spread(l, to, row, n)
	case l.Type == pixel.Float16:
		dst := c.values.([]float32)[to : to+n*lanes]
		for i, v := range pixel.View[uint16](row) {
			dst[i] = pixel.FromHalf(v)
		}
	default:
		copy(pixel.Memory(c.values)[to*size:], row)
	}
}

// held tells whether stored samples can be read straight into the canvas.
func (c canvas) held(l *Layout) bool { return !c.split && l.Bits >= 8 && l.Type != pixel.Float16 }

// direct is the canvas memory of a strip whose stored form is the held form, or nil.
func (c canvas) direct(l *Layout, s piece) []byte {
	if l.Tiled || !c.held(l) || c.area.Dx() != l.Width || s.y < c.area.Min.Y || s.y+s.h > c.area.Max.Y {
		return nil
	}
	at := c.at(l, s.plane, s.y, 0) * l.Type.Size()
	return pixel.Memory(c.values)[at : at+s.h*l.rowBytes()]
}

// Splits tells whether pages can be read with a plane for each sample.
func (l *Layout) Splits() bool {
	return l.lanes() > 1 && l.Bits >= 8 && l.Type != pixel.Float16 && l.Compression != codecJPEG && l.Compression != codecWebP && l.Compression != codecOldWebP
}

// spread copies n pixels of a row, sample by sample, to place at of each plane.
func (c canvas) spread(l *Layout, at int, row []byte, n int) {
	plane, lanes, to := c.area.Dx()*c.area.Dy(), l.lanes(), pixel.Memory(c.values)
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

// unpackBits spreads samples of 1, 2 or 4 bits, highest bits first, from the skip-th on.
func unpackBits(dst []uint8, src []byte, skip, bits int) {
	mask := byte(1<<bits - 1)
	for i := range dst {
		at := (skip + i) * bits
		dst[i] = src[at/8] >> (8 - bits - at%8) & mask
	}
}
