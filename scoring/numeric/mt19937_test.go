package numeric

import "testing"

// Expected values: spec/scorers-tables.md 7.5.
func TestRandomIsThatOfCPython(t *testing.T) {
	r := NewRandom(42)
	for i, want := range []uint32{2746317213, 478163327, 107420369} {
		if got := r.Uint32(); got != want {
			t.Errorf("output %d is %d, want %d", i, got, want)
		}
	}
	r = NewRandom(42)
	for i, want := range []int{2, 0, 0, 2, 1, 0, 0, 0, 2, 0, 2, 2} {
		if got := r.Below(3); got != want {
			t.Errorf("index %d is %d, want %d", i, got, want)
		}
	}
}

func TestBootstrap(t *testing.T) {
	for _, c := range []struct {
		values    []float64
		low, high float64
	}{
		{[]float64{.9, .4, 0}, 0, 0.9},
		{[]float64{.11, .22, .33, .47}, 0.165, 0.4075},
		{[]float64{0.7}, 0.7, 0.7},
		{nil, 0, 0},
	} {
		low, high := Bootstrap(c.values)
		if Round4(low) != c.low || Round4(high) != c.high {
			t.Errorf("%v: %v to %v, want %v to %v", c.values, low, high, c.low, c.high)
		}
	}
}
