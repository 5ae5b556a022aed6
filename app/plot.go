package app

import (
	"image"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"coverslip/viewer/chart"
)

// plot is the widget that shows a chart: it draws exactly the device pixels it covers, tells what lies under the pointer, and
// turns clicks into data.
type plot struct {
	widget.BaseWidget
	chart  chart.Chart // nil: nothing
	cursor *float64
	picked func(chart.Hit)
	moved  func(y, x float64) // the cursor was dragged or a place without a datum clicked; in units of the axes
	tell   func(text string)  // what lies under the pointer, "" for nothing

	raster *canvas.Raster
	buffer *image.RGBA
	scale  float64 // device pixels per dp of the last frame
	least  float32 // height in dp
	wheel  func(plot *plot, e *fyne.ScrollEvent)
	drag   func(plot *plot, e *fyne.DragEvent)
	took   time.Duration // to draw the last frame
}

var (
	_ fyne.Tappable      = (*plot)(nil)
	_ fyne.Draggable     = (*plot)(nil)
	_ fyne.Scrollable    = (*plot)(nil)
	_ desktop.Hoverable  = (*plot)(nil)
	_ desktop.Cursorable = (*plot)(nil)
)

func newPlot(least float32) *plot {
	p := &plot{buffer: image.NewRGBA(image.Rectangle{}), least: least, scale: 1}
	p.raster = canvas.NewRaster(p.draw)
	p.raster.ScaleMode = canvas.ImageScalePixels
	p.ExtendBaseWidget(p)
	return p
}

// CreateRenderer is for the toolkit.
func (p *plot) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(p.raster) }

// MinSize is narrow, so that a panel decides the width.
func (p *plot) MinSize() fyne.Size { return fyne.NewSize(120, p.least) }

// Present shows a chart; cursor is a place on its x axis, nil for none.
func (p *plot) Present(c chart.Chart, cursor *float64) {
	p.chart, p.cursor = c, cursor
	p.raster.Refresh()
}

func (p *plot) draw(w, h int) image.Image {
	if w != p.buffer.Rect.Dx() || h != p.buffer.Rect.Dy() {
		p.buffer = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	if size := p.Size(); size.Width > 0 {
		p.scale = float64(w) / float64(size.Width)
	}
	start := time.Now()
	if p.chart == nil {
		clear(p.buffer.Pix)
	} else {
		p.chart.Draw(p.buffer, p.options())
	}
	p.took = time.Since(start)
	return p.buffer
}

func (p *plot) options() chart.Options { return chart.Options{Scale: p.scale, Cursor: p.cursor} }

// at is what lies at a place of the widget.
func (p *plot) at(pos fyne.Position) (chart.Hit, bool) {
	if p.chart == nil {
		return chart.Hit{}, false
	}
	return p.chart.At(p.buffer.Rect.Dx(), p.buffer.Rect.Dy(), p.options(), float64(pos.Y)*p.scale, float64(pos.X)*p.scale)
}

// place is a place of the widget in the units of the axes; false where the chart has none.
func (p *plot) place(pos fyne.Position) (y, x float64, ok bool) {
	c, ok := p.chart.(chart.Placer)
	if !ok {
		return 0, 0, false
	}
	return c.Place(p.buffer.Rect.Dx(), p.buffer.Rect.Dy(), p.options(), float64(pos.Y)*p.scale, float64(pos.X)*p.scale)
}

// Tapped goes to the datum that was clicked, else to the time.
func (p *plot) Tapped(e *fyne.PointEvent) {
	if h, ok := p.at(e.Position); ok && p.picked != nil {
		p.picked(h)
		return
	}
	if y, x, ok := p.place(e.Position); ok && p.moved != nil {
		p.moved(y, x)
	}
}

// Dragged moves the cursor, or what else the owner drags.
func (p *plot) Dragged(e *fyne.DragEvent) {
	if p.drag != nil {
		p.drag(p, e)
		return
	}
	if y, x, ok := p.place(e.Position); ok && p.moved != nil {
		p.moved(y, x)
	}
}

// DragEnd is for the toolkit.
func (p *plot) DragEnd() {}

// Scrolled zooms, where the owner lets it.
func (p *plot) Scrolled(e *fyne.ScrollEvent) {
	if p.wheel != nil {
		p.wheel(p, e)
	}
}

// MouseMoved says what lies under the pointer.
func (p *plot) MouseMoved(e *desktop.MouseEvent) {
	if p.tell == nil {
		return
	}
	text := ""
	if h, ok := p.at(e.Position); ok {
		text = h.Text
	}
	p.tell(text)
}

// MouseIn and MouseOut are for the toolkit.
func (p *plot) MouseIn(e *desktop.MouseEvent) { p.MouseMoved(e) }

// MouseOut says nothing any more.
func (p *plot) MouseOut() {
	if p.tell != nil {
		p.tell("")
	}
}

// Cursor is a hand, since data lead to places.
func (p *plot) Cursor() desktop.Cursor { return desktop.PointerCursor }
