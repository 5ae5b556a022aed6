package canvas

import (
	"image"
	"math"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"coverslip/datasets/raster"
	"coverslip/viewer"
	"coverslip/viewer/render"
)

// fakeModel is an image of 400 x 300 pixels behind a camera, and a record of what it was told.
type fakeModel struct {
	shape    raster.Shape
	scene    *render.Scene
	camera   render.Camera
	w, h     int
	density  int
	z, t     int
	at       viewer.Point // image point last hovered
	picked   viewer.Point
	left     bool
	ruler    [4]float64 // that was measured along
	handle   float64    // device column of a line that can be dragged, 0 none
	resizes  int
	onResize func()
}

func newFakeModel(z, t int) *fakeModel {
	plane := raster.Plane{H: 400, W: 300, Type: raster.Uint8, Values: make([]uint8, 400*300)}
	scene := &render.Scene{H: 400, W: 300, Channels: []render.Channel{render.PrepareChannel(plane)}}
	return &fakeModel{shape: raster.Shape{T: t, Z: z, C: 1, Y: 400, X: 300}, scene: scene, camera: render.Camera{Scale: 1}}
}

func (m *fakeModel) Shown() viewer.View   { return viewer.View{} }
func (m *fakeModel) Scene() *render.Scene { return m.scene }
func (m *fakeModel) Shape() raster.Shape  { return m.shape }
func (m *fakeModel) SetPictureSize(w, h, density int) {
	m.w, m.h, m.density = w, h, density
	m.resizes++
	if m.onResize != nil {
		m.onResize()
	}
}
func (m *fakeModel) StepZ(n int) { m.z += n }
func (m *fakeModel) StepT(n int) { m.t += n }
func (m *fakeModel) ZoomBy(factor, y, x float64) {
	p := m.camera.ToImage(y, x)
	m.camera.Scale *= factor
	m.camera.OY, m.camera.OX = p.Y-y/m.camera.Scale, p.X-x/m.camera.Scale
}
func (m *fakeModel) OnHandle(_, x float64) bool     { return m.handle > 0 && math.Abs(x-m.handle) < 5 }
func (m *fakeModel) MoveHandle(_, x float64)        { m.handle = x }
func (m *fakeModel) Measure(y0, x0, y1, x1 float64) { m.ruler = [4]float64{y0, x0, y1, x1} }
func (m *fakeModel) PanFrom(_, _, dy, dx float64) {
	m.camera.OY -= dy / m.camera.Scale
	m.camera.OX -= dx / m.camera.Scale
}
func (m *fakeModel) Hover(y, x float64)  { m.at = m.camera.ToImage(y, x) }
func (m *fakeModel) HoverOff()           { m.left = true }
func (m *fakeModel) PickAt(y, x float64) { m.picked = m.camera.ToImage(y, x) }

// onScreen shows a picture of a model in a window of an odd size at a scale, drawn once.
func onScreen(t *testing.T, m *fakeModel, scale float32) (*Picture, fyne.Window) {
	t.Helper()
	test.NewTempApp(t)
	p := New(m, nil)
	p.Modifiers = func() fyne.KeyModifier { return 0 }
	w := test.NewTempWindow(t, p)
	w.SetPadded(false)
	w.Canvas().(test.WindowlessCanvas).SetScale(scale)
	w.Resize(fyne.NewSize(333, 301))
	w.Canvas().Capture()
	return p, w
}

func scroll(p *Picture, dx, dy float32, at fyne.Position) {
	p.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: at}, Scrolled: fyne.NewDelta(dx, dy)})
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

func TestDevicePixels(t *testing.T) {
	for _, c := range []struct {
		scale   float32
		w, h    int
		density int
	}{{1, 333, 301, 1}, {1.25, 417, 377, 1}, {1.5, 500, 452, 2}, {2, 666, 602, 2}, {3, 999, 903, 3}} {
		m := newFakeModel(1, 1)
		p, _ := onScreen(t, m, c.scale)
		if m.w != c.w || m.h != c.h {
			t.Errorf("scale %v: picture of %d x %d device pixels, want %d x %d", c.scale, m.w, m.h, c.w, c.h)
		}
		if m.density != c.density {
			t.Errorf("scale %v: lines of %d device pixels, want %d", c.scale, m.density, c.density)
		}
		p.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(333, 301)}})
		if !near(m.at.X, float64(c.w)) || !near(m.at.Y, float64(c.h)) {
			t.Errorf("scale %v: the far corner is %v, want y %d x %d", c.scale, m.at, c.h, c.w)
		}
	}
}

