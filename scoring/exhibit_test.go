package scoring

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/scoring/report"
)

// exhibitCases are the recorded cases of all tasks that have exhibits.
func exhibitCases(t *testing.T) (list []vector) {
	t.Helper()
	seen := map[string]bool{}
	add := func(task string) {
		id := filepath.Base(filepath.Dir(task))
		name := id + "/" + filepath.Base(task)
		if exhibitors[id] != nil && !seen[name] {
			seen[name] = true
			list = append(list, vector{name: name, task: task, pred: filepath.Join(task, "pred")})
		}
	}
	for _, pattern := range []string{"*/testdata/*/*/expected.json", filepath.Join(shared(), "golden", "*", "*", "expected.json")} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			dir, err := filepath.Abs(filepath.Dir(file))
			if err != nil {
				t.Fatal(err)
			}
			add(dir)
		}
	}
	if len(list) < 15 {
		t.Fatalf("only %d cases", len(list))
	}
	return list
}

// eachExhibit looks at the whole run and at each row of a case.
func eachExhibit(t *testing.T, c vector, visit func(rep *Report, row int, x *report.Exhibit)) {
	t.Helper()
	task, err := biabench.OpenTask(c.task, "")
	if err != nil {
		t.Fatal(err)
	}
	run := &biabench.Run{Dir: c.pred}
	rep, err := Score(t.Context(), task, run, nil)
	if err != nil {
		t.Fatal(err)
	}
	for row := -1; row < len(rep.Images); row++ {
		x, err := Exhibit(t.Context(), task, run, rep, row)
		if err != nil {
			t.Fatal(err)
		}
		visit(rep, row, x)
	}
}

func TestExhibitsAgreeWithMarks(t *testing.T) {
	for _, c := range exhibitCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			eachExhibit(t, c, func(rep *Report, row int, x *report.Exhibit) {
				checkForm(t, row, x)
				for _, set := range x.Points {
					checkPoints(t, rep, row, set, x)
				}
				for _, set := range x.Tracks {
					checkTracks(t, rep, set)
				}
			})
		})
	}
}

// judges tells a mark that judges a point or a cell which has a place.
func judges(m Mark, id report.ID) bool {
	kinds := []Kind{report.TP, report.Weak, report.FP, report.FN, report.WrongClass, report.CountError, report.Duplicate, report.OutOfRange}
	return id != 0 && slices.Contains(kinds, m.Kind)
}

// checkPoints holds the points of one side against the marks: each mark has its point and each verdict its mark.
func checkPoints(t *testing.T, rep *Report, row int, set report.PointSet, x *report.Exhibit) {
	t.Helper()
	if rep.TaskID == "confocal-mosaic-4channel-stitching-ctc-model" { // its cells are not judged
		return
	}
	at := map[report.ID]report.Point{}
	counts := map[Kind]int{}
	for _, p := range set.Points {
		if _, twice := at[p.ID]; twice || p.ID == 0 {
			t.Errorf("row %d: two points or none with id %d", row, p.ID)
		}
		at[p.ID] = p
		if p.Verdict != "" {
			counts[p.Verdict]++
		}
	}
	lost := 0
	for _, m := range rep.Marks {
		id, other := m.Pred, m.Truth
		if set.Side == report.TruthSide {
			id, other = other, id
		}
		if row >= 0 && m.Image != row || !judges(m, id) {
			continue
		}
		p, ok := at[id]
		if !ok {
			lost++
			continue
		}
		counts[m.Kind]--
		if p.Verdict != m.Kind || p.Partner != other || p.T != m.T {
			t.Errorf("row %d: point %+v for mark %+v", row, p, m)
		}
		if set.Side == report.TruthSide && (p.Y != m.Y || p.X != m.X || p.Z != m.Z) && math.Abs(p.Y)+math.Abs(p.X) < 1e8 {
			t.Errorf("row %d: point at %v,%v,%v, mark at %v,%v,%v", row, p.Z, p.Y, p.X, m.Z, m.Y, m.X)
		}
	}
	for kind, n := range counts {
		if n != 0 {
			t.Errorf("row %d, side %d: %d points more with %s than marks", row, set.Side, n, kind)
		}
	}
	if lost > 0 && !slices.ContainsFunc(x.Notes, func(n Note) bool { return n.Text != "" }) {
		t.Errorf("row %d, side %d: %d marks without a point and no note", row, set.Side, lost)
	}
}

