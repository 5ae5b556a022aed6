package demo

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"coverslip/datasets"
	"coverslip/datasets/biabench"
	"coverslip/datasets/fault"
	"coverslip/datasets/raster"
	"coverslip/datasets/tabular"
)

// all16 is the whole demo, written once for the tests that only look at it, and how long that took. TestMain removes it.
var (
	all16Dir string
	all16    = sync.OnceValues(func() (Layout, error) {
		dir, err := os.MkdirTemp("", "demo16-")
		if err != nil {
			return Layout{}, err
		}
		all16Dir = dir
		start := time.Now()
		l, err := Write(context.Background(), dir, nil)
		all16Time = time.Since(start)
		return l, err
	})
	all16Time time.Duration
)

func whole(t *testing.T) Layout {
	t.Helper()
	if testing.Short() {
		t.Skip("writes the whole demo")
	}
	l, err := all16()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestEveryTaskOpens: all sixteen ids of the benchmark are there, nothing is wrong with their YAML files and their
// data, and the folder of tasks is recognised as one.
func TestEveryTaskOpens(t *testing.T) {
	l := whole(t)
	ids := slices.Sorted(slices.Values(IDs()))
	if want := slices.Sorted(slices.Values(biabench.TaskIDs())); !slices.Equal(ids, want) {
		t.Errorf("tasks %v, want %v", ids, want)
	}
	if kind, err := datasets.Recognise(filepath.Dir(l.Tasks[0])); kind != datasets.TaskRoot || err != nil {
		t.Errorf("the folder of tasks is %v, %v", kind, err)
	}
	for _, dir := range l.Tasks {
		task, err := biabench.OpenTask(dir, "")
		if err != nil {
			t.Errorf("%s: %v", dir, err)
			continue
		}
		if task.RubricErr != nil || len(task.Inputs) == 0 || task.Spec.TaskID != filepath.Base(dir) {
			t.Errorf("%s: id %s, rubric %v, %d inputs", dir, task.Spec.TaskID, task.RubricErr, len(task.Inputs))
		}
		for _, n := range task.Notes {
			if !strings.Contains(n.Text, "no evaluation folder") || filepath.Base(dir) != plateTask {
				t.Errorf("%s: %s", dir, n.Text)
			}
		}
		for _, f := range biabench.Lint(dir, nil) {
			if f.Level == biabench.Warning || f.Level == biabench.Error {
				t.Errorf("%s: %v", dir, f)
			}
		}
	}
}

// turnedDown are the runs whose files are refused for a required deliverable; that is their fault.
var turnedDown = map[string]bool{plateTask + "/marked": true, filamentsTask + "/probabilities": true}

// TestEveryRunResolves: each run has a card for its task and a file for each required deliverable.
func TestEveryRunResolves(t *testing.T) {
	l := whole(t)
	ctx := context.Background()
	for _, dir := range l.Tasks {
		task, err := biabench.OpenTask(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		if len(l.Runs[dir]) != 3 {
			t.Errorf("%s has %d runs", dir, len(l.Runs[dir]))
		}
		for _, r := range l.Runs[dir] {
			run, err := biabench.OpenRun(ctx, r)
			if err != nil {
				t.Errorf("%s: %v", r, err)
				continue
			}
			if run.TaskID != task.Spec.TaskID || run.Agent != filepath.Base(r) {
				t.Errorf("%s: task %q, agent %q", r, run.TaskID, run.Agent)
			}
			key, refused := filepath.Base(dir)+"/"+filepath.Base(r), false
			for _, d := range biabench.Resolve(ctx, run.Dir, task.Spec.Deliverables).Deliverables {
				refused = refused || d.Err != "" && d.Deliverable.Required
			}
			if refused != turnedDown[key] {
				t.Errorf("%s: refused %v", key, refused)
			}
			run.Close()
		}
	}
}

// TestEveryFileOpens: images by package raster, tables by package tabular.
func TestEveryFileOpens(t *testing.T) {
	whole(t)
	images, tables, size := 0, 0, int64(0)
	err := filepath.WalkDir(all16Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		size += info.Size()
		switch strings.ToLower(filepath.Ext(name)) {
		case ".tif", ".tiff", ".png", ".bmp", ".lsm":
			images++
			f, err := raster.Open(context.Background(), name)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return nil
			}
			if len(f.Series) == 0 || f.Series[0].Len() == 0 || f.ScoringErr != nil {
				t.Errorf("%s: %d series, scoring %v", name, len(f.Series), f.ScoringErr)
			}
			f.Close()
		case ".csv", ".txt", ".xlsx":
			tables++
			if _, err := tabular.Open(name); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		return err
	})
	if err != nil || images < 700 || tables < 150 {
		t.Errorf("%d images, %d tables, %v", images, tables, err)
	}
	t.Logf("%d images, %d tables, %.1f MB in %v", images, tables, float64(size)/1e6, all16Time)
	if size > 150e6 {
		t.Errorf("%d bytes, want 150 MB at most", size)
	}
	if all16Time > 3*time.Minute { // the promise of 20 s is for a machine that does nothing else: see BenchmarkWriteAll
		t.Errorf("took %v", all16Time)
	}
}

// TestAxes pins the axes and sizes of a file of each format.
func TestAxes(t *testing.T) {
	whole(t)
	for _, c := range []struct {
		path, axes string
		shape      []int
	}{
		{bacteriaTask + "/input/00.ome.tif", "TYX", []int{colonyT, colonyH, colonyW}},
		{smlmTask + "/input/DNAPAINT_substack.tiff", "TYX", []int{blinkT, blinkSide, blinkSide}},
		{woundTask + "/input/DA3_CTRL_SN29_L5/SN29_L5_image_stack.tif", "TYX", []int{24, woundSide, woundSide}},
		{kineticsTask + "/input/160701-Nup107-cell-3-t6.tif", "TZCYX", []int{mitosisT, mitosisZ, 2, mitosisH, mitosisW}},
		{mosaicTask + "/input/" + slideStem + ".lsm", "MZCYX", []int{64, slideZ, slideC, tileSide, tileSide}},
		{mosaicTask + "/evaluation/" + slideStem + "_Stitched.lsm", "ZCYX", []int{slideZ, slideC, slideSide, slideSide}},
		{punctaTask + "/input/08172023_ZR_WT/08172023_HEK_ZFTA_Mutants.sld - 08172023_ZFTA_RELA_WT - Position 1.tif", "ZCYX", []int{condZ, 2, condSide, condSide}},
		{vesselsTask + "/input/control204_r_RA.tiff", "ZYX", []int{cortexSide, cortexSide, cortexSide}},
		{fociTask + "/input/Figure2b_siControl.tif/T00001C01Z001.tif", "YXS", []int{repairSide, repairSide, 3}},
		{plateTask + "/input/extracted_images/BBBC014_v1_images/Channel 2-96-H-12-00.Bmp", "YX", []int{wellH, wellW}},
	} {
		f, err := raster.Open(context.Background(), filepath.Join(all16Dir, "tasks", filepath.FromSlash(c.path)))
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if h := f.Series[0]; h.Axes != c.axes || !slices.Equal(h.Shape, c.shape) {
			t.Errorf("%s: %s %v, want %s %v", c.path, h.Axes, h.Shape, c.axes, c.shape)
		}
		f.Close()
	}
}

// TestSameFilesEverywhere pins the files of each task: a digest over the list that the marker holds. When a change is
// meant, raise Version and take over the new digests, which the failure prints.
func TestSameFilesEverywhere(t *testing.T) {
	whole(t)
	m, err := readMarker(all16Dir)
	if err != nil || m == nil {
		t.Fatal(err)
	}
	for _, id := range IDs() {
		h := sha256.New()
		for _, f := range m.Files {
			if strings.HasPrefix(f.Path, "tasks/"+id+"/") || strings.HasPrefix(f.Path, "runs/"+id+"/") {
				h.Write([]byte(f.Path + f.SHA256))
			}
		}
		if got := hex.EncodeToString(h.Sum(nil)[:8]); got != pinned[id] {
			t.Errorf("%q: %q,", id, got)
		}
	}
}

// TestOneProcessorMakesTheSame makes a part of each task anew on one processor.
func TestOneProcessorMakesTheSame(t *testing.T) {
	whole(t)
	m, err := readMarker(all16Dir)
	if err != nil || m == nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, task := range tasks()[2:] {
		jobs := task.jobs(task)
		files, err := jobs[len(jobs)-1].make()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			i, ok := slices.BinarySearchFunc(m.Files, f.path, func(l listed, p string) int { return cmp.Compare(l.Path, p) })
			if !ok || m.Files[i] != entry(f) {
				t.Errorf("%s differs", f.path)
			}
		}
	}
}

