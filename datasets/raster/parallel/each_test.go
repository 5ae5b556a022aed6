package parallel

import (
	"context"
	"errors"
	"fmt"
	"runtime"
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

// A panic reaches the caller on any number of processors; of several failures the lowest job's counts.
func TestPanicReachesTheCaller(t *testing.T) {
	for _, processors := range []int{1, 4} {
		for _, c := range []struct {
			panics, fails int
			want          string
		}{{3, 60, "panic 3"}, {60, 3, "error 3"}} {
			if got := outcome(processors, c.panics, c.fails); got != c.want {
				t.Errorf("%d processors: %s, want %s", processors, got, c.want)
			}
		}
	}
}

// outcome is what a hundred jobs come to, of which one panics and one fails.
func outcome(processors, panics, fails int) (text string) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprint("panic ", p)
		}
	}()
	err := Each(context.Background(), 100, func(i int) error {
		switch i {
		case panics:
			panic(i)
		case fails:
			return fmt.Errorf("error %d", i)
		}
		return nil
	})
	return err.Error()
}
