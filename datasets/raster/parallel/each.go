// Package parallel spreads jobs over the processors.
package parallel

import (
	"context"
	"fmt"
	"runtime"
	"sync"
)

// Each runs job(0) to job(n-1) on as many processors as there are and returns the error of the lowest job that failed,
// so that the outcome does not depend on their number. It stops early, with ctx's error, when ctx ends. A job that panics
// counts as failed, and its panic goes on in the caller, who can recover from it: in a goroutine it would end the program.
func Each(ctx context.Context, n int, job func(int) error) error {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers <= 1 {
		for i := range n {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := job(i); err != nil {
				return err
			}
		}
		return ctx.Err()
	}
	q := queue{n: n, failedAt: n}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i, ok := q.take(); ok && ctx.Err() == nil; i, ok = q.take() {
				if err := attempt(job, i); err != nil {
					q.fail(i, err)
				}
			}
		})
	}
	wg.Wait()
	if p, ok := q.failed.(panicked); ok {
		panic(p.value)
	}
	if q.failed == nil {
		return ctx.Err()
	}
	return q.failed
}

// panicked carries a job's panic to the caller.
type panicked struct{ value any }

func (p panicked) Error() string { return fmt.Sprint(p.value) }

// attempt runs a job and catches its panic.
func attempt(job func(int) error, i int) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked{p}
		}
	}()
	return job(i)
}

// queue hands out job numbers in order until one fails.
type queue struct {
	mu       sync.Mutex
	n, next  int
	failedAt int
	failed   error
}

func (q *queue) take() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := q.next
	q.next++
	return i, i < q.n && i < q.failedAt
}

func (q *queue) fail(i int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i < q.failedAt {
		q.failedAt, q.failed = i, err
	}
}
