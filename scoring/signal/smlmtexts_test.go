package signal

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestDistanceTexts: the shared texts are those that each distance would get by itself, close to every middle between two
// hundredths, too.
func TestDistanceTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 100))
	for _, threshold := range []float64{0, 0.25, 1, 7, 50, math.Inf(1)} {
		texts := newDistanceTexts(threshold)
		check := func(d float64) {
			if got, want := texts.matched(d), matchedText(d); got != want {
				t.Errorf("threshold %v, distance %v: %s, expected %s", threshold, d, got, want)
			}
		}
		for i := range 2000 {
			check(rng.Float64() * min(threshold, 100))
			middle := (float64(i) + 0.5) / 100
			check(middle)
			check(math.Nextafter(middle, 0))
			check(math.Nextafter(middle, 100))
			check(float64(i) / 100)
		}
	}
}
