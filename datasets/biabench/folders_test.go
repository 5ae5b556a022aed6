package biabench

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coverslip/datasets/fault"
)

const tinySpec = "task_id: tiny\ninput: {spatial_dimensions: ' 3d'}\ntask_logic: {basic_instructions: a, expert_instructions: b}\n" +
	"deliverables:\n - {id: masks, description: d, filename_pattern: '*_seg.tif*', multi: true}\n"

// tree writes files below a new folder. A name that ends in "/" is an empty folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			err = os.MkdirAll(path, 0o700)
		} else {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func relative(t *testing.T, root string, paths []string) string {
	t.Helper()
	var out []string
	for _, p := range paths {
		rel, err := filepath.Rel(root, p)
		if err != nil || !filepath.IsAbs(p) {
			t.Fatal(p, err)
		}
		out = append(out, filepath.ToSlash(rel))
	}
	return strings.Join(out, " ")
}

func TestOpenTask(t *testing.T) {
	root := tree(t, map[string]string{
		"tiny/task_spec.yaml": tinySpec, "tiny/evaluation_rubric.yaml": "metric_config: {result_pass_threshold: 0.7, primary_metric: pq, metrics: [a, b]}\n",
		"tiny/evaluation/CANARY.txt": "marker", "tiny/input/img_10.tif": "", "tiny/input/img_2.TIF": "", "tiny/input/IMG_1.png": "", "tiny/input/b/a.lsm": "",
		"tiny/input/notes.txt": "", "tiny/input/.hidden.tif": "", "tiny/input/__MACOSX/x.tif": "", "tiny/input/_hf_download_input/y.tif": "", "tiny/input/Thumbs.db": "",
		"other/masks/a.tif": "",
	})
	dir := filepath.Join(root, "tiny")
	for _, path := range []string{dir, filepath.Join(dir, SpecFile)} {
		task, err := OpenTask(path, "")
		if err != nil || task.RubricErr != nil || len(task.Notes) > 0 {
			t.Fatal(err, task.RubricErr, task.Notes)
		}
		same(t, "inputs", relative(t, filepath.Join(dir, InputFolder), task.Inputs), "b/a.lsm IMG_1.png img_2.TIF img_10.tif")
		same(t, "truth", task.Truth, filepath.Join(dir, TruthFolder))
		same(t, "rubric", []any{task.Rubric.Threshold, task.Rubric.Primary, strings.Join(task.Rubric.Metrics, " ")}, []any{0.7, "pq", "a b"})
		same(t, "volume", task.Spec.ThreeD(), true)
	}
	task, err := OpenTask(dir, filepath.Join(root, "other"))
	if err != nil || task.Truth != filepath.Join(root, "other") {
		t.Errorf("truth %v, %v", task, err)
	}
	if _, err = OpenTask(dir, filepath.Join(root, "absent")); fault.KindOf(err) != fault.Missing {
		t.Errorf("absent truth: %v", err)
	}
}

func TestTaskWithout(t *testing.T) {
	root := tree(t, map[string]string{"x/task_spec.yaml": tinySpec, "y/task_spec.yaml": tinySpec, "y/evaluation_rubric.yaml": "metric_config: 3\n"})
	for _, name := range []string{"x", "y"} {
		task, err := OpenTask(filepath.Join(root, name), "")
		if err != nil {
			t.Fatal(err)
		}
		if task.RubricErr == nil || task.Rubric.Threshold != DefaultThreshold || task.Truth != "" || len(task.Inputs) > 0 {
			t.Errorf("%+v", task)
		}
		notes := noteLines(task.Notes)
		for _, word := range []string{"warning: The rubric was refused", "warning: There is no evaluation folder", "info: There is no input folder"} {
			if !strings.Contains(notes, word) {
				t.Errorf("no note about %q in\n%s", word, notes)
			}
		}
	}
}

func TestNoTask(t *testing.T) {
	root := tree(t, map[string]string{"empty/": "", "run/submission.json": "{}", "run/artifacts/": "", "file.txt": "x", "bad/task_spec.yaml": "task_id: 7\n"})
	for path, want := range map[string]struct {
		kind  error
		found string
	}{
		"empty": {fault.Missing, "not a task"}, "run": {fault.Missing, "submission"}, "file.txt": {fault.Malformed, "a file"},
		"absent": {fault.Missing, "nothing of that name"}, "bad": {fault.Malformed, "number 7"},
	} {
		_, err := OpenTask(filepath.Join(root, path), "")
		checkFault(t, err)
		if fault.KindOf(err) != want.kind || !strings.Contains(err.Error(), want.found) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestOpenRun(t *testing.T) {
	root := tree(t, map[string]string{
		"plain/artifacts/x_seg.tif": "x", "plain/y_seg.tif": "y", "empty/": "",
		"sub/submission.json": `{"task_id": " t ` + "`" + `}`, "sub/artifacts/x_seg.tif": "x",
		"good/submission.json": "\ufeff" + `{"task_id": " t ", "agent_name": "A", "run_id": 7, "x": [NaN, -Infinity, "NaN \\\"Infinity"]}`, "good/artifacts/x_seg.tif": "x",
		"list/submission.json": "[]", "list/artifacts/x_seg.tif": "x", "bare/submission.json": "{}", "file.tif": "x", "cut.zip": "PK\x03\x04",
	})
	for name, want := range map[string]struct{ dir, task, agent, name, note string }{
		"plain": {"plain", "", "", "plain", ""}, "empty": {"empty", "", "", "empty", "warning: The folder of output files is empty"},
		"sub":  {"sub/artifacts", "", "", "sub", "warning: submission.json is not a JSON object"},
		"good": {"good/artifacts", "t", "A", "A / 7", ""}, "list": {"list/artifacts", "", "", "list", "not a JSON object"},
	} {
		run, err := OpenRun(context.Background(), filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		got := []string{relative(t, root, []string{run.Dir}), run.TaskID, run.Agent, run.Name}
		same(t, name, got, []string{want.dir, want.task, want.agent, want.name})
		if notes := noteLines(run.Notes); (want.note == "") != (notes == "") || !strings.Contains(notes, want.note) {
			t.Errorf("%s: notes %q", name, notes)
		}
		if err := run.Close(); err != nil {
			t.Error(err)
		}
	}
	for name, kind := range map[string]error{"bare": fault.Malformed, "file.tif": fault.Malformed, "cut.zip": fault.Malformed, "absent": fault.Missing} {
		_, err := OpenRun(context.Background(), filepath.Join(root, name))
		checkFault(t, err)
		if fault.KindOf(err) != kind {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is not there is fs.ErrNotExist; what cannot be looked at, and a zip that there is no room for, are not.
func TestRunThatIsNotThere(t *testing.T) {
	root := tree(t, map[string]string{"file.tif": "x"})
	if err := os.Symlink("loop", filepath.Join(root, "loop")); err != nil {
		t.Skip("no links here: ", err)
	}
	for name, absent := range map[string]bool{
		"absent": true, "absent/below": true, "file.tif/below": true, "loop": false, strings.Repeat("n", 5000): false,
	} {
		_, err := OpenRun(context.Background(), filepath.Join(root, filepath.FromSlash(name)))
		checkFault(t, err)
		if errors.Is(err, fs.ErrNotExist) != absent || !errors.Is(err, fault.Missing) {
			t.Errorf("%.20s: %v", name, err)
		}
	}
	zip := writeZip(t, "x.zip", map[string]string{"a": "b"})
	t.Setenv("TMPDIR", filepath.Join(root, "absent"))
	if _, err := OpenRun(context.Background(), zip); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a zip without a place to unpack: %v", err)
	}
}

// noteLines reads "level: text" line by line.
func noteLines(notes Notes) string {
	var lines []string
	for _, n := range notes {
		lines = append(lines, string(n.Level)+": "+n.Text)
	}
	return strings.Join(lines, "\n")
}

func TestZipRun(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for name, c := range map[string]struct {
		zip     string
		members map[string]string
		want    string // agent, run, task, files below Dir
	}{
		"submission": {"t__a__r.zip", map[string]string{"w/submission.json": `{"agent_name": "B", "task_id": "t"}`, "w/artifacts/m_seg.tif": "x"}, "B||t|m_seg.tif"},
		"from name":  {"t__a__r.zip", map[string]string{"submission.json": `{}`, "artifacts/m_seg.tif": "x"}, "a|r||m_seg.tif"},
		"plain":      {"outputs.zip", map[string]string{"out/m_seg.tif": "x", "b_seg.tif": "y"}, "|||b_seg.tif out/m_seg.tif"},
	} {
		run, err := OpenRun(context.Background(), writeZip(t, c.zip, c.members))
		if err != nil {
			t.Fatal(err)
		}
		files, err := ListFiles(run.Dir)
		if err != nil {
			t.Fatal(err)
		}
		same(t, name, strings.Join([]string{run.Agent, run.RunID, run.TaskID, relative(t, run.Dir, files)}, "|"), c.want)
		if err := run.Close(); err != nil || temporaries(t) != 0 {
			t.Errorf("%v, %d left", err, temporaries(t))
		}
	}
}

func TestLinks(t *testing.T) {
	root := tree(t, map[string]string{"out/real_seg.txt": "x", "elsewhere/a_seg.txt": "y", "elsewhere/deep/b_seg.txt": "z"})
	for link, target := range map[string]string{
		"out/link_seg.txt": "../elsewhere/a_seg.txt", "out/folder": "../elsewhere", "out/dangling_seg.txt": "absent", "out/loop_seg.txt": "loop_seg.txt",
		"out/again_seg.txt": "real_seg.txt",
	} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Skip("no links here: ", err)
		}
	}
	got := Resolve(context.Background(), filepath.Join(root, "out"), []Deliverable{{ID: "m", Pattern: "*_SEG.txt", Multi: true, Required: true}})
	same(t, "files", relative(t, root, got.Selected), "elsewhere/a_seg.txt out/real_seg.txt")
	files, err := ListFiles(filepath.Join(root, "out"))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "listed", relative(t, root, files), "out/again_seg.txt out/link_seg.txt out/real_seg.txt")
}

func TestSurplusAndBlockedFallback(t *testing.T) {
	root := tree(t, map[string]string{"out/a_x.csv": "", "out/b_x.csv": "", "raw/one/m.tif": "", "raw/one/n.tiff": ""})
	got := Resolve(context.Background(), filepath.Join(root, "out"), []Deliverable{{ID: "t", Pattern: "*_x.csv", Required: true}})
	one, ok := got.ByID("t")
	same(t, "kept and surplus", relative(t, root, append(one.Files, one.Surplus...)), "out/a_x.csv out/b_x.csv")
	if _, absent := got.ByID("u"); absent || !ok || len(one.Files) != 1 {
		t.Errorf("%+v", one)
	}
	got = Resolve(context.Background(), filepath.Join(root, "raw", "one"), []Deliverable{{ID: "m", Pattern: "*_seg.tif", Required: true}})
	if m, _ := got.ByID("m"); m.Err != NotFound || !strings.Contains(m.Note, "2 file(s)") || !strings.Contains(m.Note, `"raw"`) {
		t.Errorf("%+v", m)
	}
	got = Resolve(context.Background(), filepath.Join(root, "absent"), []Deliverable{{ID: "m", Pattern: "*", Required: true}})
	if m, _ := got.ByID("m"); m.Err != NotFound || m.Note != "" {
		t.Errorf("%+v", m)
	}
}

func TestListFilesMissing(t *testing.T) {
	_, err := ListFiles(filepath.Join(t.TempDir(), "absent"))
	if checkFault(t, err); !errors.Is(err, fault.Missing) {
		t.Error(err)
	}
}

func TestHeaders(t *testing.T) {
	long := strings.Repeat("x", maxCell)
	for text, want := range map[string]string{
		"": "!", "\n\r\n\n": "!", "X,Y\n": "X|Y", "X,Y": "X|Y", "\r\rX,Y\r1,2": "X|Y", "  \nX\n": "  ", "\"a,\"\"b\",c\n": `a,"b|c`,
		"\"a\" b\"c,d\n": `a b"c|d`, "a\"b,c\n": `a"b|c`, " \"a\",b\n": ` "a"|b`, "\"open,\nrest": "open,\nrest", "\"\"\n": "",
		"a,\n": "a|", "\xef\xbb\xbfX\n": "\ufeffX", "\xff\xe2\x82X\n": "X", long + "\n": long, long + "x\n": "!", ",\n": "|",
	} {
		cells, ok := readHeader(strings.NewReader(text))
		got := strings.Join(cells, "|")
		if !ok {
			got = "!"
		}
		if got != want {
			t.Errorf("header of %.30q is %.40q, want %.40q", text, got, want)
		}
	}
}
