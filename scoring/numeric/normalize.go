package numeric

import (
	"fmt"
	"math"
)

// NormalizeError turns an error into a score from 0 to 1 (spec/contract.md 5, normalize_error_to_score). Modes are
// "linear", "exp" and "reciprocal"; others are refused unless the value is not finite, which scores 0 in any mode.
func NormalizeError(value, scale float64, mode string, clip bool) (float64, error) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, nil
	}
	ratio := max(0, value) / pythonMax(1e-12, scale)
	var score float64
	switch mode {
	case "linear":
		score = 1 - ratio
	case "exp":
		score = math.Exp(-ratio)
	case "reciprocal":
		score = 1 / (1 + ratio)
	default:
		return 0, fmt.Errorf("there is no way '%s' to turn an error into a score, only linear, exp and reciprocal", mode)
	}
	if clip {
		score = Clip(score, 0, 1)
	}
	return score, nil
}

// pythonMax is max(a, b) of Python: a unless b is larger, so that a NaN in b does not count.
func pythonMax(a, b float64) float64 {
	if b > a {
		return b
	}
	return a
}

// Clip limits a value to lo and hi. NaN stays.
func Clip(v, lo, hi float64) float64 {
	switch {
	case v < lo:
		return lo
	case v > hi:
		return hi
	}
	return v
}
