package app

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"coverslip/app/session"
	"coverslip/datasets/raster"
	"coverslip/scoring"
	"coverslip/scoring/report"
	"coverslip/viewer"
	"coverslip/viewer/render"
)

// fakeSession is a session in a few fields, with a record of what the panels ask of it.
type fakeSession struct {
	did      []string
	images   []session.ImageItem
	rows     []session.Row
	kinds    []session.KindCount
	selected int
	only     bool
	column   string
	falling  bool
	text     session.ScoreText
	report   *scoring.Report
	shape    raster.Shape
	view     viewer.View
	channels []session.ChannelSwitch
	scene    *render.Scene
	parts    []string
	status   session.Status
	jobs     []session.Job
	messages []session.Message
	colours  []viewer.Colour
}

func (f *fakeSession) do(format string, args ...any) {
	f.did = append(f.did, fmt.Sprintf(format, args...))
}
func (f *fakeSession) last() string {
	if len(f.did) == 0 {
		return ""
	}
	return f.did[len(f.did)-1]
}

func (f *fakeSession) Images() []session.ImageItem     { return f.images }
func (f *fakeSession) SelectImage(i int)               { f.do("image %d", i) }
func (f *fakeSession) ErrorCount() (shown, all int)    { return len(f.rows), 9 }
func (f *fakeSession) ErrorRow(i int) session.Row      { return f.rows[i] }
func (f *fakeSession) ErrorKinds() []session.KindCount { return f.kinds }
func (f *fakeSession) ToggleKind(kind string)          { f.do("kind %s", kind) }
func (f *fakeSession) SetSearch(text string)           { f.do("search %s", text) }
func (f *fakeSession) OnlyThisImage(on bool)           { f.only = on; f.do("only %v", on) }
func (f *fakeSession) IsOnlyThisImage() bool           { return f.only }
func (f *fakeSession) SortErrors(column string, falling bool) {
	f.column, f.falling = column, falling
	f.do("sort %s %v", column, falling)
}
func (f *fakeSession) ErrorSort() (string, bool)             { return f.column, f.falling }
func (f *fakeSession) Selected() int                         { return f.selected }
func (f *fakeSession) SelectError(row int)                   { f.selected = row; f.do("error %d", row) }
func (f *fakeSession) WorstError()                           { f.do("worst") }
func (f *fakeSession) ScoreText() session.ScoreText          { return f.text }
func (f *fakeSession) WhatIf() ([]report.Line, bool)         { return nil, false }
func (f *fakeSession) TryRemedies()                          {}
func (f *fakeSession) Report() *scoring.Report               { return f.report }
func (f *fakeSession) Shape() raster.Shape                   { return f.shape }
func (f *fakeSession) View() viewer.View                     { return f.view }
func (f *fakeSession) SetView(v viewer.View) error           { f.view = v; f.do("view %s", v); return nil }
func (f *fakeSession) Plane() (t, z int)                     { return f.view.T, f.view.Z }
func (f *fakeSession) SetZ(z int)                            { f.do("z %d", z) }
func (f *fakeSession) SetT(t int)                            { f.do("t %d", t) }
func (f *fakeSession) Parts() []string                       { return f.parts }
func (f *fakeSession) Part() int                             { return 0 }
func (f *fakeSession) SelectPart(i int)                      { f.do("part %d", i) }
func (f *fakeSession) ChannelNames() []session.ChannelSwitch { return f.channels }
func (f *fakeSession) Scene() *render.Scene                  { return f.scene }
func (f *fakeSession) SetTone(c int, t viewer.Tone)          { f.do("tone %d %+v", c, t) }
func (f *fakeSession) ToggleChannel(c int)                   { f.do("channel %d", c) }
func (f *fakeSession) ToggleSingle()                         { f.do("single") }
func (f *fakeSession) ToggleAnswer()                         { f.do("answer") }
func (f *fakeSession) ToggleTruth()                          { f.do("truth") }
func (f *fakeSession) ToggleErrors()                         { f.do("errors") }
func (f *fakeSession) ToggleImage()                          { f.do("pixels") }
func (f *fakeSession) ToggleBar()                            { f.do("bar") }
func (f *fakeSession) AutoContrast()                         { f.do("auto") }
func (f *fakeSession) Status() session.Status                { return f.status }
func (f *fakeSession) JobList() []session.Job                { return f.jobs }
func (f *fakeSession) CancelJob(id int)                      { f.do("cancel %d", id) }
func (f *fakeSession) MessageList() []session.Message        { return f.messages }
func (f *fakeSession) DismissMessages()                      { f.messages = nil; f.do("dismiss") }
func (f *fakeSession) HasPoints() bool                       { return len(f.colours) > 0 }
func (f *fakeSession) HasTracks() bool                       { return len(f.colours) > 0 }
func (f *fakeSession) HasArrows() bool                       { return false }
func (f *fakeSession) Colours() []viewer.Colour              { return f.colours }
func (f *fakeSession) SetColour(c viewer.Colour)             { f.do("colour %d", c) }
func (f *fakeSession) SetTail(frames int)                    { f.do("tail %d", frames) }
func (f *fakeSession) StepArrows(n int)                      { f.do("arrows %d", n) }
func (f *fakeSession) ToggleMask()                           { f.do("mask") }
func (f *fakeSession) ToggleOnly()                           { f.do("focus only") }
func (f *fakeSession) ToggleRadius()                         { f.do("radius") }

