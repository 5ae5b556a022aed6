package session

import (
	"context"
	"sync"
	"time"
)

// Queue is a Post for programs without a window: functions wait until the owner's goroutine runs them in Wait.
type Queue struct {
	mu    sync.Mutex
	queue []func()
	wake  chan struct{}
}

// NewQueue makes an empty queue.
func NewQueue() *Queue { return &Queue{wake: make(chan struct{}, 1)} }

// Post adds a function; any goroutine may call it.
func (q *Queue) Post(f func()) {
	q.mu.Lock()
	q.queue = append(q.queue, f)
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// Wait runs queued functions on the caller's goroutine until cond holds; false after ten seconds without. It is for tests.
func (q *Queue) Wait(cond func() bool) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return q.WaitContext(ctx, cond)
}

// WaitContext runs queued functions until cond holds, or ctx ends: then it gives false.
func (q *Queue) WaitContext(ctx context.Context, cond func() bool) bool {
	for {
		q.drain()
		if cond() {
			return true
		}
		select {
		case <-q.wake:
		case <-ctx.Done():
			return false
		}
	}
}

func (q *Queue) drain() {
	for {
		q.mu.Lock()
		work := q.queue
		q.queue = nil
		q.mu.Unlock()
		if len(work) == 0 {
			return
		}
		for _, f := range work {
			f()
		}
	}
}
