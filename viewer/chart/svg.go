package chart

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// vector is a surface of SVG elements; a dp is a user unit.
type vector struct {
	b     bytes.Buffer
	err   error
	clips int
}

func newVector(w, h int) *vector {
	v := &vector{}
	fmt.Fprintf(&v.b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="%s">`+"\n", w, h, w, h, fontFamily)
	return v
}

func (v *vector) writeTo(w io.Writer) error {
	if v.err != nil {
		return v.err
	}
	v.b.WriteString("</svg>\n")
	_, err := w.Write(v.b.Bytes())
	return err
}

// num writes a length to a hundredth.
func num(x float64) string {
	if !finite(x) {
		return "0"
	}
	s := strconv.FormatFloat(limited(math.Round(x*100)/100), 'f', 2, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

func paint(name string, c color.NRGBA) string {
	s := fmt.Sprintf(` %s="#%02x%02x%02x"`, name, c.R, c.G, c.B)
	if c.A != 255 {
		s += fmt.Sprintf(` %s-opacity="%s"`, name, num(float64(c.A)/255))
	}
	return s
}

func (v *vector) rect(r rect, c color.NRGBA) {
	fmt.Fprintf(&v.b, `<rect x="%s" y="%s" width="%s" height="%s" shape-rendering="crispEdges"%s/>`+"\n", num(r.x0), num(r.y0), num(math.Max(r.w(), 0.5)), num(math.Max(r.h(), 0.5)), paint("fill", c))
}

func pathData(b *strings.Builder, path []pt, closed bool) {
	op := byte('M')
	for _, q := range path {
		if !finite(q.x) || !finite(q.y) {
			op = 'M'
			continue
		}
		b.WriteByte(op)
		b.WriteString(num(q.x))
		b.WriteByte(' ')
		b.WriteString(num(q.y))
		op = 'L'
	}
	if closed {
		b.WriteByte('Z')
	}
}

func (v *vector) fill(path []pt, c color.NRGBA) { v.fillAll([][]pt{path}, c) }

func (v *vector) fillAll(paths [][]pt, c color.NRGBA) {
	var d strings.Builder
	for _, path := range paths {
		if len(path) > 2 {
			pathData(&d, path, true)
		}
	}
	if d.Len() > 0 {
		fmt.Fprintf(&v.b, `<path d="%s"%s/>`+"\n", d.String(), paint("fill", c))
	}
}

func (v *vector) line(path []pt, s stroke) {
	if len(path) < 2 {
		return
	}
	var d strings.Builder
	pathData(&d, path, false)
	dash := ""
	if s.dash != nil {
		parts := make([]string, len(s.dash))
		for i, l := range s.dash {
			parts[i] = num(l)
		}
		dash = ` stroke-dasharray="` + strings.Join(parts, " ") + `"`
	}
	fmt.Fprintf(&v.b, `<path d="%s" fill="none" stroke-width="%s" stroke-linejoin="round"%s%s/>`+"\n", d.String(), num(s.width), paint("stroke", s.colour), dash)
}

func (v *vector) stamp(at pt, m Marker, size float64, c color.NRGBA) {
	if m == Dot || m == AutoMarker {
		fmt.Fprintf(&v.b, `<circle cx="%s" cy="%s" r="%s"%s/>`+"\n", num(at.x), num(at.y), num(size/2), paint("fill", c))
		return
	}
	v.fillAll(shape(m, at, size), c)
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// clean drops what XML cannot hold.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r == utf8.RuneError || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, s)
}

func (v *vector) text(at pt, t text) {
	s := clean(t.s)
	if s == "" {
		return
	}
	weight, turn := "", ""
	if t.bold {
		weight = ` font-weight="500"`
	}
	if t.up {
		turn = fmt.Sprintf(` transform="rotate(-90 %s %s)"`, num(at.x), num(at.y))
	}
	anchors := [...]string{"", ` text-anchor="middle"`, ` text-anchor="end"`}
	// The length keeps the layout where the viewer has another font.
	fmt.Fprintf(&v.b, `<text x="%s" y="%s" font-size="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"%s%s%s%s>%s</text>`+"\n", num(at.x), num(at.y), num(t.size),
		num(width(s, t.size, t.bold)), anchors[int(t.anchor*2+0.5)%3], weight, turn, paint("fill", t.colour), escape.Replace(s))
}

func (v *vector) picture(r rect, m *image.NRGBA) {
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		v.err = err
		return
	}
	fmt.Fprintf(&v.b, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" image-rendering="pixelated" href="data:image/png;base64,%s"/>`+"\n",
		num(r.x0), num(r.y0), num(r.w()), num(r.h()), base64.StdEncoding.EncodeToString(b.Bytes()))
}

func (v *vector) clip(r rect) {
	v.clips++
	fmt.Fprintf(&v.b, `<clipPath id="c%d"><rect x="%s" y="%s" width="%s" height="%s"/></clipPath><g clip-path="url(#c%d)">`+"\n",
		v.clips, num(r.x0), num(r.y0), num(math.Max(r.w(), 0)), num(math.Max(r.h(), 0)), v.clips)
}

func (v *vector) unclip() { v.b.WriteString("</g>\n") }
