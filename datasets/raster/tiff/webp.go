package tiff

import (
	"bytes"
	"fmt"
	"image"
	"image/color"

	"golang.org/x/image/webp"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/ycbcr"
)

// readWebP decodes a piece that is a WebP picture of three or four 8-bit samples.
func (f *File) readWebP(p *Page, q piece, c canvas, have int64) error {
	broken := func(err error) error {
		return &fault.Error{Kind: fault.Malformed, File: f.name, At: fmt.Sprintf("%s, piece %d", pageName(p), q.index+1), Err: err,
			Found: "WebP data that cannot be unpacked"}
	}
	src := make([]byte, have)
	n, err := f.load(src, q.at)
	if err != nil {
		return broken(err)
	}
	src = src[:n]
	l := p.Layout
	conf, err := webp.DecodeConfig(bytes.NewReader(src))
	if err != nil {
		return broken(err)
	}
	if conf.Width < q.w || conf.Height < q.h || conf.Width > l.SegW || conf.Height > l.SegH {
		return broken(fmt.Errorf("%d x %d pixels in a piece of %d x %d", conf.Width, conf.Height, q.w, q.h))
	}
	img, err := webp.Decode(bytes.NewReader(src))
	if err != nil {
		return broken(err)
	}
	pick, ok := webpPixel(img)
	if !ok {
		return broken(fmt.Errorf("a %T", img))
	}
	to, lanes := c.values.([]uint8), l.lanes()
	r := c.over(q)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		at := c.at(l, q.plane, y, r.Min.X)
		for x := r.Min.X; x < r.Max.X; x++ {
			px := pick(x-q.x, y-q.y)
			copy(to[at:at+lanes], []uint8{px.R, px.G, px.B, px.A})
			at += lanes
		}
	}
	return nil
}

// webpPixel gives the colours of a decoded picture. Lossy pictures use the studio range of video, which image.YCbCr does
// not know, and interpolate colours between their samples.
func webpPixel(img image.Image) (func(x, y int) color.NRGBA, bool) {
	switch m := img.(type) {
	case *image.YCbCr:
		return func(x, y int) color.NRGBA { return studio(m, x, y, 255) }, true
	case *image.NYCbCrA:
		return func(x, y int) color.NRGBA { return studio(&m.YCbCr, x, y, m.A[y*m.AStride+x]) }, true
	case *image.NRGBA:
		return m.NRGBAAt, true
	}
	return nil, false
}

// studio turns Y 16 to 235 and Cb, Cr 16 to 240 into red, green and blue, with the factors of RFC 6386 in 14 bits.
func studio(m *image.YCbCr, x, y int, a uint8) color.NRGBA {
	luma, cb, cr := ycbcr.At(m, x, y)
	high := func(v uint8, factor int) int { return int(v) * factor >> 8 }
	clip := func(v int) uint8 { return uint8(min(max(v>>6, 0), 255)) }
	l := high(luma, 19077)
	return color.NRGBA{clip(l + high(cr, 26149) - 14234), clip(l - high(cb, 6419) - high(cr, 13320) + 8708), clip(l + high(cb, 33050) - 17685), a}
}
