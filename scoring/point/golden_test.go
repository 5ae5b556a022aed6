package point_test

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"coverslip/scoring/call/calltest"
	"coverslip/scoring/numeric"
	"coverslip/scoring/point"
	"coverslip/scoring/report"
)

const taskID = "fluo-cell-counting-2d-cellfmcount"

// expectedObjects is what the reference found (spec/scorers-segmentation-tracking.md 8).
type expectedObjects struct {
	Typical float64
	Images  []struct {
		GT      *string
		Status  string
		NPred   int `json:"n_pred"`
		NTruth  int `json:"n_gt"`
		Score   float64
		Matched [][3]float64
		FP      []int64 `json:"false_positives"`
		FN      []int64 `json:"false_negatives"`
	}
}

func TestGolden(t *testing.T) {
	for _, c := range calltest.Cases(t, taskID, "") {
		t.Run(c.Name, func(t *testing.T) {
			r := calltest.Run(t, point.Counting, c.Task, c.Pred)
			calltest.Check(t, c, r)
			if !r.Result.None {
				checkScore(t, r)
			}
			if len(c.Objects) == 0 {
				return
			}
			var want expectedObjects
			if err := json.Unmarshal(c.Objects, &want); err != nil {
				t.Fatal(err)
			}
			for _, w := range want.Images {
				if w.GT == nil || w.Status == "ignored" {
					continue
				}
				truth := filepath.Join(filepath.Dir(c.Pred), filepath.FromSlash(*w.GT))
				i := slices.IndexFunc(r.Images, func(img report.Image) bool { return img.Truth == truth })
				if i < 0 {
					t.Fatalf("%s: no row for it", *w.GT)
				}
				img := r.Images[i]
				if string(img.Status) != w.Status || img.NPred != w.NPred || img.NTruth != w.NTruth || math.Abs(img.Value-w.Score) > 1e-9 {
					t.Errorf("%s: %+v, want %+v", img.Name, img, w)
				}
				checkPoints(t, r, i, w.Matched, w.FP, w.FN)
			}
		})
	}
}

func checkPoints(t *testing.T, r *report.Report, image int, matched [][3]float64, fp, fn []int64) {
	t.Helper()
	var pairs [][3]float64
	var extra, missed []int64
	for _, m := range r.Marks {
		if m.Image != image {
			continue
		}
		switch m.Kind {
		case report.TP:
			pairs = append(pairs, [3]float64{float64(m.Pred - 1), float64(m.Truth - 1), m.Found})
		case report.FP, report.Duplicate, report.OutOfRange:
			extra = append(extra, m.Pred-1)
		case report.FN:
			missed = append(missed, m.Truth-1)
		}
	}
	slices.SortFunc(pairs, func(a, b [3]float64) int { return int(a[0] - b[0]) })
	same := len(pairs) == len(matched) && slices.Equal(extra, fp) && slices.Equal(missed, fn)
	for i := range min(len(pairs), len(matched)) {
		same = same && pairs[i][0] == matched[i][0] && pairs[i][1] == matched[i][1] && math.Abs(pairs[i][2]-matched[i][2]) < 1e-9
	}
	if !same {
		t.Errorf("%s: %v, extra %v, missed %v, want %v, %v, %v", r.Images[image].Name, pairs, extra, missed, matched, fp, fn)
	}
}

// checkScore recomputes the score from the marks: of each image that differs the count, of the others 1.
func checkScore(t *testing.T, r *report.Report) {
	t.Helper()
	var counts []int
	for _, img := range r.Images {
		if img.NTruth > 0 {
			counts = append(counts, img.NTruth)
		}
	}
	typical := 1.0
	if slices.Sort(counts); len(counts) > 0 {
		typical = float64(counts[len(counts)/2])
	}
	score := float64(len(r.Images))
	for _, m := range r.Marks {
		switch {
		case m.Kind == report.Whole:
			score--
		case m.Kind == report.CountError && m.Found < m.Expected:
			score -= 1 - m.Found/m.Expected
		case m.Kind == report.CountError:
			score -= min(1, (m.Found-m.Expected)/max(m.Expected, typical))
		}
	}
	if score /= float64(max(1, len(r.Images))); numeric.Round4(score) != r.Result.Value {
		t.Errorf("the marks give %v, the result is %v", score, r.Result.Value)
	}
	calltest.CheckCosts(t, r, score)
}
