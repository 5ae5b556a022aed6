package render

import (
	"image"
	"math"
	"strconv"

	"coverslip/viewer"
)

// Plane says which way a pane looks at a stack.
type Plane uint8

const (
	XY Plane = iota
	XZ       // the slices seen along y: rows are slices, columns are x
	YZ       // the slices seen along x: rows are y, columns are slices
)

// Pane is one part of a picture, drawn as a picture of its own.
type Pane struct {
	Rect   image.Rectangle // device pixels of the whole picture
	Scene  *Scene
	View   viewer.View // what is drawn in it; its layout is one pane
	Camera Camera      // device pixels count from the pane's corner
	Plane  Plane
	Title  string
	bar    bool // holds the picture's scale bar
}

const (
	paneGap     = 2  // line pixels between panes
	leastPane   = 48 // line pixels of a pane's side below which a picture is not divided
	handleReach = 6  // line pixels beside the curtain's line that grasp it
)

// Panes divides a picture of w x h device pixels as the view's layout says. All panes show the same image point in their
// middle at the same zoom; a fitted image fits its pane. Where a layout has nothing to divide (one channel, no sections,
// too small a picture) there is one pane.
func Panes(s *Scene, v viewer.View, w, h int) []Pane {
	var panes []Pane
	if min(w, h) >= 2*leastPane*v.LinePixel() {
		switch v.Layout {
		case viewer.Side:
			panes = sidePanes(s, v, w, h)
		case viewer.Curtain:
			panes = curtainPanes(s, v, w, h)
		case viewer.Ortho:
			panes = orthoPanes(s, v, w, h)
		case viewer.Channels:
			panes = channelPanes(s, v, w, h)
		}
	}
	if len(panes) < 2 {
		v.Layout = viewer.One
		panes = []Pane{{Rect: image.Rect(0, 0, w, h), Scene: s, View: v, Camera: CameraOf(v, s.H, s.W, w, h), bar: true}}
	}
	return panes
}

// comparison is the two sides of a comparison: the answer and the truth of one scene, or two whole scenes. Two scenes with
// pixels of their own share their contrast.
func comparison(s *Scene, v viewer.View) (left, right Pane) {
	v.Layout = viewer.One
	if s.Other == nil {
		answer, truth := s.answerSide(), s.truthSide()
		left = Pane{Scene: answer, View: v, Title: orTitle(s.Title, "answer")}
		right = Pane{Scene: truth, View: v, Title: "truth"}
		left.View.Truth.Style, left.View.Focus.Truth = viewer.Hidden, 0
		right.View.Answer.Style, right.View.Focus.Answer = viewer.Hidden, 0
		return left, right
	}
	v = commonTones(v, s, s.Other)
	left = Pane{Scene: s, View: v, Title: orTitle(s.Title, "answer")}
	right = Pane{Scene: s.Other, View: v, Title: orTitle(s.Other.Title, "truth")}
	right.View.Focus.Answer = 0 // an id of the answer means nothing in another one
	return left, right
}

func orTitle(title, instead string) string {
	if title == "" {
		return instead
	}
	return title
}

// answerSide is the scene without what belongs to the truth alone.
func (s *Scene) answerSide() *Scene {
	c := *s
	c.Truth, c.unseen = nil, s.Truth
	c.keepSide(false)
	return &c
}

// truthSide is the scene without what belongs to the answer alone.
func (s *Scene) truthSide() *Scene {
	c := *s
	c.Answer, c.unseen = nil, s.Answer
	c.keepSide(true)
	return &c
}

// commonTones fixes the contrast of channels that are automatic at limits that hold for all the scenes. Channels whose pixels
// are the same everywhere keep their own.
func commonTones(v viewer.View, scenes ...*Scene) viewer.View {
	for i := range scenes[0].Channels {
		t := v.Tone(i)
		if t.Lo < t.Hi || scenes[0].RGB || scenes[0].Channels[i].data == nil {
			continue
		}
		t.Lo, t.Hi = scenes[0].Channels[i].Auto()
		differ := false
		for _, s := range scenes[1:] {
			if i < len(s.Channels) && s.Channels[i].data != nil && s.Channels[i].data != scenes[0].Channels[i].data {
				lo, hi := s.Channels[i].Auto()
				t.Lo, t.Hi, differ = math.Min(t.Lo, lo), math.Max(t.Hi, hi), true
			}
		}
		if differ {
			v = v.WithTone(i, t)
		}
	}
	return v
}

func sidePanes(s *Scene, v viewer.View, w, h int) []Pane {
	left, right := comparison(s, v)
	n := v.LinePixel()
	half := (w/n - paneGap) / 2 * n
	left.Rect, right.Rect = image.Rect(0, 0, half, h), image.Rect(w-half, 0, w, h)
	cam := CameraOf(v, s.H, s.W, half, h)
	left.Camera, right.Camera = cam, cam
	right.bar = true
	return []Pane{left, right}
}

