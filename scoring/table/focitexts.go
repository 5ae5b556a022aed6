package table

import (
	"fmt"
	"slices"

	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

const fewEvents = 0.2 // of the reference's events: a larger difference is marked, though no score knows it

// annotate lists the reference's conditions and marks what each loses, then what is remarkable about single rows.
func (f *foci) annotate() {
	weight := 1 / float64(len(f.truth.names))
	for i, ref := range f.truth.names {
		k := slices.IndexFunc(f.pairs, func(a aligned) bool { return a.ref == ref })
		if k < 0 {
			f.image(report.Image{Name: ref, Truth: f.truthPath, Status: report.MissingAnswer, NTruth: len(f.truth.values[ref])})
			f.mark(report.Mark{Kind: report.Unmatched, Image: i, Key: ref, Cost: weight,
				Text: "Condition " + quoted(ref) + " counts 0: the answer has none that goes with it"})
			continue
		}
		a := f.pairs[k]
		f.image(report.Image{Name: ref, Pred: f.predPath, Truth: f.truthPath, Status: report.Scored, Value: a.score, NPred: len(a.got), NTruth: len(a.truth)})
		f.mark(a.mark(i, weight))
		f.countMark(i, a)
	}
	f.rowMarks()
}

func (f *foci) image(im report.Image) { f.Report.Images = append(f.Report.Images, im) }
func (f *foci) mark(m report.Mark)    { f.Report.Marks = append(f.Report.Marks, m) }

// mark says what the condition loses, at the value where the two distributions are furthest apart.
func (a aligned) mark(image int, weight float64) report.Mark {
	m := report.Mark{Kind: report.ValueError, Image: image, Key: a.ref, Cost: weight * (1 - a.score)}
	switch {
	case a.ks == nil:
		m.Kind = report.MissingValue
		m.Text = fmt.Sprintf("Condition %s counts 0: %d and %d events are too few, both need two", quoted(a.ref), len(a.got), len(a.truth))
		return m
	case a.ks.Statistic == 0:
		m.Kind = report.TP
		m.Text = "Condition " + quoted(a.ref) + " is distributed as the reference"
		return m
	}
	at := a.ks.At
	m.Found, m.Expected = shareUpTo(a.got, at), shareUpTo(a.truth, at)
	m.Text = fmt.Sprintf("Condition %s: %s of the answer's events have begun at %s, of the reference's %s; this gap of %s is the loss",
		quoted(a.ref), percent(m.Found), report.Number(at), percent(m.Expected), report.Number(a.ks.Statistic))
	return m
}

func shareUpTo(values []float64, at float64) float64 {
	n := 0
	for _, v := range values {
		if v <= at {
			n++
		}
	}
	return float64(n) / float64(len(values))
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// countMark remarks on a number of events far from the reference's; the score compares shares only.
func (f *foci) countMark(image int, a aligned) {
	if a.countError != nil && *a.countError > fewEvents {
		f.mark(report.Mark{Kind: report.CountError, Image: image, Key: a.ref, Found: float64(len(a.got)), Expected: float64(len(a.truth)), Diagnostic: true,
			Text: fmt.Sprintf("Condition %s has %d events, the reference %d (diagnostic)", quoted(a.ref), len(a.got), len(a.truth))})
	}
}

// rowMarks remark on values that a normalized start cannot have, on rows that did not count and on unused conditions.
func (f *foci) rowMarks() {
	for i, ref := range f.truth.names {
		k := slices.IndexFunc(f.pairs, func(a aligned) bool { return a.ref == ref })
		if k < 0 || f.pred.blocks {
			continue
		}
		name := f.pairs[k].pred
		for n, v := range f.pred.values[name] {
			if v < 0 || v > 1 {
				f.mark(report.Mark{Kind: report.OutOfRange, Image: i, Key: name, Pred: f.pred.id(f.pred.rows[name][n]), Found: v, Diagnostic: true,
					Text: "A start of " + report.Number(v) + " in " + quoted(name) + " is outside S phase, which lasts from 0 to 1 (diagnostic)"})
			}
		}
	}
	for _, row := range f.pred.skipped {
		f.mark(report.Mark{Kind: report.Unparsed, Pred: f.pred.id(row), Diagnostic: true,
			Text: fmt.Sprintf("Row %d has no condition or no number and is left out (diagnostic)", f.pred.id(row)+1)})
	}
	for _, name := range f.unused {
		f.mark(report.Mark{Kind: report.Unmatched, Key: name, Diagnostic: true, Text: "Condition " + quoted(name) + " of the answer is not compared with anything (diagnostic)"})
	}
}

// method tells how the result came about.
func (f *foci) method() {
	f.Say("Formula", "per condition 1 - the largest gap between the shares of events begun (Kolmogorov-Smirnov); then the sum over the reference's conditions / their number")
	for _, a := range f.pairs {
		if a.ks == nil {
			f.Say("Condition", fmt.Sprintf("%s: 0, too few events (%d and %d)", a.ref, len(a.got), len(a.truth)))
			continue
		}
		f.Say("Condition", fmt.Sprintf("%s (%s of the answer, %d and %d events): 1 - %s = %s; the gap is at a start of %s", a.ref, quoted(a.pred),
			len(a.got), len(a.truth), report.Number(a.ks.Statistic), report.Number(a.score), report.Number(a.ks.At)))
	}
	for _, name := range f.open {
		f.Say("Condition", name+": 0, the answer has none that goes with it")
	}
	f.Say("Mean", fmt.Sprintf("over %s of the reference = %s, rounded to four decimals", call.Quantity(len(f.truth.names), "condition", "conditions"), report.Number(f.Report.Result.Value)))
	f.Say("Not counted", "how many events there are, S phase lengths, which cell an event belongs to")
}

// notes remark on what bit in this run.
func (f *foci) notes() {
	f.rowNotes()
	if f.pred.blocks {
		f.Info(f.Shown(f.predPath), "The table was read as blocks side by side, since no row has a condition and a start")
	}
	for _, a := range f.pairs {
		if spaceless(a.ref) != spaceless(a.pred) {
			f.Info(f.Shown(f.predPath), "Condition "+quoted(a.pred)+" was taken for "+quoted(a.ref)+", since a part of the name or its kind fits")
		}
		if mean := a.meanP; mean != nil && (*mean > 1 || *mean < 0) {
			f.Warn(f.Shown(f.predPath), "The starts of "+quoted(a.pred)+" have a mean of "+report.Number(*mean)+", outside 0 to 1", "Divide each start by the length of S phase in the same unit")
		}
	}
	if len(f.unused) > 0 {
		f.Warn(f.Shown(f.predPath), "Not compared with anything: "+namesOf(f.unused)+". One condition of the answer is taken for each of the reference; replicates are not pooled",
			"Give all events of a condition the same name")
	}
}

// rowNotes remark on rows that did not count.
func (f *foci) rowNotes() {
	n := len(f.pred.skipped)
	if n == 0 {
		return
	}
	commas := 0
	for _, row := range f.pred.skipped {
		if v := f.pred.Surplus(row); len(v) > 0 {
			commas++
		}
	}
	fix := "Write plain numbers with a decimal point, and a condition in each row"
	if commas > 0 {
		fix = "Some rows have more cells than the header: write a decimal point, not a comma"
	}
	f.Warn(f.Shown(f.predPath), fmt.Sprintf("%s left out, the first is row %d: no condition or no number", call.Quantity(n, "row was", "rows were"), f.pred.id(f.pred.skipped[0])+1), fix)
}
