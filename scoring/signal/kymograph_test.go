package signal

import (
	"encoding/json"
	"math"
	"testing"

	"coverslip/scoring/report"
)

func TestKymographsGolden(t *testing.T) { golden(t, woundTask, compareExperiments) }

// compareExperiments holds the largest residuals against the reference's.
func compareExperiments(t *testing.T, v vector, r *report.Report) {
	var want struct {
		Experiments map[string]struct {
			Residuals [][5]float64 `json:"largest_residuals"`
		} `json:"experiments"`
	}
	if err := json.Unmarshal(v.want.Objects, &want); err != nil {
		t.Fatal(err)
	}
	for key, w := range want.Experiments {
		var got [][5]float64
		for _, m := range r.Marks {
			if m.Diagnostic && m.Key == key {
				got = append(got, [5]float64{m.Y, m.X, m.Found, m.Expected, m.Found - m.Expected})
			}
		}
		if len(got) != len(w.Residuals) {
			t.Errorf("%s: %d residuals, want %d", key, len(got), len(w.Residuals))
			continue
		}
		for i := range got {
			if math.Abs(math.Abs(got[i][4])-math.Abs(w.Residuals[i][4])) > 1.5e-6 {
				t.Errorf("%s: residual %v, want %v", key, got[i], w.Residuals[i])
			}
		}
	}
}
