package tiff

import (
	"fmt"
	"strconv"
	"strings"
)

// imageJNote is ImageJ's description: one key=value per line.
type imageJNote map[string]string

func readImageJNote(text string) imageJNote {
	n := imageJNote{}
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if k, v, ok := strings.Cut(line, "="); ok {
			n[strings.TrimSpace(k)] = strings.TrimSpace(v)
		}
	}
	return n
}

// count is the whole number of a key, 1 when absent. ok is false for text that is no number.
func (n imageJNote) count(key string) (v int, ok bool) {
	t, there := n[key]
	if !there {
		return 1, true
	}
	v, err := strconv.Atoi(t)
	return v, err == nil
}

// imageJ reads files whose description begins with "ImageJ=" (spec/formats.md 1.8.1, 13.2): channel fastest, then z,
// then t; axes of length 1 are dropped.
func (f *File) imageJ(g *Group, text string) bool {
	if !strings.HasPrefix(text, "ImageJ=") {
		return false
	}
	n := readImageJNote(text)
	f.imageJMeta(g, n)
	dims, ok := f.imageJDims(g, n)
	if !ok {
		return false
	}
	first := f.Pages[0].Layout
	switch {
	case dims.channels > 1 && first.Planar && first.Samples == dims.channels:
		dims.channels = 1 // channels are the samples of a page
	case dims.channels > 1 && first.Samples == dims.channels && dims.images == dims.frames*dims.slices:
		dims.channels = 1
	}
	lead, axes := dropOnes([]int{dims.frames, dims.slices, dims.channels}, "TZC")
	planned := product(dims.frames, dims.slices, dims.channels)
	pages := f.framesLike(f.Pages[0])
	base, inRow := f.contiguous()
	behind := 0
	if inRow {
		behind = f.planesBehind(base)
	}
	switch {
	case planned == 1 && len(f.Pages) == 1:
		g.Series = []Series{pagesSeries("ImageJ", f.Pages, f, nil, "")}
		f.showHidden(g, base, min(dims.images, behind))
	case planned == len(pages):
		g.Series = []Series{pagesSeries("ImageJ", pages, f, lead, axes)}
		f.warnInterleaved(g, base, planned)
	case planned == 1:
		g.Series = []Series{pagesSeries("ImageJ", pages, f, []int{len(pages)}, "I")}
	case inRow && planned <= behind:
		g.Series = []Series{f.contiguousSeries("ImageJ", base, lead, axes)}
	default:
		return f.imageJMismatch(g, planned, base, behind)
	}
	g.Flavour = "ImageJ"
	return true
}

type imageJDims struct{ images, frames, slices, channels int }

// imageJDims reads the counts. A count that is no number makes the reference refuse the file.
func (f *File) imageJDims(g *Group, n imageJNote) (d imageJDims, ok bool) {
	for _, c := range []struct {
		key string
		to  *int
	}{{"images", &d.images}, {"frames", &d.frames}, {"slices", &d.slices}, {"channels", &d.channels}} {
		v, number := n.count(c.key)
		if !number {
			f.refuse("%s=%s in the ImageJ description, which is no number", c.key, n[c.key])
			g.Refused = f.Refused
		}
		if !number || v < 1 || v > 1<<31 {
			g.Notes = append(g.Notes, "the ImageJ description is not usable, read as plain pages")
			return d, false
		}
		*c.to = v
	}
	return d, true
}

// imageJMismatch handles counts that fit neither the pages nor the planes behind the first one: plain pages, and on the
// screen the planes that exist.
func (f *File) imageJMismatch(g *Group, planned int, base int64, behind int) bool {
	g.Notes = append(g.Notes, fmt.Sprintf("the ImageJ description promises %d planes, the file holds %d", planned, max(len(f.Pages), behind)))
	f.generic(g)
	if len(f.Pages) == 1 {
		f.showHidden(g, base, min(planned, behind))
	}
	return true
}

// showHidden offers planes behind a single page that the reference does not read.
func (f *File) showHidden(g *Group, base int64, planes int) {
	if planes < 2 {
		return
	}
	s := f.contiguousSeries("ImageJ", base, []int{planes}, "I")
	g.Shown = &s
	g.Notes = append(g.Notes, fmt.Sprintf("scoring reads the first plane alone, the screen shows all %d", planes))
}

// warnInterleaved tells of pages between which the reference would look for contiguous planes (spec/formats.md 13.2).
func (f *File) warnInterleaved(g *Group, base int64, planned int) {
	if planned < 2 || base == 0 {
		return
	}
	size := int64(f.Pages[0].storedBytes())
	if base+int64(planned)*size > f.Pages[1].at {
		return
	}
	for i := range planned {
		s, err := f.segments(f.Pages[i])
		if err != nil || s.offsets[0] != base+int64(i)*size {
			g.Notes = append(g.Notes, "the reference takes the bytes between the first two directories for pixels and reads other numbers")
			return
		}
	}
}

// framesLike is all pages that can be frames together with a page.
func (f *File) framesLike(p *Page) []*Page {
	var out []*Page
	k := sameFrames(p.Layout)
	for _, q := range f.Pages {
		if q.Layout == p.Layout || sameFrames(q.Layout) == k {
			out = append(out, q)
		}
	}
	return out
}
