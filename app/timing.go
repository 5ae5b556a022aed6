package app

import (
	"sync/atomic"
	"time"
)

// pulse calls a function again and again on the UI goroutine until it is stopped. However slow the window is, at most one
// call waits.
type pulse struct {
	post func(func())
	stop chan struct{}
}

func newPulse(post func(func())) *pulse { return &pulse{post: post} }

// Start begins; a running pulse is replaced.
func (p *pulse) Start(every time.Duration, beat func()) {
	p.Stop()
	stop := make(chan struct{})
	p.stop = stop
	go func() {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		var waiting atomic.Bool
		for {
			select {
			case <-stop:
				return
			case <-ticker.C:
				if waiting.Swap(true) {
					continue
				}
				p.post(func() {
					waiting.Store(false)
					if p.stop == stop {
						beat()
					}
				})
			}
		}
	}()
}

// Stop ends it; no call comes after.
func (p *pulse) Stop() {
	if p.stop != nil {
		close(p.stop)
		p.stop = nil
	}
}

// Running tells whether it beats.
func (p *pulse) Running() bool { return p.stop != nil }

// delay runs the newest of several calls once they have rested for a while.
type delay struct {
	post  func(func())
	timer *time.Timer
	turn  int
}

func newDelay(post func(func())) *delay { return &delay{post: post} }

// Run waits and then calls f on the UI goroutine, unless Run is called again before.
func (d *delay) Run(after time.Duration, f func()) {
	if d.timer != nil {
		d.timer.Stop()
	}
	d.turn++
	turn := d.turn
	d.timer = time.AfterFunc(after, func() {
		d.post(func() {
			if d.turn == turn {
				f()
			}
		})
	})
}
