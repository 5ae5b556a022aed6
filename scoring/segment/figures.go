package segment

import (
	"cmp"
	"math"
	"slices"

	"coverslip/scoring/report"
)

// counts are what the scores of one image are made of. They come from its marks and its two foreground counts.
type counts struct {
	tp, weak, fp, fn int
	iou              float64 // sum over matched pairs, by ascending answer id
	pred, truth      int     // foreground pixels
	wrong            int     // pixels that are foreground in one image only
}

// count derives the counts of an image from its marks.
func count(marks []report.Mark, predPixels, truthPixels int) counts {
	c := counts{pred: predPixels, truth: truthPixels}
	var matched []report.Mark
	for _, m := range marks {
		if m.Diagnostic {
			continue
		}
		c.wrong += m.Wrong
		switch m.Kind {
		case report.TP:
			c.tp++
			matched = append(matched, m)
		case report.Weak:
			c.weak++
			matched = append(matched, m)
		case report.FP:
			c.fp++
		case report.FN:
			c.fn++
		}
	}
	slices.SortFunc(matched, func(a, b report.Mark) int { return cmp.Compare(a.Pred, b.Pred) })
	for _, m := range matched {
		c.iou += m.IoU
	}
	return c
}

// both is the number of pixels that are foreground in answer and truth.
func (c counts) both() int { return (c.pred + c.truth - c.wrong) / 2 }

// scores gives the figures of one image, all but the boundary's (spec/scorers-segmentation-tracking.md 2.1).
func (c counts) scores() report.Scores {
	matched := float64(c.tp + c.weak)
	s := report.Scores{
		Dice:       ratio(2*float64(c.both()), float64(c.pred+c.truth)),
		IoU:        ratio(float64(c.both()), float64(c.pred+c.truth-c.both())),
		AP50:       1,
		AP75:       1,
		BoundaryF1: math.NaN(),
	}
	if n := c.objects50(); n > 0 {
		s.AP50 = matched / n
		s.AP75 = float64(c.tp) / c.objects75()
	}
	if matched > 0 {
		s.PQ = c.iou / matched * (matched / c.weightPQ())
	}
	return s
}

// The denominators: pairs, extra and missed objects. At 0.75 a weak match is one extra and one missed object.
func (c counts) objects50() float64 { return float64(c.tp + c.weak + c.fp + c.fn) }
func (c counts) objects75() float64 { return float64(c.tp + 2*c.weak + c.fp + c.fn) }
func (c counts) weightPQ() float64 {
	return float64(c.tp+c.weak) + 0.5*float64(c.fp) + 0.5*float64(c.fn)
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// share is a mark's part of 1 - score of its image, for the metrics that split over objects.
//
//	dice        wrong / (answer + truth)
//	iou         wrong / union
//	ap_at_0.5   one for each extra and each missed object, over all pairs and single objects
//	ap_at_0.75  likewise, a weak match counting as both
//	pq          1 - IoU for a pair, a half for an extra or missed object, over pairs + halves
func (c counts) share(metric string, m report.Mark) float64 {
	single := m.Kind == report.FP || m.Kind == report.FN
	switch metric {
	case "dice":
		return ratio(float64(m.Wrong), float64(c.pred+c.truth))
	case "iou":
		return ratio(float64(m.Wrong), float64(c.pred+c.truth-c.both()))
	case "ap_at_0.5":
		if single {
			return ratio(1, c.objects50())
		}
	case "ap_at_0.75":
		switch {
		case single:
			return ratio(1, c.objects75())
		case m.Kind == report.Weak:
			return ratio(2, c.objects75())
		}
	case "pq":
		switch {
		case single:
			return ratio(0.5, c.weightPQ())
		case m.Kind == report.TP, m.Kind == report.Weak:
			return ratio(1-m.IoU, c.weightPQ())
		}
	}
	return 0
}

// metricNames are the scores of an image, in the order of the reference's record.
var metricNames = []string{"dice", "iou", "ap_at_0.5", "ap_at_0.75", "pq", "boundary_f1"}

// score is one figure of an image by the reference's name.
func score(s report.Scores, metric string) float64 {
	switch metric {
	case "dice":
		return s.Dice
	case "iou":
		return s.IoU
	case "ap_at_0.5":
		return s.AP50
	case "ap_at_0.75":
		return s.AP75
	case "pq":
		return s.PQ
	case "boundary_f1":
		return s.BoundaryF1
	}
	return math.NaN()
}

// splits tells whether 1 - metric is a sum over objects.
func splits(metric string) bool {
	return metric != "boundary_f1" && slices.Contains(metricNames, metric)
}
