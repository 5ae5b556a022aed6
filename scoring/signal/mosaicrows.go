package signal

import (
	"context"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

// Tags that say where strips and tiles lie, and the scheme of pixels that are stored as they are.
const (
	tagStripOffsets = 273
	tagTileOffsets  = 324
	uncompressed    = 1
)

// readRows reads rows y0 to y1-1 of a page, or of sample k of a planar page, width elements each, into dst, a []E with
// room for just them, or gives them in memory of their own. Of pixels that are not compressed nothing else is read, of large
// compressed planes nothing but the strips or tiles that the rows lie in.
func readRows(ctx context.Context, fr tiff.Frame, src source, k, y0, y1, width int, dst any) (any, error) {
	l := fr.Page.Layout
	if l.Compression == uncompressed && l.Bits >= 8 {
		tag := tagStripOffsets
		if l.Tiled {
			tag = tagTileOffsets
		}
		offsets, ok := fr.File.Tag(fr.Page, tag, 0)
		nx, ny := (l.Width+l.SegW-1)/l.SegW, (l.Height+l.SegH-1)/l.SegH
		if first := max(k, 0) * nx * ny; ok && len(offsets.Ints) >= first+nx*ny {
			return dst, readPieces(ctx, fr, offsets.Ints[first:first+nx*ny], nx, y0, y1, dst)
		}
	}
	if values, ok, err := readCompressedRows(ctx, fr, src, k, y0, y1, width); ok {
		return values, err
	}
	whole := pixel.New(l.Type, l.Height*width)
	if _, err := fr.File.Read(ctx, fr.Page, whole, tiff.Request{Sample: k, Strict: true}); err != nil {
		return nil, err
	}
	return pixel.Slice(whole, y0*width, y1*width), nil
}

// readPieces reads rows y0 to y1-1 from the strips or tiles of one plane, nx beside each other.
func readPieces(ctx context.Context, fr tiff.Frame, offsets []int64, nx, y0, y1 int, dst any) error {
	l := fr.Page.Layout
	lanes := l.Samples
	if l.Planar {
		lanes = 1
	}
	rowBytes := int64(l.SegW * lanes * (l.Bits / 8))
	for i, at := range offsets {
		top, left := i/nx*l.SegH, i%nx*l.SegW
		from, to := max(y0, top), min(y1, top+l.SegH)
		if from >= to {
			continue
		}
		w, cells := min(l.SegW, l.Width-left), l.SegW*lanes
		out := pixel.Slice(dst, (from-y0)*l.Width*lanes, (to-y0)*l.Width*lanes)
		part := out
		if nx > 1 {
			part = pixel.New(l.Type, (to-from)*cells)
		}
		if at == 0 { // left out, which means zeros
			clear(pixel.Memory(part))
		} else if err := readRun(ctx, fr, at+int64(from-top)*rowBytes, to-from, lanes, part); err != nil {
			return err
		}
		if nx > 1 {
			placeTile(out, part, to-from, l.Width*lanes, cells, left*lanes, w*lanes)
		}
	}
	return nil
}

// readRun reads rows of one piece's width that lie one behind the other at a place of the file.
func readRun(ctx context.Context, fr tiff.Frame, at int64, rows, lanes int, dst any) error {
	page, layout := *fr.Page, *fr.Page.Layout
	layout.Width, layout.Height, layout.Samples, layout.Planar = layout.SegW, rows, lanes, false
	page.Layout = &layout
	run := tiff.Frames{Count: 1, File: fr.File, First: &page, Base: at}
	return run.ReadBehind(ctx, 0, dst, tiff.Request{Sample: -1, Strict: true})
}

// placeTile copies the used part of a tile's rows beside those of its neighbours.
func placeTile(out, part any, rows, width, cells, left, used int) {
	size := 1
	if n := pixel.Len(out); n > 0 {
		size = len(pixel.Memory(out)) / n
	}
	to, from := pixel.Memory(out), pixel.Memory(part)
	for y := range rows {
		copy(to[(y*width+left)*size:(y*width+left+used)*size], from[y*cells*size:])
	}
}
