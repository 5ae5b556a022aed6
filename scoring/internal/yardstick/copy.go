// Package yardstick times what benchmarks hold their own time against, in the same run.
package yardstick

import (
	"time"

	"coverslip/datasets/raster"
)

// CopyTime is the time that copying all arrays in memory takes, the best of five. Their elements are uint16.
func CopyTime(arrays ...raster.Array) time.Duration {
	best := time.Hour
	for range 5 {
		var total time.Duration
		for _, a := range arrays {
			from := a.Values.([]uint16)
			to := make([]uint16, len(from))
			copy(to, from) // touches the pages
			start := time.Now()
			copy(to, from)
			total += time.Since(start)
		}
		best = min(best, total)
	}
	return best
}
