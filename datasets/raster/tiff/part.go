package tiff

import (
	"context"
	"image"
	"io"

	"coverslip/datasets/raster/parallel"
	"coverslip/datasets/raster/pixel"
)

// crossing is segments of a page: a rectangle of its grid in some of its planes.
type crossing struct {
	grid       image.Rectangle
	nx, ny     int // of the whole grid
	first, end int // planes
}

func (c crossing) count() int { return c.grid.Dx() * c.grid.Dy() * (c.end - c.first) }

// index is the number within the page of the ith segment.
func (c crossing) index(i int) int {
	w, h := c.grid.Dx(), c.grid.Dy()
	return ((c.first+i/(w*h))*c.ny+c.grid.Min.Y+i/w%h)*c.nx + c.grid.Min.X + i%w
}

// planes is all segments of the same planes.
func (c crossing) planes() crossing {
	c.grid = image.Rect(0, 0, c.nx, c.ny)
	return c
}

// all is the first n segments of a page.
func (l *Layout) all(n int) crossing {
	return crossing{grid: image.Rect(0, 0, n, 1), nx: n, ny: 1, end: 1}
}

// choose gives the canvas for a request, and the segments that it needs.
func (l *Layout) choose(dst any, rq Request) (canvas, crossing) {
	nx, ny, np := l.grid()
	need := crossing{nx: nx, ny: ny, end: np}
	c := canvas{values: dst, split: rq.Split, area: image.Rect(0, 0, l.Width, l.Height)}
	if l.Planar && rq.Sample >= 0 {
		need.first, need.end, c.plane = rq.Sample, rq.Sample+1, rq.Sample
	}
	if !rq.Part.Empty() {
		c.area = c.area.Intersect(rq.Part)
	}
	need.grid = image.Rect(c.area.Min.X/l.SegW, c.area.Min.Y/l.SegH, (c.area.Max.X-1)/l.SegW+1, (c.area.Max.Y-1)/l.SegH+1)
	return c, need
}

// within is a piece that is stored as it is, cut down to the rows that an area needs of it.
func (s piece) within(area image.Rectangle, l *Layout) piece {
	top, bottom := max(area.Min.Y, s.y), min(area.Max.Y, s.y+s.h)
	if top == s.y && bottom == s.y+s.h || s.at <= 0 {
		return s
	}
	s.at += int64(top-s.y) * int64(l.rowBytes())
	s.y, s.h, s.rows = top, bottom-top, bottom-top
	return s
}

// Rows is how many rows of a page are decoded together: 1 where any row can be read alone.
func (l *Layout) Rows() int {
	if l.Compression == codecNone {
		return 1
	}
	return l.SegH
}

// readChunk is how many bytes are read at once of rows that follow each other, and rowGroup how many rows of those that
// do not.
const (
	readChunk = 1 << 20
	rowGroup  = 16
)

// readRows reads strips that need no decoding without going through their whole rows: what the canvas holds of them, and
// no other bytes. It reports false when the page is not like that.
func (f *File) readRows(ctx context.Context, p *Page, s segments, c canvas, need crossing) bool {
	l := p.Layout
	if l.Compression != codecNone || l.LowBitFirst || l.Tiled || l.Bits < 8 || len(s.offsets) <= need.index(need.count()-1) {
		return false
	}
	whole := c.area.Dx() == l.Width && c.held(l)
	if whole && !s.follow(l, c, need) {
		return false
	}
	for i := range need.count() {
		if q := s.piece(l, need.index(i)).within(c.area, l); q.at <= 0 || q.at+int64(q.h*l.rowBytes()) > f.size {
			return false
		}
	}
	for plane := need.first; plane < need.end; plane++ {
		var err error
		if whole {
			err = f.readRun(ctx, l, c, plane, s.row(l, need, plane, c.area.Min.Y))
		} else {
			err = f.readColumns(ctx, l, s, c, need, plane)
		}
		if err != nil {
			return false
		}
	}
	return true
}

// row is where a row of a plane begins in the file.
func (s segments) row(l *Layout, of crossing, plane, y int) int64 {
	q := s.piece(l, plane*of.ny+y/l.SegH)
	return q.at + int64(y-q.y)*int64(l.rowBytes())
}

// follow tells whether the rows of each plane that the canvas holds follow each other in the file.
func (s segments) follow(l *Layout, c canvas, need crossing) bool {
	next := int64(-1)
	for i := range need.count() {
		q := s.piece(l, need.index(i)).within(c.area, l)
		if q.y > c.area.Min.Y && q.at != next {
			return false
		}
		next = q.at + int64(q.h*l.rowBytes())
	}
	return true
}

// readRun reads all rows of a plane of the canvas from one stretch of the file, several chunks at a time.
func (f *File) readRun(ctx context.Context, l *Layout, c canvas, plane int, at int64) error {
	from := c.at(l, plane, c.area.Min.Y, c.area.Min.X) * l.Type.Size()
	mem := pixel.Memory(c.values)[from : from+c.area.Dy()*l.rowBytes()]
	return parallel.Each(ctx, (len(mem)+readChunk-1)/readChunk, func(i int) error {
		b := mem[i*readChunk : min((i+1)*readChunk, len(mem))]
		return f.loadHost(l, b, at+int64(i*readChunk))
	})
}

// readColumns reads the rows of a plane of the canvas one by one.
func (f *File) readColumns(ctx context.Context, l *Layout, s segments, c canvas, need crossing, plane int) error {
	pixelBytes := l.lanes() * l.Type.Size()
	n, left := c.area.Dx()*pixelBytes, int64(c.area.Min.X*pixelBytes)
	return parallel.Each(ctx, (c.area.Dy()+rowGroup-1)/rowGroup, func(g int) error {
		scratch := borrow(n)
		defer giveBack(scratch)
		for y := c.area.Min.Y + g*rowGroup; y < min(c.area.Min.Y+(g+1)*rowGroup, c.area.Max.Y); y++ {
			to, b := c.at(l, plane, y, c.area.Min.X), scratch
			if c.held(l) {
				b = pixel.Memory(c.values)[to*l.Type.Size():][:n]
			}
			if err := f.loadHost(l, b, s.row(l, need, plane, y)+left); err != nil {
				return err
			}
			if !c.held(l) {
				c.row(l, to, b, 0, c.area.Dx())
			}
		}
		return nil
	})
}

// loadHost reads samples and brings them into the machine's byte order.
func (f *File) loadHost(l *Layout, b []byte, at int64) error {
	if n, err := f.load(b, at); err != nil || n < len(b) {
		return io.ErrUnexpectedEOF
	}
	if size := l.Type.Size(); size > 1 && f.littleFile() != pixel.HostIsLittle {
		pixel.Swap(b, size)
	}
	return nil
}
