package numeric

import (
	"math"
	"testing"
)

// Expected values are CPython's round(x, n) and float(f"{x:.6g}").
func TestRound(t *testing.T) {
	for _, c := range []struct {
		v        float64
		decimals int
		want     float64
	}{{2.6755, 3, 2.675}, {2.675, 2, 2.67}, {0.0005, 3, 0.001}, {-1.5, 0, -2}, {2.5, 0, 2}, {1e300, 3, 1e300}, {math.Inf(1), 3, math.Inf(1)}} {
		if got := Round(c.v, c.decimals); got != c.want {
			t.Errorf("Round(%v, %d) = %v, want %v", c.v, c.decimals, got, c.want)
		}
	}
	for _, c := range []struct{ v, want float64 }{{0.00014452468, 0.000144525}, {0.628475, 0.628475}, {1234567, 1.23457e6}, {0, 0}, {2.5e-310, 2.5e-310}} {
		if got := RoundSignificant(c.v, 6); got != c.want {
			t.Errorf("RoundSignificant(%v, 6) = %v, want %v", c.v, got, c.want)
		}
	}
	if !math.IsNaN(Round(math.NaN(), 2)) {
		t.Error("NaN must stay")
	}
}