const everything = ^session.Topic(0)

func noKeys() *keyboard {
	k := newKeyboard(nil)
	k.blocked = func() bool { return false }
	return k
}

// onWindow lays an object out in a window of a size.
func onWindow(t *testing.T, o fyne.CanvasObject, width, height float32) fyne.Window {
	w := test.NewTempWindow(t, o)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(width, height))
	return w
}

func startApp(t *testing.T) { test.NewTempApp(t).Settings().SetTheme(newTheme()) }

func TestSectionShowsAndSelects(t *testing.T) {
	startApp(t)
	at, chosen := 1, -1
	items := []itemText{{name: "kidney_01", figure: "0.81", word: "3 errors"}, {name: "kidney_02", figure: "0.74"}, {name: "kidney_03"}}
	s := newSection("IMAGES", "", noKeys(), func() int { return at }, func(i int) { chosen = i }, func() []itemText { return items })
	onWindow(t, s.content, 220, 300)
	s.Refresh()
	if chosen != -1 {
		t.Error("showing a selection made one")
	}
	s.list.Select(2)
	if chosen != 2 {
		t.Errorf("a click chose %d", chosen)
	}
	s.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	if chosen != 0 {
		t.Errorf("Up from 1 chose %d", chosen)
	}
	chosen, at = -1, 2
	s.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if chosen != -1 {
		t.Errorf("Down at the end chose %d", chosen)
	}
}

func TestListWordsTellStates(t *testing.T) {
	runs := runTexts([]session.RunItem{{Name: "a", State: session.Done, Score: "0.780", Passed: true}, {Name: "b", State: session.Done, Score: "no score"}, {Name: "c", State: session.Failed, Score: "failed"}})
	if runs[0].word != "passes" || runs[1].word != "" || runs[1].figure != "no score" || runs[2].tone == runs[1].tone {
		t.Errorf("runs are %+v", runs)
	}
	images := imageTexts([]session.ImageItem{{Name: "x", Errors: 1}, {Name: "y", Errors: 4, Score: "0.5"}, {Name: "z", Status: "missing", Errors: 7}})
	if images[0].word != "1" || images[1].word != "4" || images[2].word != "missing" || !images[2].bad {
		t.Errorf("images are %+v", images)
	}
}

