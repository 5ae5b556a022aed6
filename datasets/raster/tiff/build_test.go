package tiff

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/klauspost/compress/zlib"

	"coverslip/datasets/raster/pixel"
)

// variant is one way to store a page. Tests write pages in every way that the decoder reads, with code of their own.
type variant struct {
	order       byteOrder
	big         bool
	typ         pixel.Type
	compression int
	predictor   int
	tile        int // side of tiles, 0 for strips
	rows        int // rows per strip
	planar      bool
	lowBitFirst bool
	samples     int
	h, w        int
}

// build writes a TIFF of one page whose samples, in Y X S or S Y X order, are values.
func (v variant) build(values any) []byte {
	var pieces [][]byte
	planes, lanes := 1, v.samples
	if v.planar {
		planes, lanes = v.samples, 1
	}
	segW, segH := v.w, v.rows
	if v.tile > 0 {
		segW, segH = v.tile, v.tile
	}
	for p := range planes {
		for y := 0; y < v.h; y += segH {
			for x := 0; x < v.w; x += segW {
				rows := segH
				if v.tile == 0 {
					rows = min(segH, v.h-y)
				}
				pieces = append(pieces, v.piece(values, p, x, y, segW, rows, lanes))
			}
		}
	}
	return v.file(pieces, segW, segH)
}

// piece stores one strip or tile; what lies outside the page is zero.
func (v variant) piece(values any, plane, x0, y0, w, h, lanes int) []byte {
	var out []byte
	for y := y0; y < y0+h; y++ {
		var row []uint64
		for x := x0; x < x0+w; x++ {
			for s := range lanes {
				bits := uint64(0)
				if x < v.w && y < v.h {
					bits = pattern(values, v.typ, (plane*v.h*v.w+y*v.w+x)*lanes+s)
				}
				row = append(row, bits)
			}
		}
		out = append(out, v.row(row, lanes)...)
	}
	switch v.compression {
	case codecDeflate:
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		z.Write(out)
		z.Close()
		out = b.Bytes()
	case codecPackBits:
		out = literalPackBits(out)
	case codecLZW:
		out = literalLZW(out)
	}
	if v.lowBitFirst {
		reverseBits(out)
	}
	return out
}

// row stores the bit patterns of one row, with the predictor applied.
func (v variant) row(row []uint64, lanes int) []byte {
	size := v.typ.Size()
	if v.typ == pixel.Bool {
		out := make([]byte, (len(row)+7)/8)
		for i, b := range row {
			out[i/8] |= byte(b) << (7 - i%8)
		}
		return out
	}
	if v.predictor == 2 {
		for i := len(row) - 1; i >= lanes; i-- {
			row[i] -= row[i-lanes]
		}
	}
	var out []byte
	for _, b := range row {
		var eight [8]byte
		v.order.PutUint64(eight[:], b)
		if v.order == byteOrder(binary.LittleEndian) {
			out = append(out, eight[:size]...)
		} else {
			out = append(out, eight[8-size:]...)
		}
	}
	if v.predictor != 3 {
		return out
	}
	shuffled := make([]byte, len(out)) // all highest bytes first
	for i, b := range row {
		for k := range size {
			shuffled[k*len(row)+i] = byte(b >> (8 * (size - 1 - k)))
		}
	}
	for i := len(shuffled) - 1; i >= lanes; i-- {
		shuffled[i] -= shuffled[i-lanes]
	}
	return shuffled
}

// pattern is the stored bits of sample i.
func pattern(values any, t pixel.Type, i int) uint64 {
	switch v := pixel.Slice(values, i, i+1).(type) {
	case []uint8:
		return uint64(v[0])
	case []int8:
		return uint64(uint8(v[0]))
	case []uint16:
		return uint64(v[0])
	case []int16:
		return uint64(uint16(v[0]))
	case []uint32:
		return uint64(v[0])
	case []int32:
		return uint64(uint32(v[0]))
	case []uint64:
		return v[0]
	case []int64:
		return uint64(v[0])
	case []float32:
		if t == pixel.Float16 {
			return uint64(pixel.ToHalf(v[0]))
		}
		return uint64(math.Float32bits(v[0]))
	case []float64:
		return math.Float64bits(v[0])
	}
	return 0
}

