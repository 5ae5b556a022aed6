package session

import (
	"bytes"
	"context"
	"image"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coverslip/datasets/demo"
	"coverslip/scoring/report"
	"coverslip/viewer"
	"coverslip/viewer/render"
)

// opened is a session on the demo, its first task scored.
type opened struct {
	*Session
	q      *Queue
	layout demo.Layout
}

// demoDir is written once for all tests of the package.
var demoDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "coverslip-demo-")
	if err != nil {
		panic(err)
	}
	demoDir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// openDemo opens a task of the demo with its runs, best first, and waits for the scores.
func openDemo(t *testing.T, task int) *opened {
	t.Helper()
	layout, err := demo.WriteTasks(context.Background(), filepath.Join(demoDir, "demo"), nil, demo.First()...)
	if err != nil {
		t.Fatal(err)
	}
	q := NewQueue()
	o := &opened{New(Options{Post: q.Post}), q, layout}
	t.Cleanup(o.Close)
	dir := layout.Tasks[task]
	o.Open(append([]string{dir}, layout.Runs[dir]...)...)
	o.settle(t)
	return o
}

func (o *opened) settle(t *testing.T) {
	t.Helper()
	if !o.q.Wait(func() bool { return len(o.JobList()) == 0 && !o.Loading() }) {
		t.Fatalf("still busy: jobs %v, loading %v", o.JobList(), o.Loading())
	}
}

func TestWorstErrorIsCentredWithBothOutlines(t *testing.T) {
	for task := range 2 {
		o := openDemo(t, task)
		o.WorstError()
		o.settle(t)
		r, m := o.Report(), o.Report().Marks[o.errors.selected]
		for _, other := range r.Marks {
			if other.Cost > m.Cost && !other.Diagnostic {
				t.Fatalf("task %d: %q costs %g, more than the worst, %g", task, other.Text, other.Cost, m.Cost)
			}
		}
		v := o.View()
		if m.Kind != report.Whole && math.Hypot(v.At.Y-m.Y-0.5, v.At.X-m.X-0.5) > 1e-3 {
			t.Errorf("task %d: the view stands at %v, the mark at y %g x %g", task, v.At, m.Y, m.X)
		}
		if v.Focus.Answer != m.Pred || v.Focus.Truth != m.Truth {
			t.Errorf("task %d: focus %+v, mark answer %d truth %d", task, v.Focus, m.Pred, m.Truth)
		}
		if o.imageName() != v.Image || r.Images[m.Image].Name == "" {
			t.Errorf("task %d: image %q, view %q", task, o.imageName(), v.Image)
		}
		if st := o.Status(); !strings.HasPrefix(st.Selected, "error 1 of ") {
			t.Errorf("task %d: status %q", task, st.Selected)
		}
	}
}

func TestWalkingVisitsEveryErrorOnce(t *testing.T) {
	for task := range 2 {
		o := openDemo(t, task)
		want := 0
		for _, m := range o.Report().Marks {
			if m.Kind != report.TP || m.Wrong > 0 {
				want++
			}
		}
		seen := map[int]bool{}
		o.WorstError()
		for !seen[o.errors.selected] {
			seen[o.errors.selected] = true
			o.NextError()
		}
		if len(seen) != want || want == 0 {
			t.Errorf("task %d: walked over %d errors, the report has %d", task, len(seen), want)
		}
		o.PreviousError()
		if o.Selected() != want-1 {
			t.Errorf("task %d: before the first comes %d, not the last", task, o.Selected())
		}
	}
}

