// Package numeric holds small arithmetic that must give the reference's bits: its rounding and its means
// (spec/scorers-segmentation-tracking.md 1.7).
package numeric

import "strconv"

// Round4 rounds to four decimals: decimal rounding of the exact binary value, ties to even. NaN and infinities stay.
func Round4(x float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', 4, 64), 64)
	if err != nil {
		return x
	}
	return r
}

// Mean is the left-to-right double sum divided by the count, 0 for no values.
func Mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
