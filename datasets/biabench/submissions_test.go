package biabench

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestEvalDir(t *testing.T) {
	type vector struct {
		Submission string  `json:"submission_dir"`
		Root       *string `json:"submissions_root"`
		Eval       string  `json:"eval_root"`
		Expected   string
	}
	vectors(t, "eval_dir", func(t *testing.T, _ string, c vector) {
		root := ""
		if c.Root != nil {
			root = *c.Root
		}
		got, err := EvalDir(c.Submission, root, c.Eval)
		if c.Expected == c.Submission { // where the reference would write into the submission
			if err == nil {
				t.Errorf("%s, want a refusal", got)
			}
			return
		}
		if err != nil || filepath.ToSlash(got) != c.Expected {
			t.Errorf("%s, %v, want %s", got, err, c.Expected)
		}
	})
	for submission, want := range map[string]string{"/a": "/r/eval/a", "b": "/r/eval/b", "a/b": "/r/eval/b", "a/b/c": "/r/eval/a/b/c"} {
		if got, err := EvalDir(submission, "", "/r/eval"); err != nil || filepath.ToSlash(got) != want {
			t.Errorf("%s: %s, %v, want %s", submission, got, err, want)
		}
	}
}

func TestTimestamps(t *testing.T) {
	for text, want := range map[string]bool{
		"2026-03-11": true, "20260311": true, "2026-W11": true, "2026-W11-3": true, "2026W113": true, "2026-03-11T09:00:00+00:00": true,
		"2026-03-11 09": true, "2026-03-11x0900": true, "2026-03-11T09:00:00.5": true, "2026-03-11T090000,123456789-0530": true,
		"2026-02-29": false, "2024-02-29": true, "0000-01-01": false, "2026-W54": false, "2026-13-01": false, "2026-3-1": false,
		"2026-03-11T": false, "2026-03-11T24:00": false, "2026-03-11T09:60": false, "yesterday": false, "": false,
		"2026-03-11T09:00:00+00:00 ": false, "2026-0311": false, "2026-03-11T09:0000": false,
	} {
		if got := isTimestamp(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestValidateReports what is wrong, in the reference's order.
func TestValidateReports(t *testing.T) {
	for _, c := range []struct {
		json      string // "-": no file
		artifacts bool
		codes     []string
		fields    []string
	}{
		{"-", false, []string{InvalidSchema, MissingArtifact}, []string{"", ""}},
		{"[1]", true, []string{InvalidSchema}, []string{""}},
		{"{", false, []string{MissingArtifact}, []string{""}},
		{`{"schema_version": "1.0", "task_id": " ", "agent_name": "a", "agent_version": "b", "run_id": "c", "timestamp_utc": "2026-01-01",
			"prompt_version": "v1", "runtime_seconds": true}`, true, []string{InvalidSchema}, []string{"task_id"}},
	} {
		dir := t.TempDir()
		if c.json != "-" {
			os.WriteFile(filepath.Join(dir, SubmissionFile), []byte(c.json), 0o644)
		}
		if c.artifacts {
			os.Mkdir(filepath.Join(dir, ArtifactsFolder), 0o755)
		}
		v, err := Validate(context.Background(), dir, nil)
		var codes, fields []string
		for _, e := range v.Errors {
			codes, fields = append(codes, e.Code), append(fields, e.Field)
		}
		if err != nil || v.Accepted || !reflect.DeepEqual(codes, c.codes) || !reflect.DeepEqual(fields, c.fields) {
			t.Errorf("%s: %v %v, %v", c.json, codes, fields, err)
		}
	}
}

// TestFindSubmissions at every depth, in path order.
func TestFindSubmissions(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"b", "a-x/y", "a/x", "c/deep/er", "none"} {
		os.MkdirAll(filepath.Join(root, dir), 0o755)
		if dir != "none" {
			os.WriteFile(filepath.Join(root, dir, SubmissionFile), nil, 0o644)
		}
	}
	found, err := FindSubmissions(root)
	real, _ := filepath.EvalSymlinks(root)
	for i := range found {
		found[i], _ = filepath.Rel(real, found[i])
	}
	if want := []string{"a/x", "a-x/y", "b", "c/deep/er"}; err != nil || !reflect.DeepEqual(found, want) {
		t.Errorf("%q, %v, want %q", found, err, want)
	}
	if _, err := FindSubmissions(filepath.Join(root, "nothing")); err == nil {
		t.Error("no error for a folder that is not there")
	}
}

// TestFindSubmissionZips beside folders: each submission once, and none of what belongs to another.
func TestFindSubmissionZips(t *testing.T) {
	root := tree(t, map[string]string{"a/submission.json": "{}", "a/artifacts/inner.zip": "", "p/q/r/submission.json": "{}", "broken.zip": "PK", "x.coverslip-tmp/submission.json": "{}"})
	put := func(name string, members map[string]string) {
		t.Helper()
		text, err := os.ReadFile(writeZip(t, "x.zip", members))
		if err == nil {
			err = os.WriteFile(filepath.Join(root, name), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	good := map[string]string{"submission.json": "{}", "artifacts/a.tif": ""}
	deep := map[string]string{"__MACOSX/x": "", "w/v/submission.json": "{}", "w/v/artifacts/a.tif": ""}
	put("a.zip", good) // what a was unpacked from
	put("a/artifacts/inner.zip", good)
	put("p__q__r.zip", good) // what was packed of p/q/r
	put("b.ZIP", good)
	put("c.zip", deep)
	put("d.zip", map[string]string{"w/submission.json": "{}", "note.txt": ""})
	put("e.zip", map[string]string{"w/submission.json": "{}", "v/submission.json": "{}"})
	put("f.zip", map[string]string{"1/2/3/4/5/6/submission.json": "{}"})
	put("g.zip", map[string]string{"1/2/3/4/5/submission.json": "{}"})
	found, err := FindSubmissions(root)
	real, _ := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "found", relative(t, real, found), "a b.ZIP c.zip g.zip p/q/r")
	for _, path := range found {
		run, err := OpenRun(context.Background(), path)
		if err != nil && !strings.HasSuffix(path, "b.ZIP") && !strings.HasSuffix(path, "c.zip") {
			continue // these have no artifacts
		}
		if err != nil || run.Submission == "" {
			t.Errorf("%s: %+v, %v", path, run, err)
		}
		run.Close()
	}
	if got, err := EvalDir(found[1], real, "/eval"); err != nil || filepath.ToSlash(got) != "/eval/b" {
		t.Errorf("%s, %v", got, err)
	}
}

// TestZipTellsNames that its submission.json does not.
func TestZipTellsNames(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	run, err := OpenRun(context.Background(), writeZip(t, "t__ag__r7.zip", map[string]string{"submission.json": `{"task_id": "t", "agent_name": " "}`, "artifacts/a.tif": ""}))
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	v, err := run.Validate(context.Background(), nil)
	same(t, "names", []string{v.TaskID, v.Agent, v.RunID}, []string{"t", "ag", "r7"})
	if err != nil || v.Accepted {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestFindTasks by the ids in their specs; one that does not load is told and left out.
func TestFindTasks(t *testing.T) {
	root := t.TempDir()
	spec := "task_id: one\ninput: {}\ntask_logic: {basic_instructions: a, expert_instructions: b}\n"
	for dir, text := range map[string]string{"b": spec, "c": spec, "bad": "task_id: [", "x[1]": "task_id: two\n" + spec[len("task_id: one\n"):]} {
		os.MkdirAll(filepath.Join(root, dir), 0o755)
		os.WriteFile(filepath.Join(root, dir, SpecFile), []byte(text), 0o644)
	}
	refused := 0
	tasks, err := FindTasks(root, func(error) { refused++ })
	if err != nil || refused != 1 || len(tasks) != 2 || filepath.Base(tasks["one"].Dir) != "b" || tasks["two"] == nil {
		t.Errorf("%v, %d refused, %v", tasks, refused, err)
	}
}
