package numeric

import (
	"cmp"
	"math"
	"slices"
)

// MidRanks gives each value its rank from 1, equal values the mean of their ranks. ties is the sum of t^3 - t over groups
// of t equal values.
func MidRanks(values []float64) (ranks []float64, ties float64) {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	ranks = make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from+1+to) / 2
		}
		t := float64(to - from)
		ties += float64(t*t*t) - t
		from = to
	}
	return ranks, ties
}

// Spearman is the rank correlation, from -1 to 1 (spec/scorers-tables.md 7.3). It is NaN where either series is constant
// or shorter than two.
func Spearman(x, y []float64) float64 {
	rx, _ := MidRanks(x)
	ry, _ := MidRanks(y)
	r, err := Pearson(rx, ry)
	if err != nil || r == nil {
		return math.NaN()
	}
	return Clip(*r, -1, 1)
}
