package segment

import (
	"strconv"
	"strings"

	"coverslip/scoring/report"
)

// singleText tells of an object without a partner what comes closest to it.
func (a *annotator) singleText(s side, i int) string {
	o, w := s.objects[i], s.words
	if o.ID < 0 {
		return "Negative label " + strconv.FormatInt(o.ID, 10) + " in the " + w.here + ": counts as " + w.counts + " " + a.noun.One + " without area"
	}
	text := w.head + " " + a.noun.One + ": " + a.noun.pixels(o.Area)
	switch {
	case len(s.partners[i]) > 0:
		best := closest(s.partners[i])
		return text + ", best overlap is " + w.there + " " + strconv.FormatInt(s.others[best.index].ID, 10) + " with " + iouText(best.iou)
	case o.Outside < o.Pixels:
		return text + ", no " + a.noun.One + " of the " + w.there + " " + w.meets
	}
	return text + ", nothing in the " + w.there + " " + w.meets
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

// severalText tells of a split or a merge.
func (a *annotator) severalText(m report.Mark) string {
	if m.Kind == report.Split {
		return "Split " + a.noun.One + ": truth " + strconv.FormatInt(m.Truth, 10) + " lies under answers " + idList(m.Others) + " (diagnostic)"
	}
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
