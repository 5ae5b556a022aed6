package demo

import (
	"context"

	"coverslip/datasets/raster/parallel"
)

// spreadOut calls do for 0..n-1 on all processors. Which one does what must not matter.
func spreadOut(n int, do func(i int)) {
	_ = parallel.Each(context.Background(), n, func(i int) error { do(i); return nil })
}
