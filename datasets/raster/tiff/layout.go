package tiff

import (
	"fmt"
	"math"

	"coverslip/datasets/raster/pixel"
)

// Layout is how the samples of a page are stored. It is comparable: equal pages share one.
type Layout struct {
	Width, Height int
	Samples       int
	Bits          int
	Type          pixel.Type // element type that the samples are held in
	Planar        bool       // samples one plane after the other: axes S Y X; otherwise Y X S
	Photometric   int
	Compression   int
	Predictor     int
	LowBitFirst   bool // FillOrder 2
	Tiled         bool
	SegW, SegH    int  // of a tile, or the width and the rows of a strip
	Subfile       int  // NewSubfileType: bit 0 reduced, bit 2 mask
	Extra         int  // number of extra samples
	Alpha         bool // the first extra sample is alpha
	SubX, SubY    int  // YCbCr subsampling
	Orientation   int
	Fax           int  // T4Options of CCITT Group 3: bit 0 two-dimensional, bit 2 filled to bytes
	FromCounts    bool // byte counts are present

	problem string // why samples cannot be read, "" when they can
	broken  bool   // the problem is a contradiction, not a missing ability
}

// draft collects what a directory says until all of it is known.
type draft struct {
	width, height                           int
	bits, formats                           []int64
	compression, photometric, fill          int
	samples, rows, planar, predictor        int
	tileW, tileH, subfile, orientation, fax int
	extra                                   []int64
	subsampling                             []int64
	depth                                   int
}

func newDraft() draft {
	return draft{width: -1, height: -1, compression: codecNone, photometric: -1, fill: 1, samples: 1, rows: -1, planar: 1,
		predictor: 1, tileW: -1, tileH: -1, orientation: 1, depth: 1}
}

// take notes one entry.
func (d *draft) take(f *File, w *window, e entry) {
	switch e.tag {
	case tagNewSubfileType:
		d.subfile = f.int(w, e, 0)
	case tagImageWidth:
		d.width = f.int(w, e, -1)
	case tagImageLength:
		d.height = f.int(w, e, -1)
	case tagBitsPerSample:
		d.bits = f.ints(w, e, 64)
	case tagCompression:
		d.compression = f.int(w, e, codecNone)
	case tagPhotometric:
		d.photometric = f.int(w, e, -1)
	case tagFillOrder:
		d.fill = f.int(w, e, 1)
	case tagOrientation:
		d.orientation = f.int(w, e, 1)
	case tagSamplesPerPixel:
		d.samples = f.int(w, e, 1)
	case tagRowsPerStrip:
		d.rows = f.int(w, e, -1)
	case tagPlanarConfig:
		d.planar = f.int(w, e, 1)
	case tagPredictor:
		d.predictor = f.int(w, e, 1)
	case tagTileWidth:
		d.tileW = f.int(w, e, 0)
	case tagTileLength:
		d.tileH = f.int(w, e, 0)
	case tagExtraSamples:
		d.extra = f.ints(w, e, 64)
	case tagSampleFormat:
		d.formats = f.ints(w, e, 64)
	case tagT4Options:
		d.fax = f.int(w, e, 0)
	case tagYCbCrSubSampling:
		d.subsampling = f.ints(w, e, 2)
	case tagImageDepth:
		d.depth = f.int(w, e, 1)
	}
}

// layout draws the conclusions. It fails only where nothing can be said of the page at all.
func (d *draft) layout(f *File, p *Page, where string) (Layout, error) {
	if d.width <= 0 || d.height <= 0 {
		return Layout{}, f.malformed(where, fmt.Sprintf("a size of %d x %d pixels", max(d.width, 0), max(d.height, 0)), "a width and a height")
	}
	if p.offsets.tag == 0 {
		return Layout{}, f.malformed(where, "no offsets of strips or tiles", "where the pixels are")
	}
	l := Layout{Width: d.width, Height: d.height, Samples: d.samples, Planar: d.planar == 2 && d.samples > 1, Photometric: d.photometric,
		Compression: d.compression, Predictor: d.predictor, LowBitFirst: d.fill == 2, Subfile: d.subfile, Extra: len(d.extra),
		Alpha: len(d.extra) > 0 && d.extra[0] != 0, SubX: 2, SubY: 2, Orientation: d.orientation, Fax: d.fax, FromCounts: p.counts.tag != 0}
	if len(d.subsampling) == 2 {
		l.SubX, l.SubY = int(d.subsampling[0]), int(d.subsampling[1])
	}
	if l.Photometric < 0 {
		l.Photometric = photoMinIsBlack
	}
	d.segments(&l)
	d.element(&l)
	return l, nil
}

func (d *draft) segments(l *Layout) {
	if d.tileW >= 0 || d.tileH >= 0 {
		l.Tiled, l.SegW, l.SegH = true, d.tileW, d.tileH
		if l.SegW <= 0 || l.SegH <= 0 {
			l.fail(true, "tiles of size %d x %d", l.SegW, l.SegH)
		}
		return
	}
	l.SegW, l.SegH = l.Width, l.Height
	if d.rows > 0 && d.rows < l.Height {
		l.SegH = d.rows
	}
}

