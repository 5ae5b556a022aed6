package demo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"coverslip/datasets/fault"
)

// digest folds the pixels of pictures and label images, not the files, into one number.
func digest(parts ...any) string {
	h := sha256.New()
	for _, p := range parts {
		switch v := p.(type) {
		case []uint8:
			h.Write(v)
		case []uint16:
			for _, x := range v {
				h.Write([]byte{byte(x), byte(x >> 8)})
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// TestSamePixelsEverywhere pins a part of the demo. When a change to the pictures is meant, raise Version and take over
// the new numbers.
func TestSamePixelsEverywhere(t *testing.T) {
	want := map[string]string{
		"human_kidney_01":   "18cfbf79427167b6",
		"human_pancreas_05": "470a8e4d652f0b83",
		"stack":             "987f708f81c64fca",
	}
	for _, n := range []int{1, 2} {
		t.Run(fmt.Sprintf("%d processors", n), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
			for i, s := range slides() {
				if want[s.name] == "" {
					continue
				}
				p := paint(s) // anew: the number of processors has changed
				got := digest(p.rgb, p.truth.ID, agents()[2].flat.answer(p.truth, uint64(i)).ID)
				if got != want[s.name] {
					t.Errorf("%s on %d: %s, want %s", s.name, n, got, want[s.name])
				}
			}
			stack, truth := primordium()
			got := digest(stack, truth.ID, agents()[1].deep.answer(truth, 1).ID)
			if got != want["stack"] {
				t.Errorf("stack on %d: %s, want %s", n, got, want["stack"])
			}
		})
	}
}

// TestNoFusedOperations reads the machine code for a processor that could fuse products and sums: a fused one rounds once
// instead of twice, and pictures would differ between machines.
func TestNoFusedOperations(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for another processor")
	}
	build := exec.Command("go", "build", "-gcflags=coverslip/datasets/demo=-S", "-o", os.DevNull, ".")
	build.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("FMULD")) {
		t.Skipf("no listing for arm64 to read: %v", err)
	}
	fused := regexp.MustCompile(`\(([^()]*/(\w+\.go:\d+))\)\s+FN?M(ADD|SUB)D`)
	var places []string
	for _, m := range fused.FindAllSubmatch(out, -1) {
		places = append(places, string(m[2]))
	}
	slices.Sort(places)
	if places = slices.Compact(places); len(places) > 0 {
		t.Errorf("put float64() around the products in %v", places)
	}
}

// TestTruths: instances are connected, not tiny, numbered without gaps, and some of them touch.
func TestTruths(t *testing.T) {
	check := func(name string, l labels, smallest int) {
		_, sizes, owner := l.parts()
		if len(sizes)-1 != l.count() {
			t.Errorf("%s: %d parts for %d instances", name, len(sizes)-1, l.count())
		}
		for p := 1; p < len(sizes); p++ {
			if sizes[p] < smallest {
				t.Errorf("%s: instance %d has %d pixels", name, owner[p], sizes[p])
			}
		}
		touching := 0
		for i, v := range l.ID {
			if _, _, x := l.place(i); x > 0 && v != 0 && l.ID[i-1] != 0 && l.ID[i-1] != v {
				touching++
			}
		}
		if touching < 30 {
			t.Errorf("%s: only %d pixels where instances touch", name, touching)
		}
	}
	for i, s := range slides() {
		p := painted()[i]
		check(s.name, p.truth, 45)
		if n := p.truth.count(); n < 60 || n > 400 || len(p.rgb) != 3*len(p.truth.ID) {
			t.Errorf("%s: %d nuclei, %d bytes of colour", s.name, n, len(p.rgb))
		}
	}
	stack, truth := grown()
	check("stack", truth, 60)
	if n := truth.count(); n < 90 || n > 150 || len(stack) != len(truth.ID) {
		t.Errorf("stack: %d cells, %d voxels against %d", n, len(stack), len(truth.ID))
	}
}

// painted and grown are the pictures, made once for all tests.
var painted = sync.OnceValue(func() []picture {
	var all []picture
	for _, s := range slides() {
		all = append(all, paint(s))
	}
	return all
})

var grown = sync.OnceValues(primordium)

// written is one demo for the tests that only look at it; TestMain removes it.
var (
	writtenDir string
	written    = sync.OnceValues(func() (string, error) {
		dir, err := os.MkdirTemp("", "demo")
		if err != nil {
			return "", err
		}
		writtenDir = dir
		_, err = WriteTasks(context.Background(), dir, nil, First()...)
		return dir, err
	})
)

func TestMain(m *testing.M) {
	code := m.Run()
	for _, dir := range []string{writtenDir, all16Dir} {
		if dir != "" {
			os.RemoveAll(dir)
		}
	}
	os.Exit(code)
}

// demoCopy is a fresh copy of the written demo.
func demoCopy(t *testing.T) string {
	t.Helper()
	from, err := written()
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "demo")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// tree maps each file below dir to a digest.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		all[filepath.ToSlash(rel)] = digest(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestWriteGivesWhatThePlanSays(t *testing.T) {
	dir := demoCopy(t)
	have := tree(t, dir)
	delete(have, markerName)
	want := paths(plan(tasks()[:2]))
	if len(have) != len(want) {
		t.Errorf("%d files, want %d", len(have), len(want))
	}
	for _, p := range want {
		if have[p] == "" {
			t.Errorf("%s is not there", p)
		}
	}
	l := layout(dir, tasks()[:2])
	for _, task := range l.Tasks {
		if len(l.Runs[task]) != 3 || !strings.HasSuffix(l.Runs[task][0], "careful") {
			t.Errorf("%s: runs %v", task, l.Runs[task])
		}
		for _, d := range append([]string{filepath.Join(task, "input"), filepath.Join(task, "evaluation")}, l.Runs[task]...) {
			if info, err := os.Stat(d); err != nil || !info.IsDir() {
				t.Errorf("%s is no folder", d)
			}
		}
	}
	f, err := os.Open(filepath.Join(l.Tasks[0], "input", "human_kidney_02.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if c, err := png.DecodeConfig(f); err != nil || c.Width != tile || c.Height != tile {
		t.Errorf("picture %v, %v", c, err)
	}
}

func TestDamageIsRepaired(t *testing.T) {
	dir := demoCopy(t)
	before := tree(t, dir)
	picture := filepath.Join(dir, "tasks", nucleiTask, "input", "human_kidney_03.png")
	stack := filepath.Join(dir, "runs", cellsTask, "careful", "artifacts", "segmentation_masks", stackName+"_seg.tif")
	mine := filepath.Join(dir, "runs", nucleiTask, "mine", "note.txt")
	for _, step := range []error{
		os.Truncate(picture, 1000),
		os.Remove(stack),
		os.MkdirAll(filepath.Dir(mine), 0o755),
		os.WriteFile(mine, []byte("my own run"), 0o644),
	} {
		if step != nil {
			t.Fatal(step)
		}
	}
	if complete(dir, plan(tasks()[:2])) {
		t.Error("a damaged demo passes for complete")
	}
	steps := 0
	if _, err := WriteTasks(context.Background(), dir, func(done, total int) { steps = done }, First()...); err != nil {
		t.Fatal(err)
	}
	after := tree(t, dir)
	if after["runs/"+nucleiTask+"/mine/note.txt"] != digest([]byte("my own run")) {
		t.Error("a file of the user's was changed")
	}
	delete(after, "runs/"+nucleiTask+"/mine/note.txt")
	for p, d := range before {
		if after[p] != d {
			t.Errorf("%s was not repaired", p)
		}
	}
	if len(after) != len(before) || steps != len(plan(tasks()[:2])) || !complete(dir, plan(tasks()[:2])) {
		t.Errorf("%d files after %d steps, want %d after %d", len(after), steps, len(before), len(plan(tasks()[:2])))
	}
}

// TestInterrupted: without the marker, files with the right content are taken over and the rest is written.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	jobs := []job{slideJob(0, slides()[0]), readmeJob()}
	write := func() map[string]string {
		t.Helper()
		w := writer{dir: dir}
		if err := w.run(context.Background(), jobs); err != nil {
			t.Fatal(err)
		}
		return tree(t, dir)
	}
	before := write()
	for _, p := range []string{markerName, "README.md"} {
		if err := os.Remove(filepath.Join(dir, p)); err != nil {
			t.Fatal(err)
		}
	}
	if after := write(); len(after) != len(before) || after[markerName] != before[markerName] {
		t.Error("the demo was not completed")
	}
}

