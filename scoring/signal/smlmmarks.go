package signal

import (
	"math"
	"strconv"

	"coverslip/datasets/raster/parallel"
	"coverslip/scoring/report"
)

// localisationMarks writes the marks beside those of the rows: one for what no row answers for, and one for the intensities.
func (s *scorer) localisationMarks(c *comparison, p plan, intensity float64) {
	if p.costs.rest != 0 {
		s.mark(report.Mark{Kind: report.Whole, Cost: p.costs.rest, Text: "There is nothing that " + p.counted(c) + " could count"})
	}
	if p.used != composite {
		return
	}
	m := report.Mark{Kind: report.ValueError, Key: "intensity", Found: c.r, Expected: 1, Cost: p.intensities * (1 - intensity)}
	switch {
	case math.IsNaN(c.r):
		m.Kind, m.Found = report.MissingValue, 0
		m.Text = "The intensities have no correlation: they do not vary among the pairs, are missing, or there are fewer than two pairs"
	default:
		m.Text = "The intensities of the pairs correlate with r " + report.Number(c.r)
	}
	if !nothing(m.Cost) {
		s.mark(m)
	}
}

// costs are what a surplus answer and a missed truth take from the score, and what is left where nothing was counted.
type costs struct{ surplus, missed, rest float64 }

// costs shares out scale x (1 - metric): it adds up over the rows.
func (c *comparison) costs(metric string, scale float64) costs {
	tp, fp, fn := float64(c.tp), float64(c.fp), float64(c.fn)
	var total float64
	switch metric {
	case "precision":
		total, fn = tp+fp, 0
	case "recall":
		total, fp = tp+fn, 0
	case "f1":
		total = 2*tp + fp + fn
	default:
		total = tp + fp + fn
	}
	if total == 0 {
		return costs{rest: scale}
	}
	each := costs{surplus: scale / total, missed: scale / total}
	if fp == 0 {
		each.surplus = 0
	}
	if fn == 0 {
		each.missed = 0
	}
	return each
}

// rowMarks writes a mark for each row of both lists, named by its line in its file: pairs, answers without a truth, second
// answers for one truth, truths without an answer. They go frame by frame: pairs by line of the truth's file, then the rest.
func (c *comparison) rowMarks(s *scorer, cost costs) []report.Mark {
	starts := make([]int, len(c.frames)+1)
	for i, f := range c.frames {
		starts[i+1] = starts[i] + len(f.pred) + len(f.truth) - len(f.pairs)
	}
	total := starts[len(c.frames)]
	marks := make([]report.Mark, total, total+4) // room for the marks of the whole list
	texts := newDistanceTexts(c.threshold)
	// Cancellation is seen by the caller.
	_ = parallel.Each(s.Ctx, len(c.frames), func(i int) error {
		c.frames[i].marks(c, cost, texts, marks[starts[i]:starts[i+1]])
		return nil
	})
	return marks
}

// marks fills in the marks of a frame, which are empty before: in file order of the truth, then of the answers without a
// truth.
func (f *frame) marks(c *comparison, cost costs, texts distanceTexts, out []report.Mark) {
	t := frameIndex(f.number)
	for place, i := range f.truth {
		row, m := &c.truth.rows[i], &out[place]
		m.Truth, m.T, m.Y, m.X = report.ID(row.Line), t, row.Y, row.X
		if f.ofTruth != nil && f.ofTruth[place] > 0 {
			p := &f.pairs[f.ofTruth[place]-1]
			a := &c.pred.rows[p.pred]
			m.Kind, m.Pred, m.Found, m.Expected = report.TP, report.ID(a.Line), a.Intensity, row.Intensity
			m.Box, m.Text = around(row.Y, row.X, a.Y, a.X), texts.matched(p.distance)
			continue
		}
		m.Kind, m.Box, m.Cost, m.Text = report.FN, around(row.Y, row.X, row.Y, row.X), cost.missed, "Missed: no localisation of the answer"
	}
	out = out[len(f.truth):]
	for k, i := range f.pred {
		if f.paired != nil && f.paired[k] {
			continue
		}
		row, m := &c.pred.rows[i], &out[0]
		out = out[1:]
		*m = report.Mark{Kind: report.FP, Pred: report.ID(row.Line), T: t, Y: row.Y, X: row.X, Box: around(row.Y, row.X, row.Y, row.X),
			Cost: cost.surplus, Text: "Surplus: no localisation of the truth nearby"}
		if f.near != nil && f.near[k].truth >= 0 {
			n := f.near[k]
			m.Text = "Near miss: "
			if n.distance <= c.threshold {
				m.Kind, m.Text = report.Duplicate, "Surplus: another answer is closer to the same truth, "
			}
			m.Text += strconv.FormatFloat(n.distance, 'f', 2, 64) + " px from line " + strconv.Itoa(c.truth.rows[n.truth].Line) + " of the truth"
		}
	}
}

// distanceTexts are the texts of matches by distance in hundredths of a pixel: few of them serve all the pairs of a long
// list.
type distanceTexts []string

// newDistanceTexts makes the texts for distances up to a threshold, at most a thousand.
func newDistanceTexts(threshold float64) distanceTexts {
	texts := make(distanceTexts, int(max(0, min(1000, threshold*100+2))))
	for i := range texts {
		texts[i] = matchedText(float64(i) / 100)
	}
	return texts
}

func (d distanceTexts) matched(distance float64) string {
	hundredths := distance * 100
	nearest := math.Floor(hundredths + 0.5)
	// Close to the middle between two hundredths the product may be on the wrong side of it.
	if math.Abs(hundredths-nearest) < 0.5-1e-6 && nearest < float64(len(d)) {
		return d[int(nearest)]
	}
	return matchedText(distance)
}

func matchedText(distance float64) string {
	return "Matched at " + strconv.FormatFloat(distance, 'f', 2, 64) + " px"
}

// frameIndex is a frame's number as an index; frames may be beyond what an index holds.
func frameIndex(number float64) int { return int(max(-1<<53, min(1<<53, number))) }

// around is the box of the pixels that two places lie in. Places far beyond any image have none.
func around(y0, x0, y1, x1 float64) report.Box {
	const far = 1 << 40
	if !(math.Abs(y0) < far && math.Abs(x0) < far && math.Abs(y1) < far && math.Abs(x1) < far) {
		return report.Box{}
	}
	low := func(a, b float64) int { return int(math.Floor(min(a, b) + 0.5)) }
	high := func(a, b float64) int { return int(math.Floor(max(a, b)+0.5)) + 1 }
	return report.Box{Z1: 1, Y0: low(y0, y1), X0: low(x0, x1), Y1: high(y0, y1), X1: high(x0, x1)}
}
