package cli

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coverslip/datasets/biabench"
)

func call(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = Program{Out: &o, Err: &e}.Main(context.Background(), args)
	return code, o.String(), e.String()
}

// TestFromRunToBoard packages a run as a folder and as a zip, scores the tree and builds its board: the same score all the
// way, and each submission once.
func TestFromRunToBoard(t *testing.T) {
	tmp := t.TempDir()
	subs, eval, task := filepath.Join(tmp, "subs"), filepath.Join(tmp, "eval"), theDemo.Tasks[0]
	pack := func(run string, more ...string) {
		t.Helper()
		args := append([]string{"pack", filepath.Join(run, biabench.ArtifactsFolder), "--task", task, "-o", subs, "--zip"}, more...)
		if code, _, errs := call(args...); code != Done {
			t.Fatalf("exit %d: %s", code, errs)
		}
	}
	pack(theDemo.Runs[task][0], "--agent", "one", "--session", "s")
	pack(theDemo.Runs[task][1], "--agent", "two", "--run", "r")
	if err := os.RemoveAll(filepath.Join(subs, filepath.Base(task))); err != nil { // its zip is left
		t.Fatal(err)
	}
	score := []string{"score", "--all", subs, "--tasks", filepath.Dir(task), "--out", eval, "-j", "2", "--json"}
	_, first, errs := call(score...)
	if n := strings.Count(first, `"state":"scored"`); n != 2 || strings.Count(first, "\n") != 2 {
		t.Fatalf("%s%s", first, errs)
	}
	if _, again, _ := call(score...); strings.ReplaceAll(again, stateKept, stateScored) != first || strings.Contains(again, stateScored) {
		t.Errorf("again: %s", again)
	}
	file := filepath.Join(eval, "leaderboard.json")
	for range 2 { // a board that is there is built anew
		if code, _, errs := call("board", eval, "--json", "-o", file); code != Done {
			t.Fatalf("exit %d: %s", code, errs)
		}
	}
	var board struct {
		Total int `json:"total_submissions"`
		Rows  []struct {
			Agent string  `json:"agent_name"`
			Mean  float64 `json:"overall_score_mean"`
		} `json:"leaderboard"`
	}
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &board)
	}
	if err != nil || board.Total != 2 || len(board.Rows) != 2 {
		t.Fatalf("%s, %v", text, err)
	}
	for i, agent := range []string{"one", "two"} {
		_, alone, _ := call("score", "--json", task, theDemo.Runs[task][i])
		var want struct {
			Score float64 `json:"result_score"`
		}
		json.Unmarshal([]byte(alone), &want)
		for _, row := range board.Rows {
			if row.Agent == agent && row.Mean != want.Score {
				t.Errorf("%s: %v, alone %v", agent, row.Mean, want.Score)
			}
		}
	}
	if code, out, _ := call("board", eval); code != Done || !strings.Contains(out, "two") || !strings.Contains(out, "N/A") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// TestEvilZipInATree costs itself alone.
func TestEvilZipInATree(t *testing.T) {
	tree := newTree(t)
	text := zipOf(t, map[string]string{"submission.json": "{}", "../escaped": ""})
	if err := os.WriteFile(filepath.Join(tree.submissions, "t__a__r.zip"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	rows, _, errs := tree.score(t)
	evil := rows["t__a__r.zip"]
	if evil["state"] != stateFailed || evil["run_id"] != "r" || rows["good"]["state"] != stateScored {
		t.Errorf("%v %v %s", evil, rows["good"], errs)
	}
}

// TestPublishedBoardOfTheBenchmark: two of its entries, alone and beside local runs; one that is broken is told in full.
func TestPublishedBoardOfTheBenchmark(t *testing.T) {
	entries := filepath.Join("..", "..", "..", "shared", "biabench", "leaderboard", "entries")
	if !biabench.IsFolder(entries) {
		t.Skip("the benchmark's entries are not beside the repository")
	}
	code, out, errs := call("board", entries, "--json")
	if code != Done || !strings.HasPrefix(out, "{\n \"schema_version\": \"1\",\n \"updated\": \"2026-09-10\",\n \"n_entries\": 2,") || errs != "" {
		t.Errorf("exit %d: %.200s %s", code, out, errs)
	}
	if code, out, _ = call("board", entries); code != Done || !strings.Contains(out, "0.654") {
		t.Errorf("exit %d: %s", code, out)
	}
	dir := t.TempDir()
	files, _ := filepath.Glob(filepath.Join(entries, "*.json"))
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(dir, "other-name.json"), bytes.Replace(text, []byte(`"brief"`), []byte(`"basic"`), 1), 0o644)
	code, out, errs = call("board", dir)
	if code != BadInput || out != "" || !strings.Contains(errs, "settings.instruction_level") || !strings.Contains(errs, "must be the name of its file") {
		t.Errorf("exit %d: %s %s", code, out, errs)
	}
}

// TestCheckTellsWarnings with the place, the remedy and exit code 1.
func TestCheckTellsWarnings(t *testing.T) {
	dir := filepath.Join(t.TempDir(), filepath.Base(theDemo.Tasks[0]))
	if err := os.CopyFS(dir, os.DirFS(theDemo.Tasks[0])); err != nil {
		t.Fatal(err)
	}
	rubric := filepath.Join(dir, biabench.RubricFile)
	text, err := os.ReadFile(rubric)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(rubric, append([]byte("visualization_level: simple\n"), text...), 0o644)
	code, out, errs := call("check", dir)
	if code != Withheld || !strings.HasPrefix(out, rubric+":1:22: warning: ") || !strings.Contains(out, "Suggested at 1:22: \"basic\"") || !strings.Contains(errs, "1 warning(s)") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}

func zipOf(t *testing.T, members map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range members {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
