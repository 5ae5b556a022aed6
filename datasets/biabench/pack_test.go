package biabench

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coverslip/datasets/fault"
)

// packTasks are specs with the names and patterns of four tasks of the benchmark.
var packTasks = map[string]string{
	"he-nuinsseg-nuclear-segmentation": "- {id: segmentation_masks, description: d, filename_pattern: '*.tif', format: uint16 TIF (instance labels), multi: true}\n",
	"cytoplasm-nucleus-translocation-bbbc014": "- {id: per_well_summary, description: d, filename_pattern: '*per_well_summary*.csv', " +
		"required_columns: [well, cell_type, dose, mean_nuc_over_cyto_ratio]}\n" +
		"- {id: per_cell_features, description: d, filename_pattern: '*per_cell_features*.csv', required: false, required_columns: [nuc_intensity]}\n",
	"smlm-localization-dnapaint":        "- {id: localization_list, description: d, filename_pattern: '*LocalizationList*.txt'}\n",
	"fluo-cell-counting-2d-cellfmcount": "- {id: centroids_per_image, description: d, filename_pattern: '*.csv', multi: true, required_columns: [X, Y]}\n",
}

// tasksFor are the known tasks of a folder of vectors: the benchmark's own beside the shared ones.
func tasksFor(t *testing.T, root string) map[string]*Task {
	t.Helper()
	dir := filepath.Join(sharedFolder(), "biabench", "tasks")
	if root == "testdata" {
		files := map[string]string{}
		for id, deliverables := range packTasks {
			files[id+"/"+SpecFile] = "task_id: " + id + "\n" + lintHead + "deliverables:\n" + deliverables
		}
		dir = tree(t, files)
	}
	tasks, err := FindTasks(dir, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

type packRejected struct{ File, Deliverable, Code string }
type packManifest struct {
	Deliverables []struct {
		ID       string
		Resolved []string
		Present  bool
		Error    string
	}
	Rejected []packRejected
}
type packVector struct {
	Dir        string `json:"run_dir"`
	Task       string `json:"task_id"`
	Agent      string `json:"agent_name"`
	Session    string `json:"run_session"`
	Submission string `json:"submission_dir"`
	Files      []string
	Manifest   packManifest
	JSON       map[string]any `json:"submission_json"`
	Status     string         `json:"validation_status"`
}

func TestPack(t *testing.T) {
	vectors(t, "export", func(t *testing.T, root string, c packVector) {
		tasks := tasksFor(t, root)
		run, err := filepath.Abs(filepath.Join(root, filepath.FromSlash(c.Dir)))
		if err != nil {
			t.Fatal(err)
		}
		if by := skippedFolder(filepath.ToSlash(strings.TrimSuffix(run, filepath.FromSlash(c.Dir)))); by != "" {
			t.Skipf("the test files lie below a folder called %q, which submissions leave out", by)
		}
		base := t.TempDir()
		before := listing(t, run)
		p, err := Pack(context.Background(), run, base, PackOptions{TaskID: c.Task, Task: tasks[c.Task], Tasks: tasks, Agent: c.Agent, Session: c.Session, Now: packDay})
		if err != nil {
			t.Fatal(err)
		}
		same(t, "folder", relative(t, base, []string{p.Dir}), c.Submission)
		same(t, "files", names(t, p.Dir), c.Files)
		var got, want packManifest
		want = c.Manifest
		readInto(t, filepath.Join(p.Dir, "deliverable_manifest.json"), &got)
		for i := range got.Rejected {
			got.Rejected[i].Code = p.Manifest.Rejected[i].Code
		}
		same(t, "manifest", got, want)
		var fields map[string]any
		readInto(t, filepath.Join(p.Dir, SubmissionFile), &fields)
		if !isTimestamp(strings.ReplaceAll(fmt.Sprint(fields["timestamp_utc"]), "Z", "+00:00")) {
			t.Errorf("time %v", fields["timestamp_utc"])
		}
		delete(fields, "timestamp_utc")
		same(t, "submission.json", fields, c.JSON)
		var report struct {
			Status string
			Paths  map[string]string `json:"normalized_paths"`
			Audit  map[string]any    `json:"artifact_audit"`
		}
		readInto(t, filepath.Join(p.Dir, ReportFile), &report)
		same(t, "status", report.Status, c.Status)
		if after := listing(t, run); after != before {
			t.Errorf("the run folder changed:\n%s\nbefore\n%s", after, before)
		}
		if left, _ := os.ReadDir(filepath.Dir(p.Dir)); len(left) != 1 {
			t.Errorf("%d entries beside the submission", len(left)-1)
		}
	})
}

var packDay = time.Date(2026, 1, 31, 9, 8, 7, 0, time.UTC)

func readInto(t *testing.T, file string, v any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// names lists the files below a folder, sorted as whole texts.
func names(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			list = append(list, relative(t, dir, []string{path}))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sortedText(list)
}

func sortedText(list []string) []string {
	set := map[string]any{}
	for _, s := range list {
		set[s] = nil
	}
	return sortedKeys(set)
}

// listing holds everything about the files below a folder that a copy must not change.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	for _, name := range names(t, dir) {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %s %s %x\n", name, info.Mode(), info.ModTime(), text)
	}
	return b.String()
}

// TestPackRefusals: what is no run, and places that are never written into.
func TestPackRefusals(t *testing.T) {
	root := tree(t, map[string]string{"run/a.tif": "x", "file": "", "sub/submission.json": "{}", "sub/artifacts/a": "",
		"t/task_spec.yaml": "task_id: t\n" + lintHead, "blocked/t": ""})
	task, err := OpenTask(filepath.Join(root, "t"), "")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		run, base, found string
		kind             error
	}{
		"nothing":         {"nothing", "out", "nothing of that name", fault.Missing},
		"a file":          {"file", "out", "a file", fault.Malformed},
		"a submission":    {"sub", "out", "a submission already", fault.Inconsistent},
		"a task":          {"t", "out", "a task folder", fault.Inconsistent},
		"into the run":    {"run", "run/new/deep", "is being packaged", fault.Inconsistent},
		"into the task":   {"run", "t/out", "is being packaged", fault.Inconsistent},
		"below a file":    {"run", "file", "cannot be written", fault.Missing},
		"over a file":     {"run", "blocked", "cannot be written", fault.Missing},
		"cancelled, none": {"run", "out", "canceled", nil},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		if c.kind == nil {
			cancel()
		}
		before := listing(t, root)
		_, err := Pack(ctx, filepath.Join(root, c.run), filepath.Join(root, c.base), PackOptions{TaskID: "t", Task: task, Agent: "a", RunID: "r", Now: packDay})
		cancel()
		if err == nil || !strings.Contains(err.Error(), c.found) || fault.KindOf(err) != c.kind {
			t.Errorf("%s: %v", name, err)
		}
		if c.kind != nil {
			checkFault(t, err)
		}
		if after := listing(t, root); after != before {
			t.Errorf("%s: left\n%s", name, after)
		}
	}
}

