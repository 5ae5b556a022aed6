// Package calltest runs calculators on recorded cases: task folders with a run and the reference's answer to both, from a
// package's testdata and from the shared cases where those are present.
package calltest

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/scoring/report"
)

// Calculator is the form of every calculator.
type Calculator func(context.Context, *biabench.Task, *biabench.Run, func(done, total int)) (*report.Report, error)

// Case is one recorded case.
type Case struct {
	Name, Task, Pred string // a name for messages, the task's folder, the prediction folder
	Score            *float64
	Metrics, Objects json.RawMessage
	Raised           string
}

// Cases lists the cases of a task: testdata/<task id>/*, the shared golden ones, and the shared real ones that fit the
// pattern (of task folders, with runs below runs/).
func Cases(t testing.TB, taskID, real string) (list []Case) {
	t.Helper()
	add := func(pattern string, taskOf func(string) string) {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			dir := filepath.Dir(file)
			c := Case{Name: filepath.Base(filepath.Dir(dir)) + "/" + filepath.Base(dir), Task: taskOf(dir), Pred: filepath.Join(dir, "pred")}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var want struct {
				ResultScore      *float64 `json:"result_score"`
				Metrics, Objects json.RawMessage
				Raised           string
			}
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			c.Score, c.Metrics, c.Objects, c.Raised = want.ResultScore, want.Metrics, want.Objects, want.Raised
			list = append(list, c)
		}
	}
	itself := func(dir string) string { return dir }
	local, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	add(filepath.Join(local, taskID, "*", "expected.json"), itself)
	if shared := Shared(); shared != "" {
		add(filepath.Join(shared, "golden", taskID, "*", "expected.json"), itself)
		if real != "" {
			add(filepath.Join(shared, "real", "tasks", real, "runs", "*", "expected.json"), func(dir string) string { return filepath.Dir(filepath.Dir(dir)) })
		}
	} else {
		t.Log("the shared cases are absent: only testdata is checked")
	}
	if len(list) == 0 {
		t.Fatal("no cases of " + taskID)
	}
	return list
}

// Shared is the folder of shared cases beside the repository, "" if there is none.
func Shared() string {
	dir, err := filepath.Abs(".")
	for err == nil && dir != filepath.Dir(dir) {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			s, err := filepath.EvalSymlinks(filepath.Join(filepath.Dir(dir), "shared"))
			if err != nil {
				return ""
			}
			return s
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

// Run scores a task folder's run.
func Run(t testing.TB, calculate Calculator, taskDir, predDir string) *report.Report {
	t.Helper()
	task, err := biabench.OpenTask(taskDir, "")
	if err != nil {
		t.Fatal(err)
	}
	return RunTask(t, calculate, task, predDir)
}

// RunTask scores a run of an opened task.
func RunTask(t testing.TB, calculate Calculator, task *biabench.Task, predDir string) *report.Report {
	t.Helper()
	r, err := calculate(t.Context(), task, &biabench.Run{Dir: predDir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Check holds a report's result and record against a case's.
func Check(t *testing.T, c Case, r *report.Report) {
	t.Helper()
	switch want := c.Score; {
	case want == nil != r.Result.None:
		t.Errorf("result: got %+v, want %v", r.Result, want)
	case want != nil && r.Result.Value != *want:
		t.Errorf("result: got %v, want %v", r.Result.Value, *want)
	}
	text, err := json.Marshal(r.Metrics)
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(c.Metrics, &want); err != nil {
		t.Fatal(err)
	}
	same(t, "metrics", got, want)
}

// loose are texts of which only the presence counts.
var loose = []string{"error", "note", "reason"}

// same compares two values of JSON: equal fields, numbers within 1e-9.
func same(t *testing.T, where string, got, want any) {
	t.Helper()
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(g) != len(w) {
			t.Errorf("%s: got %v, want %v", where, got, want)
			return
		}
		for key, value := range w {
			v, there := g[key]
			if !there {
				t.Errorf("%s: no field %s", where, key)
			} else if !slices.Contains(loose, key) {
				same(t, where+"."+key, v, value)
			}
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			t.Errorf("%s: got %v, want %v", where, got, want)
			return
		}
		for i := range w {
			same(t, fmt.Sprintf("%s[%d]", where, i), g[i], w[i])
		}
	case float64:
		if g, ok := got.(float64); !ok || math.Abs(g-w) > 1e-9 {
			t.Errorf("%s: got %v, want %v", where, got, want)
		}
	default:
		if got != want {
			t.Errorf("%s: got %v, want %v", where, got, want)
		}
	}
}

// CheckCosts holds the sum of the costs of the official marks against 1 - score.
func CheckCosts(t *testing.T, r *report.Report, score float64) {
	t.Helper()
	total := 0.0
	for _, m := range r.Marks {
		if !m.Diagnostic {
			total += m.Cost
		}
		if m.Image < 0 || m.Image >= len(r.Images) || m.Text == "" || strings.HasSuffix(m.Text, ".") {
			t.Errorf("a mark without image or text: %+v", m)
		}
	}
	if math.Abs(total-(1-score)) > 1e-9 {
		t.Errorf("costs add up to %v, want %v", total, 1-score)
	}
}

// WriteTask makes a task folder of its files by path, with a spec of one line each deliverable, and opens it.
func WriteTask(t testing.TB, id string, deliverables string, rubric string, files map[string][]byte) *biabench.Task {
	t.Helper()
	dir := t.TempDir()
	spec := "task_id: " + id + "\ninput:\n  folder: input\n  spatial_dimensions: 2D\ntask_logic:\n  primary_task: segmentation\n" +
		"  sub_tasks: []\n  basic_instructions: Do it.\n  expert_instructions: Do it well.\ndeliverables:\n" + deliverables
	if rubric == "" {
		rubric = "type: test"
	}
	all := map[string][]byte{"task_spec.yaml": []byte(spec), "evaluation_rubric.yaml": []byte("metric_config:\n  " + rubric + "\n"), "evaluation/CANARY.txt": nil, "pred/.keep": nil}
	for name, content := range files {
		all[name] = content
	}
	for name, content := range all {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	task, err := biabench.OpenTask(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	return task
}
