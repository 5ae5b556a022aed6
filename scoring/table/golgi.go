package table

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/tabular/python"
	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// Golgi scores colocalization coefficients by condition (spec/scorers-tables.md 4): which comparisons are significant and
// how the medians are ordered. There is no truth. progress may be nil. The error is for a cancelled context; whatever is
// wrong with the inputs is in the report.
func Golgi(ctx context.Context, task *biabench.Task, answer *biabench.Run, progress func(done, total int)) (*report.Report, error) {
	return run(ctx, task, answer, progress, func(c *call.Call) error { return (&golgi{Call: c}).score() })
}

// golgi is one call of the calculator.
type golgi struct {
	*call.Call
	expected    expectations
	cellFile    string // "" for none
	cells       *coefficients
	pairFiles   []string
	reported    *pvalues
	medians     map[string]*float64 // by normalised name
	comparisons []*comparison
	orderings   []*ordering
	wSignif     float64
	wDirection  float64
}

func (g *golgi) score() error {
	if !truthy(g.Task.Rubric.Metric["comparisons"]) {
		g.None("the rubric lists no comparisons")
		return nil
	}
	d, err := g.Deliverable("per_cell_coefficients")
	if err != nil {
		return err
	}
	g.cells = &coefficients{}
	if len(d.Files) > 0 {
		g.cellFile = d.Files[0]
		if g.cells, err = readCoefficients(g.cellFile); err != nil {
			return err
		}
		g.cells.dropOutOfRange()
	}
	if g.pairFiles, err = pairwiseFiles(g.Ctx, g.Run.Dir); err != nil {
		return err
	}
	if g.reported, err = readPValues(g.pairFiles); err != nil {
		return err
	}
	if g.cellFile == "" && len(g.reported.list) == 0 {
		g.Zero("the answer has neither a table of coefficients per cell nor a table of p-values of pairs of conditions").
			Set("pred_dir", filepath.Base(g.Run.Dir))
		whole(g.Call, "per_cell_coefficients")
		return nil
	}
	if g.expected, err = readExpectations(g.Task.Rubric.Metric); err != nil {
		return err
	}
	if g.wSignif, err = g.Number("significance_weight", 0.7); err != nil {
		return err
	}
	if g.wDirection, err = g.Number("direction_weight", 0.3); err != nil {
		return err
	}
	if err := g.compare(); err != nil {
		return err
	}
	g.order()
	g.annotate()
	g.result()
	g.method()
	g.notes()
	return nil
}

// comparison is a pair of conditions with the p-value that was found for it.
type comparison struct {
	left, right string
	significant bool // expected
	alpha       float64
	p           *float64 // nil for none
	source      string   // reported, recomputed_mannwhitney, ""
	from        string   // the file of a reported one, "" if recomputed
	passed      bool
	named       bool // the answer knows the pair or both conditions
}

// compare finds the p-value of each comparison: reported in a table, in text, or recomputed.
func (g *golgi) compare() error {
	for _, e := range g.expected.comparisons {
		c := &comparison{left: e.left, right: e.right, significant: e.significant, alpha: e.alpha}
		g.comparisons = append(g.comparisons, c)
		c.p, c.from = g.reported.between(c.left, c.right)
	}
	if err := g.searchTexts(); err != nil {
		return err
	}
	for i, c := range g.comparisons {
		g.Progress(i, len(g.comparisons))
		a, okA := g.cells.first(c.left)
		b, okB := g.cells.first(c.right)
		switch {
		case c.p != nil:
			c.source = "reported"
		case okA && okB:
			c.p, c.source = ptr(numeric.MannWhitney(a, b)), "recomputed_mannwhitney"
		}
		c.passed = c.p != nil && (*c.p < c.alpha) == c.significant
		c.named = g.reported.has(c.left, c.right) || okA && okB
	}
	g.Progress(len(g.comparisons), len(g.comparisons))
	return nil
}

// ordering is an expected order of two medians.
type ordering struct {
	greater, less             string
	medianGreater, medianLess *float64
	holds                     bool
}

// order looks at the medians. Of two spellings of a condition the last one's counts here, though the first one's values
// are compared.
func (g *golgi) order() {
	g.medians = map[string]*float64{}
	for _, c := range g.cells.list {
		g.medians[spaced(c.name)] = ptr(c.median())
	}
	for _, e := range g.expected.orderings {
		o := &ordering{greater: e.greater, less: e.less, medianGreater: g.medians[spaced(e.greater)], medianLess: g.medians[spaced(e.less)]}
		o.holds = o.medianGreater != nil && o.medianLess != nil && *o.medianGreater > *o.medianLess
		g.orderings = append(g.orderings, o)
	}
}

// spaced is a condition in normal form: single blanks, lower case.
func spaced(name string) string { return python.Lower(strings.Join(python.Fields(name), " ")) }

// parts are the two sub-scores; direction is nil without orderings.
func (g *golgi) parts() (significance float64, passed int, direction *float64) {
	for _, c := range g.comparisons {
		if c.passed {
			passed++
		}
	}
	significance = float64(passed) / float64(len(g.comparisons))
	if len(g.orderings) == 0 {
		return significance, passed, nil
	}
	held := 0
	for _, o := range g.orderings {
		if o.holds {
			held++
		}
	}
	return significance, passed, ptr(float64(held) / float64(len(g.orderings)))
}

// result fills the record of metrics.
func (g *golgi) result() {
	significance, passed, direction := g.parts()
	score := significance
	if direction != nil {
		score = float64(g.wSignif*significance) + float64(g.wDirection**direction)
	}
	value := numeric.Round4(score)
	g.Report.Primary = "expected outcomes"
	g.Report.Result = report.Result{Value: value}
	comparisons, orderings, medians := []*report.Record{}, []*report.Record{}, new(report.Record)
	var all, found, known []string
	for _, c := range g.comparisons {
		r := new(report.Record).Set("comparison", c.left+" vs "+c.right).Set("expect_significant", c.significant).Set("alpha", c.alpha).
			Set("p_value", nil).Set("p_value_source", nil).Set("passed", c.passed)
		if c.p != nil {
			r.Set("p_value", *c.p).Set("p_value_source", c.source)
		}
		comparisons = append(comparisons, r)
		key := pairName(c.left, c.right)
		all = append(all, key)
		if c.p != nil {
			found = append(found, key)
		}
		if c.named {
			known = append(known, key)
		}
	}
	for _, o := range g.orderings {
		orderings = append(orderings, new(report.Record).Set("ordering", o.greater+" > "+o.less).
			Set("median_greater", round4(o.medianGreater)).Set("median_less", round4(o.medianLess)).Set("satisfied", o.holds))
	}
	for _, c := range g.cells.list {
		medians.Set(c.name, numeric.Round4(c.median()))
	}
	g.Report.Metrics = new(report.Record).Set("result_score", value).Set("significance_score", numeric.Round4(significance)).
		Set("direction_score", round4(direction)).Set("comparisons_passed", passed).Set("comparisons_total", len(g.comparisons)).
		Set("comparison_details", comparisons).Set("direction_details", orderings).Set("condition_medians", medians).
		Set("n_invalid_coefficients_dropped", g.cells.dropped).Set("key_match", keyMatch(known, all, found))
}

// pairName is the key of a comparison, whichever way round it is written.
func pairName(a, b string) string {
	a, b = spaced(a), spaced(b)
	return fmt.Sprintf("%s vs %s", min(a, b), max(a, b))
}
