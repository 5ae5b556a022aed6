// Package animation writes pictures as an animated GIF, one at a time, so that a film of any length needs the memory of one picture.
//
// The file format is GIF89a. Every picture has its own palette of up to 256 colours: exact where the picture has no more, else the
// centres of boxes that median cut makes of its colours at six bits each.
package animation

import (
	"bufio"
	"compress/lzw"
	"encoding/binary"
	"errors"
	"image"
	"io"
	"time"
)

// Writer writes an animated GIF. All pictures have the size of the first.
type Writer struct {
	out      *bufio.Writer
	delay    uint16 // hundredths of a second
	size     image.Point
	quantise quantiser
	indices  []uint8
	err      error
}

// ErrSize tells that a picture has another size than the first, or one that GIF cannot hold.
var ErrSize = errors.New("the pictures of an animation must all have one size, at most 65535 x 65535")

// NewWriter starts an animation that repeats for ever. Many viewers show delays below 20 ms as 100 ms.
func NewWriter(w io.Writer, delay time.Duration) *Writer {
	hundredths := max(2, min(int64((delay+5*time.Millisecond)/(10*time.Millisecond)), 65535))
	return &Writer{out: bufio.NewWriterSize(w, 1<<16), delay: uint16(hundredths)}
}

// Add writes one picture. Its transparency is ignored.
func (w *Writer) Add(im *image.RGBA) error {
	if w.err != nil {
		return w.err
	}
	size := im.Rect.Size()
	if w.size == (image.Point{}) && size.X > 0 && size.Y > 0 && size.X < 1<<16 && size.Y < 1<<16 {
		w.size = size
		w.indices = make([]uint8, size.X*size.Y)
		w.header()
	}
	if size != w.size || w.size == (image.Point{}) {
		return ErrSize
	}
	palette := w.quantise.picture(im, w.indices)
	w.picture(palette)
	return w.err
}

// Close ends the file; it does not close the underlying writer.
func (w *Writer) Close() error {
	if w.err == nil && w.size == (image.Point{}) {
		return errors.New("an animation needs a picture")
	}
	w.put([]byte{0x3b})
	if w.err == nil {
		w.err = w.out.Flush()
	}
	return w.err
}

func (w *Writer) put(b []byte) {
	if w.err == nil {
		_, w.err = w.out.Write(b)
	}
}

// header is the logical screen without a common palette, and the extension that makes it repeat.
func (w *Writer) header() {
	b := []byte("GIF89a")
	b = binary.LittleEndian.AppendUint16(b, uint16(w.size.X))
	b = binary.LittleEndian.AppendUint16(b, uint16(w.size.Y))
	b = append(b, 0x70, 0, 0)
	b = append(b, 0x21, 0xff, 11)
	b = append(b, "NETSCAPE2.0"...)
	w.put(append(b, 3, 1, 0, 0, 0))
}

// picture writes delay, size, palette and the indices.
func (w *Writer) picture(palette [][3]uint8) {
	bits := 1
	for 1<<bits < len(palette) {
		bits++
	}
	b := []byte{0x21, 0xf9, 4, 0}
	b = binary.LittleEndian.AppendUint16(b, w.delay)
	b = append(b, 0, 0, 0x2c, 0, 0, 0, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(w.size.X))
	b = binary.LittleEndian.AppendUint16(b, uint16(w.size.Y))
	b = append(b, 0x80|uint8(bits-1))
	for i := range 1 << bits {
		c := [3]uint8{}
		if i < len(palette) {
			c = palette[i]
		}
		b = append(b, c[:]...)
	}
	width := max(bits, 2)
	w.put(append(b, uint8(width)))
	if w.err != nil {
		return
	}
	blocks := &blockWriter{w: w}
	packer := lzw.NewWriter(blocks, lzw.LSB, width)
	if _, err := packer.Write(w.indices); err != nil && w.err == nil {
		w.err = err
	}
	if err := packer.Close(); err != nil && w.err == nil {
		w.err = err
	}
	blocks.end()
}

// blockWriter cuts a stream into blocks of up to 255 bytes, each after its length.
type blockWriter struct {
	w    *Writer
	data [256]byte // length, then bytes
	n    int
}

func (b *blockWriter) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		k := copy(b.data[1+b.n:], rest)
		b.n, rest = b.n+k, rest[k:]
		if b.n == 255 {
			b.flush()
		}
	}
	return len(p), b.w.err
}

func (b *blockWriter) flush() {
	if b.n > 0 {
		b.data[0] = uint8(b.n)
		b.w.put(b.data[:1+b.n])
		b.n = 0
	}
}

func (b *blockWriter) end() {
	b.flush()
	b.w.put([]byte{0})
}
