package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"coverslip/datasets/atomic"
	"coverslip/datasets/biabench"
	"coverslip/datasets/fault"
	"coverslip/scoring/checklist"
	"coverslip/scoring/evaluate"
)

// openChecklist reads the benchmark's checklist: the file that was named, or the one in one of the folders. Without one
// there is none to fill in, which is said. sum is the file's SHA-256, "" without one.
func (p Program) openChecklist(named string, folders ...string) (list *checklist.Checklist, sum string, err error) {
	path := named
	for _, dir := range folders {
		if candidate := filepath.Join(dir, checklist.FileName); path == "" && isRegular(candidate) {
			path = candidate
		}
	}
	if path == "" {
		fmt.Fprintf(p.Err, "coverslip: there is no %s near the tasks, so the list of checklist items stays empty; --checklist names one\n", checklist.FileName)
		return nil, "", nil
	}
	if list, err = checklist.Open(path); err != nil {
		return nil, "", err
	}
	for _, text := range list.Settings.Problems {
		fmt.Fprintf(p.Err, "coverslip: %s: %s\n", path, text)
	}
	return list, list.Sum, nil
}

func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// nearTask are the folders where a task's benchmark may keep its checklist: beside the task, and one above.
func nearTask(dir string) []string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	tasks := filepath.Dir(abs)
	return []string{tasks, filepath.Dir(tasks)}
}

// evaluated makes the evaluation of a run that was scored, and writes it to a folder.
func (p Program) evaluated(ctx context.Context, s scored, out, checklistFile string) error {
	if err := outside(out, s.paths()...); err != nil {
		return err
	}
	list, sum, err := p.openChecklist(checklistFile, nearTask(s.task.Dir)...)
	if err != nil {
		return err
	}
	in := evaluate.Input{TaskID: s.task.Spec.TaskID, Task: s.task, Dir: s.run.Dir, Scorer: s.report.Metrics, Checklist: list, Seconds: s.seconds}
	if dir := s.run.Submission; dir != "" {
		v, err := biabench.Validate(ctx, dir, map[string]*biabench.Task{s.task.Spec.TaskID: s.task})
		if err != nil {
			return err
		}
		in.Submission, in.Validation, in.Metadata = dir, &v, v.Fields
		for _, e := range v.Errors {
			fmt.Fprintf(p.Err, "coverslip: the reference evaluator would turn this submission away: %s\n", e.Message)
		}
	}
	e, err := evaluate.Evaluate(ctx, in)
	if err != nil {
		return err
	}
	return writeEvaluation(out, e, remarksOf(s.task, s.report, sum))
}

// outside makes sure that nothing is written into what is read.
func outside(out string, sources ...string) error {
	for _, source := range sources {
		if source != "" && inside(out, source) {
			return &fault.Error{Kind: fault.Inconsistent, File: out, Found: "a folder in what is being looked at",
				Expected: "a folder elsewhere", Fix: "Tasks, truths and runs are never written into; choose another folder"}
		}
	}
	return nil
}

// writeEvaluation writes the files of an evaluation, the summary last: where it is, the evaluation is whole.
func writeEvaluation(dir string, e *evaluate.Evaluation, notes remarks) error {
	if err := makeFolder(dir); err != nil {
		return err
	}
	err := atomic.Write(filepath.Join(dir, checklist.ResultsFile), func(w io.Writer) error { return checklist.WriteResults(w, e.Items) })
	if err == nil && e.Manifest != nil {
		err = writeJSON(filepath.Join(dir, evaluate.ManifestFile), e.Manifest)
	}
	if err == nil {
		err = writeJSON(filepath.Join(dir, remarksFile), notes)
	}
	if err == nil {
		err = writeJSON(filepath.Join(dir, evaluate.SummaryFile), e.Summary)
	}
	return err
}

func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return &fault.Error{Kind: fault.Missing, File: dir, Found: "a folder that cannot be made", Err: err}
	}
	return nil
}

func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return atomic.Write(path, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s\n", text)
		return err
	})
}

// clock tells the seconds since start.
func clock(start time.Time) float64 { return time.Since(start).Seconds() }

// reasonOf is an error without the path, for a table that has one already.
func reasonOf(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Reason()
	}
	return err.Error()
}
