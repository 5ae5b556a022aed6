package signal

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// partNames are the files of an experiment as people know them.
var partNames = [3]string{"velocity x", "velocity y", "speed kymograph"}

// experimentMarks writes the marks of one experiment: the correlation, the wave's pattern, the direction of flow, each
// file that is not complete, and as diagnostics the cells that differ most (y: distance band, x: point in time).
func (s *scorer) experimentMarks(image int, e experiment, w kymographParts, n float64) {
	k := e.speed
	img := report.Image{Name: e.key, Pred: e.answer, Truth: e.truth, Status: report.Scored, PredShape: k.answer, TruthShape: k.truth}
	accuracy := report.Mark{Kind: report.ValueError, Key: e.key, Image: image, Cost: w.accuracy * (1 - k.score) / n, Expected: 1,
		Box: report.Box{Z1: 1, Y1: k.rows, X1: k.columns}}
	switch k.status {
	case statusMissing:
		img.Status, img.Reason = report.MissingAnswer, "there is no speed kymograph of "+e.key
		accuracy.Kind, accuracy.Text = report.Unmatched, "The answer has no speed kymograph of "+e.key
	case statusUnreadable:
		img.Status, img.Reason = report.Unreadable, cmp.Or(planeReason(e), "the truth's kymograph is no plane")
		accuracy.Kind, accuracy.Text = report.Unparsed, "The kymograph of "+e.key+" counts 0: "+img.Reason
	case statusNoOverlap:
		accuracy.Kind, accuracy.Text = report.Unparsed, "The kymograph of "+e.key+" counts 0: it has no cells"
	default:
		accuracy.Text = "The kymograph of " + e.key + " has no correlation with the truth's: one side is constant"
		if !math.IsNaN(k.r) {
			accuracy.Found = k.r
			accuracy.Text = "The kymograph of " + e.key + " correlates with the truth's with r " + report.Number(k.r)
		}
	}
	if nothing(accuracy.Cost) {
		accuracy.Kind = report.TP
	}
	s.mark(accuracy)
	lost := accuracy.Cost
	for _, m := range e.otherMarks(w, n) {
		if !nothing(m.Cost) {
			m.Image = image
			s.mark(m)
			lost += m.Cost
		}
	}
	for _, r := range k.residuals {
		s.mark(report.Mark{Kind: report.ValueError, Image: image, Key: e.key, Diagnostic: true, Y: float64(r.row), X: float64(r.column),
			Box: report.Box{Z1: 1, Y0: r.row, X0: r.column, Y1: r.row + 1, X1: r.column + 1}, Found: r.found, Expected: r.truth,
			Text: fmt.Sprintf("Band %d, time %d: speed %s where the truth has %s", r.row, r.column, report.Number(r.found), report.Number(r.truth))})
	}
	img.Value = 1 - n*lost
	s.Report.Images = append(s.Report.Images, img)
}

// planeReason is why the answer's kymograph is no plane, "" if it is one.
func planeReason(e experiment) string {
	if e.complete[2] {
		return ""
	}
	return e.reasons[2]
}

// otherMarks are those of pattern, direction and completeness.
func (e experiment) otherMarks(w kymographParts, n float64) []report.Mark {
	k := e.speed
	pattern := report.Mark{Kind: report.ValueError, Key: e.key + ", pattern", Cost: w.pattern * (1 - k.patternScore()) / n, Found: k.fraction, Expected: 1,
		Text: "Cells near the edge are faster than those far from it in " + report.Number(100*k.fraction) + " % of the columns; below 50 % counts nothing"}
	if !k.pattern {
		pattern.Kind, pattern.Found = report.MissingValue, 0
		pattern.Text = "No pattern of " + e.key + ": a kymograph of at least 4 distance bands with finite columns is needed"
	}
	direction := report.Mark{Kind: report.ValueError, Key: e.key + ", direction", Cost: w.direction / n, Expected: e.flow.truth, Found: e.flow.answer}
	if v := e.flow.score(); math.IsNaN(v) {
		direction.Kind, direction.Found, direction.Expected = report.MissingValue, 0, 0
		direction.Text = "No direction of flow of " + e.key + ": " + e.flow.why
	} else {
		direction.Cost *= 1 - v
		direction.Text = fmt.Sprintf("Flow toward the gap: mean cosine %s where the truth has %s", report.Number(e.flow.answer), report.Number(e.flow.truth))
	}
	marks := []report.Mark{pattern, direction}
	for i, ok := range e.complete {
		if !ok {
			marks = append(marks, report.Mark{Kind: report.MissingValue, Key: e.key + ", " + partNames[i], Cost: w.completeness / (3 * n),
				Text: "Not complete, " + partNames[i] + ": " + e.reasons[i]})
		}
	}
	return marks
}

