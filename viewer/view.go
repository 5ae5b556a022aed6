// Package viewer holds the View: everything needed to draw a picture, as a small value with a text form. The window,
// the command line and a saved link all speak it, and the same text over the same files gives the same bytes.
//
// Image coordinates: pixel (y, x) covers [y, y+1) x [x, x+1), so its centre is (y+0.5, x+0.5). Places are written Y
// before X; sizes are written as width x height, as everywhere else.
//
// # Text form
//
// A View is written as key=value pairs separated by spaces. What is not written has its default, so the zero View is
// the empty text. Each key comes at most once and in any order; String writes them in the order below.
//
//	image=NAME       image of the task by name; default the first
//	part=NAME        compartment whose labels are shown ("nuclei"), where a task has several; default the first
//	t=N z=N          frame and slice, 0-based
//	size=WxH         of the picture in device pixels, 1 to 16384 each
//	density=N        device pixels per line pixel, 1 to 8; default 1. Lines, shapes, patterns and texts have their sizes in line
//	                 pixels, so N times the size, the zoom and the density give the same picture N times finer
//	zoom=F           device pixels per image pixel, 1/64 to 64 times the density; 0 or "fit", the default, fits the image
//	at=Y,X           image point at the centre of the picture; only together with zoom
//	single=on        one channel in grey instead of the composite
//	channel=N        which one that is, 0-based
//	off=N,N,...      channels left out of the composite
//	toneN=LUT:LO..HI:GAMMA
//	                 how channel N is shown; any of the three parts may be empty and trailing colons may be left out.
//	                 LUT is one of LUTs or a colour #rrggbb; LO..HI are sample values, LO < HI; GAMMA is 0.05 to 20
//	answer=STYLE     label layer of the answer: hidden, outline or fill, then optionally ":" and the opacity of a fill
//	truth=STYLE      the same for the truth
//	errors=on        judged objects in the colours and line styles of the marks
//	pixels=off       layers only, on black
//	bar=on           scale bar
//	tiles=on         borders of the tiles that a mosaic is laid out from
//	mask=on          every foreground pixel in the colour of its verdict: in both, only in the answer, only in the truth
//	colour=BY        what colours points and tracks: verdict (the default), class, frame, value, depth, track or lineage
//	tail=N           frames of the tail that a track draws behind it; none for no tails; default 10
//	arrows=N         line pixels between the arrows of a vector field, 4 to 256; default 24
//	radius=off       no circles of the distance within which points count as matched
//	only=on          of labels, points and tracks the focused object alone
//	focus=aID,tID    the answer's and the truth's object that the user stands at; either may be missing
//	layout=KIND      side (answer and truth side by side), curtain, ortho (XY, XZ and YZ) or channels; default one pane
//	split=F          where the curtain hangs, 0.01 to 0.99 of the width; default 0.5
//	cross=Y,X        image point where the planes of layout=ortho meet; default the middle of the image
//	other=NAME       run that stands in the place of the truth in layouts that compare
//	project=KIND:AXIS:N
//	                 N planes along z or t around the present one as one: max, mean, sum or depth (coloured by depth);
//	                 without N all planes
//	line=Y,X,Y,X     line that is measured along, from one image point to another
//	chart=NAME       what is drawn beside the picture: lineage, plate, curves ...
//
// For example "image=kidney_01 z=3 zoom=2 at=512.5,300 tone0=fire:100..2000:0.8 answer=outline truth=fill:0.3 focus=a17,t9".
//
// In a NAME every byte that is white space, unprintable, not UTF-8, a quote or "%" is written as % and two hex digits.
// Numbers are decimal. A View is canonical when Normal leaves it as it is; then Parse(v.String()) equals v.
package viewer

