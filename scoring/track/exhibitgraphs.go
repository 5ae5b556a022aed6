package track

import (
	"slices"

	"coverslip/scoring/report"
)

// cellCounts counts the cells of both sides over the frames.
func cellCounts(sets []report.TrackSet) report.Graph {
	g := report.Graph{Name: "cells", Title: "Cells per frame", XName: "frame", YName: "number", FrameStep: 1}
	for _, set := range sets {
		c := report.Curve{Name: "answer", Side: set.Side, X: make([]float64, set.Frames), Y: make([]float64, set.Frames)}
		if set.Side == report.TruthSide {
			c.Name = "truth"
		}
		for t := range c.X {
			c.X[t] = float64(t)
		}
		for _, track := range set.Tracks {
			for _, step := range track.Steps {
				c.Y[step.T]++
			}
		}
		g.Curves = append(g.Curves, c)
	}
	return g
}

// shownErrors are the kinds of errors that are counted over the frames, with their names.
var shownErrors = []struct {
	kind report.Kind
	name string
}{{report.FN, "missed cells"}, {report.FP, "extra cells"}, {report.MissedLink, "missing links"}, {report.SpuriousLink, "spurious links"},
	{report.MissedDivide, "missed divisions"}, {report.FalseDivide, "false divisions"}, {report.IDSwitch, "identity switches"}}

// errorCounts counts the report's errors over the frames, kind by kind.
func errorCounts(rep *report.Report) report.Graph {
	g := report.Graph{Name: "errors", Title: "Errors per frame", XName: "frame", YName: "number", FrameStep: 1}
	frames := 0
	for i := range rep.Marks {
		frames = max(frames, rep.Marks[i].T+1)
	}
	counts := map[report.Kind][]float64{}
	for _, e := range shownErrors {
		counts[e.kind] = make([]float64, frames)
	}
	for i := range rep.Marks {
		if m := &rep.Marks[i]; counts[m.Kind] != nil && m.T >= 0 {
			counts[m.Kind][m.T]++
		}
	}
	for _, e := range shownErrors {
		c := report.Curve{Name: e.name, Y: counts[e.kind], X: make([]float64, frames)}
		for t := range c.X {
			c.X[t] = float64(t)
		}
		if slices.ContainsFunc(c.Y, func(n float64) bool { return n > 0 }) {
			g.Curves = append(g.Curves, c)
		}
	}
	return g
}

// overlapByFrame is the mean IoU of the truth's cells in each frame, missed cells counting 0: what SEG is the mean of.
func overlapByFrame(rep *report.Report) report.Graph {
	g := report.Graph{Name: "overlap", Title: "Overlap per frame (SEG)", XName: "frame", YName: "mean IoU of the truth's cells", FrameStep: 1}
	var sums, counts []float64
	for i := range rep.Marks {
		m := &rep.Marks[i]
		if m.Truth == 0 || m.T < 0 || m.Kind != report.TP && m.Kind != report.Weak && m.Kind != report.FN {
			continue
		}
		for len(sums) <= m.T {
			sums, counts = append(sums, 0), append(counts, 0)
		}
		sums[m.T] += m.IoU
		counts[m.T]++
	}
	c := report.Curve{Name: "SEG"}
	for t := range sums {
		c.X, c.Y = append(c.X, float64(t)), append(c.Y, sums[t]/counts[t])
	}
	if len(c.X) > 0 {
		g.Curves = []report.Curve{c}
	}
	return g
}

// trackLengths are the numbers of frames in which the tracks of each side have a cell.
func trackLengths(sets []report.TrackSet) report.Groups {
	g := report.Groups{Name: "track length", Value: "frames with a cell"}
	for _, set := range sets {
		one := report.Group{Name: "answer", Side: set.Side}
		if set.Side == report.TruthSide {
			one.Name = "truth"
		}
		for _, track := range set.Tracks {
			one.Values, one.IDs = append(one.Values, float64(len(track.Steps))), append(one.IDs, track.ID)
		}
		g.Groups = append(g.Groups, one)
	}
	return g
}
