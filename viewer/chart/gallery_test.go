package chart

import (
	"bufio"
	"flag"
	"fmt"
	"image"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"coverslip/viewer/render"
)

var pictures = flag.String("pictures", "", "write a picture of every chart of the gallery into this folder")

// kind is one chart of the gallery with the size it is drawn at.
type kind struct {
	name  string
	chart Chart
	w, h  int
}

func noise(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

func normal(seed uint64, n int, mean, sd float64) []float64 {
	r, v := noise(seed), make([]float64, n)
	for i := range v {
		v[i] = mean + sd*r.NormFloat64()
	}
	return v
}

func ramp(n int, from, step float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = from + step*float64(i)
	}
	return v
}

func mapped(v []float64, f func(float64) float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = f(x)
	}
	return out
}

// gallery is every kind of chart as the tasks use it.
func gallery() []kind {
	return []kind{
		{"curves", kinetics(), 640, 400}, {"scatter", scatter(), 420, 440}, {"dose", dose(), 640, 400}, {"ecdf", distributions(), 640, 400},
		{"series", manySeries(), 640, 400}, {"bars", bars(), 640, 400}, {"sorted", sortedBars(), 640, 300}, {"histogram", histogram(), 640, 400},
		{"groups", groups(), 640, 400}, {"confusion", confusion(), 460, 400}, {"kymograph", kymograph(), 560, 340}, {"difference", difference(), 560, 340},
		{"plate", plate(), 640, 420}, {"profile", profile(), 640, 340}, {"lineage", colony(), 640, 400}, {"upright", upright(), 500, 600},
		{"empty", XY{Title: "Area of matched objects", Empty: "No matched objects"}, 400, 240},
		{"fractions", fractions(), 640, 360},
	}
}

func kinetics() XY {
	x := ramp(60, -5, 0.5)
	rise := func(k, top float64) []float64 {
		return mapped(x, func(t float64) float64 {
			if t > 9 && t < 11 {
				return math.NaN()
			}
			return top / (1 + math.Exp(-k*(t-8)))
		})
	}
	return XY{Title: "Inner core, cell 1", Note: "r = 0.981", X: Axis{Name: "Time after anaphase (min)"}, Y: Axis{Name: "Normalised intensity"},
		Series: []Series{{Name: "answer, daughter 1", X: x, Y: rise(.5, 1), Mode: Lines, Look: Look{Orange, Dot, Solid}},
			{Name: "answer, daughter 2", X: x, Y: rise(.42, .9), Mode: Lines, Look: Look{Purple, Dot, Solid}},
			{Name: "truth, daughter 1", X: x, Y: rise(.48, 1.04), Mode: Lines, Look: Look{Orange, Dot, Dashed}},
			{Name: "truth, daughter 2", X: x, Y: rise(.39, .95), Mode: Lines, Look: Look{Purple, Dot, Dashed}}},
		Lines: []Line{{Name: "onset of the answer", At: 0.5, Vertical: true, Look: Look{Dash: Solid}}, {Name: "onset of the truth", At: 0, Vertical: true}}}
}

func scatter() XY {
	x := mapped(normal(1, 180, 4, 1), func(v float64) float64 { return math.Round(math.Exp(v)) })
	r := noise(2)
	y := mapped(x, func(v float64) float64 { return math.Round(v * math.Exp(0.2*r.NormFloat64())) })
	x[3], y[3], y[4] = 0, 0, 0
	labels := make([]string, len(x))
	for i := range labels {
		labels[i] = fmt.Sprintf("image %d", i)
	}
	return XY{Title: "Cells per image", Note: "r = 0.93, n = 180", X: Axis{Name: "True count", Scale: LogZero}, Y: Axis{Name: "Count of the answer", Scale: LogZero},
		Series: []Series{{X: x, Y: y, Labels: labels}}, Identity: true}
}

func dose() XY {
	doses := []float64{0, 0.01, 0.1, 1, 3, 10, 30}
	c := XY{Title: "Dose response", X: Axis{Name: "TNF-alpha", Unit: "ng/ml", Scale: LogZero}, Y: Axis{Name: "Nuclear over cytoplasmic intensity"}}
	for k, name := range []string{"MCF7", "A549"} {
		r := noise(uint64(k))
		points, mean := Series{Name: name + " wells"}, Series{Name: name + " mean and SD", Mode: LinesPoints}
		for i, d := range doses {
			m := 0.6 + 0.8*float64(i)/(float64(i)+3-float64(k))
			for range 4 {
				points.X, points.Y = append(points.X, d), append(points.Y, m+0.08*r.NormFloat64())
			}
			mean.X, mean.Y = append(mean.X, d), append(mean.Y, m)
			mean.Low, mean.High = append(mean.Low, m-0.1), append(mean.High, m+0.1)
		}
		colour := Colour(1 + k)
		points.Look, mean.Look = Look{colour, Marker(Cross + Marker(k)), Solid}, Look{colour, Marker(Dot + Marker(k)), Dash(Solid + Dash(k))}
		c.Series = append(c.Series, mean, points)
	}
	return c
}

