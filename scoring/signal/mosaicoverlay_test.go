package signal

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"coverslip/scoring/call/calltest"
)

// storage is how a page of planar samples is stored.
type storage struct {
	name       string
	samples    int
	deflate    bool
	segW, segH int // tiles; strips for segW 0
	big        bool
}

// planes writes a page of 16-bit samples, one plane after the other.
func planes(t testing.TB, h, w int, s storage, value func(sample, y, x int) uint16) []byte {
	t.Helper()
	d := directory{order: binary.LittleEndian, mark: "II", shifted: tagStripOffsets}
	if s.big {
		d.order, d.mark = binary.BigEndian, "MM"
	}
	width := s.segW
	if width == 0 {
		width = w
	}
	var data bytes.Buffer
	var offsets, counts []int64
	for k := range s.samples {
		for top := 0; top < h; top += s.segH {
			for left := 0; left < w; left += width {
				rows := s.segH
				if s.segW == 0 {
					rows = min(rows, h-top)
				}
				piece := make([]byte, 0, 2*rows*width)
				for y := top; y < top+rows; y++ {
					for x := left; x < left+width; x++ {
						v := uint16(0)
						if y < h && x < w {
							v = value(k, y, x)
						}
						piece = d.order.(binary.AppendByteOrder).AppendUint16(piece, v)
					}
				}
				at := data.Len()
				if s.deflate {
					z, err := zlib.NewWriterLevel(&data, zlib.BestSpeed)
					if err != nil {
						t.Fatal(err)
					}
					z.Write(piece)
					z.Close()
				} else {
					data.Write(piece)
				}
				offsets, counts = append(offsets, int64(at)), append(counts, int64(data.Len()-at))
			}
		}
	}
	compression := int64(1)
	if s.deflate {
		compression = 8
	}
	d.add(tagWidth, int64(w))
	d.add(tagHeight, int64(h))
	d.add(tagBits, slices.Repeat([]int64{16}, s.samples)...)
	d.add(tagCompression, compression)
	d.add(tagPhotometric, 1)
	d.add(tagSamples, int64(s.samples))
	d.add(tagPlanar, 2)
	if s.segW > 0 {
		d.shifted = tagTileOffsets
		d.add(tagTileWidth, int64(s.segW))
		d.add(tagTileHeight, int64(s.segH))
		d.add(tagTileCounts, counts...)
	} else {
		d.add(tagRowsPerStrip, int64(s.segH))
		d.add(tagStripCounts, counts...)
	}
	d.add(d.shifted, offsets...)
	return append(d.encode(), data.Bytes()...)
}

// Of large compressed planes the strips or tiles of the band are decoded, with the same profiles as without compression,
// and no other: damage elsewhere does not show.
func TestCompressedBands(t *testing.T) {
	const h, w = 420, 5100
	value := func(s, y, x int) uint16 { return uint16(s*7 + y*3 + x*x%251) }
	for _, s := range []storage{
		{name: "strips", samples: 1, segH: 64}, {name: "strips of planes", samples: 2, segH: 33, big: true},
		{name: "tiles", samples: 1, segW: 256, segH: 128, big: true}, {name: "tiles of planes", samples: 2, segW: 512, segH: 96},
		{name: "one strip", samples: 1, segH: h},
	} {
		read := func(damaged bool) ([][]float64, error) {
			file := filepath.Join(t.TempDir(), "a.tif")
			content := planes(t, h, w, s, value)
			if damaged {
				for i := range 3000 {
					content[len(content)-1-i] = 0xff // the last rows
				}
			}
			writeFile(t, file, content)
			stack, err := readStack(t.Context(), file, 100)
			return stack.profiles, err
		}
		want, err := read(false)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		s.deflate = true
		got, err := read(false)
		if err != nil || len(got) != s.samples {
			t.Fatalf("%s: %d profiles, %v", s.name, len(got), err)
		}
		for c := range want {
			if !slices.Equal(got[c], want[c]) {
				t.Errorf("%s: the profile of channel %d differs", s.name, c)
			}
		}
		if s.segH == h {
			continue
		}
		if got, err := read(true); err != nil || !slices.Equal(got[0], want[0]) {
			t.Errorf("%s: with damage outside the band %v", s.name, err)
		}
	}
}

// BenchmarkCompressedMosaic has four planes of 7500 x 7500 in Deflate strips of 16 rows on each side; the band alone is decoded.
func BenchmarkCompressedMosaic(b *testing.B) {
	const side, band = 7500, 100
	task := mosaicTaskOf(b)
	rng := rand.New(rand.NewPCG(15, 1))
	noise := make([]uint16, side)
	for i := range noise {
		noise[i] = uint16(rng.IntN(1000))
	}
	s := storage{samples: 4, segH: 16, deflate: true}
	content := planes(b, side, side, s, func(k, y, x int) uint16 { return noise[(x+7*k+y/50)%side] })
	writeFile(b, filepath.Join(task.Dir, "evaluation", "mosaic.tif"), content)
	writeFile(b, filepath.Join(task.Dir, "pred", "stitched.tif"), content)
	content = nil
	calltest.Bench(b, Mosaic, task, 2*4*side*band*2)
}
