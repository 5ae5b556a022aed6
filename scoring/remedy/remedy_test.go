package remedy

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster"
	"coverslip/scoring"
	"coverslip/scoring/call/calltest"
)

// A slip is done to the answer of a recorded case that scores 1; the remedy must bring the score back.
type slip struct {
	name, task, kase string
	do               func(t *testing.T, run string)
	text             string // that the best outcome's words hold
	beside           bool   // the score does not know: the measure beside it comes back
}

const (
	nuclei    = "he-nuinsseg-nuclear-segmentation"
	volumes   = "3d-fluo-cell-segmentation-lateral-line-idr0079"
	both      = "fluo-helacytonuc-cell-segmentation"
	filaments = "sim-microtubules-segmentation"
	vessels   = "3d-light-sheet-brain-vessels"
	bacteria  = "phase-contrast-bacteria-tracking-toiam"
	counting  = "fluo-cell-counting-2d-cellfmcount"
	smlm      = "smlm-localization-dnapaint"
	microglia = "microglia-phenotype-progression-bbbc054"
	puncta    = "3d-confocal-puncta-quantification-sbiad1556"
	foci      = "fluo-dna-repair-foci-colocalization-sbsst227"
	golgi     = "fluo-coronavirus-golgi-colocalization"
	wells     = "cytoplasm-nucleus-translocation-bbbc014"
)

var slipsDone = []slip{
	{"byte-order mark", wells, "perfect", text(".csv", func(s string) string { return "\ufeff" + s }), "byte-order mark", false},
	{"UTF-16", counting, "perfect", text(".csv", utf16LE), "not UTF-16", false},
	{"semicolons and decimal commas", puncta, "perfect", text(".csv", func(s string) string {
		return regexp.MustCompile(`;(\d+)\.(\d+)`).ReplaceAllString(strings.ReplaceAll(s, ",", ";"), ";$1,$2")
	}), "not semicolons", false},
	{"tabs", foci, "perfect", text(".csv", func(s string) string { return strings.ReplaceAll(s, ",", "\t") }), "not tabs", false},
	{"column names", microglia, "perfect", text(".csv", head("frame,x,y,predicted_phenotype", "Frame Number,X (px),Y (px),cell type")), "columns were called", false},
	{"column names in another case", wells, "perfect", text(".csv", func(s string) string {
		h, rest, _ := strings.Cut(s, "\n")
		return strings.ToUpper(h) + "\n" + rest
	}), "columns were called", false},
	{"no header", counting, "perfect", text(".csv", behead), "a header named the columns", false},
	{"mark, semicolons and column names", puncta, "perfect", text(".csv", func(s string) string {
		return "\ufeff" + strings.Replace(strings.ReplaceAll(s, ",", ";"), "condition", "Condition", 1)
	}), "byte-order mark", false},
	{"a title above the header", wells, "perfect", text(".csv", func(s string) string { return "Results of the plate\n\n" + s }), "above the header", false},
	{"surplus cells", wells, "perfect", text(".csv", func(s string) string { return strings.Replace(s, "\nA02", ",x\nA02", 1) }), "behind the last column", false},
	{"percent", foci, "perfect", text(".csv", inColumn("start_normalized", func(v float64) float64 { return v * 100 })), "percent", false},
	{"frames from one", microglia, "perfect", text(".csv", inColumn("frame", func(v float64) float64 { return v + 1 })), "counted from 0", false},
	{"x and y swapped", microglia, "perfect", text(".csv", head("frame,x,y", "frame,y,x")), "swapped", false},
	{"CSV for text", smlm, "perfect", renamed("DNAPAINT_LocalizationList.txt", "localisations.csv"), ".txt", false},
	{"half a pixel", smlm, "perfect", localisations(0, 0.75), "half a pixel less", false},
	{"frames from one in a list", smlm, "perfect", localisations(1, 0), "counted from 0", false},
	{"lineage from one", bacteria, "perfect", text(".txt", lineageFromOne), "counted from 0", false},
	{"lineage with semicolons", bacteria, "perfect", text(".txt", func(s string) string { return strings.ReplaceAll(s, " ", ";") }), "semicolons", false},
	{"Y and X swapped", nuclei, "perfect", pixels(turns[0].edit), "Y X, not X Y", false},
	{"one plane of many axes", nuclei, "perfect", pixels(func(a raster.Array) (raster.Array, error) { return reshaped(a, append([]int{1}, a.Shape...), "ZYX") }), "no axes of length 1", false},
	{"upside down", filaments, "perfect", pixels(turns[1].edit), "upside down", false},
	{"Z last", volumes, "perfect", pixels(as("YXZ", []int{1, 2, 0})), "order Z Y X", false},
	{"Z last in vessels", vessels, "perfect", pixels(as("YXZ", []int{1, 2, 0})), "order Z Y X", false},
	{"enlarged", filaments, "perfect", pixels(doubled), "not enlarged", false},
	{"made smaller", nuclei, "perfect", pixels(shrunk), "not made smaller", false},
	{"frames in series", bacteria, "perfect", inSeries, "one stack", false},
	{"one frame axis too many", bacteria, "perfect", pixels(func(a raster.Array) (raster.Array, error) {
		return reshaped(a, append([]int{1}, a.Shape...), "ZTYX"[:4])
	}), "no axes of length 1", false},
	{"binary mask", nuclei, "perfect", pixels(oneLabel), "connected pieces", true},
	{"labels used twice", nuclei, "perfect", pixels(fewLabels), "connected piece", true},
	{"background is one", nuclei, "perfect", pixels(plusOne), "background", false},
	{"inverted", filaments, "perfect", pixels(inverted), "exchanged", false},
	{"inverted vessels", vessels, "perfect", pixels(inverted), "exchanged", false},
	{"coloured labels", nuclei, "perfect", pixels(painted), "colour", false},
	{"probabilities", filaments, "perfect", pixels(soft), "probabilities", false},
	{"other names", filaments, "perfect", numbered("m_%d_mask.tif"), "named as the images", false},
	{"other names of tables", counting, "perfect", numbered("points-%c.csv"), "named as the images", false},
	{"supporting", nuclei, "perfect", aside("supporting"), "supporting", false},
	{"raw", golgi, "perfect", aside("raw"), "input data", false},
	{"compartments", both, "perfect", exchanged, "exchanged", false},
}

