package tiff

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"

	"github.com/klauspost/compress/zlib"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
)

// EncodeOptions choose how an Array is written. The zero value writes a classic little-endian TIFF, deflate, one strip group per
// page, with the shape noted as JSON the way the usual Python writer does.
type EncodeOptions struct {
	Uncompressed bool
	ImageJ       bool    // write an ImageJ description instead (needs at most T Z C Y X)
	OME          bool    // write an OME-XML description instead (needs at most T Z C Y X)
	PageByPage   bool    // note a shape on every page: what comes of calling a writer once a page, a series for each
	PixelUM      float64 // micrometres per pixel, 0 unknown
	StepUM       float64 // z step, 0 unknown
	IntervalMin  float64 // minutes from one time point to the next, 0 unknown
}

// stripBytes is how many raw bytes a strip aims for: small enough to unpack a page with several processors.
const stripBytes = 1 << 18

// Encode writes an array as a TIFF, one page per Y X plane. The last two axes are Y X, or Y X S when the axes end in S:
// then samples lie side by side, and three or four of 8 or 16 bits are called RGB. Booleans take one bit each. Files
// that could pass 4 GiB become BigTIFF. An array that is empty or that the options cannot describe is Inconsistent.
func Encode(w io.Writer, a pixel.Array, o EncodeOptions) error {
	if err := a.Check(); err != nil {
		return &fault.Error{Kind: fault.Inconsistent, Found: err.Error(), Err: err}
	}
	l, err := layOut(a)
	if err != nil {
		return err
	}
	text := shapeText(a, o)
	switch {
	case o.ImageJ:
		text, err = imagejText(a, l, o)
	case o.OME:
		text, err = omeDescription(a, l, o)
	case o.PageByPage:
		text = shapeText(pixel.Array{Shape: []int{l.h, l.w}, Axes: "YX"}, o)
	}
	if err != nil {
		return err
	}
	e := encoder{w: w, l: l, o: o, big: l.bytes() > math.MaxUint32-(1<<28)}
	return e.run(a, text)
}

// pageLayout is how an array falls into pages.
type pageLayout struct {
	typ               pixel.Type
	pages             int
	h, w, samples     int
	rows, rowBytes    int // rows per strip; raw bytes per row
	strips, rawSample int // strips per page; bits per sample
	rgb               bool
}

func (l pageLayout) bytes() int { return l.pages * (l.h*l.rowBytes + 512) }

func layOut(a pixel.Array) (pageLayout, error) {
	shape := a.Shape
	l := pageLayout{typ: a.Type, pages: 1, h: 1, w: 1, samples: 1, rawSample: a.Type.Size() * 8}
	if n := len(shape); n > 2 && len(a.Axes) == n && a.Axes[n-1] == 'S' {
		l.samples = shape[n-1]
		shape = shape[:n-1]
	}
	if n := len(shape); n > 0 {
		l.w = shape[n-1]
		if n > 1 {
			l.h = shape[n-2]
		}
		for i := 0; i < n-2; i++ {
			l.pages *= shape[i]
		}
	}
	if l.pages == 0 || l.h == 0 || l.w == 0 || l.samples == 0 {
		return l, &fault.Error{Kind: fault.Inconsistent, Found: "an empty array", Expected: "at least one pixel"}
	}
	if l.samples > math.MaxUint16 || l.h > math.MaxUint32 || l.w > math.MaxUint32 {
		return l, &fault.Error{Kind: fault.Inconsistent, Found: "an axis that a TIFF page cannot hold"}
	}
	l.rgb = (l.samples == 3 || l.samples == 4) && (a.Type == pixel.Uint8 || a.Type == pixel.Uint16)
	l.rowBytes = l.w * l.samples * a.Type.Size()
	if a.Type == pixel.Bool {
		l.rawSample = 1
		l.rowBytes = (l.w*l.samples + 7) / 8
	}
	l.rows = min(l.h, max(1, stripBytes/l.rowBytes))
	l.strips = (l.h + l.rows - 1) / l.rows
	return l, nil
}

// encoder writes pages one after the other, each directory before its strips, so that the writer need not seek.
type encoder struct {
	w   io.Writer
	l   pageLayout
	o   EncodeOptions
	big bool
	at  int // bytes written so far
	z   *zlib.Writer
}

