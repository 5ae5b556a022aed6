package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"coverslip/viewer"
	"coverslip/viewer/render"
)

// dp turns a device point of the picture into a place of the widget.
func (w *testBench) dp(y, x float64) fyne.Position {
	pw, ph := w.picture.DeviceSize()
	size := w.picture.Size()
	return fyne.NewPos(float32(x)*size.Width/float32(pw), float32(y)*size.Height/float32(ph))
}

// panes are those on screen.
func (w *testBench) panes() []render.Pane {
	pw, ph := w.picture.DeviceSize()
	return render.Panes(w.session.Scene(), w.session.Shown(), pw, ph)
}

// in is a place of the widget by a point of a pane's own rows and columns.
func (w *testBench) in(pane int, y, x float64) fyne.Position {
	p := w.panes()[pane]
	dy, dx := p.Camera.ToDevice(viewer.Point{Y: y, X: x})
	return w.dp(dy+float64(p.Rect.Min.Y), dx+float64(p.Rect.Min.X))
}

func (w *testBench) hoverAt(p fyne.Position) string {
	w.picture.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: p}})
	return w.status.Text()
}

func TestStorySectionsThroughTheClickedVoxel(t *testing.T) {
	w := openDemo(t, 1, 1)
	for w.session.Layout() != viewer.Ortho {
		w.press("L")
		w.settle()
	}
	if got := w.hoverAt(w.in(2, 40.5, 120.5)); !strings.Contains(got, "x 120 z 40") {
		t.Errorf("over the XZ section the status line says %q", got)
	}
	test.TapAt(w.picture, w.in(2, 40.5, 120.5))
	w.settle()
	if v := w.session.View(); v.Z != 40 || v.Cross.X != 120.5 || !strings.Contains(v.String(), "layout=ortho") {
		t.Errorf("the click went to %q", v)
	}
	if got := w.hoverAt(w.in(1, 99.5, 12.5)); !strings.Contains(got, "y 99 x 120 z 12") {
		t.Errorf("over the YZ section the status line says %q", got)
	}
	test.TapAt(w.picture, w.in(0, 80.5, 90.5))
	w.settle()
	if v := w.session.View(); v.Z != 40 || v.Cross != (viewer.Point{Y: 80.5, X: 90.5}) {
		t.Errorf("the click into the plane went to %q", v)
	}
	w.press("W")
	w.settle()
	row := w.session.ErrorRow(w.session.Selected())
	m := w.session.Report().Marks[row.Mark]
	if v := w.session.View(); int(v.Cross.Y) != int(m.Y+0.5) || int(v.Cross.X) != int(m.X+0.5) {
		t.Errorf("the sections lie at %v, the worst error at y %.1f x %.1f", v.Cross, m.Y, m.X)
	}
}

func TestStoryTheCurtainIsDrawnByItsHandle(t *testing.T) {
	w := openDemo(t, 0, 1)
	w.press("L")
	w.press("L")
	if w.session.Layout() != viewer.Curtain {
		t.Fatalf("the second layout is %v", w.session.Layout())
	}
	pw, ph := w.picture.DeviceSize()
	drag := func(fromX, toX float64) {
		from, to := w.dp(float64(ph)/3, fromX), w.dp(float64(ph)/3, toX)
		w.picture.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: to}, Dragged: fyne.NewDelta(to.X-from.X, 0)})
		w.picture.DragEnd()
	}
	drag(float64(pw)/2, float64(pw)/4)
	if v := w.session.View(); v.Split < 0.24 || v.Split > 0.26 || v.Zoom != 0 {
		t.Errorf("after the drag the view is %q", v)
	}
	split := w.session.View().Split
	drag(float64(pw)*3/4, float64(pw)/2)
	if v := w.session.View(); v.Split != split || v.Zoom == 0 {
		t.Errorf("a drag beside the handle gave %q", v)
	}
	drag(float64(pw)/4, -500)
	if v := w.session.View(); v.Split != 0.01 {
		t.Errorf("drawn out of the window the curtain hangs at %v", v.Split)
	}
	w.press("Shift+L")
	if w.session.Layout() != viewer.Side || w.session.View().Split != 0 {
		t.Errorf("back is %q", w.session.View())
	}
}

