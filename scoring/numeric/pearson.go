package numeric

import (
	"errors"
	"math"
)

// ErrOverflow is what the reference stops with where the square of a finite number is beyond float64.
var ErrOverflow = errors.New("a number so large that its square overflows")

// Square is v*v, and an error where that overflows although v is finite.
func Square(v float64) (float64, error) {
	s := float64(v * v)
	if math.IsInf(s, 0) && !math.IsInf(v, 0) {
		return 0, ErrOverflow
	}
	return s, nil
}

// Pearson is the correlation of two series of one length, by the plain formula and not clipped (spec/scorers-tables.md
// 1.9). It is nil for fewer than two points and where a series has no spread at all.
func Pearson(x, y []float64) (*float64, error) {
	if len(x) < 2 {
		return nil, nil
	}
	mx, my := Mean(x), Mean(y)
	var num, sx, sy float64
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		num += float64(dx * dy)
		qx, err := Square(dx)
		if err != nil {
			return nil, err
		}
		qy, err := Square(dy)
		if err != nil {
			return nil, err
		}
		sx += qx
		sy += qy
	}
	dx, dy := math.Sqrt(sx), math.Sqrt(sy)
	if dx == 0 || dy == 0 {
		return nil, nil
	}
	r := num / float64(dx*dy)
	return &r, nil
}

// SampleSD is the standard deviation with n-1 in the denominator, sums from left to right. It is NaN for fewer than two
// values.
func SampleSD(values []float64) (float64, error) {
	if len(values) < 2 {
		return math.NaN(), nil
	}
	mean, sum := Mean(values), 0.0
	for _, v := range values {
		q, err := Square(v - mean)
		if err != nil {
			return 0, err
		}
		sum += q
	}
	return math.Sqrt(sum / float64(len(values)-1)), nil
}

// Median is the middle value, or the mean of the two middle ones. NaN for no values. The slice must be sorted.
func Median(sorted []float64) float64 {
	n := len(sorted)
	switch {
	case n == 0:
		return math.NaN()
	case n%2 == 1:
		return sorted[n/2]
	}
	return (sorted[n/2-1] + sorted[n/2]) / 2
}
