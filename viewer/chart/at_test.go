package chart

import (
	"image"
	"math"
	"strings"
	"testing"
)

// where is the dp rectangle that a datum is drawn over, as the pen notes it; ok is false where it is not drawn.
func where(c painter, w, h int, o Options, r Ref) (rect, bool) {
	o.Selected = []Ref{r}
	p := newPen(nowhere{}, o, float64(w)/o.scale(), float64(h)/o.scale())
	p.whole(c)
	if len(p.lit) == 0 {
		return rect{}, false
	}
	return p.lit[0], true
}

// checkAt asks for each datum at its middle and wants it, or one drawn at the same pixel; and there must be ink.
func checkAt(t *testing.T, name string, c Chart, w, h int, o Options, refs []Ref) {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	c.Draw(m, o)
	found := 0
	for _, ref := range refs {
		q, ok := where(c.(painter), w, h, o, ref)
		if !ok {
			continue
		}
		y, x := (q.y0+q.y1)/2*o.scale(), (q.x0+q.x1)/2*o.scale()
		if y < 0 || x < 0 || y >= float64(h) || x >= float64(w) {
			continue
		}
		found++
		hit, ok := c.At(w, h, o, y, x)
		if !ok {
			t.Fatalf("%s: nothing found at datum %v, (%v, %v)", name, ref, y, x)
		}
		if hit.Text == "" || strings.Contains(hit.Text, "%!") {
			t.Fatalf("%s: %v is said to be %q", name, ref, hit.Text)
		}
		if hit.Ref != ref {
			other, _ := where(c.(painter), w, h, o, hit.Ref)
			if d := math.Hypot(max(other.x0-x/o.scale(), 0, x/o.scale()-other.x1), max(other.y0-y/o.scale(), 0, y/o.scale()-other.y1)); d > 1 {
				t.Fatalf("%s: at datum %v found %v, %v dp away", name, ref, hit.Ref, d)
			}
		}
		if !inked(m, int(y), int(x)) {
			t.Fatalf("%s: no ink at datum %v, (%v, %v)", name, ref, y, x)
		}
	}
	if found < len(refs)/2 {
		t.Fatalf("%s: only %d of %d data are drawn", name, found, len(refs))
	}
}

// inked tells whether there is anything but grounds and grid near a pixel.
func inked(m *image.RGBA, y, x int) bool {
	for dy := -3; dy <= 3; dy++ {
		for dx := -3; dx <= 3; dx++ {
			c := m.RGBAAt(x+dx, y+dy)
			plain := false
			for _, g := range []struct{ R, G, B, A uint8 }{{dark.ground.R, dark.ground.G, dark.ground.B, 255}, {dark.plot.R, dark.plot.G, dark.plot.B, 255}, {dark.grid.R, dark.grid.G, dark.grid.B, 255}} {
				plain = plain || c.R == g.R && c.G == g.G && c.B == g.B
			}
			if !plain && c.A != 0 {
				return true
			}
		}
	}
	return false
}

func refs(series, n, step int) (all []Ref) {
	for i := 0; i < n; i += step {
		all = append(all, Ref{series, i})
	}
	return all
}

func TestAtFindsWhatDrawDrew(t *testing.T) {
	for seed := range uint64(6) {
		o := Options{Scale: []float64{1, 1.5, 2}[seed%3]}
		w, h := int(500*o.Scale), int(330*o.Scale)
		v, u := normal(60+seed, 80, 5, 3), normal(70+seed, 80, 100, 30)
		v[7], u[9] = nan, nan
		for mode := Points; mode <= Steps; mode++ {
			checkAt(t, "XY", XY{Series: []Series{{X: v, Y: u, Mode: mode}, {X: u, Y: v, Mode: mode, Look: Look{Dash: Solid}}}}, w, h, o, append(refs(0, 80, 5), refs(1, 80, 5)...))
		}
		checkAt(t, "bands", fractions(), w, h, o, append(refs(0, 60, 7), refs(2, 60, 7)...))
		checkAt(t, "bars", Bars{Names: make([]string, 80), Series: []BarSeries{{Values: v}, {Values: u}}}, w, h, o, append(refs(0, 80, 5), refs(1, 80, 5)...))
		checkAt(t, "histogram", Histogram{Sets: []Set{{Values: v}, {Values: u}}, Bins: 12}, w, h, o, append(refs(0, 3, 1), refs(1, 12, 1)...))
		checkAt(t, "groups", Groups{Groups: []Group{{Name: "a", Values: v}, {Name: "b", Values: u}}}, w, h, o, append(refs(0, 80, 5), refs(1, 80, 5)...))
		checkAt(t, "heat map", HeatMap{Rows: 8, Columns: 10, Values: v, Up: seed%2 == 0}, w, h, o, refs(0, 80, 3))
		checkAt(t, "large heat map", HeatMap{Rows: 80, Columns: 100, Values: normal(seed, 8000, 0, 1)}, w, h, o, refs(0, 8000, 371))
		checkAt(t, "plate", plate(), w, h, o, refs(0, 94, 7))
		l := NewLineage(Forest{"answer", grow(3, 3, seed)}, Forest{"truth", grow(2, 3, seed)})
		l.Upright = seed%2 == 1
		checkAt(t, "lineage", l, w, h, o, append(refs(0, 45, 4), refs(1, 30, 4)...))
	}
}

