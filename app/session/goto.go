package session

import (
	"context"
	"fmt"
	"image"
	"math"
	"strconv"
	"strings"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster"
	"coverslip/scoring"
	"coverslip/viewer"
	"coverslip/viewer/render"
)

// Destination is what a user typed to go to: a View's text, a place, or a label.
type Destination struct {
	View   *viewer.View
	Y, X   float64 // NaN: not said
	T, Z   int     // -1: not said
	ID     int64   // label, 0 none
	Answer bool    // the label may be the answer's
	Truth  bool    // the label may be the truth's
}

const destinationForms = "a place such as 512, 300 (y, x) or z 3 t 12, a label such as answer 17, truth 9 or #17, or a view text"

// ParseDestination reads what a user typed: "512, 300" is y and x; letters name what follows them ("z 3 y 10 x 20"); "answer 17",
// "truth 9" and "#17" are labels; anything with "=" is a View.
func ParseDestination(text string) (Destination, error) {
	d := Destination{Y: math.NaN(), X: math.NaN(), T: -1, Z: -1}
	text = strings.TrimSpace(text)
	if strings.Contains(text, "=") {
		v, err := viewer.Parse(text)
		d.View = &v
		return d, err
	}
	words := destinationWords(text)
	wrong := &fault.Error{Kind: fault.Malformed, At: "place to go to", Found: strconv.Quote(text), Expected: destinationForms}
	if len(words) == 2 && isNumber(words[0]) && isNumber(words[1]) {
		words = []string{"y", words[0], "x", words[1]}
	}
	if len(words) == 0 || len(words)%2 != 0 {
		return d, wrong
	}
	for i := 0; i < len(words); i += 2 {
		if !d.set(words[i], words[i+1]) {
			return d, wrong
		}
	}
	if math.IsNaN(d.Y) != math.IsNaN(d.X) {
		return d, wrong
	}
	return d, nil
}

// destinationWords splits a text into words and numbers: "z3,t 12" is z, 3, t, 12.
func destinationWords(text string) []string {
	var words []string
	kind := 0
	for _, r := range strings.ToLower(text) {
		now := 0
		switch {
		case r >= '0' && r <= '9' || r == '.' || r == '-':
			now = 1
		case r >= 'a' && r <= 'z' || r == '#':
			now = 2
		}
		if now != 0 && now == kind {
			words[len(words)-1] += string(r)
		} else if now != 0 {
			words = append(words, string(r))
		}
		kind = now
	}
	return words
}

func isNumber(word string) bool {
	_, err := strconv.ParseFloat(word, 64)
	return err == nil
}

func (d *Destination) set(name, value string) bool {
	x, errX := strconv.ParseFloat(value, 64)
	n, errN := strconv.ParseInt(value, 10, 64)
	switch name {
	case "y", "x":
		if name == "y" {
			d.Y = x
		} else {
			d.X = x
		}
		return errX == nil && math.Abs(x) < 1e8
	case "z", "slice":
		d.Z = int(n)
		return errN == nil && n >= 0 && n <= viewer.MaxIndex
	case "t", "frame", "time":
		d.T = int(n)
		return errN == nil && n >= 0 && n <= viewer.MaxIndex
	case "#", "label", "answer", "truth":
		d.ID, d.Answer, d.Truth = n, name != "truth", name != "answer"
		return errN == nil && n != 0
	}
	return false
}

// GoTo goes where a text says; see ParseDestination. The error says what is wrong with the text or that there is no such place.
func (s *Session) GoTo(text string) error {
	d, err := ParseDestination(text)
	if err != nil {
		return err
	}
	switch {
	case d.View != nil:
		s.leave()
		return s.SetView(*d.View)
	case s.picked.scene == nil:
		return &fault.Error{Kind: fault.Missing, Found: "no picture on screen", Fix: "Open an image first"}
	case d.ID != 0:
		return s.goToLabel(d)
	}
	return s.goToPlace(d)
}

func (s *Session) goToPlace(d Destination) error {
	shape := s.picked.shape
	outside := func(name string, at, n int) error {
		return &fault.Error{Kind: fault.Missing, At: "place to go to", Found: fmt.Sprintf("%s %d", name, at), Expected: fmt.Sprintf("%s from 0 to %d", name, n-1)}
	}
	switch {
	case d.Z >= shape.Z:
		return outside("z", d.Z, shape.Z)
	case d.T >= shape.T:
		return outside("t", d.T, shape.T)
	case d.Y >= float64(shape.Y) || d.Y < 0:
		return outside("y", int(d.Y), shape.Y)
	case d.X >= float64(shape.X) || d.X < 0:
		return outside("x", int(d.X), shape.X)
	}
	s.leave()
	s.picked.middle = false
	s.change(func(v *viewer.View) {
		if d.Z >= 0 {
			v.Z = d.Z
		}
		if d.T >= 0 {
			v.T = d.T
		}
		if !math.IsNaN(d.Y) {
			*v = v.Centre(viewer.Point{Y: d.Y + 0.5, X: d.X + 0.5}, s.imageSize(), s.paneSize())
			crossAt(v, viewer.Point{Y: d.Y, X: d.X})
		}
	})
	return nil
}

