package chart

import (
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// fontFamily is what an SVG asks for; widths are those of the first.
const fontFamily = "Go, Helvetica, Arial, sans-serif"

// typeface is a font that is set by its unhinted widths, so that a text takes the same room at every scale and on every paper.
type typeface struct {
	bold  bool
	mu    sync.Mutex
	font  *sfnt.Font
	buf   sfnt.Buffer
	wide  map[rune]float64 // in em
	masks map[glyphKey]*mask
}

type glyphKey struct {
	r      rune
	pixels float64
	part   uint8
	up     bool
}

// A glyph is one character of a typeface.
type glyph struct {
	face *typeface
	r    rune
}

// keptGlyphs bounds the memory of drawn characters: a whole window of charts has some hundreds.
const keptGlyphs = 4096

var faces = [2]*typeface{newTypeface(goregular.TTF, false), newTypeface(gomedium.TTF, true)}

func newTypeface(ttf []byte, bold bool) *typeface {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		f = nil // cannot be: the font is part of the program. Text then takes room and is not drawn.
	}
	return &typeface{font: f, bold: bold, wide: map[rune]float64{}, masks: map[glyphKey]*mask{}}
}

func face(bold bool) *typeface {
	if bold {
		return faces[1]
	}
	return faces[0]
}

// advance is the width of a character in em. The caller holds the lock.
func (f *typeface) advance(r rune) float64 {
	if w, ok := f.wide[r]; ok {
		return w
	}
	w := 0.5
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Cc):
		w = 0
	case f.font != nil:
		em := fixed.I(int(f.font.UnitsPerEm()))
		if i, err := f.font.GlyphIndex(&f.buf, r); err == nil {
			if a, err := f.font.GlyphAdvance(&f.buf, i, em, font.HintingNone); err == nil {
				w = float64(a) / float64(em)
			}
		}
	}
	if len(f.wide) < keptGlyphs {
		f.wide[r] = w
	}
	return w
}

// width is how wide a text is at a size, in the unit of the size.
func width(s string, size float64, bold bool) float64 {
	f := face(bold)
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0.0
	for _, r := range s {
		n += f.advance(r)
	}
	return n * size
}

// set goes through a text: each character with how far it stands from the start, in em.
func set(s string, bold bool, each func(g glyph, before float64)) {
	f := face(bold)
	n := 0.0
	for _, r := range s {
		each(glyph{f, r}, n)
		f.mu.Lock()
		n += f.advance(r)
		f.mu.Unlock()
	}
}

// elide shortens a text to a width by cutting out its middle, since names of files differ at both ends.
func elide(s string, size, room float64, bold bool) string {
	if width(s, size, bold) <= room {
		return s
	}
	runes := []rune(s)
	for keep := len(runes) - 1; keep > 0; keep-- {
		head := (keep + 1) / 2
		short := string(runes[:head]) + "…" + string(runes[len(runes)-keep+head:])
		if width(short, size, bold) <= room {
			return short
		}
	}
	return ""
}

// mask is the glyph's cover at a size in device pixels, part quarters of a pixel along the line.
func (g glyph) mask(pixels float64, part uint8, up bool) *mask {
	f := g.face
	key := glyphKey{g.r, pixels, part, up}
	f.mu.Lock()
	defer f.mu.Unlock()
	if m := f.masks[key]; m != nil {
		return m
	}
	if len(f.masks) >= keptGlyphs {
		clear(f.masks)
	}
	m := maskOf(f.outline(g.r, pixels, float64(part)/4, up))
	f.masks[key] = m
	return m
}

// curveSteps is how many lines stand for a curve of an outline; letters are small.
const curveSteps = 5

// outline is the shapes of a character. The caller holds the lock.
func (f *typeface) outline(r rune, pixels, part float64, up bool) [][]pt {
	if f.font == nil || !unicode.IsGraphic(r) || unicode.Is(unicode.Mn, r) {
		return nil
	}
	i, err := f.font.GlyphIndex(&f.buf, r)
	if err != nil {
		return nil
	}
	segments, err := f.font.LoadGlyph(&f.buf, i, fixed.Int26_6(pixels*64+0.5), nil)
	if err != nil {
		return nil
	}
	turn := func(p fixed.Point26_6) pt {
		x, y := float64(p.X)/64, float64(p.Y)/64
		if up {
			return pt{y, part - x}
		}
		return pt{x + part, y}
	}
	var shapes [][]pt
	for _, s := range segments {
		if s.Op == sfnt.SegmentOpMoveTo || len(shapes) == 0 {
			shapes = append(shapes, nil)
		}
		path := &shapes[len(shapes)-1]
		switch s.Op {
		case sfnt.SegmentOpQuadTo:
			a, b, c := (*path)[len(*path)-1], turn(s.Args[0]), turn(s.Args[1])
			for k := 1; k <= curveSteps; k++ {
				t := float64(k) / curveSteps
				p, q := between(a, b, t), between(b, c, t)
				*path = append(*path, between(p, q, t))
			}
		case sfnt.SegmentOpCubeTo:
			*path = append(*path, turn(s.Args[0]), turn(s.Args[1]), turn(s.Args[2]))
		default:
			*path = append(*path, turn(s.Args[0]))
		}
	}
	return shapes
}

func between(a, b pt, t float64) pt {
	return pt{a.x + float64(t*(b.x-a.x)), a.y + float64(t*(b.y-a.y))}
}
