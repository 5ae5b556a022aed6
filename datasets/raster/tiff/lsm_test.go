package tiff

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// lsmFile is a recording of uint16 pages of two or more planar channels, 2 x 3 pixels each, that count up.
type lsmFile struct {
	scan, x, y, z, c, t, p, m int
	pages                     int
	noThumbs                  bool
	places                    [][2]float64 // of tiles, metres
	bitsBehind                bool         // BitsPerSample of two channels behind an offset
	info                      int          // bytes of the information block, 0 for all
	photometric               int          // 2 when 0
	stamps                    []float64
}

func (l lsmFile) build() []byte {
	o := binary.LittleEndian
	b := []byte{'I', 'I', 42, 0, 0, 0, 0, 0}
	put32 := func(at, v int) { o.PutUint32(b[at:], uint32(v)) }
	info := make([]byte, 400)
	at := func(k, v int) { o.PutUint32(info[k:], uint32(v)) }
	at(0, 0x0400494c)
	at(4, len(info))
	if l.info > 0 {
		at(4, l.info)
	}
	for i, v := range []int{l.x, l.y, l.z, l.c, l.t, 2} {
		at(lsmDims+4*i, v)
	}
	for i, v := range []float64{2e-7, 3e-7, 1e-6} {
		o.PutUint64(info[lsmVoxel+8*i:], math.Float64bits(v))
	}
	at(lsmScanType, l.scan)
	at(lsmPositions, l.p)
	at(lsmTiles, l.m)
	at(lsmColours, len(b))
	b = append(b, lsmColourBlock()...)
	if l.stamps != nil {
		at(lsmTimeStamps, len(b))
		b = o.AppendUint32(o.AppendUint32(b, 0), uint32(len(l.stamps)))
		for _, s := range l.stamps {
			b = o.AppendUint64(b, math.Float64bits(s))
		}
	}
	if l.places != nil {
		at(lsmTileTable, len(b))
		b = o.AppendUint32(b, uint32(len(l.places)))
		for _, p := range l.places {
			for _, v := range []float64{p[0], p[1], 0} {
				b = o.AppendUint64(b, math.Float64bits(v))
			}
		}
	}
	infoAt := len(b)
	b = append(b, info...)
	samples, pointer, value := l.c, 4, 0
	for p := range l.pages {
		pixels := len(b)
		for range samples * 6 {
			b = o.AppendUint16(b, uint16(value))
			value++
		}
		lists := len(b)
		for i := range samples {
			b = o.AppendUint32(b, uint32(pixels+12*i))
		}
		for range samples {
			b = o.AppendUint32(b, 12)
		}
		for range samples {
			b = o.AppendUint16(b, 16)
		}
		bits := lists + 8*samples
		if samples == 2 && !l.bitsBehind {
			bits = 16 | 16<<16
		}
		photometric := l.photometric
		if photometric == 0 {
			photometric = 2
		}
		tags := [][4]int{{256, 4, 1, 3}, {257, 4, 1, 2}, {258, 3, samples, bits}, {259, 3, 1, 1}, {262, 3, 1, photometric}, {273, 4, samples, lists},
			{277, 3, 1, samples}, {279, 4, samples, lists + 4*samples}, {284, 3, 1, 2}}
		if p == 0 {
			tags = append(tags, [4]int{34412, 1, len(info), infoAt})
		}
		put32(pointer, len(b))
		b, pointer = appendTags(b, tags)
		if !l.noThumbs {
			put32(pointer, len(b))
			b, pointer = appendTags(b, [][4]int{{254, 4, 1, 1}, {256, 4, 1, 1}, {257, 4, 1, 1}, {258, 3, 1, 8}, {273, 4, 1, pixels}, {279, 4, 1, 1}})
		}
	}
	return b
}

