package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coverslip/datasets/biabench"
)

// aTree is a copy of a few submissions, good and broken, with a checklist beside the demo's tasks.
type aTree struct{ submissions, tasks, eval, checklist string }

func newTree(t *testing.T) aTree {
	t.Helper()
	tmp := t.TempDir()
	demoDir := filepath.Dir(filepath.Dir(theDemo.Tasks[0]))
	tree := aTree{filepath.Join(tmp, "subs"), filepath.Join(demoDir, "tasks"), filepath.Join(tmp, "eval"), filepath.Join(tmp, "list.yaml")}
	good := filepath.Join(tree.submissions, "ag", "s", "good")
	if err := os.CopyFS(good, os.DirFS(theDemo.Runs[theDemo.Tasks[0]][0])); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	filepath.WalkDir(tmp, func(path string, _ fs.DirEntry, _ error) error { return os.Chtimes(path, old, old) })
	broken := filepath.Join(tree.submissions, "ag", "s", "broken")
	os.MkdirAll(filepath.Join(broken, biabench.ArtifactsFolder), 0o755)
	os.WriteFile(filepath.Join(broken, biabench.SubmissionFile), []byte("{"), 0o644)
	os.WriteFile(tree.checklist, []byte("general_evaluation: {a: {checklist: [{text: 'Is it?'}]}}\nscoring: {critical_auto_fail: false}\n"), 0o644)
	return tree
}

// score runs the command and gives its rows by the last part of their folders.
func (a aTree) score(t *testing.T, more ...string) (rows map[string]map[string]any, code int, errs string) {
	t.Helper()
	var out, talk bytes.Buffer
	args := append([]string{"score", "--json", "--all", a.submissions, "--tasks", a.tasks, "--out", a.eval, "--checklist", a.checklist}, more...)
	code = Program{Out: &out, Err: &talk}.Main(context.Background(), args)
	rows = map[string]map[string]any{}
	for line := range strings.SplitSeq(strings.TrimSpace(out.String()), "\n") {
		var row map[string]any
		if line != "" {
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			rows[filepath.Base(row["submission_dir"].(string))] = row
		}
	}
	return rows, code, talk.String()
}

func filesBelow(t *testing.T, dir string) (names []string) {
	t.Helper()
	filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(rel))
		}
		return nil
	})
	return names
}

// TestTreeGoesOn: a broken submission stops nothing, what is finished is kept, and what changed is scored again.
func TestTreeGoesOn(t *testing.T) {
	tree := newTree(t)
	subs, tasks := filesBelow(t, tree.submissions), filesBelow(t, tree.tasks)
	for i, step := range []struct {
		before func()
		state  string
	}{
		{func() {}, stateScored},
		{func() {}, stateKept},
		{func() {
			later := time.Now().Add(time.Hour)
			os.Chtimes(filepath.Join(tree.submissions, "ag", "s", "good", biabench.SubmissionFile), later, later)
		}, stateScored},
		{func() {
			old := time.Now().Add(-time.Hour)
			os.Chtimes(filepath.Join(tree.submissions, "ag", "s", "good", biabench.SubmissionFile), old, old)
		}, stateKept},
		{func() { os.WriteFile(tree.checklist, []byte("general_evaluation: {}\n"), 0o644) }, stateScored},
		{func() { os.Remove(filepath.Join(tree.eval, "ag", "s", "good", "evaluation_summary.json")) }, stateScored},
	} {
		step.before()
		rows, code, errs := tree.score(t, "-j", "2")
		good, broken := rows["good"], rows["broken"]
		if code != Withheld || good["state"] != step.state || good["overall_score"] == nil || broken["state"] != stateRejected || broken["overall_score"] != nil {
			t.Fatalf("step %d: exit %d\n%v\n%v\n%s", i, code, good, broken, errs)
		}
	}
	want := []string{"ag/s/good/checklist_results.json", "ag/s/good/coverslip_remarks.json", "ag/s/good/deliverable_manifest.json",
		"ag/s/good/evaluation_summary.json", resultsFile}
	if got := filesBelow(t, tree.eval); !slices.Equal(got, want) {
		t.Errorf("wrote %q, want %q", got, want)
	}
	if !slices.Equal(subs, filesBelow(t, tree.submissions)) || !slices.Equal(tasks, filesBelow(t, tree.tasks)) {
		t.Error("something was written into submissions or tasks")
	}
}

