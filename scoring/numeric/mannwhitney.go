package numeric

import (
	"math"
	"math/big"
)

// MannWhitney is the two-sided p-value of the Mann-Whitney U test (spec/scorers-tables.md 7.2): exact where a group has
// at most eight values and no two values are equal, else by the normal approximation with ties and continuity corrected.
// It is NaN where a group is empty.
func MannWhitney(a, b []float64) float64 {
	n1, n2 := float64(len(a)), float64(len(b))
	if len(a) == 0 || len(b) == 0 {
		return math.NaN()
	}
	ranks, ties := MidRanks(append(append(make([]float64, 0, len(a)+len(b)), a...), b...))
	sum := 0.0
	for _, r := range ranks[:len(a)] {
		sum += r
	}
	u := sum - n1*(n1+1)/2
	u = max(u, n1*n2-u)
	if ties == 0 && (len(a) <= 8 || len(b) <= 8) {
		return min(1, 2*upperTail(len(a), len(b), int(u)))
	}
	n := n1 + n2
	s := math.Sqrt(n1 * n2 / 12 * ((n + 1) - ties/(n*(n-1))))
	z := (u - n1*n2/2 - 0.5) / s
	return min(1, math.Erfc(z/math.Sqrt2)) // twice the upper normal tail
}

// upperTail is P(U >= u) under the null hypothesis. The counts are exact: the numbers of ways to get each U are the
// coefficients of the Gaussian binomial, product over i of (1 - q^(n+i)) / (1 - q^i).
func upperTail(m, n, u int) float64 {
	m, n = min(m, n), max(m, n)
	last := m*n - u // by symmetry, P(U >= u) = P(U <= last)
	if last < 0 {
		return 0
	}
	counts := make([]*big.Int, last+1)
	for k := range counts {
		counts[k] = new(big.Int)
	}
	counts[0].SetInt64(1)
	for i := 1; i <= m; i++ {
		for k := i; k <= last; k++ {
			counts[k].Add(counts[k], counts[k-i])
		}
		for k := last; k >= n+i; k-- {
			counts[k].Sub(counts[k], counts[k-n-i])
		}
	}
	sum := new(big.Int)
	for _, c := range counts {
		sum.Add(sum, c)
	}
	p, _ := new(big.Rat).SetFrac(sum, new(big.Int).Binomial(int64(m+n), int64(m))).Float64()
	return p
}