// TestHits looks at what is said in the common cases.
func TestHits(t *testing.T) {
	at := func(c Chart, r Ref) Hit {
		t.Helper()
		q, ok := where(c.(painter), 640, 400, Options{}, r)
		if !ok {
			t.Fatalf("%v is not drawn", r)
		}
		h, ok := c.At(640, 400, Options{}, (q.y0+q.y1)/2, (q.x0+q.x1)/2)
		if !ok {
			t.Fatalf("%v is not found", r)
		}
		return h
	}
	c := XY{X: Axis{Name: "distance", Unit: "µm"}, Y: Axis{Name: "speed (µm/h)"}, Series: []Series{{Name: "answer", X: []float64{1, 2, 12.5}, Y: []float64{4, 9, 20.13}, Labels: []string{"", "", "DA3_CTRL"}}}}
	if h := at(c, Ref{0, 2}); h.Text != "answer, DA3_CTRL: distance 12.5 µm, speed 20.13 µm/h" || h.X != 12.5 || h.Y != 20.13 {
		t.Errorf("%+v", h)
	}
	if h := at(confusion(), Ref{0, 5}); h.Text != "Truth amoeboid, Answer ramified: Cells 88" {
		t.Errorf("%+v", h)
	}
	if h := at(plate(), Ref{0, 3}); !strings.HasPrefix(h.Text, "A4, 3: Nuclear over cytoplasmic intensity 0.") {
		t.Errorf("%+v", h)
	}
	if h := at(Histogram{X: Axis{Name: "IoU"}, Sets: []Set{{Name: "answer", Values: []float64{.1, .2, .6, 1}}}, Edges: []float64{0, .5, 1}}, Ref{0, 1}); h.Text != "answer: 2 of 4 at IoU 0.5 to 1" {
		t.Errorf("%+v", h)
	}
	if h, ok := fractions().At(640, 400, Options{}, 330, 300); !ok || !strings.HasPrefix(h.Text, "round: Time ") || !strings.Contains(h.Text, "Share of cells 0 to 0.") {
		t.Errorf("%+v", h)
	}
	l := NewLineage(Forest{"answer", []Life{{ID: 7, Start: 0, End: 10, Faults: []Fault{{T: 10, Kind: FalseDivision}}}, {ID: 8, Parent: 7, Start: 11, End: 20}, {ID: 9, Parent: 7, Start: 11, End: 30}}})
	if h := at(l, Ref{0, 0}); h.Text != "answer track 7, frame 5 (lives from 0 to 10), 2 daughters" || h.X != 5 {
		t.Errorf("%+v", h)
	}
	q, _ := where(l, 640, 400, Options{}, Ref{0, 0})
	if h, ok := l.At(640, 400, Options{}, q.y0, q.x1+2); !ok || h.X != 10 || !strings.HasSuffix(h.Text, "; false division") {
		t.Errorf("%+v", h)
	}
}

// TestNearerEnd: a point on a line belongs to the datum at the nearer end of it.
func TestNearerEnd(t *testing.T) {
	c := XY{Series: []Series{{X: []float64{0, 10}, Y: []float64{1, 5}, Mode: Lines}}}
	a, _ := where(c, 640, 400, Options{}, Ref{0, 0})
	b, _ := where(c, 640, 400, Options{}, Ref{0, 1})
	for part, want := range map[float64]int{0.2: 0, 0.4: 0, 0.6: 1, 0.8: 1} {
		h, ok := c.At(640, 400, Options{}, a.y0+part*(b.y0-a.y0), a.x0+part*(b.x0-a.x0))
		if !ok || h.Ref.Index != want {
			t.Errorf("at %v of the line: %+v, %v", part, h, ok)
		}
	}
}

// TestRowsOfHeatMap: the colour under the pointer is that of the value that is said, whichever way the rows run.
func TestRowsOfHeatMap(t *testing.T) {
	for _, up := range []bool{false, true} {
		for _, size := range []int{3, 90} { // cells, and a picture
			c := HeatMap{Rows: size, Columns: size, Values: ramp(size*size, 0, 1), Up: up, YStep: 10, Y: Axis{Name: "row"}}
			m := drawn(c, 400, 300, Options{})
			b, _ := c.ramp()
			for y := 30; y < 250; y += 37 {
				for x := 60; x < 320; x += 41 {
					h, ok := c.At(400, 300, Options{}, float64(y)+0.5, float64(x)+0.5)
					if !ok {
						t.Fatalf("no cell at (%d, %d)", y, x)
					}
					v := c.Values[h.Ref.Index]
					want, got := b.of(v), m.RGBAAt(x, y)
					if far := b.of(v + float64(size)); size == 90 && (got.R == far.R && got.G == far.G && got.B == far.B) {
						continue // the neighbouring row: a pixel may lie on the border
					}
					if size == 3 && (got.R != want.R || got.G != want.G) {
						t.Errorf("up %v: value %v at (%d, %d) is %v, not %v", up, v, y, x, got, want)
					}
					if d := int(got.G) - int(want.G); size == 90 && (d > 12 || d < -12) {
						t.Errorf("up %v: value %v at (%d, %d) is %v, not %v", up, v, y, x, got, want)
					}
					if row := (h.Ref.Index/size)*10 + 5; h.Y != float64(row) {
						t.Errorf("row %d is said to be at %v", h.Ref.Index/size, h.Y)
					}
				}
			}
		}
	}
}

func TestNothingThere(t *testing.T) {
	c := XY{Series: []Series{{X: []float64{0, 1}, Y: []float64{0, 1}}}}
	for _, p := range [][2]float64{{200, 200}, {-1, 5}, {5, 1e9}, {nan, 3}} {
		if h, ok := c.At(640, 400, Options{}, p[0], p[1]); ok {
			t.Errorf("%+v at %v", h, p)
		}
	}
	if y, x, ok := c.Place(640, 400, Options{}, 200, 340); !ok || y < 0.3 || y > 0.7 || x < 0.3 || x > 0.7 {
		t.Errorf("the middle is (%v, %v) %v", y, x, ok)
	}
}
