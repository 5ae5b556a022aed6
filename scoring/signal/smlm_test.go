package signal

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"coverslip/datasets/tabular"
	"coverslip/scoring/report"
)

func TestLocalisationsGolden(t *testing.T) { golden(t, smlmTask, compareLocalisations) }

// compareLocalisations holds the marks against the reference's pairs: rows by their ordinal in the files.
func compareLocalisations(t *testing.T, v vector, r *report.Report) {
	var want struct {
		Matched [][3]float64 `json:"matched"`
		FP      []int        `json:"false_positives"`
		FN      []int        `json:"false_negatives"`
	}
	if err := json.Unmarshal(v.want.Objects, &want); err != nil {
		t.Fatal(err)
	}
	if len(r.Images) != 1 {
		t.Fatalf("%d images", len(r.Images))
	}
	pred, truth := ordinals(t, r.Images[0].Pred), ordinals(t, r.Images[0].Truth)
	var matched [][3]float64
	var fp, fn []int
	for _, m := range r.Marks {
		switch m.Kind {
		case report.TP:
			matched = append(matched, [3]float64{float64(pred[m.Pred]), float64(truth[m.Truth])})
		case report.FP, report.Duplicate:
			fp = append(fp, pred[m.Pred])
		case report.FN:
			fn = append(fn, truth[m.Truth])
		}
	}
	slices.SortFunc(matched, func(a, b [3]float64) int { return int(a[0] - b[0]) })
	slices.Sort(fp)
	slices.Sort(fn)
	if !slices.Equal(fp, want.FP) || !slices.Equal(fn, want.FN) || len(matched) != len(want.Matched) {
		t.Fatalf("FP %v FN %v, %d pairs; want %v, %v, %d", fp, fn, len(matched), want.FP, want.FN, len(want.Matched))
	}
	for i, w := range want.Matched {
		if matched[i][0] != w[0] || matched[i][1] != w[1] {
			t.Errorf("pair %v, want %v", matched[i], w)
		}
	}
}

// ordinals numbers the accepted rows of a list by their line.
func ordinals(t *testing.T, file string) map[report.ID]int {
	t.Helper()
	raw, err := tabular.ReadRaw(file)
	if err != nil {
		t.Fatal(err)
	}
	rows, _, err := tabular.ParseLocalisations(raw)
	if err != nil {
		t.Fatal(err)
	}
	out := map[report.ID]int{}
	for i, l := range rows {
		out[report.ID(l.Line)] = i
	}
	return out
}

func TestAroundCoversBothPlaces(t *testing.T) {
	if got, want := around(2.4, 3.6, 2.6, 3.4), (report.Box{Z1: 1, Y0: 2, X0: 3, Y1: 4, X1: 5}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := around(math.Inf(1), 0, 0, 0); got != (report.Box{}) {
		t.Errorf("an infinite place has a box: %v", got)
	}
}