// lsmColourBlock holds two colours and two names, with their lengths in front.
func lsmColourBlock() []byte {
	o := binary.LittleEndian
	var b []byte
	for _, v := range []int{24 + 8 + 16, 2, 2, 24, 32, 0} {
		b = o.AppendUint32(b, uint32(v))
	}
	b = append(b, 255, 0, 0, 0, 0, 255, 0, 0)
	return append(b, "\x04\x00\x00\x00Red\x00\x04\x00\x00\x00Grn\x00"...)
}

// appendTags appends a directory of tag, kind, count, value and gives the place of its pointer to the next one.
func appendTags(b []byte, tags [][4]int) ([]byte, int) {
	o := binary.LittleEndian
	b = o.AppendUint16(b, uint16(len(tags)))
	for _, t := range tags {
		b = o.AppendUint16(o.AppendUint16(b, uint16(t[0])), uint16(t[1]))
		b = o.AppendUint32(o.AppendUint32(b, uint32(t[2])), uint32(t[3]))
	}
	return o.AppendUint32(b, 0), len(b)
}

// TestLSM reads recordings of several kinds: axes, first numbers of pages, notes, and what the reference refuses.
func TestLSM(t *testing.T) {
	for _, c := range []struct {
		name    string
		file    lsmFile
		want    string
		note    string
		refused bool
	}{
		{"z stack", lsmFile{x: 3, y: 2, z: 4, c: 3, t: 1, pages: 4}, "[4 3 2 3] ZCYX", "", false},
		{"movie of stacks", lsmFile{x: 3, y: 2, z: 2, c: 3, t: 3, pages: 6, scan: 6}, "[3 2 3 2 3] TZCYX", "", false},
		{"scan type 3", lsmFile{x: 3, y: 2, z: 1, c: 3, t: 3, pages: 3, scan: 3}, "[3 3 2 3] TCYX", "", false},
		{"scan type 3 with z", lsmFile{x: 3, y: 2, z: 2, c: 3, t: 3, pages: 6, scan: 3}, "[2 3 3 2 3] ZTCYX", "", false},
		{"mosaic", lsmFile{x: 3, y: 2, z: 3, c: 4, t: 1, m: 2, pages: 6}, "[2 3 4 2 3] MZCYX", "", false},
		{"mosaic at positions", lsmFile{x: 3, y: 2, z: 1, c: 4, t: 1, m: 2, p: 3, pages: 6}, "[2 3 4 2 3] MPCYX", "", false},
		{"one tile", lsmFile{x: 3, y: 2, z: 3, c: 4, t: 1, m: 1, p: 1, pages: 3}, "[3 4 2 3] ZCYX", "", false},
		{"two channels, bits behind an offset", lsmFile{x: 3, y: 2, z: 2, c: 2, t: 1, pages: 2, bitsBehind: true}, "[2 2 2 3] ZCYX", "", false},
		{"two channels, bits in place", lsmFile{x: 3, y: 2, z: 2, c: 2, t: 1, pages: 2}, "[2 2 2 3] ZCYX", "for an offset", true},
		{"short block", lsmFile{x: 3, y: 2, z: 2, c: 3, t: 1, pages: 2, info: 180}, "[2 3 2 3] ZCYX", "", false},
		{"no thumbnails", lsmFile{x: 3, y: 2, z: 2, c: 3, t: 1, pages: 2, noThumbs: true}, "[2 3 2 3] ZCYX", "no thumbnails", false},
		{"one page", lsmFile{x: 3, y: 2, z: 1, c: 3, t: 1, pages: 1, noThumbs: true}, "[3 2 3] CYX", "one page", true},
		{"stopped early", lsmFile{x: 3, y: 2, z: 2, c: 3, t: 9, pages: 6}, "[3 2 3 2 3] TZCYX", "contradicts", false},
		{"stopped within a stack", lsmFile{x: 3, y: 2, z: 4, c: 3, t: 9, pages: 6}, "[6 3 2 3] ZCYX", "contradicts", false},
		{"absurd sizes", lsmFile{x: 1 << 30, y: 1 << 30, z: 1 << 30, c: 3, t: 1 << 30, pages: 2}, "[2 3 2 3] ZCYX", "contradicts", false},
		{"not marked RGB", lsmFile{x: 3, y: 2, z: 2, c: 3, t: 1, pages: 2, photometric: 1}, "[2 3 2 3] ZCYX", "before 2026", false},
	} {
		a, g, err := readAll(c.file.build(), true)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := fmt.Sprint(a.Shape, " ", a.Axes); got != c.want || g.Flavour != "LSM" {
			t.Errorf("%s: %s %s, expected %s; notes %q", c.name, g.Flavour, got, c.want, g.Notes)
		}
		for i, v := range a.Values.([]uint16) {
			if int(v) != i {
				t.Errorf("%s: value %d at %d", c.name, v, i)
				break
			}
		}
		said := slices.ContainsFunc(g.Notes, func(n string) bool { return strings.Contains(n, c.note) })
		if c.note == "" && len(g.Notes) > 0 || c.note != "" && !said {
			t.Errorf("%s: notes %q, expected %q", c.name, g.Notes, c.note)
		}
		if (g.Refused != nil) != c.refused {
			t.Errorf("%s: refused by the reference: %v", c.name, g.Refused)
		}
	}
}

