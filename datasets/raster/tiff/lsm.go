package tiff

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// lsmInfo is the block of tag 34412 of Zeiss LSM files: little-endian, without gaps, and shorter in older files
// (spec/formats.md 2). What lies behind its end reads as zero.
type lsmInfo []byte

// Places in the block.
const (
	lsmDims          = 8 // X Y Z channels T, 4 bytes each
	lsmDataType      = 28
	lsmVoxel         = 40 // X Y Z, 8 bytes each
	lsmScanType      = 88
	lsmColours       = 108
	lsmInterval      = 112
	lsmDataTypes     = 120
	lsmTimeStamps    = 132
	lsmPositions     = 264 // number of stage positions
	lsmTiles         = 268 // number of tiles of a mosaic
	lsmTileTable     = 336
	lsmPositionTable = 376
)

func (b lsmInfo) int(at int) int {
	if at+4 > len(b) {
		return 0
	}
	return int(int32(binary.LittleEndian.Uint32(b[at:])))
}

// offset is the place of a table in the file, 0 when there is none.
func (b lsmInfo) offset(at int) int64 { return int64(uint32(b.int(at))) }

func (b lsmInfo) float(at int) float64 {
	if at+8 > len(b) {
		return 0
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(b[at:]))
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

// lsmOrder is the axes behind X Y by scan type, fastest first; C stands beside Y X in arrays whatever the scan.
func lsmOrder(scan int) string {
	switch scan {
	case 3, 5, 9:
		return "TCZ"
	case 4, 6:
		return "ZTC"
	case 7:
		return "CTZ"
	case 8:
		return "CZT"
	}
	return "ZCT"
}

// lsm reads Zeiss LSM files: thumbnails are left out, the axes are M P T Z C Y X without those of length 1.
func (f *File) lsm(g *Group, first *Page) bool {
	if !f.isLSM {
		return false
	}
	t, ok := f.Tag(first, tagLSM, 0)
	info := lsmInfo(t.Bytes)
	if n := info.int(4); n > 0 && n < len(info) {
		info = info[:n]
	}
	if magic := uint32(info.int(0)); !ok || magic != 0x0300494c && magic != 0x0400494c {
		g.Notes = append(g.Notes, "the LSM information block is not usable, read as plain pages")
		f.generic(g)
		return true
	}
	pages := f.lsmPages(g, first)
	lead, axes := f.lsmAxes(g, info, first.Layout, len(pages))
	f.unwrap(g, pages, lead, axes)
	s := pagesSeries("LSM", pages, f, lead, axes)
	s.Axes = strings.ReplaceAll(s.Axes, "S", "C")
	g.Flavour, g.Series = "LSM", []Series{s}
	f.lsmMeta(g, info, first.Layout.Samples)
	f.lsmRemarks(g, info, first)
	return true
}

// lsmPages is the pages without the thumbnails.
func (f *File) lsmPages(g *Group, first *Page) []*Page {
	pages := f.framesLike(first)
	if len(f.Pages) == 1 {
		g.Notes = append(g.Notes, "the reference reader refuses LSM files of one page")
		f.refuse("an LSM file of one page")
		return pages
	}
	for _, p := range f.Pages {
		if p.Layout.Subfile&1 != 0 {
			return pages
		}
	}
	g.Notes = append(g.Notes, "no thumbnails, all pages are images")
	return pages
}

// lsmAxes gives the leading axes. The pages win where the block contradicts them.
func (f *File) lsmAxes(g *Group, info lsmInfo, l *Layout, pages int) ([]int, string) {
	order := lsmOrder(info.int(lsmScanType) & 0xffff)
	size := map[byte]int{'Z': info.int(lsmDims + 8), 'C': info.int(lsmDims + 12), 'T': info.int(lsmDims + 16),
		'P': info.int(lsmPositions), 'M': info.int(lsmTiles)}
	axes := "MP"
	for i := range order {
		if c := order[len(order)-1-i]; c != 'C' {
			axes += string(c)
		}
	}
	if axes += "C"; l.Samples > 1 {
		size['C'] = 1 // channels are the samples of a page
	}
	var lead []int
	for _, c := range []byte(axes) {
		lead = append(lead, max(size[c], 1))
	}
	lead, axes = dropOnes(lead, axes)
	if w, h := info.int(lsmDims), info.int(lsmDims+4); product(lead...) == pages && w == l.Width && h == l.Height {
		return lead, axes
	}
	g.Notes = append(g.Notes, fmt.Sprintf("the LSM information block contradicts the %d pages of %d x %d pixels, the pages count", pages, l.Width, l.Height))
	if product(lead...) == pages {
		return lead, axes
	}
	if len(lead) > 0 { // a recording that was stopped lacks the end of its slowest axis
		if inner := product(lead[1:]...); inner <= pages && pages%inner == 0 {
			lead[0] = pages / inner
			return dropOnes(lead, axes)
		}
	}
	if size['T'] > 1 && size['Z'] <= 1 {
		return dropOnes([]int{pages}, "T")
	}
	return dropOnes([]int{pages}, "Z")
}

// lsmRemarks tells where the reference's reader stumbles (spec/formats.md 13.4) and what is odd.
func (f *File) lsmRemarks(g *Group, info lsmInfo, first *Page) {
	l := first.Layout
	if l.Samples > 1 && l.Photometric != photoRGB {
		g.Notes = append(g.Notes, "releases of the reference reader before 2026 name the same numbers C before Z, since the photometric tag is not RGB")
	}
	if f.lsmInline {
		g.Notes = append(g.Notes, "the bits of two channels lie in the directory: the reference takes the two values for an offset")
		f.refuse("BitsPerSample of two channels inside the directory entry")
	}
	outside := 0
	for _, at := range []int{lsmColours, lsmDataTypes, lsmTimeStamps, lsmTileTable, lsmPositionTable} {
		if info.offset(at) >= f.size {
			outside++
		}
	}
	if outside > 0 {
		g.Notes = append(g.Notes, fmt.Sprintf("%d tables of the LSM information block lie outside the file and are not used", outside))
		f.refuse("LSM tables that lie outside the file")
	}
	if s, err := f.segments(first); err == nil && l.Compression != codecNone && len(s.counts) > 0 {
		raw := int64(first.storedBytes() / max(len(s.offsets), 1))
		if want := f.ints(f.window(), first.counts, 1); len(want) > 0 && (want[0] == raw || want[0] != s.counts[0]) {
			g.Notes = append(g.Notes, "the byte counts are wrong: those of the unpacked planes")
		}
	}
	g.Refused = f.Refused
}

// lsmCounts corrects byte counts of compressed planes: some versions store those of the unpacked ones. A plane ends where
// the next one or the file does.
func (f *File) lsmCounts(s *segments) {
	for i := range s.counts {
		end := f.size
		if i+1 < len(s.offsets) && s.offsets[i+1] > s.offsets[i] {
			end = s.offsets[i+1]
		}
		if i < len(s.offsets) && s.offsets[i] > 0 {
			s.counts[i] = min(s.counts[i], max(end-s.offsets[i], 0))
		}
	}
}

// lsmBits corrects BitsPerSample of two channels, which the format keeps behind an offset although they fit into the
// entry. Both forms are accepted. Samples of 12 bits take 16.
func (f *File) lsmBits(w *window, d *draft, e entry) {
	plausible := func(v []int64) bool {
		for _, b := range v {
			if b != 8 && b != 12 && b != 16 && b != 32 {
				return false
			}
		}
		return true
	}
	if e.kind == kindShort && e.count == 2 {
		if plausible(d.bits) {
			f.lsmInline = true
		} else if b, ok := w.bytes(e.at, 4); ok {
			e.at = int64(f.order.Uint32(b))
			if v := f.ints(w, e, 2); len(v) == 2 && plausible(v) {
				d.bits = v
			}
		}
	}
	for i, b := range d.bits {
		if b == 12 {
			d.bits[i] = 16
		}
	}
}
