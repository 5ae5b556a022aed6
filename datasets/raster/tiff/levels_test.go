package tiff

import (
	"bytes"
	"context"
	"encoding/binary"
	"testing"
)

// pyramid writes pages of 8 x 8 bytes with sub-images of 4 x 4 and 2 x 2; each holds its own number. A last sub-image
// points back to the page.
func pyramid(pages int) []byte {
	o := binary.LittleEndian
	b := []byte{'I', 'I', 42, 0, 0, 0, 0, 0}
	pointer := 4
	image := func(side, value int, more ...[4]int) (at, next int) {
		pixels := len(b)
		b = append(b, bytes.Repeat([]byte{byte(value)}, side*side)...)
		at = len(b)
		b, next = appendTags(b, append([][4]int{{256, 4, 1, side}, {257, 4, 1, side}, {258, 3, 1, 8}, {262, 3, 1, 1}, {273, 4, 1, pixels}, {279, 4, 1, side * side}}, more...))
		return at, next
	}
	for p := range pages {
		half, _ := image(4, 10*p+1)
		quarter, _ := image(2, 10*p+2)
		list := len(b)
		for _, at := range []int{half, quarter, list + 12 + 64} {
			b = o.AppendUint32(b, uint32(at))
		}
		at, next := image(8, 10*p, [4]int{330, 4, 3, list})
		o.PutUint32(b[pointer:], uint32(at))
		pointer = next
	}
	return b
}

// TestLevels reads the smaller copies of every page, and takes a page of half the size for a level.
func TestLevels(t *testing.T) {
	b := pyramid(3)
	f, err := Open(bytes.NewReader(b), int64(len(b)), "p.tif")
	if err != nil {
		t.Fatal(err)
	}
	g := f.Group(nil)
	if s := g.Series; len(s) != 1 || s[0].Frames.Count != 3 || len(s[0].Levels) != 2 {
		t.Fatalf("%d series, %d levels", len(s), len(s[0].Levels))
	}
	for k, l := range g.Series[0].Levels {
		side := 4 >> k
		if l.Layout.Width != side || l.Layout.Height != side {
			t.Errorf("level %d: %d x %d", k+1, l.Layout.Width, l.Layout.Height)
		}
		for i, fr := range l.Frames.Pages {
			p, err := fr.File.SubPage(fr.Page, fr.Sub)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]uint8, side*side)
			if _, err := f.Read(context.Background(), p, got, Request{Sample: -1, Strict: true}); err != nil || got[len(got)-1] != byte(10*i+k+1) {
				t.Errorf("level %d of page %d: %v, %v", k+1, i+1, got, err)
			}
		}
	}
	if _, err := f.SubPage(f.Pages[0], 3); err == nil {
		t.Error("a sub-image that is the page")
	}
	_, g, err = readAll(chainFile([]testPage{{w: 8, h: 6}, {w: 8, h: 6}, {w: 4, h: 3}, {w: 4, h: 3}, {w: 2, h: 1}, {w: 2, h: 1}, {w: 7, h: 1}}, 0), true)
	if err != nil || len(g.Series) != 2 || len(g.Series[0].Levels) != 2 {
		t.Errorf("%d series, %d levels, %v", len(g.Series), len(g.Series[0].Levels), err)
	}
}
