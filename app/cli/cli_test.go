package cli

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"coverslip/app/session"
	"coverslip/datasets/demo"
	"coverslip/datasets/raster"
	"coverslip/datasets/raster/tiff"
)

const (
	nucleiTask = "he-nuinsseg-nuclear-segmentation"
	stackTask  = "3d-fluo-cell-segmentation-lateral-line-idr0079"
)

// theDemo is written once for all tests of the package.
var theDemo demo.Layout

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "coverslip-demo-")
	if err == nil {
		theDemo, err = demo.WriteTasks(context.Background(), filepath.Join(dir, "demo"), nil, demo.First()...)
	}
	if err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// TestCommands holds the command line against testdata/commands.txt, which says what a case may hold.
func TestCommands(t *testing.T) {
	demoDir := filepath.Dir(filepath.Dir(theDemo.Tasks[0]))
	text, err := os.ReadFile("testdata/commands.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, block := range strings.Split(string(text), "\n\n") {
		call, rest, found := strings.Cut(block, "\n")
		if !strings.HasPrefix(call, "$ ") || !found {
			continue
		}
		n++
		t.Run(call[2:], func(t *testing.T) {
			tmp := t.TempDir()
			furnish(t, tmp)
			expand := strings.NewReplacer("$DEMO", demoDir, "$TMP", tmp, "$NUCLEI", filepath.Join(demoDir, "tasks", nucleiTask),
				"$STACK", filepath.Join(demoDir, "tasks", stackTask)).Replace
			args := strings.Fields(call[2:])
			for i := range args {
				args[i] = expand(args[i])
			}
			var out, errs bytes.Buffer
			code := Program{Out: &out, Err: &errs}.Main(context.Background(), args)
			for _, line := range strings.Split(strings.TrimSpace(rest), "\n") {
				checkLine(t, expand(line), code, out.String(), errs.String())
			}
		})
	}
	if n < 20 {
		t.Errorf("only %d cases were read", n)
	}
}

// furnish fills a folder with what may go wrong.
func furnish(t *testing.T, dir string) {
	t.Helper()
	os.MkdirAll(filepath.Join(dir, "empty"), 0o755)
	os.MkdirAll(filepath.Join(dir, "refused"), 0o755)
	os.WriteFile(filepath.Join(dir, "refused", "task_spec.yaml"), []byte("task_id: t\ninput: {}\n"), 0o644)
	os.WriteFile(filepath.Join(dir, "lie.tif"), []byte("II*\x00\xff\xff\xff\x7f"), 0o644)
	os.Mkdir(filepath.Join(dir, "colours"), 0o755)
	var b bytes.Buffer
	colour := raster.Array{Shape: []int{8, 9, 3}, Axes: "YXS", Type: raster.Uint8, Values: make([]uint8, 8*9*3)}
	if err := tiff.Encode(&b, colour, tiff.EncodeOptions{}); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(dir, "colours", "human_kidney_01.tif"), b.Bytes(), 0o644)
	aside := filepath.Join(dir, "aside", "supporting")
	if err := os.CopyFS(aside, os.DirFS(theDemo.Runs[theDemo.Tasks[0]][0])); err != nil {
		t.Fatal(err)
	}
	b.Reset()
	z := zip.NewWriter(&b)
	z.Create("../escaped.tif")
	z.Close()
	os.WriteFile(filepath.Join(dir, "evil.zip"), b.Bytes(), 0o644)
}

func checkLine(t *testing.T, line string, code int, out, errs string) {
	t.Helper()
	what, want, _ := strings.Cut(line, " ")
	ok := false
	switch what {
	case "exit":
		ok = strconv.Itoa(code) == want
	case "out":
		ok = strings.Contains(out, want)
	case "out!":
		ok = !strings.Contains(out, want)
	case "out-":
		ok = out == ""
	case "err":
		ok = strings.Contains(errs, want)
	case "err-":
		ok = errs == ""
	case "file":
		_, err := os.Stat(want)
		ok = err == nil
	}
	if !ok {
		t.Errorf("%q does not hold: exit %d\nstdout: %.600s\nstderr: %.600s", line, code, out, errs)
	}
}

// TestRenderGivesTheBytesOfTheWindow compares a picture of the command with the copy-image of a session that went there by keys.
func TestRenderGivesTheBytesOfTheWindow(t *testing.T) {
	for _, task := range theDemo.Tasks {
		paths := []string{task, theDemo.Runs[task][1]}
		q := session.NewQueue()
		s := session.New(session.Options{Post: q.Post})
		defer s.Close()
		s.Open(paths...)
		quiet := func() bool { return len(s.JobList()) == 0 && !s.Loading() }
		q.Wait(quiet)
		s.SetPictureSize(731, 517, 1)
		s.WorstError()
		s.CycleLabelStyle()
		q.Wait(quiet)
		want, err := s.CopyImage()
		if err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		if code := (Program{Out: &out, Err: &errs}).Main(context.Background(), append([]string{"render", "--view", s.Shown().String()}, paths...)); code != Done {
			t.Fatalf("exit %d: %s", code, errs.String())
		}
		got, err := png.Decode(&out)
		if err != nil {
			t.Fatal(err)
		}
		for y := range want.Bounds().Dy() {
			for x := range want.Bounds().Dx() {
				if got.At(x, y) != want.At(x, y) {
					r, g, b, _ := got.At(x, y).RGBA()
					t.Fatalf("%s: pixel y %d x %d is %d %d %d, the window has %v", filepath.Base(task), y, x, r>>8, g>>8, b>>8, want.At(x, y))
				}
			}
		}
	}
}

// TestScoreNamesTheReferencesFields keeps the JSON contract of `score --json`.
func TestScoreNamesTheReferencesFields(t *testing.T) {
	task := theDemo.Tasks[0]
	var out, errs bytes.Buffer
	if code := (Program{Out: &out, Err: &errs}).Main(context.Background(), []string{"score", task, theDemo.Runs[task][0], "--json"}); code != Done {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	var got struct {
		TaskID  string         `json:"task_id"`
		Result  *float64       `json:"result_score"`
		Passed  *bool          `json:"passed"`
		Metrics map[string]any `json:"metrics"`
		Notes   []any          `json:"notes"`
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.TaskID != nucleiTask || got.Result == nil || got.Passed == nil || got.Notes == nil || got.Metrics["result_score"] != *got.Result {
		t.Errorf("%s", out.String())
	}
}
