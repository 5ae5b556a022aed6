package track

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"coverslip/datasets/biabench"
	"coverslip/scoring/report"
)

// strong is the IoU from which a match counts as good; below it is weak.
const strong = 0.75

// annotator turns a comparison into marks.
type annotator struct {
	*comparison
	unit  float64 // what one point of AOGM costs of the score
	extra [][]report.Mark
	marks []report.Mark
	added map[link]bool
}

// annotate lists the movie and its marks: frame by frame its cells by truth label, then the answer's extra ones, then
// what happens between this frame and earlier ones. The cells of a frame are dropped once they are marked: those of a long
// movie take nearly half as much memory as their marks.
func (s *tracking) annotate(c *comparison) {
	s.Report.Images = []report.Image{{
		Name: biabench.Stem(s.truthMasks), Pred: s.predMasks, Truth: s.truthMasks, Status: report.Scored, Value: c.score(),
		PredShape: s.pred.Shape, TruthShape: s.truth.Shape, NPred: c.predNodes, NTruth: c.truthNodes,
	}}
	a := &annotator{comparison: c, extra: make([][]report.Mark, len(s.frames)), added: map[link]bool{}}
	a.unit = c.unit()
	for _, v := range c.verdicts {
		a.link(v)
	}
	a.divisionMarks()
	a.groupMarks()
	total := c.truthNodes + c.predNodes - c.matched
	for _, list := range a.extra {
		total += len(list)
	}
	a.marks = make([]report.Mark, 0, total)
	for t := range s.frames {
		a.frame(t)
		a.marks = append(a.marks, a.extra[t]...)
		a.extra[t], a.truth.frames[t], a.pred.frames[t], s.frames[t] = nil, nil, nil, cells{}
	}
	s.Report.Marks = a.marks
}

// unit is the part of the score that one point of AOGM takes. Where mending costs more than drawing anew the loss is
// capped, and every point takes less.
func (c *comparison) unit() float64 { return 0.5 / max(c.aogm, c.aogm0) }

// Costs of cells: each holds its part of 1 - SEG and of 1 - TRA.
func (a *annotator) costOfTruth(n *node) float64 {
	if n.partner < 0 {
		return 0.5/float64(a.truthNodes) + weightFN*a.unit
	}
	return 0.5 * (1 - n.partnerIoU) / float64(a.truthNodes)
}

// frame marks the cells of one frame.
func (a *annotator) frame(t int) {
	truth, pred := a.truth.frames[t], a.pred.frames[t]
	for i := range truth {
		n := &truth[i]
		m := markOf(report.FN, t, n)
		m.Truth, m.Cost = n.label, a.costOfTruth(n)
		if n.partner >= 0 {
			p := &pred[n.partner]
			m.Kind, m.Pred, m.IoU = report.TP, p.label, n.partnerIoU
			if n.partnerIoU < strong {
				m.Kind = report.Weak
			}
			m.Box = unite(m.Box, p)
			m.Area = int(math.Round(float64(n.area+p.area) / (1 + n.partnerIoU)))
		}
		m.Text = cellText(&m)
		a.marks = append(a.marks, m)
	}
	for i := range pred {
		if n := &pred[i]; n.partner < 0 {
			m := markOf(report.FP, t, n)
			m.Pred, m.Cost = n.label, weightFP*a.unit
			m.Text = "Extra cell: " + strconv.Itoa(m.Area) + " pixels, answer " + name(n.label)
			a.marks = append(a.marks, m)
		}
	}
}

func cellText(m *report.Mark) string {
	switch {
	case m.Kind == report.FN:
		return "Missed cell: " + strconv.Itoa(m.Area) + " pixels, truth " + name(m.Truth)
	case m.IoU == 1:
		return "Matched cell, equal pixel by pixel"
	case m.Kind == report.Weak:
		return "Weakly matched cell: answer " + name(m.Pred) + " on truth " + name(m.Truth) + ", " + iouText(m.IoU)
	}
	return "Matched cell: answer " + name(m.Pred) + " on truth " + name(m.Truth) + ", " + iouText(m.IoU)
}

func name(label int64) string { return strconv.FormatInt(label, 10) }

// iouText cuts to two decimals: rounding would show a pair just below a threshold as reaching it.
func iouText(v float64) string {
	return "IoU " + strconv.FormatFloat(math.Floor(v*100+1e-9)/100, 'f', 2, 64)
}

func markOf(kind report.Kind, t int, n *node) report.Mark {
	return report.Mark{Kind: kind, T: t, Y: float64(n.y), X: float64(n.x), Box: boxOf(n), Area: int(n.area)}
}

func boxOf(n *node) report.Box {
	return report.Box{Y0: int(n.y0), X0: int(n.x0), Z1: 1, Y1: int(n.y1), X1: int(n.x1)}
}

