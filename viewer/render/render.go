// Package render composes a View and its planes into an RGBA picture. It knows no window and no score.
//
// # How a picture is made
//
// Every device pixel (py, px) shows the image pixel under its centre, floor((p+0.5)/scale + o) along each axis (see
// Camera). From the ground up:
//
//  1. Channels, through contrast, gamma and colour table, added up. Enlarged, every image pixel is a sharp block. Reduced, the
//     samples are averaged before contrast (halvings made once per plane, then bilinear), so that thin structures stay.
//     A plane too large to be held is an overview, one sample for each block of pixels, with a patch of finer samples
//     over it where the picture shows more than the overview has (see Patch and LabelPatch). Limits are the overview's, so
//     no border shows; where a patch has all that is asked for, the bytes are those of the plane held whole.
//  2. The mask: verdicts of pixels. Then label fills, truth below answer.
//  3. Outlines. They are found in device space: a device pixel belongs to an object's outline by its distance to the nearest
//     device pixel of another label. So outlines are closed at any zoom and their width does not depend on it. They lie
//     inside the object; touching objects keep two lines. The answer is solid in strong colours; the truth is dashed
//     in pale ones with dark gaps. Styled objects in the errors layer have the colour and line of their style instead.
//  4. The focused objects: the answer's in solid white just inside its border, the truth's in dashed cyan just outside
//     its border, so both show even where the borders agree; corner brackets where the object is tiny.
//  5. Arrows, then tracks, then points, each with the truth's below the answer's. They lie at 256ths of a line pixel and
//     have smooth edges. Shapes and line styles say what colours say. Where points are too
//     many for shapes they become dots.
//  6. Borders of tiles, scale bar and badge.
//
// Widths, sizes, patterns and texts are measured in line pixels, which are View.Density device pixels wide: a picture with N times the
// size, zoom and density is the same picture N times finer. At density 1, as on most screens, borders are found many pixels at a time
// (see sight); else by distances along columns and rows (see sounding), from the same definitions of lines.
//
// A View whose layout has several panes is drawn pane by pane, each as a picture of its own (see Panes), then what belongs to the
// whole: the curtain's line, the cross-hair of the sections, titles.
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
	T, Z, Depth int     // frame and slice that the planes are of, and slices of the stack, which is flat at 0 and 1; for overlays
	Points      []*Points
	Tracks      []*Tracks
	Arrows      []*Arrows
	unseen      *Labels // the other side, which has verdicts of pixels without being drawn
	Title       string  // what a comparison calls this scene, "" for "answer" or "truth"
	XZ, YZ      *Scene  // sections for the ortho layout: slices along y, and along x; nil: none
	Other       *Scene  // stands in the place of the truth in a comparison, nil: the truth itself
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
	if v.Layout != viewer.One {
		if panes := Panes(s, v, w, h); len(panes) > 1 {
			composePanes(dst, panes, s, v, workers)
			return
		}
	}
	f := takeFrame()
	defer f.release()
	f.compose(dst.Pix[:4*w*h], s, v, CameraOf(v, s.H, s.W, w, h), w, h, workers)
	if s.Badge != "" {
		f.drawText(s.Badge, textMargin*f.density, textMargin*f.density)
	}
}

// compose draws a scene through a camera into w x h pixels that lie close together: all but texts.
func (f *frame) compose(pix []uint8, s *Scene, v viewer.View, cam Camera, w, h, workers int) {
	f.setup(pix, s, v, cam, w, h)
	f.run(workers)
	f.drawBrackets()
	if v.Tiles {
		f.drawTiles(s.Tiles)
	}
	f.drawRuler(v.Line)
	if v.Bar {
		f.drawBar(s.Calibration.X)
	}
}