func TestRowsGiveNamesAllTheRoom(t *testing.T) {
	startApp(t)
	const name = "human_pancreas_01"
	r := newItemRow(true)
	onWindow(t, r, 212, 24)
	for _, c := range []itemText{{word: "shape differs", figure: "no score"}, {word: "9"}, {word: "46", figure: "0.894"}, {word: "2108", figure: "0.9"}, {}} {
		c.name = name
		r.Set(c, false)
		for _, cell := range []*cutText{r.word, r.figure} {
			if cell.text.Text != cell.full {
				t.Errorf("%+v: %q is cut to %q", c, cell.full, cell.text.Text)
			}
		}
		used := float32(2 * rowPad)
		for _, cell := range []*cutText{r.word, r.figure} {
			if cell.full != "" {
				used += fyne.MeasureText(cell.full, cell.text.TextSize, cell.text.TextStyle).Width + 1 + 8
			}
		}
		if free := 212 - used; r.name.Size().Width < free-0.5 || fyne.MeasureText(name, sizeText, fyne.TextStyle{}).Width <= free && r.name.text.Text != name {
			t.Errorf("%+v: of %v dp the name has %v and is %q", c, free, r.name.Size().Width, r.name.text.Text)
		}
	}
}

func TestScoreLinesLeadToAPlace(t *testing.T) {
	startApp(t)
	f := &fakeSession{
		images: []session.ImageItem{{Name: "kidney_1"}, {Name: "kidney_10"}, {Name: "liver"}},
		rows:   []session.Row{{Kind: "FP"}, {Kind: "FN"}, {Kind: "merge"}},
	}
	p := newScorePanel(f)
	for text, want := range map[string]string{
		"Lowest is kidney_10: 2 x 5 / 7": "image 1",
		"kidney_1 has no answer":         "image 0",
		"7 FN cost 0.02":                 "error 1",
		"mean over 3 images":             "worst",
		"FNR is another word":            "worst",
	} {
		p.lead(text)
		if f.last() != want {
			t.Errorf("%q led to %q, want %q", text, f.last(), want)
		}
	}
}

func TestScorePanelShowsNoneUnlikeZero(t *testing.T) {
	startApp(t)
	f := &fakeSession{text: session.ScoreText{Headline: "no score", Verdict: "no truth is here"}, report: &scoring.Report{Result: scoring.Result{None: true}}}
	p := newScorePanel(f)
	onWindow(t, p.content, 370, 300)
	p.Refresh(session.Score)
	none := p.headline.Color
	f.text = session.ScoreText{Headline: "0.000", Lines: []report.Line{{Head: "Score", Text: "0"}}, Notes: []scoring.Note{{Level: report.Warning, File: "/a/b.tif", Text: "t", Fix: "f"}}}
	f.report = &scoring.Report{Threshold: 0.5}
	p.Refresh(session.Score)
	if p.headline.Text != "0.000" || p.headline.Color == none || len(p.lines.Objects) != 2 {
		t.Errorf("headline %q in %v, %d lines", p.headline.Text, p.headline.Color, len(p.lines.Objects))
	}
}

func TestErrorTableSortsFiltersAndSelects(t *testing.T) {
	startApp(t)
	q := session.NewQueue()
	f := &fakeSession{
		rows:  []session.Row{{Kind: "FN", Image: "a", Cost: "0.1", Text: "missed"}, {Kind: "split", Image: "b"}},
		kinds: []session.KindCount{{Kind: "FP", N: 1, On: true}, {Kind: "FN", N: 1}}, selected: 0, column: "cost", falling: true,
	}
	p := newErrorPanel(f, noKeys(), q.Post)
	w := onWindow(t, p.content, 370, 400)
	p.Refresh(everything)
	if p.count.Text != "2 of 9 rows shown" || p.detail.Text != "missed" || len(f.did) != 0 {
		t.Errorf("%q, %q, %v", p.count.Text, p.detail.Text, f.did)
	}
	for _, c := range []struct {
		tap  *chip
		want string
	}{{p.kinds["FN"], "kind FN"}, {p.only, "only true"}, {p.heads[4], "sort cost false"}, {p.heads[0], "sort kind false"}, {p.heads[3], "sort wrong true"}} {
		test.Tap(c.tap)
		if f.last() != c.want {
			t.Errorf("%q gave %q, want %q", c.tap.text.Text, f.last(), c.want)
		}
	}
	p.list.Select(1)
	if f.last() != "error 1" {
		t.Errorf("a click on a row gave %q", f.last())
	}
	w.Canvas().Focus(p.search)
	test.Type(p.search, "kid")
	q.Wait(func() bool { return strings.HasPrefix(f.last(), "search") })
	if f.last() != "search kid" || strings.Count(strings.Join(f.did, " "), "search") != 1 {
		t.Errorf("typing three letters gave %v", f.did)
	}
}

