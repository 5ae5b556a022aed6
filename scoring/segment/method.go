package segment

import (
	"fmt"
	"slices"
	"strings"

	"coverslip/scoring/report"
)

// formulas say what each metric is, in words.
var formulas = map[string]string{
	"dice":        "dice = 2 x overlap / (answer + truth), in foreground %s (value > 0)",
	"iou":         "iou = overlap / (pixels in answer or truth), in foreground %s (value > 0)",
	"ap_at_0.5":   "ap_at_0.5 = pairs / (pairs + extra + missed objects), pairs having an IoU of at least 0.5",
	"ap_at_0.75":  "ap_at_0.75 = pairs / (pairs + extra + missed objects), pairs having an IoU of at least 0.75",
	"pq":          "pq = sum of the pairs' IoU / (pairs + half the extra + half the missed objects), pairs having an IoU of at least 0.5",
	"boundary_f1": "boundary_f1 = harmonic mean of precision and recall of boundary pixels, within 2 pixels",
}

// notCounted says what a metric does not see.
var notCounted = map[string]string{
	"dice":        "whether objects are merged or split, as long as the same pixels are foreground",
	"iou":         "whether objects are merged or split, as long as the same pixels are foreground",
	"ap_at_0.5":   "how well a pair overlaps beyond 0.5, and pixels outside of objects",
	"ap_at_0.75":  "how well a pair overlaps beyond 0.75; a pair below it is one extra and one missed object",
	"pq":          "how large a missed or an extra object is",
	"boundary_f1": "images that could not be compared: they do not pull this metric down",
}

// method tells how the result came about.
func (s *scorer) method(groups []*group) {
	primary := s.report.Primary
	formula, known := formulas[primary]
	switch {
	case known:
	case slices.Contains(groups[0].fields(true).Keys(), primary):
		s.say("Formula", "the field '"+primary+"' of the record as it is")
		return
	default:
		s.say("Formula", "0, since the rubric's primary_metric names no result of this scorer")
		return
	}
	noun := nounFor(s.task.Spec.TaskID, "", s.threeD)
	if strings.Contains(formula, "%s") {
		formula = fmt.Sprintf(formula, noun.Pixels)
	}
	s.say("Formula", formula)
	for _, g := range groups {
		s.groupMethod(g, primary)
	}
	if len(groups) > 1 {
		var values []string
		for _, g := range groups {
			values = append(values, g.compartment+" "+g.meanText(primary))
		}
		s.say("Compartments", "mean of "+strings.Join(values, " and ")+" = "+report.Number(s.report.Result.Value))
	}
	s.say("Not counted", notCounted[primary]+"; surplus files of the answer")
}

func (s *scorer) say(head, text string) {
	s.report.Method = append(s.report.Method, report.Line{Head: head, Text: text})
}

// groupMethod gives the worst image as an example, then the mean.
func (s *scorer) groupMethod(g *group, primary string) {
	prefix := ""
	if g.compartment != "" {
		prefix = g.compartment + ", "
	}
	if g.failed != "" {
		s.say("Mean", prefix+"0: "+g.failed)
		return
	}
	if worst := g.worst(primary); worst != nil {
		s.say("Lowest image", prefix+worst.image.Name+": "+worst.sum(primary))
	}
	zeros := g.notCompared()
	text := prefix + "mean over " + quantity(len(g.rows), "image", "images") + " = " + g.meanText(primary)
	switch {
	case primary == "boundary_f1":
		text = prefix + "mean over " + quantity(len(g.rows)-zeros, "compared image", "compared images") + " = " + g.meanText(primary)
	case zeros > 0:
		text += fmt.Sprintf("; %d of them could not be compared and %s 0", zeros, plural(zeros, "counts", "count"))
	}
	s.say("Mean", text+", rounded to four decimals")
}

func (g *group) meanText(metric string) string {
	mean, ok := g.mean(metric)
	if g.failed != "" {
		return "0"
	}
	if !ok {
		return "none"
	}
	return report.Number(mean)
}

// worst is the compared image of the lowest score, the first of equals.
func (g *group) worst(metric string) *verdict {
	var worst *verdict
	for i := range g.rows {
		v := &g.rows[i]
		if v.image.Status == report.Scored && (worst == nil || score(v.image.Scores, metric) < score(worst.image.Scores, metric)) {
			worst = v
		}
	}
	return worst
}

// sum writes out one image's figure with its numbers.
func (v *verdict) sum(metric string) string {
	c, result := v.counts, " = "+report.Number(score(v.image.Scores, metric))
	pairs, single := c.tp+c.weak, c.fp+c.fn
	switch metric {
	case "dice":
		return fmt.Sprintf("2 x %d / (%d + %d)", c.both(), c.pred, c.truth) + result
	case "iou":
		return fmt.Sprintf("%d / %d", c.both(), c.pred+c.truth-c.both()) + result
	case "ap_at_0.5":
		return fmt.Sprintf("%d / (%d + %d + %d)", pairs, pairs, c.fp, c.fn) + result
	case "ap_at_0.75":
		return fmt.Sprintf("%d / (%d + %d + %d)", c.tp, c.tp, c.fp+c.weak, c.fn+c.weak) + result
	case "pq":
		return fmt.Sprintf("%s / (%d + %s)", report.Number(c.iou), pairs, report.Number(0.5*float64(single))) + result
	}
	return strings.TrimPrefix(result, " = ")
}
