package evaluate

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/scoring"
	"coverslip/scoring/checklist"
	"coverslip/scoring/report"
)

// cases reads the cases of a file, or skips where it is not there.
func cases[C any](t *testing.T, path string) []C {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Skip("the shared folder is not beside the repository")
	}
	var file struct{ Cases []C }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file.Cases
}

// beside is a path in the folder that holds the repository.
func beside(parts ...string) string {
	dir, _ := filepath.Abs(".")
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	return filepath.Join(append([]string{filepath.Dir(dir)}, parts...)...)
}

func golden(parts ...string) string {
	return beside(append([]string{"shared", "golden", "_contract"}, parts...)...)
}

// record makes a calculator's dict of a JSON object.
func record(fields map[string]any) *report.Record {
	r := new(report.Record)
	for k, v := range fields {
		if inner, ok := v.(map[string]any); ok {
			v = record(inner)
		}
		r.Set(k, v)
	}
	return r
}

// asJSON is a value as a reader of the file sees it.
func asJSON(t *testing.T, v any) map[string]any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

// sameFields compares the fields that are wanted; of result_metrics the names alone.
func sameFields(t *testing.T, got, want map[string]any) {
	t.Helper()
	for key, w := range want {
		g, ok := got[key]
		switch {
		case key == "result_metrics":
			g = any(sortedNames(g))
		case key == "review_reason_given":
			g, ok = got["review_reason"] != nil, true
		}
		if !reflect.DeepEqual(g, w) || (!ok && w != nil) {
			t.Errorf("%s is %v, want %v", key, g, w)
		}
	}
}

func sortedNames(v any) []any {
	names := []any{}
	fields, _ := v.(map[string]any)
	for k := range fields {
		names = append(names, k)
	}
	slices.SortFunc(names, func(a, b any) int {
		if a.(string) < b.(string) {
			return -1
		}
		return 1
	})
	return names
}

func TestOutcome(t *testing.T) {
	type vector struct {
		Name, Rubric string
		Scorer       map[string]any
		Expected     map[string]any
	}
	for _, path := range []string{"testdata/outcome.json", golden("outcome.json")} {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			for _, c := range cases[vector](t, path) {
				t.Run(c.Name, func(t *testing.T) {
					task := &biabench.Task{}
					task.Rubric, task.RubricErr = biabench.ReadRubric("rubric", []byte(c.Rubric))
					e, err := Evaluate(context.Background(), Input{TaskID: "t", Task: task, Dir: t.TempDir(), Scorer: record(c.Scorer)})
					if err != nil {
						t.Fatal(err)
					}
					sameFields(t, asJSON(t, e.Summary), c.Expected)
				})
			}
		})
	}
}

// TestNotANumber is evaluable, does not pass, and is null in the file.
func TestNotANumber(t *testing.T) {
	e, err := Evaluate(context.Background(), Input{TaskID: "t", Dir: t.TempDir(), Scorer: new(report.Record).Set("result_score", math.NaN())})
	if err != nil {
		t.Fatal(err)
	}
	sameFields(t, asJSON(t, e.Summary), map[string]any{"result_score": nil, "outcome_evaluable": true, "passed": false,
		"message": "checklist=NA (no decided items); result=nan; passed=False (tau=0.50)"})
}

func benchmarkChecklist(t *testing.T) *checklist.Checklist {
	t.Helper()
	list, err := checklist.Open(beside("shared", "biabench", checklist.FileName))
	if err != nil {
		t.Skip("the benchmark's checklist is not beside the repository")
	}
	return list
}

func TestEvaluate(t *testing.T) {
	type vector struct {
		Name    string
		TaskID  string         `json:"task_id"`
		TaskDir *string        `json:"task_dir"`
		PredDir string         `json:"pred_dir"`
		Truth   *string        `json:"gt_dir"`
		Run     map[string]any `json:"run_metadata"`
		Summary map[string]any
		Missing map[string]any `json:"missing_deliverable"`
		N       int            `json:"n_checklist"`
		Keys    []string       `json:"first_checklist_keys"`
		Files   map[string]any `json:"manifest"`
	}
	list := benchmarkChecklist(t)
	for _, c := range cases[vector](t, golden("evaluate.json")) {
		t.Run(c.Name, func(t *testing.T) {
			if c.Truth != nil {
				t.Fatal("a case with a truth, which this test does not know")
			}
			dir := golden(filepath.FromSlash(c.PredDir))
			task := &biabench.Task{Spec: biabench.Spec{TaskID: c.TaskID}}
			in := Input{TaskID: c.TaskID, Dir: dir, Checklist: list, Metadata: c.Run}
			if c.TaskDir != nil {
				var err error
				if task, err = biabench.OpenTask(beside(filepath.FromSlash(*c.TaskDir)), ""); err != nil {
					t.Fatal(err)
				}
				in.Task = task
			}
			r, err := scoring.Score(context.Background(), task, &biabench.Run{Path: dir, Dir: dir}, nil)
			if err != nil {
				t.Fatal(err)
			}
			in.Scorer = r.Metrics
			e, err := Evaluate(context.Background(), in)
			if err != nil {
				t.Fatal(err)
			}
			summary := asJSON(t, e.Summary)
			sameFields(t, summary, c.Summary)
			metrics, _ := summary["result_metrics"].(map[string]any)
			missing, _ := metrics["missing_deliverable"].(map[string]any)
			sameFields(t, missing, c.Missing)
			if len(e.Items) != c.N || (c.N > 0 && !reflect.DeepEqual(e.Items[0].Keys(), c.Keys)) {
				t.Errorf("%d items with %q, want %d with %q", len(e.Items), e.Items[0].Keys(), c.N, c.Keys)
			}
			checkManifest(t, e.Manifest, c.Files)
		})
	}
}