// TestPackNames: where a submission goes, and that it never goes over another one or elsewhere.
func TestPackNames(t *testing.T) {
	root := tree(t, map[string]string{"run/a.tif": "x"})
	base := filepath.Join(root, "out")
	pack := func(o PackOptions) string {
		t.Helper()
		o.TaskID, o.Now = "t", packDay
		p, err := Pack(context.Background(), filepath.Join(root, "run"), base, o)
		if err != nil {
			t.Fatal(err)
		}
		return relative(t, base, []string{p.Dir}) + " " + p.Name
	}
	same(t, "by task", pack(PackOptions{Agent: "ä b/c"}), "t/ä_b_c/run t__ä_b_c__run.zip")
	same(t, "again", pack(PackOptions{Agent: "ä b/c"}), "t/ä_b_c/run_20260131_090807 t__ä_b_c__run_20260131_090807.zip")
	same(t, "by session", pack(PackOptions{Agent: "..", Session: " . ", RunID: "7"}), "__/_/t _______t.zip")
	_, err := Pack(context.Background(), filepath.Join(root, "run"), base, PackOptions{TaskID: "t", Agent: "ä b/c", Now: packDay})
	if !errors.Is(err, fs.ErrExist) {
		t.Errorf("a third of one second: %v", err)
	}
}

// TestPackOrder: a folder's own file has its name before one of a subfolder, wherever that comes by name.
func TestPackOrder(t *testing.T) {
	root := tree(t, map[string]string{"t/task_spec.yaml": "task_id: t\n" + lintHead + "deliverables:\n- {id: m, description: d, filename_pattern: '*.md', multi: true}\n",
		"run/a/m.md": "below", "run/m.md": "top", "run/a/b/z.md": "deep", "run/a/c.md": "", "run/a-b/z.md": "beside"})
	task, err := OpenTask(filepath.Join(root, "t"), "")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Pack(context.Background(), filepath.Join(root, "run"), filepath.Join(root, "out"), PackOptions{TaskID: "t", Task: task, Now: packDay})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, name := range []string{"m.md", "a/m.md", "z.md", "a-b/z.md"} {
		text, _ := os.ReadFile(filepath.Join(p.Dir, "artifacts", "m", filepath.FromSlash(name)))
		got = append(got, string(text))
	}
	same(t, "contents", got, []string{"top", "below", "deep", "beside"})
	sorted := []string{"m", "z", "a/c", "a/m", "a/b/z", "a-b/z"}
	for i, x := range sorted {
		for j, y := range sorted {
			if got := compareDepthFirst(file{rel: x}, file{rel: y}); got != cmp.Compare(i, j) {
				t.Errorf("%s and %s compare as %d", x, y, got)
			}
		}
	}
}

