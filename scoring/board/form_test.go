package board

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/biabench"
)

// entryText is a good entry of two tasks.
const entryText = `{"schema_version": "1", "id": "good-entry", "source": "community", "submitted": "2026-01-31",
 "submitter": {"name": "S", "affiliation": null, "contact": "s@e"}, "agent": {"name": "H", "version": "1", "class": "biology", "url": "https://x"},
 "model": {"name": "M", "identifier": "v/m"}, "settings": {"dataset_revision": "v1", "instruction_level": "brief", "repeats": 1.0, "judge_model": "j"},
 "artifacts": {"url": "http://x"}, "tasks": {
 "t0": {"runs": [{"run_id": "r", "status": "delivered", "outcome": 0.5, "process": 1, "input_tokens": 3.0, "cost_usd": 0}]},
 "t1": {"runs": [{"run_id": "r", "status": "refused", "outcome": null}]}}}`

var twoTasks = []string{"t0", "t1"}

// TestForm: what each change of a good entry is told, and at which place.
func TestForm(t *testing.T) {
	good, err := Read("dir/good-entry.json", []byte(entryText), twoTasks)
	if err != nil || len(good.Problems) > 0 || good.Entry.Settings.Repeats != 1 || *good.Entry.Tasks["t0"].Runs[0].InputTokens != 3 {
		t.Fatalf("%+v, %v", good, err)
	}
	for _, c := range []struct{ old, new, path, text string }{
		{`"schema_version": "1"`, `"schema_version": 1`, "schema_version", `expected "1", found the number 1`},
		{`"id": "good-entry"`, `"id": "Good entry"`, "id", "expected 3 to 80"},
		{`"community"`, `"ours"`, "source", `"paper" or "community"`},
		{`"2026-01-31"`, `"20260131"`, "submitted", "a date"},
		{`"name": "S", `, ``, "submitter.name", "missing"},
		{`"contact": "s@e"`, `"contact": "s@"`, "submitter.contact", "3 characters or more"},
		{`"affiliation": null`, `"affiliation": [1]`, "submitter.affiliation", "text or null, found a list of 1"},
		{`{"name": "H"`, `{"colour": 1, "name": "H"`, "agent.colour", "no such key"},
		{`"class": "biology"`, `"class": "other"`, "agent.class", "general"},
		{`"url": "https://x"`, `"url": "ftp://x"`, "agent.url", "http://"},
		{`{"name": "M", "identifier": "v/m"}`, `[]`, "model", "an object, found a list of 0"},
		{`"brief"`, `"basic"`, "settings.instruction_level", "brief"},
		{`"repeats": 1.0`, `"repeats": 1.5`, "settings.repeats", "a whole number, 1 or more"},
		{`"repeats": 1.0`, `"repeats": 1e400000000`, "settings.repeats", "a whole number"},
		{`"repeats": 1.0`, `"repeats": true`, "settings.repeats", "found true"},
		{`, "judge_model": "j"`, ``, "settings.judge_model", "missing"},
		{`"artifacts": {"url": "http://x"}`, `"artifacts": {}`, "artifacts.url", "missing"},
		{`"t1": {`, `"t2": {`, "tasks.t1", "missing"},
		{`"t1": {`, `"t2": {`, "tasks.t2", "no task of the benchmark"},
		{`"tasks": {`, `"more": 1, "tasks": {`, "more", "no such key"},
		{`[{"run_id": "r", "status": "refused", "outcome": null}]`, `[]`, "tasks.t1.runs", "one run or more"},
		{`{"run_id": "r", "status": "refused", "outcome": null}`, `3`, "tasks.t1.runs[0]", "an object"},
		{`"status": "refused"`, `"status": "lost"`, "tasks.t1.runs[0].status", "delivered"},
		{`"outcome": 0.5`, `"outcome": 1.5`, "tasks.t0.runs[0].outcome", "a number from 0 to 1 or null"},
		{`"outcome": 0.5`, `"outcome": true`, "tasks.t0.runs[0].outcome", "found true"},
		{`"cost_usd": 0`, `"cost_usd": -1`, "tasks.t0.runs[0].cost_usd", "not below 0"},
		{`"input_tokens": 3.0`, `"input_tokens": "3"`, "tasks.t0.runs[0].input_tokens", "a whole number, 0 or more or null"},
	} {
		text := strings.Replace(entryText, c.old, c.new, 1)
		f, err := Read("good-entry.json", []byte(text), twoTasks)
		hit := slices.ContainsFunc(f.Problems, func(p Problem) bool {
			return p.Code == Form && p.Path == c.path && strings.Contains(p.Text, c.text)
		})
		if text == entryText || err != nil || !hit {
			t.Errorf("%s: %v, %v", c.new, f.Problems, err)
		}
	}
}

