package numeric

import "math"

// WelchLess is the one-sided p-value of Welch's t test: the probability of such means if that of a is not below that of b
// (spec/scorers-tables.md 7.4). Both need two values. It is NaN where neither varies and the means are equal.
func WelchLess(a, b []float64) float64 {
	ma, va := MeanVariance(a)
	mb, vb := MeanVariance(b)
	na, nb := float64(len(a)), float64(len(b))
	ea, eb := va/na, vb/nb
	t := (ma - mb) / math.Sqrt(ea+eb)
	df := float64((ea+eb)*(ea+eb)) / (float64(ea*ea)/(na-1) + float64(eb*eb)/(nb-1))
	if math.IsNaN(df) {
		df = 1
	}
	return StudentCDF(t, df)
}

// MeanVariance are the mean and the sample variance (n-1) as NumPy and SciPy compute them: both sums by PairwiseSum.
func MeanVariance(values []float64) (mean, variance float64) {
	n := float64(len(values))
	mean = PairwiseSum(values) / n
	squares := make([]float64, len(values))
	for i, v := range values {
		d := v - mean
		squares[i] = float64(d * d)
	}
	return mean, PairwiseSum(squares) / n * (n / (n - 1))
}
