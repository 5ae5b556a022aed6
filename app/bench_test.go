package app

import (
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"coverslip/app/session"
	"coverslip/viewer"
)

// benchDemo is a workbench on the demo's stack with so many of its runs; rest waits until nothing runs and nothing is being read.
func benchDemo(b *testing.B, runs int) (w *Workbench, rest func()) {
	b.Helper()
	layout, err := writtenDemo()
	if err != nil {
		b.Fatal(err)
	}
	q := session.NewQueue()
	w = newWorkbench(test.NewTempApp(b), Options{Width: 1280, Height: 800}, q.Post)
	b.Cleanup(w.session.Close)
	dir := layout.Tasks[1]
	w.open(Options{Paths: append([]string{dir}, layout.Runs[dir][:runs]...)})
	rest = func() {
		if !q.Wait(func() bool { return len(w.session.JobList()) == 0 && !w.session.Loading() }) {
			b.Fatal("the window did not come to rest")
		}
	}
	rest()
	w.window.Canvas().Capture()
	return w, rest
}

// BenchmarkHandlers times what the window does on the UI goroutine for one event, without drawing: the budget is 8 ms.
func BenchmarkHandlers(b *testing.B) {
	w, rest := benchDemo(b, 1)
	turn := 0
	handle := func(name string, run func()) { benchHandler(b, name, run, rest) }
	handle("hover", func() { turn++; w.picture.MouseMoved(mouseAt(float32(100+turn%300), 200)) })
	handle("pan", func() { w.session.Pan(1, 1) })
	handle("next slice", func() { turn++; w.session.SetZ(turn % 2) })
	handle("next error", w.session.NextError)
	handle("errors on and off", w.session.ToggleErrors)
	handle("sort", func() { turn++; w.session.SortErrors([]string{"cost", "iou"}[turn%2], true) })
}

// BenchmarkLargeImage is the same for an image of 2048 x 2048 pixels with its contrast on screen.
func BenchmarkLargeImage(b *testing.B) {
	path := filepath.Join(b.TempDir(), "large.png")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	im := image.NewGray16(image.Rect(0, 0, 2048, 2048))
	for i := range im.Pix {
		im.Pix[i] = uint8(i * i >> 7)
	}
	if err := errors.Join(png.Encode(f, im), f.Close()); err != nil {
		b.Fatal(err)
	}
	a := test.NewTempApp(b)
	q := session.NewQueue()
	w := newWorkbench(a, Options{Width: 1280, Height: 800}, q.Post)
	defer w.session.Close()
	w.open(Options{Paths: []string{path}})
	w.showTab(tabLayers)
	rest := func() bool { return len(w.session.JobList()) == 0 && !w.session.Loading() && !w.layers.counts.busy }
	if !q.Wait(func() bool { return rest() && w.session.Scene() != nil }) {
		b.Fatal("the image did not open")
	}
	w.window.Canvas().Capture()
	turn := 0.0
	handle := func(name string, run func()) { benchHandler(b, name, run, func() { q.Wait(rest) }) }
	handle("pan", func() { w.session.Pan(1, 1) })
	handle("zoom", func() { w.session.ZoomBy(1.01, 50, 50) })
	handle("contrast", func() { turn++; w.session.SetTone(0, viewer.Tone{Lo: turn, Hi: turn + 1000}) })
}

// BenchmarkTable is the same for a table of 60,000 rows. Sorting and searching also tell how long it is until the rows are there.
func BenchmarkTable(b *testing.B) {
	a := test.NewTempApp(b)
	q := session.NewQueue()
	w := newWorkbench(a, Options{Width: 1280, Height: 800}, q.Post)
	defer w.session.Close()
	path := written(b, "spots.csv", spots(60000))
	rest := func() bool { return len(w.session.JobList()) == 0 && !w.cells.Busy() }
	w.open(Options{Paths: []string{path}})
	if !q.Wait(func() bool { return rest() && w.cells.grid != nil }) {
		b.Fatal("the table did not open")
	}
	w.window.Canvas().Capture()
	handle := func(name string, run func()) { benchHandler(b, name, run, func() { q.Wait(rest) }) }
	step := func(key string) func() { return func() { w.cells.Move(key) } }
	handle("row down", step("Down"))
	handle("page down", step("PageDown"))
	turn := 0
	handle("ends", func() { turn++; w.cells.Move([]string{"End", "Home"}[turn%2]) })
	handle("sort begins", func() { w.cells.SortBy(1) })
	whole := func(name string, run func()) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				run()
				q.Wait(rest)
			}
		})
	}
	whole("sorted numbers", func() { w.cells.SortBy(1) })
	whole("sorted texts", func() { w.cells.SortBy(0) })
	whole("found", func() { turn++; w.cells.find([]string{"bright", ""}[turn%2]) })
	whole("opened", func() { w.session.Open(path) })
}

// benchHandler times run alone, not what it leaves to be done.
func benchHandler(b *testing.B, name string, run, settle func()) {
	b.Run(name, func(b *testing.B) {
		worst := time.Duration(0)
		for b.Loop() {
			start := time.Now()
			run()
			worst = max(worst, time.Since(start))
			b.StopTimer()
			settle()
			b.StartTimer()
		}
		b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms")
	})
}

func mouseAt(x, y float32) *desktop.MouseEvent {
	return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}}
}
