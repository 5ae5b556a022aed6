package numeric

import (
	"math"
	"slices"
)

// Resampling are the settings of a percentile bootstrap.
type Resampling struct {
	Resamples int
	Alpha     float64
	Seed      int64
}

// DefaultResampling is what every scorer of the reference uses: 1000 resamples, 95 %, seed 42.
var DefaultResampling = Resampling{1000, 0.05, 42}

// Bootstrap are the limits of the mean with the default settings.
func Bootstrap(values []float64) (low, high float64) {
	_, low, high = BootstrapCI(values, DefaultResampling)
	return low, high
}

// BootstrapCI is the mean of the finite values with its percentile limits (spec/contract.md 5, bootstrap_ci). Without
// values all three are 0, with one they equal it.
func BootstrapCI(values []float64, s Resampling) (mean, low, high float64) {
	pool := slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	mean = Mean(pool)
	if len(pool) < 2 || s.Resamples < 1 {
		return mean, mean, mean
	}
	random := NewRandom(s.Seed)
	means := make([]float64, s.Resamples)
	for i := range means {
		sum := 0.0
		for range pool {
			sum += pool[random.Below(len(pool))]
		}
		means[i] = sum / float64(len(pool))
	}
	slices.Sort(means)
	n := float64(s.Resamples)
	first := int(math.Floor(float64(s.Alpha/2) * n))
	last := int(math.Ceil(float64(1-s.Alpha/2)*n)) - 1
	return mean, means[min(max(0, first), len(means)-1)], means[max(0, min(len(means)-1, last))]
}