// TestReadRefuses what is no entry at all.
func TestReadRefuses(t *testing.T) {
	for _, text := range []string{"", "[]", "null", "{", entryText + "{}"} {
		if _, err := Read("x.json", []byte(text), twoTasks); err == nil {
			t.Errorf("%.20q is taken", text)
		}
	}
}

// TestEntries of a folder: a built board is none, two of one id are told.
func TestEntries(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b]")
	os.MkdirAll(dir, 0o755)
	for name, text := range map[string]string{"good-entry.json": entryText, "leaderboard.json": "[]"} {
		os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
	}
	other := filepath.Join(t.TempDir(), "good-entry.json")
	os.WriteFile(other, []byte(entryText), 0o644)
	files, err := Entries([]string{dir, other}, twoTasks)
	if err != nil || len(files) != 2 || len(files[0].Problems) != 0 || len(files[1].Problems) != 1 || files[1].Problems[0].Code != DuplicateID {
		t.Errorf("%+v, %v", files, err)
	}
	if _, err := Entries([]string{t.TempDir()}, twoTasks); err == nil {
		t.Error("no error for a folder without entries")
	}
}

// TestPack makes an entry that passes its own checks, and tells what is missing.
func TestPack(t *testing.T) {
	half, judge := 0.5, "j"
	like, err := Read("good-entry.json", []byte(entryText), twoTasks)
	if err != nil {
		t.Fatal(err)
	}
	like.Entry.Settings.InstructionLevel, like.Entry.Model.Identifier, like.Entry.Settings.JudgeModel = "", "", &judge
	tokens := Count(1_000_000)
	run := func(task, id string) Evaluated {
		return Evaluated{Task: task, RunID: id, Label: "success", Result: &half, Process: &half, Model: "openai/gpt-5.6-sol", Instruction: "brief",
			InputTokens: &tokens, OutputTokens: &tokens}
	}
	e, problems := Pack(like.Entry, []Evaluated{run("t1", "b"), run("t0", "b"), run("t0", "a")}, twoTasks)
	if len(problems) > 0 || e.Tasks["t0"].Runs[0].ID != "a" || e.Settings.Repeats != 2 || *e.Settings.CostProvenance != "list_price" || e.Model.Identifier != "openai/gpt-5.6-sol" {
		t.Errorf("%+v, %v", e, problems)
	}
	e.Settings.Repeats = 1 // of two tasks with one and two runs the smaller number counts
	var b strings.Builder
	if err := WriteJSON(&b, e); err != nil {
		t.Fatal(err)
	}
	if again, err := Read("good-entry.json", []byte(b.String()), twoTasks); err != nil || len(again.Problems) > 0 {
		t.Errorf("%v, %v", again.Problems, err)
	}
	odd := run("t9", "a")
	bad := run("t0", "c")
	bad.Label, bad.Model, bad.Instruction = "unevaluated", "other", "detailed"
	like.Entry.Settings.JudgeModel = nil
	_, problems = Pack(like.Entry, []Evaluated{odd, bad, run("t0", "a")}, twoTasks)
	var paths []string
	for _, p := range problems {
		paths = append(paths, p.Path)
	}
	if want := []string{"tasks.t9", "tasks.t1", "tasks.t0", "settings.instruction_level", "model.identifier", "settings.judge_model"}; !sameSet(paths, want) {
		t.Errorf("%v", problems)
	}
}

