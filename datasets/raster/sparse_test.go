package raster

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// writeSparse writes a BigTIFF of pages whose directories lie before their pixels; the pixels are left as holes, so that
// a file of any size takes no room on disk.
func writeSparse(o *os.File, pages, h, w int) error {
	le := binary.LittleEndian
	if _, err := o.Write([]byte{'I', 'I', 43, 0, 8, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0}); err != nil {
		return err
	}
	at := 16
	for p := range pages {
		tags := [][3]int{{256, 4, w}, {257, 4, h}, {258, 3, 8}, {259, 3, 1}, {262, 3, 1}, {273, 16, 0}, {277, 3, 1}, {278, 4, h}, {279, 16, h * w}}
		size := 8 + 20*len(tags) + 8
		next := at + size + h*w
		b := le.AppendUint64(nil, uint64(len(tags)))
		for _, t := range tags {
			if t[0] == 273 {
				t[2] = at + size
			}
			b = le.AppendUint16(b, uint16(t[0]))
			b = le.AppendUint16(b, uint16(t[1]))
			b = le.AppendUint64(b, 1)
			b = le.AppendUint64(b, uint64(t[2]))
		}
		if p == pages-1 {
			next = 0
		}
		b = le.AppendUint64(b, uint64(next))
		if _, err := o.WriteAt(b, int64(at)); err != nil {
			return err
		}
		at += size + h*w
	}
	return o.Truncate(int64(at))
}

// TestLargeImageJ opens an ImageJ file above 4 GiB: one directory, planes one behind the other, as ImageJ writes it. The
// last plane holds a number at its end.
func TestLargeImageJ(t *testing.T) {
	const side, planes = 1 << 13, 80 // 5 GiB
	path := filepath.Join(t.TempDir(), "large.tif")
	o, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	be := binary.BigEndian
	text := "ImageJ=1.53t\nimages=80\nslices=40\nframes=2\nhyperstack=true\n\x00"
	tags := [][3]int{{256, 4, side}, {257, 4, side}, {258, 3, 8}, {262, 3, 1}, {270, 2, 0}, {273, 4, 0}, {277, 3, 1}, {278, 4, side}, {279, 4, side * side}}
	base := 8 + 2 + 12*len(tags) + 4
	b := append([]byte("MM\x00*\x00\x00\x00\x08"), 0, byte(len(tags)))
	for _, tag := range tags {
		count := 1
		switch tag[0] {
		case 270:
			count, tag[2] = len(text), base
		case 273:
			tag[2] = base + len(text)
		}
		b = be.AppendUint32(be.AppendUint16(be.AppendUint16(b, uint16(tag[0])), uint16(tag[1])), uint32(count))
		if tag[1] == 3 {
			tag[2] <<= 16
		}
		b = be.AppendUint32(b, uint32(tag[2]))
	}
	end := int64(base+len(text)) + planes*side*side
	if _, err := o.Write(append(append(b, 0, 0, 0, 0), text...)); err != nil {
		t.Fatal(err)
	}
	if _, err := o.WriteAt([]byte{77}, end-1); err != nil {
		t.Skipf("no room for a sparse file: %v", err)
	}
	f, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Format != "ImageJ TIFF" || f.Series[0].Axes != "TZYX" || f.ScoringErr != nil {
		t.Errorf("%s %s %v, notes %q, %v", f.Format, f.Series[0].Axes, f.Series[0].Shape, f.Notes, f.ScoringErr)
	}
	s, err := f.Stack(nil, Layout{})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := s.Plane(context.Background(), 1, 39, 0); err != nil || p.At(side-1, side-1) != 77 {
		t.Errorf("the last pixel is %g, %v", p.At(side-1, side-1), err)
	}
}
