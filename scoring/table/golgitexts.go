package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

const mostRowMarks = 200 // of rows that were left out; the notes count all of them

// annotate lists the comparisons and orderings, which the score counts, and marks how each came out; then the rows that
// were left out.
func (g *golgi) annotate() {
	weight, rest := g.wSignif, g.wDirection
	if len(g.orderings) == 0 {
		weight = 1
	}
	for i, c := range g.comparisons {
		loss := weight / float64(len(g.comparisons))
		g.add(c.left+" vs "+c.right, c.mark(i), c.passed, loss)
	}
	for i, o := range g.orderings {
		g.add(o.greater+" > "+o.less, o.mark(len(g.comparisons)+i), o.holds, rest/float64(len(g.orderings)))
	}
	left := 1 - weight
	if len(g.orderings) > 0 {
		left -= rest
	}
	if math.Abs(left) > 1e-9 {
		g.Report.Marks = append(g.Report.Marks, report.Mark{Kind: report.Whole, Key: "rubric", Cost: left,
			Text: "The rubric's weights add up to " + report.Number(1-left) + ": no part of the answer is charged for the rest"})
	}
	g.conditionMarks()
	g.rowMarks()
}

func (g *golgi) add(name string, m report.Mark, good bool, loss float64) {
	im := report.Image{Name: name, Pred: g.cellFile, Status: report.Scored, Value: 1}
	if !good {
		im.Value, m.Cost = 0, loss
	}
	m.Key = name
	g.Report.Images = append(g.Report.Images, im)
	g.Report.Marks = append(g.Report.Marks, m)
}

func (c *comparison) mark(image int) report.Mark {
	m := report.Mark{Kind: report.TP, Image: image, Expected: c.alpha}
	names := quoted(c.left) + " and " + quoted(c.right)
	wanted := "a difference"
	if !c.significant {
		wanted = "no difference"
	}
	if c.p == nil {
		m.Kind = report.MissingValue
		m.Text = "No p-value for " + names + ": none is reported, and the two have no values to compare; " + wanted + " is expected"
		return m
	}
	m.Found = *c.p
	m.Text = fmt.Sprintf("p = %s for %s (%s), level %s: %s is expected", pText(*c.p), names, c.sourceText(), report.Number(c.alpha), wanted)
	if !c.passed {
		m.Kind = report.ValueError
	}
	return m
}

func (c *comparison) sourceText() string {
	if c.source == "reported" {
		return "as reported"
	}
	return "recomputed by Mann-Whitney"
}

func pText(p float64) string { return strconv.FormatFloat(p, 'g', 3, 64) }

func (o *ordering) mark(image int) report.Mark {
	m := report.Mark{Kind: report.TP, Image: image}
	if o.medianGreater == nil || o.medianLess == nil {
		m.Kind = report.MissingValue
		m.Text = "No median to compare: " + quoted(o.greater) + " is expected above " + quoted(o.less)
		return m
	}
	m.Found, m.Expected = *o.medianGreater, *o.medianLess
	m.Text = fmt.Sprintf("The median of %s is %s, of %s %s: the first is expected to be the larger one", quoted(o.greater), report.Number(m.Found), quoted(o.less), report.Number(m.Expected))
	if !o.holds {
		m.Kind = report.ValueError
	}
	return m
}

// expects tells whether the rubric names a condition.
func (g *golgi) expects(name string) bool {
	n := spaced(name)
	return slices.ContainsFunc(g.comparisons, func(c *comparison) bool { return spaced(c.left) == n || spaced(c.right) == n }) ||
		slices.ContainsFunc(g.orderings, func(o *ordering) bool { return spaced(o.greater) == n || spaced(o.less) == n })
}

// conditionMarks remark on conditions that nothing is expected of.
func (g *golgi) conditionMarks() {
	for _, s := range g.cells.all {
		if !g.expects(s.name) {
			g.Report.Marks = append(g.Report.Marks, report.Mark{Kind: report.Unmatched, Key: s.name, Diagnostic: true,
				Text: fmt.Sprintf("Condition %s with %s is not compared with anything (diagnostic)", quoted(s.name), call.Quantity(len(s.values)+len(s.outVal), "value", "values"))})
		}
	}
}

// rowMarks remark on rows that were left out, the first of them.
func (g *golgi) rowMarks() {
	n := 0
	add := func(m report.Mark) {
		if n++; n <= mostRowMarks {
			m.Diagnostic = true
			g.Report.Marks = append(g.Report.Marks, m)
		}
	}
	for _, s := range g.cells.all {
		for i, v := range s.outVal {
			m := report.Mark{Kind: report.OutOfRange, Key: s.name, Found: v, Text: "A coefficient of " + report.Number(v) + " in " + quoted(s.name) + " is outside -1 to 1 and left out (diagnostic)"}
			if s.out != nil {
				m.Pred = g.cells.id(s.out[i])
			}
			add(m)
		}
	}
	for _, row := range g.cells.skipped {
		add(report.Mark{Kind: report.Unparsed, Pred: g.cells.id(row), Text: fmt.Sprintf("Row %d has no condition or no number and is left out (diagnostic)", g.cells.id(row)+1)})
	}
}

