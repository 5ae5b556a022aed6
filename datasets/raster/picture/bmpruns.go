package picture

import (
	"fmt"
	"io"
)

// bmpRuns expands RLE8 and RLE4 into indices, the top row first. Pixels that are jumped over are index 0. Runs that are
// longer than their row are cut; a missing end mark is no error once all rows are there.
func (p *Picture) bmpRuns(h *bmpHeader) ([]uint8, error) {
	if h.pixels > p.size {
		return nil, p.broken(io.ErrUnexpectedEOF)
	}
	src := make([]byte, min(p.size-h.pixels, 2*int64(h.w+4)*int64(h.h)+1<<16)) // no sensible file takes more
	n, _ := p.r.ReadAt(src, h.pixels)
	src = src[:n]
	out := make([]uint8, h.w*h.h)
	x, y := 0, 0
	put := func(v uint8) {
		if x < h.w && y < h.h {
			out[(h.h-1-y)*h.w+x] = v
		}
		x++
	}
	for y < h.h {
		if len(src) < 2 {
			if y == h.h-1 && x >= h.w {
				return out, nil
			}
			return nil, p.broken(fmt.Errorf("the file ends in row %d of %d", y+1, h.h))
		}
		count, v := int(src[0]), src[1]
		src = src[2:]
		switch {
		case count > 0:
			for i := range count {
				put(h.half(v, i))
			}
		case v == 0:
			x, y = 0, y+1
		case v == 1:
			return out, nil
		case v == 2:
			if len(src) < 2 {
				return nil, p.broken(io.ErrUnexpectedEOF)
			}
			x, y, src = x+int(src[0]), y+int(src[1]), src[2:]
		default:
			size := int(v)
			if h.compression == bmpRLE4 {
				size = (size + 1) / 2
			}
			if len(src) < size {
				return nil, p.broken(io.ErrUnexpectedEOF)
			}
			for i := range int(v) {
				if h.compression == bmpRLE4 {
					put(h.half(src[i/2], i))
				} else {
					put(src[i])
				}
			}
			src = src[min(size+size%2, len(src)):]
		}
	}
	return out, nil
}

// half is the ith pixel of a byte of RLE4: high and low half in turn; the byte itself in RLE8.
func (h *bmpHeader) half(v byte, i int) uint8 {
	switch {
	case h.compression == bmpRLE8:
		return v
	case i%2 == 0:
		return v >> 4
	}
	return v & 15
}
