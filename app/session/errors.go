package session

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"
	"strconv"
	"strings"

	"coverslip/scoring"
	"coverslip/scoring/report"
	"coverslip/viewer"
	"coverslip/viewer/render"
)

// errorList is the errors table: the marks that are errors, filtered and sorted.
type errorList struct {
	all      int   // errors of the report
	rows     []int // indices into Report.Marks
	selected int   // a mark, -1 none
	hidden   map[string]bool
	search   string
	onlyHere bool
	column   string
	falling  bool
	perImage map[int]int    // errors by report row
	perKind  map[string]int // errors by kind, whatever the filter
}

func (l *errorList) reset() {
	l.selected, l.column, l.falling, l.hidden = -1, "cost", true, map[string]bool{}
}

// forget drops what belongs to one report and keeps filter and order.
func (l *errorList) forget() { l.selected = -1 }

// IsError tells whether a mark belongs in the errors table: all but matches that cost nothing.
func IsError(m scoring.Mark) bool { return m.Kind != report.TP || m.Wrong > 0 || m.Cost > 0 }

// contour is what people call a match with wrong pixels.
const contour = "contour"

// kindText names the kind of a mark for people; a match with wrong pixels is an error of contour.
func kindText(m scoring.Mark) string {
	if m.Kind == report.TP && m.Wrong > 0 {
		return contour
	}
	return string(m.Kind)
}

// Row is one line of the errors table, all in text.
type Row struct {
	Mark                                                      int // index into Report.Marks
	Kind, Image, Where, Answer, Truth, IoU, Wrong, Cost, Text string
}

// KindCount is one filter of the errors table.
type KindCount struct {
	Kind string
	N    int
	On   bool
}

// kindOrder is the order of filters: what costs most as a rule comes first, kinds that are not named here last.
var kindOrder = []string{string(report.Whole), string(report.FP), string(report.FN), string(report.Weak), "contour", string(report.TP),
	string(report.LooseAnswer), string(report.LooseTruth), string(report.Split), string(report.Merge)}

func kindPlace(name string) int {
	if i := slices.Index(kindOrder, name); i >= 0 {
		return i
	}
	return len(kindOrder)
}

// rebuildErrors filters and sorts anew and keeps the selected mark selected if it is still there.
func (s *Session) rebuildErrors() {
	l := &s.errors
	l.rows, l.all, l.perImage, l.perKind = nil, 0, map[int]int{}, map[string]int{}
	if r := s.Report(); r != nil {
		here := s.currentPart()
		for i, m := range r.Marks {
			if !IsError(m) {
				continue
			}
			l.all++
			if m.Kind != report.TP {
				l.perImage[m.Image]++ // contours of good matches cost pixels, but no object
			}
			l.perKind[kindText(m)]++
			if s.keeps(r, m, here) {
				l.rows = append(l.rows, i)
			}
		}
		slices.SortStableFunc(l.rows, l.order(r))
		if l.selected >= 0 && !slices.Contains(l.rows, l.selected) {
			l.selected = -1
		}
	}
	s.changed(Errors | Images | Selection)
}

func (s *Session) keeps(r *scoring.Report, m scoring.Mark, here Part) bool {
	l := &s.errors
	if l.hidden[kindText(m)] || (l.onlyHere && !here.holds(m)) {
		return false
	}
	if l.search == "" {
		return true
	}
	text := strings.ToLower(r.ImageOf(m).Name + " " + r.ImageOf(m).Compartment + " " + m.Key + " " + kindText(m) + " " + m.Text +
		" " + idText(m.Pred) + " " + idText(m.Truth))
	return strings.Contains(text, l.search)
}

// holds tells whether a mark belongs to the part.
func (p Part) holds(m scoring.Mark) bool { return p.Frames || m.Image == p.Row }

// order compares two marks by the chosen column; equal ones stay in the report's order.
func (l *errorList) order(r *scoring.Report) func(a, b int) int {
	key := func(m scoring.Mark) float64 {
		switch l.column {
		case "iou":
			return m.IoU
		case "wrong":
			return float64(m.Wrong)
		case "kind":
			return float64(kindPlace(kindText(m)))
		case "image":
			return float64(m.Image)
		}
		if m.Diagnostic {
			return m.Cost - 2 // after all that the score knows: what a split or merge costs is in the marks of its objects
		}
		return m.Cost
	}
	return func(a, b int) int {
		c := cmp.Compare(key(r.Marks[a]), key(r.Marks[b]))
		if c == 0 && l.column != "cost" {
			return -cmp.Compare(r.Marks[a].Cost, r.Marks[b].Cost)
		}
		if l.falling {
			return -c
		}
		return c
	}
}

// ErrorCount is how many errors pass the filter and how many the report has.
func (s *Session) ErrorCount() (shown, all int) { return len(s.errors.rows), s.errors.all }

