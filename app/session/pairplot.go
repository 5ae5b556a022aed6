package session

import (
	"context"
	"math"

	"coverslip/datasets/raster"
	"coverslip/scoring/report"
	"coverslip/viewer/chart"
)

// maxPairSide bounds scalar images that are drawn as charts; larger ones are looked at as images.
const maxPairSide = 2000

// pairPlots draws the answer's and the truth's scalar image with common limits, and their difference where they are of one shape.
func (l *Loader) pairPlots(ctx context.Context, pair report.Pair) (plots []Plot, errs []error) {
	planes := map[string]raster.Plane{}
	for _, side := range [][2]string{{"answer", pair.Answer}, {"truth", pair.Truth}} {
		if side[1] == "" {
			continue
		}
		p, err := l.component(ctx, side[1])
		if err != nil {
			errs = append(errs, err)
		} else if p.H <= maxPairSide && p.W <= maxPairSide {
			planes[side[0]] = p
		}
	}
	for _, side := range []string{"answer", "truth"} {
		if p, ok := planes[side]; ok {
			c := heatMapOf(pair, p.H, p.W, valuesOf(p))
			c.Title = pair.Name + ", " + side
			plots = append(plots, Plot{Name: pair.Name + ", " + side, Chart: c})
		}
	}
	a, t := planes["answer"], planes["truth"]
	if a.H > 0 && a.H == t.H && a.W == t.W {
		values := valuesOf(a)
		for i, v := range valuesOf(t) {
			values[i] -= v
		}
		c := heatMapOf(pair, a.H, a.W, values)
		c.Title, c.Diverging = pair.Name+", answer - truth", true
		c.Value.Min, c.Value.Max = 0, 0
		plots = append(plots, Plot{Name: pair.Name + ", difference", Chart: c})
	}
	return plots, errs
}

func heatMapOf(pair report.Pair, h, w int, values []float64) chart.HeatMap {
	c := chart.HeatMap{Rows: h, Columns: w, Values: values, X: chart.Axis{Name: pair.XName}, Y: chart.Axis{Name: pair.YName}, XStep: pair.XStep, YStep: pair.YStep,
		Value: chart.Axis{Name: "value", Unit: pair.Unit}, Empty: "No values"}
	if pair.Lo < pair.Hi {
		c.Value.Min, c.Value.Max = pair.Lo, pair.Hi
	}
	for _, p := range pair.Places {
		c.Lines = append(c.Lines, chart.Line{Name: p.Name, At: p.X, Vertical: true})
	}
	return c
}

func valuesOf(p raster.Plane) []float64 {
	values := make([]float64, p.H*p.W)
	for i := range values {
		if values[i] = p.At(i/p.W, i%p.W); math.IsInf(values[i], 0) {
			values[i] = math.NaN()
		}
	}
	return values
}

// showMap shows the map that the marks lie in beside the picture: where answer and truth differ, if both are there.
func (s *Session) showMap() {
	if n := len(s.exhibits.pairs); n > 0 {
		s.view.Chart = s.exhibits.pairs[n-1].Name
	}
}
