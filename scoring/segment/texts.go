package segment

import (
	"strconv"
	"strings"

	"coverslip/scoring/report"
)

func (a *annotator) missedText(truth int) string {
	o := a.census.Truth.Objects[truth]
	if o.ID < 0 {
		return "Negative label " + strconv.FormatInt(o.ID, 10) + " in the truth: counts as a missed " + a.noun.One + " without area"
	}
	text := "Missed " + a.noun.One + ": " + a.noun.pixels(o.Area)
	if len(a.ofTruth[truth]) == 0 {
		if o.Outside < o.Pixels {
			return text + ", no " + a.noun.One + " of the answer overlaps it"
		}
		return text + ", nothing in the answer overlaps it"
	}
	best := closest(a.ofTruth[truth])
	return text + ", best overlap is answer " + strconv.FormatInt(a.census.Pred.Objects[best.index].ID, 10) + " with " + iouText(best.iou)
}

func (a *annotator) extraText(pred int) string {
	o := a.census.Pred.Objects[pred]
	if o.ID < 0 {
		return "Negative label " + strconv.FormatInt(o.ID, 10) + " in the answer: counts as an extra " + a.noun.One + " without area"
	}
	text := "Extra " + a.noun.One + ": " + a.noun.pixels(o.Area)
	if len(a.ofPred[pred]) == 0 {
		if o.Outside < o.Pixels {
			return text + ", no " + a.noun.One + " of the truth lies there"
		}
		return text + ", nothing in the truth lies there"
	}
	best := closest(a.ofPred[pred])
	return text + ", best overlap is truth " + strconv.FormatInt(a.census.Truth.Objects[best.index].ID, 10) + " with " + iouText(best.iou)
}

// closest is the partner of the highest IoU, the first of equals.
func closest(partners []partner) partner {
	best := partners[0]
	for _, p := range partners[1:] {
		if p.iou > best.iou {
			best = p
		}
	}
	return best
}

func (a *annotator) pairText(m report.Mark) string {
	text := "Matched "
	if m.Kind == report.Weak {
		text = "Weakly matched "
	}
	return text + a.noun.One + ": answer " + strconv.FormatInt(m.Pred, 10) + " on truth " + strconv.FormatInt(m.Truth, 10) +
		", " + iouText(m.IoU) + ", " + a.noun.pixels(m.Wrong) + " wrong"
}

func (a *annotator) splitText(m report.Mark) string {
	return "Split " + a.noun.One + ": truth " + strconv.FormatInt(m.Truth, 10) + " lies under answers " + idList(m.Others) + " (diagnostic)"
}

func (a *annotator) mergeText(m report.Mark) string {
	return "Merged " + a.noun.Many + ": answer " + strconv.FormatInt(m.Pred, 10) + " covers truths " + idList(m.Others) + " (diagnostic)"
}

// idList reads "3 and 5", "3, 5 and 8"; long lists end in a count.
func idList(ids []report.ID) string {
	const shown = 8
	var names []string
	for _, id := range ids[:min(shown, len(ids))] {
		names = append(names, strconv.FormatInt(id, 10))
	}
	if extra := len(ids) - shown; extra > 0 {
		names = append(names, strconv.Itoa(extra)+" more")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// shapeText reads "64 x 72".
func shapeText(shape []int) string {
	if len(shape) == 0 {
		return "a single value"
	}
	parts := make([]string, len(shape))
	for i, n := range shape {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, " x ")
}
