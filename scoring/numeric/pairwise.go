package numeric

import "math"

// PairwiseSum adds as numpy does for a contiguous vector of doubles: blocks of up to 128 values with 8 interleaved sums,
// longer vectors halved at a multiple of 8 (spec/scorers-signals.md 1.3). The last bits of a mean, and with them
// whether the deviation of a constant is exactly 0, depend on it.
func PairwiseSum(a []float64) float64 {
	n := len(a)
	switch {
	case n < 8:
		sum := 0.0
		for _, v := range a {
			sum += v
		}
		return sum
	case n <= 128:
		var r [8]float64
		copy(r[:], a)
		i := 8
		for ; i+8 <= n; i += 8 {
			for j, v := range a[i : i+8] {
				r[j] += v
			}
		}
		sum := ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]))
		for _, v := range a[i:] {
			sum += v
		}
		return sum
	}
	half := n / 2
	half -= half % 8
	return PairwiseSum(a[:half]) + PairwiseSum(a[half:])
}

// PairwiseMean is numpy's mean of a contiguous vector; NaN for none.
func PairwiseMean(a []float64) float64 {
	if len(a) == 0 {
		return math.NaN()
	}
	return PairwiseSum(a) / float64(len(a))
}

// PairwiseDeviation is numpy's population standard deviation of a contiguous vector; NaN for none.
func PairwiseDeviation(a []float64) float64 {
	return math.Sqrt(PairwiseMean(squaresAround(a, PairwiseMean(a))))
}

func squaresAround(a []float64, mean float64) []float64 {
	out := make([]float64, len(a))
	for i, v := range a {
		out[i] = (v - mean) * (v - mean)
	}
	return out
}

// PairwisePearson is the correlation of two vectors of one length with numpy's sums: NaN where a side does not vary or
// the figure is not finite, otherwise cut to [-1, 1].
func PairwisePearson(x, y []float64) float64 {
	if len(x) != len(y) || len(x) < 2 {
		return math.NaN()
	}
	mx, my := PairwiseMean(x), PairwiseMean(y)
	product := make([]float64, len(x))
	for i := range x {
		product[i] = (x[i] - mx) * (y[i] - my)
	}
	nx, ny := math.Sqrt(PairwiseSum(squaresAround(x, mx))), math.Sqrt(PairwiseSum(squaresAround(y, my)))
	if nx == 0 || ny == 0 {
		return math.NaN()
	}
	r := PairwiseSum(product) / float64(nx*ny)
	if math.IsNaN(r) || math.IsInf(r, 0) {
		return math.NaN()
	}
	return max(-1, min(1, r))
}
