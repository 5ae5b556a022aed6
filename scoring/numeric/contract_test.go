package numeric

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// maybe is a number that JSON cannot hold, written as text: "nan", "inf", "-inf".
type maybe float64

func (m *maybe) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case `"nan"`:
		*m = maybe(math.NaN())
	case `"inf"`:
		*m = maybe(math.Inf(1))
	case `"-inf"`:
		*m = maybe(math.Inf(-1))
	default:
		var v float64
		if err := json.Unmarshal(text, &v); err != nil {
			return err
		}
		*m = maybe(v)
	}
	return nil
}

// vectors reads the cases of a file of testdata, and of the shared one of that name if it is there.
func vectors[C any](t *testing.T, name string) []C {
	t.Helper()
	var all []C
	for i, file := range []string{filepath.Join("testdata", name), filepath.Join("..", "..", "..", "shared", "golden", "_contract", name)} {
		text, err := os.ReadFile(file)
		if err != nil && i > 0 {
			t.Log("the shared cases are absent: only testdata is checked")
			continue
		}
		var list struct{ Cases []C }
		if err == nil {
			err = json.Unmarshal(text, &list)
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, list.Cases...)
	}
	return all
}

func TestBootstrapVectors(t *testing.T) {
	type vector struct {
		Name   string
		Values []maybe
		Args   struct {
			Alpha     *float64
			Resamples *int `json:"n_resamples"`
			Seed      *int64
		}
		Mean, Low, High float64
		CILow           float64 `json:"ci_low"`
		CIHigh          float64 `json:"ci_high"`
		Seed            *int64
		Bits            []uint32 `json:"bits32"`
		Below7, Below8  []int
	}
	for _, c := range vectors[vector](t, "bootstrap.json") {
		if c.Seed != nil {
			checkStream(t, c.Name, *c.Seed, c.Bits, c.Below7, c.Below8)
			continue
		}
		settings := DefaultResampling
		if c.Args.Alpha != nil {
			settings.Alpha = *c.Args.Alpha
		}
		if c.Args.Resamples != nil {
			settings.Resamples = *c.Args.Resamples
		}
		if c.Args.Seed != nil {
			settings.Seed = *c.Args.Seed
		}
		values := make([]float64, len(c.Values))
		for i, v := range c.Values {
			values[i] = float64(v)
		}
		mean, low, high := BootstrapCI(values, settings)
		if mean != c.Mean || low != c.CILow || high != c.CIHigh {
			t.Errorf("%s: %v, %v to %v, want %v, %v to %v", c.Name, mean, low, high, c.Mean, c.CILow, c.CIHigh)
		}
	}
}

func checkStream(t *testing.T, name string, seed int64, words []uint32, below7, below8 []int) {
	t.Helper()
	r := NewRandom(seed)
	for i, want := range words {
		if got := r.Uint32(); got != want {
			t.Errorf("%s: output %d is %d, want %d", name, i, got, want)
		}
	}
	for n, list := range [][]int{below7, below8} {
		for i, want := range list {
			if got := r.Below(7 + n); got != want {
				t.Errorf("%s: draw %d below %d is %d, want %d", name, i, 7+n, got, want)
			}
		}
	}
}

func TestNormalizeErrorVectors(t *testing.T) {
	type vector struct {
		Name  string
		Error maybe
		Scale float64
		Mode  string
		Score *float64
	}
	for _, c := range vectors[vector](t, "normalize_error.json") {
		got, err := NormalizeError(float64(c.Error), c.Scale, c.Mode, true)
		if (err != nil) != (c.Score == nil) || c.Score != nil && math.Abs(got-*c.Score) > 1e-15 {
			t.Errorf("%s: %v %v", c.Name, got, err)
		}
	}
	if got, _ := NormalizeError(3, 1, "linear", false); got != -2 {
		t.Errorf("unclipped: %v, want -2", got)
	}
	if got, _ := NormalizeError(0, math.NaN(), "linear", true); got != 1 {
		t.Errorf("a scale that is no number counts as the smallest: %v", got)
	}
}

func TestAggregateVectors(t *testing.T) {
	type vector struct {
		Name     string
		Scores   []float64
		Missing  int `json:"missing_count"`
		Policy   string
		Value    float64 `json:"missing_value"`
		Expected struct {
			Score    float64
			NScored  int       `json:"n_scored"`
			NMissing int       `json:"n_missing"`
			Low      float64   `json:"ci_low"`
			High     float64   `json:"ci_high"`
			Items    []float64 `json:"per_item"`
			Policy   string
		}
	}
	for _, c := range vectors[vector](t, "aggregate_items.json") {
		got, want := AggregatePerItem(c.Scores, c.Missing, c.Policy, c.Value), c.Expected
		same := fmt.Sprint(got.Score, got.NScored, got.NMissing, got.Low, got.High, got.Policy) ==
			fmt.Sprint(want.Score, want.NScored, want.NMissing, want.Low, want.High, want.Policy)
		if !same || !slices.Equal(got.PerItem, want.Items) {
			t.Errorf("%s: %+v, want %+v", c.Name, got, want)
		}
	}
}