// checkTracks does so for cells and links.
func checkTracks(t *testing.T, rep *Report, set report.TrackSet) {
	t.Helper()
	type cell struct {
		t  int
		id report.ID
	}
	at := map[cell]report.Step{}
	tracks := map[report.ID]report.Track{}
	counts := map[Kind]int{}
	for _, track := range set.Tracks {
		tracks[track.ID] = track
		for i, step := range track.Steps {
			if i > 0 && step.T <= track.Steps[i-1].T {
				t.Errorf("track %d goes back in time", track.ID)
			}
			at[cell{step.T, track.ID}] = step
			counts[step.Verdict]++
		}
	}
	for _, track := range set.Tracks {
		if _, ok := tracks[track.Parent]; track.Parent != 0 && !ok {
			t.Errorf("track %d comes from %d, which is not there", track.ID, track.Parent)
		}
	}
	for _, m := range rep.Marks {
		id, other := m.Pred, m.Truth
		if set.Side == report.TruthSide {
			id, other = other, id
		}
		switch m.Kind {
		case report.TP, report.Weak, report.FP, report.FN:
			if id == 0 {
				continue
			}
			step, ok := at[cell{m.T, id}]
			if !ok || step.Verdict != m.Kind || step.Partner != other {
				t.Errorf("step %+v for mark %+v", step, m)
			}
			counts[m.Kind]--
		default:
			checkLink(t, set.Side, m, id, tracks, func(t int, id report.ID) report.Kind { return at[cell{t, id}].Link })
		}
	}
	delete(counts, "")
	for kind, n := range counts {
		if n != 0 {
			t.Errorf("side %d: %d cells more with %s than marks", set.Side, n, kind)
		}
	}
}

// checkLink holds a mark on a link or a division against the step that it begins at. id is its object on the side.
func checkLink(t *testing.T, side report.Side, m Mark, id report.ID, tracks map[report.ID]report.Track, at func(t int, id report.ID) report.Kind) {
	t.Helper()
	switch m.Kind {
	case report.MissedLink, report.SpuriousLink:
		if id != 0 && !slices.ContainsFunc(tracks[m.Others[0]].Steps, func(s report.Step) bool { return s.T < m.T && s.Link != "" }) {
			t.Errorf("no step begins the link of %+v", m)
		} else if id != 0 && m.Others[0] == id && at(m.T-1, id) == "" {
			t.Errorf("the step before %+v has no error", m)
		}
	case report.IDSwitch:
		if link := at(m.T-1, id); side == report.AnswerSide && link != m.Kind && link != report.FalseDivide {
			t.Errorf("the step before %+v has the error %q", m, link)
		}
	case report.MissedDivide, report.FalseDivide:
		if id != 0 && at(m.T, id) != m.Kind {
			t.Errorf("the step of %+v has the error %q", m, at(m.T, id))
		}
	}
}

// checkForm looks for what a view would stumble over.
func checkForm(t *testing.T, row int, x *report.Exhibit) {
	t.Helper()
	bad := func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
	for _, set := range x.Points {
		for _, p := range set.Points {
			if bad(p.Z) || bad(p.Y) || bad(p.X) || math.IsInf(p.Value, 0) || p.Class >= len(set.Classes) || p.Class < -1 {
				t.Errorf("row %d: point %+v", row, p)
			}
		}
		if bad(set.Radius) || set.Radius < 0 {
			t.Errorf("row %d: radius %v", row, set.Radius)
		}
	}
	names := map[string]bool{}
	for _, g := range x.Graphs {
		if g.Name == "" || names[g.Name] || g.XName == "" || g.YName == "" || bad(g.FrameAt0) || bad(g.FrameStep) || g.FrameStep < 0 {
			t.Errorf("row %d: graph %q over %q and %q", row, g.Name, g.XName, g.YName)
		}
		names[g.Name] = true
		for _, c := range g.Curves {
			if len(c.X) != len(c.Y) || c.Name == "" || c.IDs != nil && len(c.IDs) != len(c.X) || c.Error != nil && len(c.Error) != len(c.X) || slices.ContainsFunc(c.X, bad) {
				t.Errorf("row %d: graph %s, curve %s: %d and %d values", row, g.Name, c.Name, len(c.X), len(c.Y))
			}
		}
		for _, p := range g.Places {
			if bad(p.X) || p.Name == "" {
				t.Errorf("row %d: place %+v", row, p)
			}
		}
	}
	names = map[string]bool{}
	for _, g := range x.Groups {
		if g.Name == "" || names[g.Name] || g.Value == "" {
			t.Errorf("row %d: groups %q of %q", row, g.Name, g.Value)
		}
		names[g.Name] = true
		for _, one := range g.Groups {
			if slices.ContainsFunc(one.Values, bad) || one.IDs != nil && len(one.IDs) != len(one.Values) || one.Images != nil && len(one.Images) != len(one.Values) {
				t.Errorf("row %d: group %s of %s: %d ids, values %v", row, one.Name, g.Name, len(one.IDs), one.Values)
			}
		}
	}
	for _, p := range x.Pairs {
		if p.Answer == "" && p.Truth == "" || bad(p.XStep) || bad(p.YStep) || p.XStep <= 0 || p.YStep <= 0 {
			t.Errorf("row %d: pair %+v", row, p)
		}
	}
	for _, n := range x.Notes {
		if n.Text == "" || n.Text[len(n.Text)-1] == '.' {
			t.Errorf("row %d: note %+v", row, n)
		}
	}
}

