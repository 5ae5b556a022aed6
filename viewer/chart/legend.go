package chart

// entry is one line of a legend, drawn as the series is.
type entry struct {
	name               string
	look               Look
	line, marker, fill bool
	alpha              float64 // of the fill
}

const (
	swatch     = 24
	longestRow = 200 // dp that a name may take
)

// legend draws the entries in rows from y on and tells where it ends.
func (p *pen) legend(entries []entry, y float64) float64 {
	named := 0
	for _, e := range entries {
		if e.name != "" {
			named++
		}
	}
	if named == 0 {
		return y
	}
	x, rows, done := float64(edge), 1, 0
	for _, e := range entries {
		if e.name == "" {
			continue
		}
		s := elide(e.name, noteSize, min(longestRow, p.w-2*edge-swatch), false)
		wide := swatch + 6 + width(s, noteSize, false)
		if x > edge && x+wide > p.w-edge {
			if rows >= max(1, int(p.h*longLegend/rowHeight)) {
				p.text(pt{edge, y + rowHeight + 11}, text{s: "and " + Number(float64(named-done)) + " more", size: noteSize, colour: p.th.quiet})
				rows++
				y += rowHeight
				break
			}
			rows++
			x, y = edge, y+rowHeight
		}
		p.swatch(e, x, y+7)
		p.text(pt{x + swatch + 5, y + 11}, text{s: s, size: noteSize, colour: p.th.ink})
		x += wide + 14
		done++
	}
	return y + rowHeight
}

func (p *pen) swatch(e entry, x, y float64) {
	c := p.th.of(e.look.Colour)
	if e.fill {
		p.rect(rect{x + 4, y - 5, x + swatch - 2, y + 5}, faded(c, e.alpha))
	}
	if e.line {
		p.line([]pt{{x, y}, {x + swatch, y}}, stroke{width: 2, colour: c, dash: dashes[e.look.Dash]})
	}
	if e.marker {
		if e.fill {
			c = p.th.ink
		}
		p.stamp(pt{x + swatch/2, y}, e.look.Marker, 7, c)
	}
}
