package table

import (
	"context"
	"path/filepath"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// Foci scores a table of onsets of colocalization (spec/scorers-tables.md 3). progress may be nil. The error is for a
// cancelled context; whatever is wrong with the inputs is in the report.
func Foci(ctx context.Context, task *biabench.Task, answer *biabench.Run, progress func(done, total int)) (*report.Report, error) {
	return run(ctx, task, answer, progress, func(c *call.Call) error { return (&foci{Call: c}).score() })
}

// foci is one call of the calculator.
type foci struct {
	*call.Call
	predPath, truthPath string
	pred, truth         *onsets
	pairs               []aligned // in the order of the reference: by name, then by class
	open                []string  // reference conditions without a partner
	unused              []string  // conditions of the answer that were not taken
}

// aligned is a condition of the truth with the one of the answer that was taken for it.
type aligned struct {
	ref, pred   string
	truth, got  []float64
	ks          *numeric.KS // nil for too few values
	score       float64
	meanT, sdT  *float64
	meanP, sdP  *float64
	countError  *float64
	meanDiffers *float64
}

func (f *foci) score() error {
	f.truthPath = onsetTable(f.Task.Truth)
	if f.truthPath == "" {
		f.None("the evaluation folder holds no table coloc_results.csv")
		return nil
	}
	reference := readSheet(f.truthPath)
	if reference.err != nil {
		return reference.err
	}
	if f.truth = blocks(reference.records); len(f.truth.names) == 0 {
		f.Zero("the reference table has no block with a column of normalized starts").Set("gt_csv", f.ShownTruth(f.truthPath))
		whole(f.Call, "coloc_results.csv")
		return nil
	}
	var err error
	if f.predPath, err = deliverable(f.Call, "coloc_results"); err != nil || f.predPath == "" {
		return err
	}
	answer := readSheet(f.predPath)
	if answer.err != nil {
		return answer.err
	}
	if f.pred = readOnsets(answer); len(f.pred.names) == 0 {
		f.Zero("the table has no row with a condition and a number in start_normalized").Set("pred_csv", f.Shown(f.predPath)).
			Set("key_match", keyMatch(nil, f.truth.names, nil))
		unmatched(f.Call, f.truth.names, "condition")
		f.rowNotes()
		return nil
	}
	f.align()
	if len(f.pairs) == 0 {
		f.Zero("no condition of the answer goes with one of the reference").Set("ref_conditions", f.truth.names).
			Set("pred_conditions", f.pred.names).Set("key_match", keyMatch(f.pred.names, f.truth.names, nil))
		unmatched(f.Call, f.truth.names, "condition")
		f.Warn(f.Shown(f.predPath), "The conditions are named "+namesOf(f.pred.names)+", the reference has "+namesOf(f.truth.names), "Use the reference's names")
		return nil
	}
	if err := f.compare(); err != nil {
		return err
	}
	f.annotate()
	f.result()
	f.method()
	f.notes()
	return nil
}

// onsetTable finds the table of the truth in walking order.
func onsetTable(dir string) string {
	files := downward(dir)
	for _, pattern := range []string{"coloc_results.csv", "*coloc*.csv"} {
		glob := biabench.CompileGlob(pattern)
		for _, file := range files {
			if glob.Match(filepath.Base(file)) {
				return file
			}
		}
	}
	return ""
}

// compare measures each aligned condition.
func (f *foci) compare() error {
	for i := range f.pairs {
		f.Progress(i, len(f.pairs))
		if err := f.pairs[i].measure(); err != nil {
			return err
		}
	}
	f.Progress(len(f.pairs), len(f.pairs))
	return nil
}

func (a *aligned) measure() (err error) {
	if len(a.truth) >= 2 && len(a.got) >= 2 {
		ks := numeric.KolmogorovSmirnov(a.truth, a.got)
		a.ks, a.score = &ks, max(0, 1-ks.Statistic)
	}
	if a.meanT, a.sdT, err = spread(a.truth); err != nil {
		return err
	}
	if a.meanP, a.sdP, err = spread(a.got); err != nil {
		return err
	}
	if n := float64(len(a.truth)); n > 0 {
		d := float64(len(a.got)) - n
		a.countError = ptr(max(d, -d) / n)
	}
	if a.meanT != nil && a.meanP != nil {
		d := *a.meanT - *a.meanP
		a.meanDiffers = ptr(max(d, -d))
	}
	return nil
}

// spread are mean and standard deviation, nil for too few values.
func spread(values []float64) (mean, sd *float64, err error) {
	if len(values) > 0 {
		mean = ptr(numeric.Mean(values))
	}
	if len(values) > 1 {
		s, err := numeric.SampleSD(values)
		if err != nil {
			return nil, nil, err
		}
		sd = &s
	}
	return mean, sd, nil
}

func ptr[T any](v T) *T { return &v }

// result fills the record of metrics.
func (f *foci) result() {
	sum, measured := 0.0, 0
	conditions := new(report.Record)
	for _, a := range f.pairs {
		sum += a.score
		var ks, score *float64
		if a.ks != nil {
			ks, score = &a.ks.Statistic, &a.score
			measured++
		}
		conditions.Set(a.ref, new(report.Record).Set("n_ref", len(a.truth)).Set("n_pred", len(a.got)).
			Set("count_relative_error", round4(a.countError)).Set("ks_statistic", round4(ks)).
			Set("ref_mean_start_normalized", round4(a.meanT)).Set("pred_mean_start_normalized", round4(a.meanP)).
			Set("ref_std_start_normalized", round4(a.sdT)).Set("pred_std_start_normalized", round4(a.sdP)).
			Set("mae_start_normalized_mean", round4(a.meanDiffers)).Set("condition_score", round4(score)))
	}
	value := numeric.Round4(sum / float64(len(f.truth.names)))
	f.Report.Primary = "agreement of distributions"
	f.Report.Result = report.Result{Value: value}
	var matched []string
	for _, a := range f.pairs {
		matched = append(matched, a.ref)
	}
	f.Report.Metrics = new(report.Record).Set("result_score", value).Set("per_condition", conditions).
		Set("n_conditions_scored", measured).Set("n_conditions_reference", len(f.truth.names)).
		Set("gt_csv", f.ShownTruth(f.truthPath)).Set("pred_csv", f.Shown(f.predPath)).
		Set("key_match", keyMatch(f.pred.names, f.truth.names, matched))
}
