package chart

import (
	"bytes"
	"image"
	"math"
	"slices"
	"sync"
	"testing"
)

// TestSameBytes: a chart is the same from one or several goroutines, in a picture of its own or a part of another one, and whatever was there.
func TestSameBytes(t *testing.T) {
	for _, k := range gallery() {
		first := drawn(k.chart, 320, 240, Options{})
		var wait sync.WaitGroup
		for range 3 {
			wait.Add(1)
			go func() {
				defer wait.Done()
				big := image.NewRGBA(image.Rect(-10, -20, 400, 300))
				for i := range big.Pix {
					big.Pix[i] = 0x77
				}
				part := big.SubImage(image.Rect(5, 7, 325, 247)).(*image.RGBA)
				k.chart.Draw(part, Options{Scale: 1})
				for y := range 240 {
					if !bytes.Equal(part.Pix[y*part.Stride:y*part.Stride+4*320], first.Pix[y*first.Stride:y*first.Stride+4*320]) {
						t.Errorf("%s differs in row %d", k.name, y)
						return
					}
				}
				if c := big.RGBAAt(4, 7); c.R != 0x77 {
					t.Errorf("%s draws beside its picture", k.name)
				}
			}()
		}
		wait.Wait()
		for i := 3; i < len(first.Pix); i += 4 {
			if first.Pix[i] != 255 {
				t.Fatalf("%s leaves holes", k.name)
			}
		}
		var a, b bytes.Buffer
		if err := k.chart.SVG(&a, 320, 240); err != nil {
			t.Fatal(err)
		}
		if err := k.chart.SVG(&b, 320, 240); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("the SVG of %s differs", k.name)
		}
	}
}

// TestLooks: the series that a chart can name in its legend never share marker and dashes, so that they are told apart without colours.
func TestLooks(t *testing.T) {
	seen := map[[2]uint8]int{}
	for i := range 40 {
		l := Look{}.of(i)
		if j, ok := seen[[2]uint8{uint8(l.Marker), uint8(l.Dash)}]; ok {
			t.Errorf("series %d looks like %d but for its colour", i, j)
		}
		seen[[2]uint8{uint8(l.Marker), uint8(l.Dash)}] = i
	}
}

// TestContrast: text and lines keep the contrast of WCAG on their ground (4.5 for text, 3 for graphics).
func TestContrast(t *testing.T) {
	for _, th := range []*theme{&dark, &light} {
		for c := SkyBlue; c < colourCount; c++ {
			least := 2.3 // yellow and sky blue on paper: lightened lines of these hues, which dashes and markers back up
			if th == &dark {
				least = 4.5
			}
			if c == Ink || c == Quiet {
				least = 4.5
			}
			if k := contrast(luminance(th.of(c).R, th.of(c).G, th.of(c).B), luminance(th.plot.R, th.plot.G, th.plot.B)); k < least {
				t.Errorf("colour %d has a contrast of %.2f", c, k)
			}
		}
	}
}

func luminance(r, g, b uint8) float64 {
	part := func(v uint8) float64 {
		if c := float64(v) / 255; c > 0.04045 {
			return math.Pow((c+0.055)/1.055, 2.4)
		} else {
			return c / 12.92
		}
	}
	return 0.2126*part(r) + 0.7152*part(g) + 0.0722*part(b)
}

func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

// TestRamps: viridis, magma and cividis rise in lightness; a diverging map is lightest in its middle.
func TestRamps(t *testing.T) {
	for _, name := range []string{"viridis", "magma", "cividis", "diverging"} {
		r := Ramp(name)
		l := func(i int) float64 { return luminance(r[i].R, r[i].G, r[i].B) }
		if name == "diverging" {
			if !(l(127) > 0.8 && l(0) < 0.1 && l(255) < 0.1) {
				t.Errorf("%s: %v %v %v", name, l(0), l(127), l(255))
			}
			continue
		}
		for i := 8; i < 256; i += 8 {
			if !(l(i) > l(i-8)) {
				t.Errorf("%s does not rise at %d", name, i)
			}
		}
	}
}

