package table

import (
	"fmt"
	"strings"

	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// method tells how the result came about.
func (m *microglia) method() {
	t := &m.tally
	m.Say("Formula", "(localisation + classification + course over time) / 3; what cannot be computed counts 0")
	m.Say("Localisation", fmt.Sprintf("F1 of %s up to %s px apart, %d extra, %d missed, over all frames = %s", call.Quantity(t.tp, "pair", "pairs"),
		report.Number(m.threshold), t.fp, t.fn, report.Number(t.localisation())))
	macro, accuracy := t.classification()
	if macro == nil {
		m.Say("Classification", "none: no pair has a known class in the annotation")
	} else {
		var parts []string
		for k, name := range classNames {
			parts = append(parts, name+" "+report.Number(t.classes[k].f1()))
		}
		m.Say("Classification", fmt.Sprintf("mean F1 of the three classes over %d pairs (%s) = %s; %s of the pairs agree", t.counted, strings.Join(parts, ", "), report.Number(*macro), percent(*accuracy)))
	}
	m.courseLine()
	m.Say("Sum", "= "+report.Number(m.Report.Result.Value)+", rounded to four decimals")
	m.Say("Costs", "of a mark: what the result would gain if it alone were put right. They do not add up, and an extra cell that happens to help the course may have a negative one")
	m.Say("Not counted", "how far apart a pair is within the limit, the identity of cells over time, cells of unknown class for the course")
}

func (m *microglia) courseLine() {
	c := m.course
	if c.score == nil {
		m.Say("Course", fmt.Sprintf("none: %s both sides with known classes, and the shares have to vary in two at least", call.Quantity(c.frames, "frame has", "frames have")))
		return
	}
	var parts []string
	for k, name := range classNames {
		r := "none"
		if c.perClass[k] != nil {
			r = report.Number(*c.perClass[k])
		}
		parts = append(parts, name+" "+r)
	}
	m.Say("Course", fmt.Sprintf("(mean r + 1) / 2 of the classes' shares over %d frames (r: %s; mean %s) = %s", c.frames, strings.Join(parts, ", "), report.Number(*c.mean), report.Number(*c.score)))
}

// notes remark on what bit in this run.
func (m *microglia) notes() {
	file := m.Shown(m.predPath)
	if n := len(m.pred.skipped); n > 0 {
		m.Warn(file, fmt.Sprintf("%s left out, the first is row %d: no number in frame, x or y", call.Quantity(n, "row was", "rows were"), m.pred.id(m.pred.skipped[0])+1),
			"Write plain numbers with a decimal point")
	}
	if m.pred.unnamed > 0 {
		text := fmt.Sprintf("%s no known class", call.Quantity(m.pred.unnamed, "cell has", "cells have"))
		if len(m.pred.strange) > 0 {
			text += ", such as " + namesOf(m.pred.strange)
		}
		m.Warn(file, text+": when paired they count as wrong", "Use round, amoeboid and ramified")
	}
	if n := len(m.truth.skipped); n > 0 {
		m.Info(m.ShownTruth(m.truthPath), call.Quantity(n, "row of the annotation was", "rows of the annotation were")+" left out: no number in frame or place")
	}
	m.frameNotes()
	m.placeNotes()
	if len(m.frames) > mostFrames {
		m.Info("", fmt.Sprintf("There are %d frames: the cost of a mark includes the course over time for the worst %d only", len(m.frames), worstMarks))
	}
}

func (m *microglia) frameNotes() {
	absent, foreign := 0, 0
	for _, f := range m.frames {
		switch {
		case len(f.pred) == 0:
			absent++
		case len(f.truth) == 0:
			foreign++
		}
	}
	if absent > 0 {
		m.Warn("", call.Quantity(absent, "frame of the annotation has", "frames of the annotation have")+" no cell in the answer: all theirs are missed", "")
	}
	if foreign > 0 {
		m.Warn("", call.Quantity(foreign, "frame of the answer is", "frames of the answer are")+" not in the annotation: all their cells are extra", "Count frames from 0")
	}
}

// placeNotes try what usually went wrong where few cells are found.
func (m *microglia) placeNotes() {
	if 2*m.tally.tp >= min(len(m.pred.cells), len(m.truth.cells)) {
		return
	}
	for _, try := range []struct {
		what, fix string
		shift     float64
		swap      bool
	}{
		{"exchanging x and y", "x is the column, y the row", 0, true},
		{"adding 1 to each frame", "Count frames from 0", 1, false},
		{"subtracting 1 from each frame", "Count frames from 0", -1, false},
	} {
		if n := m.matchesAfter(try.shift, try.swap); n >= 2*m.tally.tp+10 {
			m.Warn(m.Shown(m.predPath), fmt.Sprintf("Matches rise from %d to %d after %s", m.tally.tp, n, try.what), try.fix)
		}
	}
}

// matchesAfter counts pairs with changed frames or exchanged coordinates. It serves a note, not the score.
func (m *microglia) matchesAfter(shift float64, swap bool) int {
	truth := map[float64][]int{}
	for _, f := range m.frames {
		truth[f.number] = f.truth
	}
	n := 0
	for _, f := range m.frames {
		points := m.pred.points(f.pred)
		for i, p := range points {
			if swap {
				points[i] = numeric.Point{p[1], p[0]}
			}
		}
		n += len(numeric.GreedySquared(points, m.truth.points(truth[f.number+shift]), float64(m.threshold*m.threshold)))
	}
	return n
}

// columnNotes remark on the columns of a table that gave no cell.
func (m *microglia) columnNotes() {
	m.Warn(m.Shown(m.predPath), "No row has a frame, x and y. The columns are "+namesOf(m.pred.Names), "Name the columns frame, x, y and predicted_phenotype")
}