func (e *encoder) run(a pixel.Array, text string) error {
	head := []byte{'I', 'I', 42, 0, 8, 0, 0, 0}
	if e.big {
		head = []byte{'I', 'I', 43, 0, 8, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0}
	}
	if err := e.write(head); err != nil {
		return err
	}
	per := e.l.h * e.l.w * e.l.samples
	for p := range e.l.pages {
		strips, err := e.strips(pixel.Slice(a.Values, p*per, (p+1)*per))
		if err != nil {
			return err
		}
		if p > 0 && !e.o.PageByPage {
			text = ""
		}
		if err := e.page(strips, text, p == e.l.pages-1); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) write(b []byte) error {
	n, err := e.w.Write(b)
	e.at += n
	return err
}

// strips turns the samples of one page into the bytes of its strips.
func (e *encoder) strips(values any) ([][]byte, error) {
	var out [][]byte
	perRow := e.l.w * e.l.samples
	for y := 0; y < e.l.h; y += e.l.rows {
		end := min(y+e.l.rows, e.l.h)
		raw := littleEndian(pixel.Slice(values, y*perRow, end*perRow), e.l.typ, perRow)
		if e.o.Uncompressed {
			out = append(out, raw)
			continue
		}
		var b bytes.Buffer
		if e.z == nil {
			e.z = zlib.NewWriter(&b)
		} else {
			e.z.Reset(&b)
		}
		if _, err := e.z.Write(raw); err != nil {
			return nil, err
		}
		if err := e.z.Close(); err != nil {
			return nil, err
		}
		out = append(out, b.Bytes())
	}
	return out, nil
}

// littleEndian is the stored form of samples; rows of booleans are padded to bytes, most significant bit first.
func littleEndian(values any, t pixel.Type, perRow int) []byte {
	switch t {
	case pixel.Bool:
		v := values.([]uint8)
		row := (perRow + 7) / 8
		out := make([]byte, len(v)/perRow*row)
		for i, s := range v {
			if s != 0 {
				x := i % perRow
				out[i/perRow*row+x/8] |= 0x80 >> (x % 8)
			}
		}
		return out
	case pixel.Float16:
		v := values.([]float32)
		out := make([]byte, 0, 2*len(v))
		for _, s := range v {
			out = binary.LittleEndian.AppendUint16(out, pixel.ToHalf(s))
		}
		return out
	}
	out, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil { // only for types that are not Elements, which Check has refused
		return nil
	}
	return out
}

// page writes one directory, its long values and its strips.
func (e *encoder) page(strips [][]byte, text string, last bool) error {
	d := directory{big: e.big}
	d.long(tagImageWidth, e.l.w)
	d.long(tagImageLength, e.l.h)
	d.short(tagBitsPerSample, repeat(e.l.rawSample, e.l.samples)...)
	compression := codecNone
	if !e.o.Uncompressed {
		compression = codecDeflate
	}
	d.short(tagCompression, compression)
	photometric, extra := photoMinIsBlack, e.l.samples-1
	if e.l.rgb {
		photometric, extra = photoRGB, e.l.samples-3
	}
	d.short(tagPhotometric, photometric)
	if text != "" {
		d.ascii(tagImageDescription, text)
	}
	d.offsets(tagStripOffsets, len(strips))
	d.short(tagSamplesPerPixel, e.l.samples)
	d.long(tagRowsPerStrip, e.l.rows)
	d.counts(tagStripByteCounts, strips)
	e.resolution(&d)
	if extra > 0 {
		d.short(tagExtraSamples, repeat(0, extra)...)
	}
	d.short(tagSampleFormat, repeat(sampleFormat(e.l.typ), e.l.samples)...)
	return e.write(d.bytes(e.at, strips, last))
}

// resolution notes the pixel size: pixels per micrometre in ImageJ's way, pixels per centimetre in TIFF's.
func (e *encoder) resolution(d *directory) {
	if e.o.PixelUM <= 0 {
		return
	}
	per, unit := 1e4/e.o.PixelUM, 3
	if e.o.ImageJ {
		per, unit = 1/e.o.PixelUM, 1
	}
	d.rational(tagXResolution, per)
	d.rational(tagYResolution, per)
	d.short(tagResolutionUnit, unit)
}

func sampleFormat(t pixel.Type) int {
	switch {
	case t.IsFloat():
		return formatFloat
	case t == pixel.Int8 || t == pixel.Int16 || t == pixel.Int32 || t == pixel.Int64:
		return formatInt
	}
	return formatUint
}

func repeat(v, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = v
	}
	return out
}