func TestCopyImageIsWhatTheViewTextGives(t *testing.T) {
	for task := range 2 {
		o := openDemo(t, task)
		o.SetPictureSize(640, 480, 1)
		o.WorstError()
		o.ToggleTruth()
		o.settle(t)
		picture, err := o.CopyImage()
		if err != nil {
			t.Fatal(err)
		}
		text := o.Shown().String()
		again := openDemo(t, task)
		v, err := viewer.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		again.SetPictureSize(v.Size.X, v.Size.Y, v.LinePixel())
		if err := again.SetView(v); err != nil {
			t.Fatal(err)
		}
		again.settle(t)
		if got := again.Shown().String(); got != text {
			t.Fatalf("the view came back as %q, it was %q", got, text)
		}
		other, err := again.CopyImage()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(picture.Pix, other.Pix) || !lively(picture) {
			t.Errorf("task %d: the same view text gives another picture, or an empty one", task)
		}
	}
}

// lively tells a picture from a blank one.
func lively(p *image.RGBA) bool {
	seen := map[[3]byte]bool{}
	for i := 0; i < len(p.Pix); i += 4 {
		seen[[3]byte(p.Pix[i:i+3])] = true
	}
	return len(seen) > 50
}

func TestFiltersNarrowTheWalk(t *testing.T) {
	o := openDemo(t, 0)
	_, all := o.ErrorCount()
	kinds := o.ErrorKinds()
	o.ToggleKind(kinds[0].Kind)
	if shown, _ := o.ErrorCount(); shown != all-kinds[0].N {
		t.Errorf("without %d %s there are %d of %d", kinds[0].N, kinds[0].Kind, shown, all)
	}
	o.ToggleKind(kinds[0].Kind)
	o.OnlyThisImage(true)
	o.ToggleKind("contour")
	here, _ := o.ErrorCount()
	if want := o.Images()[o.Image()].Errors; here != want {
		t.Errorf("%d wrong objects in this image, the list says %d", here, want)
	}
	o.ToggleKind("contour")
	o.OnlyThisImage(false)
	o.SetSearch("pancreas")
	shown, _ := o.ErrorCount()
	for i := range shown {
		if !strings.Contains(o.ErrorRow(i).Image, "pancreas") {
			t.Fatalf("the search for pancreas shows %q", o.ErrorRow(i).Image)
		}
	}
	if shown == 0 || shown == all {
		t.Errorf("the search keeps %d of %d", shown, all)
	}
}

func TestCostsAddUpToWhatIsLost(t *testing.T) {
	for task := range 2 {
		o := openDemo(t, task)
		for i := range o.Runs() {
			o.SelectRun(i)
			o.settle(t)
			sum := 0.0
			for _, m := range o.Report().Marks {
				if !m.Diagnostic {
					sum += m.Cost
				}
			}
			if lost := 1 - o.Report().Result.Value; math.Abs(sum-lost) > 2e-4 {
				t.Errorf("%s: costs add up to %g, the score lost %g", o.Runs()[i].Name, sum, lost)
			}
		}
	}
}

func TestSlicesStepAndClamp(t *testing.T) {
	o := openDemo(t, 1)
	last := o.Shape().Z - 1
	if last < 10 {
		t.Fatalf("the demo stack has %d slices", last+1)
	}
	if o.View().Z != (last+1)/2 {
		t.Errorf("a stack opens at slice %d of %d, not in its middle", o.View().Z, last+1)
	}
	o.StepZ(-1000)
	if o.View().Z != 0 {
		t.Errorf("before the first slice: %d", o.View().Z)
	}
	o.StepZ(1000)
	o.settle(t)
	if o.View().Z != last || o.picked.loaded.z != last {
		t.Errorf("beyond the last slice: view %d, picture %d, last %d", o.View().Z, o.picked.loaded.z, last)
	}
	if o.View().Tones[0].Lo >= o.View().Tones[0].Hi {
		t.Error("the contrast of a stack is not fixed, it would flicker from slice to slice")
	}
}

func TestRapidStepsShowOnlyTheNewest(t *testing.T) {
	o := openDemo(t, 1)
	o.SetZ(0)
	for range 20 {
		o.StepZ(1)
	}
	o.settle(t)
	if o.picked.loaded.z != 20 {
		t.Errorf("after twenty steps the picture shows slice %d", o.picked.loaded.z)
	}
}

