package tiff

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"sync"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/parallel"
	"coverslip/datasets/raster/pixel"
)

// Request says what to read of a page.
type Request struct {
	Sample int             // of a planar page: this sample alone; -1 for all
	Split  bool            // of a page whose layout Splits: the samples one plane after the other, S Y X
	Strict bool            // pixels that are cut off are an error, as for the reference; otherwise they are zero and counted
	Part   image.Rectangle // of the page; empty for all of it. Only strips and tiles that cross it are decoded
}

// Found is what came to light while reading a page.
type Found struct {
	Lost    int // strips or tiles that the file does not hold whole
	Surplus int // strips or tiles with far more data than they need
}

// Read decodes a page into dst, a []E of the layout's type with room for the samples in stored order: Y X S, S Y X, or
// Y X for one planar sample; of a part, Y and X are those of the part. dst must hold zeros.
func (f *File) Read(ctx context.Context, p *Page, dst any, rq Request) (Found, error) {
	s, err := f.segments(p)
	if err != nil {
		return Found{}, err
	}
	return f.readSegments(ctx, p, s, dst, rq)
}

// ReadBehind reads frame i of frames that lie without compression one behind the other, as ImageJ and others store them
// behind the first page. dst and rq are as for Read; all is strict.
func (fr Frames) ReadBehind(ctx context.Context, i int, dst any, rq Request) error {
	rq.Strict = true
	l := *fr.First.Layout
	l.Tiled, l.SegW, l.SegH, l.Compression, l.Predictor = false, l.Width, l.Height, codecNone, 1
	_, _, planes := l.grid()
	s := segments{need: planes}
	for k := range planes {
		s.offsets = append(s.offsets, fr.Base+int64(i)*fr.Stride+int64(k*l.Height*l.rowBytes()))
	}
	page := *fr.First
	page.Layout = &l
	_, err := fr.File.readSegments(ctx, &page, s, dst, rq)
	return err
}

// readSegments decodes what a request needs of the segments of a page.
func (f *File) readSegments(ctx context.Context, p *Page, s segments, dst any, rq Request) (Found, error) {
	c, need := p.Layout.choose(dst, rq)
	if f.readRows(ctx, p, s, c, need) {
		return Found{}, ctx.Err()
	}
	return f.readPieces(ctx, p, s, c, rq, need)
}

// readPieces decodes segments, several at a time.
func (f *File) readPieces(ctx context.Context, p *Page, s segments, c canvas, rq Request, need crossing) (Found, error) {
	var mu sync.Mutex
	var found Found
	tables := f.jpegTables(p)
	err := parallel.Each(ctx, need.count(), func(i int) error {
		q := s.piece(p.Layout, need.index(i))
		if q.absent() {
			return nil
		}
		one, err := f.readPiece(p, q, c, rq, tables)
		mu.Lock()
		found.Lost += one.Lost
		found.Surplus += one.Surplus
		mu.Unlock()
		return err
	})
	if err == nil && found.Lost > 0 && !f.anyRow(p, s, need.planes()) {
		err = f.malformed(pageName(p), "pixels that lie behind the end of the file", "at least one row of pixels")
	}
	return found, err
}

// anyRow tells whether the file holds at least the stored form of one row of some segment.
func (f *File) anyRow(p *Page, s segments, of crossing) bool {
	for i := range of.count() {
		q := s.piece(p.Layout, of.index(i))
		if q.absent() {
			continue
		}
		_, have := f.stored(p.Layout, q)
		if p.Layout.Compression == codecNone && have >= int64(p.Layout.rowBytes()) || p.Layout.Compression != codecNone && have > 0 {
			return true
		}
	}
	return false
}

// readPiece decodes one segment into its place.
func (f *File) readPiece(p *Page, q piece, c canvas, rq Request, tables []byte) (found Found, err error) {
	l := p.Layout
	if l.Compression == codecNone {
		q = q.within(c.area, l)
	}
	if err := f.plausible(p, q); err != nil {
		return found, err
	}
	want, have := f.stored(l, q)
	cut := have < want
	if cut && rq.Strict && (l.Compression == codecNone || have == 0) {
		return found, f.cutOff(p, q)
	}
	switch l.Compression {
	case codecJPEG:
		return found, f.readJPEG(p, q, c, tables, have)
	case codecWebP, codecOldWebP:
		return found, f.readWebP(p, q, c, have)
	}
	b := c.direct(l, q)
	scratch := b == nil
	if scratch {
		b = borrow(q.rows * l.rowBytes())
		defer giveBack(b)
	}
	n, err := f.fill(l, q, b, have)
	if errors.Is(err, errSurplus) {
		found.Surplus, err = 1, nil
	}
	if err != nil || n < len(b) {
		if err := f.tooShort(p, q, n, err, cut, rq.Strict); err != nil {
			return found, err
		}
		if cut {
			found.Lost = 1
		}
		clear(b[n:])
	}
	if l.Bits >= 8 {
		f.toHost(l, b)
	}
	if scratch {
		c.place(l, q, b)
	}
	return found, nil
}

// tooShort decides about a piece of which n bytes could be filled. What the end of the file cuts off is zero on the
// screen and an error in scoring; rows that a writer left out are zero; all else is damage.
func (f *File) tooShort(p *Page, q piece, n int, err error, cut, strict bool) error {
	l := p.Layout
	ended := err == nil || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
	switch {
	case cut && !strict && (ended || l.Compression == codecPackBits):
		return nil
	case cut:
		return f.cutOff(p, q)
	case ended && n > 0 && n%l.rowBytes() == 0:
		return nil
	}
	return &fault.Error{Kind: fault.Malformed, File: f.name, At: fmt.Sprintf("%s, piece %d", pageName(p), q.index+1), Err: err,
		Found: CodecName(l.Compression) + " data that cannot be unpacked", Fix: "Copy or write the file again, it may be damaged"}
}

// fill brings the stored bytes of a piece into b, unpacked. errSurplus comes with a full b.
func (f *File) fill(l *Layout, q piece, b []byte, have int64) (int, error) {
	if l.Compression == codecNone {
		n, err := f.load(b, q.at)
		if l.LowBitFirst {
			reverseBits(b[:n])
		}
		return n, err
	}
	src := borrow(int(have))
	defer giveBack(src)
	n, err := f.load(src, q.at)
	if err != nil {
		return 0, err
	}
	if l.LowBitFirst {
		reverseBits(src[:n])
	}
	return unpack(l, src[:n], b)
}

func (f *File) cutOff(p *Page, q piece) error {
	return &fault.Error{Kind: fault.Malformed, File: f.name, At: pageName(p), Found: fmt.Sprintf("pixels that are cut off in piece %d", q.index+1),
		Expected: "whole pages", Fix: "Copy or write the file again"}
}

// buffers are kept for strips and tiles between reads.
var buffers sync.Pool

func borrow(n int) []byte {
	if b, ok := buffers.Get().(*[]byte); ok && cap(*b) >= n {
		return (*b)[:n]
	}
	return pixel.Aligned(n)
}

func giveBack(b []byte) {
	if cap(b) <= 1<<24 {
		buffers.Put(&b)
	}
}
