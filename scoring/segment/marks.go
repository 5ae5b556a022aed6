package segment

import (
	"cmp"
	"slices"

	"coverslip/scoring/report"
)

// Splits and merges are diagnostic: no official score knows them. A truth object is split when at least two answer
// objects each cover a tenth of it and lie at least half inside it; an answer object merges when it does the same to
// truth objects. The second condition keeps sloppy outlines of neighbours from counting.
const (
	partOfWhole = 0.1
	partInside  = 0.5
)

// partner is an overlapping object of the other image.
type partner struct {
	index, pixels int
	iou           float64
}

// annotator marks the objects of one image pair.
type annotator struct {
	census *Census
	noun   Noun
	marks  []report.Mark
	// Partners of each object, by falling overlap, then ascending id.
	ofPred, ofTruth [][]partner
}

// Annotate marks every object of a pair: TP, weak match, FP and FN of the official assignment at IoU 0.5, foreground
// that no instance owns, and splits and merges as diagnostics. Marks come by truth id, then answer id. The image index
// and the cost are left to the caller.
func Annotate(c *Census, noun Noun) []report.Mark {
	a := &annotator{census: c, noun: noun}
	a.ofPred, a.ofTruth = make([][]partner, len(c.Pred.Objects)), make([][]partner, len(c.Truth.Objects))
	for _, o := range c.Overlaps {
		iou := float64(o.Pixels) / float64(c.union(o))
		a.ofPred[o.Pred] = append(a.ofPred[o.Pred], partner{o.Truth, o.Pixels, iou})
		a.ofTruth[o.Truth] = append(a.ofTruth[o.Truth], partner{o.Pred, o.Pixels, iou})
	}
	for _, list := range [][][]partner{a.ofPred, a.ofTruth} {
		for _, partners := range list {
			slices.SortStableFunc(partners, func(x, y partner) int { return y.pixels - x.pixels })
		}
	}
	a.official()
	a.loose()
	a.diagnostics()
	sortMarks(a.marks)
	return a.marks
}

// sortMarks orders the marks of one image by truth id, then answer id, official ones first.
func sortMarks(marks []report.Mark) {
	slices.SortStableFunc(marks, func(x, y report.Mark) int {
		return cmp.Or(cmp.Compare(x.Truth, y.Truth), cmp.Compare(x.Pred, y.Pred), compareBool(x.Diagnostic, y.Diagnostic))
	})
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// official marks pairs and single objects of the reference's assignment.
func (a *annotator) official() {
	c := a.census
	taken := [2][]bool{make([]bool, len(c.Truth.Objects)), make([]bool, len(c.Pred.Objects))}
	for _, m := range c.Matches() {
		taken[0][m.Truth], taken[1][m.Pred] = true, true
		a.pair(m)
	}
	for k, s := range a.sides() {
		for i, o := range s.objects {
			if !taken[k][i] {
				m := markOf(s.single, o)
				*s.id(&m) = o.ID
				m.Text = a.singleText(s, i)
				a.marks = append(a.marks, m)
			}
		}
	}
}

func (a *annotator) pair(m Match) {
	p, t := a.census.Pred.Objects[m.Pred], a.census.Truth.Objects[m.Truth]
	mark := markOf(report.Weak, t)
	if m.Strong {
		mark.Kind = report.TP
	}
	mark.Pred, mark.Truth, mark.IoU = p.ID, t.ID, m.IoU
	mark.Box = unite(p.Box, t.Box)
	mark.Wrong = p.Outside + t.Outside
	mark.Area = a.census.union(Overlap{m.Pred, m.Truth, a.shared(m.Pred, m.Truth)})
	mark.Text = a.pairText(mark)
	a.marks = append(a.marks, mark)
}

// shared is the overlap of two objects in pixels.
func (a *annotator) shared(pred, truth int) int {
	for _, p := range a.ofTruth[truth] {
		if p.index == pred {
			return p.pixels
		}
	}
	return 0
}

// loose marks foreground that truncates to id 0.
func (a *annotator) loose() {
	for _, side := range []struct {
		kind   report.Kind
		object Object
		name   string
	}{{report.LooseTruth, a.census.Truth.Loose, "Truth"}, {report.LooseAnswer, a.census.Pred.Loose, "Answer"}} {
		if side.object.Pixels > 0 {
			m := markOf(side.kind, side.object)
			m.Text = side.name + " foreground that is no " + a.noun.One + ": " + a.noun.pixels(m.Area) +
				" with values between 0 and 1, " + a.noun.pixels(m.Wrong) + " wrong"
			a.marks = append(a.marks, m)
		}
	}
}

// diagnostics marks splits and merges.
func (a *annotator) diagnostics() {
	for _, s := range a.sides() {
		for i, o := range s.objects {
			if parts := parts(o, s.partners[i], s.others); len(parts) > 1 {
				m := groupMark(s.several, o, parts, s.others)
				*s.id(&m) = o.ID
				m.Text = a.severalText(m)
				a.marks = append(a.marks, m)
			}
		}
	}
}

// parts are the partners that make up a considerable part of the whole and lie mostly inside it.
func parts(whole Object, partners []partner, others []Object) []partner {
	var list []partner
	for _, p := range partners {
		n := float64(p.pixels)
		if n >= partOfWhole*float64(whole.Area) && n >= partInside*float64(others[p.index].Area) {
			list = append(list, p)
		}
	}
	return list
}

// groupMark marks an object together with its parts.
func groupMark(kind report.Kind, whole Object, parts []partner, others []Object) report.Mark {
	m := markOf(kind, whole)
	m.Diagnostic = true
	m.IoU = parts[0].iou
	for _, p := range parts {
		o := others[p.index]
		m.Others = append(m.Others, o.ID)
		m.Box = unite(m.Box, o.Box)
		m.Area += o.Area - p.pixels
	}
	return m
}

func markOf(kind report.Kind, o Object) report.Mark {
	return report.Mark{Kind: kind, Z: o.Z, Y: o.Y, X: o.X, Box: o.Box, Area: o.Pixels, Wrong: o.Outside}
}
