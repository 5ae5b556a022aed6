package demo

import (
	"bytes"
	"encoding/binary"
	"math"
)

// zeiss is a Zeiss LSM file under construction: planes of uint16, each page holding the channels of one slice of one tile
// one after the other, and behind each page a thumbnail (spec/formats.md 2).
type zeiss struct {
	h, w, z   int
	channels  []string
	pixelUM   float64
	stepUM    float64
	tiles     [][2]float64 // upper left corners in micrometres, y and x; nil for one plane that is no mosaic
	pages     [][]uint16   // tile by tile, slice by slice: C Y X
	out       bytes.Buffer
	infoPlace int
}

// Places in the information block (tag 34412), which is infoLength bytes long.
const (
	infoLength, infoMagic                   = 400, 0x0400494c
	infoDims, infoVoxel, infoColours        = 8, 40, 108
	infoTileCount, infoTilePlace            = 268, 336
	tagLSM, kindByte, kindShort, kindLong   = 34412, 1, 3, 4
	tagSubfile, tagWidth, tagLength         = 254, 256, 257
	tagBits, tagCompression, tagPhotometric = 258, 259, 262
	tagOffsets, tagSamples, tagRows         = 273, 277, 278
	tagCounts, tagPlanar                    = 279, 284
)

// bytes lays the file out: header, tables, then page after page.
func (f *zeiss) bytes() []byte {
	f.out.Write([]byte{'I', 'I', 42, 0, 0, 0, 0, 0})
	f.info()
	pointer := 4
	for i, page := range f.pages {
		pointer = f.page(pointer, page, i == 0)
		pointer = f.thumbnail(pointer, page)
	}
	return f.out.Bytes()
}

// info writes the information block and the tables that it points to.
func (f *zeiss) info() {
	o := binary.LittleEndian
	block := make([]byte, infoLength)
	put := func(at, v int) { o.PutUint32(block[at:], uint32(v)) }
	put(0, infoMagic)
	put(4, infoLength)
	for i, v := range []int{f.w, f.h, f.z, len(f.channels), 1, 2, 4, 4} {
		put(infoDims+4*i, v)
	}
	for i, v := range []float64{f.pixelUM, f.pixelUM, f.stepUM} {
		o.PutUint64(block[infoVoxel+8*i:], math.Float64bits(v/1e6))
	}
	put(infoColours, f.out.Len())
	f.colours()
	if f.tiles != nil {
		put(infoTileCount, len(f.tiles))
		put(infoTilePlace, f.out.Len())
		table := o.AppendUint32(nil, uint32(len(f.tiles)))
		for _, t := range f.tiles {
			for _, v := range []float64{t[1], t[0], 0} {
				table = o.AppendUint64(table, math.Float64bits(v/1e6))
			}
		}
		f.out.Write(table)
	}
	f.infoPlace = f.out.Len()
	f.out.Write(block)
}

// colours writes the names of the channels and what they are shown in.
func (f *zeiss) colours() {
	o := binary.LittleEndian
	shown := [][4]byte{{0, 255, 0, 0}, {255, 0, 0, 0}, {0, 64, 255, 0}, {255, 0, 255, 0}}
	var names []byte
	for _, n := range f.channels {
		names = o.AppendUint32(names, uint32(len(n)+1))
		names = append(append(names, n...), 0)
	}
	n := len(f.channels)
	var b []byte
	for _, v := range []int{24 + 4*n + len(names), n, n, 24, 24 + 4*n, 0} {
		b = o.AppendUint32(b, uint32(v))
	}
	for i := range n {
		b = append(b, shown[i%len(shown)][:]...)
	}
	f.out.Write(append(b, names...))
	if f.out.Len()%2 == 1 {
		f.out.WriteByte(0)
	}
}

// page writes the planes of a page and its directory, whose place goes to the pointer. It returns the next pointer.
func (f *zeiss) page(pointer int, values []uint16, first bool) int {
	at, n := f.out.Len(), len(f.channels)
	plane := 2 * f.h * f.w
	raw, _ := binary.Append( // fails for other types only
		make([]byte, 0, len(values)*2), binary.LittleEndian, values)
	f.out.Write(raw)
	offsets, counts, bits := f.out.Len(), f.out.Len()+4*n, f.out.Len()+8*n
	o := binary.LittleEndian
	var lists []byte
	for c := range n {
		lists = o.AppendUint32(lists, uint32(at+c*plane))
	}
	for range n {
		lists = o.AppendUint32(lists, uint32(plane))
	}
	for range n {
		lists = o.AppendUint16(lists, 16)
	}
	f.out.Write(lists)
	tags := [][4]int{{tagSubfile, kindLong, 1, 0}, {tagWidth, kindLong, 1, f.w}, {tagLength, kindLong, 1, f.h}, {tagBits, kindShort, n, bits},
		{tagCompression, kindShort, 1, 1}, {tagPhotometric, kindShort, 1, 2}, {tagOffsets, kindLong, n, offsets}, {tagSamples, kindShort, 1, n},
		{tagRows, kindLong, 1, f.h}, {tagCounts, kindLong, n, counts}, {tagPlanar, kindShort, 1, 2}}
	if first {
		tags = append(tags, [4]int{tagLSM, kindByte, infoLength, f.infoPlace})
	}
	return f.directory(pointer, tags)
}

// thumbnail writes a page's first channel at 4 x 4 pixels and 8 bits.
func (f *zeiss) thumbnail(pointer int, values []uint16) int {
	at := f.out.Len()
	for y := range 4 {
		for x := range 4 {
			v := values[(y*f.h/4+f.h/8)*f.w+x*f.w/4+f.w/8]
			f.out.WriteByte(byte(min(255, v/16)))
		}
	}
	return f.directory(pointer, [][4]int{{tagSubfile, kindLong, 1, 1}, {tagWidth, kindLong, 1, 4}, {tagLength, kindLong, 1, 4}, {tagBits, kindShort, 1, 8},
		{tagCompression, kindShort, 1, 1}, {tagPhotometric, kindShort, 1, 1}, {tagOffsets, kindLong, 1, at}, {tagSamples, kindShort, 1, 1},
		{tagRows, kindLong, 1, 4}, {tagCounts, kindLong, 1, 16}})
}

// directory writes tags of number, kind, count and value.
func (f *zeiss) directory(pointer int, tags [][4]int) int {
	o := binary.LittleEndian
	at := f.out.Len()
	o.PutUint32(f.out.Bytes()[pointer:], uint32(at))
	b := o.AppendUint16(nil, uint16(len(tags)))
	for _, t := range tags {
		b = o.AppendUint16(o.AppendUint16(b, uint16(t[0])), uint16(t[1]))
		b = o.AppendUint32(o.AppendUint32(b, uint32(t[2])), uint32(t[3]))
	}
	next := at + len(b)
	f.out.Write(o.AppendUint32(b, 0))
	return next
}
