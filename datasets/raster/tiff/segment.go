package tiff

import (
	"fmt"
	"io"
	"math"
)

// segments is where the strips or tiles of one page lie in the file.
type segments struct {
	offsets, counts []int64 // counts is nil when the file gives none
	need            int     // how many the geometry asks for; offsets may hold fewer
}

// segments reads the offsets and byte counts of a page after checking that the page is one that can be.
func (f *File) segments(p *Page) (segments, error) {
	l, where := p.Layout, pageName(p)
	if err := f.check(p); err != nil {
		return segments{}, err
	}
	nx, ny, np := l.grid()
	s := segments{need: product(nx, ny, np)}
	if !p.offsets.fits(f.size) {
		return s, f.malformed(where, fmt.Sprintf("a list of %d strip or tile offsets that does not fit into the file", p.offsets.count), "")
	}
	if uint64(s.need) > p.offsets.count && (s.need > 1<<20 || l.Bytes() > largeUnproven) {
		return s, f.tooLarge(where, fmt.Sprintf("%d x %d pixels in %d pieces, of which %d are stored", l.Width, l.Height, s.need, p.offsets.count))
	}
	if p.lost {
		return s, f.unsupported(where, "a Zeiss LSM file above 4 GiB whose planes cannot be found", "Export the image as BigTIFF or OME-TIFF")
	}
	w := f.window()
	if s.offsets = p.places; s.offsets == nil {
		s.offsets = f.ints(w, p.offsets, s.need)
	}
	if p.counts.tag != 0 {
		s.counts = f.ints(w, p.counts, s.need)
	}
	if f.isLSM && l.Compression != codecNone {
		f.lsmCounts(&s)
	}
	if len(s.offsets) == 0 {
		return s, f.malformed(where, "an empty list of strip or tile offsets", "")
	}
	return s, nil
}

// check tells why a page cannot be decoded, from its directory alone.
func (f *File) check(p *Page) error {
	l, where := p.Layout, pageName(p)
	switch {
	case l.problem != "" && l.broken:
		return f.malformed(where, l.problem, "")
	case l.problem != "":
		return f.unsupported(where, l.problem+" are not supported", "Save the image with 8, 16 or 32 bits per sample")
	}
	if err := f.checkCodec(l, where); err != nil {
		return err
	}
	if l.Elements() == math.MaxInt || product(l.SegW, l.SegH, l.lanes(), 8) == math.MaxInt {
		return f.tooLarge(where, fmt.Sprintf("%d x %d pixels", l.Width, l.Height))
	}
	if tile := product(l.SegH, l.rowBytes()); l.Tiled && tile > largeUnproven && tile/4 > l.Bytes() {
		return f.tooLarge(where, fmt.Sprintf("tiles of %d x %d for a page of %d x %d pixels", l.SegW, l.SegH, l.Width, l.Height))
	}
	return nil
}

func pageName(p *Page) string { return fmt.Sprintf("page %d", p.Index+1) }

// piece is one segment of a page: which rows and columns it covers and where its bytes are.
type piece struct {
	index      int
	plane      int // of a planar page
	x, y, w, h int // the part of the page that it fills
	rows       int // rows that are stored: the whole tile, or the rows of the strip
	at, count  int64
}

// absent tells whether the file leaves the piece out, which means zeros.
func (s *piece) absent() bool { return s.at == 0 }

// piece locates segment i of a page.
func (s *segments) piece(l *Layout, i int) piece {
	nx, ny, _ := l.grid()
	p := piece{index: i, plane: i / (nx * ny), count: -1}
	i %= nx * ny
	p.x, p.y = i%nx*l.SegW, i/nx*l.SegH
	p.w, p.h = min(l.SegW, l.Width-p.x), min(l.SegH, l.Height-p.y)
	p.rows = p.h
	if l.Tiled {
		p.rows = l.SegH
	}
	if p.index < len(s.offsets) {
		p.at = s.offsets[p.index]
	}
	if p.index < len(s.counts) {
		p.count = s.counts[p.index]
	}
	return p
}

