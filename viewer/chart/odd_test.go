package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"io"
	"math"
	"strings"
	"testing"

	"coverslip/viewer/render"
)

var (
	nan  = math.NaN()
	inf  = math.Inf(1)
	tiny = []float64{1e-9, 2e-9, 3e-9}
	huge = []float64{1e9, 2e9, 3e9}
)

// oddData is values that charts meet in broken answers.
var oddData = map[string][]float64{
	"nothing": nil, "one": {5}, "two equal": {5, 5}, "zeros": {0, 0, 0}, "constant": {7, 7, 7, 7}, "negative": {-3, -2, -1}, "both signs": {-1, 0, 1},
	"1e-9": tiny, "1e9": huge, "1e-300": {1e-300, 2e-300}, "1e300": {-1e300, 1e300}, "greatest": {-math.MaxFloat64, math.MaxFloat64}, "denormal": {5e-324, 1e-323},
	"NaN": {nan, nan}, "gap": {1, nan, 3}, "infinite": {1, inf, -inf, 2}, "only infinite": {inf, -inf}, "offset": {1e9, 1e9 + 1e-3}, "wide": {1e-12, 1, 1e12},
	"close": {1, math.Nextafter(1, 2)}, "many": normal(40, 3000, 0, 1e5),
}

func oddCharts(name string, v []float64) map[string]Chart {
	charts := map[string]Chart{}
	for _, s := range []Scale{Linear, Log, LogZero, Symlog} {
		a := Axis{Name: "value", Unit: "µm", Scale: s}
		modes := []Mode{Points, Lines, LinesPoints, Steps}
		if s != Linear {
			modes = modes[2:3]
		}
		for _, m := range modes {
			charts[string(rune('a'+s))+string(rune('0'+m))] = XY{Title: name, X: a, Y: a, Series: []Series{{Name: name, X: v, Y: v, Low: v, High: v, Mode: m}, {Name: "short", X: v, Y: nil}},
				Lines: []Line{{Name: "here", At: 1, Vertical: true}, {At: nan}}, Gaps: []Gap{{X: nan}}, Bands: []Band{{X: v, Low: v, High: v}}, Identity: m == Steps, Equal: s == Symlog}
		}
		charts["bars"+string(rune('0'+s))] = Bars{Names: make([]string, len(v)+1), Y: a, Series: []BarSeries{{Values: v, Low: v}, {Name: "b"}}, Order: Falling}
		charts["histogram"+string(rune('0'+s))] = Histogram{X: a, Sets: []Set{{Name: "a", Values: v}, {Name: "b"}}}
		charts["groups"+string(rune('0'+s))] = Groups{Y: a, Groups: []Group{{Name: name, Values: v}, {}}, Brackets: []Bracket{{0, 1, "p", false}, {0, 9, "p", true}}}
	}
	charts["heat"] = HeatMap{Rows: 2, Columns: len(v), Values: v, Numbers: true}
	charts["diverging"] = HeatMap{Rows: len(v), Columns: 1, Values: v, Diverging: true, Up: true, XStep: nan}
	wells := []Well{{Row: -1}, {Row: 99, Column: 3}}
	for i, x := range v {
		wells = append(wells, Well{Row: i % 8, Column: i / 8 % 12, Value: x, Style: render.Style(i), Label: "x"})
	}
	charts["plate"] = Plate{Rows: 8, Columns: 12, Wells: wells}
	return charts
}

