package render

import "math"

// line is how the border of an object is drawn, by the squared distance to the nearest pixel outside it.
type line struct {
	colour  uint32 // 0: the object's own
	ink     [64]uint16
	dark    [64]uint16 // shade under and beside the ink, in 256ths; ink + dark <= 256
	gap     [64]uint16 // shade where the pattern leaves the ink out
	pattern pattern
	hatch   uint32 // ink of diagonal lines over the whole object
	far     int    // how many rows or columns away a border may be for the line to draw
	bands   [maxSquares]band
	count   int // of bands
	inked   int // how many squares are not beyond the ink
	needed  int // how many squares are not beyond the line
}

// band is a part of a line that is drawn alike.
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

// In device pixels: how many are drawn of each period.
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

// widthAt is the width of an ordinary outline in device pixels: thinner where objects are small in the picture.
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

// stroke adds ink between two depths below the border, in device pixels, with smooth edges.
func (l *line) stroke(from, to, strength float64) { addCover(&l.ink, from, to, strength*256) }

// shade adds darkness between two depths.
func (l *line) shade(from, to, strength float64) { addCover(&l.dark, from, to, strength*256) }

// addCover adds, by squared distance, how much of a pixel lies between two depths. A pixel whose nearest outside pixel
// is d away takes up the depths d-1 to d.
func addCover(table *[64]uint16, from, to, strength float64) {
	for i := range table {
		d := math.Sqrt(float64(i))
		cover := clampFloat(math.Min(d, to)-math.Max(d-1, from), 0, 1)
		table[i] += uint16(math.Floor(float64(cover*strength) + 0.5))
	}
}

// faint is what is left out at the edge of lines, in 256ths.
const faint = 16

// close keeps ink + dark within the whole, lets gaps be shaded where the ink would have been, and finds the bands.
func (l *line) close(gap float64) {
	last := 0
	for i := range l.ink {
		l.ink[i] = min(l.ink[i], 256)
		l.dark[i] = min(l.dark[i], 256-l.ink[i])
		if l.ink[i]+l.dark[i] < faint {
			l.ink[i], l.dark[i] = 0, 0
			continue
		}
		last = i
		l.gap[i] = min(uint16(float64(l.ink[i])*gap)+l.dark[i], 256)
	}
	l.count, l.inked, l.needed = 0, 0, 0
	for i, square := range squares {
		if int(square) > last {
			break
		}
		b := band{l.ink[square], l.dark[square], l.gap[square], uint8(i)}
		if l.count > 0 && l.bands[l.count-1].alike(b) {
			l.count--
		}
		l.bands[l.count] = b
		l.count++
		if l.needed = i + 1; b.ink > 0 {
			l.inked = i + 1
		}
	}
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
		l.shade(w, w+haloWidth, haloShade*strength)
	}
	l.close(0)
	return l
}

// truthLine is the outline of the truth's objects: pale dashes with dark gaps.
func truthLine(scale, strength float64) line {
	l := plainLine(scale, strength)
	l.pattern = dashed
	l.close(0.55)
	return l
}

// styleLine is the line of a style of the errors layer.
func styleLine(s Style, scale, strength float64) line {
	var l line
	l.colour = styleColours[s]
	w := widthAt(scale)
	gap := 0.0
	switch s {
	case Match:
		w = math.Max(w-0.5, 1)
		l.stroke(0, w, strength)
	case WeakLink:
		w = math.Max(w, 2)
		l.stroke(0, w, strength)
		l.pattern, gap = dotted, 0.6
	case Extra:
		l.stroke(0, w+0.25, strength)
		l.hatch = uint32(hatchInk * strength)
	case Missed:
		w += 0.5
		l.stroke(0, w, strength)
		l.pattern, gap = dashed, 0.6
	case Double:
		w = math.Max(w-0.5, 1)
		l.stroke(0, w, strength)
		l.shade(w, w+1.5, 0.5*strength)
		l.stroke(w+1.5, 2*w+1.5, strength)
		w = 2*w + 1.5
	}
	if scale >= 2 || scale >= 1 && s != Match { // small objects and thin lines do without
		l.shade(w, w+haloWidth, haloShade*strength)
	}
	l.close(gap)
	return l
}

// drawn tells whether the pattern has ink at a place along the line.
func (p pattern) drawn(at int) bool {
	const origin = dashPeriod * dotPeriod << 48 // a common multiple that makes places positive
	switch p {
	case dashed:
		return uint64(at+origin)%dashPeriod < dashOn
	case dotted:
		return uint64(at+origin)%dotPeriod < dotOn
	}
	return true
}

// setupPatterns notes where patterns have ink along a row.
func (f *frame) setupPatterns() {
	n := int32(f.w + 2*pad)
	for p := dashed; p < patternCount; p++ {
		f.patterns[p] = f.patterns[p].sized(n)
		for i := range n {
			if p.drawn(int(i) - pad + f.x.anchor) {
				f.patterns[p].set(i, i+1)
			}
		}
	}
}

// hatched tells whether a device pixel lies on a diagonal line.
func hatched(sum int) bool { return sum&(hatchPeriod-1) < hatchWidth }
