package session

import (
	"image"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"coverslip/datasets/fault"
	"coverslip/scoring"
	"coverslip/viewer"
	"coverslip/viewer/render"
)

// Layout is how the picture is divided.
func (s *Session) Layout() viewer.Layout { return s.view.Layout }

// SetLayout divides the picture. A comparison needs something on both sides, so it shows labels that were hidden; they are
// hidden again when it ends.
func (s *Session) SetLayout(l viewer.Layout) {
	if l == s.view.Layout {
		return
	}
	s.change(func(v *viewer.View) {
		was := compares(v.Layout)
		v.Layout = l
		switch {
		case compares(l) && !was:
			s.lend(v)
		case was && !compares(l):
			s.takeBack(v)
		}
		if l == viewer.Ortho && v.Cross == (viewer.Point{}) && v.Focus != (viewer.Focus{}) && v.Zoom != 0 {
			v.Cross = pixelCentre(v.At) // the object that the user stands at
		}
		*v = v.Normal()
	})
}

func compares(l viewer.Layout) bool { return l == viewer.Side || l == viewer.Curtain }

// lend shows what a comparison needs and remembers what it was.
func (s *Session) lend(v *viewer.View) {
	s.lent.answer, s.lent.truth = v.Answer, v.Truth
	if v.Answer.Style == viewer.Hidden && !v.Errors {
		v.Answer.Style = viewer.Outline
	}
	if v.Truth.Style == viewer.Hidden {
		v.Truth.Style = viewer.Outline
		if v.Answer.Style == viewer.Fill {
			v.Truth.Style = viewer.Fill
		}
	}
	s.lent.toAnswer, s.lent.toTruth = v.Answer, v.Truth
}

// takeBack hides what was lent, unless the user has changed it since.
func (s *Session) takeBack(v *viewer.View) {
	if v.Answer == s.lent.toAnswer {
		v.Answer = s.lent.answer
	}
	if v.Truth == s.lent.toTruth {
		v.Truth = s.lent.truth
	}
	s.lent = lent{}
}

// lent is how labels were shown before a comparison, and how it showed them at first.
type lent struct{ answer, truth, toAnswer, toTruth viewer.LabelLayer }

// HasLayout tells whether a layout has something to divide in the image on screen.
func (s *Session) HasLayout(l viewer.Layout) bool {
	o := s.picked.opened
	switch {
	case l == viewer.One:
		return true
	case o == nil || s.picked.scene == nil:
		return false
	case l == viewer.Ortho:
		return s.picked.shape.Z > 1
	case l == viewer.Channels:
		return o.Input != nil && o.Input.channelCount() > 1
	}
	return o.Answer != nil || o.Truth != nil || len(s.exhibits.points)+len(s.exhibits.tracks)+len(s.exhibits.arrows) > 0
}

// CycleLayout goes to the next layout that the image on screen has something for, or back with by = -1.
func (s *Session) CycleLayout(by int) {
	const n = int(viewer.Channels) + 1
	for at := int(s.view.Layout); ; {
		at = ((at+by)%n + n) % n
		if l := viewer.Layout(at); s.HasLayout(l) {
			s.SetLayout(l)
			return
		}
	}
}

// SetSplit hangs the curtain at a part of the picture's width, always a little within the picture.
func (s *Session) SetSplit(part float64) {
	s.change(func(v *viewer.View) {
		v.Split = math.Max(0.01, math.Min(part, 0.99))
		*v = v.Normal()
	})
}

// MoveCross moves the cross-hair of the ortho layout to an image point and a slice.
func (s *Session) MoveCross(y, x float64, z int) {
	shape := s.picked.shape
	y, x = math.Max(0, math.Min(y, float64(shape.Y-1))), math.Max(0, math.Min(x, float64(shape.X-1)))
	s.picked.middle = false
	s.change(func(v *viewer.View) {
		crossAt(v, viewer.Point{Y: y, X: x})
		v.Z = max(0, min(z, shape.Z-1))
	})
}

// crossAt puts the cross-hair at an image point, if the layout has one.
func crossAt(v *viewer.View, p viewer.Point) {
	if v.Layout == viewer.Ortho {
		v.Cross = pixelCentre(p)
	}
}

func pixelCentre(p viewer.Point) viewer.Point {
	return viewer.Point{Y: math.Floor(p.Y) + 0.5, X: math.Floor(p.X) + 0.5}
}

// SetProjection shows several planes as one, or with the zero Projection the present plane alone. The contrast is fitted anew where
// the kind changes, since a sum has other numbers than a plane.
func (s *Session) SetProjection(p viewer.Projection) {
	if p == s.view.Project {
		return
	}
	if p.Kind != viewer.NoProjection {
		s.projected = p
	}
	s.change(func(v *viewer.View) {
		v.Project = p
		*v = v.Normal()
	})
}

// ToggleProjection turns a projection off, or the last one on again: at first the maximum of all slices, or of all times where there
// is one slice.
func (s *Session) ToggleProjection() {
	p := s.projected
	switch {
	case s.view.Project.Kind != viewer.NoProjection:
		p = viewer.Projection{}
	case p.Kind == viewer.NoProjection:
		p.Kind = viewer.MaxProjection
		fallthrough
	default:
		p.Time = p.Time && s.picked.shape.T > 1 || s.picked.shape.Z < 2
	}
	s.SetProjection(p)
}

// SetOther compares with another run of the task in the place of the truth, by its name or that of its folder; "" goes back to the truth.
func (s *Session) SetOther(name string) error {
	if s.other(name) == nil && name != "" {
		return s.noRun(name)
	}
	s.change(func(v *viewer.View) { v.Other = name })
	return nil
}