// stopping is a context that ends after it was asked so many times.
type stopping struct {
	context.Context
	left *int
}

func (s stopping) Err() error {
	if *s.left--; *s.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestPackIsWholeOrNothing: stopped anywhere, it leaves nothing; so it does where a file has no place.
func TestPackIsWholeOrNothing(t *testing.T) {
	root := tree(t, map[string]string{"t/task_spec.yaml": "task_id: t\n" + lintHead + "deliverables:\n- {id: m, description: d, filename_pattern: '*.tif', multi: true}\n",
		"run/a.tif": "x", "run/b/c.tif": "y", "run/log.txt": "z", "bad/p/x.tif": "1", "bad/x.tif/x.tif": "2"})
	task, err := OpenTask(filepath.Join(root, "t"), "")
	if err != nil {
		t.Fatal(err)
	}
	before := listing(t, root)
	for n := 0; ; n++ {
		left := n
		_, err := Pack(stopping{context.Background(), &left}, filepath.Join(root, "run"), filepath.Join(root, "out"), PackOptions{TaskID: "t", Task: task, Now: packDay})
		if err == nil {
			if n < 10 {
				t.Errorf("it can be stopped at %d places alone", n)
			}
			break
		}
		if !errors.Is(err, context.Canceled) || listing(t, root) != before {
			t.Fatalf("stopped at %d: %v\n%s", n, err, listing(t, root))
		}
	}
	os.RemoveAll(filepath.Join(root, "out"))
	_, err = Pack(context.Background(), filepath.Join(root, "bad"), filepath.Join(root, "out"), PackOptions{TaskID: "t", Task: task, Now: packDay})
	if checkFault(t, err); fault.KindOf(err) != fault.Inconsistent || listing(t, root) != before {
		t.Errorf("%v\n%s", err, listing(t, root))
	}
}

// TestPackTells of files that share a place, and of a run that nothing is taken of.
func TestPackTells(t *testing.T) {
	root := tree(t, map[string]string{"run/a.md": "root", "run/supporting/a.md": "below", "x/evaluation/run/a.md": ""})
	p, err := Pack(context.Background(), filepath.Join(root, "run"), filepath.Join(root, "out"), PackOptions{TaskID: "t", Now: packDay})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(filepath.Join(p.Dir, "artifacts", "supporting", "a.md"))
	if string(text) != "below" || !strings.Contains(noteLines(p.Notes), "would both be artifacts/supporting/a.md") {
		t.Errorf("%q, %v", text, p.Notes)
	}
	p, err = Pack(context.Background(), filepath.Join(root, "x/evaluation/run"), filepath.Join(root, "out"), PackOptions{TaskID: "t", Now: packDay})
	if err != nil || !strings.Contains(noteLines(p.Notes), `"evaluation"`) {
		t.Errorf("%v, %v", p.Notes, err)
	}
}

// TestPackZip: the zip of a submission opens as that submission, and has the same bytes each time.
func TestPackZip(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	root := tree(t, map[string]string{"run/a.tif": "x", "run/log.txt": "done"})
	p, err := Pack(context.Background(), filepath.Join(root, "run"), filepath.Join(root, "out"), PackOptions{TaskID: "t", Agent: "a", RunID: "r", Now: packDay})
	if err != nil {
		t.Fatal(err)
	}
	var texts [2][]byte
	for i := range texts {
		path := filepath.Join(root, p.Name)
		if err := WriteZip(context.Background(), p.Dir, path); err != nil {
			t.Fatal(err)
		}
		texts[i], _ = os.ReadFile(path)
	}
	if !bytes.Equal(texts[0], texts[1]) {
		t.Error("two zips of one folder differ")
	}
	z, err := zip.NewReader(bytes.NewReader(texts[0]), int64(len(texts[0])))
	if err != nil || len(z.File) != 5 {
		t.Fatalf("%d members, %v", len(z.File), err)
	}
	run, err := OpenRun(context.Background(), filepath.Join(root, p.Name))
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	same(t, "run", []string{run.TaskID, run.Agent, run.RunID}, []string{"t", "a", "r"})
}