import (
	"image"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// View says what is shown and how. The zero View is the first image, first plane, fitted, no layers. The methods that
// change something return a changed copy and leave the receiver alone.
type View struct {
	Image string      // which image of the task, by name; "" is the first
	Part  string      // compartment whose labels are shown, by name; "" is the first
	T, Z  int         // 0-based
	Size  image.Point // of the picture in device pixels; zero lets the window or the command decide
	Zoom  float64     // device pixels per image pixel; 0 fits the image into the picture

	Density int // device pixels per line pixel, in which lines, shapes and texts are measured; 0 means 1

	At Point // image point at the centre of the picture; ignored while Zoom is 0

	Single  bool // show only Channel, in grey, instead of the composite
	Channel int
	Tones   []Tone // per channel; missing ones are default

	Answer, Truth LabelLayer // instance outlines or fills in label colours
	Errors        bool       // TP, FP, FN ... in the palette of marks
	HideImage     bool
	Bar           bool // scale bar
	Tiles         bool // borders of a mosaic's tiles
	Focus         Focus

	Mask       bool   // verdict of every foreground pixel
	Colour     Colour // of points and tracks
	Tail       int    // frames of a track's tail; 0 means DefaultTail, NoTail none
	Arrows     int    // line pixels between the arrows of a vector field; 0 means DefaultArrows
	HideRadius bool   // of matching, around points
	Only       bool   // of labels, points and tracks only the object in Focus

	Layout  Layout
	Split   float64 // where the curtain hangs, as a part of the picture's width; 0 means 0.5
	Cross   Point   // where the planes of Ortho meet; the zero Point is the middle of the image
	Other   string  // run that stands in the place of the truth where two are compared; "" is the truth
	Project Projection
	Line    Segment // measured along; the zero Segment is none
	Chart   string  // drawn beside the picture by name; "" is none
}

// Layout says which panes a picture is made of. All panes share one camera and one place in z and t.
type Layout uint8

const (
	One      Layout = iota // one pane with everything
	Side                   // the answer left, the truth right
	Curtain                // the answer left of Split, the truth right of it, at the same place
	Ortho                  // XY with YZ beside it and XZ below it
	Channels               // one pane per channel, each in grey, then the composite
)

// Colour says what the colours of points and tracks mean.
type Colour uint8

const (
	ByVerdict Colour = iota
	ByClass
	ByFrame
	ByValue
	ByDepth
	ByTrack
	ByLineage
)

// Projection shows several planes as one. The zero Projection shows the present plane alone.
type Projection struct {
	Kind ProjectionKind
	Time bool // along T; else along Z
	Span int  // planes around the present one, which is the middle of them; 0 is all
}

// ProjectionKind says what becomes of the samples along the axis.
type ProjectionKind uint8

const (
	NoProjection ProjectionKind = iota
	MaxProjection
	MeanProjection
	SumProjection
	DepthProjection // the maximum, coloured by where along the axis it lies
)

// Point is a place in image coordinates.
type Point struct{ Y, X float64 }

// Segment is the straight line between two places of an image.
type Segment struct{ From, To Point }

// Tone is how one channel is shown.
type Tone struct {
	Off    bool
	LUT    string  // one of LUTs or "#rrggbb"; "" chooses by channel
	Lo, Hi float64 // Lo < Hi: manual; else automatic (0.5 to 99.5 percentile of the plane)
	Gamma  float64 // 0 means 1
}

// LabelStyle is how a label layer is drawn.
type LabelStyle uint8

const (
	Hidden LabelStyle = iota
	Outline
	Fill
)

// LabelLayer is one label image over the picture.
type LabelLayer struct {
	Style   LabelStyle
	Opacity float64 // of a fill, 0 means DefaultOpacity
}

// Focus names the object the user stands at. 0: none.
type Focus struct{ Answer, Truth int64 }

// Bounds of what a View may ask for.
const (
	MinZoom, MaxZoom   = 1.0 / 64, 64.0 // of a picture of density 1; the largest grows with the density
	MinGamma, MaxGamma = 0.05, 20.0
	MaxSide            = 16384   // of a picture: what a texture may have
	MaxArea            = 1 << 26 // of a picture: 256 MiB of RGBA
	MaxDensity         = 8
	MaxChannels        = 256
	MaxIndex           = 1<<31 - 1 // of T and Z
	DefaultOpacity     = 0.4
	DefaultTail        = 10
	NoTail             = -1
	DefaultArrows      = 24
	MinArrows          = 4
	MaxArrows          = 256
	DefaultSplit       = 0.5
	minSplit           = 0.01

	maxCoordinate = 1e8
	minOpacity    = 0.01
)

// LUTs are the names of the colour tables. "inverted" is grey from white to black.
var LUTs = []string{"grey", "inverted", "red", "green", "blue", "cyan", "magenta", "yellow", "fire", "viridis", "magma", "cividis"}

// IsLUT tells whether a colour table has that name, or the name is a colour "#rrggbb" in lower case.
func IsLUT(name string) bool {
	if slices.Contains(LUTs, name) {
		return true
	}
	if len(name) != 7 || name[0] != '#' {
		return false
	}
	for _, c := range name[1:] {
		if !strings.ContainsRune("0123456789abcdef", c) {
			return false
		}
	}
	return true
}

// Equal tells whether both Views say the same, field by field.
func (v View) Equal(w View) bool {
	same := slices.Equal(v.Tones, w.Tones)
	v.Tones, w.Tones = nil, nil
	return same && reflect.DeepEqual(v, w)
}

// Normal is the canonical View that draws the same picture: everything within bounds, numbers rounded to what can be
// seen (a ten-thousandth of a pixel, six digits of zoom, hundredths of opacity and gamma), defaults written as zero.
func (v View) Normal() View {
	v.T, v.Z = clampInt(v.T, 0, MaxIndex), clampInt(v.Z, 0, MaxIndex)
	v.Channel = clampInt(v.Channel, 0, MaxChannels-1)
	v.Size = normalSize(v.Size)
	v.normalDensity()
	v.Zoom = v.normalZoom()
	if v.Zoom == 0 {
		v.At = Point{}
	}
	v.At = v.At.normal()
	v.Tones = normalTones(v.Tones)
	v.Answer, v.Truth = v.Answer.Normal(), v.Truth.Normal()
	v.normalOverlays()
	v.normalLayout()
	return v
}

func (v *View) normalDensity() {
	if v.Density = clampInt(v.Density, 0, MaxDensity); v.Density == 1 {
		v.Density = 0
	}
}

func (v *View) normalOverlays() {
	if v.Colour > ByLineage {
		v.Colour = ByVerdict
	}
	if v.Tail = clampInt(v.Tail, NoTail, MaxIndex); v.Tail == DefaultTail {
		v.Tail = 0
	}
	if v.Arrows != 0 {
		v.Arrows = clampInt(v.Arrows, MinArrows, MaxArrows)
	}
	if v.Arrows == DefaultArrows {
		v.Arrows = 0
	}
}

func (v *View) normalLayout() {
	if v.Layout > Channels {
		v.Layout = One
	}
	if !finite(v.Split) || v.Split <= 0 || v.Layout != Curtain {
		v.Split = 0
	} else if v.Split = roundTo(clamp(v.Split, minSplit, 1-minSplit), 4); v.Split == DefaultSplit {
		v.Split = 0
	}
	v.Cross, v.Line = v.Cross.normal(), Segment{v.Line.From.normal(), v.Line.To.normal()}
	if v.Layout != Ortho {
		v.Cross = Point{}
	}
	if p := &v.Project; p.Kind == NoProjection || p.Kind > DepthProjection {
		*p = Projection{}
	} else {
		p.Span = clampInt(p.Span, 0, MaxIndex)
	}
}

// SplitAt is where the curtain hangs, with its default.
func (v View) SplitAt() float64 {
	if v.Split == 0 {
		return DefaultSplit
	}
	return v.Split
}

// TailFrames is how many frames a track's tail goes back, with its default.
func (v View) TailFrames() int {
	switch v.Tail {
	case 0:
		return DefaultTail
	case NoTail:
		return 0
	}
	return v.Tail
}

// LinePixel is the side of a line pixel in device pixels: the density with its default.
func (v View) LinePixel() int { return clampInt(v.Density, 1, MaxDensity) }

// largestZoom is what enlarges image pixels to as many line pixels at every density.
func (v View) largestZoom() float64 { return MaxZoom * float64(v.LinePixel()) }

// Finer is the same picture with so many times the pixels along each side; ok is false where that is beyond the bounds of a View.
func (v View) Finer(times int) (finer View, ok bool) {
	size, density := v.Size.Mul(times), v.LinePixel()*times
	if times < 1 || density > MaxDensity || max(size.X, size.Y) > MaxSide || size.X*size.Y > MaxArea {
		return v, false
	}
	v.Size, v.Density, v.Zoom = size, density, v.Zoom*float64(times)
	return v.Normal(), true
}

// WithDensity shows the same part of the image with image pixels as many line pixels wide, at another density.
func (v View) WithDensity(n int) View {
	old := v.LinePixel()
	v.Density = n
	v.Zoom *= float64(v.LinePixel()) / float64(old)
	v.normalDensity()
	return v
}

// ArrowStep is the line pixels between arrows, with its default.
func (v View) ArrowStep() int {
	if v.Arrows == 0 {
		return DefaultArrows
	}
	return v.Arrows
}

func normalSize(p image.Point) image.Point {
	if p.X <= 0 || p.Y <= 0 {
		return image.Point{}
	}
	p.X, p.Y = min(p.X, MaxSide), min(p.Y, MaxSide)
	if p.X*p.Y > MaxArea {
		p.Y = MaxArea / p.X
	}
	return p
}

func (v View) normalZoom() float64 {
	if !finite(v.Zoom) || v.Zoom <= 0 {
		return 0
	}
	z, _ := strconv.ParseFloat(strconv.FormatFloat(v.Zoom, 'g', 6, 64), 64)
	return clamp(z, MinZoom, v.largestZoom())
}

func normalCoordinate(c float64) float64 {
	if !finite(c) {
		return 0
	}
	return roundTo(clamp(c, -maxCoordinate, maxCoordinate), 4)
}

func (p Point) normal() Point { return Point{normalCoordinate(p.Y), normalCoordinate(p.X)} }

func normalTones(tones []Tone) []Tone {
	n := min(len(tones), MaxChannels)
	for n > 0 && tones[n-1].Normal() == (Tone{}) {
		n--
	}
	if n == 0 {
		return nil
	}
	out := make([]Tone, n)
	for i := range out {
		out[i] = tones[i].Normal()
	}
	return out
}

// Normal is the canonical Tone that draws the same.
func (t Tone) Normal() Tone {
	if !IsLUT(t.LUT) {
		t.LUT = ""
	}
	if !finite(t.Lo) || !finite(t.Hi) || t.Lo >= t.Hi {
		t.Lo, t.Hi = 0, 0
	}
	t.Lo, t.Hi = t.Lo+0, t.Hi+0 // no negative zero
	if !finite(t.Gamma) || t.Gamma <= 0 {
		t.Gamma = 0
	} else if t.Gamma = roundTo(clamp(t.Gamma, MinGamma, MaxGamma), 2); t.Gamma == 1 {
		t.Gamma = 0
	}
	return t
}

// Normal is the canonical LabelLayer that draws the same.
func (l LabelLayer) Normal() LabelLayer {
	if l.Style > Fill {
		l.Style = Hidden
	}
	if !finite(l.Opacity) || l.Opacity <= 0 {
		l.Opacity = 0
	} else if l.Opacity = roundTo(clamp(l.Opacity, minOpacity, 1), 2); l.Opacity == DefaultOpacity {
		l.Opacity = 0
	}
	return l
}

// roundTo rounds to so many decimals by way of the decimal text, which is the same on every machine and stays put when
// done again.
func roundTo(x float64, decimals int) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', decimals, 64), 64)
	return r + 0
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func clamp(x, lo, hi float64) float64 { return math.Max(lo, math.Min(hi, x)) }

func clampInt(x, lo, hi int) int { return max(lo, min(hi, x)) }