func TestSwitchingRunsKeepsThePlace(t *testing.T) {
	o := openDemo(t, 0)
	o.SelectImage(3)
	o.settle(t)
	o.ZoomBy(3, 100, 100)
	v, name := o.View(), o.imageName()
	o.SelectRun(1)
	o.settle(t)
	if got := o.View(); got.At != v.At || got.Zoom != v.Zoom || o.imageName() != name {
		t.Errorf("another run moved the view from %v to %v", v, got)
	}
}

func TestBlinkShowsOneAtATime(t *testing.T) {
	o := openDemo(t, 0)
	o.SetBlink(true)
	truth := o.Shown()
	o.BlinkStep()
	answer := o.Shown()
	o.SetBlink(false)
	if truth.Truth.Style == viewer.Hidden || truth.Answer.Style != viewer.Hidden || truth.Errors {
		t.Errorf("first phase: %v", truth)
	}
	if answer.Answer.Style == viewer.Hidden || answer.Truth.Style != viewer.Hidden {
		t.Errorf("second phase: %v", answer)
	}
	if after := o.Shown(); !after.Errors {
		t.Errorf("after blinking: %v", after)
	}
}

func TestBrokenThingsCostThemselvesAlone(t *testing.T) {
	o := openDemo(t, 0)
	empty := t.TempDir()
	lie := filepath.Join(empty, "lie.tif")
	os.WriteFile(lie, []byte("II*\x00\xff\xff\xff\x7f"), 0o644)
	o.Open(filepath.Join(empty, "nothing"), lie)
	o.settle(t)
	if n := len(o.MessageList()); n == 0 {
		t.Fatal("a path that is not there and a broken image, and no message")
	}
	o.SelectTask(0)
	o.settle(t)
	if o.Scene() == nil || o.Report() == nil {
		t.Error("the task that was open is gone")
	}
}

func TestStylesOfAMovieAreThoseOfTheFrame(t *testing.T) {
	r := &report.Report{Images: []report.Image{{Status: report.Scored}}, Marks: []report.Mark{
		{Kind: report.TP, Pred: 1, Truth: 1}, {Kind: report.FP, Pred: 1, T: 3}, {Kind: report.FN, Truth: 7, T: 3}}}
	if got := StylesOf(r, 0, 0); got.Answer[1] != render.Match || len(got.Truth) != 0 {
		t.Errorf("frame 0: %+v", got)
	}
	if got := StylesOf(r, 0, 3); got.Answer[1] != render.Extra || got.Truth[7] != render.Missed {
		t.Errorf("frame 3: %+v", got)
	}
}

func TestStylesFollowTheMarks(t *testing.T) {
	r := &report.Report{Images: []report.Image{{Status: report.Scored}, {Status: report.MissingAnswer}}, Marks: []report.Mark{
		{Kind: report.TP, Pred: 1, Truth: 1}, {Kind: report.Weak, Pred: 2, Truth: 2}, {Kind: report.FP, Pred: 3}, {Kind: report.FN, Truth: 4},
		{Kind: report.Split, Truth: 2, Others: []report.ID{2, 3}, Diagnostic: true}, {Kind: report.Merge, Pred: 1, Diagnostic: true},
		{Kind: report.FP, Pred: 9, Image: 1}}}
	got := StylesOf(r, 0, 0)
	want := map[int64]render.Style{1: render.Match, 2: render.Double, 3: render.Double}
	for id, style := range want {
		if got.Answer[id] != style {
			t.Errorf("answer %d: style %d, want %d", id, got.Answer[id], style)
		}
	}
	if len(got.Answer) != 3 || got.Truth[4] != render.Missed || len(got.Truth) != 1 {
		t.Errorf("styles %+v", got)
	}
	if !StylesOf(r, 1, 0).Unjudged {
		t.Error("an image without an answer is not drawn as missed")
	}
}