func TestDistribution(t *testing.T) {
	for seed := range uint64(30) {
		a := mapped(normal(seed, int(1+seed*3), 0, 1), func(v float64) float64 { return math.Round(v*4) / 4 })
		b := append(normal(seed+100, 17, 0.4, 1), nan, inf)
		d := Distribution("", a, Look{})
		if !slices.IsSorted(d.X) || !slices.IsSorted(d.Y) || d.Y[0] != 0 || d.Y[len(d.Y)-1] != 1 {
			t.Fatalf("no distribution function: %v %v", d.X, d.Y)
		}
		for i := 2; i < len(d.X); i++ {
			if !(d.X[i] > d.X[i-1]) {
				t.Fatalf("equal values are more than one step: %v", d.X)
			}
		}
		g, ok := LargestGap(a, b)
		part := func(v []float64, x float64) float64 { // definition
			n, all := 0.0, 0.0
			for _, y := range v {
				if finite(y) {
					all++
					if y <= x {
						n++
					}
				}
			}
			return n / all
		}
		best := 0.0
		for _, x := range append(append([]float64(nil), a...), b...) {
			if finite(x) {
				best = max(best, math.Abs(part(a, x)-part(b, x)))
			}
		}
		if !ok || math.Abs(g.High-g.Low-best) > 1e-12 || math.Abs(math.Abs(part(a, g.X)-part(b, g.X))-best) > 1e-12 {
			t.Fatalf("gap %+v, but the largest is %v", g, best)
		}
	}
	if _, ok := LargestGap(nil, []float64{1}); ok {
		t.Error("a gap to nothing")
	}
}

// TestCounts: every value within the edges is in one bin, the last of which holds its upper edge.
func TestCounts(t *testing.T) {
	v := append(normal(3, 1000, 0, 1), 5, nan, -inf)
	c := Histogram{Sets: []Set{{Values: v}}}
	edges, n := c.edges()
	bins, all := count(v, edges)
	sum := 0
	for _, b := range bins {
		sum += b
	}
	if n != 1001 || all != 1001 || sum != 1001 {
		t.Errorf("%d values, %d counted, %d in bins", n, all, sum)
	}
	c.X.Scale = Log
	c.Sets[0].Values = []float64{0.001, 5, 0, -3, 1000}
	if edges, _ := c.edges(); edges[0] != 0.001 || edges[len(edges)-1] != 1000 || math.Abs(edges[1]/edges[0]-edges[2]/edges[1]) > 1e-9 {
		t.Error(edges)
	}
	if bins, _ := count([]float64{0, 1, 1, 2, 3, 3.1, -1}, []float64{0, 1, 3}); !slices.Equal(bins, []int{1, 4}) {
		t.Error(bins)
	}
}

func TestOrder(t *testing.T) {
	c := Bars{Names: make([]string, 5), Series: []BarSeries{{Values: []float64{2, nan, 3, 2, 1}}}}
	for o, want := range map[Order][]int{AsGiven: {0, 1, 2, 3, 4}, Falling: {2, 0, 3, 4, 1}, Rising: {4, 0, 3, 2, 1}} {
		c.Order = o
		if got := c.order(); !slices.Equal(got, want) {
			t.Errorf("order %d: %v", o, got)
		}
	}
}

// TestCoverage: the covers of a polygon add up to its area, wherever it lies; what overlaps counts once.
func TestCoverage(t *testing.T) {
	r := noise(9)
	var a coverage
	a.reset(200, 100)
	sum := func() float64 {
		n := 0.0
		a.flush(func(_, _ int, c uint32) { n += float64(c) / 255 })
		return n
	}
	for range 200 {
		c, radius := pt{60 + 80*r.Float64(), 40 + 20*r.Float64()}, 1+30*r.Float64()
		path := circle(c, radius, 40)
		area := 20 * radius * radius * math.Sin(2*math.Pi/40)
		a.polygon(path...)
		if got := sum(); math.Abs(got-area) > 0.02*area+0.5 {
			t.Fatalf("area %v, covered %v", area, got)
		}
		a.polygon(path...)
		a.polygon(path...)
		if got := sum(); math.Abs(got-area) > 0.05*area+12 {
			t.Fatalf("area %v, covered three times %v", area, got)
		}
	}
	a.polygon(pt{-1e9, -1e9}, pt{1e9, -1e9}, pt{1e9, 1e9}, pt{-1e9, 1e9})
	if got := sum(); got != 200*100 {
		t.Errorf("%v of %v pixels are covered", got, 200*100)
	}
}

func TestQuantile(t *testing.T) {
	v := []float64{1, 2, 4, 8}
	for part, want := range map[float64]float64{0: 1, 0.5: 3, 0.25: 1.75, 1: 8} {
		if got := Quantile(v, part); got != want {
			t.Errorf("quantile %v is %v, not %v", part, got, want)
		}
	}
}
