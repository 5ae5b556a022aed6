package render

import "math"

// line is how the border of an object is drawn, by the distance to the nearest pixel outside it. What it is made of is measured in
// line pixels; ready turns it into device pixels.
type line struct {
	colour  uint32 // 0: the object's own
	covers  [4]cover
	covered int     // how many there are
	gap     float64 // part of the ink that is shade where the pattern leaves the ink out
	pattern pattern
	hatch   uint32 // ink of diagonal lines over the whole object

	far    int // how many device rows or columns away a border may be for the line to draw
	bands  [maxSquares]band
	count  int    // of bands
	inked  int    // how many squares are not beyond the ink
	needed int    // how many squares are not beyond the line
	fine   []band // by squared distance, in the place of bands in pictures of a density over 1
	inkTo  int    // the last of them that has ink
}

// cover is ink, or shade under and beside it, between two depths below the border in line pixels; its strength is in 256ths.
type cover struct {
	from, to, strength float64
	shade              bool
}

// band is a part of a line that is drawn alike: ink, darkness beside it, and shade where the pattern leaves the ink out, in 256ths;
// ink + dark <= 256.
type band struct {
	ink, dark, gap uint16
	square         uint8 // the last that belongs to it, an index into squares
}

// pattern interrupts a line along its way.
type pattern uint8

const (
	solid pattern = iota
	dashed
	dotted
	patternCount
)

// In line pixels: how many are drawn of each period.
const (
	dashOn, dashPeriod = 8, 13
	dotOn, dotPeriod   = 2, 6
)

// The palette of marks: after Okabe and Ito (2008), with a bluish green, an orange, a sky blue and a purple moved so far that any
// two of the four are at least 20 apart (CIEDE2000) for people without red, green or blue cones too.
var styleColours = [styleCount]uint32{
	Match:    rgb(0x199069),
	WeakLink: rgb(0xf0e442),
	Extra:    rgb(0xe8a20c),
	Missed:   rgb(0x5fc7ff),
	Double:   rgb(0xa0699b),
}

const (
	hatchPeriod, hatchWidth = 8, 2
	hatchInk                = 150
)

// widthAt is the width of an ordinary outline in line pixels, by the line pixels per image pixel: thinner where objects are small in the picture.
func widthAt(scale float64) float64 {
	switch {
	case scale < 0.5:
		return 1
	case scale < 2:
		return 1.5
	}
	return 2
}

// A soft dark inner edge lets lines stand out on bright images.
const haloWidth, haloShade = 0.5, 0.4

// stroke adds ink between two depths below the border, in line pixels, with smooth edges.
func (l *line) stroke(from, to, strength float64) { l.add(cover{from, to, strength * 256, false}) }

// darken adds shade between two depths.
func (l *line) darken(from, to, strength float64) { l.add(cover{from, to, strength * 256, true}) }

func (l *line) add(c cover) {
	l.covers[l.covered] = c
	l.covered++
}

// faint is what is left out at the edge of lines, in 256ths.
const faint = 16

// at is the line on a device pixel whose nearest outside pixel is so far away, squared: it takes up the last device pixel of that depth.
func (l *line) at(square, density int) (b band) {
	d, n := math.Sqrt(float64(square)), float64(density)
	for _, c := range l.covers[:l.covered] {
		part := clampFloat(math.Min(d, c.to*n)-math.Max(d-1, c.from*n), 0, 1)
		amount := uint16(math.Floor(float64(part*c.strength) + 0.5))
		if c.shade {
			b.dark += amount
		} else {
			b.ink += amount
		}
	}
	b.ink = min(b.ink, 256)
	b.dark = min(b.dark, 256-b.ink)
	if b.ink+b.dark < faint {
		return band{}
	}
	b.gap = min(uint16(float64(b.ink)*l.gap)+b.dark, 256)
	return b
}

