// Package picture reads files that hold one picture: PNG and JPEG through the standard decoders, BMP by its own, with the
// array semantics of the reference (spec/contract.md 3.2, spec/formats.md 3 to 5): a palette expands to colours, unless it is a
// BMP's ramp of greys; one bit per pixel is boolean; grey with opacity is two samples; a transparent grey stays grey.
package picture

import (
	"bytes"
	"fmt"
	"image"
	"io"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
)

// Picture is an opened picture: its header, not its pixels.
type Picture struct {
	pixel.Header           // shape Y X or Y X S
	Format         string  // "PNG", "BMP", "JPEG"
	RGB, Alpha     bool    // the samples are red, green, blue, and opacity
	PixelX, PixelY float64 // micrometres, 0 unknown
	Notes          []string

	r     io.ReaderAt
	size  int64
	name  string
	image func(io.Reader) (image.Image, error)
	build func(image.Image) (values any, note string, err error)
	own   func() (values any, note string, err error) // reads without the two
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

// Read decodes the pixels: a []E of Header.Len() samples. note is what is odd about them, or "".
func (p *Picture) Read() (values any, note string, err error) {
	if p.own != nil {
		return p.own()
	}
	m, err := p.image(io.NewSectionReader(p.r, 0, p.size))
	if err != nil {
		return nil, "", p.broken(err)
	}
	if b := m.Bounds(); b.Dx() != p.Shape[1] || b.Dy() != p.Shape[0] {
		return nil, "", p.broken(fmt.Errorf("%d x %d pixels where the header says %d x %d", b.Dx(), b.Dy(), p.Shape[1], p.Shape[0]))
	}
	return p.build(m)
}

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

// setShape notes the shape after checking that the decoded picture fits into memory; held is what the decoder takes per
// pixel.
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

// samples collects 8-bit samples pixel by pixel.
func (p *Picture) samples(m image.Image, pick func(x, y int, to []uint8)) any {
	n := 1
	if len(p.Shape) == 3 {
		n = p.Shape[2]
	}
	b := m.Bounds()
	out := make([]uint8, p.Len())
	at := 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			pick(x, y, out[at:at+n])
			at += n
		}
	}
	return out
}
