package table

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"coverslip/datasets/tabular/python"
	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// annotate lists the cell types and marks what each of the three questions loses, then what is remarkable about wells.
func (t *translocation) annotate() {
	weight := 1 / float64(3*len(t.types))
	for i, c := range t.types {
		t.Report.Images = append(t.Report.Images, report.Image{Name: c.name, Pred: t.wellFile, Status: report.Scored, Value: c.score, NPred: c.count()})
		for _, part := range c.parts() {
			m := report.Mark{Kind: report.TP, Image: i, Key: c.name + " " + part.name, Expected: 1}
			if part.value != nil {
				m.Found, m.Cost = *part.value, weight*(1-*part.value)
			} else {
				m.Kind, m.Cost = report.MissingValue, weight
			}
			if m.Kind == report.TP && m.Cost > 0 {
				m.Kind = report.ValueError
			}
			m.Text = c.name + ": " + c.sum(part.name, t.tolerance)
			t.mark(m)
		}
		t.replicateMarks(i, c)
	}
	t.wellMarks()
	for _, row := range t.wells.skipped {
		t.mark(report.Mark{Kind: report.Unparsed, Pred: t.wells.id(row), Diagnostic: true,
			Text: fmt.Sprintf("Row %d of the wells has no number in dose or ratio and is left out (diagnostic)", t.wells.id(row)+1)})
	}
}

func (t *translocation) mark(m report.Mark) { t.Report.Marks = append(t.Report.Marks, m) }

func (d *doseSet) count() int {
	n := 0
	for _, values := range d.values {
		n += len(values)
	}
	return n
}

// sum writes out one sub-score with its numbers.
func (c *cellType) sum(name string, tolerance float64) string {
	switch name {
	case doseResponse:
		if c.response == nil {
			return "dose response 0, it needs two doses whose means differ"
		}
		return fmt.Sprintf("dose response %s, Spearman's ρ %s of the means of %d doses, not below 0", report.Number(*c.response), report.Number(*c.spearman), len(c.order))
	case consistency:
		if c.consistent == nil {
			return "replicate consistency 0, no dose has two wells and a mean other than 0"
		}
		return fmt.Sprintf("replicate consistency %s = (1 - mean CV %s) / (1 - %s), within 0 and 1", report.Number(*c.consistent), report.Number(*c.meanCV), report.Number(tolerance))
	}
	source := "wells"
	if c.fromCells {
		source = "cells"
	}
	switch {
	case math.IsNaN(c.control):
		return "control against treated 0, there are no two doses to compare"
	case c.effect == nil:
		return fmt.Sprintf("control against treated 0, the %s of doses %s and %s are fewer than two or all the same", source, number(c.control), number(c.treated))
	}
	return fmt.Sprintf("control against treated %s = 1 - p, Welch's one-sided p %s of the %s at doses %s and %s", report.Number(*c.effect), pText(*c.p), source, number(c.control), number(c.treated))
}

// number prints a dose.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// replicateMarks remark on wells that scatter: those of doses whose CV lies above the tolerance.
func (t *translocation) replicateMarks(image int, c *cellType) {
	for _, d := range c.sorted() {
		cv, ok := c.cvs[d]
		if !ok || cv <= t.tolerance {
			continue
		}
		mean := numeric.Mean(c.values[d])
		far, at := -1.0, 0
		for i, v := range c.values[d] {
			if e := math.Abs(v - mean); e > far {
				far, at = e, i
			}
		}
		row := c.rows[d][at]
		t.mark(report.Mark{Kind: report.ValueError, Image: image, Key: t.wells.text(row, "well"), Pred: t.wells.id(row), Found: c.values[d][at], Expected: mean, Diagnostic: true,
			Text: fmt.Sprintf("%s, dose %s: CV %s; well %s with %s is farthest from the mean of %s (diagnostic)", c.name, number(d), report.Number(cv),
				quoted(t.wells.text(row, "well")), report.Number(c.values[d][at]), report.Number(mean))})
	}
}

var wellName = regexp.MustCompile(`^([A-Ha-h])[-_ ]?0*([1-9]|1[0-2])$`)

