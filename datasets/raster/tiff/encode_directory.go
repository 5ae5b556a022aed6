package tiff

import (
	"encoding/binary"
	"math"
)

// directory collects the entries of one IFD in ascending tag order and lays them out.
type directory struct {
	big     bool
	entries []outEntry
}

type outEntry struct {
	tag, kind, count int
	value            []byte
	points           bool // the value is the list of strip offsets, known only when laid out
}

func (d *directory) add(tag, kind, count int, value []byte) {
	d.entries = append(d.entries, outEntry{tag: tag, kind: kind, count: count, value: value})
}

func (d *directory) short(tag int, vs ...int) {
	var b []byte
	for _, v := range vs {
		b = binary.LittleEndian.AppendUint16(b, uint16(v))
	}
	d.add(tag, kindShort, len(vs), b)
}

func (d *directory) long(tag int, v int) {
	d.add(tag, kindLong, 1, binary.LittleEndian.AppendUint32(nil, uint32(v)))
}

func (d *directory) ascii(tag int, s string) {
	d.add(tag, kindASCII, len(s)+1, append([]byte(s), 0))
}

// rational writes v as the closest fraction with a denominator that keeps about nine digits.
func (d *directory) rational(tag int, v float64) {
	den := 1.0
	for den < 1e6 && v*den*10 < math.MaxUint32 && v*den != math.Trunc(v*den) {
		den *= 10
	}
	b := binary.LittleEndian.AppendUint32(nil, uint32(math.Round(v*den)))
	d.add(tag, kindRational, 1, binary.LittleEndian.AppendUint32(b, uint32(den)))
}

func (d *directory) counts(tag int, strips [][]byte) {
	kind, b := d.pointerKind(), []byte(nil)
	for _, s := range strips {
		b = d.pointer(b, len(s))
	}
	d.add(tag, kind, len(strips), b)
}

func (d *directory) offsets(tag int, n int) {
	d.entries = append(d.entries, outEntry{tag: tag, kind: d.pointerKind(), count: n,
		value: make([]byte, n*d.pointerSize()), points: true})
}

func (d *directory) pointerSize() int {
	if d.big {
		return 8
	}
	return 4
}

func (d *directory) pointerKind() int {
	if d.big {
		return kindLong8
	}
	return kindLong
}

func (d *directory) pointer(b []byte, v int) []byte {
	if d.big {
		return binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return binary.LittleEndian.AppendUint32(b, uint32(v))
}

// bytes lays out the directory at file position at, then its long values, then the strips, padded to an even length.
func (d *directory) bytes(at int, strips [][]byte, last bool) []byte {
	table := 2 + 12*len(d.entries) + 4
	if d.big {
		table = 8 + 20*len(d.entries) + 8
	}
	long := 0
	for _, e := range d.entries {
		if len(e.value) > d.pointerSize() {
			long += len(e.value) + len(e.value)%2
		}
	}
	next := at + table + long
	for i := range d.entries {
		if e := &d.entries[i]; e.points {
			e.value = e.value[:0]
			pos := next
			for _, s := range strips {
				e.value = d.pointer(e.value, pos)
				pos += len(s) + len(s)%2
			}
		}
	}
	for _, s := range strips {
		next += len(s) + len(s)%2
	}
	if last {
		next = 0
	}
	return d.join(at+table, strips, next)
}

// join writes entries, long values (which start at file position at) and strips one after the other.
func (d *directory) join(at int, strips [][]byte, next int) []byte {
	var head, tail []byte
	if d.big {
		head = binary.LittleEndian.AppendUint64(head, uint64(len(d.entries)))
	} else {
		head = binary.LittleEndian.AppendUint16(head, uint16(len(d.entries)))
	}
	for _, e := range d.entries {
		head = binary.LittleEndian.AppendUint16(head, uint16(e.tag))
		head = binary.LittleEndian.AppendUint16(head, uint16(e.kind))
		head = d.pointer(head, e.count)
		if len(e.value) > d.pointerSize() {
			head = d.pointer(head, at+len(tail))
			tail = pad(append(tail, e.value...))
		} else {
			head = append(head, e.value...)
			head = append(head, make([]byte, d.pointerSize()-len(e.value))...)
		}
	}
	head = append(d.pointer(head, next), tail...)
	for _, s := range strips {
		head = append(head, s...)
		if len(s)%2 == 1 {
			head = append(head, 0)
		}
	}
	return head
}

func pad(b []byte) []byte {
	if len(b)%2 == 1 {
		return append(b, 0)
	}
	return b
}
