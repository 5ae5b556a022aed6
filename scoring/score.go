// Package scoring judges a run of a task: Score gives a Report with a Result, the reference's Metrics record, Marks and
// Notes. A scorer is a pure function of opened inputs; it knows no window, no clock and no global state.
package scoring

import (
	"context"
	"errors"
	"fmt"
	"os"

	"coverslip/datasets/biabench"
	"coverslip/scoring/report"
	"coverslip/scoring/segment"
)

// The nouns of a report, under the package's own name.
type (
	Report = report.Report
	Result = report.Result
	Record = report.Record
	Mark   = report.Mark
	Image  = report.Image
	Note   = report.Note
	Kind   = report.Kind
)

// Progress is told how many of how many steps are done. It may be called from several goroutines.
type Progress func(done, total int)

// calculator scores the runs of one family of tasks. Both folders exist when it is called.
type calculator func(context.Context, *biabench.Task, *biabench.Run, func(done, total int)) (*report.Report, error)

// calculators by exact task id; a rubric's type plays no part (spec/scorers-segmentation-tracking.md).
var calculators = map[string]calculator{
	"he-nuinsseg-nuclear-segmentation":               segment.Single,
	"3d-fluo-cell-segmentation-lateral-line-idr0079": segment.Single,
	"fluo-helacytonuc-cell-segmentation":             segment.Compartments,
}

// Score scores a run with the calculator of the task's exact id. An unknown id and inputs that the reference chokes on
// give a Report whose Result is None; the error is for what stops scoring altogether (cancelled, task unreadable).
func Score(ctx context.Context, task *biabench.Task, run *biabench.Run, progress Progress) (result *Report, err error) {
	if task == nil || run == nil {
		return nil, errors.New("scoring needs a task and a run")
	}
	defer func() {
		if p := recover(); p != nil {
			text := fmt.Sprintf("scoring failed: %v", p)
			result, err = ended(task, Result{None: true, Reason: text}, new(Record).Set("error", text)), nil
		}
	}()
	calculate, known := calculators[task.Spec.TaskID]
	switch {
	case !known:
		text := "there is no scorer for the task id '" + task.Spec.TaskID + "'"
		return ended(task, Result{None: true, Reason: text}, new(Record)), nil
	case !isFolder(run.Dir):
		text := "the prediction folder does not exist"
		return ended(task, Result{Reason: text}, new(Record).Set("result_score", 0.0).Set("error", text)), nil
	case !isFolder(task.Truth):
		text := "the task has no evaluation folder, so there is no truth to compare with"
		return ended(task, Result{None: true, Reason: text}, new(Record).Set("result_score", nil).Set("note", text)), nil
	}
	return calculate(ctx, task, run, progress)
}

// ended is a report that no calculator was needed for.
func ended(task *biabench.Task, result Result, metrics *Record) *Report {
	r := &Report{TaskID: task.Spec.TaskID, Result: result, Threshold: task.Rubric.Threshold, Metrics: metrics}
	if task.RubricErr != nil {
		r.Threshold = 0.5
	}
	return r
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