// TestExhibitShowsTruthAlone takes the answers away: the truth's half stays the same, and a note says why the other is gone.
func TestExhibitShowsTruthAlone(t *testing.T) {
	for _, c := range exhibitCases(t) {
		if filepath.Base(c.task) != "perfect" && filepath.Base(c.task) != "typical" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			whole := map[int]int{}
			eachExhibit(t, c, func(_ *Report, row int, x *report.Exhibit) { whole[row] = truthParts(x) })
			c.pred = t.TempDir()
			eachExhibit(t, c, func(rep *Report, row int, x *report.Exhibit) {
				if got := truthParts(x); row == 0 && len(rep.Images) == len(whole)-1 && got != whole[row] {
					t.Errorf("row %d: %d parts of the truth, %d with an answer", row, got, whole[row])
				}
				if row == 0 && len(x.Notes) == 0 {
					t.Error("no note says that the answer is gone")
				}
				checkForm(t, row, x)
			})
		})
	}
}

// truthParts counts what an exhibit shows of the truth.
func truthParts(x *report.Exhibit) (n int) {
	for _, set := range x.Points {
		if set.Side == report.TruthSide {
			n += len(set.Points)
		}
	}
	for _, set := range x.Tracks {
		if set.Side == report.TruthSide {
			n += len(set.Tracks)
		}
	}
	for _, f := range x.Fields {
		if f.Side == report.TruthSide {
			n++
		}
	}
	for _, p := range x.Pairs {
		if p.Truth != "" {
			n++
		}
	}
	for _, g := range x.Graphs {
		for _, c := range g.Curves {
			if c.Side == report.TruthSide {
				n += len(c.X)
			}
		}
	}
	for _, g := range x.Groups {
		for _, one := range g.Groups {
			if one.Side == report.TruthSide {
				n += len(one.Values)
			}
		}
	}
	return n
}

// TestExhibitsAreTheSameOnOneProcessor looks twice, with one goroutine at a time and with many.
func TestExhibitsAreTheSameOnOneProcessor(t *testing.T) {
	old := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(old)
	for _, c := range exhibitCases(t) {
		if filepath.Base(c.task) != "typical" {
			continue
		}
		var texts [2][]string
		for i, n := range []int{1, 8} {
			runtime.GOMAXPROCS(n)
			eachExhibit(t, c, func(_ *Report, _ int, x *report.Exhibit) {
				plate := fmt.Sprintf("%v", reflect.Indirect(reflect.ValueOf(x.Plate)))
				x.Plate = nil
				texts[i] = append(texts[i], fmt.Sprintf("%v %s", *x, plate))
			})
		}
		if !slices.Equal(texts[0], texts[1]) {
			t.Errorf("%s: the exhibits differ", c.name)
		}
	}
}

func TestExhibitRefuses(t *testing.T) {
	task := &biabench.Task{}
	if _, err := Exhibit(t.Context(), task, &biabench.Run{}, &Report{}, 0); err == nil {
		t.Error("a row that is not there has an exhibit")
	}
	if _, err := Exhibit(t.Context(), nil, nil, nil, -1); err == nil {
		t.Error("nothing has an exhibit")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for id := range exhibitors {
		task.Spec.TaskID = id
		if _, err := Exhibit(ctx, task, &biabench.Run{Dir: t.TempDir()}, &Report{}, -1); err == nil {
			t.Errorf("%s: a cancelled look has an exhibit", id)
		}
	}
}
