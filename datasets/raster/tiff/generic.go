package tiff

// generic gathers plain pages: all pages like the first one, wherever they lie, are the first series, axes I in front
// (spec/formats.md 1.7 item 6 and 13.11). Pages of half the size are levels of a pyramid, other
// reduced images and masks are series of their own.
func (f *File) generic(g *Group) {
	g.Flavour = "pages"
	g.Series = nil
	var kinds []Layout
	groups := map[Layout][]*Page{}
	for _, p := range f.Pages {
		k := sameFrames(p.Layout)
		if _, ok := groups[k]; !ok {
			kinds = append(kinds, k)
		}
		groups[k] = append(groups[k], p)
	}
	for _, k := range kinds {
		pages := groups[k]
		if f.isLevel(g, pages) {
			continue
		}
		if len(pages) == 1 {
			g.Series = append(g.Series, pagesSeries("pages", pages, f, nil, ""))
			continue
		}
		g.Series = append(g.Series, pagesSeries("pages", pages, f, []int{len(pages)}, "I"))
	}
}

// isLevel keeps pages of half the size as a level of the first series instead of a series of their own.
func (f *File) isLevel(g *Group, pages []*Page) bool {
	if len(g.Series) != 1 || len(g.Series[0].Frames.Pages) != len(pages) {
		return false
	}
	first := &g.Series[0]
	last := first.Layout
	if n := len(first.Levels); n > 0 {
		last = first.Levels[n-1].Layout
	}
	if !halved(pages[0].Layout, last) || len(first.Levels) == maxLevels {
		return false
	}
	first.Levels = append(first.Levels, pagesSeries("pages", pages, f, first.Lead, first.LeadAxes))
	return true
}

// sameFrames is what two pages must have in common to be frames of one series.
func sameFrames(l *Layout) Layout {
	k := *l
	if !k.Tiled { // strips may be cut differently
		k.SegW, k.SegH = 0, 0
	}
	k.Subfile &= 1 | 4
	k.SubX, k.SubY, k.Orientation, k.Fax, k.FromCounts = 0, 0, 0, 0, false
	return k
}