func distributions() XY {
	a := mapped(normal(3, 54, .42, .15), func(v float64) float64 { return math.Round(v*50) / 50 })
	b := normal(4, 56, .5, .12)
	g, _ := LargestGap(a, b)
	return XY{Title: "siControl", Note: "1 - D is the score of this condition", X: Axis{Name: "Start, normalised to S phase"}, Y: Axis{Name: "Share of events", Max: 1.04},
		Series: []Series{Distribution("answer", a, AnswerLook), Distribution("truth", b, TruthLook)}, Gaps: []Gap{g}}
}

func manySeries() XY {
	c := XY{Title: "AP against the IoU threshold, all series", X: Axis{Name: "IoU threshold"}, Y: Axis{Name: "AP", Min: 0, Max: 1}}
	for i := range 8 {
		x := ramp(10, .5, .05)
		c.Series = append(c.Series, Series{Name: fmt.Sprintf("an agent with a rather long name number %d", i), X: x, Mode: LinesPoints,
			Y: mapped(x, func(v float64) float64 { return (1 - v) * (2 - 0.2*float64(i)) * 0.9 })})
	}
	c.Lines = []Line{{Name: "pass", At: 0.5}}
	return c
}

func bars() Bars {
	c := Bars{Title: "Scores per image", X: "Image", Y: Axis{Name: "Dice", Min: 0, Max: 1}, Lines: []Line{{Name: "pass 0.5", At: 0.5}}, Order: Falling}
	a, b := normal(5, 10, .75, .15), normal(6, 10, .7, .15)
	for i := range a {
		c.Names = append(c.Names, fmt.Sprintf("human_kidney_%02d", i+1))
	}
	a[4] = math.NaN()
	c.Series = []BarSeries{{Name: "nuclei", Values: a, Low: mapped(a, func(v float64) float64 { return v - .05 }), High: mapped(a, func(v float64) float64 { return v + .05 })}, {Name: "cytoplasm", Values: b}}
	return c
}

func sortedBars() Bars {
	c := Bars{Title: "265 images, sorted", X: "Image", Y: Axis{Name: "Dice", Min: 0, Max: 1}, Order: Rising}
	v := normal(8, 265, .7, .12)
	for i := range v {
		c.Names = append(c.Names, fmt.Sprint(2408+i))
	}
	c.Series = []BarSeries{{Values: v}}
	return c
}

func histogram() Histogram {
	return Histogram{Title: "Nuclear area", X: Axis{Name: "Area", Unit: "µm²"}, Sets: []Set{{"answer", normal(9, 400, 60, 14), AnswerLook}, {"truth", normal(10, 380, 66, 12), TruthLook}},
		Lines: []Line{{Name: "median of the truth", At: 66, Vertical: true}}}
}

func groups() Groups {
	return Groups{Title: "Spearman coefficient by condition", Y: Axis{Name: "Spearman coefficient"}, Groups: []Group{
		{Name: "Control", Values: normal(11, 111, .3, .12)}, {Name: "Stage 1", Values: normal(12, 20, .4, .1)}, {Name: "Stage 2", Values: normal(13, 9, .55, .1)}, {Name: "Stage 3", Values: normal(14, 1500, .5, .13)}},
		Brackets: []Bracket{{Left: 0, Right: 1, Text: "p = 0.21, not expected to differ"}, {Left: 0, Right: 2, Text: "p = 0.003"}, {Left: 2, Right: 3, Text: "p = 0.4, expected to differ", Doubt: true}}}
}

func confusion() HeatMap {
	names := []string{"round", "amoeboid", "ramified"}
	return HeatMap{Title: "Classes of matched cells", Rows: 3, Columns: 3, Values: []float64{812, 60, 5, 33, 1204, 88, 0, 141, 395}, X: Axis{Name: "Answer", Names: names}, Y: Axis{Name: "Truth", Names: names},
		Value: Axis{Name: "Cells"}, Numbers: true, Square: true, Ramp: "cividis"}
}

func kymograph() HeatMap {
	c := HeatMap{Title: "Speed kymograph, MDCK_HGF-SF", Rows: 23, Columns: 99, X: Axis{Name: "Time", Unit: "h"}, Y: Axis{Name: "Distance from the edge", Unit: "µm"}, XStep: .2417, YStep: 15,
		Value: Axis{Name: "Speed", Unit: "µm/h", Min: 0, Max: 30}, Up: true, Lines: []Line{{Name: "end of phase 1", At: 18, Vertical: true}}}
	r := noise(15)
	for row := range c.Rows {
		for column := range c.Columns {
			v := 28*math.Exp(-float64(row)/9)*math.Exp(-float64(column)/120) + 1.5*r.NormFloat64()
			if column > 80 && row > 15 {
				v = math.NaN()
			}
			c.Values = append(c.Values, v)
		}
	}
	return c
}

func difference() HeatMap {
	c := kymograph()
	c.Title, c.Value, c.Diverging, c.Lines = "Answer minus truth", Axis{Name: "Difference", Unit: "µm/h"}, true, nil
	c.Values = normal(16, c.Rows*c.Columns, 0, 3)
	return c
}

