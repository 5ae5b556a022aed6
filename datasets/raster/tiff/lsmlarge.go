package tiff

import (
	"slices"
	"strings"
)

// lsmLargest is where the 32-bit offsets of pixels begin again at zero in LSM files.
const lsmLargest = 1 << 32

// unwrap finds where the pixels of an LSM file above 4 GiB lie. Their offsets lack what does not fit into 32 bits, but
// planes are written one behind the other: an offset that is smaller than the one before it lies 4 GiB further on. The
// order of writing is not told. It is that of the pages, or time by time where a page leads from position to position,
// with the thumbnails behind their planes, before them, or somewhere else: the first order is taken by which the pixels
// fill the file. Where none does, the planes are refused.
func (f *File) unwrap(g *Group, frames []*Page, lead []int, axes string) {
	if f.size <= lsmLargest {
		return
	}
	thumbs := map[*Page]*Page{} // behind each frame
	for _, p := range frames {
		if i := p.Index + 1; i < len(f.Pages) && f.Pages[i].Layout.Subfile&1 != 0 {
			thumbs[p] = f.Pages[i]
		}
	}
	for _, order := range [][]*Page{frames, timeByTime(frames, lead, axes)} {
		for _, withThumbs := range []func(p *Page) []*Page{
			func(p *Page) []*Page { return []*Page{p, thumbs[p]} },
			func(p *Page) []*Page { return []*Page{thumbs[p], p} },
			func(p *Page) []*Page { return []*Page{p} },
		} {
			var written []*Page
			for _, p := range order {
				written = append(written, withThumbs(p)...)
			}
			if f.unwrapAs(written) {
				return
			}
		}
	}
	for _, p := range frames {
		p.lost = true
	}
	g.Notes = append(g.Notes, "the file is larger than 4 GiB, and where its planes lie does not follow from their order: they are not read")
}

// unwrapAs tries one order of writing and notes the places on the pages if the pixels fill the file by it.
func (f *File) unwrapAs(written []*Page) bool {
	w := f.window()
	places := map[*Page][]int64{}
	last, beyond, end := int64(0), int64(0), int64(0)
	for _, p := range written {
		if p == nil || f.check(p) != nil {
			continue
		}
		nx, ny, np := p.Layout.grid()
		s := segments{need: product(nx, ny, np)}
		s.offsets = slices.Clone(f.ints(w, p.offsets, s.need))
		for i, at := range s.offsets {
			if at <= 0 {
				continue
			}
			if at < last {
				beyond += lsmLargest
			}
			last, s.offsets[i] = at, at+beyond
			end = max(end, at+beyond+1)
			if p.Layout.Compression == codecNone {
				want, _ := f.stored(p.Layout, s.piece(p.Layout, i))
				end = max(end, at+beyond+want)
			}
		}
		places[p] = s.offsets
	}
	if end > f.size || end+lsmLargest <= f.size {
		return false
	}
	for p, offsets := range places {
		p.places = offsets
	}
	return true
}

// timeByTime is frames in the order in which a microscope visits positions or tiles again and again, where the frames of
// one position stand together in the file; nil when that is no other order.
func timeByTime(frames []*Page, lead []int, axes string) (out []*Page) {
	t := strings.IndexByte(axes, 'T')
	if t <= 0 || strings.Trim(axes[:t], "MP") != "" || product(lead...) != len(frames) {
		return nil
	}
	positions, times := product(lead[:t]...), lead[t]
	each := len(frames) / positions / times
	for k := range times {
		for p := range positions {
			at := (p*times + k) * each
			out = append(out, frames[at:at+each]...)
		}
	}
	return out
}
