package session

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster"
	"coverslip/datasets/raster/tiff"
	"coverslip/scoring/report"
)

// copyOf copies a folder, so that a test may damage it.
func copyOf(t *testing.T, dir string) string {
	t.Helper()
	target := filepath.Join(t.TempDir(), filepath.Base(dir))
	if err := os.CopyFS(target, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return target
}

// opens a session on paths.
func openPaths(t *testing.T, paths ...string) *opened {
	t.Helper()
	q := NewQueue()
	o := &opened{Session: New(Options{Post: q.Post}), q: q}
	t.Cleanup(o.Close)
	o.Open(paths...)
	o.settle(t)
	return o
}

func demoLayout(t *testing.T) (tasks []string, runs map[string][]string) {
	o := openDemo(t, 0)
	return o.layout.Tasks, o.layout.Runs
}

func TestDamagedAnswerLeavesImageAndTruth(t *testing.T) {
	tasks, runs := demoLayout(t)
	run := copyOf(t, runs[tasks[0]][0])
	broken := filepath.Join(run, "artifacts", "segmentation_masks", "human_kidney_01.tif")
	data, err := os.ReadFile(broken)
	if err != nil {
		t.Fatal(err)
	}
	for i := 64; i < 400; i++ { // the pixels begin after the header
		data[len(data)/2+i] ^= 0xff
	}
	os.WriteFile(broken, data, 0o644)
	o := openPaths(t, tasks[0], run)
	o.SelectImage(0)
	o.settle(t)
	s := o.Scene()
	if s == nil || len(s.Channels) == 0 || s.Truth == nil {
		t.Fatalf("a damaged answer took image and truth with it: %+v", s)
	}
	if o.Shape().Y == 0 {
		t.Error("the shape is forgotten")
	}
}

func TestDamagedSliceLeavesTheOthers(t *testing.T) {
	const n, side = 9, 64
	values := make([]uint16, n*side*side)
	for i := range values {
		values[i] = uint16(i * 7919)
	}
	var b bytes.Buffer
	err := tiff.Encode(&b, raster.Array{Shape: []int{n, side, side}, Axes: "ZYX", Type: raster.Uint16, Values: values}, tiff.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	for i := range 200 {
		data[len(data)/2+i] ^= 0xff
	}
	path := filepath.Join(t.TempDir(), "stack.tif")
	os.WriteFile(path, data, 0o644)
	o := openPaths(t, path)
	seen := 0
	for z := range n {
		o.SetZ(z)
		o.settle(t)
		if o.View().Z != z {
			t.Fatalf("slice %d cannot be reached: the view is at %d", z, o.View().Z)
		}
		if len(o.Scene().Channels) > 0 {
			seen++
		}
	}
	if seen == n || seen < n-4 {
		t.Errorf("%d of %d slices can be seen; some are damaged, not all", seen, n)
	}
	if len(o.MessageList()) == 0 {
		t.Error("nothing is said of the damaged slices")
	}
}

func TestEveryReportRowIsAnImage(t *testing.T) {
	task := &biabench.Task{}
	r := &report.Report{}
	for i := range 13 {
		r.Images = append(r.Images, report.Image{Name: fmt.Sprint(i), Compartment: "nuclei", Truth: fmt.Sprintf("/t/nuclei_masks/%d.tif", i)},
			report.Image{Name: fmt.Sprint(i), Compartment: "cytoplasm", Truth: fmt.Sprintf("/t/cytoplasm_masks/%d.tif", i)})
	}
	r.Images = append(r.Images, report.Image{Name: "3", Truth: "/t/a/3.tif"}, report.Image{Name: "3", Truth: "/t/b/3.tif"})
	reached := map[int]bool{}
	images := Join(task, biabench.Resolution{}, r)
	for _, im := range images {
		for _, p := range im.Parts {
			reached[p.Row] = true
		}
	}
	if len(reached) != len(r.Images) {
		t.Errorf("%d of %d rows can be reached", len(reached), len(r.Images))
	}
	if len(images) != 14 {
		t.Errorf("%d images, want 13 and one more for the second of a name", len(images))
	}
}

func TestDroppingAChangedRunReadsItAnew(t *testing.T) {
	tasks, runs := demoLayout(t)
	run := copyOf(t, runs[tasks[0]][0])
	o := openPaths(t, tasks[0], run)
	before := o.Runs()[0].Score
	os.Remove(filepath.Join(run, "artifacts", "segmentation_masks", "human_kidney_01.tif"))
	o.Open(run)
	o.settle(t)
	if after := o.Runs(); len(after) != 1 || after[0].Score == before {
		t.Errorf("scores %v after a mask was deleted, %s before", after, before)
	}
}

func TestStoppedRunCanBeScoredAgain(t *testing.T) {
	tasks, runs := demoLayout(t)
	q := NewQueue()
	o := &opened{Session: New(Options{Post: q.Post}), q: q}
	t.Cleanup(o.Close)
	o.Open(tasks[1], runs[tasks[1]][0])
	o.q.Wait(func() bool { return len(o.Runs()) > 0 && o.Runs()[0].State == Scoring })
	for _, j := range o.JobList() {
		o.CancelJob(j.ID)
	}
	o.settle(t)
	if r := o.Runs()[0]; r.State != Stopped {
		t.Fatalf("after stopping: %+v", r)
	}
	o.Rescore(0)
	o.settle(t)
	if r := o.Runs()[0]; r.State != Done || !r.Passed {
		t.Errorf("after scoring again: %+v", r)
	}
}

func TestStatusFollowsThePointerAcrossViews(t *testing.T) {
	o := openDemo(t, 0)
	o.Hover(100, 300)
	first := o.Status().Position
	o.ZoomBy(4, 300, 500)
	if o.Status().Position == first {
		t.Errorf("the picture moved below the pointer, the status line still says %s", first)
	}
	o.WorstError()
	o.settle(t)
	m := o.Report().Marks[o.errors.selected]
	row := o.ErrorRow(o.Selected())
	if got := o.Status().Position; got != row.Where || got != fmt.Sprintf("y %d x %d", int(m.Y+0.5), int(m.X+0.5)) {
		t.Errorf("after W the status line says %q, the table %q, the mark lies at y %g x %g", got, row.Where, m.Y, m.X)
	}
}

func TestDroppedRunLeavesTheViewAlone(t *testing.T) {
	tasks, runs := demoLayout(t)
	o := openPaths(t, tasks[0], runs[tasks[0]][0])
	o.SelectImage(4)
	o.settle(t)
	o.ZoomBy(3, 200, 200)
	before := o.View()
	o.Open(runs[tasks[0]][1])
	o.settle(t)
	if v := o.View(); v.Zoom != before.Zoom || v.At != before.At || v.Image != before.Image || o.Run() != 1 {
		t.Errorf("the view went from %v to %v, run %d", before, v, o.Run())
	}
}

func TestImagesDroppedWithATaskAreOpenedToo(t *testing.T) {
	tasks, _ := demoLayout(t)
	o := openPaths(t, tasks[0], filepath.Join(tasks[1], "input", "5C0F3A71D2_8bit_lynEGFP.tif"))
	if n := len(o.Tasks()); n != 2 {
		t.Errorf("%d entries, want the task and the image", n)
	}
}

func TestCancelledOpeningRemovesWhatItUnpacked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.zip")
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("mask.tif")
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte("pixels"))
	z.Close()
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	var f found
	ctx, cancel := context.WithCancel(context.Background())
	f.look(ctx, path)
	if len(f.runs) != 1 {
		t.Fatalf("the zip was not opened: %v", f.errs)
	}
	unpacked := f.runs[0].run.Dir
	if err := f.unless(ctx); err != nil || !biabench.IsFolder(unpacked) {
		t.Fatalf("before the cancel: %v, the folder is there: %v", err, biabench.IsFolder(unpacked))
	}
	cancel()
	if err := f.unless(ctx); err == nil || biabench.IsFolder(unpacked) {
		t.Errorf("after the cancel: %v, the folder is there: %v", err, biabench.IsFolder(unpacked))
	}
}

func TestLoadedNamesAreWords(t *testing.T) {
	for _, c := range []struct {
		name, stem string
		want       bool
	}{{"7", "7_seg", true}, {"7", "17_seg", false}, {"1", "10", false}, {"a", "xa-b.a", true}, {"", "x", false}} {
		if got := standsIn(c.name, c.stem); got != c.want {
			t.Errorf("%q in %q: %v", c.name, c.stem, got)
		}
	}
}

func TestPaletteImagesShowTheirColours(t *testing.T) {
	p := colourOf(raster.Plane{H: 1, W: 3, Type: raster.Uint8, Values: []uint8{0, 1, 9}}, [][3]uint8{{1, 2, 3}, {40, 50, 60}}, 1)
	if got := p.Values.([]uint8); got[0] != 2 || got[1] != 50 || got[2] != 0 {
		t.Errorf("green of the indices 0, 1 and 9: %v", got)
	}
}
