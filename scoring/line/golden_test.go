package line_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"coverslip/datasets/raster"
	"coverslip/scoring/call/calltest"
	"coverslip/scoring/line"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

var calculators = map[string]calltest.Calculator{
	"sim-microtubules-segmentation": line.Filaments,
	"3d-light-sheet-brain-vessels":  line.Vessels,
}

// expectedImage is one image as the reference has it (spec/scorers-segmentation-tracking.md 8).
type expectedImage struct {
	Pred, GT      *string
	Shape         []int
	PredShape     []int `json:"pred_shape"`
	TruthShape    []int `json:"gt_shape"`
	Status        string
	TP, FP, FN    int
	SkeletonPred  int   `json:"skeleton_pred"`
	SkeletonTruth int   `json:"skeleton_gt"`
	PredIn        int   `json:"skeleton_pred_in_gt"`
	TruthIn       int   `json:"skeleton_gt_in_pred"`
	PredRuns      []int `json:"skeleton_pred_runs"`
	TruthRuns     []int `json:"skeleton_gt_runs"`
}

func TestGolden(t *testing.T) {
	for id, calculate := range calculators {
		for _, c := range calltest.Cases(t, id, "") {
			t.Run(c.Name, func(t *testing.T) {
				r := calltest.Run(t, calculate, c.Task, c.Pred)
				calltest.Check(t, c, r)
				checkMarks(t, r)
				var objects struct{ Images, Volumes []expectedImage }
				if len(c.Objects) > 0 {
					if err := json.Unmarshal(c.Objects, &objects); err != nil {
						t.Fatal(err)
					}
				}
				for _, want := range append(objects.Images, objects.Volumes...) {
					checkImage(t, r, c, want)
				}
			})
		}
	}
}

// checkMarks recomputes the wrong pixels of each image and the score from the marks.
func checkMarks(t *testing.T, r *report.Report) {
	t.Helper()
	if r.Result.None {
		return
	}
	missed, extra := make([]int, len(r.Images)), make([]int, len(r.Images))
	for _, m := range r.Marks {
		switch m.Kind {
		case report.MissedPixels:
			missed[m.Image] += m.Wrong
		case report.ExtraPixels:
			extra[m.Image] += m.Wrong
		}
	}
	sum, n := 0.0, 0
	for i, img := range r.Images {
		switch {
		case img.Status == report.Scored:
			if missed[i] != img.TruthPixels-img.Both || extra[i] != img.PredPixels-img.Both {
				t.Errorf("%s: %d missed and %d extra pixels, want %d and %d", img.Name, missed[i], extra[i], img.TruthPixels-img.Both, img.PredPixels-img.Both)
			}
			if all := img.PredPixels + img.TruthPixels; all > 0 {
				sum, n = sum+1-float64(missed[i]+extra[i])/float64(all), n+1
			}
		case img.Status != report.ShapeMismatch && img.Value == 0:
			n++
		}
	}
	score := 0.0
	if n > 0 {
		score = sum / float64(n)
	}
	if r.Primary == "dice" && numeric.Round4(score) != r.Result.Value {
		t.Errorf("the marks give %v, the result is %v", score, r.Result.Value)
	}
	if r.Primary == "dice" || r.Primary == "" {
		calltest.CheckCosts(t, r, score)
	}
}

func checkImage(t *testing.T, r *report.Report, c calltest.Case, want expectedImage) {
	t.Helper()
	truth := filepath.Join(filepath.Dir(c.Pred), filepath.FromSlash(*want.GT))
	i := slices.IndexFunc(r.Images, func(img report.Image) bool { return img.Truth == truth })
	if i < 0 {
		t.Errorf("%s: no row for it", *want.GT)
		return
	}
	img := r.Images[i]
	status := string(img.Status)
	if want.Status == "pred_unreadable" || want.Status == "gt_unreadable" {
		want.Status = "unreadable"
	}
	if status != want.Status {
		t.Errorf("%s: %s, want %s", img.Name, status, want.Status)
	}
	if want.Status == "shape_mismatch" && (!slices.Equal(img.PredShape, want.PredShape) || !slices.Equal(img.TruthShape, want.TruthShape)) {
		t.Errorf("%s: %v and %v, want %v and %v", img.Name, img.PredShape, img.TruthShape, want.PredShape, want.TruthShape)
	}
	if want.Status != "scored" {
		return
	}
	if img.Both != want.TP || img.PredPixels-img.Both != want.FP || img.TruthPixels-img.Both != want.FN {
		t.Errorf("%s: %d, %d, %d pixels, want %d, %d, %d", img.Name, img.Both, img.PredPixels, img.TruthPixels, want.TP, want.FP, want.FN)
	}
	volumes := r.TaskID == "3d-light-sheet-brain-vessels"
	pred, predMask := read(t, img.Pred, volumes)
	_, truthMask := read(t, img.Truth, volumes)
	if !slices.Equal(pred, want.Shape) {
		t.Errorf("%s: shape %v, want %v", img.Name, pred, want.Shape)
	}
	f, lines, err := line.Compare(t.Context(), predMask, truthMask, len(pred) == 3)
	if err != nil {
		t.Fatal(err)
	}
	if got := [4]int{f.PredLine, f.TruthLine, f.PredLineIn, f.TruthLineIn}; got != [4]int{want.SkeletonPred, want.SkeletonTruth, want.PredIn, want.TruthIn} {
		t.Errorf("%s: lines of %v, want %+v", img.Name, got, want)
	}
	if !slices.Equal(runs(lines.Pred), want.PredRuns) || !slices.Equal(runs(lines.Truth), want.TruthRuns) {
		t.Errorf("%s: the lines differ", img.Name)
	}
}

func read(t *testing.T, path string, volumes bool) ([]int, *numeric.Mask) {
	t.Helper()
	a, err := raster.ReadArray(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	shape, mask, err := line.Binary(t.Context(), a, volumes)
	if err != nil {
		t.Fatal(err)
	}
	return shape, mask
}

// runs lists the set voxels in C order as start, length, start, length ...
func runs(m *numeric.Mask) (list []int) {
	at, previous := 0, -2
	for z := range m.Z {
		for y := range m.Y {
			for x := range m.X {
				if m.At(z, y, x) {
					if at == previous+1 {
						list[len(list)-1]++
					} else {
						list = append(list, at, 1)
					}
					previous = at
				}
				at++
			}
		}
	}
	return list
}
