package app

import (
	"fmt"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"coverslip/app/session"
)

func TestSidesShareTheWindow(t *testing.T) {
	startApp(t)
	for _, c := range []struct{ width, left, right, wantLeft, wantRight float32 }{
		{1360, 250, 376, 250, 376},
		{1360, 0, 0, leastLeft, leastRight},
		{1360, -5, float32(math.Inf(1)), leastLeft, 1360 - leastStage - 2 - leastLeft},
		{900, 250, 376, 236.4, 361.6},
		{702, 250, 376, leastLeft, leastRight},
	} {
		s := newSides(newGap(1), newGap(1), newGap(1))
		s.left, s.right = c.left, min(c.right, 1e6)
		s.content.Resize(fyne.NewSize(c.width, 500))
		o := s.content.Objects
		left, stage, right := o[0].Size().Width, o[1].Size().Width, o[2].Size().Width
		if math.Abs(float64(left-c.wantLeft)) > 0.1 || math.Abs(float64(right-c.wantRight)) > 0.1 || left+stage+right+2 != c.width {
			t.Errorf("%+v: left %v, stage %v, right %v", c, left, stage, right)
		}
	}
}

func TestStoryColumnsAreDraggedAndRemembered(t *testing.T) {
	w := newTestBench(t)
	drag := func(g *grip, by ...float32) {
		for _, dx := range by {
			g.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(dx, 0)})
		}
		g.DragEnd()
	}
	widths := func() string {
		o := w.sides.content.Objects
		return fmt.Sprintf("%.0f %.0f", o[0].Size().Width, o[2].Size().Width)
	}
	drag(w.sides.grips[0], 60, 40)
	drag(w.sides.grips[1], 20)
	if widths() != "350 356" {
		t.Errorf("dragged to %s", widths())
	}
	drag(w.sides.grips[0], 2000) // the other column keeps its width
	if widths() != fmt.Sprintf("%d 356", 1280-2-leastStage-356) {
		t.Errorf("dragged beyond the picture to %s", widths())
	}
	drag(w.sides.grips[0], 350-(1280-2-leastStage-356))
	drag(w.sides.grips[0], -900, 880) // beyond the least and back: the line follows the pointer
	drag(w.sides.grips[1], -2000)
	if widths() != fmt.Sprintf("330 %d", 1280-2-leastStage-330) {
		t.Errorf("dragged beyond what there is to %s", widths())
	}
	w.sides.grips[1].DoubleTapped(nil)
	w.right.SetOffset(0.5)
	w.storeSizes()
	again := newWorkbench(w.app, Options{Width: 1280, Height: 800}, session.NewQueue().Post)
	defer again.session.Close()
	if again.sides.left != 330 || again.sides.right != defaultRight || again.right.Offset != 0.5 {
		t.Errorf("remembered are %v, %v and %v", again.sides.left, again.sides.right, again.right.Offset)
	}
}

// TestSmallWindowHoldsAll opens the smallest window: nothing may ask for more room than it has, or reach out of its panel.
func TestSmallWindowHoldsAll(t *testing.T) {
	layout, err := writtenDemo()
	if err != nil {
		t.Fatal(err)
	}
	a := test.NewTempApp(t)
	w := &testBench{t: t, queue: session.NewQueue()}
	w.Workbench = newWorkbench(a, Options{Width: 900, Height: 600}, w.queue.Post)
	t.Cleanup(w.session.Close)
	w.fits("empty")
	dir := layout.Tasks[0]
	w.open(Options{Paths: append([]string{dir}, layout.Runs[dir][0])})
	w.queue.Wait(func() bool { return w.status.Working() })
	w.fits("at work")
	w.settle()
	for i := range w.tabs.Items {
		w.showTab(i)
		w.press("N")
		w.settle()
		w.fits(w.tabs.Items[i].Text)
	}
	sheet := keySheet(w.table, w.room().Width-40).(*fyne.Container)
	sheet.Resize(fyne.NewSize(w.room().Width-40, sheet.MinSize().Height))
	for i, column := range sheet.Objects {
		if end := column.Position().AddXY(column.Size().Width, column.Size().Height); end.X > sheet.Size().Width || end.Y > sheet.Size().Height {
			t.Errorf("column %d of the key sheet ends at %v of %v", i, end, sheet.Size())
		}
	}
}

// fits looks at the least sizes of the window and its columns.
func (w *testBench) fits(when string) {
	w.t.Helper()
	w.window.Canvas().Capture()
	if size := w.window.Canvas().Size(); size != fyne.NewSize(900, 600) {
		w.t.Errorf("%s: the window became %v", when, size)
	}
	if least := w.window.Content().MinSize(); least.Width > 900 || least.Height > 570 { // the menu takes the rest
		w.t.Errorf("%s: the panels want %v", when, least)
	}
	for i, o := range w.sides.content.Objects {
		if o.MinSize().Width > o.Size().Width {
			w.t.Errorf("%s: column %d wants %v dp and has %v", when, i, o.MinSize().Width, o.Size().Width)
		}
	}
}