func TestBufferIsReusedUntilTheSizeChanges(t *testing.T) {
	m := newFakeModel(1, 1)
	p := New(m, nil)
	first := p.draw(101, 57).(*image.RGBA)
	if again := p.draw(101, 57).(*image.RGBA); again != first || m.resizes != 1 {
		t.Error("the same size got another buffer, or told the model again")
	}
	other := p.draw(99, 57).(*image.RGBA)
	if other == first || other.Stride != 4*99 || m.resizes != 2 {
		t.Errorf("another size: stride %d, %d resizes; want a tight new buffer", other.Stride, m.resizes)
	}
}

func TestRefreshWhileDrawingAsksForNoOtherFrame(t *testing.T) {
	m := newFakeModel(1, 1)
	p, w := onScreen(t, m, 1)
	during := false
	m.onResize = func() { during = p.drawing; p.Refresh() }
	w.Resize(fyne.NewSize(201, 199))
	w.Canvas().Capture()
	if !during || p.drawing {
		t.Errorf("drawing is %v while drawing and %v after", during, p.drawing)
	}
}

func TestNothingToDrawIsTransparent(t *testing.T) {
	m := newFakeModel(1, 1)
	m.scene = nil
	for _, v := range New(m, nil).draw(9, 7).(*image.RGBA).Pix {
		if v != 0 {
			t.Fatal("a picture without a scene has pixels")
		}
	}
}

func TestZoomKeepsThePointUnderThePointer(t *testing.T) {
	for _, scale := range []float32{1, 1.5} {
		m := newFakeModel(7, 1)
		p, _ := onScreen(t, m, scale)
		p.Modifiers = func() fyne.KeyModifier { return fyne.KeyModifierShortcutDefault }
		at := fyne.NewPos(111, 77)
		y, x := p.device(at)
		before := m.camera.ToImage(y, x)
		for _, notches := range []float32{1, 1, 1, -2, 0.3} {
			scroll(p, 0, notches*notch, at)
			if now := m.camera.ToImage(y, x); !near(now.Y, before.Y) || !near(now.X, before.X) {
				t.Fatalf("scale %v: the point moved from %v to %v", scale, before, now)
			}
		}
		if want := math.Pow(zoomFactor, 1.3); math.Abs(m.camera.Scale-want) > 1e-3 || m.z != 0 {
			t.Errorf("zoom %v after 1.3 notches, want %v; z %d", m.camera.Scale, want, m.z)
		}
	}
}

func TestWheel(t *testing.T) {
	for _, c := range []struct {
		name   string
		z, t   int
		dx, dy []float32
		wantZ  int
		wantT  int
		zooms  bool
	}{
		{name: "down is forward", z: 9, t: 1, dy: []float32{-25}, wantZ: 1},
		{name: "up is back", z: 9, t: 1, dy: []float32{25, 25}, wantZ: -2},
		{name: "small steps add up", z: 9, t: 1, dy: []float32{-10, -10, -10}, wantZ: 1},
		{name: "one slice zooms", z: 1, t: 1, dy: []float32{25}, zooms: true},
		{name: "Shift steps through time", z: 9, t: 5, dx: []float32{-25, -25}, wantT: 2},
		{name: "one time does nothing with Shift", z: 9, t: 1, dx: []float32{-25}},
	} {
		m := newFakeModel(c.z, c.t)
		p, _ := onScreen(t, m, 1)
		for _, d := range c.dy {
			scroll(p, 0, d, fyne.NewPos(5, 5))
		}
		for _, d := range c.dx {
			scroll(p, d, 0, fyne.NewPos(5, 5))
		}
		if m.z != c.wantZ || m.t != c.wantT || (m.camera.Scale != 1) != c.zooms {
			t.Errorf("%s: z %d t %d zoom %v", c.name, m.z, m.t, m.camera.Scale)
		}
	}
}

func TestDragMovesThePictureAndTheReadout(t *testing.T) {
	m := newFakeModel(1, 1)
	p, _ := onScreen(t, m, 1.5)
	p.MouseIn(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(100, 100)}})
	before := m.at
	p.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(140, 70)}, Dragged: fyne.NewDelta(40, -30)})
	p.DragEnd()
	if math.Abs(m.at.X-before.X) > 0.5 || math.Abs(m.at.Y-before.Y) > 0.5 {
		t.Errorf("the point under the pointer went from %v to %v while dragging", before, m.at)
	}
	p.MouseOut()
	if !m.left {
		t.Error("leaving the picture was not told")
	}
}