func (s *Session) noRun(name string) error {
	expected := "a run of the open task"
	var names []string
	for _, r := range s.Runs() {
		names = append(names, strconv.Quote(r.Name))
	}
	if len(names) > 0 {
		expected += ": " + strings.Join(names, ", ")
	}
	return &fault.Error{Kind: fault.Missing, At: "other=" + name, Found: "no run of that name", Expected: expected}
}

// CycleOther compares with the next run of the task that is not the selected one, after the last with the truth.
func (s *Session) CycleOther() {
	e := s.entry()
	if e == nil {
		return
	}
	names := []string{""}
	for i, r := range e.runs {
		if i != e.run {
			names = append(names, r.name())
		}
	}
	at := slices.Index(names, s.view.Other)
	name := names[(at+1)%len(names)]
	s.batch(func() {
		s.change(func(v *viewer.View) { v.Other = name })
		if name != "" && !compares(s.view.Layout) {
			s.SetLayout(viewer.Side)
		}
	})
}

// other is the run of the selected task that has a name, or a folder of that name; nil for none.
func (s *Session) other(name string) *runEntry {
	e := s.entry()
	if e == nil || name == "" {
		return nil
	}
	for _, named := range []func(r *runEntry) string{(*runEntry).name, func(r *runEntry) string { return filepath.Base(r.run.Path) }} {
		for _, r := range e.runs {
			if named(r) == name {
				return r
			}
		}
	}
	return nil
}

// otherKey names another run's answer to the image on screen; zero for none.
type otherKey struct {
	src           Source
	report        *scoring.Report
	row           int
	title, facing string
}

func (k otherKey) against() *Against {
	if k.title == "" {
		return nil
	}
	return &Against{Source: k.src, Title: k.title, Facing: k.facing, Styles: func(t int) Styles { return StylesOf(k.report, k.row, t) }}
}

// otherKey finds the run that the view compares with, and its labels of the image and compartment on screen.
func (s *Session) otherKey(src Source) otherKey {
	r := s.other(s.view.Other)
	if r == nil {
		return otherKey{}
	}
	key := otherKey{report: r.report, row: -1, title: r.name(), facing: "answer"}
	if mine := s.runEntry(); mine != nil {
		key.facing = mine.name()
	}
	i := indexOfImage(r.images, s.imageName())
	if i < 0 {
		return key
	}
	part := r.images[i].partNamed(s.currentPart().Name)
	if part < 0 {
		return key
	}
	p := r.images[i].Parts[part]
	key.row = p.Row
	key.src = Source{Answer: labelFile(p.Answer), Truth: src.Truth, Unnamed: src.Unnamed, Calibration: src.Calibration}
	return key
}

// paneSize is the size of the pane that the camera of the view is for.
func (s *Session) paneSize() image.Point {
	size := s.pictureSize()
	if s.picked.scene == nil || s.view.Layout == viewer.One || s.view.Layout == viewer.Curtain {
		return size
	}
	return render.Panes(s.picked.scene, s.view, size.X, size.Y)[0].Rect.Size()
}

// spot is what lies under a point of the picture, in device pixels; false between panes.
func (s *Session) spot(y, x float64) (render.Place, bool) {
	if s.picked.scene == nil {
		return render.Place{}, false
	}
	size, v := s.pictureSize(), s.view
	if s.blink && compares(v.Layout) {
		v.Layout = viewer.One
	}
	return render.Locate(s.picked.scene, v, size.X, size.Y, y, x)
}

// inPane turns a point of the picture into one of the pane that the camera is for. In a section the axis that it does not share with
// the plane stays at the pane's middle.
func (s *Session) inPane(y, x float64) viewer.Point {
	size := s.pictureSize()
	at := viewer.Point{Y: y, X: x}
	if s.view.Layout == viewer.One || s.view.Layout == viewer.Curtain {
		return at
	}
	middle := s.paneSize()
	for _, p := range render.Panes(s.picked.scene, s.view, size.X, size.Y) {
		if !image.Pt(int(math.Floor(x)), int(math.Floor(y))).In(p.Rect) {
			continue
		}
		at = viewer.Point{Y: y - float64(p.Rect.Min.Y), X: x - float64(p.Rect.Min.X)}
		switch p.Plane {
		case render.XZ:
			at.Y = float64(middle.Y) / 2
		case render.YZ:
			at.X = float64(middle.X) / 2
		}
		return at
	}
	return viewer.Point{Y: float64(middle.Y) / 2, X: float64(middle.X) / 2}
}

// sceneAt is the scene to read out at a place: in a comparison with the truth both labels, though each pane draws one.
func (s *Session) sceneAt(at render.Place) *render.Scene {
	scene := s.picked.scene
	if at.Plane != render.XY || at.Scene == scene.Other && scene.Other != nil {
		return at.Scene
	}
	return scene
}

// OnHandle tells whether a point of the picture lies on the curtain's line.
func (s *Session) OnHandle(_, x float64) bool {
	size := s.pictureSize()
	return s.picked.scene != nil && render.OnHandle(s.picked.scene, s.view, size.X, size.Y, x)
}

// MoveHandle draws the curtain to a point of the picture.
func (s *Session) MoveHandle(_, x float64) { s.SetSplit(x / float64(max(1, s.pictureSize().X))) }

// PanFrom moves the picture by device pixels in a drag that began at the point (y, x). A section moves along the axis that it shares
// with the plane.
func (s *Session) PanFrom(y, x, dy, dx float64) {
	if at, ok := s.spot(y, x); ok {
		switch at.Plane {
		case render.XZ:
			dy = 0
		case render.YZ:
			dx = 0
		}
	}
	s.Pan(dy, dx)
}
