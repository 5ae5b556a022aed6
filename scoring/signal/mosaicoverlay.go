package signal

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

// Tags of a page that the way from stored bytes to samples depends on.
const (
	tagWidth, tagHeight, tagBits, tagCompression = 256, 257, 258, 259
	tagPhotometric, tagFillOrder, tagSamples     = 262, 266, 277
	tagRowsPerStrip, tagStripCounts, tagPlanar   = 278, 279, 284
	tagPredictor, tagTileWidth, tagTileHeight    = 317, 322, 323
	tagTileCounts, tagExtraSamples, tagFormat    = 325, 338, 339
	tagTables, tagSubsampling, tagLSM            = 347, 530, 34412
)

// decodedWhole is up to how many bytes of pixels a plane is decoded as a whole, so that damage anywhere in it comes to
// light, as for the reference. Of larger compressed planes the strips or tiles of the band alone are decoded.
const decodedWhole = 4 << 20

// overlay is a page that holds the strips or tiles of some rows of another: a TIFF directory, before the other's file.
type overlay struct {
	head []byte
	file io.ReaderAt
}

// ReadAt reads from the directory, then from the file.
func (o overlay) ReadAt(p []byte, at int64) (n int, err error) {
	if at < int64(len(o.head)) {
		n = copy(p, o.head[at:])
	}
	if n < len(p) {
		m, err := o.file.ReadAt(p[n:], at+int64(n)-int64(len(o.head)))
		return n + m, err
	}
	return n, nil
}

// readCompressedRows decodes rows y0 to y1-1 of a page, or of sample k of a planar page, width elements each, from the
// strips or tiles that they lie in. ok is false for pages where that is not possible or not worth it.
func readCompressedRows(ctx context.Context, fr tiff.Frame, src source, k, y0, y1, width int) (values any, ok bool, err error) {
	l := fr.Page.Layout
	if src.ReaderAt == nil || l.Height*width*l.Type.Size() <= decodedWhole || y1 <= y0 {
		return nil, false, nil
	}
	top := y0 / l.SegH * l.SegH
	bottom := min(l.Height, (y1+l.SegH-1)/l.SegH*l.SegH)
	if bottom-top == l.Height {
		return nil, false, nil
	}
	head := overlayHead(fr, src, k, top, bottom)
	if head == nil {
		return nil, false, nil
	}
	f, err := tiff.Open(overlay{head, src}, int64(len(head))+src.size, "")
	if err != nil || len(f.Pages) == 0 {
		return nil, false, nil
	}
	page := f.Pages[0]
	if p := page.Layout; p.Type != l.Type || p.Width != l.Width || p.Height != bottom-top || p.Elements() != (bottom-top)*width {
		return nil, false, nil
	}
	values = pixel.New(l.Type, (bottom-top)*width)
	if _, err := f.Read(ctx, page, values, tiff.Request{Sample: -1, Strict: true}); err != nil {
		return nil, true, err
	}
	return pixel.Slice(values, (y0-top)*width, (y1-top)*width), true, nil
}

// overlayHead is a directory, in the form of BigTIFF, of the strips or tiles of rows top to bottom-1, whose places are
// those in the file plus its own length; nil where the page does not say all of it.
func overlayHead(fr tiff.Frame, src source, k, top, bottom int) []byte {
	l := fr.Page.Layout
	get := func(tag int) []int64 { t, _ := fr.File.Tag(fr.Page, tag, 0); return t.Ints }
	offsetsAt, countsAt := tagStripOffsets, tagStripCounts
	if l.Tiled {
		offsetsAt, countsAt = tagTileOffsets, tagTileCounts
	}
	offsets, counts := get(offsetsAt), get(countsAt)
	nx, ny := (l.Width+l.SegW-1)/l.SegW, (l.Height+l.SegH-1)/l.SegH
	first := max(k, 0)*nx*ny + top/l.SegH*nx
	last := first + (bottom-top+l.SegH-1)/l.SegH*nx
	if _, isLSM := fr.File.Tag(fr.Page, tagLSM, 0); isLSM || len(offsets) < last || len(counts) < last {
		return nil // the counts of LSM are others than it says
	}
	d := directory{order: binary.LittleEndian, mark: "II"}
	if src.bigEndian {
		d = directory{order: binary.BigEndian, mark: "MM"}
	}
	d.add(tagWidth, int64(l.Width))
	d.add(tagHeight, int64(bottom-top))
	for _, tag := range []int{tagBits, tagCompression, tagPhotometric, tagFillOrder, tagSamples, tagPlanar, tagPredictor, tagExtraSamples, tagFormat, tagSubsampling} {
		values := get(tag)
		if k >= 0 { // one sample, like a page of its own
			switch tag {
			case tagPhotometric, tagSamples, tagPlanar:
				values = []int64{1}
			case tagBits, tagFormat:
				values = values[:min(1, len(values))]
			case tagExtraSamples, tagSubsampling:
				values = nil
			}
		}
		d.add(tag, values...)
	}
	if l.Tiled {
		d.add(tagTileWidth, int64(l.SegW))
		d.add(tagTileHeight, int64(l.SegH))
	} else {
		d.add(tagRowsPerStrip, int64(l.SegH))
	}
	if t, ok := fr.File.Tag(fr.Page, tagTables, 0); ok {
		d.entries = append(d.entries, entry{tag: tagTables, kind: kindUndefined, bytes: t.Bytes, count: len(t.Bytes)})
	}
	d.add(countsAt, counts[first:last]...)
	d.shifted = offsetsAt
	d.add(offsetsAt, offsets[first:last]...)
	return d.encode()
}

const kindUndefined, kindLong8 = 7, 16

// directory collects the entries of a page.
type directory struct {
	order   binary.ByteOrder
	mark    string
	entries []entry
	shifted int // the tag whose values are places in the file behind
}

type entry struct {
	tag, kind, count int
	values           []int64
	bytes            []byte
}

// add notes whole numbers; none are no entry.
func (d *directory) add(tag int, values ...int64) {
	if len(values) > 0 {
		d.entries = append(d.entries, entry{tag: tag, kind: kindLong8, count: len(values), values: values})
	}
}

// encode writes header, entries and the values that do not fit into them.
func (d *directory) encode() []byte {
	const header, each = 16, 20
	size := header + 8 + each*len(d.entries) + 8
	for _, e := range d.entries {
		size += 8 * (len(e.values) + (len(e.bytes)+7)/8)
	}
	head := bytes.NewBufferString(d.mark)
	put := func(v any) { binary.Write(head, d.order, v) } // a buffer takes all
	put([]uint16{43, 8, 0})
	put(uint64(header))
	put(uint64(len(d.entries)))
	var behind bytes.Buffer
	start := header + 8 + each*len(d.entries) + 8
	for _, e := range d.entries {
		content := make([]byte, 0, 8*len(e.values))
		for _, v := range e.values {
			if e.tag == d.shifted && v != 0 { // 0 is a piece that is left out
				v += int64(size)
			}
			content = d.order.(binary.AppendByteOrder).AppendUint64(content, uint64(v))
		}
		content = append(content, e.bytes...)
		content = append(content, make([]byte, -len(content)&7)...)
		put([]uint16{uint16(e.tag), uint16(e.kind)})
		put(uint64(e.count))
		if len(content) <= 8 {
			head.Write(append(content, make([]byte, 8-len(content))...))
			behind.Write(make([]byte, len(content))) // keeps the size as reckoned
			continue
		}
		put(uint64(start + behind.Len()))
		behind.Write(content)
	}
	put(uint64(0))
	return append(head.Bytes(), behind.Bytes()...)
}
