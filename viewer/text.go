package viewer

import (
	"fmt"
	"image"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	styleNames   = []string{"hidden", "outline", "fill"}
	colourNames  = []string{"verdict", "class", "frame", "value", "depth", "track", "lineage"}
	layoutNames  = []string{"one", "side", "curtain", "ortho", "channels"}
	projectNames = []string{"none", "max", "mean", "sum", "depth"}
)

// String is the text form of the canonical View: only what differs from the zero View, as the package comment says.
func (v View) String() string {
	v = v.Normal()
	var w writer
	if v.Image != "" {
		w.put("image", escape(v.Image))
	}
	if v.Part != "" {
		w.put("part", escape(v.Part))
	}
	w.int("t", v.T)
	w.int("z", v.Z)
	if v.Size != (image.Point{}) {
		w.put("size", fmt.Sprintf("%dx%d", v.Size.X, v.Size.Y))
	}
	w.int("density", v.Density)
	if v.Zoom != 0 {
		w.put("zoom", number(v.Zoom))
		w.put("at", number(v.At.Y)+","+number(v.At.X))
	}
	w.flag("single", v.Single, "on")
	w.int("channel", v.Channel)
	w.tones(v.Tones)
	w.layer("answer", v.Answer)
	w.layer("truth", v.Truth)
	w.flag("errors", v.Errors, "on")
	w.flag("pixels", v.HideImage, "off")
	w.flag("bar", v.Bar, "on")
	w.flag("tiles", v.Tiles, "on")
	w.overlays(v)
	w.focus(v.Focus)
	w.layout(v)
	return w.String()
}

// writer collects key=value pairs.
type writer struct{ strings.Builder }

func (w *writer) put(key, value string) {
	if w.Len() > 0 {
		w.WriteByte(' ')
	}
	w.WriteString(key + "=" + value)
}

func (w *writer) int(key string, n int) {
	if n != 0 {
		w.put(key, strconv.Itoa(n))
	}
}

func (w *writer) flag(key string, set bool, value string) {
	if set {
		w.put(key, value)
	}
}

func (w *writer) tones(tones []Tone) {
	var off []string
	for i, t := range tones {
		if t.Off {
			off = append(off, strconv.Itoa(i))
		}
	}
	if off != nil {
		w.put("off", strings.Join(off, ","))
	}
	for i, t := range tones {
		limits, gamma := "", ""
		if t.Lo < t.Hi {
			limits = number(t.Lo) + ".." + number(t.Hi)
		}
		if t.Gamma != 0 {
			gamma = number(t.Gamma)
		}
		if text := strings.TrimRight(t.LUT+":"+limits+":"+gamma, ":"); text != "" {
			w.put("tone"+strconv.Itoa(i), text)
		}
	}
}

func (w *writer) overlays(v View) {
	w.flag("mask", v.Mask, "on")
	w.name("colour", colourNames, int(v.Colour))
	if v.Tail == NoTail {
		w.put("tail", "none")
	} else {
		w.int("tail", v.Tail)
	}
	w.int("arrows", v.Arrows)
	w.flag("radius", v.HideRadius, "off")
	w.flag("only", v.Only, "on")
}

func (w *writer) layout(v View) {
	w.name("layout", layoutNames, int(v.Layout))
	if v.Split != 0 {
		w.put("split", number(v.Split))
	}
	if v.Cross != (Point{}) {
		w.put("cross", number(v.Cross.Y)+","+number(v.Cross.X))
	}
	if v.Other != "" {
		w.put("other", escape(v.Other))
	}
	if p := v.Project; p.Kind != NoProjection {
		text := projectNames[p.Kind] + ":" + map[bool]string{false: "z", true: "t"}[p.Time]
		if p.Span > 0 {
			text += ":" + strconv.Itoa(p.Span)
		}
		w.put("project", text)
	}
	if l := v.Line; l != (Segment{}) {
		w.put("line", strings.Join([]string{number(l.From.Y), number(l.From.X), number(l.To.Y), number(l.To.X)}, ","))
	}
	if v.Chart != "" {
		w.put("chart", escape(v.Chart))
	}
}

// name writes one of some names, nothing for the first.
func (w *writer) name(key string, names []string, i int) {
	if i != 0 {
		w.put(key, names[i])
	}
}

func (w *writer) layer(key string, l LabelLayer) {
	if l == (LabelLayer{}) {
		return
	}
	text := styleNames[l.Style]
	if l.Opacity != 0 {
		text += ":" + number(l.Opacity)
	}
	w.put(key, text)
}

func (w *writer) focus(f Focus) {
	var parts []string
	if f.Answer != 0 {
		parts = append(parts, "a"+strconv.FormatInt(f.Answer, 10))
	}
	if f.Truth != 0 {
		parts = append(parts, "t"+strconv.FormatInt(f.Truth, 10))
	}
	if parts != nil {
		w.put("focus", strings.Join(parts, ","))
	}
}

// number is the shortest decimal that reads back as x, with an exponent only where zeros would pile up.
func number(x float64) string {
	if s := strconv.FormatFloat(x, 'f', -1, 64); len(s) <= 24 {
		return s
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

func escape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		bad := r == utf8.RuneError && n == 1
		if bad || unicode.IsSpace(r) || !unicode.IsPrint(r) || strings.ContainsRune("%\"'`", r) {
			for _, c := range []byte(s[i : i+n]) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}
