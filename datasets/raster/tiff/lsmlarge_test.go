package tiff

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"testing"

	"coverslip/datasets/fault"
)

// holes is a file of any size: some bytes at its beginning, planes far behind, zeros between.
type holes struct {
	head   []byte
	planes map[int64][]byte
	size   int64
}

func (h *holes) ReadAt(b []byte, at int64) (int, error) {
	clear(b)
	if at < int64(len(h.head)) {
		copy(b, h.head[at:])
	}
	for start, p := range h.planes {
		if from := start - at; from > -int64(len(p)) && from < int64(len(b)) {
			copy(b[max(from, 0):], p[max(-from, 0):])
		}
	}
	if left := h.size - at; left < int64(len(b)) {
		return int(max(left, 0)), io.EOF
	}
	return len(b), nil
}

// largeLSM is a recording of one channel of 3 x 2 bytes: frame k holds k + 1 at place frames[k], which directories give
// without what is above 32 bits. Its thumbnail lies at thumbs[k].
func largeLSM(z, t, m int, frames, thumbs []int64) *holes {
	o := binary.LittleEndian
	h := &holes{planes: map[int64][]byte{}}
	info := make([]byte, 400)
	at := func(k, v int) { o.PutUint32(info[k:], uint32(v)) }
	at(0, 0x0400494c)
	at(4, len(info))
	for i, v := range []int{3, 2, z, 1, t, 1} {
		at(lsmDims+4*i, v)
	}
	at(lsmTiles, m)
	b := append([]byte{'I', 'I', 42, 0, 0, 0, 0, 0}, info...)
	pointer := 4
	for k := range frames {
		tags := [][4]int{{256, 4, 1, 3}, {257, 4, 1, 2}, {258, 3, 1, 8}, {259, 3, 1, 1}, {262, 3, 1, 1}, {273, 4, 1, int(uint32(frames[k]))}, {277, 3, 1, 1}, {279, 4, 1, 6}}
		if k == 0 {
			tags = append(tags, [4]int{34412, 1, len(info), 8})
		}
		o.PutUint32(b[pointer:], uint32(len(b)))
		b, pointer = appendTags(b, tags)
		o.PutUint32(b[pointer:], uint32(len(b)))
		b, pointer = appendTags(b, [][4]int{{254, 4, 1, 1}, {256, 4, 1, 1}, {257, 4, 1, 1}, {258, 3, 1, 8}, {273, 4, 1, int(uint32(thumbs[k]))}, {279, 4, 1, 1}})
		h.planes[frames[k]] = []byte{byte(k + 1), 0, 0, 0, 0, byte(k + 1)}
		h.size = max(h.size, frames[k]+6, thumbs[k]+1)
	}
	h.head = b
	return h
}

// TestLargeLSM reads recordings of several times 4 GiB, written in the orders there are.
func TestLargeLSM(t *testing.T) {
	const step = 3 << 30
	plain, behind, before, last, tiles := make([]int64, 8), make([]int64, 8), make([]int64, 8), make([]int64, 8), make([]int64, 8)
	for k := range plain {
		plain[k] = 4096 + int64(k)*step
		behind[k], before[k], last[k] = plain[k]+100, plain[k]-100, 4096+8*step+int64(k)
		tiles[k] = 4096 + int64(k%4*2+k/4)*step // two tiles at four times: the second tile is written behind the first each time
	}
	for _, c := range []struct {
		name           string
		z, t, m        int
		frames, thumbs []int64
		want           string
	}{
		{"thumbnails behind", 8, 1, 0, plain, behind, "[8 2 3] ZYX"},
		{"thumbnails before", 8, 1, 0, plain, before, "[8 2 3] ZYX"},
		{"thumbnails at the end", 8, 1, 0, plain, last, "[8 2 3] ZYX"},
		{"tiles again and again", 1, 4, 2, tiles, tiles, "[2 4 2 3] MTYX"},
	} {
		h := largeLSM(c.z, c.t, c.m, c.frames, c.thumbs)
		f, err := Open(h, h.size, "large.lsm")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		g := f.Group(nil)
		s := g.Series[0]
		if got := fmt.Sprintf("%v %s", s.Shape, s.Axes); got != c.want || g.Refused != nil || len(g.Notes) > 0 {
			t.Errorf("%s: %s, expected %s; notes %q, %v", c.name, got, c.want, g.Notes, g.Refused)
		}
		for k, fr := range s.Frames.Pages {
			out := make([]uint8, 6)
			if _, err := f.Read(context.Background(), fr.Page, out, Request{Sample: -1, Strict: true}); err != nil || out[0] != uint8(k+1) || out[5] != out[0] {
				t.Errorf("%s: frame %d reads %v, %v", c.name, k, out, err)
			}
		}
	}
}

// TestLostLSM: where no order makes the planes fill the file they are refused, not guessed.
func TestLostLSM(t *testing.T) {
	shuffled := []int64{9 << 30, 4096, 7 << 30, 2 << 30, 11 << 30}
	h := largeLSM(5, 1, 0, shuffled, shuffled)
	h.size += 40 << 30
	f, err := Open(h, h.size, "large.lsm")
	if err != nil {
		t.Fatal(err)
	}
	g := f.Group(nil)
	if len(g.Notes) == 0 {
		t.Error("no note")
	}
	for k, fr := range g.Series[0].Frames.Pages {
		if _, err := f.Read(context.Background(), fr.Page, make([]uint8, 6), Request{Sample: -1}); !errors.Is(err, fault.Unsupported) {
			t.Errorf("frame %d: %v", k, err)
		}
	}
}