// ErrorRow is line i of the table.
func (s *Session) ErrorRow(i int) Row {
	r := s.Report()
	if r == nil || i < 0 || i >= len(s.errors.rows) {
		return Row{Mark: -1}
	}
	at := s.errors.rows[i]
	m := r.Marks[at]
	im := r.ImageOf(m)
	row := Row{Mark: at, Kind: kindText(m), Image: im.Name, Where: s.where(m), Answer: idText(m.Pred), Truth: idText(m.Truth), Text: m.Text}
	if im.Compartment != "" {
		row.Image += " " + im.Compartment
	}
	if m.IoU > 0 {
		row.IoU = strconv.FormatFloat(m.IoU, 'f', 2, 64)
	}
	if m.Wrong > 0 {
		row.Wrong = strconv.Itoa(m.Wrong)
	}
	if m.Diagnostic {
		row.Cost = "" // what a split or merge costs is in the marks of its objects
	} else {
		row.Cost = costText(m.Cost)
	}
	return row
}

// costText keeps two digits of small costs, which large tasks have.
func costText(cost float64) string {
	if cost >= 0.0001 || cost == 0 {
		return strconv.FormatFloat(cost, 'f', 5, 64)
	}
	return strconv.FormatFloat(cost, 'e', 1, 64)
}

func idText(id report.ID) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}

// where is a mark's place in whole pixels, with its slice and time, or the row, well or condition that it speaks of.
func (s *Session) where(m scoring.Mark) string {
	if m.Kind == report.Whole || m.Key != "" && m.Y == 0 && m.X == 0 {
		return m.Key
	}
	at := fmt.Sprintf("y %d x %d", int(m.Y+0.5), int(m.X+0.5))
	if m.Box.Z1 > 1 || m.Z >= 1 {
		at = fmt.Sprintf("z %d ", int(math.Round(m.Z))) + at
	}
	if m.T > 0 || s.picked.shape.T > 1 {
		at = fmt.Sprintf("t %d ", m.T) + at
	}
	return at
}

// ErrorKinds lists the kinds of error of the report with their filters.
func (s *Session) ErrorKinds() []KindCount {
	names := make([]string, 0, len(s.errors.perKind))
	for name := range s.errors.perKind {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(kindPlace(a), kindPlace(b)), cmp.Compare(a, b))
	})
	kinds := make([]KindCount, len(names))
	for i, name := range names {
		kinds[i] = KindCount{name, s.errors.perKind[name], !s.errors.hidden[name]}
	}
	return kinds
}

// ToggleKind shows or hides a kind in the table and the walk.
func (s *Session) ToggleKind(kind string) {
	s.errors.hidden[kind] = !s.errors.hidden[kind]
	s.batch(s.rebuildErrors)
}

// SetSearch keeps the errors whose image, kind, ids or text hold the words.
func (s *Session) SetSearch(text string) {
	s.errors.search = strings.ToLower(strings.TrimSpace(text))
	s.batch(s.rebuildErrors)
}

// OnlyThisImage restricts the table to the current image and compartment.
func (s *Session) OnlyThisImage(on bool) {
	s.errors.onlyHere = on
	s.batch(s.rebuildErrors)
}

// IsOnlyThisImage tells whether the table is so restricted.
func (s *Session) IsOnlyThisImage() bool { return s.errors.onlyHere }

// SortErrors orders the table by "cost", "kind", "image", "iou" or "wrong".
func (s *Session) SortErrors(column string, falling bool) {
	s.errors.column, s.errors.falling = column, falling
	s.batch(s.rebuildErrors)
}

// ErrorSort is the present order.
func (s *Session) ErrorSort() (column string, falling bool) { return s.errors.column, s.errors.falling }

// Selected is the row of the selected error, -1 if none.
func (s *Session) Selected() int { return slices.Index(s.errors.rows, s.errors.selected) }

// NextError goes one row down, from the last to the first.
func (s *Session) NextError() { s.walk(1) }

// PreviousError goes one row up.
func (s *Session) PreviousError() { s.walk(-1) }

func (s *Session) walk(step int) {
	n := len(s.errors.rows)
	if n == 0 {
		return
	}
	at := s.Selected()
	if at < 0 && step < 0 {
		at = 0
	}
	s.SelectError(((at+step)%n + n) % n)
}

// WorstError sorts by cost and goes to the error that cost most.
func (s *Session) WorstError() {
	s.batch(func() {
		s.SortErrors("cost", true)
		s.SelectError(0)
	})
}

// SelectError goes to the object of a row: its image, compartment, time and slice, centred, at a zoom that shows it whole.
func (s *Session) SelectError(row int) {
	if row < 0 || row >= len(s.errors.rows) {
		return
	}
	s.batch(func() {
		s.leave()
		s.errors.selected = s.errors.rows[row]
		m := s.Report().Marks[s.errors.selected]
		s.goTo(m)
		s.changed(Selection)
	})
}