// TestListPriceOfTheLongestName within a model's name, wherever both stand.
func TestListPriceOfTheLongestName(t *testing.T) {
	one, tokens := 1.0, Count(1_000_000)
	for model, want := range map[string]float64{"z-ai/glm-5.1 and openai/gpt-5.6-sol": 12, "openai/gpt-5.6-sol and z-ai/glm-5.1": 12, "z-ai/glm-5.1": 4.01} {
		run, derived, err := Evaluated{Label: "partial", Result: &one, Model: model, InputTokens: &tokens, OutputTokens: &tokens}.Run()
		if err != nil || !derived || float64(*run.CostUSD) != want {
			t.Errorf("%s: %v, %v, want %v", model, *run.CostUSD, err, want)
		}
	}
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// TestCollect reads a list of results with newer summaries beside it, and a tree without a list.
func TestCollect(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	put("ag/s/t/"+summaryFile, `{"task_id": "t", "overall_score": 0.5, "checklist_score": 0.75, "result_score": 0.5, "passed": true}`)
	put("t/old/run/"+summaryFile, `{"task_id": "t", "score": 0.25, "overall_score": null, "checklist_score": NaN}`)
	put("x/"+summaryFile, `[`)
	c, err := Collect(dir)
	if err != nil || len(c.Runs) != 2 || len(c.Notes) != 1 {
		t.Fatalf("%+v, %v", c, err)
	}
	if a, b := c.Runs[0], c.Runs[1]; a.Agent != "ag" || a.ID != "s" || !a.Valid || *a.Process != 0.75 || b.Agent != "old" || b.ID != "run" || *b.Score != 0.25 || b.Process != nil {
		t.Errorf("%+v", c.Runs)
	}
	put(resultsFile, `[{"task_id": "t", "agent_name": "ag", "run_id": "7", "validation_status": "accepted", "overall_score": 0.1, "evaluation_summary_path": "ag/s/t/evaluation_summary.json"},
		{"task_id": "u", "agent_name": "ag", "run_id": "8", "validation_status": "rejected", "overall_score": null, "evaluation_summary_path": "/moved/away.json"}]`)
	if c, err = Collect(dir); err != nil || len(c.Runs) != 2 || *c.Runs[0].Score != 0.5 || c.Runs[1].Valid || c.Runs[1].Score != nil {
		t.Errorf("%+v, %v", c, err)
	}
	put(resultsFile, `{`)
	if _, err = Collect(dir); err == nil {
		t.Error("a broken list is taken")
	}
	if _, err = Collect(t.TempDir()); err == nil {
		t.Error("an empty folder is taken")
	}
}

// TestTables have a cell for each column.
func TestTables(t *testing.T) {
	half := 0.5
	local := Local([]Run{{Agent: "a|b", Task: "t", Valid: true, Score: &half}})
	f, err := Read("good-entry.json", []byte(entryText), twoTasks)
	if err != nil {
		t.Fatal(err)
	}
	published := Publish([]Entry{f.Entry}, twoTasks)
	var text strings.Builder
	if err := local.WriteMarkdown(&text); err != nil {
		t.Fatal(err)
	}
	if err := published.WriteMarkdown(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`| 1 | a\|b | 0.5000 | N/A | N/A | 0.00% | 100.00% | 1 |`, "## t", "| 1 | H | M | brief | community | 0.500 | 1.000 | 0 / N/A | 0.00 | N/A | 1/2 |"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %s in\n%s", want, text.String())
		}
	}
}

func FuzzReadEntry(f *testing.F) {
	f.Add(entryText)
	f.Add(`{"tasks": {"t0": {"runs": [{"run_id": 3, "status": [], "outcome": {}}]}}, "submitted": "2026-W05-6", "artifacts": null, "source": "community"}`)
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Read("good-entry.json", []byte(text), twoTasks)
		if err != nil || len(file.Problems) > 0 {
			return
		}
		first, err := json.Marshal(file.Entry)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read("good-entry.json", first, twoTasks)
		if err != nil || len(again.Problems) > 0 {
			t.Errorf("%v, %v of %s", again.Problems, err, first)
		}
		Publish([]Entry{file.Entry}, twoTasks)
	})
}

// BenchmarkBoard of 720 runs from their summaries.
func BenchmarkBoard(b *testing.B) {
	dir := b.TempDir()
	tasks := biabench.TaskIDs()
	for i := range 720 {
		path := filepath.Join(dir, string(rune('a'+i/48)), "s"+string(rune('0'+i/16%3)), tasks[i%16], summaryFile)
		os.MkdirAll(filepath.Dir(path), 0o755)
		os.WriteFile(path, []byte(`{"task_id": "`+tasks[i%16]+`", "overall_score": 0.5, "checklist_score": 0.75, "result_score": 0.5, "passed": true}`), 0o644)
	}
	for b.Loop() {
		c, err := Collect(dir)
		if err != nil || len(c.Runs) != 720 {
			b.Fatal(len(c.Runs), err)
		}
		Local(c.Runs)
	}
}
