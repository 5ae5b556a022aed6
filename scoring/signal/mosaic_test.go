package signal

import (
	"encoding/json"
	"math"
	"testing"

	"coverslip/scoring/report"
)

func TestMosaicGolden(t *testing.T) { golden(t, mosaicTask, compareMosaic) }

// compareMosaic holds geometry and profiles of both images against the reference's.
func compareMosaic(t *testing.T, v vector, r *report.Report) {
	type size struct {
		Z int `json:"n_z"`
		C int `json:"n_c"`
		Y int `json:"ny"`
		X int `json:"nx"`
	}
	var want struct {
		Truth         *size       `json:"reference_geometry"`
		Answer        *size       `json:"agent_geometry"`
		TruthProfile  [][]float64 `json:"reference_profiles"`
		AnswerProfile [][]float64 `json:"agent_profiles"`
	}
	if err := json.Unmarshal(v.want.Objects, &want); err != nil {
		t.Fatal(err)
	}
	for _, side := range []struct {
		file    string
		size    *size
		profile [][]float64
	}{{r.Images[0].Truth, want.Truth, want.TruthProfile}, {r.Images[0].Pred, want.Answer, want.AnswerProfile}} {
		if side.size == nil {
			continue
		}
		s, err := readStack(t.Context(), side.file, 100)
		if err != nil {
			t.Errorf("%s: %v", side.file, err)
			continue
		}
		if got := (size{s.z, s.c, s.y, s.x}); got != *side.size {
			t.Errorf("%s: %+v, want %+v", side.file, got, *side.size)
		}
		if len(s.profiles) != len(side.profile) {
			t.Errorf("%s: %d profiles, want %d", side.file, len(s.profiles), len(side.profile))
			continue
		}
		for c, w := range side.profile {
			for x := range w {
				if x >= len(s.profiles[c]) || math.Abs(s.profiles[c][x]-w[x]) > 0.5001e-4 {
					t.Errorf("%s: channel %d differs at x %d", side.file, c, x)
					break
				}
			}
		}
	}
}
