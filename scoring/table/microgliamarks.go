package table

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"coverslip/scoring/report"
)

// mostFrames is up to how many frames the gain of every mark includes the course over time; beyond, only that of the
// worst marks does.
const (
	mostFrames = 1000
	worstMarks = 200
)

// remedy is what would put a mark right: classes of the answer and of the truth in the frame; -1 for none.
type remedy struct {
	frame       int32
	kind        flaw
	pred, truth int8
}

type flaw uint8

const (
	noFlaw flaw = iota
	missed
	extra
	confused
)

// change is the tally after the remedy, and what happens to the classes of the answer in the frame.
func (r remedy) change(t tally) (tally, [nClasses]int) {
	var by [nClasses]int
	pred, truth := int(r.pred), int(r.truth)
	switch r.kind {
	case missed:
		t.fn--
		t.pair(truth, truth, 1)
	case extra:
		t.fp--
	case confused:
		t.pair(pred, truth, -1)
		t.pair(truth, truth, 1)
	}
	if r.kind != extra && truth >= 0 {
		by[truth]++
	}
	if r.kind != missed && pred >= 0 {
		by[pred]--
	}
	return t, by
}

// annotate lists the frames and marks their cells. A mark costs what the result would gain if it alone were put right:
// a missed cell found with its class, an extra one taken out, a class corrected. Pairs stay as they are under each of
// these, so that the gain is exact.
func (m *microglia) annotate() error {
	m.Report.Images = make([]report.Image, 0, len(m.frames))
	m.Report.Marks = make([]report.Mark, 0, m.tally.tp+m.tally.fp+m.tally.fn)
	remedies := make([]remedy, 0, cap(m.Report.Marks))
	for i, f := range m.frames {
		m.Report.Images = append(m.Report.Images, m.image(f))
		for _, p := range f.pairs {
			remedies = append(remedies, m.markPair(i, f, m.pred.cells[p.Pred], m.truth.cells[p.Truth], math.Sqrt(p.Cost)))
		}
		for _, k := range f.looseTruth {
			remedies = append(remedies, m.markMissed(i, f, m.truth.cells[k]))
		}
		for _, k := range f.loosePred {
			remedies = append(remedies, m.markExtra(i, f, m.pred.cells[k]))
		}
	}
	g := gains{microglia: m, base: m.total(m.tally, m.course), known: map[remedy]float64{}}
	g.withCourse = len(m.frames) <= mostFrames
	for k, r := range remedies {
		if err := g.charge(k, r); err != nil {
			return err
		}
	}
	if !g.withCourse {
		g.withCourse, g.known = true, map[remedy]float64{}
		for _, k := range m.worst() {
			if err := g.charge(k, remedies[k]); err != nil {
				return err
			}
		}
	}
	return m.Ctx.Err()
}

// gains works out what remedies gain; those of one kind in one frame gain the same.
type gains struct {
	*microglia
	base       float64
	withCourse bool
	known      map[remedy]float64
}

func (g *gains) charge(k int, r remedy) error {
	if r.kind == noFlaw {
		return nil
	}
	gain, known := g.known[r]
	if !known {
		t, by := r.change(g.tally)
		c := g.course
		if g.withCourse && by != [nClasses]int{} {
			var err error
			if c, err = courseOf(g.frames, int(r.frame), by); err != nil {
				return err
			}
		}
		gain = g.total(t, c) - g.base
		g.known[r] = gain
	}
	g.Report.Marks[k].Cost = gain
	return nil
}

// worst lists the marks that cost most, leaving the course over time aside.
func (m *microglia) worst() []int {
	order := make([]int, len(m.Report.Marks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m.Report.Marks[b].Cost, m.Report.Marks[a].Cost) })
	return order[:min(len(order), worstMarks)]
}

func (m *microglia) image(f *frame) report.Image {
	im := report.Image{Name: "frame " + strconv.FormatFloat(f.number, 'f', -1, 64), Pred: m.predPath, Truth: m.truthPath, Status: report.Scored,
		NPred: len(f.pred), NTruth: len(f.truth), Value: f1(len(f.pairs), len(f.loosePred), len(f.looseTruth))}
	switch {
	case len(f.pred) == 0:
		im.Status, im.Pred, im.Reason = report.MissingAnswer, "", "the answer has no cell in this frame"
	case len(f.truth) == 0:
		im.Truth, im.Reason = "", "the annotation has no cell in this frame"
	}
	return im
}

// mark adds a mark of a cell; c is where it is shown.
func (m *microglia) mark(kind report.Kind, image int, f *frame, c cell) *report.Mark {
	k := report.Mark{Kind: kind, Image: image, T: int(place(f.number)), Y: place(c.y), X: place(c.x)}
	y, x := int(k.Y), int(k.X)
	k.Box = report.Box{Y0: y, X0: x, Z1: 1, Y1: y + 1, X1: x + 1}
	m.Report.Marks = append(m.Report.Marks, k)
	return &m.Report.Marks[len(m.Report.Marks)-1]
}

func (m *microglia) markPair(image int, f *frame, pred, truth cell, distance float64) remedy {
	k := m.mark(report.TP, image, f, truth)
	k.Pred, k.Truth = m.pred.id(pred.row), m.truth.id(truth.row)
	switch {
	case truth.class < 0:
		k.Text = "Cell found " + report.Number(distance) + " px away; the annotation gives no known class"
	case pred.class == truth.class:
		k.Text = "Cell found " + report.Number(distance) + " px away, " + className(truth.class)
	default:
		k.Kind = report.WrongClass
		k.Text = "Cell called " + className(pred.class) + " is " + className(truth.class)
		return remedy{int32(image), confused, int8(pred.class), int8(truth.class)}
	}
	return remedy{}
}

func (m *microglia) markMissed(image int, f *frame, c cell) remedy {
	k := m.mark(report.FN, image, f, c)
	k.Truth = m.truth.id(c.row)
	k.Text = "Missed cell, " + className(c.class)
	return remedy{int32(image), missed, -1, int8(c.class)}
}

func (m *microglia) markExtra(image int, f *frame, c cell) remedy {
	k := m.mark(report.FP, image, f, c)
	k.Pred = m.pred.id(c.row)
	k.Text = "Extra cell, " + className(c.class)
	if math.IsNaN(c.x+c.y) || math.IsInf(c.x+c.y, 0) {
		k.Kind, k.Text = report.OutOfRange, "Cell at a place that is no number: it counts as extra and can match nothing"
	}
	return remedy{int32(image), extra, int8(c.class), -1}
}
