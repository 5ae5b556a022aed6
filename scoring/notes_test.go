package scoring

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/scoring/report"
)

// What was remarked when task and run were opened reaches the report, with its level, once.
func TestNotesOfOpening(t *testing.T) {
	cell := plane(4, 4, 1, 1)
	dir := taskFolder(t, nuclei, "2D", files{"a.tif": cell}, files{"a.tif": cell})
	write(t, filepath.Join(dir, "evaluation_rubric.yaml"), "metric_config: {result_pass_threshold: high, primary_metric: nonsense}\n")
	run, err := biabench.OpenRun(t.Context(), damagedZip(t, filepath.Join(dir, "pred", "a.tif")))
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	r, err := Score(t.Context(), open(t, dir), run, nil)
	if err != nil || r.Result.Value != 1 {
		t.Fatal(r, err)
	}
	text := noteText(r)
	for _, want := range []string{
		"warning : The zip's member notes.txt is damaged", "result_pass_threshold is the text \"high\", not a number",
		"info : The zip holds no submission.json", "info : There is no input folder",
	} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%d times %q in\n%s", strings.Count(text, want), want, text)
		}
	}
	if strings.Contains(text, "..") || strings.LastIndex(text, "warning ") > strings.Index(text, "info ") {
		t.Errorf("warnings come first, and a sentence has one stop:\n%s", text)
	}
	// Nor do they get lost where no calculator runs, and a refused rubric is told once.
	write(t, filepath.Join(dir, "evaluation_rubric.yaml"), "[]\n")
	task := open(t, dir)
	task.Spec.TaskID = "another"
	if r, err = Score(t.Context(), task, run, nil); err != nil || strings.Count(noteText(r), "warning : The rubric was refused") != 1 ||
		!strings.Contains(noteText(r), "notes.txt is damaged") {
		t.Errorf("%v\n%s", err, noteText(r))
	}
}

// damagedZip packs a good file and one whose bytes do not fit their checksum.
func damagedZip(t *testing.T, good string) string {
	t.Helper()
	picture, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range map[string][]byte{filepath.Base(good): picture, "notes.txt": []byte("to be damaged")} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	raw := b.Bytes()
	raw[bytes.Index(raw, []byte("to be damaged"))] ^= 1
	path := filepath.Join(t.TempDir(), "out.zip")
	write(t, path, string(raw))
	return path
}

// A score that a person should look at says why.
func TestNeedsReview(t *testing.T) {
	cell := plane(4, 4, 1, 1)
	for _, c := range []struct {
		name, id    string
		truth, pred files
		want        string
	}{
		{"all compared", nuclei, files{"a.tif": cell}, files{"a.tif": cell}, ""},
		{"a low score", nuclei, files{"a.tif": cell}, files{"a.tif": plane(4, 4)}, ""},
		{"paired by order", nuclei, files{"x.tif": cell}, files{"q.tif": cell}, "files were paired by their order alone"},
		{"one missing", nuclei, files{"a.tif": cell, "b.tif": cell}, files{"a.tif": cell}, "1 of 2 images could not be compared"},
		{"order and size", nuclei, files{"x.tif": cell}, files{"q.tif": plane(3, 4)}, "files were paired by their order alone; 1 of 1 image could not be compared"},
		{"no names fit in one compartment", hela, files{"nuclei_masks/1.tif": cell, "cytoplasm_masks/1.tif": cell, "cytoplasm_masks/2.tif": cell},
			files{"nuclei_1.tif": cell, "cytoplasm_x.tif": cell}, "cytoplasm: no file name of the answer fits a file name of the truth"},
		{"nothing delivered", nuclei, files{"a.tif": cell}, files{}, ""}, // the result's reason says it
	} {
		dir := taskFolder(t, c.id, "2D", c.truth, c.pred)
		if err := os.MkdirAll(filepath.Join(dir, "pred"), 0o755); err != nil {
			t.Fatal(err)
		}
		if r := scoreFolder(t, dir, filepath.Join(dir, "pred")); r.NeedsReview != c.want || r.NeedsReview != "" && r.Result.Reason != "" {
			t.Errorf("%s: %q, want %q", c.name, r.NeedsReview, c.want)
		}
	}
	broken := taskFolder(t, nuclei, "2D", files{"a.tif": cell, "b.tif": cell}, files{"a.tif": cell, "b.tif": cell})
	write(t, filepath.Join(broken, "pred", "b.tif"), "no picture")
	if r := scoreFolder(t, broken, filepath.Join(broken, "pred")); r.Images[1].Status != report.Unreadable || r.NeedsReview != "1 of 2 images could not be compared" {
		t.Errorf("unreadable: %q", r.NeedsReview)
	}
}

func TestTruthHandedInAsAnswerIsSaid(t *testing.T) {
	dir := t.TempDir()
	truth, answer := filepath.Join(dir, "evaluation"), filepath.Join(dir, "pred")
	for _, d := range []string{truth, answer} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	task := &biabench.Task{Dir: dir, Truth: truth}
	for run, want := range map[string]bool{truth: true, dir: true, answer: false} {
		if got := holdsTruth(task, &biabench.Run{Dir: run}) != ""; got != want {
			t.Errorf("%s: %v, want %v", filepath.Base(run), got, want)
		}
	}
}