func TestRemedyRestoresTheScore(t *testing.T) {
	shared := calltest.Shared()
	if shared == "" {
		t.Skip("the shared cases are absent")
	}
	for _, c := range slipsDone {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(shared, "golden", c.task, c.kase)
			run := t.TempDir()
			if err := os.CopyFS(run, os.DirFS(filepath.Join(dir, "pred"))); err != nil {
				t.Fatal(err)
			}
			good, _ := judge(t, dir, run)
			c.do(t, run)
			before := hashes(t, run)
			bad, outcomes := judge(t, dir, run)
			if !bad.Result.None && bad.Result.Value >= good.Result.Value && !c.beside {
				t.Fatalf("the slip costs nothing: %v", bad.Result)
			}
			if len(outcomes) == 0 {
				t.Fatalf("nothing is proposed for a score of %v", bad.Result)
			}
			best := outcomes[0]
			if !strings.Contains(best.If, c.text) || math.Abs(best.Score-good.Result.Value) > 0.1 { // two slips lose something for good
				t.Errorf("best is %+v; the good answer scores %v", best, good.Result.Value)
			}
			if c.beside && !strings.Contains(best.Beside, "AP at IoU 0.5: 0.") { // touching nuclei stay one piece
				t.Errorf("beside the score: %q", best.Beside)
			}
			if now := hashes(t, run); now != before {
				t.Error("the run's files have changed")
			}
		})
	}
}