func TestAxisRowsHideWhatHasOneStep(t *testing.T) {
	startApp(t)
	f := &fakeSession{}
	p := newAxisPanel(f, noKeys(), func(axis byte) { f.do("play %c", axis) })
	onWindow(t, p.content, 600, 120)
	p.Refresh(everything)
	if p.content.Visible() {
		t.Error("rows are shown without an image")
	}
	f.shape, f.view.Z = raster.Shape{T: 1, Z: 12, C: 2, Y: 5, X: 5}, 7
	f.channels = []session.ChannelSwitch{{Name: "DAPI", On: true}, {Name: "actin"}}
	f.parts = []string{"nuclei", "cytoplasm"}
	p.Refresh(everything)
	if !p.content.Visible() || !p.z.content.Visible() || p.t.content.Visible() {
		t.Error("of z 12 and t 1, only the slices need a row")
	}
	if p.z.box.Text != "7" || p.z.last.Text != "0 to 11" || len(p.channels) != 2 || !p.channels[0].on || p.channels[1].on || len(p.parts) != 2 || len(f.did) != 0 {
		t.Errorf("box %q %q, channels %v, did %v", p.z.box.Text, p.z.last.Text, len(p.channels), f.did)
	}
	p.z.box.OnSubmitted(" 9 ")
	p.z.slider.SetValue(3)
	test.Tap(p.z.play)
	test.Tap(p.channels[1])
	test.Tap(p.parts[1])
	if got := strings.Join(f.did, ", "); got != "z 9, z 3, play z, channel 1, part 1" {
		t.Errorf("did %s", got)
	}
}

func TestLayerPanelSetsStyleAndTone(t *testing.T) {
	startApp(t)
	f := &fakeSession{channels: []session.ChannelSwitch{{Name: "DAPI", On: true}}, scene: ramp()}
	f.view = viewer.View{Answer: viewer.LabelLayer{Style: viewer.Fill}, Tones: []viewer.Tone{{Lo: 10, Hi: 90}}}
	p := newLayerPanel(f, noKeys(), session.NewQueue().Post)
	onWindow(t, p.content, 370, 500)
	p.Refresh(everything)
	if len(f.did) != 0 || p.lo.slider.Value != 10 || math.Abs(p.hi.slider.Value-90) > 1e-9 || !p.answer.opacity.Visible() || p.truth.opacity.Visible() {
		t.Fatalf("showing did %v; low %v high %v", f.did, p.lo.slider.Value, p.hi.slider.Value)
	}
	p.truth.style.SetSelectedIndex(1)
	if f.view.Truth.Style != viewer.Outline || f.view.Answer.Style != viewer.Fill {
		t.Errorf("the view is %v", f.view)
	}
	p.lo.slider.SetValue(20)
	if f.last() != "tone 0 {Off:false LUT: Lo:20 Hi:90 Gamma:0}" {
		t.Errorf("the low slider did %q", f.last())
	}
	p.lut.SetSelected("fire")
	if f.last() != "tone 0 {Off:false LUT:fire Lo:10 Hi:90 Gamma:0}" {
		t.Errorf("colours did %q", f.last())
	}
}

// ramp is a scene of one channel with the values 0 to 100.
func ramp() *render.Scene {
	values := make([]uint8, 101)
	for i := range values {
		values[i] = uint8(i)
	}
	plane := raster.Plane{H: 1, W: 101, Type: raster.Uint8, Values: values}
	return &render.Scene{H: 1, W: 101, Channels: []render.Channel{render.PrepareChannel(plane)}}
}

