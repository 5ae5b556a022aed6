// Package call is the common ground of calculators (spec/scorers-segmentation-tracking.md 1): one Call of a calculator
// finds deliverables, ends early in the ways that the reference knows, numbers the paths that two machines agree on, and
// collects notes and the lines of "how this number is made".
package call

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/fault"
	"coverslip/datasets/tabular/python"
	"coverslip/scoring/report"
)

// Call is one call of a calculator. Report is what it fills.
type Call struct {
	Ctx      context.Context
	Task     *biabench.Task
	Run      *biabench.Run
	Report   *report.Report
	Progress func(done, total int) // never nil

	resolution biabench.Resolution
}

// New begins a call. progress may be nil.
func New(ctx context.Context, task *biabench.Task, run *biabench.Run, progress func(done, total int)) *Call {
	if progress == nil {
		progress = func(int, int) {}
	}
	threshold := biabench.DefaultThreshold
	if task.RubricErr == nil {
		threshold = task.Rubric.Threshold
	}
	return &Call{Ctx: ctx, Task: task, Run: run, Progress: progress,
		Report: &report.Report{TaskID: task.Spec.TaskID, Threshold: threshold}}
}

// Do makes a call of a calculator's body and finishes its report. The error is for a cancelled context alone: any other
// error of the body means that the reference fails on these inputs, and gives a report without a result.
func Do(ctx context.Context, task *biabench.Task, run *biabench.Run, progress func(done, total int), body func(*Call) error) (*report.Report, error) {
	c := New(ctx, task, run, progress)
	err := body(c)
	if ctxErr := ctx.Err(); ctxErr != nil {
		return nil, ctxErr
	}
	if err != nil {
		c.crash(err)
	}
	c.deliverableNotes()
	return c.Report, nil
}

// Deliverable finds the files of a deliverable. One that the spec does not declare makes the reference fail.
func (c *Call) Deliverable(id string) (biabench.Resolved, error) {
	if c.resolution.Deliverables == nil {
		c.resolution = biabench.Resolve(c.Ctx, c.Run.Dir, c.Task.Spec.Deliverables)
		if err := c.Ctx.Err(); err != nil {
			return biabench.Resolved{}, err
		}
	}
	d, ok := c.resolution.ByID(id)
	if !ok {
		return d, fmt.Errorf("the task's spec declares no deliverable '%s'", id)
	}
	return d, nil
}

// None ends with no result and a note: the inputs do not allow a judgement.
func (c *Call) None(note string) {
	c.Report.Result = report.Result{None: true, Reason: note}
	c.Report.Metrics = new(report.Record).Set("result_score", nil).Set("note", note)
	c.Report.Marks, c.Report.Images = nil, nil
}

func (c *Call) crash(err error) {
	text := Reason(err)
	c.Report.Result = report.Result{None: true, Reason: text}
	c.Report.Metrics = new(report.Record).Set("error", text)
	c.Report.Marks, c.Report.Images, c.Report.Method, c.Report.Primary, c.Report.NeedsReview = nil, nil, nil, "", ""
}

// Zero ends with a score of 0 and an error: the answer gave nothing to judge. The truths (files) are listed as missing,
// and each answers for its share of the loss.
func (c *Call) Zero(text string, truths ...string) *report.Record {
	c.Report.Result = report.Result{Reason: text}
	c.Report.Metrics = new(report.Record).Set("result_score", 0.0).Set("error", text)
	c.Report.Marks, c.Report.Images, c.Report.Primary = nil, nil, ""
	for i, file := range truths {
		c.Report.Images = append(c.Report.Images, report.Image{Name: biabench.Stem(file), Truth: file, Status: report.MissingAnswer, Reason: text})
		c.Report.Marks = append(c.Report.Marks, report.Mark{Kind: report.Whole, Image: i, Cost: 1 / float64(len(truths)), Text: "Counts 0: " + text})
	}
	return c.Report.Metrics
}

// Missing ends with the record of a deliverable that was not delivered.
func (c *Call) Missing(d biabench.Resolved, truths ...string) {
	record := c.Zero("deliverable '"+d.Deliverable.ID+"' "+d.Err, truths...)
	detail := new(report.Record).Set("id", d.Deliverable.ID).Set("reason", d.Err).
		Set("filename_pattern", d.Deliverable.Pattern).Set("pred_dir", filepath.Base(c.Run.Dir))
	var rejected []*report.Record
	for _, f := range c.resolution.Rejected {
		if f.Deliverable == d.Deliverable.ID {
			rejected = append(rejected, new(report.Record).Set("file", c.Shown(f.File)).Set("reason", f.Reason))
		}
	}
	if rejected != nil {
		detail.Set("rejected", rejected)
	}
	record.Set("missing_deliverable", detail)
}

// Shown is a file's path from the prediction folder's name on, with slashes: what two machines agree on.
func (c *Call) Shown(file string) string { return from(c.Run.Dir, file) }

// ShownTruth is the same for a file of the truth folder.
func (c *Call) ShownTruth(file string) string { return from(c.Task.Truth, file) }

// TruthFolder is the name that the truth folder has in records.
func (c *Call) TruthFolder() string { return filepath.Base(c.Task.Truth) }

// from is a file's path from a folder's name on. Links of the folder's own path may have been followed.
func from(dir, file string) string {
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	roots := []string{dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		roots = append(roots, real)
	}
	for _, root := range roots {
		abs, err := filepath.Abs(root)
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(abs, file); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return filepath.ToSlash(filepath.Join(filepath.Base(dir), rel))
		}
	}
	return filepath.Base(file)
}

// Review says that a person should look before the score is taken at face value: n of total images are as said.
func (c *Call) Review(n, total int, what string) {
	if n == 0 {
		return
	}
	text := fmt.Sprintf("%d of %s %s", n, Quantity(total, "image", "images"), what)
	if c.Report.NeedsReview != "" {
		text = c.Report.NeedsReview + "; " + text
	}
	c.Report.NeedsReview = text
}

// Number reads a number of the rubric as the reference does: numbers, truth values, and text that holds a number. Null and
// anything else make it fail. An absent key gives the fallback.
func (c *Call) Number(key string, fallback float64) (float64, error) {
	v, given := c.Task.Rubric.Metric[key]
	if !given {
		return fallback, nil
	}
	switch n := v.(type) {
	case float64:
		return n, nil
	case int:
		return float64(n), nil
	case int64:
		return float64(n), nil
	case bool:
		if n {
			return 1, nil
		}
		return 0, nil
	case string:
		if f, ok := python.Float(python.Trim(n)); ok {
			return f, nil
		}
	}
	return 0, fmt.Errorf("the rubric's %s is no number", key)
}

// Reason is an error's text without the path, which stands beside it.
func Reason(err error) string {
	var e *fault.Error
	if errors.As(err, &e) {
		if e.At != "" {
			return e.At + ", " + e.Reason()
		}
		return e.Reason()
	}
	return err.Error()
}