func unite(b report.Box, n *node) report.Box {
	return report.Box{Y0: min(b.Y0, int(n.y0)), X0: min(b.X0, int(n.x0)), Z1: 1, Y1: max(b.Y1, int(n.y1)), X1: max(b.X1, int(n.x1))}
}

// put keeps a mark for its frame.
func (a *annotator) put(m report.Mark) { a.extra[m.T] = append(a.extra[m.T], m) }

// between begins the mark of a link: it stands where the link arrives. Others names the cell that it comes from.
func between(kind report.Kind, g *graph, l link) report.Mark {
	from, to := g.node(l.from), g.node(l.to)
	m := markOf(kind, l.to.frame, to)
	m.Box = unite(m.Box, from)
	m.Others = []report.ID{from.label}
	return m
}

// link marks a link that differs.
func (a *annotator) link(v verdict) {
	switch v.kind {
	case added:
		a.added[v.link] = true
		m := between(report.MissedLink, a.truth, v.link)
		m.Truth, m.Cost = a.truth.node(v.to).label, weightAdded*a.unit
		m.Text = a.missedText(v)
		a.put(m)
	case changed:
		m := between(report.WrongClass, a.truth, v.link)
		m.Truth, m.Cost = a.truth.node(v.to).label, weightChanged*a.unit
		to, _ := a.across(v.to)
		m.Pred = a.pred.node(to).label
		m.Text = "Wrong kind of link: the truth's track goes on here, the answer begins a daughter track"
		if v.parent {
			m.Text = "Wrong kind of link: the truth begins a daughter track here, the answer's track goes on"
		}
		a.put(m)
	case deleted:
		m := between(report.SpuriousLink, a.pred, v.link)
		m.Pred, m.Cost = a.pred.node(v.to).label, weightDeleted*a.unit
		m.Text = a.spuriousText(v)
		a.put(m)
		a.idSwitch(v)
	}
}

// steps reads "frame 3 to 4, truth 5".
func steps(side string, g *graph, l link) string {
	from, to := g.node(l.from).label, g.node(l.to).label
	text := "frame " + strconv.Itoa(l.from.frame) + " to " + strconv.Itoa(l.to.frame) + ", " + side + " " + name(from)
	if from != to {
		text += " to " + name(to)
	}
	return text
}

func linkNoun(parent bool) string {
	if parent {
		return "link from mother to daughter"
	}
	return "link"
}

func (a *annotator) missedText(v verdict) string {
	text := "Missing " + linkNoun(v.parent) + ": " + steps("truth", a.truth, v.link) + "; "
	from, ok1 := a.across(v.from)
	to, ok2 := a.across(v.to)
	switch {
	case !ok1 && !ok2:
		return text + "the answer lacks both cells"
	case !ok1:
		return text + "the answer lacks the cell in frame " + strconv.Itoa(v.from.frame)
	case !ok2:
		return text + "the answer lacks the cell in frame " + strconv.Itoa(v.to.frame)
	}
	return text + "the answer does not join its cells " + name(a.pred.node(from).label) + " and " + name(a.pred.node(to).label)
}

func (a *annotator) spuriousText(v verdict) string {
	text := "Spurious " + linkNoun(v.parent) + ": " + steps("answer", a.pred, v.link) + "; "
	from, to := a.pred.node(v.from), a.pred.node(v.to)
	switch {
	case from.partner < 0 && to.partner < 0:
		return text + "neither cell is in the truth"
	case from.partner < 0 || to.partner < 0:
		return text + "one of the cells is not in the truth"
	}
	return text + "it joins truth " + name(a.truth.frames[v.from.frame][from.partner].label) + " with " + name(a.truth.frames[v.to.frame][to.partner].label)
}

// idSwitch marks an answer track that passes from one truth track to another, with the cost of the links concerned.
func (a *annotator) idSwitch(v verdict) {
	from, to := a.pred.node(v.from), a.pred.node(v.to)
	if v.parent || from.partner < 0 || to.partner < 0 {
		return
	}
	left, arrived := spot{v.from.frame, int(from.partner)}, spot{v.to.frame, int(to.partner)}
	i, j := a.truth.node(left), a.truth.node(arrived)
	if i.label == j.label {
		return
	}
	m := between(report.IDSwitch, a.pred, v.link)
	m.Diagnostic, m.Pred, m.Truth, m.Others = true, to.label, j.label, []report.ID{i.label}
	m.Cost = weightDeleted * a.unit
	for _, l := range []link{
		{left, spot{v.to.frame, find(a.truth.frames[v.to.frame], i.label)}},
		{spot{v.from.frame, find(a.truth.frames[v.from.frame], j.label)}, arrived},
	} {
		if a.added[l] {
			m.Cost += weightAdded * a.unit
		}
	}
	m.Text = fmt.Sprintf("Identity switch: answer %d passes from truth %d to %d (diagnostic)", to.label, i.label, j.label)
	a.put(m)
}

