package signal

import (
	"cmp"
	"math"
	"slices"

	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// Statuses of an experiment, the reference's words.
const (
	statusMissing    = "missing_prediction"
	statusUnreadable = "unreadable_or_not_2d"
	statusNoOverlap  = "no_overlap"
	statusScored     = "scored"
)

// kymographs is how the speed kymographs of an experiment compare (spec/scorers-signals.md 5.4). Rows are distance bands
// from the wound's edge, columns are points in time.
type kymographs struct {
	status        string
	matched       bool
	answer, truth []int // shapes
	rows, columns int   // compared, from the upper left corner
	r, nrmse      float64
	score         float64
	pattern       bool // there is a pattern
	fraction      float64
	residuals     []residual // the largest ones
}

// residual is a cell in which answer and truth differ.
type residual struct {
	row, column  int
	found, truth float64
}

// nrmseScore is max(0, 1 - nrmse), 0 for none.
func (k kymographs) nrmseScore() float64 {
	if math.IsNaN(k.nrmse) {
		return 0
	}
	return atLeast0(1 - k.nrmse)
}

// patternScore is max(0, 2f - 1), 0 without a pattern.
func (k kymographs) patternScore() float64 {
	if !k.pattern {
		return 0
	}
	return atLeast0(2*k.fraction - 1)
}

func compareKymographs(answer, truth field) kymographs {
	k := kymographs{r: math.NaN(), nrmse: math.NaN()}
	switch {
	case answer.file == "":
		k.status = statusMissing
		return k
	case !answer.plane() || !truth.plane():
		k.status = statusUnreadable
		return k
	}
	k.matched, k.answer, k.truth = true, answer.shape, truth.shape
	k.rows, k.columns = min(answer.shape[0], truth.shape[0]), min(answer.shape[1], truth.shape[1])
	if k.rows == 0 || k.columns == 0 {
		k.status = statusNoOverlap
		return k
	}
	k.status = statusScored
	var p, g []float64
	for y := range k.rows {
		for x := range k.columns {
			if a, t := answer.at(y, x), truth.at(y, x); finite(a) && finite(t) {
				p, g = append(p, a), append(g, t)
				k.residuals = append(k.residuals, residual{y, x, a, t})
			}
		}
	}
	k.r, k.nrmse = correlation(p, g), nrmse(p, g)
	k.score = atLeast0(k.r)
	k.fraction, k.pattern = wavePattern(answer)
	slices.SortStableFunc(k.residuals, func(a, b residual) int {
		return cmp.Compare(math.Abs(b.found-b.truth), math.Abs(a.found-a.truth))
	})
	k.residuals = slices.Clone(k.residuals[:min(5, len(k.residuals))])
	return k
}

// correlation is Pearson's r, NaN where a side is exactly constant.
func correlation(p, g []float64) float64 {
	if len(p) < 2 || numeric.PairwiseDeviation(p) == 0 || numeric.PairwiseDeviation(g) == 0 {
		return math.NaN()
	}
	return numeric.PairwisePearson(p, g)
}

// nrmse is the root mean square error over the truth's mean absolute value, NaN for none.
func nrmse(p, g []float64) float64 {
	squares, sizes := make([]float64, len(p)), make([]float64, len(p))
	for i := range p {
		squares[i], sizes[i] = float64((p[i]-g[i])*(p[i]-g[i])), math.Abs(g[i])
	}
	mean := numeric.PairwiseMean(sizes)
	if !(mean > 0) {
		return math.NaN()
	}
	return math.Sqrt(numeric.PairwiseMean(squares)) / mean
}

// wavePattern is the share of columns in which the speed near the wound is above that far from it. ok is false for fewer
// than 4 bands and without any column that has both.
func wavePattern(k field) (fraction float64, ok bool) {
	n, columns := k.shape[0], k.shape[1]
	if n < 4 || columns < 1 {
		return 0, false
	}
	far := n / 2
	if n > 10 {
		far = 10
	}
	valid, faster := 0, 0
	for x := range columns {
		near, distant := bandMean(k, x, 0, 3), bandMean(k, x, far, n)
		if finite(near) && finite(distant) {
			valid++
			if near > distant {
				faster++
			}
		}
	}
	return float64(faster) / float64(max(valid, 1)), valid > 0
}

// bandMean is the mean of a column over the rows from to to-1 without NaN; NaN for none.
func bandMean(k field, x, from, to int) float64 {
	sum, n := 0.0, 0
	for y := from; y < to; y++ {
		if v := k.at(y, x); !math.IsNaN(v) {
			sum += v
			n++
		}
	}
	return sum / float64(n)
}

// record is the entry of an experiment.
func (k kymographs) record() *report.Record {
	r := new(report.Record)
	round := numeric.Round4
	if k.matched {
		r.Set("ref_shape", anyInts(k.truth)).Set("pred_shape", anyInts(k.answer)).Set("compared_shape", []any{k.rows, k.columns})
	}
	if k.status == statusScored {
		r.Set("pearson", null(round(k.r))).Set("nrmse", null(round(k.nrmse))).Set("nrmse_score", round(k.nrmseScore())).
			Set("score", round(k.score)).Set("status", k.status)
	} else {
		r.Set("status", k.status).Set("score", 0.0)
	}
	if k.pattern {
		r.Set("spatial_pattern_fraction", round(k.fraction)).Set("spatial_pattern_score", round(k.patternScore()))
	}
	return r
}

func anyInts(v []int) []any {
	out := make([]any, len(v))
	for i, n := range v {
		out[i] = n
	}
	return out
}