// TestTreeAgreesWithOneRun: the same score, by the tree and alone.
func TestTreeAgreesWithOneRun(t *testing.T) {
	tree := newTree(t)
	rows, _, _ := tree.score(t)
	out := filepath.Join(t.TempDir(), "new", "one")
	var text, errs bytes.Buffer
	args := []string{"score", theDemo.Tasks[0], filepath.Join(tree.submissions, "ag", "s", "good"), "--json", "--out", out, "--checklist", tree.checklist}
	if code := (Program{Out: &text, Err: &errs}).Main(context.Background(), args); code != Done {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	var summaries [2]map[string]any
	for i, file := range []string{filepath.Join(out, "evaluation_summary.json"), rows["good"]["evaluation_summary_path"].(string)} {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &summaries[i]); err != nil {
			t.Fatal(err)
		}
		delete(summaries[i], "eval_wall_clock_s")
	}
	a, _ := json.Marshal(summaries[0])
	b, _ := json.Marshal(summaries[1])
	if !bytes.Equal(a, b) {
		t.Errorf("alone %s\nin the tree %s", a, b)
	}
}

// TestTreeStops: a stopped run says so and keeps what it has.
func TestTreeStops(t *testing.T) {
	tree := newTree(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	args := []string{"score", "--all", tree.submissions, "--tasks", tree.tasks, "--out", tree.eval, "--checklist", tree.checklist}
	if code := (Program{Out: &out, Err: &errs}).Main(ctx, args); code != Cancelled || out.Len() > 0 {
		t.Errorf("exit %d: %s%s", code, out.String(), errs.String())
	}
}

// TestTreeSurvivesPanic: a fault of ours in one submission is a failed row.
func TestTreeSurvivesPanic(t *testing.T) {
	tree := newTree(t)
	shared := tree.open(t)
	shared.ages = nil // what one asks first: a nil pointer
	if r := shared.one(context.Background(), filepath.Join(tree.submissions, "ag", "s", "good")); r.state != stateFailed || r.reason == "" {
		t.Errorf("%+v", r)
	}
}

func (a aTree) open(t *testing.T) *tree {
	t.Helper()
	opened := tree{submissions: a.submissions, tasksDir: a.tasks, out: a.eval, checklistFile: a.checklist, workers: 1}
	var errs bytes.Buffer
	if _, err := (Program{Err: &errs}).openTree(&opened); err != nil {
		t.Fatal(err)
	}
	return &opened
}

// TestTreeTellsWhatCannotBeEvaluated: a rubric whose filter makes no sense fails its own submissions, in plain words.
func TestTreeTellsWhatCannotBeEvaluated(t *testing.T) {
	tree := newTree(t)
	tree.tasks = filepath.Join(t.TempDir(), "tasks")
	dir := filepath.Join(tree.tasks, "one")
	if err := os.CopyFS(dir, os.DirFS(theDemo.Tasks[0])); err != nil {
		t.Fatal(err)
	}
	rubric := filepath.Join(dir, biabench.RubricFile)
	text, err := os.ReadFile(rubric)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(rubric, append(text, "\nchecklist_filter: null\n"...), 0o644)
	rows, code, errs := tree.score(t)
	good := rows["good"]
	if remark, _ := good["remark"].(string); code != Withheld || good["state"] != stateFailed || !strings.Contains(remark, "mapping") {
		t.Errorf("exit %d: %v %s", code, good, errs)
	}
	if rows["broken"]["state"] != stateRejected {
		t.Errorf("%v", rows["broken"])
	}
}

// TestNothingOfTheTruthIsWritten: no file of an evaluation holds the text of a file of the truth, its marker above all.
func TestNothingOfTheTruthIsWritten(t *testing.T) {
	tree := newTree(t)
	tree.tasks = filepath.Join(t.TempDir(), "tasks")
	if err := os.CopyFS(filepath.Join(tree.tasks, "one"), os.DirFS(theDemo.Tasks[0])); err != nil {
		t.Fatal(err)
	}
	const marker = "d41d8cd9-not-for-training"
	os.WriteFile(filepath.Join(tree.tasks, "one", biabench.TruthFolder, "CANARY.txt"), []byte(marker), 0o644)
	var out, errs bytes.Buffer
	args := []string{"score", "--json", "--all", tree.submissions, "--tasks", tree.tasks, "--out", tree.eval, "--checklist", tree.checklist}
	Program{Out: &out, Err: &errs}.Main(context.Background(), args)
	said := out.String() + errs.String()
	for _, name := range filesBelow(t, tree.eval) {
		text, err := os.ReadFile(filepath.Join(tree.eval, name))
		if err != nil {
			t.Fatal(err)
		}
		said += string(text)
	}
	if !strings.Contains(said, `"state":"scored"`) || strings.Contains(said, marker) || strings.Contains(said, "CANARY") {
		t.Errorf("%.2000s", said)
	}
}