// TestOddData asks every chart to draw every odd data set at odd sizes: none may panic, and each must show something.
func TestOddData(t *testing.T) {
	sizes := []image.Rectangle{image.Rect(0, 0, 320, 200), image.Rect(0, 0, 1, 1), image.Rect(0, 0, 7, 90), image.Rect(-5, 3, 110, 20)}
	for name, v := range oddData {
		for kind, c := range oddCharts(name, v) {
			for i, size := range sizes {
				if i > 0 && name == "many" {
					continue
				}
				m := image.NewRGBA(size)
				o := Options{Scale: 1, Light: i%2 == 1, Cursor: &v0, Selected: []Ref{{0, 0}, {-1, 4}, {0, 1 << 40}}}
				c.Draw(m, o)
				if i == 0 && colours(m) < 3 {
					t.Errorf("%s of %s shows nothing", kind, name)
				}
				for y := 0; y < size.Dy(); y += 43 {
					for x := 0; x < size.Dx(); x += 37 {
						if h, ok := c.At(size.Dx(), size.Dy(), o, float64(y), float64(x)); ok && h.Text == "" {
							t.Fatalf("%s of %s: a datum without words", kind, name)
						}
					}
				}
			}
			if len(kind) > 2 && name != "many" || kind == "a2" {
				wellFormed(t, c, 300, 200)
			}
		}
	}
}

var v0 = 1.0

// colours counts the different colours of a picture, up to 16.
func colours(m *image.RGBA) int {
	seen := map[[3]uint8]bool{}
	for i := 0; i < len(m.Pix) && len(seen) < 16; i += 4 {
		seen[[3]uint8(m.Pix[i:i+3])] = true
	}
	return len(seen)
}

func wellFormed(t *testing.T, c Chart, w, h int) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.SVG(&b, w, h); err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(bytes.NewReader(b.Bytes()))
	depth := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the SVG is not well-formed: %v\n%.300s", err, b.String())
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	if depth != 0 || !strings.HasPrefix(b.String(), "<svg ") {
		t.Fatalf("not one SVG element: %.100s", b.String())
	}
	for _, bad := range []string{"NaN", "Inf", "%!"} {
		if strings.Contains(b.String(), `="`+bad) {
			t.Fatalf("%s in the SVG", bad)
		}
	}
	return b.String()
}

func TestSVG(t *testing.T) {
	for _, k := range gallery() {
		wellFormed(t, k.chart, k.w, k.h)
	}
	nasty := "a<b>&\"c\"\x00\x1f\ufffe\xff 日本 ̃"
	s := wellFormed(t, XY{Title: nasty, X: Axis{Name: nasty}, Series: []Series{{Name: nasty, X: []float64{1}, Y: []float64{2}}}}, 300, 200)
	if !strings.Contains(s, "a&lt;b&gt;&amp;&quot;c&quot;") {
		t.Error("the title is not in the SVG")
	}
}

// TestWords: an empty chart says so, and one that leaves values out says how many.
func TestWords(t *testing.T) {
	said := func(c painter) string {
		r := &recorder{}
		p := newPen(r, Options{}, 400, 300)
		p.whole(c)
		var all []string
		for _, b := range r.texts {
			all = append(all, b.s)
		}
		return strings.Join(all, "|")
	}
	if s := said(XY{Empty: "No matched objects"}); s != "No matched objects" {
		t.Errorf("an empty chart says %q", s)
	}
	for _, c := range []painter{Bars{}, Histogram{}, Groups{}, HeatMap{}, Plate{}, Lineage{}, NewLineage(), NewLineage(Forest{})} {
		if s := said(c); !strings.HasPrefix(s, "No ") {
			t.Errorf("an empty %T says %q", c, s)
		}
	}
	c := XY{X: Axis{Scale: Log}, Series: []Series{{X: []float64{-1, 0, 1, 10}, Y: []float64{1, 2, 3, 4}}}}
	if s := said(c); !strings.Contains(s, "values with no place on a logarithmic axis: 2") {
		t.Errorf("left out values are not told: %q", s)
	}
}

// recorder is a surface that keeps the texts.
type recorder struct {
	nowhere
	texts []written
}

type written struct {
	text
	box rect
}

func (r *recorder) text(at pt, t text) {
	w := width(t.s, t.size, t.bold)
	box := rect{at.x - w*t.anchor, at.y - t.size*0.75, at.x + w*(1-t.anchor), at.y + t.size*0.2}
	if t.up {
		box = rect{at.x - t.size*0.75, at.y - w*(1-t.anchor), at.x + t.size*0.2, at.y + w*t.anchor}
	}
	r.texts = append(r.texts, written{t, box})
}