// ready finds the bands for pictures of a density.
func (l *line) ready(density int) {
	if density > 1 {
		l.refine(density)
		return
	}
	l.count, l.inked, l.needed, l.far, l.fine = 0, 0, 0, 1, nil
	empty := 0 // squares after the last that is drawn
	for i, square := range squares {
		b := l.at(int(square), 1)
		if b == (band{}) {
			empty++
			continue
		}
		for ; empty > 0; empty-- {
			l.extend(band{square: uint8(i - empty)})
		}
		b.square = uint8(i)
		l.extend(b)
		l.far = max(int(math.Sqrt(float64(square))), 1)
		if l.needed = i + 1; b.ink > 0 {
			l.inked = i + 1
		}
	}
}

func (l *line) extend(b band) {
	if l.count > 0 && l.bands[l.count-1].alike(b) {
		l.count--
	}
	l.bands[l.count] = b
	l.count++
}

// refine finds what lies at every squared distance.
func (l *line) refine(density int) {
	last := 0
	l.fine, l.inkTo = l.fine[:0], 0
	for i := range far * density * density {
		b := l.at(i, density)
		l.fine = append(l.fine, b)
		if b != (band{}) {
			last = i
		}
		if b.ink > 0 {
			l.inkTo = i
		}
	}
	l.fine = l.fine[:last+1]
	l.far = max(int(math.Sqrt(float64(last))), 1)
}

// alike tells whether two bands draw the same.
func (b band) alike(c band) bool { return b.ink == c.ink && b.dark == c.dark && b.gap == c.gap }

// plainLine is the outline of the answer's objects: solid, with a soft dark inner edge for bright images.
func plainLine(scale, strength float64) line {
	var l line
	w := widthAt(scale)
	l.stroke(0, w, strength)
	if scale >= 1 {
		l.darken(w, w+haloWidth, haloShade*strength)
	}
	return l
}

// truthLine is the outline of the truth's objects: pale dashes with dark gaps.
func truthLine(scale, strength float64) line {
	l := plainLine(scale, strength)
	l.pattern, l.gap = dashed, 0.55
	return l
}

// styleLine is the line of a style of the errors layer.
func styleLine(s Style, scale, strength float64) line {
	var l line
	l.colour = styleColours[s]
	w := widthAt(scale)
	switch s {
	case Match:
		w = math.Max(w-0.5, 1)
		l.stroke(0, w, strength)
	case WeakLink:
		w = math.Max(w, 2)
		l.stroke(0, w, strength)
		l.pattern, l.gap = dotted, 0.6
	case Extra:
		l.stroke(0, w+0.25, strength)
		l.hatch = uint32(hatchInk * strength)
	case Missed:
		w += 0.5
		l.stroke(0, w, strength)
		l.pattern, l.gap = dashed, 0.6
	case Double:
		w = math.Max(w-0.5, 1)
		l.stroke(0, w, strength)
		l.darken(w, w+1.5, 0.5*strength)
		l.stroke(w+1.5, 2*w+1.5, strength)
		w = 2*w + 1.5
	}
	if scale >= 2 || scale >= 1 && s != Match { // small objects and thin lines do without
		l.darken(w, w+haloWidth, haloShade*strength)
	}
	return l
}

// drawn tells whether the pattern has ink at a place along the line, in device pixels.
func (p pattern) drawn(at, density int) bool {
	const origin = dashPeriod * dotPeriod << 48 // a common multiple that makes places positive
	if density > 1 {
		at = floorDiv(at, density)
	}
	switch p {
	case dashed:
		return uint64(at+origin)%dashPeriod < dashOn
	case dotted:
		return uint64(at+origin)%dotPeriod < dotOn
	}
	return true
}

// floorDiv is the whole number at or below a/b, for b > 0.
func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// setupPatterns notes where patterns have ink along a row.
func (f *frame) setupPatterns() {
	n := int32(f.w + 2*pad)
	for p := dashed; p < patternCount; p++ {
		f.patterns[p] = f.patterns[p].sized(n)
		for i := range n {
			if p.drawn(int(i)-pad+f.x.anchor, f.density) {
				f.patterns[p].set(i, i+1)
			}
		}
	}
}

// hatched tells whether a device pixel lies on a diagonal line, by the sum of its row and column. The middle of a diagonal line is the
// same at every density.
func hatched(sum, density int) bool {
	if density > 1 {
		sum = floorDiv(sum-(density-1)/2, density)
	}
	return sum&(hatchPeriod-1) < hatchWidth
}
