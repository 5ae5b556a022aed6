package track

import (
	"math/rand/v2"
	"testing"

	"coverslip/datasets/raster/pixel"
)

// TestRunsOfEveryType finds the runs of rows of every width and element type as one value after the other would.
func TestRunsOfEveryType(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for width := range 90 {
		row := make([]int64, width)
		for i := range row {
			if row[i] = int64(r.IntN(3)); i > 0 && r.IntN(12) > 0 {
				row[i] = row[i-1]
			}
		}
		checkRuns[uint8](t, row)
		checkRuns[int8](t, row)
		checkRuns[uint16](t, row)
		checkRuns[int16](t, row)
		checkRuns[uint32](t, row)
		checkRuns[int32](t, row)
		checkRuns[uint64](t, row)
		checkRuns[int64](t, row)
	}
}

// checkRuns scans the second of two equal rows. Values are spread over all bytes of the type, so that neighbours differ in
// one of them only.
func checkRuns[E pixel.Element](t *testing.T, row []int64) {
	t.Helper()
	var values []E
	for range 2 {
		for k, v := range row {
			if v == 2 {
				v = 64 >> (k % 2)
			}
			values = append(values, E(v))
		}
	}
	width := len(row)
	var got runs
	newScanner(values, width)(1, &got)
	n := 0
	for start := 0; start < width; {
		end := start + 1
		for end < width && values[end] == values[start] {
			end++
		}
		if v := int64(values[start]); v != 0 {
			if n >= len(got.starts) || got.starts[n] != start || got.ends[n] != end || got.labels[n] != v {
				t.Fatalf("%T, run %d of %v: %+v", values, n, values[:width], got)
			}
			n++
		}
		start = end
	}
	if n != len(got.starts) {
		t.Fatalf("%T: runs too many in %v: %+v", values, values[:width], got)
	}
}
