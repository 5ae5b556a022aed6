package app

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// holding steps through slices as a held key does, whatever the window still has to draw, and counts what was drawn.
type holding struct {
	w     *Workbench
	out   io.Writer
	steps int
	done  func()

	frames, wrong int           // drawn; of them with another slice than the position box names
	worst         time.Duration // that a key took on the UI goroutine
	start         time.Time
	before        int // MiB in use after a tenth of the steps
}

// repeat is how often a held key comes: faster than any keyboard.
const repeat = 16 * time.Millisecond

// hold makes n steps, to the last slice and back again and again.
func (w *Workbench) hold(n int, out io.Writer, done func()) {
	h := &holding{w: w, out: out, steps: n, done: done}
	w.session.SetZ(0)
	composed := w.picture.OnComposed
	w.picture.OnComposed = func(took time.Duration) {
		composed(took)
		h.frames++
		if s := w.session; s.Scene() != nil && strconv.Itoa(s.Scene().Z) != w.axes.z.box.Text {
			h.wrong++
		}
	}
	go h.walk()
}

// walk sends keys; a new one waits until the last one has been taken.
func (h *holding) walk() {
	tick := time.NewTicker(repeat)
	defer tick.Stop()
	for i := range h.steps {
		<-tick.C
		taken := make(chan struct{})
		h.w.post(func() { h.step(i); close(taken) })
		<-taken
	}
	h.w.post(h.report)
}

func (h *holding) step(i int) {
	switch i {
	case h.steps / 10:
		runtime.GC()
		h.before = residentMiB()
		h.start, h.frames, h.wrong, h.worst = time.Now(), 0, 0, 0
	}
	last := h.w.session.Shape().Z - 1
	key := "."
	if last > 0 && i/last%2 == 1 {
		key = ","
	}
	start := time.Now()
	h.w.keyboard.press(key)
	h.worst = max(h.worst, time.Since(start))
}

func (h *holding) report() {
	seconds := time.Since(h.start).Seconds()
	runtime.GC()
	fmt.Fprintf(h.out, "held through %d slices, %.1f frames a second, %d wrong, a key took the UI at most %.1f ms, memory %+d MiB\n",
		h.steps, float64(h.frames)/seconds, h.wrong, float64(h.worst.Microseconds())/1000, residentMiB()-h.before)
	h.done()
}

// residentMiB is the resident memory of the program, 0 where the system does not tell.
func residentMiB() int {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	words := strings.Fields(string(b))
	if len(words) < 2 {
		return 0
	}
	pages, _ := strconv.Atoi(words[1])
	return pages * os.Getpagesize() >> 20
}
