package scoring

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
	"coverslip/scoring/report"
)

const (
	nuclei = "he-nuinsseg-nuclear-segmentation"
	volume = "3d-fluo-cell-segmentation-lateral-line-idr0079"
	hela   = "fluo-helacytonuc-cell-segmentation"
)

type files = map[string]raster.Array

func plane(h, w int, values ...uint16) raster.Array {
	v := make([]uint16, h*w)
	copy(v, values)
	return raster.Array{Shape: []int{h, w}, Axes: "YX", Type: pixel.Uint16, Values: v}
}

func open(t *testing.T, dir string) *biabench.Task {
	t.Helper()
	task, err := biabench.OpenTask(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	return task
}

func TestExitsWithoutACalculator(t *testing.T) {
	dir := taskFolder(t, nuclei, "2D", files{"a.tif": plane(4, 4, 1)}, files{"a.tif": plane(4, 4, 1)})
	there, gone := &biabench.Run{Dir: filepath.Join(dir, "pred")}, &biabench.Run{Dir: filepath.Join(dir, "gone")}
	task := open(t, dir)
	foreign, noTruth := *task, *task
	foreign.Spec.TaskID += "__perturb-x"
	noTruth.Truth = ""
	for _, c := range []struct {
		name string
		task *biabench.Task
		run  *biabench.Run
		none bool
		keys string
	}{
		{"unknown id", &foreign, there, true, ""},
		{"no prediction folder", task, gone, false, "result_score error"},
		{"no prediction folder and no truth", &noTruth, gone, false, "result_score error"},
		{"no truth", &noTruth, there, true, "result_score note"},
	} {
		r, err := Score(t.Context(), c.task, c.run, nil)
		if err != nil || r.Result.None != c.none || r.Result.Value != 0 || r.Result.Reason == "" || r.Passed() {
			t.Errorf("%s: %+v %v", c.name, r, err)
			continue
		}
		if got := strings.Join(r.Metrics.Keys(), " "); got != c.keys {
			t.Errorf("%s: fields %q, want %q", c.name, got, c.keys)
		}
	}
	if _, err := Score(t.Context(), nil, nil, nil); err == nil {
		t.Error("no task must be an error")
	}
}

func TestExitsOfTheCalculators(t *testing.T) {
	cell := plane(4, 4, 1, 1)
	for _, c := range []struct {
		name, id    string
		truth, pred files
		none        bool
		keys        string
		images      int
	}{
		{"truth without masks", nuclei, files{}, files{"a.tif": cell}, true, "result_score note", 0},
		{"unmatched names", nuclei, files{"x.tif": cell, "y.tif": cell}, files{"q.tif": cell}, false, "result_score error pred_count gt_count", 2},
		{"no deliverable", nuclei, files{"x.tif": cell}, files{}, false, "result_score error missing_deliverable", 1},
		{"no deliverable of two", hela, files{"nuclei_masks/0.tif": cell}, files{}, false, "result_score error missing_deliverable", 1},
		{"no truth for any compartment", hela, files{"other/0.tif": cell}, files{"nuclei_0.tif": cell}, true, "result_score note compartments", 0},
	} {
		dir := taskFolder(t, c.id, "2D", c.truth, c.pred)
		for _, sub := range []string{"evaluation", "pred"} {
			if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Score(t.Context(), open(t, dir), &biabench.Run{Dir: filepath.Join(dir, "pred")}, nil)
		if err != nil || r.Result.None != c.none || r.Result.Value != 0 || r.Result.Reason == "" {
			t.Errorf("%s: %+v %v", c.name, r, err)
			continue
		}
		if got := strings.Join(r.Metrics.Keys(), " "); got != c.keys || len(r.Images) != c.images {
			t.Errorf("%s: fields %q and %d images, want %q and %d", c.name, got, len(r.Images), c.keys, c.images)
		}
		checkLaws(t, r)
	}
}

// One compartment whose names fit nothing counts 0 beside the other, and its images carry that cost.
func TestCompartmentWithoutMatchingNames(t *testing.T) {
	cell := plane(4, 4, 1, 1, 0, 2)
	dir := taskFolder(t, hela, "2D", files{"nuclei_masks/1.tif": cell, "nuclei_masks/2.tif": cell, "cytoplasm_masks/1.tif": cell, "cytoplasm_masks/2.tif": cell},
		files{"nuclei_masks/1.tif": cell, "nuclei_masks/2.tif": cell, "cytoplasm_masks/x.tif": cell})
	r := scoreFolder(t, dir, filepath.Join(dir, "pred"))
	if r.Result.Value != 0.5 || len(r.Images) != 4 {
		t.Errorf("got %+v with %d images", r.Result, len(r.Images))
	}
	checkLaws(t, r)
}

// Every primary metric: the name in the rubric, the field it reads, the costs.
func TestPrimaryMetric(t *testing.T) {
	truth, pred := discs([]int{80, 80}, 12)
	dir := taskFolder(t, nuclei, "2D", files{"a_1.tif": truth, "b_2.tif": truth, "c_3.tif": plane(80, 80), "d_4.tif": truth},
		files{"a_1.tif": pred, "b_2.tif": truth, "c_3.tif": plane(80, 80), "d_4.tif": plane(8, 8, 1)})
	for _, c := range []struct {
		text, used string
		value      float64 // -1: that of the field used; -2: none
	}{
		{"dice", "dice", -1}, {"iou", "iou", -1}, {"ap_at_0.5", "ap_at_0.5", -1}, {"ap_at_0.75", "ap_at_0.75", -1}, {"pq", "pq", -1},
		{"boundary_f1", "boundary_f1", -1}, {"nonsense", "dice", -1}, {"", "dice", -1}, {"matched_images", "matched_images", 4},
		{"match_low_confidence", "match_low_confidence", 0}, {"skipped_images", "", -2},
	} {
		write(t, filepath.Join(dir, "evaluation_rubric.yaml"), "metric_config: {primary_metric: '"+c.text+"'}\n")
		r := scoreFolder(t, dir, filepath.Join(dir, "pred"))
		if c.value == -2 {
			if !r.Result.None || r.Metrics.Get("error") == nil {
				t.Errorf("%s: %+v", c.text, r.Result)
			}
			continue
		}
		want := c.value
		if want == -1 {
			want, _ = r.Metrics.Number(c.used)
		}
		if r.Primary != c.used || r.Result.None || r.Result.Value != want || r.Metrics.Get("result_score") != want {
			t.Errorf("%s: %s %+v, want %s %v", c.text, r.Primary, r.Result, c.used, want)
		}
		checkLaws(t, r)
	}
}

// The boundary has no value in a volume: none, as the reference has it.
func TestPrimaryWithoutValue(t *testing.T) {
	truth, pred := discs([]int{8, 20, 20}, 5)
	dir := taskFolder(t, volume, "3D", files{"a_1.tif": truth}, files{"a_1.tif": pred})
	write(t, filepath.Join(dir, "evaluation_rubric.yaml"), "metric_config: {primary_metric: boundary_f1}\n")
	r := scoreFolder(t, dir, filepath.Join(dir, "pred"))
	if !r.Result.None || r.Metrics.Get("result_score") != nil || r.Metrics.Get("dice") == nil {
		t.Errorf("%+v", r.Result)
	}
}

func TestUnknownPrimaryOfCompartments(t *testing.T) {
	cell := plane(4, 4, 1, 1)
	dir := taskFolder(t, hela, "2D", files{"nuclei_masks/1.tif": cell}, files{"nuclei_1.tif": cell, "cytoplasm_1.tif": cell})
	write(t, filepath.Join(dir, "evaluation_rubric.yaml"), "metric_config: {primary_metric: nonsense}\n")
	r := scoreFolder(t, dir, filepath.Join(dir, "pred"))
	if r.Result.None || r.Result.Value != 0 || r.Metrics.Get("primary_metric") != "nonsense" {
		t.Errorf("%+v", r.Result)
	}
}

// Odd truths: a colour picture counts by its richest channel, an unreadable one makes the pair unreadable, and two files
// without an image make the reference fail in two dimensions.
func TestOddTruths(t *testing.T) {
	cell := plane(3, 3, 1, 1, 0, 2)
	rgb := raster.Array{Shape: []int{3, 3, 3}, Axes: "YXS", Type: pixel.Uint8, Values: make([]uint8, 27)}
	for i, v := range cell.Values.([]uint16) {
		rgb.Values.([]uint8)[3*i+1], rgb.Values.([]uint8)[3*i+2] = uint8(v), 9
	}
	dir := taskFolder(t, nuclei, "2D", files{"a.tif": rgb, "b.tif": cell}, files{"a.tif": cell, "b.tif": cell})
	write(t, filepath.Join(dir, "evaluation", "b.tif"), "no picture")
	r := scoreFolder(t, dir, filepath.Join(dir, "pred"))
	skipped, _ := r.Metrics.Get("skipped_images").([]string)
	if r.Result.Value != 0.5 || len(skipped) != 1 || skipped[0] != "b.tif" || !strings.Contains(r.Images[1].Reason, "truth cannot be read") {
		t.Errorf("%+v, skipped %v, %+v", r.Result, skipped, r.Images)
	}
	checkLaws(t, r)

	headerOnly := "II*\x00\xff\xff\x00\x00"
	dir = taskFolder(t, nuclei, "2D", files{"a.tif": cell}, files{"a.tif": cell})
	write(t, filepath.Join(dir, "evaluation", "a.tif"), headerOnly)
	write(t, filepath.Join(dir, "pred", "a.tif"), headerOnly)
	if r := scoreFolder(t, dir, filepath.Join(dir, "pred")); !r.Result.None || r.Metrics.Get("error") == nil {
		t.Errorf("two files without an image: %+v", r)
	}
}

func TestProcessorsAndFileOrderChangeNothing(t *testing.T) {
	truth, pred := files{}, files{}
	turned, turnedPred := files{}, files{}
	for i := range 9 {
		a, b := discs([]int{60 + i, 70}, 3+i)
		name := "s_" + string(rune('a'+i)) + ".tif"
		truth[name], pred[name] = b, a
		back := "s_" + string(rune('i'-i)) + ".tif"
		turned[back], turnedPred[back] = b, a
	}
	dir := taskFolder(t, nuclei, "2D", truth, pred)
	task, run := open(t, dir), &biabench.Run{Dir: filepath.Join(dir, "pred")}
	score := func(processors int) *Report {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		r, err := Score(t.Context(), task, run, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	one := score(1)
	for _, n := range []int{2, 5} {
		if !reflect.DeepEqual(one, score(n)) {
			t.Errorf("%d processors give another report", n)
		}
	}
	other := taskFolder(t, nuclei, "2D", turned, turnedPred)
	if r := scoreFolder(t, other, filepath.Join(other, "pred")); !reflect.DeepEqual(r.Metrics, one.Metrics) {
		t.Errorf("the order of files changes the record: %v and %v", r.Metrics, one.Metrics)
	}
}

func TestProgressAndCancel(t *testing.T) {
	truth, pred := files{}, files{}
	for i := range 5 {
		a, b := discs([]int{30, 30}, 3)
		name := "s_" + string(rune('a'+i)) + ".tif"
		truth[name], pred[name] = b, a
	}
	dir := taskFolder(t, nuclei, "2D", truth, pred)
	task, run := open(t, dir), &biabench.Run{Dir: filepath.Join(dir, "pred")}
	var calls, last atomic.Int64
	if _, err := Score(t.Context(), task, run, func(done, total int) {
		calls.Add(1)
		last.Store(int64(done*100 + total))
	}); err != nil || calls.Load() != 5 || last.Load() != 505 {
		t.Errorf("%d calls, last %d, %v", calls.Load(), last.Load(), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Score(ctx, task, run, func(done, total int) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Each quirk that a user should know of has a note; the marker is part of its text.
func TestNotes(t *testing.T) {
	cell := plane(4, 4, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 2, 2)
	float := func(v ...float64) raster.Array {
		all := make([]float64, 16)
		copy(all, v)
		return raster.Array{Shape: []int{4, 4}, Axes: "YX", Type: pixel.Float64, Values: all}
	}
	for _, c := range []struct {
		marker      string
		truth, pred files
	}{
		{"not scored, having no partner", files{"a.tif": cell}, files{"a.tif": cell, "zzz.tif": cell}},
		{"paired by their order", files{"x.tif": cell}, files{"q.tif": cell}},
		{"paired by the number", files{"img_07.tif": cell}, files{"nuc-7.tif": cell}},
		{"have fractions", files{"a.tif": cell}, files{"a.tif": float(1.5, 1.5, 0, 0, 1.5)}},
		{"are negative", files{"a.tif": cell}, files{"a.tif": float(-1, 1, 0, 0, 1)}},
		{"not finite", files{"a.tif": cell}, files{"a.tif": float(math.NaN(), 2, 0, 0, 1)}},
		{"2 separate regions", files{"a.tif": cell}, files{"a.tif": plane(4, 4, 7, 7, 0, 0, 7, 7, 0, 0, 0, 0, 0, 7)}},
		{"both empty", files{"a.tif": plane(4, 4)}, files{"a.tif": plane(4, 4)}},
		{"the truth is empty", files{"a.tif": plane(4, 4)}, files{"a.tif": cell}},
		{"the answer is empty", files{"a.tif": cell}, files{"a.tif": plane(4, 4)}},
		{"share no pixel", files{"a.tif": cell}, files{"a.tif": plane(4, 4, 0, 0, 0, 1)}},
		{"Nothing matched", files{"a.tif": cell}, files{"a.tif": plane(4, 4, 0, 0, 0, 1)}},
		{"axes stand in another order", files{"a.tif": plane(4, 6, 1)}, files{"a.tif": plane(6, 4, 1)}},
		{"without an answer", files{"a.tif": cell, "b.tif": cell}, files{"a.tif": cell}},
		{"No file name of the answer fits", files{"x.tif": cell, "y.tif": cell}, files{"q.tif": cell}},
		{"Not taken for segmentation_masks", files{"a.tif": cell}, files{"a.tif": cell, "soft.tif": float(0.1, 0.2, 0.3)}},
		{"Instances do not count", files{"a.tif": cell}, files{"a.tif": cell}},
	} {
		dir := taskFolder(t, nuclei, "2D", c.truth, c.pred)
		r := scoreFolder(t, dir, filepath.Join(dir, "pred"))
		if !strings.Contains(noteText(r), c.marker) {
			t.Errorf("no note with %q in:\n%s", c.marker, noteText(r))
		}
		checkLaws(t, r)
	}
}

func noteText(r *Report) string {
	var b strings.Builder
	for _, n := range r.Notes {
		b.WriteString(string(n.Level) + " " + n.File + ": " + n.Text + ". " + n.Fix + "\n")
	}
	return b.String()
}

func TestNotesOnRunAndRubric(t *testing.T) {
	cell := plane(4, 4, 1, 1)
	dir := taskFolder(t, nuclei, "2D", files{"a.tif": cell}, files{"a.tif": cell})
	write(t, filepath.Join(dir, "evaluation_rubric.yaml"), "metric_config: {primary_metric: nonsense, iou_threshold: 0.7}\n")
	r, err := Score(t.Context(), open(t, dir), &biabench.Run{Dir: filepath.Join(dir, "pred"), TaskID: volume}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, marker := range []string{"made for the task " + volume, "iou_threshold of 0.7", `the text "nonsense", which is no result`} {
		if !strings.Contains(noteText(r), marker) {
			t.Errorf("no note with %q in:\n%s", marker, noteText(r))
		}
	}
	write(t, filepath.Join(dir, "evaluation_rubric.yaml"), "[]\n")
	if r := scoreFolder(t, dir, filepath.Join(dir, "pred")); r.Threshold != 0.5 || r.Result.Value != 1 || !strings.Contains(noteText(r), "warning : The rubric was refused") {
		t.Errorf("%+v\n%s", r, noteText(r))
	}
}

func TestExplain(t *testing.T) {
	cell := plane(4, 4, 1, 1, 0, 0, 1, 1)
	dir := taskFolder(t, nuclei, "2D", files{"a.tif": cell, "b.tif": cell}, files{"a.tif": plane(4, 4, 0, 1, 0, 0, 1, 1, 1)})
	var lines []string
	for _, l := range report.Explain(scoreFolder(t, dir, filepath.Join(dir, "pred"))) {
		lines = append(lines, l.String())
	}
	want := `Score: 0.375, from dice
Formula: dice = 2 x overlap / (answer + truth), in foreground pixels (value > 0)
Lowest image: a: 2 x 3 / (4 + 4) = 0.75
Mean: mean over 2 images = 0.375; 1 of them could not be compared and counts 0, rounded to four decimals
Not counted: whether objects are merged or split, as long as the same pixels are foreground; surplus files of the answer
Lost: whole images 0.5, weak matches 0.125
Threshold: does not pass, 0.375 is below 0.5
Beside: iou 0.3, ap_at_0.5 0.5, ap_at_0.75 0, pq 0.3, boundary_f1 1`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