func TestDragThatBeginsOnALineMovesItAndNotThePicture(t *testing.T) {
	m := newFakeModel(1, 1)
	m.handle = 150
	p, _ := onScreen(t, m, 1.5)
	before := m.camera
	p.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(100, 50)}})
	if p.Cursor() != desktop.HResizeCursor {
		t.Error("the pointer does not tell that the line can be dragged")
	}
	for x := float32(110); x <= 180; x += 10 {
		p.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 50)}, Dragged: fyne.NewDelta(10, 0)})
	}
	if math.Abs(m.handle-270) > 1 || m.camera != before {
		t.Errorf("the line is at %v, want 270; the picture moved: %v", m.handle, m.camera != before)
	}
	p.DragEnd()
	p.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(40, 50)}, Dragged: fyne.NewDelta(10, 0)})
	if math.Abs(m.handle-270) > 1 || m.camera == before || p.Cursor() != desktop.CrosshairCursor {
		t.Error("a drag elsewhere did not move the picture alone")
	}
}

// fakeKeys records the keys that arrive.
type fakeKeys struct{ got []string }

func (k *fakeKeys) TypedKey(e *fyne.KeyEvent) { k.got = append(k.got, "key "+string(e.Name)) }
func (k *fakeKeys) TypedRune(r rune)          { k.got = append(k.got, "rune "+string(r)) }
func (k *fakeKeys) KeyDown(e *fyne.KeyEvent)  { k.got = append(k.got, "down "+string(e.Name)) }
func (k *fakeKeys) KeyUp(e *fyne.KeyEvent)    { k.got = append(k.got, "up "+string(e.Name)) }
func (k *fakeKeys) FocusLost()                { k.got = append(k.got, "lost") }

func TestClickPicksAndTakesTheFocus(t *testing.T) {
	test.NewTempApp(t)
	m, keys := newFakeModel(1, 1), &fakeKeys{}
	p := New(m, keys)
	w := test.NewTempWindow(t, p)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(333, 301))
	w.Canvas().Capture()
	test.TapAt(p, fyne.NewPos(20, 30))
	if !near(m.picked.X, 20) || !near(m.picked.Y, 30) || w.Canvas().Focused() != p {
		t.Errorf("picked %v, focus on %T", m.picked, w.Canvas().Focused())
	}
	space := &fyne.KeyEvent{Name: fyne.KeySpace}
	p.KeyDown(space)
	p.TypedKey(space)
	p.TypedRune('n')
	p.KeyUp(space)
	w.Canvas().Unfocus()
	want := []string{"down Space", "key Space", "rune n", "up Space", "lost"}
	if len(keys.got) != len(want) {
		t.Fatalf("got %v, want %v", keys.got, want)
	}
	for i := range want {
		if keys.got[i] != want[i] {
			t.Errorf("got %v, want %v", keys.got, want)
		}
	}
}

func TestFrameAllocatesNothing(t *testing.T) {
	p := New(newFakeModel(1, 1), nil)
	took := time.Duration(0)
	p.OnComposed = func(t time.Duration) { took = t }
	p.draw(640, 480)
	// Goroutines of the compositor cost a little; pixels must not.
	if n := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			p.draw(640, 480)
		}
	}).AllocedBytesPerOp(); n > 16<<10 {
		t.Errorf("%d bytes for each frame", n)
	}
	if took <= 0 {
		t.Error("no time was taken")
	}
}

func TestDragWithCtrlMeasuresAndNeverPans(t *testing.T) {
	m := newFakeModel(1, 1)
	p, _ := onScreen(t, m, 1.5)
	before := m.camera
	p.Modifiers = func() fyne.KeyModifier { return fyne.KeyModifierShortcutDefault }
	p.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(40, 30)}, Dragged: fyne.NewDelta(20, 10)})
	p.Modifiers = func() fyne.KeyModifier { return 0 } // what a drag does is settled when it begins
	p.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(60, 50)}, Dragged: fyne.NewDelta(20, 20)})
	for i, want := range [4]float64{30, 30, 75, 90} {
		if math.Abs(m.ruler[i]-want) > 0.5 || m.camera != before {
			t.Errorf("measured along %v, the %d. number should be %v; the picture moved: %v", m.ruler, i+1, want, m.camera != before)
		}
	}
}
