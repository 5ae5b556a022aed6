package baseline_test

import (
	"bytes"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster"
	"coverslip/datasets/raster/tiff"
	"coverslip/scoring"
	"coverslip/scoring/baseline"
	"coverslip/scoring/call/calltest"
	"coverslip/scoring/report"
)

func score(t *testing.T, task *biabench.Task, run string) *report.Report {
	t.Helper()
	r, err := scoring.Score(t.Context(), task, &biabench.Run{Dir: run}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// perfect are the recorded cases whose answer is the truth.
func perfect(t *testing.T) (dirs []string) {
	t.Helper()
	shared := calltest.Shared()
	if shared == "" {
		t.Skip("the shared cases are absent")
	}
	dirs, err := filepath.Glob(filepath.Join(shared, "golden", "*", "perfect"))
	if err != nil || len(dirs) != 16 {
		t.Fatalf("%d perfect cases, %v", len(dirs), err)
	}
	return dirs
}

func open(t *testing.T, dir string) *biabench.Task {
	t.Helper()
	task, err := biabench.OpenTask(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// The truth reaches the ceiling, and nothing delivered does not rise above the floor.
func TestCeilingAndNothingOfEveryTask(t *testing.T) {
	for _, dir := range perfect(t) {
		task := open(t, dir)
		r := score(t, task, filepath.Join(dir, "pred"))
		b, ok := baseline.Of(r)
		if !ok || b.FloorWhy == "" || b.CeilingWhy == "" || math.Abs(r.Result.Value-b.Ceiling) > 1e-4 || b.Floor < 0 || b.Floor >= b.Ceiling {
			t.Errorf("%s: the truth scores %v, band %+v, %v", dir, r.Result.Value, b, ok)
		}
		empty := score(t, task, t.TempDir())
		if b, ok := baseline.Of(empty); !ok || empty.Result.Value > b.Floor {
			t.Errorf("%s: nothing scores %v, band %+v", dir, empty.Result.Value, b)
		}
		for _, text := range []string{b.FloorWhy, b.CeilingWhy} {
			if strings.HasSuffix(text, ".") || strings.Contains(text, "NaN") {
				t.Errorf("%s: %q", dir, text)
			}
		}
	}
}

// thoughtless copies an answer, each file changed.
func thoughtless(t *testing.T, from string, change func(path string) []byte) string {
	t.Helper()
	to := t.TempDir()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, rel)), 0o755); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), change(path), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// An answer that is foreground everywhere scores the floor that the band of any other answer names.
func TestForegroundEverywhere(t *testing.T) {
	metrics := map[string][]string{
		"he-nuinsseg-nuclear-segmentation": {"dice", "iou"}, "3d-fluo-cell-segmentation-lateral-line-idr0079": {"dice"},
		"fluo-helacytonuc-cell-segmentation": {"dice"},
		"sim-microtubules-segmentation":      {"dice", "iou", "precision", "recall"}, "3d-light-sheet-brain-vessels": {"dice", "precision"},
	}
	tested := 0
	for _, dir := range perfect(t) {
		for _, metric := range metrics[filepath.Base(filepath.Dir(dir))] {
			task := open(t, dir)
			task.Rubric.Metric["primary_metric"] = metric
			b, ok := baseline.Of(score(t, task, filepath.Join(dir, "pred")))
			full := thoughtless(t, filepath.Join(dir, "pred"), func(path string) []byte { return ones(t, path) })
			if got := score(t, task, full); !ok || b.Metric != metric || math.Abs(got.Result.Value-b.Floor) > 1e-4 || b.Floor == 0 {
				t.Errorf("%s, %s: foreground everywhere scores %v, band %+v", dir, metric, got.Result.Value, b)
			}
			tested++
		}
	}
	if tested != 10 {
		t.Errorf("%d bands were tested", tested)
	}
}

// ones is an image of the shape of another, foreground everywhere.
func ones(t *testing.T, path string) []byte {
	t.Helper()
	a, err := raster.ReadArray(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	n := 1
	for _, d := range a.Shape {
		n *= d
	}
	var out bytes.Buffer
	full := raster.Array{Shape: a.Shape, Axes: a.Axes, Type: raster.Uint8, Values: slices.Repeat([]uint8{1}, n)}
	if err := tiff.Encode(&out, full, tiff.EncodeOptions{}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Empty tables for all images score the floor of counting.
func TestEmptyTables(t *testing.T) {
	shared := calltest.Shared()
	if shared == "" {
		t.Skip("the shared cases are absent")
	}
	blank := 0
	for _, name := range []string{"perfect", "blank-images", "all-blank"} {
		dir := filepath.Join(shared, "golden", "fluo-cell-counting-2d-cellfmcount", name)
		task := open(t, dir)
		tables := t.TempDir()
		r := score(t, task, filepath.Join(dir, "pred"))
		for _, im := range r.Images {
			if err := os.WriteFile(filepath.Join(tables, im.Name+".csv"), []byte("X,Y\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		b, ok := baseline.Of(r)
		if got := score(t, task, tables); !ok || math.Abs(got.Result.Value-b.Floor) > 1e-4 {
			t.Errorf("%s: empty tables score %v, band %+v", name, got.Result.Value, b)
		}
		if b.Floor > 0 {
			blank++
		}
	}
	if blank < 2 {
		t.Errorf("only %d cases have blank images", blank)
	}
}

// Recorded cases that stand at an end of their band.
func TestRecordedEnds(t *testing.T) {
	shared := calltest.Shared()
	if shared == "" {
		t.Skip("the shared cases are absent")
	}
	for _, c := range []struct {
		dir     string
		ceiling bool
		want    float64
	}{
		{"wound-healing-speed-kymograph-gigadb100118/direction-not-computable", true, 0.85},
		{"wound-healing-speed-kymograph-gigadb100118/perfect", true, 1},
		{"cytoplasm-nucleus-translocation-bbbc014/constant-ratio", false, 1.0 / 3},
	} {
		dir := filepath.Join(shared, "golden", filepath.FromSlash(c.dir))
		r := score(t, open(t, dir), filepath.Join(dir, "pred"))
		b, ok := baseline.Of(r)
		end := b.Floor
		if c.ceiling {
			end = b.Ceiling
		}
		if !ok || math.Abs(end-c.want) > 1e-9 || math.Abs(r.Result.Value-end) > 1e-4 {
			t.Errorf("%s: scores %v, band %+v", c.dir, r.Result.Value, b)
		}
	}
}

func TestBandFromReports(t *testing.T) {
	image := func(compartment string, pixels, side int) report.Image {
		return report.Image{Compartment: compartment, Status: report.Scored, TruthPixels: pixels, TruthShape: []int{side, side}}
	}
	const nuclei, hela, npc = "he-nuinsseg-nuclear-segmentation", "fluo-helacytonuc-cell-segmentation", "5D-npc-assembly-kinetics-idr0115"
	for _, c := range []struct {
		name           string
		r              report.Report
		known          bool
		floor, ceiling float64
	}{
		{"a quarter of foreground", report.Report{TaskID: nuclei, Primary: "dice", Images: []report.Image{image("", 25, 10)}}, true, 0.4, 1},
		{"iou of two images", report.Report{TaskID: nuclei, Primary: "iou", Images: []report.Image{image("", 25, 10), image("", 75, 10)}}, true, 0.5, 1},
		{"compartments weigh alike", report.Report{TaskID: hela, Primary: "iou", Images: []report.Image{image("n", 20, 10), image("n", 20, 10), image("c", 60, 10)}}, true, 0.4, 1},
		{"images that were not scored", report.Report{TaskID: nuclei, Primary: "dice", Images: []report.Image{{Status: report.MissingAnswer}}}, true, 0, 1},
		{"instances have no closed form", report.Report{TaskID: nuclei, Primary: "pq", Images: []report.Image{image("", 25, 10)}}, true, 0, 1},
		{"a count is no score", report.Report{TaskID: nuclei, Primary: "matched_images"}, false, 0, 0},
		{"an error in units", report.Report{TaskID: npc, Primary: "mae_volume_nucleus"}, false, 0, 0},
		{"cells without a movie", report.Report{TaskID: npc, Primary: "kinetics_quality_score", Metrics: new(report.Record).Set("n_cells_ref", 10)}, true, 0, 0.5},
		{"as many cells as movies", report.Report{TaskID: npc, Primary: "kinetics_quality_score", Metrics: new(report.Record).Set("n_cells_ref", 5)}, true, 0, 1},
		{"no score", report.Report{TaskID: nuclei, Primary: "dice", Result: report.Result{None: true}}, false, 0, 0},
		{"an unknown task", report.Report{TaskID: "x"}, false, 0, 0},
	} {
		b, ok := baseline.Of(&c.r)
		if ok != c.known || math.Abs(b.Floor-c.floor) > 1e-12 || math.Abs(b.Ceiling-c.ceiling) > 1e-12 {
			t.Errorf("%s: %+v, %v", c.name, b, ok)
		}
	}
	if _, ok := baseline.Of(nil); ok {
		t.Error("no report has a band")
	}
	if s := (baseline.Band{Floor: 0.2, Ceiling: 0.6}).Share(0.3); math.Abs(s-0.25) > 1e-12 {
		t.Errorf("share %v", s)
	}
	if s := (baseline.Band{Floor: 1, Ceiling: 1}).Share(1); !math.IsNaN(s) {
		t.Errorf("share of nothing %v", s)
	}
}
