package numeric

import (
	"math"
	"math/big"
)

// PowThird is m to the power 1.0/3.0 as Python computes it, m > 0: the exponent is the float64 next to a third. It is
// correctly rounded, so that lengths made from it lie on the same side of a limit as the reference's.
func PowThird(m float64) float64 {
	if math.IsInf(m, 0) || m == 0 {
		return m
	}
	const precision = 200
	value := new(big.Float).SetPrec(precision).SetFloat64(m)
	root := new(big.Float).SetPrec(precision).SetFloat64(math.Cbrt(m))
	three := big.NewFloat(3)
	for range 3 { // Newton's iteration doubles the digits each time
		square := new(big.Float).SetPrec(precision).Mul(root, root)
		next := new(big.Float).SetPrec(precision).Quo(value, square)
		next.Add(next, root).Add(next, root)
		root.Quo(next, three)
	}
	// The float64 misses a third by -2^-54/3, and m^d = 1 + d ln m for such small d.
	miss := -math.Ldexp(1, -54) / 3 * math.Log(m)
	correction := new(big.Float).SetPrec(precision).SetFloat64(miss)
	result, _ := root.Add(root, correction.Mul(correction, root)).Float64()
	return result
}
