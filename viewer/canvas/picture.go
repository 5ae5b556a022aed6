// Package canvas is the widget that shows a picture: it asks for the current View and Scene, composes exactly the device
// pixels it covers, and turns wheel, drag, click and pointer moves into calls on its Model.
//
// Three coordinate systems meet here and nowhere else: positions of events come in device-independent pixels (dp) of the
// widget; everything handed to the Model is in device pixels of the picture, y before x; image coordinates are the
// Model's affair (render.Camera).
package canvas

import (
	"image"
	"math"
	"time"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"coverslip/datasets/raster"
	"coverslip/viewer"
	"coverslip/viewer/render"
)

// Model is what the picture shows and whom it tells of the mouse. Places are device pixels of the picture.
type Model interface {
	Shown() viewer.View               // what to draw now
	Scene() *render.Scene             // nil: nothing to draw
	Shape() raster.Shape              // of the image, to know whether the wheel has slices to step through
	SetPictureSize(w, h, density int) // density is device pixels per line pixel, in which lines and texts are measured

	StepZ(n int)
	StepT(n int)
	ZoomBy(factor, y, x float64)
	PanFrom(y, x, dy, dx float64)   // the picture moves by so much in a drag that began at (y, x)
	OnHandle(y, x float64) bool     // the place is on a line of the picture that can be dragged
	MoveHandle(y, x float64)        // it goes there
	Measure(y0, x0, y1, x1 float64) // along the line from one place to another
	Hover(y, x float64)
	HoverOff()
	PickAt(y, x float64)
}

// Keys gets the keys that arrive while the picture has the focus.
type Keys interface {
	TypedKey(*fyne.KeyEvent)
	TypedRune(rune)
	KeyDown(*fyne.KeyEvent)
	KeyUp(*fyne.KeyEvent)
	FocusLost()
}

// Picture is the zoom and pan widget. All its methods run on the UI goroutine.
type Picture struct {
	widget.BaseWidget

	// Modifiers tells which modifier keys are down; nil asks the driver.
	Modifiers func() fyne.KeyModifier
	// OnComposed is called after each frame that showed a scene, with the time that our own drawing took, without upload and
	// presentation.
	OnComposed func(took time.Duration)

	model   Model
	keys    Keys
	raster  *fynecanvas.Raster
	buffer  *image.RGBA // reused; its bounds are the picture in device pixels
	density int         // that the model was told
	drawing bool
	wheel   wheel
	drag    drag
	grasp   bool // the pointer is over a line that can be dragged
}

var (
	_ fyne.Widget        = (*Picture)(nil)
	_ fyne.Scrollable    = (*Picture)(nil)
	_ fyne.Draggable     = (*Picture)(nil)
	_ fyne.Tappable      = (*Picture)(nil)
	_ fyne.Focusable     = (*Picture)(nil)
	_ desktop.Hoverable  = (*Picture)(nil)
	_ desktop.Keyable    = (*Picture)(nil)
	_ desktop.Cursorable = (*Picture)(nil)
)

// New makes a picture of a model. Keys may be nil.
func New(model Model, keys Keys) *Picture {
	p := &Picture{model: model, keys: keys, buffer: image.NewRGBA(image.Rectangle{})}
	p.raster = fynecanvas.NewRaster(p.draw)
	p.raster.ScaleMode = fynecanvas.ImageScalePixels
	p.ExtendBaseWidget(p)
	return p
}

// CreateRenderer is for the toolkit.
func (p *Picture) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(p.raster)
}

// MinSize is small and fixed, so that the picture takes what the panels leave.
func (p *Picture) MinSize() fyne.Size { return fyne.NewSize(120, 90) }

// Refresh asks for a new frame. Many calls between two frames cost one. A call from within drawing is ignored: the frame
// being drawn shows the newest state already.
func (p *Picture) Refresh() {
	if !p.drawing {
		p.raster.Refresh()
	}
}

// DeviceSize is the size of the last frame in device pixels; zero before the first.
func (p *Picture) DeviceSize() (w, h int) {
	return p.buffer.Rect.Dx(), p.buffer.Rect.Dy()
}

// draw is the frame callback: w x h device pixels, reused until the size changes. The toolkit uploads or copies the pixels
// before it asks for the next frame.
func (p *Picture) draw(w, h int) image.Image {
	p.drawing = true
	defer func() { p.drawing = false }()
	p.fit(w, h)
	scene := p.model.Scene()
	if scene == nil || w == 0 || h == 0 {
		clear(p.buffer.Pix)
		return p.buffer
	}
	start := time.Now()
	render.Compose(p.buffer, scene, p.model.Shown())
	if p.OnComposed != nil {
		p.OnComposed(time.Since(start))
	}
	return p.buffer
}

// fit makes the buffer w x h device pixels and tells the model when these have changed, or their number in a dp: on a screen of
// small pixels lines are drawn as many pixels wide as come closest to the width that they have elsewhere.
func (p *Picture) fit(w, h int) {
	changed := w != p.buffer.Rect.Dx() || h != p.buffer.Rect.Dy()
	if changed {
		p.buffer = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	_, ky := p.pixelsPerDP()
	density := max(1, min(int(math.Round(ky)), viewer.MaxDensity))
	if changed || density != p.density {
		p.density = density
		p.model.SetPictureSize(w, h, density)
	}
}

// device turns a place of the widget (dp) into device pixels of the picture.
func (p *Picture) device(pos fyne.Position) (y, x float64) {
	kx, ky := p.pixelsPerDP()
	return float64(pos.Y) * ky, float64(pos.X) * kx
}

// pixelsPerDP comes from the frame itself, since the scale of a canvas and of its textures may differ.
func (p *Picture) pixelsPerDP() (kx, ky float64) {
	size := p.raster.Size()
	w, h := p.DeviceSize()
	if w == 0 || h == 0 || size.Width <= 0 || size.Height <= 0 {
		return 1, 1
	}
	return float64(w) / float64(size.Width), float64(h) / float64(size.Height)
}