func (s *scorer) kymographMethod(w, parts kymographParts, value float64, experiments int) {
	n := report.Number
	over := call.Quantity(experiments, "experiment", "experiments") + " of the truth"
	s.Say("Accuracy", "mean of Pearson's r (not below 0) between the speed kymographs over "+over+" = "+n(parts.accuracy)+"; missing ones count 0")
	s.Say("Pattern", "share of columns in which the three bands at the edge are faster than those from band 10 on, 50 % counts 0 and 100 % counts 1; mean = "+n(parts.pattern))
	s.Say("Direction", "mean cosine between velocity and the way to the gap near the edge, as a share of the truth's; mean = "+n(parts.direction))
	s.Say("Completeness", "files that are there, are planes and hold only finite values = "+n(parts.completeness))
	s.Say("Formula", fmt.Sprintf("%s x %s + %s x %s + %s x %s + %s x %s = %s", n(w.accuracy), n(parts.accuracy), n(w.pattern), n(parts.pattern),
		n(w.direction), n(parts.direction), n(w.completeness), n(parts.completeness), n(value)))
	s.Say("Not counted", "a factor or an offset on all speeds; rows and columns beyond the truth's (except for the pattern); folder names; figures")
}

// kymographNotes remark on what explains a loss.
func (s *scorer) kymographNotes(experiments []experiment, answers []string) {
	known := map[string]bool{}
	for _, e := range experiments {
		known[e.key] = true
		for _, file := range slices.Sorted(maps.Keys(e.notes)) {
			for _, text := range e.notes[file] {
				s.Info(s.Shown(file), text)
			}
		}
		s.experimentNotes(e)
	}
	surplus := slices.DeleteFunc(slices.Clone(answers), func(k string) bool { return known[k] })
	if len(surplus) > 0 {
		s.Info("", call.Quantity(len(surplus), "experiment", "experiments")+" of the answer unknown to the truth: "+surplus[0]+"; this costs nothing")
	}
	masks := 0
	for _, e := range experiments {
		if math.IsNaN(e.flow.truth) {
			masks++
		}
	}
	if masks == len(experiments) {
		s.Report.NeedsReview = "the direction of flow could not be judged"
		s.Warn("", "The direction of flow counts 0 for all experiments: the masks (<experiment>_roi.tif) below input/ are needed for it", "Unpack the task's input")
	}
}

func (s *scorer) experimentNotes(e experiment) {
	k := e.speed
	if !k.matched || k.status != statusScored {
		return
	}
	file := s.Shown(e.answer)
	p, t := k.answer, k.truth
	switch {
	case p[0] == t[1] && p[1] == t[0] && p[0] != p[1]:
		s.Warn(file, "The kymograph of "+e.key+" is "+call.Shape(p)+" where the truth is "+call.Shape(t)+": rows and columns look exchanged",
			"Distance bands are rows, points in time are columns")
	case !slices.Equal(p, t):
		s.Info(file, fmt.Sprintf("The kymograph of %s is %s, the truth %s: the upper left %d x %d cells are compared", e.key, call.Shape(p), call.Shape(t), k.rows, k.columns))
	}
	for _, u := range []struct {
		factor float64
		what   string
	}{{60 / 14.5, "one frame, which lasts 14.5 min, and not one hour"}, {14.5 / 60, "one hour and not one frame"}, {1 / 1.24, "one pixel of 1.24 µm"}} {
		if r := e.ratio; r > 0 && (math.Abs(r*u.factor-1) < 0.03) && k.r > 0.5 {
			s.Info(file, fmt.Sprintf("The speeds of %s are %s times the truth's, as if given per %s; this costs nothing", e.key, report.Number(r), u.what))
		}
	}
}

// medianRatio is the median of answer / truth over the compared cells, NaN for none.
func medianRatio(answer, truth field) float64 {
	if !answer.plane() || !truth.plane() {
		return math.NaN()
	}
	var ratios []float64
	for y := range min(answer.shape[0], truth.shape[0]) {
		for x := range min(answer.shape[1], truth.shape[1]) {
			if r := answer.at(y, x) / truth.at(y, x); finite(r) {
				ratios = append(ratios, r)
			}
		}
	}
	slices.Sort(ratios)
	return numeric.Median(ratios)
}