// divisionMarks marks divisions that only one side has, with the cost of the links concerned.
func (a *annotator) divisionMarks() {
	spurious := map[link]bool{}
	for _, v := range a.verdicts {
		if v.kind == deleted && v.parent {
			spurious[v.link] = true
		}
	}
	for i, d := range a.truthDivisions {
		if !a.found[i] {
			m := a.divisionMark(report.MissedDivide, a.truth, d)
			m.Truth = a.truth.node(d.mother).label
			for _, to := range d.daughters {
				if l := (link{d.mother, to}); a.added[l] {
					m.Cost += weightAdded * a.unit
					a.wrongParent(l, spurious)
				}
			}
			m.Text = fmt.Sprintf("Missed division: truth %d into %d and %d (diagnostic)", m.Truth, m.Others[0], m.Others[1])
			a.put(m)
		}
	}
	for i, d := range a.predDivisions {
		if !a.right[i] {
			m := a.divisionMark(report.FalseDivide, a.pred, d)
			m.Pred = a.pred.node(d.mother).label
			for _, to := range d.daughters {
				if spurious[link{d.mother, to}] {
					m.Cost += weightDeleted * a.unit
				}
			}
			m.Text = fmt.Sprintf("False division: answer %d into %d and %d (diagnostic)", m.Pred, m.Others[0], m.Others[1])
			a.put(m)
		}
	}
}

// divisionMark begins the mark of a division: it stands on the mother in her last frame.
func (a *annotator) divisionMark(kind report.Kind, g *graph, d division) report.Mark {
	m := markOf(kind, d.mother.frame, g.node(d.mother))
	m.Diagnostic = true
	for _, to := range d.daughters {
		n := g.node(to)
		m.Box = unite(m.Box, n)
		m.Others = append(m.Others, n.label)
	}
	return m
}

// wrongParent marks a daughter that the answer gives to another mother.
func (a *annotator) wrongParent(l link, spurious map[link]bool) {
	to, ok := a.across(l.to)
	if !ok {
		return
	}
	k, known := a.pred.byID[a.pred.node(to).label]
	if !known || !a.pred.tracks[k].parents || a.pred.tracks[k].child.to != to {
		return
	}
	other := a.pred.tracks[k].child
	m := between(report.WrongParent, a.truth, l)
	m.Diagnostic, m.Truth, m.Pred = true, a.truth.node(l.to).label, a.pred.node(to).label
	m.Cost = weightAdded * a.unit
	if spurious[other] {
		m.Cost += weightDeleted * a.unit
	}
	m.Text = fmt.Sprintf("Wrong mother: answer %d comes from answer %d, the truth's mother is %d (diagnostic)",
		m.Pred, a.pred.node(other.from).label, a.truth.node(l.from).label)
	a.put(m)
}

// groupMarks marks splits and merges, with the cost of the cells concerned.
func (a *annotator) groupMarks() {
	for i, g := range a.groups {
		t := a.groupFrames[i]
		whole, parts := a.truth.frames[t], a.pred.frames[t]
		m := report.Mark{}
		if g.merge {
			whole, parts = parts, whole
			m = markOf(report.Merge, t, &whole[g.whole])
			m.Pred = whole[g.whole].label
		} else {
			m = markOf(report.Split, t, &whole[g.whole])
			m.Truth = whole[g.whole].label
		}
		m.Diagnostic, m.Cost = true, a.groupCost(t, g)
		slices.SortFunc(g.parts, func(x, y int) int { return cmp.Or(-cmp.Compare(parts[x].area, parts[y].area), x-y) })
		for _, k := range g.parts {
			m.Box = unite(m.Box, &parts[k])
			m.Others = append(m.Others, parts[k].label)
		}
		if g.merge {
			m.Text = fmt.Sprintf("Merged cells: answer %d covers %d cells of the truth (diagnostic)", m.Pred, len(g.parts))
		} else {
			m.Text = fmt.Sprintf("Split cell: truth %d lies under %d cells of the answer (diagnostic)", m.Truth, len(g.parts))
		}
		a.put(m)
	}
}

// groupCost adds up the marks of the cells of a split or a merge, each once.
func (a *annotator) groupCost(t int, g group) float64 {
	truth, pred := []int{g.whole}, g.parts
	if g.merge {
		truth, pred = pred, truth
	}
	truth = slices.Clone(truth)
	cost := 0.0
	for _, k := range pred {
		if partner := a.pred.frames[t][k].partner; partner < 0 {
			cost += weightFP * a.unit
		} else {
			truth = append(truth, int(partner))
		}
	}
	slices.Sort(truth)
	for _, k := range slices.Compact(truth) {
		cost += a.costOfTruth(&a.truth.frames[t][k])
	}
	return cost
}
