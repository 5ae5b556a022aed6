package app

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"coverslip/app/session"
)

// BenchmarkHandlers times what the window does on the UI goroutine for one event, without drawing: the budget is 8 ms.
func BenchmarkHandlers(b *testing.B) {
	layout, err := writtenDemo()
	if err != nil {
		b.Fatal(err)
	}
	a := test.NewTempApp(b)
	q := session.NewQueue()
	w := newWorkbench(a, Options{Width: 1280, Height: 800}, q.Post)
	defer w.session.Close()
	dir := layout.Tasks[1]
	w.open(Options{Paths: append([]string{dir}, layout.Runs[dir][:1]...)})
	rest := func() bool { return len(w.session.JobList()) == 0 && !w.session.Loading() }
	if !q.Wait(rest) {
		b.Fatal("the demo did not open")
	}
	w.window.Canvas().Capture()
	turn := 0
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"hover", func() { turn++; w.picture.MouseMoved(mouseAt(float32(100+turn%300), 200)) }},
		{"pan", func() { w.session.Pan(1, 1) }},
		{"next slice", func() { turn++; w.session.SetZ(turn % 2) }},
		{"next error", w.session.NextError},
		{"errors on and off", w.session.ToggleErrors},
		{"sort", func() { turn++; w.session.SortErrors([]string{"cost", "iou"}[turn%2], true) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			worst := time.Duration(0)
			for b.Loop() {
				start := time.Now()
				c.run()
				worst = max(worst, time.Since(start))
				b.StopTimer()
				q.Wait(rest)
				b.StartTimer()
			}
			b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms")
		})
	}
}

func mouseAt(x, y float32) *desktop.MouseEvent {
	return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}}
}
