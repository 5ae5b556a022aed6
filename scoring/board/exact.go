package board

import (
	"math"
	"math/big"
	"slices"
)

// mean is Python's statistics.mean: the exact sum of the values, divided and rounded once. There must be a value.
func mean(values []float64) float64 {
	sum, _ := sums(values)
	m, _ := sum.Quo(sum, count(values)).Float64()
	return m
}

// deviation is Python's statistics.pstdev, the standard deviation of the values taken as the whole population: exact up to
// the root. It is 0 for fewer than two values.
func deviation(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	sum, squares := sums(values)
	n := count(values)
	sum.Mul(sum, sum)
	variance := squares.Mul(squares, n)
	variance.Sub(variance, sum).Quo(variance, n).Quo(variance, n)
	if variance.Sign() <= 0 {
		return 0
	}
	const bits = 400 // far beyond the 53 that are kept
	root := new(big.Float).SetPrec(bits).SetRat(variance)
	d, _ := root.Sqrt(root).Float64()
	return d
}

func count(values []float64) *big.Rat { return big.NewRat(int64(len(values)), 1) }

// sums adds up the values and their squares. What is not finite counts as 0: no score is.
func sums(values []float64) (sum, squares *big.Rat) {
	sum, squares = new(big.Rat), new(big.Rat)
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		r := new(big.Rat).SetFloat64(v)
		sum.Add(sum, r)
		squares.Add(squares, r.Mul(r, r))
	}
	return sum, squares
}

// median is the middle value, of an even number the mean of the middle two.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	return (sorted[n/2-1] + sorted[n/2]) / 2
}
