// Package evaluate makes of a score what the reference evaluator writes beside it (spec/contract.md 6 and 7.4): the
// summary, the list of checklist items and the manifest of deliverables. It returns values and writes nothing.
package evaluate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"coverslip/datasets/biabench"
	"coverslip/datasets/fault"
	"coverslip/scoring/checklist"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// Names of the files that an evaluation consists of, with checklist.ResultsFile.
const (
	SummaryFile  = "evaluation_summary.json"
	ManifestFile = "deliverable_manifest.json"
)

// Input is what an evaluation is made of.
type Input struct {
	TaskID    string
	Task      *biabench.Task       // nil: no task folder
	Dir       string               // the prediction folder
	Scorer    *report.Record       // the calculator's dict
	Checklist *checklist.Checklist // of the benchmark; nil: it has no checklist file
	Metadata  map[string]any       // what is known of the run: submission.json or the run manifest
	Seconds   float64              // how long scoring took

	// Of a submission: its folder, and what was found out about it. They add the audit and the gate.
	Submission string
	Validation *biabench.Validation
}

// Evaluation holds the three files.
type Evaluation struct {
	Summary  *report.Record
	Items    []*report.Record   // checklist_results.json
	Manifest *biabench.Manifest // nil where the task declares no deliverables
}

// Evaluate makes the files of one evaluation. It fails where the reference's checklist step does: on a rubric that is
// missing or whose filter makes no sense.
func Evaluate(ctx context.Context, in Input) (*Evaluation, error) {
	items, declared, err := in.checklist()
	if err != nil {
		return nil, err
	}
	settings := checklist.None().Settings
	if in.Checklist != nil {
		settings = in.Checklist.Settings
	}
	e := &Evaluation{Items: checklist.Results(items)}
	o := outcomeOf(in.Scorer, in.threshold())
	process := checklist.ScoreOf(e.Items, settings)
	coverage := checklist.Coverage(declared, slices.Concat(in.runMetrics(), scalars(o.metrics)))
	e.Summary = new(report.Record).Set("task_id", in.TaskID).Set("checklist_score", process.JSON()).
		Set("result_score", o.json()).Set("outcome_evaluable", !o.none).Set("overall_score", o.rounded()).Set("passed", o.passed).
		Set("result_status", o.status).Set("needs_review", o.review).Set("review_reason", o.reviewReason()).
		Set("message", message(process, o)).Set("eval_wall_clock_s", numeric.Round(in.Seconds, 3)).
		Set("checklist_details", process.Details).Set("metric_coverage", coverage).Set("result_metrics", o.metrics)
	if in.Task != nil {
		e.Manifest = Manifest(ctx, in.Dir, in.Task.Spec.Deliverables)
	}
	if in.Validation != nil {
		e.addValidation(*in.Validation)
		e.gate(*in.Validation, in.Submission)
	}
	return e, ctx.Err()
}

// checklist gives the items for the task and the metrics that its rubric declares. Without a checklist file there are
// neither.
func (in Input) checklist() (items []checklist.Item, declared []string, err error) {
	var filter checklist.Filter
	if in.Task != nil {
		if errors.Is(in.Task.RubricErr, fault.Missing) {
			return nil, nil, in.Task.RubricErr
		}
		rubric := []byte(in.Task.Rubric.Raw)
		if filter, err = checklist.ReadFilter(filepath.Join(in.Task.Dir, biabench.RubricFile), rubric); err != nil {
			return nil, nil, err
		}
		declared = checklist.DeclaredMetrics(rubric)
	}
	if in.Checklist == nil {
		return nil, nil, nil
	}
	return checklist.Select(in.Checklist.Items, filter), declared, nil
}

func (in Input) threshold() float64 {
	if in.Task == nil || in.Task.RubricErr != nil {
		return biabench.DefaultThreshold
	}
	return in.Task.Rubric.Threshold
}

// runMetrics names what the run itself says it measured. Only the file in the prediction folder counts, so that a packaged
// submission, whose file lies in artifacts/supporting, normally has none.
func (in Input) runMetrics() []string {
	fields, _ := biabench.ReadJSONObject(filepath.Join(in.Dir, "run_metrics.json")) // anything wrong: none
	var names []string
	for name, v := range fields {
		switch v.(type) {
		case []any, map[string]any:
		default:
			names = append(names, name)
		}
	}
	const runtime = "total_runtime_seconds"
	if !slices.Contains(names, runtime) {
		duration, given := in.Metadata["duration_seconds"]
		if !given {
			duration = in.Metadata["runtime_seconds"]
		}
		if duration != nil {
			names = append(names, runtime)
		}
	}
	return names
}

// scalars names the fields of a calculator's dict that are numbers, texts or booleans.
func scalars(metrics *report.Record) []string {
	var names []string
	for _, key := range metrics.Keys() {
		switch metrics.Get(key).(type) {
		case float64, int, int64, string, bool:
			names = append(names, key)
		}
	}
	return names
}

// message is the summary in one line, as the reference words it.
func message(process checklist.Score, o outcome) string {
	text := checklist.Message(process, o.value, o.none, o.passed, o.threshold)
	if n := len(process.Critical); n > 0 {
		text += fmt.Sprintf("; critical_failures=%d", n)
	}
	if o.review {
		text += "; NEEDS_REVIEW(" + unmatchedKeys + ")"
	}
	return text
}
