package signal

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

func (s *scorer) kineticsMethod(pairs []cellPair, f kineticsFigures) {
	n := report.Number
	s.Say("Cells", fmt.Sprintf("%d of the %d cells of the truth have a table of the same name", len(pairs)-countNil(pairs), len(pairs)))
	s.Say("Curves", fmt.Sprintf("sum of Pearson's r (0 to 1) of %s over all %d cells of the truth / %d = %s", f.series, len(pairs), len(pairs), n(f.component)))
	if f.primary != kineticsScore {
		s.Say("Formula", "the mean correlation of "+f.series+" alone")
		s.Say("Not counted", "the onset; scale and offset of the values; the other series")
		return
	}
	s.Say("Onset", fmt.Sprintf("mean error %s frames, cells without one count %s; 1 - min(%s / %s, 1) = %s", n(f.mae), n(f.tolerance), n(f.mae), n(f.tolerance), n(f.accuracy)))
	s.Say("Formula", fmt.Sprintf("0.5 x %s + 0.5 x %s = %s", n(f.accuracy), n(f.component), n(f.result)))
	s.Say("Not counted", "scale and offset of the values; volume, surface and non-core curves; tables of the answer that serve no cell")
}

func countNil(pairs []cellPair) int {
	n := 0
	for _, p := range pairs {
		if p.answer == nil {
			n++
		}
	}
	return n
}

// collectedNotes remark on files and sheets that were not used.
func (s *scorer) collectedNotes(c collected) {
	for _, f := range c.unreadable {
		s.Warn(f, "The workbook cannot be opened and yields nothing", "Save it again as .xlsx")
	}
	if len(c.unused) > 0 {
		s.Warn("", call.Quantity(len(c.unused), "table has", "tables have")+" no column '"+timeHeader+"' in the first row or no measured column: "+c.unused[0],
			"Put the header into the first row of each sheet")
	}
	if len(c.repeated) > 0 {
		t := c.repeated[0]
		s.Warn(s.Shown(t.file), fmt.Sprintf("Several tables are named %s: the first is used", t.key), "Give each cell one sheet")
	}
}

func (s *scorer) kineticsNotes(pairs []cellPair, c *collected, f kineticsFigures) {
	known := f.primary == kineticsScore || slices.ContainsFunc(seriesNames[:], func(n string) bool { return f.primary == "pearson_"+n })
	if !known {
		s.Warn("", "The rubric's primary_metric '"+f.primary+"' is read as the mean correlation of "+f.series, "Correct primary_metric in evaluation_rubric.yaml")
	}
	s.movieNote(pairs)
	for _, p := range pairs {
		if p.answer != nil {
			s.cellNotes(p)
		}
	}
}

// movieNote tells when cells of the truth have no movie that an agent could have measured.
func (s *scorer) movieNote(pairs []cellPair) {
	keys := map[string]bool{}
	for _, f := range s.Task.Inputs {
		if stem := stemOf(f); cellID(stem) != "" {
			keys[stemKey(stem, "")] = true
		}
	}
	with := 0
	for _, p := range pairs {
		if keys[p.truth.key] {
			with++
		}
	}
	if len(keys) > 0 && with < len(pairs) {
		s.Warn("", fmt.Sprintf("%d of %d cells of the truth have an input movie: a complete answer to them reaches %s at most",
			with, len(pairs), report.Number(float64(with)/float64(len(pairs)))), "")
	}
}

// cellNotes remark on one paired cell.
func (s *scorer) cellNotes(p cellPair) {
	name, file := p.truth.sheet, s.Shown(p.answer.file)
	if p.answer.key != p.truth.key {
		s.Warn(file, fmt.Sprintf("Cell %s was paired with %s, since one name is part of the other", name, p.answer.key), "Name each sheet after date and cell number")
	}
	if p.answer.unsorted {
		s.Warn(file, "The times of cell "+name+" repeat or go back", "Write one row per frame, in order")
	}
	if a, t := p.answer.last, p.truth.last; a > 0 && t > 0 && math.Abs(math.Log(a/t/60)) < math.Log(2) && a > 2*t {
		s.Warn(file, "The times of cell "+name+" look like seconds: nothing meets in time but the onset", "Give times in minutes")
	}
	a, t := p.answer.blanks[innerCore], p.truth.blanks[innerCore]
	if a != t && p.r(innerCore) < 0.99 {
		s.Warn(file, fmt.Sprintf("Cell %s has %s in the inner-core columns, the truth %d: from the first one on, one daughter is compared with the other",
			name, call.Quantity(a, "empty cell", "empty cells"), t), "Fill the same rows for both daughters")
	}
	var absent []string
	for _, series := range seriesNames {
		if len(p.answer.series[series]) == 0 {
			absent = append(absent, series)
		}
	}
	if len(absent) > 0 {
		s.Warn(file, "Cell "+name+" has no values of "+strings.Join(absent, ", "), "")
	}
}