func curtainPanes(s *Scene, v viewer.View, w, h int) []Pane {
	left, right := comparison(s, v)
	x := splitColumn(v, w)
	left.Rect, right.Rect = image.Rect(0, 0, x, h), image.Rect(x, 0, w, h)
	cam := CameraOf(v, s.H, s.W, w, h)
	left.Camera, right.Camera = cam, cam
	right.Camera.OX += float64(x) / cam.Scale
	return []Pane{left, right}
}

// splitColumn is the first device column of the curtain's right side: a whole line pixel, so that it is the same at every density.
func splitColumn(v viewer.View, w int) int {
	n := v.LinePixel()
	return max(1, min(w/n-1, int(math.Round(v.SplitAt()*float64(w/n))))) * n
}

// OnHandle tells whether a device point lies on the curtain's line, which can be dragged.
func OnHandle(s *Scene, v viewer.View, w, h int, x float64) bool {
	if v.Layout != viewer.Curtain || s == nil || len(Panes(s, v, w, h)) < 2 {
		return false
	}
	return math.Abs(x-float64(splitColumn(v, w))) <= handleReach*float64(v.LinePixel())
}

// channelPanes is one pane for each channel in grey and a last one for the composite, in the grid that shows them largest.
func channelPanes(s *Scene, v viewer.View, w, h int) []Pane {
	n, dots := len(s.Channels), v.LinePixel()
	if s.RGB {
		n = min(n, 3)
	}
	if n < 2 {
		return nil
	}
	v.Layout = viewer.One
	columns, rows := grid(n+1, s, w/dots, h/dots)
	pw, ph := (w/dots-(columns-1)*paneGap)/columns, (h/dots-(rows-1)*paneGap)/rows
	if min(pw, ph) < leastPane/2 {
		return nil
	}
	gap := paneGap * dots
	pw, ph = pw*dots, ph*dots
	cam := CameraOf(v, s.H, s.W, pw, ph)
	panes := make([]Pane, n+1)
	for i := range panes {
		y, x := i/columns*(ph+gap), i%columns*(pw+gap)
		p := Pane{Rect: image.Rect(x, y, x+pw, y+ph), Scene: s, View: v, Camera: cam, Title: "composite", bar: i == n}
		p.View.Single = false
		if i < n {
			p.View.Single, p.View.Channel = true, i
			t := v.Tone(i)
			t.LUT = ""
			p.View = p.View.WithTone(i, t)
			p.Title = orTitle(s.Channels[i].Name, "channel "+strconv.Itoa(i+1))
		}
		panes[i] = p
	}
	return panes
}

// grid is the columns and rows for n panes that make the image largest; among equals the one with the least empty places.
func grid(n int, s *Scene, w, h int) (columns, rows int) {
	best := 0.0
	for c := 1; c <= n; c++ {
		r := (n + c - 1) / c
		scale := math.Min(float64(w)/float64(c)/float64(max(s.W, 1)), float64(h)/float64(r)/float64(max(s.H, 1)))
		if scale > best*1.0001 || scale > best*0.9999 && c*r < columns*rows {
			best, columns, rows = scale, c, r
		}
	}
	return columns, rows
}

// Place is what lies under a device point of a picture.
type Place struct {
	Pane  int // index into Panes
	Plane Plane
	Z     int          // slice; it may lie outside the stack
	Point viewer.Point // image point
	Scene *Scene       // whose pixels are seen there
	Local viewer.Point // the point in Scene's own rows and columns
}

// Locate finds what a picture of w x h device pixels shows at the device point (y, x); false between the panes. In a section
// the point's third coordinate is that of the cross-hair.
func Locate(s *Scene, v viewer.View, w, h int, y, x float64) (Place, bool) {
	at := image.Pt(int(math.Floor(x)), int(math.Floor(y)))
	for i, p := range Panes(s, v, w, h) {
		if at.In(p.Rect) {
			return p.place(s, v, i, y, x), true
		}
	}
	return Place{}, false
}

func (p *Pane) place(s *Scene, v viewer.View, i int, y, x float64) Place {
	local := p.Camera.ToImage(y-float64(p.Rect.Min.Y), x-float64(p.Rect.Min.X))
	to := Place{Pane: i, Plane: p.Plane, Z: v.Z, Point: local, Scene: p.Scene, Local: local}
	cross := CrossOf(s, v)
	switch p.Plane {
	case XZ:
		to.Z, to.Point = slice(local.Y), viewer.Point{Y: cross.Y, X: local.X}
	case YZ:
		to.Z, to.Point = slice(local.X), viewer.Point{Y: local.Y, X: cross.X}
	}
	return to
}

func slice(z float64) int { return int(clampFloat(math.Floor(z), -1<<30, 1<<30)) }