// element finds the element type, or the reason why there is none.
func (d *draft) element(l *Layout) {
	bits := int64(1)
	for i, b := range d.bits {
		if i == 0 {
			bits = b
		} else if b != bits && i < l.Samples {
			l.fail(false, "samples of %d and %d bits in one page", bits, b)
		}
	}
	l.Bits = int(bits)
	format := int64(formatUint)
	for i, v := range d.formats {
		if i == 0 {
			format = v
		} else if v != format && i < l.Samples {
			l.fail(false, "sample formats %d and %d in one page", format, v)
		}
	}
	if l.Samples < 1 {
		l.fail(true, "%d samples per pixel", l.Samples)
	}
	if bits <= 0 {
		l.fail(true, "%d bits per sample", bits)
	}
	if d.depth > 1 {
		l.fail(false, "pages of %d slices (SGI volumes)", d.depth)
	}
	if format == formatComplexInt || format == formatComplexFloat {
		l.fail(false, "complex numbers")
		return
	}
	t, ok := elementType(int(bits), int(format))
	if !ok {
		l.fail(false, "%d-bit %s samples", bits, formatName(int(format)))
		return
	}
	l.Type = t
	if l.Photometric == photoYCbCr && l.Compression != codecJPEG && (l.SubX > 1 || l.SubY > 1) && l.Samples == 3 {
		l.fail(false, "subsampled YCbCr colours")
	}
}

func (l *Layout) fail(broken bool, format string, args ...any) {
	if l.problem == "" {
		l.problem, l.broken = fmt.Sprintf(format, args...), broken
	}
}

func elementType(bits, format int) (pixel.Type, bool) {
	switch format {
	case formatFloat:
		switch bits {
		case 16:
			return pixel.Float16, true
		case 32:
			return pixel.Float32, true
		case 64:
			return pixel.Float64, true
		}
		return 0, false
	case formatInt:
		switch bits {
		case 8:
			return pixel.Int8, true
		case 16:
			return pixel.Int16, true
		case 32:
			return pixel.Int32, true
		case 64:
			return pixel.Int64, true
		}
		return 0, false
	}
	switch bits {
	case 1:
		return pixel.Bool, true
	case 2, 4, 8:
		return pixel.Uint8, true
	case 16:
		return pixel.Uint16, true
	case 32:
		return pixel.Uint32, true
	case 64:
		return pixel.Uint64, true
	}
	return 0, false
}

func formatName(format int) string {
	switch format {
	case formatFloat:
		return "floating point"
	case formatInt:
		return "signed"
	}
	return "packed"
}

// Shape is the page's array shape and axes: Y X, Y X S or S Y X.
func (l *Layout) Shape() ([]int, string) {
	switch {
	case l.Samples == 1:
		return []int{l.Height, l.Width}, "YX"
	case l.Planar:
		return []int{l.Samples, l.Height, l.Width}, "SYX"
	}
	return []int{l.Height, l.Width, l.Samples}, "YXS"
}

// Elements is the number of samples of a page; it sticks at the largest int.
func (l *Layout) Elements() int { return product(l.Width, l.Height, l.Samples) }

// Bytes is the size of a page's samples without compression, in memory order; it sticks at the largest int.
func (l *Layout) Bytes() int { return product(l.Width, l.Height, l.Samples, l.Type.Size()) }

// product multiplies sizes that are not negative; it sticks at the largest int.
func product(sizes ...int) int {
	n := 1
	for _, s := range sizes {
		if s != 0 && n > math.MaxInt/s {
			return math.MaxInt
		}
		n *= s
	}
	return n
}

// grid is the number of segments across, down and in the stack of planes.
func (l *Layout) grid() (nx, ny, np int) {
	nx, ny, np = (l.Width-1)/l.SegW+1, (l.Height-1)/l.SegH+1, 1
	if l.Planar {
		np = l.Samples
	}
	return
}

// lanes is the number of samples that lie side by side in a segment.
func (l *Layout) lanes() int {
	if l.Planar {
		return 1
	}
	return l.Samples
}

// rowBytes is the stored size of one row of a segment.
func (l *Layout) rowBytes() int {
	bits := product(l.SegW, l.lanes(), l.Bits)
	return bits/8 + (bits%8+7)/8
}

// Inks tells whether the samples are cyan, magenta, yellow and black, the largest number full ink.
func (l *Layout) Inks() bool {
	return l.Photometric == photoCMYK && l.Samples >= 4 && (l.Type == pixel.Uint8 || l.Type == pixel.Uint16)
}

// Colours tells whether the samples are a colour picture, red, green and blue first, and whether the fourth is opacity.
// Four or more samples of 16 bits without an alpha mark are most likely channels of a microscope (spec/formats.md 1.5).
func (l *Layout) Colours() (rgb, alpha bool) {
	if l.Samples < 3 || l.Photometric != photoRGB && l.Photometric != photoYCbCr {
		return false, false
	}
	alpha = l.Samples == 4 && l.Alpha
	return l.Samples == 3 || alpha || !l.Planar && l.Bits <= 8, alpha
}