func plate() Plate {
	c := Plate{Title: "Translocation by well", Rows: 8, Columns: 12, Value: Axis{Name: "Nuclear over cytoplasmic intensity"}, Verdicts: map[render.Style]string{render.Missed: "missing in the answer", render.Extra: "not on the plate map", render.WeakLink: "far from its dose mean", render.Double: "twice"}}
	r := noise(17)
	for i := range 96 {
		if i == 30 || i == 31 {
			continue
		}
		w := Well{Row: i / 12, Column: i % 12, Value: .6 + .06*float64(i%12) + .05*r.NormFloat64(), Label: fmt.Sprint(i % 12)}
		switch i {
		case 5:
			w.Style, w.Value = render.Missed, math.NaN()
		case 17:
			w.Style = render.Extra
		case 41:
			w.Style, w.Text = render.WeakLink, "0.21 from the mean of its dose"
		case 60:
			w.Style = render.Double
		}
		c.Wells = append(c.Wells, w)
	}
	return c
}

func profile() XY {
	x := ramp(400, 0, .415)
	var s []Series
	for i, name := range []string{"Bodipy", "Pan-CK", "DAPI", "CD45"} {
		r := noise(uint64(20 + i))
		s = append(s, Series{Name: name, X: x, Y: mapped(x, func(v float64) float64 {
			return 200 + 900*math.Exp(-math.Pow((v-40-20*float64(i))/12, 2)) + 25*r.NormFloat64()
		})})
	}
	return Profile("Line profile", Axis{Name: "Distance", Unit: "µm"}, Axis{Name: "Intensity"}, s...)
}

// grow makes a colony: every life divides after some frames.
func grow(founders, generations int, seed uint64) []Life {
	r := noise(seed)
	var lives []Life
	var id int64
	var divide func(parent int64, start, left int)
	divide = func(parent int64, start, left int) {
		id++
		own := id
		l := Life{ID: own, Parent: parent, Start: start, End: start + 20 + r.IntN(15), Partner: own, Style: render.Match}
		i := len(lives)
		lives = append(lives, l)
		if left > 0 {
			divide(own, l.End+1, left-1)
			divide(own, l.End+1, left-1)
		}
		lives[i] = l
	}
	for range founders {
		divide(0, r.IntN(30), generations)
	}
	return lives
}

func colony() Lineage {
	answer, truth := grow(2, 3, 30), grow(2, 3, 30)
	answer[3].Style, answer[5].Gaps = render.Extra, []Range{{answer[5].Start + 5, answer[5].Start + 9}}
	answer[7].Spans = []Span{{Range{answer[7].Start + 10, answer[7].End}, render.WeakLink}}
	answer[1].Faults = []Fault{{T: answer[1].End, Kind: FalseDivision}}
	answer[8].Faults = []Fault{{T: answer[8].Start + 8, Kind: IDSwitch}}
	truth[2].Faults = []Fault{{T: truth[2].End, Kind: MissedDivision}}
	truth[12].Style = render.Missed
	l := NewLineage(Forest{"answer", answer}, Forest{"truth", truth})
	l.Title = "Lineages"
	return l
}

func upright() Lineage {
	l := NewLineage(Forest{"answer", grow(3, 5, 31)})
	l.Upright, l.Title, l.Families = true, "Lineages by family", true
	return l
}

func fractions() XY {
	x := ramp(60, 0, .5)
	c := XY{Title: "Phenotypes over time", X: Axis{Name: "Time", Unit: "h"}, Y: Axis{Name: "Share of cells", Min: 0, Max: 1}}
	low := make([]float64, 60)
	for i, name := range []string{"round", "amoeboid", "ramified"} {
		high := mapped(x, func(t float64) float64 { return []float64{.5 - t/90, .8 - t/120, 1}[i] })
		c.Bands = append(c.Bands, Band{Name: name, X: x, Low: low, High: high})
		low = high
	}
	return c
}

// drawn is a chart at a scale.
func drawn(c Chart, w, h int, o Options) *image.RGBA {
	k := o.scale()
	m := image.NewRGBA(image.Rect(0, 0, int(float64(w)*k), int(float64(h)*k)))
	c.Draw(m, o)
	return m
}

func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("run with -pictures FOLDER to look at all charts")
	}
	for _, k := range gallery() {
		for _, light := range []bool{false, true} {
			o := Options{Light: light, Scale: 1, Selected: []Ref{{0, 7}}}
			if light {
				o.Scale = 1.5
			} else {
				cursor := 12.0
				o.Cursor = &cursor
			}
			name := filepath.Join(*pictures, fmt.Sprintf("%s-%v.png", k.name, light))
			save(t, name, drawn(k.chart, k.w, k.h, o))
		}
		f, err := os.Create(filepath.Join(*pictures, k.name+".svg"))
		if err != nil {
			t.Fatal(err)
		}
		w := bufio.NewWriter(f)
		if err := k.chart.SVG(w, k.w, k.h); err != nil {
			t.Fatal(err)
		}
		w.Flush()
		f.Close()
	}
}

func save(t *testing.T, name string, m image.Image) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
}