func TestPixelsAreCountedOncePerPlane(t *testing.T) {
	startApp(t)
	q := session.NewQueue()
	f := &fakeSession{channels: []session.ChannelSwitch{{Name: "DAPI", On: true}}, scene: ramp()}
	p := newLayerPanel(f, noKeys(), q.Post)
	onWindow(t, p.content, 370, 500)
	counted := 0
	p.counts.show = func(counts []int) { counted++; p.graph.SetCounts(counts) }
	settle := func() { q.Wait(func() bool { return !p.counts.busy }) }
	p.Refresh(everything)
	if counted != 0 {
		t.Error("pixels are counted on the UI goroutine")
	}
	settle()
	if counted != 1 || len(p.graph.counts) != histogramBins {
		t.Fatalf("counted %d times, %d bins", counted, len(p.graph.counts))
	}
	for zoom := range 5 { // pans, zooms and tones need no count
		f.view.Zoom, f.view.Tones = float64(zoom), []viewer.Tone{{Lo: 0, Hi: float64(zoom + 1)}}
		p.Refresh(session.ViewChanged)
		settle()
	}
	if counted != 1 || p.graph.hi != 5 {
		t.Errorf("counted %d times, the upper limit is %v", counted, p.graph.hi)
	}
	for range 5 { // of planes that come faster than they are counted, only the last needs to be
		f.scene = ramp()
		p.Refresh(session.SceneChanged)
	}
	settle()
	if counted != 3 || p.counts.counted.scene != f.scene {
		t.Errorf("counted %d times, and the last plane is not the one counted", counted)
	}
}

func TestHistogramLimitsAreDragged(t *testing.T) {
	startApp(t)
	var lo, hi float64
	h := newHistogram(func(a, b float64) { lo, hi = a, b })
	onWindow(t, h, 200, 64)
	h.SetCounts([]int{1, 2, 3, 4})
	h.SetLimits(0, 100, 20, 80)
	at := func(x float32) *fyne.DragEvent {
		return &fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 9)}}
	}
	h.Dragged(at(60)) // 30, nearer to the low limit
	h.DragEnd()
	if math.Abs(lo-30) > 1e-4 || hi != 80 {
		t.Errorf("limits %v %v, want 30 80", lo, hi)
	}
	h.Dragged(at(500)) // beyond the end
	h.DragEnd()
	if lo != 20 || hi != 100 {
		t.Errorf("limits %v %v, want 20 100", lo, hi)
	}
	for _, size := range [][2]int{{0, 0}, {1, 1}, {7, 3}, {333, 65}} {
		if b := h.draw(size[0], size[1]).Bounds(); b.Dx() != size[0] || b.Dy() != size[1] {
			t.Errorf("asked for %v, drew %v", size, b)
		}
	}
}

// Text is the whole line, its parts set off by bars.
func (p *statusPanel) Text() string {
	text := ""
	for i, c := range p.cells {
		if i > 0 {
			text += " | "
		}
		text += c.Text()
	}
	return text
}

func TestStatusLineWorkAndMessages(t *testing.T) {
	startApp(t)
	f := &fakeSession{status: session.Status{Position: "y 1 x 2", Values: "value 7", Answer: "answer 3", Scale: "0.5 µm/px"}}
	p := newStatusPanel(f, noKeys(), session.NewQueue().Post)
	onWindow(t, p.content, 1000, 60)
	p.Refresh(everything)
	if p.Text() != "y 1 x 2 | value 7 | answer 3 |  |  |  | 0.5 µm/px" || p.work.Visible() || p.Telling() {
		t.Errorf("%q, work %v, message %v", p.Text(), p.work.Visible(), p.Telling())
	}
	f.jobs = []session.Job{{ID: 4, Title: "Scoring a", Done: 1, Total: 4}, {ID: 5, Title: "Scoring b"}}
	p.Refresh(session.Jobs)
	if !p.work.Visible() || p.progress.Value != 0.25 || p.job.Text() != "Scoring a, 1 more job" {
		t.Errorf("work %v at %v: %q", p.work.Visible(), p.progress.Value, p.job.Text())
	}
	p.content.Resize(fyne.NewSize(880, 60))
	for i, c := range p.cells { // work takes room from the place, it is not drawn over it
		if end := c.Position().X + c.Size().Width; end > p.place.Size().Width && c.text.Text != "" {
			t.Errorf("beside work, cell %d %q ends at %v of %v", i, c.text.Text, end, p.place.Size().Width)
		}
	}
	if p.Stop(); f.last() != "cancel 4" {
		t.Errorf("Stop beside %q gave %q", p.job.Text(), f.last())
	}
	f.messages = []session.Message{{Text: "first"}, {Text: "second"}, {Text: "third"}, {Level: "info", Text: "newest"}}
	p.Refresh(session.Messages)
	if !p.Telling() || p.message.Text != "second\nthird\nnewest" || p.more.Text != "1 earlier" {
		t.Errorf("message %q, %q", p.message.Text, p.more.Text)
	}
	p.Dismiss()
	if p.Telling() || f.last() != "dismiss" {
		t.Error("the message stays")
	}
}