// TestLSMMeta reads voxel, time, channels, depth and tile positions.
func TestLSMMeta(t *testing.T) {
	_, g, err := readAll(lsmFile{x: 3, y: 2, z: 1, c: 3, t: 1, m: 2, pages: 2, places: [][2]float64{{0, 0}, {5e-7, -1e-7}}, stamps: []float64{10, 12, 15}}.build(), true)
	if err != nil {
		t.Fatal(err)
	}
	m := g.Meta
	if math.Abs(m.X-0.2) > 1e-12 || math.Abs(m.Y-0.3) > 1e-12 || math.Abs(m.Z-1) > 1e-12 || m.T != 2.5 || m.Source != lsmSource || m.Bits != 12 {
		t.Errorf("%+v", m)
	}
	if len(m.Channels) != 2 || m.Channels[0] != (ChannelMeta{Name: "Red", Colour: [3]uint8{255, 0, 0}}) || m.Channels[1] != (ChannelMeta{Name: "Grn", Colour: [3]uint8{0, 255, 0}}) {
		t.Errorf("channels %+v", m.Channels)
	}
	if len(m.Tiles) != 2 || math.Abs(m.Tiles[1][0]-0.5) > 1e-9 || math.Abs(m.Tiles[1][1]+0.1) > 1e-9 {
		t.Errorf("tiles %v", m.Tiles)
	}
}

// stkFile writes planes of 2 x 3 bytes that count up behind one directory. distance and step are those of UIC2.
func stkFile(planes, claimed, distance, step int) []byte {
	o := binary.LittleEndian
	b := []byte{'I', 'I', 42, 0, 0, 0, 0, 0}
	for i := range planes * 6 {
		b = append(b, byte(i))
	}
	records := len(b)
	for i := range planes {
		for _, v := range []int{distance, 4, 2451545, 1000 + i*step, 0, 0} {
			b = o.AppendUint32(b, uint32(v))
		}
	}
	size := len(b) // 0.5 micrometres
	b = append(o.AppendUint32(o.AppendUint32(b, 1), 2), 3, 0, 0, 0, 'u', 'm', 0)
	pairs := len(b)
	for _, v := range []int{uicXCalibration, size, uicYCalibration, size, uicUnit, size + 8} {
		b = o.AppendUint32(b, uint32(v))
	}
	o.PutUint32(b[4:], uint32(len(b)))
	b, _ = appendTags(b, [][4]int{{256, 4, 1, 3}, {257, 4, 1, 2}, {258, 3, 1, 8}, {259, 3, 1, 1}, {262, 3, 1, 1}, {273, 4, 1, 8}, {279, 4, 1, 6},
		{33628, 4, 3, pairs}, {33629, 5, claimed, records}})
	return b
}

