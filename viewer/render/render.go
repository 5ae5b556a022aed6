// Package render composes a View and its planes into an RGBA picture. It knows no window and no score.
//
// # How a picture is made
//
// Every device pixel (py, px) shows the image pixel under its centre, floor((p+0.5)/scale + o) along each axis (see
// Camera). From the ground up:
//
//  1. Channels, through contrast, gamma and colour table, added up. Enlarged, every image pixel is a sharp block. Reduced, the
//     samples are averaged before contrast (halvings made once per plane, then bilinear), so that thin structures stay.
//  2. Label fills, truth below answer.
//  3. Outlines. They are found in device space: a device pixel belongs to an object's outline by its distance to the nearest
//     device pixel of another label. So outlines are closed at any zoom and their width does not depend on it. They lie
//     inside the object; touching objects keep two lines. The answer is solid in strong colours; the truth is dashed
//     in pale ones with dark gaps. Styled objects in the errors layer have the colour and line of their style instead.
//  4. The focused objects: the answer's in solid white just inside its border, the truth's in dashed cyan just outside
//     its border, so both show even where the borders agree; corner brackets where the object is tiny.
//  5. Scale bar and badge.
//
// The same Scene, View and size give the same bytes on every machine and for any number of goroutines: pixels are
// integer arithmetic on tables, and products are rounded explicitly before sums so that no fused operation changes bits.
package render

import (
	"image"

	"coverslip/datasets/raster"
	"coverslip/viewer"
)

// Scene is the pixels of one View: everything is already read and prepared, so that Compose only draws.
// Channels whose plane is not H x W are left out; a label plane of another size is laid with its first pixel on the
// image's first pixel.
type Scene struct {
	H, W        int // image size in pixels
	Channels    []Channel
	RGB         bool // channels 0..2 are shown as red, green, blue without contrast stretch unless a Tone says so
	Calibration raster.Calibration
	Answer      *Labels // nil: none
	Truth       *Labels // nil: none
	Badge       string  // text drawn in a corner, "" for none
	Tiles       []Tile  // of a mosaic, for a View that shows their borders
}

// Compose draws the view into dst, whose bounds give the size in device pixels. dst must be tight (Stride == 4*width).
// Rows are split over goroutines; the result does not depend on how many. It may be called from several goroutines at
// once, each with its own dst, and allocates nothing once it is warm.
func Compose(dst *image.RGBA, s *Scene, v viewer.View) { compose(dst, s, v, goroutines()) }

func compose(dst *image.RGBA, s *Scene, v viewer.View, workers int) {
	w, h := dst.Rect.Dx(), dst.Rect.Dy()
	if w <= 0 || h <= 0 || len(dst.Pix) < 4*w*h {
		return
	}
	f := takeFrame()
	defer f.release()
	f.setup(dst.Pix[:4*w*h], s, v, w, h)
	f.run(workers)
	f.drawBrackets()
	if v.Tiles {
		f.drawTiles(s.Tiles)
	}
	if v.Bar {
		f.drawBar(s.Calibration.X)
	}
	if s.Badge != "" {
		f.drawText(s.Badge, textMargin, textMargin)
	}
}