func TestStoryTwoAgentsSideBySide(t *testing.T) {
	w := openDemo(t, 0, 2)
	w.press("H")
	w.settle()
	names := []string{w.session.Runs()[0].Name, w.session.Runs()[1].Name}
	panes := w.panes()
	if len(panes) != 2 || panes[0].Title == panes[1].Title || panes[w.session.Run()].Title != names[0] {
		t.Fatalf("%d panes, %q, runs %v", len(panes), panes[0].Title, names)
	}
	text := w.session.View().String()
	if !strings.Contains(text, "layout=side") || !strings.Contains(text, "other=") {
		t.Errorf("the view is %q", text)
	}
	left, right := w.hoverAt(w.in(0, 100, 100)), w.hoverAt(w.in(1, 100, 100))
	if !strings.HasPrefix(left, "y 100 x 100") || !strings.HasPrefix(right, "y 100 x 100") {
		t.Errorf("the same place reads %q and %q", left, right)
	}
	w.press("H")
	if w.session.View().Other != "" {
		t.Error("the truth does not come back")
	}
}

func TestStoryProjectionOnAndOff(t *testing.T) {
	w := openDemo(t, 1, 0)
	z := w.session.View().Z
	plane, err := w.session.CopyImage()
	if err != nil {
		t.Fatal(err)
	}
	w.press("J")
	w.settle()
	if v := w.session.View(); v.Project.Kind != viewer.MaxProjection || v.Z != z {
		t.Errorf("the projection is %q", v)
	}
	w.action("project-depth").Run()
	w.settle()
	w.action("project-slab").Run()
	w.settle()
	if v := w.session.View(); !strings.Contains(v.String(), "project=depth:z:5") {
		t.Errorf("the menu gave %q", v)
	}
	w.press("J")
	w.settle()
	again, err := w.session.CopyImage()
	if err != nil || string(again.Pix) != string(plane.Pix) {
		t.Error("the plane did not come back as it was")
	}
	w.press("J")
	w.settle()
	if v := w.session.View(); v.Project != (viewer.Projection{Kind: viewer.DepthProjection, Span: 5}) {
		t.Errorf("on again it is %q", v)
	}
}

// Every layout is drawn into the window as the view's text says.
func TestStoryTheWindowDrawsWhatTheTextSays(t *testing.T) {
	w := openDemo(t, 1, 1)
	for range 4 {
		w.press("L")
		w.settle()
		w.window.Canvas().Capture()
		pw, ph := w.picture.DeviceSize()
		v, err := viewer.Parse(w.session.Shown().String())
		if err != nil || v.Size.X != pw || v.Size.Y != ph {
			t.Fatalf("the text names %v, the picture has %d x %d: %v", v.Size, pw, ph, err)
		}
		before, err := w.session.CopyImage()
		if err != nil {
			t.Fatal(err)
		}
		if err := w.session.SetView(v); err != nil {
			t.Fatal(err)
		}
		w.settle()
		after, err := w.session.CopyImage()
		if err != nil || string(after.Pix) != string(before.Pix) {
			t.Errorf("%v: its text draws another picture", v.Layout)
		}
	}
}

// BenchmarkLayoutHandlers times what layouts do on the UI goroutine for one event, without drawing: the budget is 8 ms.
func BenchmarkLayoutHandlers(b *testing.B) {
	w, rest := benchDemo(b, 2)
	s, turn := w.session, 0
	handle := func(name string, run func()) { benchHandler(b, name, run, rest) }
	s.SetLayout(viewer.Ortho)
	rest()
	handle("cross-hair", func() { turn++; s.MoveCross(float64(turn*37%256), float64(turn*91%256), turn%2) })
	handle("slice under sections", func() { turn++; s.SetZ(turn % 2) })
	handle("hover", func() { turn++; w.picture.MouseMoved(mouseAt(float32(100+turn%300), 200)) })
	s.SetLayout(viewer.Curtain)
	handle("curtain", func() { turn++; s.SetSplit(float64(turn%90+5) / 100) })
	s.SetProjection(viewer.Projection{Kind: viewer.MaxProjection})
	rest()
	handle("slice under a projection", func() { turn++; s.SetZ(turn % 2) })
}
