package signal

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"unicode/utf8"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// scorer is one call of a calculator.
type scorer struct {
	*call.Call
	config config
}

// score runs a calculator's body.
func score(ctx context.Context, task *biabench.Task, run *biabench.Run, progress func(done, total int), body func(*scorer) error) (*report.Report, error) {
	return call.Do(ctx, task, run, progress, func(c *call.Call) error {
		s := &scorer{Call: c, config: config{task.Rubric.Metric}}
		err := body(s)
		if r := c.Report; err == nil && !r.Result.None && len(r.Marks) == 0 && r.Result.Value == 0 {
			s.mark(report.Mark{Kind: report.Whole, Cost: 1, Text: "Counts 0: " + r.Result.Reason})
		}
		return err
	})
}

// result sets the score of a run that was judged, after its marks. value is the score before the reference rounds it.
func (s *scorer) result(value, rounded float64, primary string) {
	s.Report.Result, s.Report.Primary = report.Result{Value: rounded}, primary
	s.balance(value)
}

// balance adds a mark for what the other marks leave to 1 - score: weights of the rubric that do not add up to 1, a
// range that cuts the score.
func (s *scorer) balance(value float64) {
	rest := 1 - value
	for i := range s.Report.Marks {
		if m := &s.Report.Marks[i]; !m.Diagnostic {
			rest -= m.Cost
		}
	}
	if math.Abs(rest) > 1e-9 {
		s.mark(report.Mark{Kind: report.Whole, Key: "rubric", Cost: rest,
			Text: "The rubric's weights and limits: " + report.Number(rest) + " that no part of the answer is charged for"})
	}
}

// nothing tells a cost that is only the rounding of a perfect figure.
func nothing(cost float64) bool { return math.Abs(cost) < 1e-12 }

func (s *scorer) mark(m report.Mark) { s.Report.Marks = append(s.Report.Marks, m) }

// closing checks what the reference reads last: run_metrics.json need not be JSON, but must be UTF-8.
func (s *scorer) closing() error {
	text, err := os.ReadFile(filepath.Join(s.Run.Dir, "run_metrics.json"))
	if err == nil && !utf8.Valid(text) {
		return errors.New("run_metrics.json is not UTF-8, and the reference fails on it")
	}
	return nil
}

// keyMatch is the record of how far the keys of answer and truth meet.
func keyMatch(pred, ref, matched []string) *report.Record {
	if matched == nil {
		matched = []string{}
	}
	o := biabench.KeyOverlap(pred, ref, &matched)
	list := func(keys []string) []string { return append([]string{}, keys...) }
	return new(report.Record).Set("status", o.Status).Set("n_pred_keys", o.NPred).Set("n_ref_keys", o.NRef).Set("n_common", o.NCommon).
		Set("pred_keys", list(o.Pred)).Set("ref_keys", list(o.Ref)).Set("unmatched_ref_keys", list(o.Unmatched))
}

// filesBelow lists the files below a folder whose name keep accepts, sorted by path components. A folder that is not
// there has none.
func filesBelow(dir string, keep func(name string) bool) []string {
	if dir == "" {
		return nil
	}
	all, err := biabench.ListFiles(dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, f := range all {
		if keep(filepath.Base(f)) {
			out = append(out, f)
		}
	}
	return out
}

// matches makes a test of file names by a shell pattern, letter case counting.
func matches(pattern string) func(name string) bool {
	return biabench.CompileGlob(pattern).Match
}

// null is a figure of a record: NaN is the reference's null.
func null(v float64) any {
	if math.IsNaN(v) {
		return nil
	}
	return v
}

// atLeast0 is Python's max(0.0, v): 0 for NaN.
func atLeast0(v float64) float64 {
	if v > 0 {
		return v
	}
	return 0
}
