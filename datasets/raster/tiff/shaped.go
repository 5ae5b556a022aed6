package tiff

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// shapeNote is the description that the usual Python writer leaves: the array's shape as JSON.
type shapeNote struct {
	Shape     []int   `json:"shape"`
	Axes      any     `json:"axes"`
	Truncated bool    `json:"truncated"`
	Spacing   float64 `json:"spacing"`
	Unit      string  `json:"unit"`
}

// shaped reads files whose first or second description notes a shape (spec/formats.md 1.7 item 1, 13.1). Each page with
// a note of its own begins a series. It applies only if the note fits the pages.
func (f *File) shaped(g *Group, texts [2]string) bool {
	note, found, err := readShapeNote(texts)
	if !found {
		if strings.HasPrefix(texts[0], "[") || strings.HasPrefix(texts[0], "{") {
			g.Notes = append(g.Notes, "the description is not usable, read as plain pages")
		}
		return false
	}
	if err != nil {
		g.Notes = append(g.Notes, "the description is not usable, read as plain pages")
		f.refuse("a description that begins like JSON and is not: %.40q", texts[0])
		g.Refused = f.Refused
		return false
	}
	for at := 0; at < len(f.Pages); {
		s, used, why := f.shapedSeries(note, at)
		if why != "" {
			g.Series = nil
			g.Notes = append(g.Notes, "the description is not usable, read as plain pages: "+why)
			return false
		}
		if at == 0 {
			g.Meta.takeShape(note)
			if a, ok := note.Axes.(string); ok && len(a) != len(note.Shape) {
				g.Notes = append(g.Notes, "the axes note "+a+" does not fit the shape and is ignored")
			}
		}
		g.Series = append(g.Series, s)
		at += used
		if at >= len(f.Pages) {
			break
		}
		p := f.Pages[at]
		note, found, err = readShapeNote([2]string{f.Description(p, 0), f.Description(p, 1)})
		if !found || err != nil {
			g.Series = nil
			g.Notes = append(g.Notes, fmt.Sprintf("page %d is not covered by a shape note, read as plain pages", at+1))
			return false
		}
	}
	g.Flavour = "shaped"
	f.joinSeries(g)
	return true
}

// joinSeries offers equal series of single frames, as appending writes them, as one stack on the screen.
func (f *File) joinSeries(g *Group) {
	if len(g.Series) < 2 {
		return
	}
	var pages []*Page
	for _, s := range g.Series {
		if s.Frames.Count != 1 || len(s.Frames.Pages) != 1 || sameFrames(s.Layout) != sameFrames(g.Series[0].Layout) {
			return
		}
		pages = append(pages, s.Frames.Pages[0].Page)
	}
	s := pagesSeries("shaped", pages, f, []int{len(pages)}, "I")
	g.Shown = &s
	g.Notes = append(g.Notes, fmt.Sprintf("%d arrays were appended one by one: scoring reads the first alone, the screen shows all", len(pages)))
}

// readShapeNote finds the note among the descriptions of a page.
func readShapeNote(texts [2]string) (n shapeNote, found bool, err error) {
	for _, t := range texts {
		if t == "" {
			return n, false, nil
		}
		if rest, ok := strings.CutPrefix(t, "shape="); ok { // the note of very old versions: shape=(2,3,10,10)
			for d := range strings.SplitSeq(strings.Trim(rest, "()"), ",") {
				v, err := strconv.Atoi(strings.TrimSpace(d))
				if err != nil {
					return n, true, err
				}
				n.Shape = append(n.Shape, v)
			}
			return n, true, nil
		}
		if !strings.HasPrefix(t, "{") || !strings.Contains(t, `"shape":`) {
			continue
		}
		if !strings.HasSuffix(t, "}") {
			return n, true, fmt.Errorf("the note does not end")
		}
		return n, true, json.Unmarshal([]byte(t), &n)
	}
	return n, false, nil
}

// shapedSeries makes the series that begins at a page and tells how many pages it took, or why the note does not fit.
func (f *File) shapedSeries(n shapeNote, at int) (s Series, used int, why string) {
	p := f.Pages[at]
	for _, d := range n.Shape {
		if d <= 0 {
			return s, 0, fmt.Sprintf("shape %v", n.Shape)
		}
	}
	per, total := p.Layout.Elements(), product(n.Shape...)
	if len(n.Shape) == 0 || per == 0 || total%per != 0 {
		return s, 0, fmt.Sprintf("shape %v does not hold whole pages", n.Shape)
	}
	count := total / per
	lead, axes := []int{count}, "Q"
	if count == 1 {
		lead, axes = nil, ""
	}
	same := 1
	for same < count && at+same < len(f.Pages) && *f.Pages[at+same].Layout == *p.Layout {
		same++
	}
	switch {
	case same == count:
		s, used = pagesSeries("shaped", f.Pages[at:at+count], f, lead, axes), count
	case at == 0:
		base, ok := f.contiguous()
		if !ok || count > f.planesBehind(base) {
			return s, 0, fmt.Sprintf("shape %v asks for %d pages, %d are stored", n.Shape, count, same)
		}
		s, used = f.contiguousSeries("shaped", base, lead, axes), 1
	default:
		return s, 0, "pages are missing"
	}
	pageShape, pageAxes := s.Shape, s.Axes
	s.Shape, s.Axes = n.Shape, shapedAxes(n, pageShape, pageAxes)
	s.Lead, s.LeadAxes = leadOf(s, count)
	return s, used, ""
}

// shapedAxes is the note's own axes, or letters found by matching the shape with that of the pages from the right: an
// axis keeps its letter where both its length and the product of the lengths so far agree; the others are Q.
func shapedAxes(n shapeNote, pageShape []int, pageAxes string) string {
	if a := axesText(n.Axes); len(a) == len(n.Shape) {
		return a
	}
	out := make([]byte, len(n.Shape))
	i, size, pageSize := len(pageShape)-1, 1, 1
	for k := len(n.Shape) - 1; k >= 0; k-- {
		d := n.Shape[k]
		size *= d
		for i > 0 && pageShape[i] == 1 && d != 1 {
			i--
		}
		out[k] = 'Q'
		if i >= 0 && d == pageShape[i] && size == pageSize*d {
			out[k] = pageAxes[i]
			pageSize *= d
			i--
		}
	}
	return string(out)
}

// axesText accepts "TYX" and ["T", "Y", "X"].
func axesText(v any) string {
	switch a := v.(type) {
	case string:
		return strings.ToUpper(a)
	case []any:
		var b strings.Builder
		for _, e := range a {
			t, _ := e.(string)
			b.WriteString(t)
		}
		return strings.ToUpper(b.String())
	}
	return ""
}

// leadOf finds the leading axes of a reshaped series: what is left of its shape when the page's axes are taken off the
// end. Where they do not come off, the frames run along one unnamed axis.
func leadOf(s Series, count int) ([]int, string) {
	page, _ := s.Layout.Shape()
	k := len(s.Shape) - 1
	for i := len(page) - 1; i >= 0; {
		switch {
		case k >= 0 && s.Shape[k] == page[i]:
			k--
			i--
		case k >= 0 && s.Shape[k] == 1:
			k--
		case page[i] == 1:
			i--
		default:
			return []int{count}, "Q"
		}
	}
	return s.Shape[:k+1], s.Axes[:k+1]
}