// method tells how the result came about.
func (g *golgi) method() {
	significance, passed, direction := g.parts()
	if direction == nil {
		g.Say("Formula", "comparisons that come out as expected / comparisons")
	} else {
		g.Say("Formula", fmt.Sprintf("%s x comparisons that come out as expected + %s x orderings of medians that hold, each as a share",
			report.Number(g.wSignif), report.Number(g.wDirection)))
	}
	for _, c := range g.comparisons {
		g.Say("Comparison", yes(c.passed)+": "+c.mark(0).Text)
	}
	for _, o := range g.orderings {
		g.Say("Ordering", yes(o.holds)+": "+o.mark(0).Text)
	}
	text := fmt.Sprintf("%d of %d comparisons = %s", passed, len(g.comparisons), report.Number(significance))
	if direction != nil {
		text = fmt.Sprintf("%s x %s + %s x %s (orderings) = %s", report.Number(g.wSignif), text, report.Number(g.wDirection), report.Number(*direction), report.Number(g.Report.Result.Value))
	}
	g.Say("Sum", text+", rounded to four decimals")
	g.Say("Not counted", "how large the coefficients are, how many cells were measured, and whether a reported p-value is right")
}

func yes(b bool) string {
	if b {
		return "as expected"
	}
	return "not as expected"
}

// notes remark on what bit in this run.
func (g *golgi) notes() {
	g.cellNotes()
	g.reportedNotes()
	if !slices.ContainsFunc(g.comparisons, func(c *comparison) bool { return c.p != nil }) {
		g.Report.NeedsReview = "no comparison of the rubric has a p-value: check the names of the conditions"
	}
	if g.wSignif+g.wDirection != 1 && len(g.orderings) > 0 {
		g.Info("", "The rubric's weights add up to "+report.Number(g.wSignif+g.wDirection)+", not to 1: that is the highest possible score")
	}
}

func (g *golgi) cellNotes() {
	if g.cellFile == "" {
		g.Warn("", "There is no table of coefficients per cell: no ordering of medians can hold", "Write colocalization_results.csv with a condition and a coefficient per cell")
		return
	}
	file := g.Shown(g.cellFile)
	switch {
	case len(g.cells.all) == 0 && !g.cells.byName && len(g.cells.Names) != 2:
		g.Warn(file, "No column of conditions and of coefficients was recognised: the table counts as empty", "Name the columns condition and spearman")
	case len(g.cells.all) == 0:
		g.Warn(file, "No row has a condition and a number: the table counts as empty", "Write plain numbers with a decimal point")
	case g.cells.byName && !slices.Contains([]string{"spearman", "coefficient"}, lowered(g.cells.column)):
		g.Info(file, "The coefficients were taken from the column "+quoted(g.cells.column))
	}
	if n := g.cells.dropped; n > 0 {
		g.Warn(file, call.Quantity(n, "coefficient", "coefficients")+" outside -1 to 1 "+call.Plural(n, "was", "were")+" left out", "Give coefficients as fractions, not in percent; check that the right column was taken")
	}
	if n := len(g.cells.skipped); n > 0 {
		g.Warn(file, fmt.Sprintf("%s left out, the first is row %d: no condition or no number", call.Quantity(n, "row was", "rows were"), g.cells.id(g.cells.skipped[0])+1), "")
	}
	g.spellingNotes(file)
}

// spellingNotes remark on conditions written in two ways, and on those that nothing is expected of.
func (g *golgi) spellingNotes(file string) {
	seen := map[string]string{}
	var foreign []string
	for _, s := range g.cells.list {
		n := spaced(s.name)
		if first, twice := seen[n]; twice {
			g.Warn(file, "One condition is written as "+quoted(first)+" and as "+quoted(s.name)+": the p-values use the first one's cells, the medians those of the last one", "Write each condition in one way")
		} else {
			seen[n] = s.name
		}
		if !g.expects(s.name) {
			foreign = append(foreign, s.name)
		}
	}
	if len(foreign) > 0 {
		g.Warn(file, "Not compared with anything: "+namesOf(foreign), "Use the names of the input folders as conditions")
	}
}

func (g *golgi) reportedNotes() {
	if len(g.pairFiles) > 0 {
		g.Info(g.Shown(g.pairFiles[0]), fmt.Sprintf("P-values are read from %s with pairwise in the name, whatever its columns are called", call.Quantity(len(g.pairFiles), "table", "tables")))
	}
	for _, c := range g.comparisons {
		pair := quoted(c.left) + " and " + quoted(c.right)
		switch {
		case c.source == "reported" && math.IsNaN(*c.p):
			g.Warn(g.Shown(c.from), "The reported p-value for "+pair+" is no number and counts as not significant", "")
		case c.source == "reported" && (*c.p < 0 || *c.p > 1):
			g.Warn(g.Shown(c.from), "The reported p-value for "+pair+" is "+pText(*c.p)+", which no probability is", "")
		case c.source == "reported":
			g.Info(g.Shown(c.from), "The p-value for "+pair+" is the reported one, it was not recomputed")
		case g.reported.has(c.left, c.right):
			g.Warn("", "A p-value of exactly 0 is reported for "+pair+" and ignored", "Report the value with its exponent, such as 3e-12")
		}
	}
}
