package point

import (
	"math"

	"coverslip/scoring/numeric"
)

// figures are the numbers of the record before rounding (4.5).
type figures struct {
	score, low, high      float64
	mape, mae, rmse       float64
	tp, fp, fn            int
	precision, recall, f1 float64
	paired, missing       int
}

func (s *counting) figures() figures {
	var f figures
	var scores, errors, squares, relative, again []float64
	for i := range s.rows {
		r := &s.rows[i]
		p, g, tp := len(r.pred.points), len(r.truth.points), len(r.matches)
		f.tp, f.fp, f.fn = f.tp+tp, f.fp+p-tp, f.fn+g-tp
		miss := math.Abs(float64(p - g))
		scores, errors, squares = append(scores, r.score), append(errors, miss), append(squares, float64(miss*miss))
		if g > 0 {
			relative = append(relative, miss/float64(g))
		}
		if r.missing() {
			f.missing++
			again = append(again, 1) // a missing image enters count_mape twice
		} else {
			f.paired++
		}
	}
	f.score = numeric.Mean(scores)
	f.low, f.high = numeric.Bootstrap(scores)
	f.mae, f.rmse = numeric.Mean(errors), math.Sqrt(numeric.Mean(squares))
	f.mape = 1
	if relative = append(relative, again...); len(relative) > 0 {
		f.mape = numeric.Mean(relative)
	}
	f.precision, f.recall = ratio(f.tp, f.tp+f.fp), ratio(f.tp, f.tp+f.fn)
	if sum := f.precision + f.recall; sum > 0 {
		f.f1 = 2 * f.precision * f.recall / sum
	}
	return f
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