// goTo stands at a mark.
func (s *Session) goTo(m scoring.Mark) {
	e := s.entry()
	image, part, ok := s.rowImage(m.Image)
	if !ok {
		return
	}
	if image != e.image || part != s.Part() {
		e.image, e.part = image, part
		s.view.Image, s.view.Part = s.imageName(), s.currentPart().Name
		s.view.T, s.view.Z = 0, 0
		s.changed(Images)
		if s.errors.onlyHere {
			s.rebuildErrors()
		}
	}
	s.picked.middle = false
	s.pointer = nil // the status line speaks of the object until the pointer moves
	s.view.Focus = viewer.Focus{Answer: m.Pred, Truth: m.Truth}
	elsewhere := scoring.MarksElsewhere(s.Report().TaskID)
	if elsewhere {
		s.showMap()
	}
	if m.Kind == report.Whole || elsewhere || m.Y == 0 && m.X == 0 {
		s.view = s.view.Fit()
		s.picked.middle = m.Kind == report.Whole
	} else {
		s.placeAt(m)
	}
	s.changed(ViewChanged)
	s.load()
}

// rowImage finds the image and compartment of a report row.
func (s *Session) rowImage(row int) (image, part int, ok bool) {
	for i, im := range s.images() {
		for k, p := range im.Parts {
			if p.Row == row || p.Frames {
				return i, k, true
			}
		}
	}
	return 0, 0, false
}

// placeAt centres a mark at a zoom that shows it well. Its slice is that of its centroid.
func (s *Session) placeAt(m scoring.Mark) {
	v, size, img := &s.view, s.paneSize(), judgedSize(s.Report().ImageOf(m))
	v.Z, v.T = int(math.Round(m.Z)), m.T
	box := image.Rect(m.Box.X0, m.Box.Y0, m.Box.X1, m.Box.Y1)
	if box.Dx() < leastBox && box.Dy() < leastBox { // a point: show what lies around it
		box = image.Rect(int(m.X)-leastBox, int(m.Y)-leastBox, int(m.X)+leastBox, int(m.Y)+leastBox)
	}
	*v = v.Frame(box, img, size).Centre(viewer.Point{Y: m.Y + 0.5, X: m.X + 0.5}, img, size)
	crossAt(v, viewer.Point{Y: m.Y + 0.5, X: m.X + 0.5})
}

// leastBox is the extent in pixels below which an object is looked at with what lies around it.
const leastBox = 6

// judgedSize is the size of a judged image, which may not be on screen yet; larger than any where the report does not say.
func judgedSize(im scoring.Image) image.Point {
	shape := im.TruthShape
	if len(shape) < 2 {
		return image.Pt(1<<24, 1<<24)
	}
	return image.Pt(shape[len(shape)-1], shape[len(shape)-2])
}

// frameOfMarks is the frame that the marks of what is on screen carry: that of the picture in a movie, 0 in a stack.
func (s *Session) frameOfMarks(r *scoring.Report, here Part) int {
	if r == nil {
		return 0
	}
	for _, m := range r.Marks {
		if here.holds(m) && m.T > 0 {
			return s.picked.loaded.t
		}
	}
	return 0
}

// PickAt selects the error of the object under a point of the picture, in device pixels. An object that is no error gets the
// focus alone. In the ortho layout it also moves the cross-hair there, and from a section the slice.
func (s *Session) PickAt(y, x float64) {
	at, ok := s.spot(y, x)
	if !ok {
		return
	}
	answer, truth := s.objectAt(y, x, at)
	r, here := s.Report(), s.currentPart()
	frame := s.frameOfMarks(r, here)
	s.batch(func() {
		if s.view.Layout == viewer.Ortho {
			s.MoveCross(at.Point.Y, at.Point.X, at.Z)
		}
		s.errors.selected = -1
		s.view.Focus = viewer.Focus{Answer: answer, Truth: truth}
		if r != nil && (answer != 0 || truth != 0) {
			for _, at := range s.errors.rows {
				m := r.Marks[at]
				if here.holds(m) && !m.Diagnostic && m.T == frame && (answer != 0 && m.Pred == answer || answer == 0 && m.Truth == truth) {
					s.errors.selected = at
					s.view.Focus = viewer.Focus{Answer: m.Pred, Truth: m.Truth}
					break
				}
			}
		}
		s.changed(Selection | ViewChanged)
	})
}

// objectAt is the answer's and the truth's object at a point of the picture: a point or track drawn there, else the labels. A label of
// another run is no object of this one.
func (s *Session) objectAt(y, x float64, at render.Place) (answer, truth int64) {
	scene := s.sceneAt(at)
	size := s.pictureSize()
	if hit, ok := s.picked.scene.Hit(s.Shown(), size.X, size.Y, y, x); ok {
		if hit.Truth {
			return 0, hit.ID
		}
		return hit.ID, 0
	}
	answer, truth = idAt(scene.Answer, at.Local), idAt(scene.Truth, at.Local)
	if scene == s.picked.scene.Other {
		answer = 0
	}
	return answer, truth
}
