package app

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// histogram draws how often each value occurs (square root scale, so that rare values show) and the two limits of contrast,
// which can be dragged. Values outside of the limits are dim.
type histogram struct {
	widget.BaseWidget
	changed func(lo, hi float64)

	counts   []int
	min, max float64 // of the data
	lo, hi   float64
	raster   *canvas.Raster
	buffer   *image.RGBA
	dragging int // -1 the low limit, +1 the high one, 0 none
}

var (
	_ fyne.Draggable     = (*histogram)(nil)
	_ desktop.Cursorable = (*histogram)(nil)
)

func newHistogram(changed func(lo, hi float64)) *histogram {
	h := &histogram{changed: changed, buffer: image.NewRGBA(image.Rectangle{})}
	h.raster = canvas.NewRaster(h.draw)
	h.raster.ScaleMode = canvas.ImageScalePixels
	h.ExtendBaseWidget(h)
	return h
}

func (h *histogram) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(h.raster) }
func (h *histogram) MinSize() fyne.Size                  { return fyne.NewSize(80, 64) }
func (h *histogram) Cursor() desktop.Cursor              { return desktop.HResizeCursor }

// SetCounts shows how often each value occurs, from the smallest to the largest of the data.
func (h *histogram) SetCounts(counts []int) {
	h.counts = counts
	h.raster.Refresh()
}

// SetLimits shows the range of the data and the limits of contrast.
func (h *histogram) SetLimits(least, greatest, lo, hi float64) {
	if h.min == least && h.max == greatest && h.lo == lo && h.hi == hi {
		return
	}
	h.min, h.max, h.lo, h.hi = least, greatest, lo, hi
	h.raster.Refresh()
}

// Dragged moves the nearer limit.
func (h *histogram) Dragged(e *fyne.DragEvent) {
	width := h.Size().Width
	if width <= 0 || h.max <= h.min {
		return
	}
	v := h.min + float64(e.Position.X/width)*(h.max-h.min)
	if h.dragging == 0 {
		h.dragging = 1
		if math.Abs(v-h.lo) < math.Abs(v-h.hi) {
			h.dragging = -1
		}
	}
	least := (h.max - h.min) / 1000
	if h.dragging < 0 {
		h.changed(max(h.min, min(v, h.hi-least)), h.hi)
	} else {
		h.changed(h.lo, min(h.max, max(v, h.lo+least)))
	}
}

// DragEnd lets the limit go.
func (h *histogram) DragEnd() { h.dragging = 0 }

func (h *histogram) draw(w, height int) image.Image {
	if h.buffer.Rect.Dx() != w || h.buffer.Rect.Dy() != height {
		h.buffer = image.NewRGBA(image.Rect(0, 0, w, height))
	}
	ground := color.RGBA{0x12, 0x13, 0x15, 0xff}
	fill(h.buffer, h.buffer.Rect, ground)
	peak := 1
	for _, n := range h.counts {
		peak = max(peak, n)
	}
	if len(h.counts) == 0 || w == 0 || h.max <= h.min {
		return h.buffer
	}
	at := func(v float64) int { return int((v - h.min) / (h.max - h.min) * float64(w)) }
	lo, hi := at(h.lo), at(h.hi)
	for x := range w {
		n := h.counts[x*len(h.counts)/w]
		bar := int(math.Sqrt(float64(n)/float64(peak)) * float64(height-2))
		c := color.RGBA{0xb8, 0xbe, 0xc4, 0xff}
		if x < lo || x > hi {
			c = color.RGBA{0x4a, 0x4e, 0x54, 0xff}
		}
		fill(h.buffer, image.Rect(x, height-bar, x+1, height), c)
	}
	for _, x := range []int{min(lo, w-2), min(hi, w-2)} {
		fill(h.buffer, image.Rect(x, 0, x+2, height), color.RGBA{0x6c, 0xa4, 0xdc, 0xff})
	}
	return h.buffer
}

func fill(dst *image.RGBA, r image.Rectangle, c color.RGBA) {
	r = r.Intersect(dst.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			i := dst.PixOffset(x, y)
			dst.Pix[i], dst.Pix[i+1], dst.Pix[i+2], dst.Pix[i+3] = c.R, c.G, c.B, c.A
		}
	}
}
