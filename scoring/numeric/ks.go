package numeric

import (
	"math"
	"slices"
	"sort"
)

// KS is the two-sample Kolmogorov-Smirnov statistic with its place.
type KS struct {
	Statistic float64
	At        float64 // the value where the two distributions are furthest apart
	Sign      int     // 1 where the first sample's share of smaller values is the larger one there, else -1
}

// snapped is up to how many values the reference computes p exactly, which rounds the statistic to a whole multiple of
// its smallest step.
const snapped = 10000

// KolmogorovSmirnov compares two samples of at least one value (spec/scorers-tables.md 7.1).
func KolmogorovSmirnov(first, second []float64) KS {
	a, b := slices.Clone(first), slices.Clone(second)
	slices.Sort(a)
	slices.Sort(b)
	na, nb := float64(len(a)), float64(len(b))
	most, least := math.Inf(-1), math.Inf(1)
	var mostAt, leastAt float64
	for _, sample := range [][]float64{a, b} {
		for _, v := range sample {
			d := float64(countUpTo(a, v))/na - float64(countUpTo(b, v))/nb
			if d > most {
				most, mostAt = d, v
			}
			if d < least {
				least, leastAt = d, v
			}
		}
	}
	ks := KS{Statistic: most, At: mostAt, Sign: 1}
	if below := Clip(-least, 0, 1); below > most {
		ks = KS{Statistic: below, At: leastAt, Sign: -1}
	}
	if len(a) <= snapped && len(b) <= snapped {
		steps := float64(len(a) / gcd(len(a), len(b)) * len(b))
		ks.Statistic = math.RoundToEven(float64(ks.Statistic*steps)) / steps
	}
	return ks
}

// countUpTo is the number of values of a sorted slice that are not above v.
func countUpTo(sorted []float64, v float64) int {
	return sort.Search(len(sorted), func(i int) bool { return sorted[i] > v })
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
