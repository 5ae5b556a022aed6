package canvas

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

const (
	notch      = 25.0 // dp that one wheel notch scrolls
	zoomFactor = 1.2  // per notch
)

// wheel gathers the small steps of touch pads until they make a whole notch.
type wheel struct{ z, t float64 }

func whole(gathered *float64, by float64) int {
	*gathered += by / notch
	n := math.Trunc(*gathered)
	*gathered -= n
	return int(n)
}

// Scrolled steps through slices (down is forward), or through time with Shift; with Ctrl, or where there are no slices, it
// zooms about the pointer.
func (p *Picture) Scrolled(e *fyne.ScrollEvent) {
	dx, dy := float64(e.Scrolled.DX), float64(e.Scrolled.DY)
	shape := p.model.Shape()
	zoom := p.modifiers()&fyne.KeyModifierShortcutDefault != 0
	switch {
	case zoom && dy == 0: // some systems turn the wheel sideways while a modifier is down
		p.zoom(dx, e.Position)
	case zoom:
		p.zoom(dy, e.Position)
	case dx != 0 && math.Abs(dx) > math.Abs(dy):
		if n := whole(&p.wheel.t, -dx); n != 0 && shape.T > 1 {
			p.model.StepT(n)
		}
	case shape.Z > 1:
		if n := whole(&p.wheel.z, -dy); n != 0 {
			p.model.StepZ(n)
		}
	default:
		p.zoom(dy, e.Position)
	}
}

func (p *Picture) zoom(scrolled float64, at fyne.Position) {
	if scrolled == 0 {
		return
	}
	y, x := p.device(at)
	p.model.ZoomBy(math.Pow(zoomFactor, scrolled/notch), y, x)
}

// modifiers come from the driver, since scroll events carry none.
func (p *Picture) modifiers() fyne.KeyModifier {
	if p.Modifiers != nil {
		return p.Modifiers()
	}
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		return d.CurrentKeyModifiers()
	}
	return 0
}

// drag is a drag under way, in device pixels.
type drag struct {
	on     bool
	handle bool    // it moves a line of the picture, not the picture
	ruler  bool    // it draws the line that is measured along
	y, x   float64 // where it began
}

// Dragged moves the picture with the pointer, or a line of it that the drag began on; with Ctrl it measures. The read-out follows, since no
// MouseMoved comes during a drag.
func (p *Picture) Dragged(e *fyne.DragEvent) {
	kx, ky := p.pixelsPerDP()
	dy, dx := float64(e.Dragged.DY)*ky, float64(e.Dragged.DX)*kx
	y, x := p.device(e.Position)
	if !p.drag.on {
		p.drag = drag{on: true, y: y - dy, x: x - dx}
		p.drag.ruler = p.modifiers()&fyne.KeyModifierShortcutDefault != 0
		p.drag.handle = !p.drag.ruler && p.model.OnHandle(p.drag.y, p.drag.x)
	}
	switch {
	case p.drag.ruler:
		p.model.Measure(p.drag.y, p.drag.x, y, x)
	case p.drag.handle:
		p.model.MoveHandle(y, x)
	default:
		p.model.PanFrom(p.drag.y, p.drag.x, dy, dx)
	}
	p.hover(e.Position)
}

// DragEnd ends the drag.
func (p *Picture) DragEnd() { p.drag = drag{} }

// Tapped picks the object under the pointer and takes the focus, so that plain keys arrive here.
func (p *Picture) Tapped(e *fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(p); c != nil {
		c.Focus(p)
	}
	y, x := p.device(e.Position)
	p.model.PickAt(y, x)
}

// MouseIn starts the read-out.
func (p *Picture) MouseIn(e *desktop.MouseEvent) { p.hover(e.Position) }

// MouseMoved moves the read-out.
func (p *Picture) MouseMoved(e *desktop.MouseEvent) { p.hover(e.Position) }

// MouseOut ends the read-out.
func (p *Picture) MouseOut() { p.model.HoverOff() }

func (p *Picture) hover(at fyne.Position) {
	y, x := p.device(at)
	p.grasp = p.drag.handle || !p.drag.on && p.model.OnHandle(y, x)
	p.model.Hover(y, x)
}

// Cursor is a cross: the place under it is what the read-out names. Over a line that can be dragged it shows which way.
func (p *Picture) Cursor() desktop.Cursor {
	if p.grasp {
		return desktop.HResizeCursor
	}
	return desktop.CrosshairCursor
}

// FocusGained is for the toolkit.
func (p *Picture) FocusGained() {}

// FocusLost lets go of held keys, whose release will not arrive here.
func (p *Picture) FocusLost() {
	if p.keys != nil {
		p.keys.FocusLost()
	}
}

// TypedKey passes a key on.
func (p *Picture) TypedKey(e *fyne.KeyEvent) {
	if p.keys != nil {
		p.keys.TypedKey(e)
	}
}

// TypedRune passes a character on.
func (p *Picture) TypedRune(r rune) {
	if p.keys != nil {
		p.keys.TypedRune(r)
	}
}

// KeyDown passes the press of a key on.
func (p *Picture) KeyDown(e *fyne.KeyEvent) {
	if p.keys != nil {
		p.keys.KeyDown(e)
	}
}

// KeyUp passes the release of a key on.
func (p *Picture) KeyUp(e *fyne.KeyEvent) {
	if p.keys != nil {
		p.keys.KeyUp(e)
	}
}
