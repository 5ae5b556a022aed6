package app

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// measurement steps through the slices of the picture by key, as a person would, and times each step from the key to the end of the
// frame that shows the new slice. A first walk fills the cache and does not count.
type measurement struct {
	w       *Workbench
	out     io.Writer
	left    int // steps to go
	counted int // steps that count, at the end of the walk
	key     string
	pressed time.Time // when the key came; zero while no frame is waited for

	frames, ours []time.Duration // key to frame; the part that is our drawing
	done         func()
}

// pause between two steps lets the window come to rest, as fingers do.
const pause = 30 * time.Millisecond

// measure walks n slices forward and n back; only the way back counts.
func (w *Workbench) measure(n int, out io.Writer, done func()) {
	m := &measurement{w: w, out: out, left: 2 * n, counted: n, key: ".", done: done}
	w.session.SetZ(0)
	before := w.picture.OnComposed
	w.picture.OnComposed = func(took time.Duration) {
		before(took)
		m.composed(took)
	}
	m.later()
}

func (m *measurement) later() {
	time.AfterFunc(pause, func() { m.w.post(m.step) })
}

func (m *measurement) step() {
	if m.w.session.Loading() || len(m.w.session.JobList()) > 0 {
		m.later()
		return
	}
	if m.left == 0 {
		m.report()
		return
	}
	if m.left == m.counted {
		m.key = ","
	}
	m.left--
	m.pressed = time.Now()
	m.w.keyboard.press(m.key)
}

// composed notes a frame of the new slice. What is posted here runs when the frame has been presented.
func (m *measurement) composed(took time.Duration) {
	if m.pressed.IsZero() || m.w.session.Loading() {
		return
	}
	pressed := m.pressed
	m.pressed = time.Time{}
	m.w.post(func() {
		if m.left < m.counted {
			m.frames = append(m.frames, time.Since(pressed))
			m.ours = append(m.ours, took)
		}
		m.later()
	})
}

func (m *measurement) report() {
	fmt.Fprintf(m.out, "slices %d, key to frame p50 %.1f ms p99 %.1f ms, of which our drawing p50 %.1f ms p99 %.1f ms\n", len(m.frames),
		percentile(m.frames, 50), percentile(m.frames, 99), percentile(m.ours, 50), percentile(m.ours, 99))
	m.done()
}

// percentile in milliseconds, by nearest rank.
func percentile(d []time.Duration, p int) float64 {
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	at := (len(d)*p + 99) / 100
	return float64(d[max(at, 1)-1].Microseconds()) / 1000
}