// wellMarks remark on wells that no 96-well plate has, that come twice, and on ratios that are not positive.
func (t *translocation) wellMarks() {
	column, ok := find(t.wells.columns(python.Trim, true), "well")
	if !ok {
		return
	}
	seen := map[string]int{}
	for image, set := range t.wells.list {
		for _, d := range set.order {
			for i, row := range set.rows[d] {
				t.wellMark(image, t.wells.text(row, column), row, set.values[d][i], seen)
			}
		}
	}
}

func (t *translocation) wellMark(image int, well string, row int, ratio float64, seen map[string]int) {
	m := report.Mark{Image: image, Key: well, Pred: t.wells.id(row), Found: ratio, Diagnostic: true}
	name := strings.ToUpper(well)
	if parts := wellName.FindStringSubmatch(well); parts != nil {
		name = strings.ToUpper(parts[1]) + parts[2]
	} else {
		m.Kind, m.Text = report.OutOfRange, "Well "+quoted(well)+" is not on the plate, which has A01 to H12 (diagnostic)"
		t.mark(m)
	}
	if first, twice := seen[name]; twice && well != "" {
		m.Kind, m.Text = report.Duplicate, fmt.Sprintf("Well %s is in row %d already; both count (diagnostic)", quoted(well), t.wells.id(first)+1)
		t.mark(m)
	} else {
		seen[name] = row
	}
	if ratio <= 0 {
		m.Kind, m.Text = report.OutOfRange, "A ratio of "+report.Number(ratio)+" in well "+quoted(well)+" is not positive (diagnostic)"
		t.mark(m)
	}
}

// method tells how the result came about.
func (t *translocation) method() {
	t.Say("Formula", "per cell type the mean of three questions: does the ratio rise with the dose, do the wells of a dose agree, does the highest dose lie above the control; then the mean over the cell types")
	for _, c := range t.types {
		for _, part := range c.parts() {
			t.Say("Cell type", c.name+": "+c.sum(part.name, t.tolerance))
		}
		t.Say("Cell type", c.name+": mean of the three = "+report.Number(c.score)+", rounded to four decimals")
	}
	t.Say("Mean", fmt.Sprintf("over %s = %s, rounded to four decimals", call.Quantity(len(t.types), "cell type", "cell types"), report.Number(t.Report.Result.Value)))
	t.Say("Not counted", "which wells were measured, how large the ratios are, doses between the lowest and the highest in the test")
}

// notes remark on what bit in this run.
func (t *translocation) notes() {
	t.headerNotes()
	if n := len(t.wells.skipped); n > 0 {
		t.Warn(t.Shown(t.wellFile), fmt.Sprintf("%s left out, the first is row %d: no number in dose or ratio", call.Quantity(n, "well was", "wells were"), t.wells.id(t.wells.skipped[0])+1),
			"Write plain numbers with a decimal point")
	}
	if t.cellErr != nil {
		t.Warn(t.Shown(t.cellFile), "The table of cells counts as empty, wells were tested instead: "+call.Reason(t.cellErr), "Give each row as many cells as the header")
	} else if t.cellFile != "" && len(t.cells.list) == 0 {
		t.Warn(t.Shown(t.cellFile), "No row of the table of cells has numbers in dose and nuc_over_cyto_ratio, wells were tested instead", "")
	}
	first := map[string]string{}
	for _, c := range t.types {
		key := spaced(c.name)
		if other, twice := first[key]; twice {
			t.Warn(t.Shown(t.wellFile), "Cell types "+quoted(other)+" and "+quoted(c.name)+" count as two, since letter case and blanks matter", "Write each cell type in one way")
		} else {
			first[key] = c.name
		}
		if len(t.cells.list) > 0 && !math.IsNaN(c.control) && !c.fromCells {
			t.Info(t.Shown(t.cellFile), "The table of cells lacks the lowest or the highest dose of cell type "+quoted(c.name)+": its wells were tested")
		}
	}
}

// headerNotes remark on columns that the reader does not see although the gate let them pass.
func (t *translocation) headerNotes() {
	columns := t.wells.columns(python.Trim, true)
	for _, want := range []string{"cell_type", "dose", "mean_nuc_over_cyto_ratio"} {
		if _, ok := find(columns, want); ok {
			continue
		}
		for _, c := range columns {
			if python.Lower(c.normal) == want {
				t.Warn(t.Shown(t.wellFile), "The column "+quoted(c.name)+" is not read: the scorer looks for "+quoted(want)+", letter case included", "Rename the column")
				break
			}
		}
	}
}
