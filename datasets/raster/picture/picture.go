// Package picture reads files that hold one picture: JPEG through the standard decoder, PNG and BMP row by row, with the
// array semantics of the reference (spec/contract.md 3.2, spec/formats.md 3 to 5): a palette expands to colours, unless it is a
// BMP's ramp of greys; one bit per pixel is boolean; grey with opacity is two samples; a transparent grey stays grey.
//
// Rows go straight to where the caller wants them: the standard PNG decoder makes a picture of 4 or 8 bytes a pixel first,
// which would have to be held beside the samples.
package picture

import (
	"bytes"
	"fmt"
	"io"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
)

// Picture is an opened picture: its header, not its pixels.
type Picture struct {
	pixel.Header           // shape Y X or Y X S
	Format         string  // "PNG", "BMP", "JPEG"
	RGB, Alpha     bool    // the samples are red, green, blue, and opacity
	Inks           bool    // the samples are cyan, magenta, yellow and black, 255 full ink
	PixelX, PixelY float64 // micrometres, 0 unknown
	Notes          []string

	r      io.ReaderAt
	size   int64
	name   string
	read   func(dst any, split bool) (note string, err error)
	planes func() ([][]uint8, error)
}

// MaxBytes is the most memory that a decoded picture may take.
const MaxBytes = 1 << 29

// Open reads the header of a picture of size bytes. ok is false for other formats. name is for messages.
func Open(r io.ReaderAt, size int64, name string) (p *Picture, ok bool, err error) {
	var head [8]byte
	n, _ := r.ReadAt(head[:min(int64(len(head)), size)], 0)
	p = &Picture{r: r, size: size, name: name}
	switch b := head[:n]; {
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		err = p.openPNG()
	case bytes.HasPrefix(b, []byte("BM")):
		err = p.openBMP()
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		err = p.openJPEG()
	default:
		return nil, false, nil
	}
	if err != nil {
		return nil, true, err
	}
	return p, true, nil
}

// Read decodes the pixels into dst, a []E of Header.Len() samples: those of a pixel side by side, or one plane after the
// other when split. note is what is odd about them, or "".
func (p *Picture) Read(dst any, split bool) (note string, err error) { return p.read(dst, split) }

// Planes decodes the pixels into one slice of rows for each sample, in memory that is the caller's to keep. It is
// there (Hands) where the decoder's own memory can become the planes, so that no picture is held twice.
func (p *Picture) Planes() (planes [][]uint8, err error) { return p.planes() }

// Hands tells whether Planes is there.
func (p *Picture) Hands() bool { return p.planes != nil }

func (p *Picture) broken(err error) error {
	return &fault.Error{Kind: fault.Malformed, File: p.name, Found: p.Format + " data that cannot be read", Err: err,
		Fix: "Copy or write the file again, it may be damaged"}
}

// believe compares the pixels that a header claims with what the file can hold: perByte is how many pixels one stored
// byte can become at most.
func (p *Picture) believe(w, h, perByte int) error {
	if w > 0 && h > 0 && h > (1<<20+int(p.size)*perByte)/w {
		return &fault.Error{Kind: fault.TooLarge, File: p.name, Found: fmt.Sprintf("%d x %d pixels", w, h),
			Expected: fmt.Sprintf("no more than a file of %d bytes can hold", p.size)}
	}
	return nil
}

// setShape notes the shape after checking that the decoded picture fits into memory; held is what decoding takes per
// pixel in bytes.
func (p *Picture) setShape(w, h, samples, held int, t pixel.Type) error {
	if w <= 0 || h <= 0 {
		return &fault.Error{Kind: fault.Malformed, File: p.name, Found: fmt.Sprintf("%d x %d pixels", w, h)}
	}
	if w > MaxBytes || h > MaxBytes || w*h > MaxBytes/held {
		return &fault.Error{Kind: fault.TooLarge, File: p.name, Found: fmt.Sprintf("%d x %d pixels", w, h), Expected: "a picture of at most 512 MiB"}
	}
	p.Shape, p.Axes, p.Type = []int{h, w}, "YX", t
	if samples > 1 {
		p.Shape, p.Axes = []int{h, w, samples}, "YXS"
	}
	p.RGB, p.Alpha = samples >= 3, samples == 4
	return nil
}

// samples is the number of samples of a pixel.
func (p *Picture) samples() int {
	if len(p.Shape) == 3 {
		return p.Shape[2]
	}
	return 1
}

// canvas is where rows of samples go.
type canvas[E uint8 | uint16] struct {
	to            []E
	w, h, samples int
	split         bool // one plane for each sample; otherwise the samples of a pixel lie side by side
}

func canvasOf[E uint8 | uint16](p *Picture, to []E, split bool) canvas[E] {
	return canvas[E]{to, p.Shape[1], p.Shape[0], p.samples(), split}
}

// put places a row, or every step-th pixel of one from x on.
func (c canvas[E]) put(y, x, step int, row []E) {
	n := c.samples
	switch {
	case step == 1 && (!c.split || n == 1):
		copy(c.to[(y*c.w+x)*n:], row)
	case c.split:
		for k := range n {
			to, at := c.to[(k*c.h+y)*c.w:][:c.w], x
			for i := k; i < len(row); i += n {
				to[at] = row[i]
				at += step
			}
		}
	default:
		for at := (y*c.w + x) * n; len(row) > 0; at += step * n {
			copy(c.to[at:at+n], row[:n])
			row = row[n:]
		}
	}
}
