package tiff

import "fmt"

// maxLevels is how many smaller copies of a page are offered.
const maxLevels = 32

// levels gives the smaller copies of a series that its pages hold as sub-images (tag 330), largest first. They are never
// frames of their own.
func (f *File) levels(s *Series) (out []Series) {
	fr := s.First()
	if fr.Page == nil || fr.File.isLSM {
		return nil
	}
	last := s.Layout
	for k := range min(fr.Page.subIFDs.count, maxLevels) {
		p, err := fr.File.SubPage(fr.Page, int(k)+1)
		if err != nil || !smaller(p.Layout, last) {
			break
		}
		last = p.Layout
		level := *s
		level.Layout, level.Levels = p.Layout, nil
		level.Frames.Pages = make([]Frame, len(s.Frames.Pages))
		for i, o := range s.Frames.Pages {
			level.Frames.Pages[i] = Frame{o.File, o.Page, int(k) + 1}
		}
		out = append(out, level)
	}
	return out
}

// smaller tells whether one page can be a reduced copy of another: fewer pixels, the same samples.
func smaller(l, of *Layout) bool {
	return l.problem == "" && l.Width <= of.Width && l.Height <= of.Height && (l.Width < of.Width || l.Height < of.Height) &&
		l.Samples == of.Samples && l.Type == of.Type && l.Planar == of.Planar
}

// SubPage reads the directory of the nth sub-image of a page, counted from 1.
func (f *File) SubPage(p *Page, n int) (*Page, error) {
	where := fmt.Sprintf("%s, sub-image %d", pageName(p), n)
	w := f.window()
	offsets := f.ints(w, p.subIFDs, min(n, maxLevels))
	if len(offsets) < n || offsets[n-1] == p.at {
		return nil, f.malformed(where, "no directory", "")
	}
	at := offsets[n-1]
	t, ok := f.openTable(w, at)
	if !ok || t.count == 0 || t.count > maxEntries || at < 8 || !f.whole(t) {
		return nil, f.malformed(where, "a directory that cannot be read", "")
	}
	sub, l, err := f.directory(w, t, at, where)
	if err != nil {
		return nil, err
	}
	sub.Index, sub.Layout = p.Index, &l
	return sub, nil
}

// halved tells whether a page of its own is the next level of a pyramid: half the size, rounded either way
// (spec/formats.md 13.6).
func halved(l, of *Layout) bool {
	half := func(a, b int) bool { return a == b/2 || a == (b+1)/2 }
	return smaller(l, of) && half(l.Width, of.Width) && half(l.Height, of.Height)
}