func TestForeignFoldersAreRefused(t *testing.T) {
	cases := []struct{ name, path, text string }{
		{"another file", "thesis.txt", "chapter one"},
		{"another folder", "tasks/other/task_spec.yaml", "task_id: other"},
		{"our name, not our text", "README.md", "my own readme"},
		{"another edition", markerName, `{"version": 99, "files": []}`},
		{"a list that is none", markerName, "not a list"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			name := filepath.Join(dir, filepath.FromSlash(c.path))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			w := writer{dir: dir}
			err := w.run(context.Background(), []job{readmeJob()})
			if fault.KindOf(err) == nil {
				t.Fatalf("no clear refusal: %v", err)
			}
			if have, _ := os.ReadFile(name); string(have) != c.text {
				t.Error("the file was changed")
			}
			if _, err := os.Stat(filepath.Join(dir, markerName)); c.path != markerName && err == nil {
				t.Error("the folder was marked as a demo")
			}
		})
	}
	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o644)
	if _, err := Write(context.Background(), file, nil); fault.KindOf(err) == nil {
		t.Errorf("a file in place of the folder: %v", err)
	}
}

// TestFailedWriteLeavesNothing: where the last step fails, the temporary file goes and the reason is told.
func TestFailedWriteLeavesNothing(t *testing.T) {
	name := filepath.Join(t.TempDir(), "taken")
	if err := os.MkdirAll(filepath.Join(name, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := put(name, []byte("text")); fault.KindOf(err) == nil {
		t.Errorf("no clear error: %v", err)
	}
	if left := tree(t, filepath.Dir(name)); len(left) != 0 {
		t.Errorf("left %v behind", left)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := filepath.Join(t.TempDir(), "demo")
	if _, err := Write(ctx, dir, nil); err != context.Canceled {
		t.Errorf("got %v", err)
	}
	if have := tree(t, dir); len(have) != 0 {
		t.Errorf("left %v behind", have)
	}
}

func TestEnsureUsesTheCacheFolder(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", home)
	cache, err := os.UserCacheDir()
	if err != nil || cache != home {
		t.Skip("the cache folder of this system cannot be moved")
	}
	if err := os.CopyFS(filepath.Join(home, "coverslip", fmt.Sprintf("demo-v%d", Version)), os.DirFS(demoCopy(t))); err != nil {
		t.Fatal(err)
	}
	l, err := EnsureTasks(context.Background(), func(int, int) { t.Error("wrote again what was there") }, First()...)
	if err != nil || len(l.Tasks) != 2 || !strings.HasPrefix(l.Tasks[0], home) {
		t.Errorf("%v, %v", l, err)
	}
}

// BenchmarkWrite is the promise of 5 s for the first two tasks on two processors; it reports what share of that was needed.
func BenchmarkWrite(b *testing.B) {
	for b.Loop() {
		if _, err := WriteTasks(context.Background(), filepath.Join(b.TempDir(), "demo"), nil, First()...); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/5, "of-5s")
}

// BenchmarkEnsure is the promise of 20 ms where the whole demo is there already.
func BenchmarkEnsure(b *testing.B) {
	if _, err := all16(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if !complete(all16Dir, plan(tasks())) {
			b.Fatal("not complete")
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/0.020, "of-20ms")
}