// TestTasksJoin: tasks that are written one after the other into a folder are all in its list, and a part of the demo is
// enough for those who ask for a part.
func TestTasksJoin(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	steps := 0
	if _, err := WriteTasks(ctx, dir, func(done, total int) { steps = done }, golgiTask); err != nil || steps < 2 {
		t.Fatalf("%d steps, %v", steps, err)
	}
	some, _ := chosen([]string{golgiTask, smlmTask})
	if complete(dir, plan(some)) || !complete(dir, plan(some[1:])) {
		t.Error("the first task should be complete, both should not")
	}
	l, err := WriteTasks(ctx, dir, nil, smlmTask)
	if err != nil || len(l.Tasks) != 1 || !complete(dir, plan(some)) {
		t.Errorf("%v, %v", l.Tasks, err)
	}
	if _, err := WriteTasks(ctx, dir, nil, "no-such-task"); fault.KindOf(err) == nil {
		t.Errorf("an unknown task: %v", err)
	}
}

// TestReadmeNamesAll: each task and each of its agents has a line.
func TestReadmeNamesAll(t *testing.T) {
	files, err := readmeJob().make()
	if err != nil {
		t.Fatal(err)
	}
	text := string(files[0].data)
	for _, task := range tasks() {
		if !strings.Contains(text, "### "+task.id+"\n\n"+Hint(task.id)+"\n") || Hint(task.id) == "" {
			t.Errorf("%s is not in the README", task.id)
		}
		for _, r := range task.roles {
			if !strings.Contains(text, "- `"+r.name+"`: "+r.about) || r.about == "" {
				t.Errorf("%s of %s is not in the README", r.name, task.id)
			}
		}
	}
	if strings.Contains(text, "!") {
		t.Error("an exclamation mark in the README")
	}
}

// BenchmarkWriteAll is the promise of 20 s on two processors; it reports what share of that was needed.
func BenchmarkWriteAll(b *testing.B) {
	for b.Loop() {
		if _, err := Write(context.Background(), filepath.Join(b.TempDir(), "demo"), nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/20, "of-20s")
}