// checkManifest compares all but the words of a reason.
func checkManifest(t *testing.T, got *biabench.Manifest, want map[string]any) {
	t.Helper()
	if (got == nil) != (want == nil) {
		t.Fatalf("manifest %v, want %v", got, want)
	}
	if got == nil {
		return
	}
	g := asJSON(t, got)
	for _, m := range []map[string]any{g, want} {
		for _, r := range m["rejected"].([]any) {
			delete(r.(map[string]any), "reason")
		}
	}
	if !reflect.DeepEqual(g, want) {
		t.Errorf("manifest %v, want %v", g, want)
	}
}

func TestSubmission(t *testing.T) {
	type vector struct {
		Name       string
		Dir        string
		Root       string `json:"tasks_root"`
		Validation struct {
			Status   string
			Errors   []string
			Warnings [][2]*string
			Audit    map[string]any `json:"artifact_audit"`
		}
		Evaluation struct {
			TaskID  string `json:"task_id"`
			Agent   string `json:"agent_name"`
			RunID   string `json:"run_id"`
			Score   any    // of the result row: see the contract for the process-only one
			Process any    `json:"checklist_score"`
			Result  any    `json:"result_score"`
			Passed  any
			Summary map[string]any
			Keys    []any `json:"summary_keys"`
		}
	}
	list := benchmarkChecklist(t)
	for _, c := range cases[vector](t, golden("submission.json")) {
		t.Run(c.Name, func(t *testing.T) {
			dir := golden(filepath.FromSlash(c.Dir))
			if c.Name == "empty-artifacts" && !biabench.IsFolder(filepath.Join(dir, biabench.ArtifactsFolder)) {
				dir = withEmptyArtifacts(t, dir)
			}
			tasks, err := biabench.FindTasks(beside(filepath.FromSlash(c.Root)), func(err error) { t.Error(err) })
			if err != nil {
				t.Fatal(err)
			}
			v, err := biabench.Validate(context.Background(), dir, tasks)
			if err != nil {
				t.Fatal(err)
			}
			want := c.Evaluation
			if v.TaskID != want.TaskID || v.Agent != want.Agent || (v.RunID != want.RunID && dir == golden(filepath.FromSlash(c.Dir))) {
				t.Errorf("is of %q by %q, %q; want %q, %q, %q", v.TaskID, v.Agent, v.RunID, want.TaskID, want.Agent, want.RunID)
			}
			checkValidation(t, v, c.Validation.Status, c.Validation.Errors, c.Validation.Warnings, c.Validation.Audit)
			if !v.Accepted {
				return
			}
			run, err := biabench.OpenRun(context.Background(), dir)
			if err != nil {
				t.Fatal(err)
			}
			r, err := scoring.Score(context.Background(), tasks[v.TaskID], run, nil)
			if err != nil {
				t.Fatal(err)
			}
			e, err := Evaluate(context.Background(), Input{TaskID: v.TaskID, Task: tasks[v.TaskID], Dir: run.Dir, Scorer: r.Metrics,
				Checklist: list, Metadata: v.Fields, Submission: dir, Validation: &v})
			if err != nil {
				t.Fatal(err)
			}
			summary := asJSON(t, e.Summary)
			sameFields(t, summary, want.Summary)
			sameFields(t, summary, map[string]any{"checklist_score": want.Process, "result_score": want.Result, "passed": want.Passed, "overall_score": want.Score})
			if got := sortedNames(summary); !reflect.DeepEqual(got, want.Keys) {
				t.Errorf("fields %q, want %q", got, want.Keys)
			}
		})
	}
}

// withEmptyArtifacts is a copy of a submission that has a folder without files, which not every archive keeps.
func withEmptyArtifacts(t *testing.T, dir string) string {
	t.Helper()
	tmp := filepath.Join(t.TempDir(), filepath.Base(dir))
	text, err := os.ReadFile(filepath.Join(dir, biabench.SubmissionFile))
	if err != nil {
		t.Fatal(err)
	}
	os.MkdirAll(filepath.Join(tmp, biabench.ArtifactsFolder), 0o755)
	os.WriteFile(filepath.Join(tmp, biabench.SubmissionFile), text, 0o644)
	return tmp
}

func checkValidation(t *testing.T, v biabench.Validation, status string, errs []string, warnings [][2]*string, audit map[string]any) {
	t.Helper()
	if v.Accepted != (status == "accepted") {
		t.Errorf("accepted %v, want %s", v.Accepted, status)
	}
	codes := []string{}
	for _, e := range v.Errors {
		codes = append(codes, e.Code)
	}
	if !slices.Equal(codes, errs) {
		t.Errorf("errors %q, want %q", codes, errs)
	}
	if len(v.Warnings) != len(warnings) {
		t.Fatalf("warnings %v, want %d", v.Warnings, len(warnings))
	}
	for i, w := range warnings {
		field := ""
		if w[1] != nil {
			field = *w[1]
		}
		if v.Warnings[i].Code != *w[0] || v.Warnings[i].Field != field {
			t.Errorf("warning %v, want %s %s", v.Warnings[i], *w[0], field)
		}
	}
	got := map[string]any{}
	if v.Audit != nil {
		got = asJSON(t, v.Audit)
		for i, r := range v.Audit.Rejected {
			fields := got["rejected_files"].([]any)[i].(map[string]any)
			delete(fields, "reason")
			fields["code"] = r.Code
		}
	}
	if !reflect.DeepEqual(got, audit) {
		t.Errorf("audit %v, want %v", got, audit)
	}
}