// goToLabel looks for a label on the plane shown, among the judged objects of the image, then in all planes of its files.
func (s *Session) goToLabel(d Destination) error {
	scene := s.picked.scene
	if d.Answer && s.frameLabel(scene.Answer, d.ID, viewer.Focus{Answer: d.ID}) || d.Truth && s.frameLabel(scene.Truth, d.ID, viewer.Focus{Truth: d.ID}) {
		return nil
	}
	if m := s.markOf(d); m != nil {
		s.leave()
		s.batch(func() { s.goTo(*m) })
		return nil
	}
	if d.Answer && s.picked.opened.Answer != nil || d.Truth && s.picked.opened.Truth != nil {
		s.searchLabel(d)
		return nil
	}
	return noLabel(d)
}

func noLabel(d Destination) error {
	side := "answer or truth"
	if !d.Truth {
		side = "answer"
	} else if !d.Answer {
		side = "truth"
	}
	return &fault.Error{Kind: fault.Missing, At: "place to go to", Found: fmt.Sprintf("no label %d in this image's %s", d.ID, side)}
}

// frameLabel stands at a label of the plane shown; false if the plane does not have it.
func (s *Session) frameLabel(l *render.Labels, id int64, focus viewer.Focus) bool {
	box, ok := l.Box(id)
	if ok {
		s.leave()
		s.frame(box, s.view.T, s.view.Z, focus)
	}
	return ok
}

func (s *Session) frame(box image.Rectangle, t, z int, focus viewer.Focus) {
	s.picked.middle = false
	s.errors.selected = -1
	s.change(func(v *viewer.View) {
		*v = v.Frame(box, s.imageSize(), s.paneSize())
		crossAt(v, v.At)
		v.T, v.Z, v.Focus = t, z, focus
		s.changed(Selection)
	})
}

// markOf is the first judged object of the image with that label.
func (s *Session) markOf(d Destination) *scoring.Mark {
	r, row := s.Report(), s.currentPart().Row
	if r == nil || row < 0 {
		return nil
	}
	for i := range r.Marks {
		m := &r.Marks[i]
		if m.Image == row && !m.Diagnostic && (m.Y != 0 || m.X != 0) && (d.Answer && m.Pred == d.ID || d.Truth && m.Truth == d.ID) {
			return m
		}
	}
	return nil
}

// labelFound is where a search came upon a label.
type labelFound struct {
	box   image.Rectangle
	t, z  int
	focus viewer.Focus
}

// searchLabel looks through all label planes of the image, as work that can be cancelled.
func (s *Session) searchLabel(d Destination) {
	o, src := s.picked.opened, s.picked.loaded.src
	o.hold()
	var found *labelFound
	search := func(ctx context.Context, progress func(done, total int)) (err error) {
		defer o.Release()
		found, err = s.loader.findLabel(ctx, o, d, progress)
		return err
	}
	s.start(fmt.Sprintf("Looking for label %d", d.ID), search, func(err error) {
		switch {
		case err != nil:
			s.complain(err)
		case found == nil:
			s.complain(noLabel(d))
		case s.picked.loaded.src == src:
			s.leave()
			s.frame(found.box, found.t, found.z, found.focus)
		}
	})
}

// findLabel is the first plane of the image, in order of time and slice, that shows the label; nil if none does.
func (l *Loader) findLabel(ctx context.Context, o *Opened, d Destination, progress func(done, total int)) (*labelFound, error) {
	read := func(layer *Layer, t, z, c int) (raster.Plane, error) { return layer.Stack.Plane(ctx, t, z, c) }
	total := o.Shape.T * o.Shape.Z
	for i := range total {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t, z := i/o.Shape.Z, i%o.Shape.Z
		for _, side := range []struct {
			layer *Layer
			on    bool
			focus viewer.Focus
		}{{o.Answer, d.Answer, viewer.Focus{Answer: d.ID}}, {o.Truth, d.Truth, viewer.Focus{Truth: d.ID}}} {
			if !side.on {
				continue
			}
			labels, err := l.labelPlane(o, side.layer, t, z, read)
			if err != nil {
				return nil, err
			}
			if box, ok := labels.Box(d.ID); ok {
				return &labelFound{box, t, z, side.focus}, nil
			}
		}
		progress(i+1, total)
	}
	return nil, nil
}
