package session

import (
	"cmp"
	"math"
	"slices"

	"coverslip/scoring"
	"coverslip/viewer/chart"
)

// reportPlots are the charts that follow from the report alone.
func (s *Session) reportPlots(r *scoring.Report) []Plot {
	plots := s.exhibitPlots(scoring.Plots(r), -1)
	if p, ok := s.framesPlot(r); ok {
		plots = append(plots, p)
	}
	return plots
}

// framesPlot is the errors of each frame by kind; a point leads to its frame.
func (s *Session) framesPlot(r *scoring.Report) (Plot, bool) {
	last := 0
	for _, m := range r.Marks {
		last = max(last, m.T)
	}
	if last == 0 {
		return Plot{}, false
	}
	xy := chart.XY{Title: "Errors by frame", X: chart.Axis{Name: "frame", Whole: true}, Y: chart.Axis{Name: "errors", Whole: true, Zero: true}, Empty: "No errors"}
	counts := map[string][]float64{}
	for _, m := range r.Marks {
		if !IsError(m) || m.Diagnostic || m.T < 0 {
			continue
		}
		kind := kindText(m)
		if counts[kind] == nil {
			counts[kind] = make([]float64, last+1)
		}
		counts[kind][m.T]++
	}
	frames := make([]float64, last+1)
	for i := range frames {
		frames[i] = float64(i)
	}
	kinds := make([]string, 0, len(counts))
	for kind := range counts {
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b string) int { return cmp.Or(cmp.Compare(kindPlace(a), kindPlace(b)), cmp.Compare(a, b)) })
	for _, kind := range kinds {
		xy.Series = append(xy.Series, chart.Series{Name: kind, X: frames, Y: counts[kind], Mode: chart.Lines})
	}
	return Plot{Name: "frames", Chart: xy, Cursor: func(t int) float64 { return float64(t) }, frame: func(x float64) int { return int(math.Round(x)) },
		pick: func(h chart.Hit) { s.SetT(h.Ref.Index) }}, true
}