func literalPackBits(b []byte) (out []byte) {
	for len(b) > 0 {
		n := min(len(b), 128)
		out = append(append(out, byte(n-1)), b[:n]...)
		b = b[n:]
	}
	return out
}

// literalLZW writes every byte as its own 9-bit code and clears the table before codes grow.
func literalLZW(b []byte) []byte {
	var out []byte
	acc, n := uint32(0), 0
	put := func(code uint32) {
		acc, n = acc<<9|code, n+9
		for n >= 8 {
			out = append(out, byte(acc>>(n-8)))
			n -= 8
		}
	}
	for i, c := range b {
		if i%200 == 0 {
			put(256)
		}
		put(uint32(c))
	}
	put(257)
	return append(out, byte(acc<<(8-n)))
}

// file joins pieces and directory.
func (v variant) file(pieces [][]byte, segW, segH int) []byte {
	head := 8
	if v.big {
		head = 16
	}
	body := make([]byte, head)
	var offsets, counts []int
	for _, p := range pieces {
		offsets, counts = append(offsets, len(body)), append(counts, len(p))
		body = append(body, p...)
	}
	planar, fill := 1, 1
	if v.planar {
		planar = 2
	}
	if v.lowBitFirst {
		fill = 2
	}
	bits := v.typ.Size() * 8
	if v.typ == pixel.Bool {
		bits = 1
	}
	tags := []tagValues{{tagImageWidth, []int{v.w}}, {tagImageLength, []int{v.h}}, {tagBitsPerSample, repeat(bits, v.samples)}, {tagCompression, []int{v.compression}},
		{tagPhotometric, []int{1}}, {tagFillOrder, []int{fill}}, {tagSamplesPerPixel, []int{v.samples}}, {tagPlanarConfig, []int{planar}}, {tagPredictor, []int{max(v.predictor, 1)}},
		{tagSampleFormat, repeat(sampleFormat(v.typ), v.samples)}}
	if v.tile > 0 {
		tags = append(tags, tagValues{tagTileWidth, []int{segW}}, tagValues{tagTileLength, []int{segH}}, tagValues{tagTileOffsets, offsets}, tagValues{tagTileByteCounts, counts})
	} else {
		tags = append(tags, tagValues{tagStripOffsets, offsets}, tagValues{tagRowsPerStrip, []int{segH}}, tagValues{tagStripByteCounts, counts})
	}
	return v.directory(body, tags)
}

type tagValues struct {
	tag    int
	values []int
}

// directory appends the table, all values as LONG behind it, and fills in the header.
func (v variant) directory(body []byte, tags []tagValues) []byte {
	o := v.order
	var long []byte
	start := len(body)
	pointer, width, count := 4, 12, 2
	if v.big {
		pointer, width, count = 8, 20, 8
	}
	longAt := start + count + width*len(tags) + pointer
	put := func(b []byte, n int) []byte {
		if v.big {
			return o.AppendUint64(b, uint64(n))
		}
		return o.AppendUint32(b, uint32(n))
	}
	if v.big {
		body = o.AppendUint64(body, uint64(len(tags)))
	} else {
		body = o.AppendUint16(body, uint16(len(tags)))
	}
	for _, t := range tags {
		body = o.AppendUint16(o.AppendUint16(body, uint16(t.tag)), kindLong)
		body = put(body, len(t.values))
		if len(t.values)*4 <= pointer {
			inline := make([]byte, 0, 8)
			for _, n := range t.values {
				inline = o.AppendUint32(inline, uint32(n))
			}
			body = append(body, append(inline, 0, 0, 0, 0, 0, 0, 0, 0)[:pointer]...)
			continue
		}
		body = put(body, longAt+len(long))
		for _, n := range t.values {
			long = o.AppendUint32(long, uint32(n))
		}
	}
	body = append(put(body, 0), long...)
	copy(body, "II")
	if o == byteOrder(binary.BigEndian) {
		copy(body, "MM")
	}
	if v.big {
		o.PutUint16(body[2:], 43)
		o.PutUint16(body[4:], 8)
		o.PutUint64(body[8:], uint64(start))
	} else {
		o.PutUint16(body[2:], 42)
		o.PutUint32(body[4:], uint32(start))
	}
	return body
}