// TestSTK reads MetaMorph stacks. The planes lie before the directory, so that their number is checked against it.
func TestSTK(t *testing.T) {
	for _, c := range []struct {
		name                            string
		planes, claimed, distance, step int
		want                            string
		x, z, t                         float64
	}{
		{"z stack", 4, 4, 2, 0, "[4 2 3] ZYX", 0.5, 0.5, 0},
		{"movie", 4, 4, 0, 1500, "[4 2 3] TYX", 0.5, 0, 1.5},
		{"neither", 4, 4, 0, 0, "[4 2 3] IYX", 0.5, 0, 0},
		{"one plane", 1, 1, 0, 0, "[2 3] YX", 0.5, 0, 0},
	} {
		a, g, err := readAll(stkFile(c.planes, c.claimed, c.distance, c.step), true)
		if err != nil || fmt.Sprint(a.Shape, " ", a.Axes) != c.want || g.Flavour != "STK" {
			t.Errorf("%s: %v %s %q, %v", c.name, a.Shape, a.Axes, g.Notes, err)
			continue
		}
		if m := g.Meta; m.X != c.x || m.Y != c.x || m.Z != c.z || m.T != c.t || m.Source != stkSource {
			t.Errorf("%s: %+v", c.name, m)
		}
		if v := a.Values.([]uint8); int(v[len(v)-1]) != len(v)-1 {
			t.Errorf("%s: %v", c.name, v)
		}
	}
	if a, g, err := readAll(stkFile(2, 4e9, 0, 0), true); err != nil || g.Refused == nil || len(g.Notes) == 0 {
		t.Errorf("claimed too many: %v, %v", a.Shape, err)
	}
}

// TestXZ reads LZMA2 data with and without the filter of differences.
func TestXZ(t *testing.T) {
	if _, err := unpackXZ([]byte("\xfd7zXZ\x00\x00\x00"), make([]byte, 4)); !errors.Is(err, errXZ) {
		t.Errorf("cut off: %v", err)
	}
	want := strings.Repeat("aabbccdd", 4)
	for _, distance := range []int{0, 1, 2, 7} {
		out := make([]byte, len(want))
		if n, err := unpackXZ(packXZ([]byte(want), distance), out); err != nil || n != len(want) || string(out) != want {
			t.Errorf("distance %d: %q, %v", distance, out[:n], err)
		}
	}
}

// packXZ stores bytes in an LZMA2 chunk without packing them, behind an optional filter of differences.
func packXZ(b []byte, distance int) []byte {
	stored := bytes.Clone(b)
	filters := []byte{0, xzLZMA2, 1, 0}
	if distance > 0 {
		filters = []byte{1, xzDelta, 1, byte(distance - 1), xzLZMA2, 1, 0}
		for i := len(stored) - 1; i >= distance; i-- {
			stored[i] -= stored[i-distance]
		}
	}
	for (1+len(filters)+4)%4 != 0 {
		filters = append(filters, 0)
	}
	out := append([]byte("\xfd7zXZ\x00\x00\x00\x00\x00\x00\x00"), byte((1+len(filters)+4)/4-1))
	out = append(append(out, filters...), 0, 0, 0, 0) // checksums are not looked at
	out = append(out, 1, byte((len(b)-1)>>8), byte(len(b)-1))
	return append(append(out, stored...), 0)
}

// FuzzXZ reads whatever bytes there are.
func FuzzXZ(f *testing.F) {
	f.Add(packXZ([]byte("aabbccdd"), 0))
	f.Add(packXZ([]byte("aabbccdd"), 2))
	f.Fuzz(func(t *testing.T, b []byte) {
		out := make([]byte, 100)
		if n, err := unpackXZ(b, out); n > len(out) || n < len(out) && err == nil {
			t.Errorf("%d bytes, %v", n, err)
		}
	})
}
