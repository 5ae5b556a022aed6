package session

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"coverslip/scoring"
	"coverslip/viewer"
	"coverslip/viewer/render"
)

// Status is what the status line says, each part empty where there is nothing to say.
type Status struct{ Position, Values, Answer, Truth, IoU, Scale, Selected string }

// Hover tells where the pointer is, in device pixels of the picture.
func (s *Session) Hover(y, x float64) {
	s.pointer = &viewer.Point{Y: y, X: x}
	s.changed(Pointer)
}

// HoverOff tells that the pointer has left the picture.
func (s *Session) HoverOff() {
	s.pointer = nil
	s.changed(Pointer)
}

// Status describes the place under the pointer, else the centre of the selected error.
func (s *Session) Status() Status {
	st := Status{Scale: s.scaleText(), Selected: s.selectedText()}
	if s.picked.scene == nil {
		return st
	}
	at := render.Place{Z: s.picked.loaded.z, Point: s.view.At, Scene: s.picked.scene, Local: s.view.At}
	ok := s.errors.selected >= 0 && s.view.Zoom != 0
	if s.pointer != nil {
		at, ok = s.spot(s.pointer.Y, s.pointer.X)
	}
	y, x := int(math.Floor(at.Point.Y)), int(math.Floor(at.Point.X))
	if shape := s.picked.shape; !ok || y < 0 || x < 0 || y >= shape.Y || x >= shape.X || at.Plane != render.XY && (at.Z < 0 || at.Z >= shape.Z) {
		return st
	}
	if at.Plane == render.XY {
		at.Z = s.picked.loaded.z
	}
	st.Position = s.positionText(y, x, at.Z)
	scene := s.sceneAt(at)
	st.Values = valuesText(scene, at.Local)
	answer, truth := idAt(scene.Answer, at.Local), idAt(scene.Truth, at.Local)
	if s.pointer != nil {
		answer, truth = s.objectAt(s.pointer.Y, s.pointer.X, at)
	} else if f := s.view.Focus; f != (viewer.Focus{}) {
		answer, truth = f.Answer, f.Truth
	}
	st.Answer, st.Truth = "answer "+orNone(answer), "truth "+orNone(truth)
	if scene != s.picked.scene.Other {
		st.IoU = s.iouText(answer, truth)
	}
	return st
}

func orNone(id int64) string {
	if id == 0 {
		return "none"
	}
	return strconv.FormatInt(id, 10)
}

func (s *Session) positionText(y, x, z int) string {
	text := fmt.Sprintf("y %d x %d", y, x)
	if s.picked.shape.Z > 1 {
		text += fmt.Sprintf(" z %d", z)
	}
	if s.picked.shape.T > 1 {
		text += fmt.Sprintf(" t %d", s.picked.loaded.t)
	}
	return text
}

// valuesText is the samples of a scene at a point of it, of a maximum with the plane that each comes from.
func valuesText(scene *render.Scene, p viewer.Point) string {
	y, x := int(math.Floor(p.Y)), int(math.Floor(p.X))
	var parts []string
	for c := range scene.Channels {
		value, mean := scene.Channels[c].At(y, x)
		text := strconv.FormatFloat(value, 'g', 6, 64)
		if mean { // of the pixels around, until the plane is read there
			text = "about " + text
		}
		if d := scene.Channels[c].Depth; d != nil {
			text += fmt.Sprintf(" of plane %d", d.At(y, x))
		}
		if scene.RGB && c < 3 {
			text = "RGB"[c:c+1] + " " + text
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return ""
	}
	return "value " + strings.Join(parts, "  ")
}

func (s *Session) scaleText() string {
	if s.picked.opened == nil {
		return ""
	}
	c := s.picked.opened.Pixel()
	if c.X <= 0 {
		return "no pixel size"
	}
	text := strconv.FormatFloat(c.X, 'g', 4, 64) + " µm/px"
	if c.Z > 0 && s.picked.shape.Z > 1 {
		text += ", z " + strconv.FormatFloat(c.Z, 'g', 4, 64) + " µm"
	}
	return text
}

func idAt(l *render.Labels, p viewer.Point) int64 {
	if l == nil {
		return 0
	}
	id, _ := l.At(int(math.Floor(p.Y)), int(math.Floor(p.X)))
	return id
}

// iouText is the overlap of the pair that the official matching made of these two objects.
func (s *Session) iouText(answer, truth int64) string {
	r, row := s.Report(), s.currentPart().Row
	if r == nil || answer == 0 || truth == 0 {
		return ""
	}
	for _, m := range marksOf(r, row, s.picked.loaded.t) {
		if m.Pred == answer && m.Truth == truth && !m.Diagnostic && m.IoU > 0 {
			return "IoU " + strconv.FormatFloat(m.IoU, 'f', 2, 64)
		}
	}
	return "not matched"
}

// selectedText names the selected error: "error 3 of 41: FN, truth 9, ...".
func (s *Session) selectedText() string {
	at := s.Selected()
	if at < 0 {
		return ""
	}
	m := s.Report().Marks[s.errors.selected]
	return fmt.Sprintf("error %d of %d: %s%s", at+1, len(s.errors.rows), kindText(m), namesOf(m))
}

func namesOf(m scoring.Mark) string {
	var text string
	if m.Pred != 0 {
		text += ", answer " + strconv.FormatInt(m.Pred, 10)
	}
	if m.Truth != 0 {
		text += ", truth " + strconv.FormatInt(m.Truth, 10)
	}
	return text
}