func TestLimitsAreTidy(t *testing.T) {
	for _, c := range []struct{ v, span, want float64 }{{30.0000012, 255, 30}, {12.3456, 255, 12}, {1234.56, 65535, 1200}, {0.123456, 1, 0.123}, {-0.0123456, 0.5, -0.012}, {7, 0, 7}} {
		if got := tidy(c.v, c.span); got != c.want {
			t.Errorf("%v of a range of %v became %v, want %v", c.v, c.span, got, c.want)
		}
	}
}

func TestCutText(t *testing.T) {
	startApp(t)
	for _, c := range []struct {
		text   string
		width  float32
		middle bool
	}{{"short", 300, false}, {"human_kidney_section_07", 90, true}, {"human_kidney_section_07", 90, false}, {"µm µm µm µm µm", 30, true}, {"x", 0, false}, {"", 10, true}} {
		got := cut(c.text, c.width, sizeText, fyne.TextStyle{}, c.middle)
		wide := fyne.MeasureText(got, sizeText, fyne.TextStyle{}).Width
		if wide > c.width && got != "…" || (got == c.text) != (fyne.MeasureText(c.text, sizeText, fyne.TextStyle{}).Width <= c.width || c.text == "") {
			t.Errorf("%q in %v dp became %q", c.text, c.width, got)
		}
		if c.middle && c.width == 90 && !strings.HasSuffix(got, "07") {
			t.Errorf("the end that tells files apart is gone: %q", got)
		}
	}
}

func TestFlowBreaksLines(t *testing.T) {
	startApp(t)
	box := func() fyne.CanvasObject { return newGap(40) }
	a, b, c := box(), box(), box()
	f := &flow{gap: 4}
	f.Layout([]fyne.CanvasObject{a, b, c}, fyne.NewSize(90, 100))
	if a.Position().X != 0 || b.Position().X != 44 || c.Position().X != 0 || c.Position().Y != 5 {
		t.Errorf("placed at %v %v %v", a.Position(), b.Position(), c.Position())
	}
	if h := f.MinSize([]fyne.CanvasObject{a, b, c}).Height; h != 6 {
		t.Errorf("two lines are %v high", h)
	}
}

func TestOverlayControlsShowWhatThereIs(t *testing.T) {
	f := &fakeSession{colours: []viewer.Colour{viewer.ByVerdict, viewer.ByTrack, viewer.ByLineage}, view: viewer.View{Colour: viewer.ByTrack, Tail: 25}}
	p := newLayerPanel(f, noKeys(), func(f func()) { f() })
	onWindow(t, p.content, 360, 700)
	p.Refresh(everything)
	if !p.overlays.Visible() || p.colourBy.Selected != "track" || p.tail.value.Text != "25" || p.arrows.content.Visible() {
		t.Fatalf("shown %v, colours %q, tail %q, arrows %v", p.overlays.Visible(), p.colourBy.Selected, p.tail.value.Text, p.arrows.content.Visible())
	}
	p.colourBy.SetSelectedIndex(2)
	if want := fmt.Sprintf("colour %d", viewer.ByLineage); f.last() != want {
		t.Errorf("%q, expected %q", f.last(), want)
	}
	f.colours = nil
	p.Refresh(everything)
	if p.overlays.Visible() {
		t.Error("controls of points where there are none")
	}
}
