package segment

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
	"coverslip/scoring/report"
)

// Each mark's cost is what boundary_f1 gains when the answer is changed as the mark says and compared again.
func TestBoundaryCostsAreGains(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 4))
	tried := map[report.Kind]int{}
	for round := range 12 {
		pred, truth := cells(r, []int{40 + r.IntN(30), 50 + r.IntN(40)}, 10)
		fresh := 60000.0
		if round%2 == 1 { // with fractions that ids drop
			pred, fresh = asFloats(r, pred), 1e6
		}
		v := verdict{}
		if err := v.compare(t.Context(), pred, truth, false, "boundary_f1"); err != nil {
			t.Fatal(err)
		}
		for _, m := range v.marks {
			if m.Diagnostic || m.Kind == report.LooseAnswer || m.Kind == report.LooseTruth {
				continue
			}
			tried[m.Kind]++
			after, err := BoundaryF1(t.Context(), putRight(pred, truth, m, fresh), truth, 1)
			if err != nil {
				t.Fatal(err)
			}
			if gain := after - v.image.Scores.BoundaryF1; math.Abs(gain-m.Cost) > 1e-12 {
				t.Errorf("round %d, %s %d %d: cost %v, gain %v", round, m.Kind, m.Pred, m.Truth, m.Cost, gain)
			}
		}
	}
	for _, k := range []report.Kind{report.TP, report.Weak, report.FP, report.FN} {
		if tried[k] == 0 {
			t.Errorf("no mark of kind %q was tried", k)
		}
	}
}

func asFloats(r *rand.Rand, a raster.Array) raster.Array {
	v := make([]float32, len(a.Values.([]uint16)))
	for i, x := range a.Values.([]uint16) {
		if v[i] = float32(x); x > 0 {
			v[i] += float32(r.IntN(2)) / 2
		}
	}
	return raster.Array{Shape: a.Shape, Axes: a.Axes, Type: pixel.Float32, Values: v}
}

// putRight takes the answer's object of a mark out and puts the truth's in its place, with a value of its own.
func putRight(pred, truth raster.Array, m report.Mark, fresh float64) raster.Array {
	right := truth.Values.([]uint16)
	switch v := pred.Values.(type) {
	case []uint16:
		pred.Values = put(slices.Clone(v), right, m, uint16(fresh))
	case []float32:
		pred.Values = put(slices.Clone(v), right, m, float32(fresh))
	default:
		panic(fmt.Sprintf("%T", v))
	}
	return pred
}

func put[E uint16 | float32](v []E, right []uint16, m report.Mark, fresh E) []E {
	for i := range v {
		if m.Pred != 0 && int64(v[i]) == m.Pred {
			v[i] = 0
		}
		if m.Truth != 0 && int64(right[i]) == m.Truth {
			v[i] = fresh
		}
	}
	return v
}