// TestUnits: the spec says how large a voxel is, the answer gives micrometres.
func TestUnits(t *testing.T) {
	shared := calltest.Shared()
	if shared == "" {
		t.Skip("the shared cases are absent")
	}
	for key, line := range map[string]string{"input:": "input:\n  voxel_size_um: \"0.065 x 0.065 x 0.2 (XY x XY x Z)\"",
		"expert_instructions: \"": "expert_instructions: \"The voxel size: 0.065 µm × 0.065 µm × 0.2 µm. "} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(filepath.Join(shared, "golden", puncta, "perfect"))); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "task_spec.yaml")
		spec, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		save(t, file, []byte(strings.Replace(string(spec), key, line, 1)))
		text(".csv", scaled)(t, filepath.Join(dir, "pred"))
		bad, outcomes := judge(t, dir, filepath.Join(dir, "pred"))
		if bad.Result.Value > 0.5 || len(outcomes) == 0 || !strings.Contains(outcomes[0].If, "not in micrometres") || outcomes[0].Score < 0.999 {
			t.Errorf("%s: score %v, %+v", line, bad.Result, outcomes)
		}
	}
}

// judge scores a run and tries remedies on it.
func judge(t *testing.T, dir, path string) (*scoring.Report, []Outcome) {
	t.Helper()
	task, err := biabench.OpenTask(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	run, err := biabench.OpenRun(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	report, err := scoring.Score(t.Context(), task, run, nil)
	if err != nil {
		t.Fatal(err)
	}
	official := printed(t, report)
	outcomes, err := WhatIf(t.Context(), task, run, report, nil)
	if err != nil {
		t.Fatal(err)
	}
	if now := printed(t, report); now != official {
		t.Errorf("the official report became %s", now)
	}
	return report, outcomes
}

// printed is all that a report says, as text.
func printed(t *testing.T, r *scoring.Report) string {
	t.Helper()
	text, err := json.Marshal(r.Metrics)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%+v %s %+v %+v %q", r.Result, text, r.Marks, r.Notes, r.NeedsReview)
}

// hashes names the files of a folder with their content.
func hashes(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %s %x\n", path, info.ModTime(), sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestWhatIsSaidOfEveryCase: no remedy gains on perfect answers, and what gains does so by more than 0.001, best first.
func TestWhatIsSaidOfEveryCase(t *testing.T) {
	shared := calltest.Shared()
	if shared == "" {
		t.Skip("the shared cases are absent")
	}
	dirs, _ := filepath.Glob(filepath.Join(shared, "golden", "*", "*", "task_spec.yaml"))
	tried := 0
	for _, spec := range dirs {
		dir := filepath.Dir(spec)
		if !biabench.IsFolder(filepath.Join(dir, "pred")) {
			continue
		}
		tried++
		t.Run(filepath.Base(filepath.Dir(dir))+"/"+filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			checkOutcomes(t, dir)
		})
	}
	if tried < 100 {
		t.Errorf("only %d cases were tried", tried)
	}
}

func checkOutcomes(t *testing.T, dir string) {
	report, outcomes := judge(t, dir, filepath.Join(dir, "pred"))
	if filepath.Base(dir) == "perfect" && len(outcomes) > 0 {
		t.Errorf("a perfect answer gains: %+v", outcomes)
	}
	last := math.Inf(1)
	for _, o := range outcomes {
		if o.Gain <= leastGain && o.Beside == "" || o.Gain > last || o.Official || o.If == "" || len(o.Files) == 0 {
			t.Errorf("%+v", o)
		}
		if want := o.Score - report.Result.Value; math.Abs(o.Gain-want) > 1e-12 {
			t.Errorf("gain %v, want %v", o.Gain, want)
		}
		last = o.Gain
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	shared := calltest.Shared()
	if shared == "" {
		t.Skip("the shared cases are absent")
	}
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	dir := filepath.Join(shared, "golden", smlm, "frames-from-one")
	task, err := biabench.OpenTask(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	run, err := biabench.OpenRun(t.Context(), filepath.Join(dir, "pred"))
	if err != nil {
		t.Fatal(err)
	}
	report, err := scoring.Score(t.Context(), task, run, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	steps := 0
	_, err = WhatIf(ctx, task, run, report, func(done, total int) {
		if steps++; steps == 2 {
			cancel()
		}
		if done > total {
			t.Errorf("%d of %d", done, total)
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if _, err := WhatIf(t.Context(), task, run, report, nil); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	t.Setenv("TMPDIR", filepath.Join(tmp, "nowhere"))
	if _, err := WhatIf(t.Context(), task, run, report, nil); !errors.Is(err, errPlace) {
		t.Errorf("without a temporary folder: %v", err)
	}
}
