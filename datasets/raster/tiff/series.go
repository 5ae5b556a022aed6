package tiff

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"coverslip/datasets/raster/pixel"
)

// Series is one array of a file: frames of one Layout in C order along the leading axes.
type Series struct {
	pixel.Header
	Layout *Layout
	// Lead and LeadAxes are the axes that the frames run along, without those of the page itself: Frames = product(Lead).
	// They may be written differently from Header when a note in the file reshapes the array.
	Lead     []int
	LeadAxes string
	Frames   Frames
	Levels   []Series // smaller copies for the screen, largest first
	Name     string   // that the file gives it, or ""
	Kind     string   // "shaped", "LSM", "OME", "ImageJ", "STK", "pages"
}

// Frames tells where the frames of a series are.
type Frames struct {
	Count  int
	Pages  []Frame // one per frame; nil for frames that lie one behind the other
	File   *File   // of frames that lie one behind the other from Base on, Stride bytes apart,
	First  *Page   // in the layout of this page
	Base   int64
	Stride int64
}

// Frame is one page of a file of the series; a nil page is a frame that the file leaves out, which reads as zeros.
type Frame struct {
	File *File
	Page *Page
	Sub  int // the nth sub-image of the page instead of the page, counted from 1
}

// First is the first frame that the file holds; its page is nil for frames that lie behind a page.
func (s *Series) First() Frame {
	for _, fr := range s.Frames.Pages {
		if fr.Page != nil {
			return fr
		}
	}
	return Frame{}
}

// Last is the last frame that the file holds; its page is nil for frames that lie behind a page.
func (s *Series) Last() Frame {
	for _, fr := range slices.Backward(s.Frames.Pages) {
		if fr.Page != nil {
			return fr
		}
	}
	return Frame{}
}

// Group is what the pages of a file mean.
type Group struct {
	Flavour string   // "shaped", "LSM", "OME", "ImageJ", "STK", "pages"
	Series  []Series // as the reference's reader sees them; the first is what is scored
	Shown   *Series  // a series that shows more than the first, or nil
	Meta    Meta
	Notes   []string
	// Refused is why the reference cannot read the file, or nil.
	Refused error
}

// Sibling opens another file of a set by its name without folders; it fails for files that are not there.
type Sibling func(name string) (*File, error)

// Group asks the flavours in the order of spec/formats.md 1.7 and takes the first that applies.
func (f *File) Group(sibling Sibling) Group {
	first := f.Pages[0]
	meta := f.tagMeta(first)
	g := Group{Meta: meta, Refused: f.Refused, Notes: append([]string(nil), f.Notes...)}
	texts := [2]string{f.Description(first, 0), f.Description(first, 1)}
	switch {
	case f.shaped(&g, texts):
	case f.lsm(&g, first):
	case f.ome(&g, texts[0], sibling):
	case f.imageJ(&g, texts[0]):
	case f.stk(&g, first):
	default:
		f.generic(&g)
	}
	for i := range g.Series {
		if g.Series[i].Levels == nil {
			g.Series[i].Levels = f.levels(&g.Series[i])
		}
	}
	f.remarks(&g)
	return g
}

// remarks adds what is to be known of the first series whatever its flavour.
func (f *File) remarks(g *Group) {
	l := f.Pages[0].Layout
	if l.NeedsCodecs() {
		g.Notes = append(g.Notes, CodecNote)
	}
	if !l.FromCounts && g.Refused == nil {
		f.refuse("no byte counts of strips or tiles")
		g.Refused = f.Refused
	}
	if l.Orientation > 1 && l.Orientation <= 8 {
		g.Notes = append(g.Notes, fmt.Sprintf("orientation tag %d is ignored, as in scoring", l.Orientation))
	}
	if l.Photometric == photoRGB && l.Samples < 3 && !f.isLSM {
		g.Notes = append(g.Notes, "photometric tag and number of samples disagree")
	}
	if s := f.Pages[0].subIFDs; s.tag != 0 {
		for _, at := range f.ints(f.window(), s, 64) {
			if at == f.Pages[0].at {
				g.Notes = append(g.Notes, "a sub-image of page 1 loops back to it and is ignored")
			}
		}
	}
	nx, ny, np := 1, 1, 1
	if l.problem == "" {
		nx, ny, np = l.grid()
	}
	if need := product(nx, ny, np); uint64(need) > f.Pages[0].offsets.count {
		g.Notes = append(g.Notes, fmt.Sprintf("%d of %d strips or tiles of page 1 are missing and read as zero", need-int(f.Pages[0].offsets.count), need))
	}
}

