package numeric

import (
	"math"
	"testing"
)

// Expected values are CPython's round(x, 4).
func TestRound4(t *testing.T) {
	for _, c := range []struct{ in, want float64 }{
		{0, 0}, {1, 1}, {0.78125, 0.7812}, {0.84375, 0.8438}, {0.03125, 0.0312}, {0.00005, 0.0001}, {0.00015, 0.0001},
		{0.00025, 0.0003}, {0.99995, 1.0}, {0.99994999, 0.9999}, {2.0 / 3, 0.6667}, {12345.67895, 12345.6789},
	} {
		if got := Round4(c.in); got != c.want {
			t.Errorf("Round4(%v) = %v, want %v", c.in, got, c.want)
		}
	}
	if !math.IsNaN(Round4(math.NaN())) || !math.IsInf(Round4(math.Inf(1)), 1) {
		t.Error("NaN and infinities must stay")
	}
}

// The sum runs from left to right: another order gives another last bit.
func TestMeanRunsFromLeftToRight(t *testing.T) {
	tenth := 0.1
	if got, want := Mean([]float64{tenth, 0.2, 0.3}), (tenth+0.2+0.3)/3; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := Mean([]float64{1e16, 1, -1e16}), 0.0; got != want {
		t.Errorf("got %v, want %v: the small value is lost in this order", got, want)
	}
	if Mean(nil) != 0 {
		t.Error("the mean of nothing is 0")
	}
}
