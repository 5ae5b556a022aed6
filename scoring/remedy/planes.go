package remedy

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
)

// maxSamples is the largest image that is edited whole: about twelve bytes a sample are held then. Edits of single planes
// go plane by plane, so that a movie of any length takes the memory of a few frames.
const maxSamples = 1 << 27

// planes is an image that is read plane by plane: Y X planes along one leading axis.
type planes struct {
	n     int
	axis  byte // the letter of the leading axis
	plane func(i int) (raster.Array, error)
	close func()
}

// planesOf opens an image with one leading axis for reading plane by plane; ok is false for other images.
func planesOf(ctx context.Context, path string) (p planes, ok bool) {
	img, err := raster.Open(ctx, path)
	if err != nil {
		return p, false
	}
	h := raster.Header{}
	if len(img.Series) > 0 {
		h = img.Series[0]
	}
	s, err := img.Stack(raster.NewCache(1), raster.Layout{Series: 1})
	if err != nil || img.ScoringErr != nil || len(squeezed(h.Shape)) != 3 || !strings.HasSuffix(h.Axes, "YX") || s.Shape.T*s.Shape.Z*s.Shape.C*s.Shape.Y*s.Shape.X != h.Len() {
		img.Close()
		return p, false
	}
	p = planes{n: s.Shape.T * s.Shape.Z * s.Shape.C, axis: 'Z', close: func() { img.Close() }}
	if strings.Contains(h.Axes, "T") {
		p.axis = 'T'
	}
	p.plane = func(i int) (raster.Array, error) {
		z, c := s.Shape.Z, s.Shape.C
		return planeArray(s.Plane(ctx, i/(z*c), i/c%z, i%c))
	}
	return p, true
}

// planesOfSeries takes the series of a file, one plane each, for the planes of one image.
func planesOfSeries(ctx context.Context, path string) (p planes, ok bool) {
	img, err := raster.Open(ctx, path)
	if err != nil {
		return p, false
	}
	cache := raster.NewCache(1)
	p = planes{n: len(img.Series), axis: 'T', close: func() { img.Close() }}
	p.plane = func(i int) (raster.Array, error) {
		s, err := img.Stack(cache, raster.Layout{Series: i + 1})
		if err != nil {
			return raster.Array{}, err
		}
		return planeArray(s.Plane(ctx, 0, 0, 0))
	}
	return p, true
}

func planeArray(p raster.Plane, err error) (raster.Array, error) {
	return raster.Array{Shape: []int{p.H, p.W}, Axes: "YX", Type: p.Type, Values: p.Values}, err
}

// write writes the planes, edited one by one, as an uncompressed TIFF of one page each.
func (p planes) write(ctx context.Context, to io.Writer, edits []func(raster.Array) (raster.Array, error)) error {
	w := &pageWriter{w: bufio.NewWriterSize(to, 1<<20), n: p.n, axis: p.axis}
	for i := range p.n {
		if err := ctx.Err(); err != nil {
			return err
		}
		a, err := p.plane(i)
		for _, edit := range edits {
			if err == nil {
				a, err = edit(a)
			}
		}
		if err == nil {
			err = w.page(a)
		}
		if err != nil {
			return err
		}
	}
	return w.w.Flush()
}

// pageWriter writes a TIFF page by page: a directory, its text, its samples as they lie in memory.
type pageWriter struct {
	w     *bufio.Writer
	n     int // pages to come in all
	axis  byte
	first raster.Array // its shape and type are those of all
	at    int          // bytes written
	pages int
}

const tiffTags = 10

func (w *pageWriter) page(a raster.Array) error {
	text := ""
	if w.pages == 0 {
		w.first = raster.Array{Shape: a.Shape, Type: a.Type}
		if w.n*pixel.Len(a.Values)*a.Type.Size() > 4<<30-(1<<26) {
			return &fault.Error{Kind: fault.TooLarge, Found: "an image of more than 4 GiB", Expected: "less, to try it in another form"}
		}
		text = fmt.Sprintf("{\"shape\": [%d, %d, %d], \"axes\": \"%cYX\"}\x00", w.n, a.Shape[0], a.Shape[1], w.axis)
		mark := "II*\x00"
		if !pixel.HostIsLittle {
			mark = "MM\x00*"
		}
		w.put(w.order().AppendUint32([]byte(mark), 8))
	}
	if !slices.Equal(a.Shape, w.first.Shape) || a.Type != w.first.Type || a.Type == raster.Float16 {
		return unlike(a, "planes of one shape and type")
	}
	data := pixel.Memory(a.Values)
	textAt := w.at + 2 + 12*tiffTags + 4
	dataAt := (textAt + len(text) + 3) &^ 3
	next := (dataAt + len(data) + 3) &^ 3
	format, textTag := 1, [4]int{270, 2, max(1, len(text)), textAt}
	switch {
	case a.Type.IsFloat():
		format = 3
	case strings.HasPrefix(a.Type.String(), "int"):
		format = 2
	}
	if len(text) == 0 {
		textTag[3] = 0
	}
	w.directory([][4]int{{256, 4, 1, a.Shape[1]}, {257, 4, 1, a.Shape[0]}, {258, 3, 1, 8 * a.Type.Held()}, {259, 3, 1, 1}, {262, 3, 1, 1},
		textTag, {273, 4, 1, dataAt}, {278, 4, 1, a.Shape[0]}, {279, 4, 1, len(data)}, {339, 3, 1, format}}, next)
	w.put([]byte(text))
	w.put(make([]byte, dataAt-w.at))
	w.put(data)
	w.put(make([]byte, next-w.at))
	w.pages++
	return nil
}

// directory writes the tags of a page and where the next directory is, 0 after the last.
func (w *pageWriter) directory(tags [][4]int, next int) {
	if w.pages == w.n-1 {
		next = 0
	}
	b := w.order().AppendUint16(nil, uint16(len(tags)))
	for _, t := range tags {
		b = w.order().AppendUint16(b, uint16(t[0]))
		b = w.order().AppendUint16(b, uint16(t[1]))
		b = w.order().AppendUint32(b, uint32(t[2]))
		if t[1] == 3 { // a short stands in the first half of its field
			b = w.order().AppendUint16(w.order().AppendUint16(b, uint16(t[3])), 0)
		} else {
			b = w.order().AppendUint32(b, uint32(t[3]))
		}
	}
	w.put(w.order().AppendUint32(b, uint32(next)))
}

func (w *pageWriter) order() binary.AppendByteOrder {
	if pixel.HostIsLittle {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

// put keeps the error of writing for the flush at the end.
func (w *pageWriter) put(b []byte) {
	n, _ := w.w.Write(b)
	w.at += n
}
