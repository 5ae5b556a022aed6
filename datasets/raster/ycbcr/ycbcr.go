// Package ycbcr turns the pictures of the JPEG decoder into colours the way the usual JPEG library does: colour planes
// of half the size are interpolated between their samples, not repeated.
package ycbcr

import (
	"image"
	"image/color"
)

// RGB is the colour at a pixel, counted from the picture's upper left corner.
func RGB(m *image.YCbCr, x, y int) (r, g, b uint8) { return color.YCbCrToRGB(At(m, x, y)) }

// At is the brightness and the interpolated colour differences at a pixel.
func At(m *image.YCbCr, x, y int) (luma, cb, cr uint8) {
	luma = m.Y[y*m.YStride+x]
	fx, fy := steps(m.SubsampleRatio)
	if fx == 1 && fy == 1 {
		at := y*m.CStride + x
		return luma, m.Cb[at], m.Cr[at]
	}
	w, h := (m.Rect.Dx()+fx-1)/fx, (m.Rect.Dy()+fy-1)/fy
	x0, x1, wx := neighbours(x, fx, w)
	y0, y1, wy := neighbours(y, fy, h)
	blend := func(c []uint8) uint8 {
		near, far := int(c[y0*m.CStride+x0])*wx+int(c[y0*m.CStride+x1])*(4-wx), int(c[y1*m.CStride+x0])*wx+int(c[y1*m.CStride+x1])*(4-wx)
		return uint8((near*wy + far*(4-wy) + 8) >> 4)
	}
	return luma, blend(m.Cb), blend(m.Cr)
}

// Row is the colours of row y, red, green and blue side by side, of which to has room for one row.
func Row(m *image.YCbCr, y int, to []uint8) {
	full := m.SubsampleRatio == image.YCbCrSubsampleRatio444
	for x := range m.Rect.Dx() {
		if full {
			at := y*m.CStride + x
			to[3*x], to[3*x+1], to[3*x+2] = color.YCbCrToRGB(m.Y[y*m.YStride+x], m.Cb[at], m.Cr[at])
			continue
		}
		to[3*x], to[3*x+1], to[3*x+2] = RGB(m, x, y)
	}
}

// Planes turns a picture into its red, green and blue planes, Y X each without gaps between rows. They take the place of
// the picture's own planes, those of full size at least, and the picture is no more.
func Planes(m *image.YCbCr) (r, g, b []uint8) {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	// A row of red is written where rows of brightness have been read already: rows move forward, never back.
	if r = m.Y[: w*h : w*h]; m.SubsampleRatio == image.YCbCrSubsampleRatio444 {
		g, b = m.Cb[:w*h:w*h], m.Cr[:w*h:w*h]
	} else {
		g, b = make([]uint8, w*h), make([]uint8, w*h)
	}
	row := make([]uint8, 3*w)
	for y := range h {
		Row(m, y, row)
		for x := range w {
			at := y*w + x
			r[at], g[at], b[at] = row[3*x], row[3*x+1], row[3*x+2]
		}
	}
	return r, g, b
}

// steps is how many pixels one colour sample covers across and down.
func steps(r image.YCbCrSubsampleRatio) (x, y int) {
	switch r {
	case image.YCbCrSubsampleRatio422:
		return 2, 1
	case image.YCbCrSubsampleRatio420:
		return 2, 2
	case image.YCbCrSubsampleRatio440:
		return 1, 2
	case image.YCbCrSubsampleRatio411:
		return 4, 1
	case image.YCbCrSubsampleRatio410:
		return 4, 2
	}
	return 1, 1
}

// neighbours gives the colour sample that covers position i, the next one on the other side, and the weight of the
// first in quarters. Samples are interpolated for a step of two alone, as in the usual library.
func neighbours(i, step, n int) (near, far, weight int) {
	near = i / step
	if step != 2 {
		return near, near, 4
	}
	far = near - 1
	if i%2 == 1 {
		far = near + 1
	}
	return near, min(max(far, 0), n-1), 3
}
