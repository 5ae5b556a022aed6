package tiff

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/ycbcr"
)

// adobeMark says that four samples are stored as they are.
const adobeMark = "\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00\x00"

// jpegTables are the tables that all JPEG pieces of a page share, without their start and end marks.
func (f *File) jpegTables(p *Page) []byte {
	if p.Layout.Compression != codecJPEG {
		return nil
	}
	t, ok := f.Tag(p, tagJPEGTables, 0)
	if b := t.Bytes; ok && len(b) > 4 && b[0] == 0xff && b[1] == 0xd8 {
		return b[2 : len(b)-2]
	}
	return nil
}

// readJPEG decodes a piece that is a JPEG stream.
func (f *File) readJPEG(p *Page, q piece, c canvas, tables []byte, have int64) error {
	src := make([]byte, have)
	n, err := f.load(src, q.at)
	src = src[:n]
	broken := func(err error) error {
		return &fault.Error{Kind: fault.Malformed, File: f.name, At: fmt.Sprintf("%s, piece %d", pageName(p), q.index+1), Err: err,
			Found: "JPEG data that cannot be unpacked"}
	}
	if err != nil || n < 2 {
		return broken(err)
	}
	l := p.Layout
	stream := append([]byte{0xff, 0xd8}, tables...)
	if l.lanes() == 4 {
		stream = append(stream, adobeMark...) // without it the decoder refuses four samples
	}
	stream = append(stream, src[2:]...)
	conf, err := jpeg.DecodeConfig(bytes.NewReader(stream))
	if err != nil {
		return broken(err)
	}
	if conf.Width < q.w || conf.Height < q.h || conf.Width > l.SegW+64 || conf.Height > l.SegH+64 {
		return broken(fmt.Errorf("%d x %d pixels in a piece of %d x %d", conf.Width, conf.Height, q.w, q.h))
	}
	img, err := jpeg.Decode(bytes.NewReader(stream))
	if err != nil {
		return broken(err)
	}
	to := c.values.([]uint8)
	lanes := l.lanes()
	r := c.over(q)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			at := c.at(l, q.plane, y, x)
			if !jpegPixel(img, x-q.x, y-q.y, to[at:at+lanes], l.Photometric) {
				return broken(fmt.Errorf("a %T where %d samples are expected", img, lanes))
			}
		}
	}
	return nil
}

// jpegPixel writes the stored samples of one pixel; YCbCr becomes RGB unless the page says that it is RGB already.
func jpegPixel(img image.Image, x, y int, to []uint8, photometric int) bool {
	switch m := img.(type) {
	case *image.Gray:
		if len(to) != 1 {
			return false
		}
		to[0] = m.GrayAt(x, y).Y
	case *image.YCbCr:
		if len(to) != 3 {
			return false
		}
		if photometric == photoYCbCr {
			to[0], to[1], to[2] = ycbcr.RGB(m, x, y)
		} else {
			p := m.YCbCrAt(x, y)
			to[0], to[1], to[2] = p.Y, p.Cb, p.Cr
		}
	case *image.RGBA:
		if len(to) != 3 {
			return false
		}
		p := m.RGBAAt(x, y)
		to[0], to[1], to[2] = p.R, p.G, p.B
	case *image.CMYK:
		if len(to) != 4 {
			return false
		}
		p := m.CMYKAt(x, y)
		to[0], to[1], to[2], to[3] = 255-p.C, 255-p.M, 255-p.Y, 255-p.K // the decoder inverts what Adobe marks
	default:
		return false
	}
	return true
}
