package parallel

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
)

// TestEach runs every job once, gives the error of the lowest job that fails, and stops with its context.
func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		var ran atomic.Int64
		if err := Each(context.Background(), n, func(int) error { ran.Add(1); return nil }); err != nil || int(ran.Load()) != n {
			t.Errorf("%d jobs: %d ran, %v", n, ran.Load(), err)
		}
	}
	for range 50 {
		err := Each(context.Background(), 100, func(i int) error {
			if i == 7 || i == 8 || i == 60 {
				return fmt.Errorf("job %d", i)
			}
			return nil
		})
		if err == nil || err.Error() != "job 7" {
			t.Fatalf("%v, expected job 7", err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	if err := Each(ctx, 100, func(int) error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
