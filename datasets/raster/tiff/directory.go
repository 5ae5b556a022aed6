package tiff

import (
	"math"
)

// entry is one line of a directory: a tag, its field type, the number of values and where they are.
type entry struct {
	tag, kind uint16
	count     uint64
	at        int64 // file offset of the values, in the entry itself when they fit there
}

// fits tells whether the values lie inside the file.
func (e entry) fits(size int64) bool {
	n := e.bytes()
	return n >= 0 && e.at >= 0 && e.at <= size && n <= size-e.at
}

// bytes is the length of all values; -1 for unknown types and for counts that overflow.
func (e entry) bytes() int64 {
	if int(e.kind) >= len(kindSize) || kindSize[e.kind] == 0 || e.count > math.MaxInt64/16 {
		return -1
	}
	return int64(e.count) * int64(kindSize[e.kind])
}

// maxEntries is the number of directory entries from which the reference's reader refuses a page (spec/formats.md 13.7).
const maxEntries = 4096

// table is the place and number of the entries of one directory.
type table struct {
	at    int64 // of the first entry
	count int
	width int // bytes per entry
}

// openTable reads the number of entries of the directory at an offset.
func (f *File) openTable(w *window, at int64) (table, bool) {
	head, width := 2, 12
	if f.Big {
		head, width = 8, 20
	}
	b, ok := w.bytes(at, head)
	if !ok {
		return table{}, false
	}
	n := uint64(f.order.Uint16(b))
	if f.Big {
		n = f.order.Uint64(b)
	}
	if n > uint64(f.size)/uint64(width) {
		return table{}, false
	}
	return table{at: at + int64(head), count: int(n), width: width}, true
}

// whole tells whether all entries and the pointer to the next directory lie in the file.
func (f *File) whole(t table) bool { return t.at+int64(t.count*t.width)+f.pointerSize() <= f.size }

func (f *File) pointerSize() int64 {
	if f.Big {
		return 8
	}
	return 4
}

// each calls visit for every entry of a directory; it stops early where the file ends.
func (f *File) each(w *window, t table, visit func(entry)) {
	const batch = 64 // entries read at once, so that visit may use the window too
	var copied [batch * 20]byte
	for i := 0; i < t.count; i += batch {
		n := min(batch, t.count-i)
		b, ok := w.bytes(t.at+int64(i*t.width), n*t.width)
		if !ok {
			return
		}
		copy(copied[:], b)
		for k := range n {
			visit(f.entry(copied[k*t.width:][:t.width], t.at+int64((i+k)*t.width)))
		}
	}
}

// entry decodes one line of the table, which lies at an offset.
func (f *File) entry(b []byte, at int64) entry {
	e := entry{tag: f.order.Uint16(b), kind: f.order.Uint16(b[2:])}
	if f.Big {
		e.count, e.at = f.order.Uint64(b[4:]), at+12
		if n := e.bytes(); n > 8 || n < 0 {
			e.at = int64(f.order.Uint64(b[12:]))
		}
		return e
	}
	e.count, e.at = uint64(f.order.Uint32(b[4:])), at+8
	if n := e.bytes(); n > 4 || n < 0 {
		e.at = int64(f.order.Uint32(b[8:]))
	}
	return e
}

// ints reads up to limit values as whole numbers; nothing when the entry does not fit into the file. Numbers above
// 2^63 become negative.
func (f *File) ints(w *window, e entry, limit int) []int64 {
	if !e.fits(f.size) {
		return nil
	}
	n := int(min(e.count, uint64(limit)))
	size := kindSize[e.kind]
	b, ok := w.bytes(e.at, n*size)
	if !ok {
		return nil
	}
	out := make([]int64, n)
	for i := range out {
		v := b[i*size:]
		switch e.kind {
		case kindByte, kindUndefined, kindASCII:
			out[i] = int64(v[0])
		case kindSByte:
			out[i] = int64(int8(v[0]))
		case kindShort:
			out[i] = int64(f.order.Uint16(v))
		case kindSShort:
			out[i] = int64(int16(f.order.Uint16(v)))
		case kindLong, kindIFD:
			out[i] = int64(f.order.Uint32(v))
		case kindSLong:
			out[i] = int64(int32(f.order.Uint32(v)))
		case kindLong8, kindSLong8, kindIFD8:
			out[i] = int64(f.order.Uint64(v))
		case kindFloat:
			out[i] = int64(math.Float32frombits(f.order.Uint32(v)))
		case kindDouble:
			out[i] = int64(math.Float64frombits(f.order.Uint64(v)))
		}
	}
	return out
}

// int reads the first value of an entry, or gives the default.
func (f *File) int(w *window, e entry, otherwise int) int {
	if v := f.ints(w, e, 1); len(v) > 0 {
		return int(v[0])
	}
	return otherwise
}

// maxText is the longest description or metadata block that is read: 64 MiB, OME-XML of very long movies included.
const maxText = 1 << 26

// Tag is the values of one entry of a page's directory, read anew from the file.
type Tag struct {
	Ints  []int64
	Text  string  // for text and bytes, up to the first zero
	Ratio float64 // for rationals; NaN when the denominator is 0
	Bytes []byte  // for bytes
}

// Tag reads an entry of a page's directory; ok is false when there is none or its values lie outside the file. With
// several entries of the same tag the nth counts.
func (f *File) Tag(p *Page, tag int, nth int) (Tag, bool) {
	w := f.window()
	t, ok := f.openTable(w, p.at)
	if !ok {
		return Tag{}, false
	}
	var found *entry
	f.each(w, t, func(e entry) {
		if int(e.tag) == tag {
			if nth == 0 {
				found = &e
			}
			nth--
		}
	})
	if found == nil || !found.fits(f.size) || found.bytes() > maxText {
		return Tag{}, false
	}
	return f.values(w, *found), true
}

func (f *File) values(w *window, e entry) Tag {
	switch e.kind {
	case kindASCII, kindByte, kindUndefined:
		b, ok := w.bytes(e.at, int(e.bytes()))
		if !ok {
			return Tag{}
		}
		t := Tag{Bytes: append([]byte(nil), b...)}
		t.Text = cString(t.Bytes)
		if e.kind == kindByte && e.count < 1<<16 {
			t.Ints = f.ints(w, e, int(e.count))
		}
		return t
	case kindRational, kindSRational:
		b, ok := w.bytes(e.at, 8)
		if !ok {
			return Tag{Ratio: math.NaN()}
		}
		num, den := float64(f.order.Uint32(b)), float64(f.order.Uint32(b[4:]))
		if den == 0 {
			return Tag{Ratio: math.NaN()}
		}
		return Tag{Ratio: num / den}
	case kindFloat, kindDouble:
		b, ok := w.bytes(e.at, kindSize[e.kind])
		if !ok {
			return Tag{Ratio: math.NaN()}
		}
		if e.kind == kindFloat {
			return Tag{Ratio: float64(math.Float32frombits(f.order.Uint32(b)))}
		}
		return Tag{Ratio: math.Float64frombits(f.order.Uint64(b))}
	}
	return Tag{Ints: f.ints(w, e, 1<<24)}
}

func cString(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}

func (f *File) window() *window { return &window{r: f.r, size: f.size} }
