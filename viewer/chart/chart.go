// Package chart draws data: curves, bars, histograms, groups, matrices, plates and lineages. It knows no window and no score.
//
// # One description, three readers
//
// A chart is a plain value that says what there is, not how it looks. Its paint method lays it out once, in dp (a dp is one pixel at
// Scale 1), on a pen, and the pen has three kinds of paper: an RGBA picture at any device scale, an SVG drawing, and none at all,
// when only the datum under the pointer is looked for. So what At finds is what Draw drew, and the printed drawing is the one on screen.
//
// The same chart, options and size give the same bytes, from any goroutine and into any part of a picture. Text is set from font
// outlines by their unhinted widths, so that its layout is the same at every scale and in print.
//
// # Reading without colours
//
// Colours are Okabe and Ito's. No series is told from another by hue alone: every series has its own marker and its own dashes, the truth
// is dashed where the answer is solid, and verdicts have their line styles of the errors layer.
//
// # Odd data
//
// NaN in y is a gap and infinities are left out. A chart without a datum says in words why it is empty. Values that a log axis cannot show
// are counted in a note under the plot.
package chart

import (
	"image"
	"io"
	"math"
)

// Chart is a picture of data.
type Chart interface {
	// Draw fills the whole of dst.
	Draw(dst *image.RGBA, o Options)
	// At tells which datum lies under device pixel (y, x) of a picture of w x h device pixels drawn with the same options, or
	// nearest to it within some dp.
	At(w, h int, o Options, y, x float64) (Hit, bool)
	// SVG writes the chart for print: dark on white, width x height dp, fit for an HTML page or a vector program.
	SVG(w io.Writer, width, height int) error
}

// Options say how a chart is drawn.
type Options struct {
	Scale    float64  // device pixels per dp; 0 is 1
	Light    bool     // dark on white, for print; else light on dark, for the screen
	Cursor   *float64 // a place on the x axis (on the time axis of a lineage) that is marked by a line, such as the present frame
	Selected []Ref    // data that are pointed out
}

// Ref names a datum: which series (group, set, forest) and which of its data, both from 0. The bands of an XY chart count on from its
// series. Heat maps and plates have one series; the index of a cell is row*columns + column, that of a well is its place in Wells.
type Ref struct{ Series, Index int }

// Hit is a datum that was found.
type Hit struct {
	Ref  Ref
	Y, X float64 // where it is, in the units of the axes; NaN where an axis has none. For a lineage X is the frame.
	Text string  // what it is, in plain words
}

// A painter is what a chart must be to be drawn.
type painter interface {
	paint(p *pen)
	// words describes a datum; x is the place on the x axis that was hit, for data that extend along it.
	words(r Ref, x float64) Hit
}

// Placer is a chart with continuous axes. Place turns a device pixel into their units, for dragging a cursor or a limit;
// ok is false outside of the plot.
type Placer interface {
	Place(w, h int, o Options, y, x float64) (atY, atX float64, ok bool)
}

func (o Options) scale() float64 {
	if !(o.Scale > 0) || o.Scale > 64 {
		return 1
	}
	return o.Scale
}

func draw(c painter, dst *image.RGBA, o Options) {
	if dst.Rect.Empty() {
		return
	}
	k := o.scale()
	r := newRaster(dst, k)
	p := newPen(r, o, float64(dst.Rect.Dx())/k, float64(dst.Rect.Dy())/k)
	p.whole(c)
}

func at(c painter, w, h int, o Options, y, x float64) (Hit, bool) {
	s, ok := look(c, w, h, o, y, x)
	if !ok || !s.found {
		return Hit{}, false
	}
	return c.words(s.ref, s.place), true
}

func place(c painter, w, h int, o Options, y, x float64) (atY, atX float64, ok bool) {
	s, ok := look(c, w, h, o, y, x)
	if !ok || !s.inside {
		return math.NaN(), math.NaN(), false
	}
	return s.atY, s.atX, true
}

// look paints on no paper, to learn what is at (y, x).
func look(c painter, w, h int, o Options, y, x float64) (*seeker, bool) {
	if w <= 0 || h <= 0 || math.IsNaN(y+x) || y < 0 || x < 0 || y >= float64(h) || x >= float64(w) {
		return nil, false
	}
	k := o.scale()
	s := &seeker{x: x / k, y: y / k, best: reach}
	p := newPen(nowhere{}, o, float64(w)/k, float64(h)/k)
	p.seek = s
	p.whole(c)
	return s, true
}

func svg(c painter, w io.Writer, width, height int) error {
	v := newVector(max(width, 1), max(height, 1))
	p := newPen(v, Options{Light: true}, float64(max(width, 1)), float64(max(height, 1)))
	p.whole(c)
	return v.writeTo(w)
}