// CodecNote is the remark on files that the reference may not be able to read (spec/formats.md 1.6).
const CodecNote = "needs the optional codec package in the reference reader; without it the reference cannot read this file"

// pagesSeries makes a series of whole pages along leading axes.
func pagesSeries(kind string, pages []*Page, f *File, lead []int, axes string) Series {
	shape, letters := pages[0].Layout.Shape()
	s := Series{Kind: kind, Layout: pages[0].Layout, Lead: lead, LeadAxes: axes}
	s.Shape, s.Axes, s.Type = append(append([]int(nil), lead...), shape...), axes+letters, pages[0].Layout.Type
	s.Frames.Count = len(pages)
	for _, p := range pages {
		s.Frames.Pages = append(s.Frames.Pages, Frame{File: f, Page: p})
	}
	return s
}

// contiguousSeries makes a series of planes that follow each other directly after the first page's.
func (f *File) contiguousSeries(kind string, base int64, lead []int, axes string) Series {
	p := f.Pages[0]
	shape, letters := p.Layout.Shape()
	s := Series{Kind: kind, Layout: p.Layout, Lead: lead, LeadAxes: axes}
	s.Shape, s.Axes, s.Type = append(append([]int(nil), lead...), shape...), axes+letters, p.Layout.Type
	s.Frames = Frames{Count: product(lead...), File: f, First: p, Base: base, Stride: int64(p.storedBytes())}
	return s
}

// storedBytes is the size of a page's samples without compression, rows padded to bytes.
func (p *Page) storedBytes() int {
	l := p.Layout
	n := product(l.Width, l.lanes(), l.Bits)
	if n == math.MaxInt {
		return n
	}
	planes := 1
	if l.Planar {
		planes = l.Samples
	}
	return product((n+7)/8, l.Height, planes)
}

// contiguous tells whether the samples of page 1 lie without gaps and compression, and where.
func (f *File) contiguous() (base int64, ok bool) {
	p := f.Pages[0]
	l := p.Layout
	if l.problem != "" || l.Compression != codecNone || l.LowBitFirst || l.Tiled && (l.SegW != l.Width || l.SegH != l.Height) {
		return 0, false
	}
	s, err := f.segments(p)
	if err != nil || len(s.offsets) < s.need || s.offsets[0] <= 0 {
		return 0, false
	}
	next := s.offsets[0]
	for i := range s.need {
		q := s.piece(l, i)
		if q.at != next {
			return 0, false
		}
		next += int64(product(q.h, l.rowBytes()))
	}
	return s.offsets[0], true
}

// planesBehind is how many planes of page 1's size lie between its first pixel and the next directory, or the end of the
// file.
func (f *File) planesBehind(base int64) int {
	size, end := int64(f.Pages[0].storedBytes()), f.size
	for _, p := range f.Pages {
		if p.at > base {
			end = min(end, p.at)
		}
	}
	if size <= 0 || base >= end {
		return 0
	}
	return int((end - base) / size)
}

// dropOnes leaves out axes of length 1.
func dropOnes(lead []int, axes string) ([]int, string) {
	var out []int
	var b strings.Builder
	for i, n := range lead {
		if n != 1 {
			out = append(out, n)
			b.WriteByte(axes[i])
		}
	}
	return out, b.String()
}