// stored is the byte range of a piece: as counted, or as its geometry says for samples that are not compressed, or up
// to the end of the file. have is how much of the range the file holds.
func (f *File) stored(l *Layout, p piece) (want, have int64) {
	raw := int64(product(p.rows, l.rowBytes()))
	left := max(f.size-p.at, 0)
	if p.at < 0 {
		left = 0
	}
	want = p.count
	if l.Compression == codecNone {
		want = raw
	} else {
		if want <= 0 {
			want = left
		}
		want = min(want, 2*min(raw, f.size)+1<<16) // no scheme needs more; what follows is surplus
	}
	return want, min(want, left)
}

// largeUnproven is the size from which a page must hold what it claims in full: 64 MiB.
const largeUnproven = 1 << 26

// largestRatio is how many bytes one stored byte can become at most, by compression scheme.
func largestRatio(compression int) int64 {
	switch compression {
	case codecNone:
		return 1
	case codecPackBits:
		return 64
	case codecDeflate, codecOldDeflate:
		return 1040
	case codecLZW:
		return 4096
	}
	return 1 << 18
}

// plausible compares what a piece becomes with what is stored of it. A file that is cut off in the middle passes: only
// sizes far beyond the stored bytes are refused.
func (f *File) plausible(p *Page, s piece) error {
	l := p.Layout
	raw := int64(product(s.rows, l.rowBytes()))
	if raw < 1<<20 || s.absent() {
		return nil
	}
	_, have := f.stored(l, s)
	if raw/64 > have*largestRatio(l.Compression)+1<<10 {
		what := fmt.Sprintf("%d x %d pixels, whose piece %d claims %d bytes", l.Width, l.Height, s.index+1, raw)
		if raw < largeUnproven {
			return f.malformed(pageName(p), what, "no more than the file holds")
		}
		return f.tooLarge(pageName(p), what)
	}
	return nil
}

// load reads n bytes at an offset; fewer where the file ends.
func (f *File) load(b []byte, at int64) (int, error) {
	if at < 0 || at >= f.size {
		return 0, nil
	}
	n, err := f.r.ReadAt(b[:min(int64(len(b)), f.size-at)], at)
	if err == io.EOF {
		err = nil
	}
	return n, err
}

// Check tells why a page cannot be read, without reading its pixels: its directory contradicts itself, uses what is not
// supported, or claims more pixels than the file can hold. cut says that some pixels lie behind the end of the file;
// notes are what is odd.
func (f *File) Check(p *Page) (cut bool, notes []string, err error) {
	s, err := f.segments(p)
	if err != nil {
		return false, nil, err
	}
	odd := map[string]bool{}
	say := func(note string) {
		if !odd[note] {
			odd[note] = true
			notes = append(notes, note)
		}
	}
	l := p.Layout
	claimed, held := int64(0), int64(0)
	for i := range min(s.need, len(s.offsets)) {
		q := s.piece(l, i)
		if q.absent() {
			continue
		}
		if err := f.plausible(p, q); err != nil {
			return false, nil, err
		}
		want, have := f.stored(l, q)
		claimed, held = claimed+int64(product(q.rows, l.rowBytes())), held+have*largestRatio(l.Compression)
		cut = cut || have < want && (l.Compression == codecNone || q.count > 0)
		switch {
		case q.count == 0:
			say("the byte count of a strip or tile is 0, it is taken from the geometry")
		case have == want && q.count > f.size-q.at:
			say("the byte count of a strip or tile reaches beyond the end of the file")
		}
	}
	if claimed > largeUnproven && claimed/64 > held {
		return false, nil, f.tooLarge(pageName(p), fmt.Sprintf("%d x %d pixels in %d pieces", l.Width, l.Height, s.need))
	}
	if n := p.offsets.count; n > uint64(s.need) {
		say(fmt.Sprintf("%d strips or tiles are stored where %d are needed", n, s.need))
		f.refuse("%d strips or tiles where %d are needed", n, s.need)
	}
	if cut && !f.anyRow(p, s, l.all(min(s.need, len(s.offsets)))) {
		return true, nil, f.malformed(pageName(p), "pixels that lie behind the end of the file", "at least one row of pixels")
	}
	return cut, notes, nil
}
