package app

import (
	"context"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"coverslip/app/session"
	"coverslip/datasets/demo"
	"coverslip/viewer/render"
)

// testBench is a workbench under the test driver. Work that comes back waits in a queue until the test asks for it.
type testBench struct {
	*Workbench
	t     *testing.T
	queue *session.Queue
	mods  fyne.KeyModifier
}

func newTestBench(t *testing.T) *testBench {
	t.Helper()
	a := test.NewTempApp(t)
	w := &testBench{t: t, queue: session.NewQueue()}
	w.Workbench = newWorkbench(a, Options{Width: 1280, Height: 800}, w.queue.Post)
	w.keyboard.modifiers = func() fyne.KeyModifier { return w.mods }
	w.window.Canvas().Capture() // the first frame tells the picture's size
	t.Cleanup(w.session.Close)
	return w
}

// settle waits until nothing runs and nothing is being read.
func (w *testBench) settle() {
	w.t.Helper()
	if !w.queue.Wait(func() bool { return len(w.session.JobList()) == 0 && !w.session.Loading() && !w.cells.Busy() }) {
		w.t.Fatal("the window did not come to rest")
	}
}

// writtenDemo is a demo that all stories of one test run share.
var writtenDemo = sync.OnceValues(func() (demo.Layout, error) {
	dir, err := os.MkdirTemp("", "coverslip-demo-")
	if err != nil {
		return demo.Layout{}, err
	}
	demoDir = dir
	return demo.WriteTasks(context.Background(), dir, func(int, int) {}, demo.First()...)
})

var demoDir string

func TestMain(m *testing.M) {
	code := m.Run()
	if demoDir != "" {
		os.RemoveAll(demoDir)
	}
	os.Exit(code)
}

// openDemo opens a task of the demo, 0 the nuclei and 1 the stack, with so many of its runs, and waits for picture and score.
func openDemo(t *testing.T, task, runs int) *testBench {
	t.Helper()
	layout, err := writtenDemo()
	if err != nil {
		t.Fatal(err)
	}
	w := newTestBench(t)
	dir := layout.Tasks[task]
	w.open(Options{Paths: append([]string{dir}, layout.Runs[dir][:runs]...)})
	w.settle()
	if w.session.Scene() == nil || runs > 0 && w.session.Report() == nil {
		t.Fatalf("the demo has no report or no picture: %v", w.session.MessageList())
	}
	return w
}

// centred tells whether the object of the selected error is in the middle of the picture, and named in the status line.
func (w *testBench) centred() error {
	row := w.session.ErrorRow(w.session.Selected())
	m := w.session.Report().Marks[row.Mark]
	v, status := w.session.View(), w.status.Text()
	if math.Hypot(v.At.Y-m.Y-0.5, v.At.X-m.X-0.5) > 0.01 || v.Zoom == 0 {
		return fmt.Errorf("view %v, object at y %.1f x %.1f", v, m.Y, m.X)
	}
	sh := w.session.Shape()
	pw, ph := w.picture.DeviceSize()
	y, x := render.CameraOf(v, sh.Y, sh.X, pw, ph).ToDevice(v.At)
	if y < float64(ph)/2-1 || y > float64(ph)/2+1 || x < float64(pw)/2-1 || x > float64(pw)/2+1 {
		return fmt.Errorf("the object is at %.0f, %.0f of %d x %d", y, x, ph, pw)
	}
	if !strings.Contains(status, fmt.Sprintf("error %d of", w.session.Selected()+1)) || !strings.Contains(status, fmt.Sprintf("y %d x %d", int(m.Y+0.5), int(m.X+0.5))) {
		return fmt.Errorf("the status line says %q", status)
	}
	return nil
}

func TestStoryWorstErrorThenTheNextTen(t *testing.T) {
	w := openDemo(t, 0, 1)
	w.press("W")
	w.settle()
	if err := w.centred(); err != nil {
		t.Fatal(err)
	}
	if w.session.Selected() != 0 || !strings.Contains(w.session.View().String(), "focus=") {
		t.Errorf("row %d, view %q", w.session.Selected(), w.session.View())
	}
	seen := map[int]bool{w.session.ErrorRow(0).Mark: true}
	for range 10 {
		w.press("N")
		w.settle()
		if err := w.centred(); err != nil {
			t.Fatal(err)
		}
		seen[w.session.ErrorRow(w.session.Selected()).Mark] = true
	}
	if len(seen) != 11 {
		t.Errorf("eleven stops at %d different errors", len(seen))
	}
}

func TestStoryTheWalkVisitsEachErrorOfTheReport(t *testing.T) {
	w := openDemo(t, 1, 1)
	want := 0
	for _, m := range w.session.Report().Marks {
		if session.IsError(m) {
			want++
		}
	}
	w.press("W")
	seen := map[int]bool{}
	for range want + 5 {
		seen[w.session.ErrorRow(w.session.Selected()).Mark] = true
		w.press("N")
	}
	if _, all := w.session.ErrorCount(); len(seen) != want || all != want {
		t.Errorf("visited %d, the table has %d, the report %d errors", len(seen), all, want)
	}
}

func TestStoryHoldSpaceFlipsAnswerAndTruth(t *testing.T) {
	w := openDemo(t, 0, 1)
	before := w.session.Shown().String()
	w.down("Space")
	first := w.session.Shown().String()
	w.session.BlinkStep()
	second := w.session.Shown().String()
	if first == before || first == second || strings.Contains(first, "answer=") == strings.Contains(second, "answer=") {
		t.Errorf("held: %q then %q", first, second)
	}
	w.up("Space")
	if got := w.session.Shown().String(); got != before || w.blink.Running() {
		t.Errorf("after letting go: %q, before %q", got, before)
	}
}

func TestStoryKeysChangeTheView(t *testing.T) {
	w := openDemo(t, 0, 1)
	for _, c := range []struct{ keys, has, lacks string }{
		{"A", "answer=outline", "errors=on"}, // the same borders: one makes room for the other
		{"O", "answer=fill", "answer=outline"},
		{"G", "truth=fill", ""},
		{"A", "", "answer="},
		{"E", "errors=on", ""},
		{"1", "off=0", ""},
		{"1", "", "off="},
		{"F", "single=on", ""},
		{"2", "channel=1", ""},
		{"B", "", "bar=on"},
		{"I", "pixels=off", ""},
		{"+", "zoom=", "zoom=fit"},
		{"0", "", "zoom="},
	} {
		w.press(c.keys)
		v := w.session.View().String()
		if !strings.Contains(v, c.has) || c.lacks != "" && strings.Contains(v, c.lacks) {
			t.Errorf("after %s the view is %q", c.keys, v)
		}
	}
}

func TestStoryABrokenFolderIsSaidAndTheRestWorks(t *testing.T) {
	w := openDemo(t, 0, 1)
	broken := t.TempDir()
	os.WriteFile(filepath.Join(broken, "task_spec.yaml"), []byte("task_id: [\n"), 0o644)
	w.dropped(fyne.Position{}, []fyne.URI{storage.NewFileURI(broken)})
	w.settle()
	if !w.status.Telling() || w.status.message.Text == "" {
		t.Error("nothing is said about the broken folder")
	}
	w.press("W")
	w.settle()
	if err := w.centred(); err != nil {
		t.Error(err)
	}
	w.press("Escape")
	if w.status.Telling() {
		t.Error("Escape does not clear the message")
	}
}

func TestStorySlicesAndPlay(t *testing.T) {
	w := openDemo(t, 1, 0)
	w.session.SetZ(0)
	for _, c := range []struct {
		key string
		z   int
	}{{".", 1}, {"Shift+.", 11}, {",", 10}, {"Shift+,", 0}} {
		w.press(c.key)
		w.settle()
		if z := w.session.View().Z; z != c.z || w.axes.z.box.Text != fmt.Sprint(c.z) || int(w.axes.z.slider.Value) != c.z {
			t.Errorf("after %s: z %d, box %q, slider %v", c.key, z, w.axes.z.box.Text, w.axes.z.slider.Value)
		}
	}
	w.settle()
	w.press("K")
	if !w.queue.Wait(func() bool { return w.session.View().Z >= 2 }) || !w.play.Running() {
		t.Error("K does not play")
	}
	w.press("K")
	if w.play.Running() {
		t.Error("K does not stop the film")
	}
}

func TestStoryRunsAndImagesByKey(t *testing.T) {
	w := openDemo(t, 0, 2)
	w.press("PageDown")
	w.settle()
	if w.session.Image() != 1 {
		t.Errorf("image %d after Page Down", w.session.Image())
	}
	headline := w.score.headline.Text
	w.press("R")
	w.settle()
	if w.session.Run() != 1 || w.session.Image() != 1 || w.score.headline.Text == headline {
		t.Errorf("run %d image %d score %s", w.session.Run(), w.session.Image(), w.score.headline.Text)
	}
}

func TestStoryViewTextIsCopiedAndPasted(t *testing.T) {
	w := openDemo(t, 0, 1)
	w.press("W")
	w.settle()
	want := w.session.View()
	w.press("Ctrl+Shift+C")
	w.press("0")
	w.press("Ctrl+V")
	if got := w.session.View(); got.At != want.At || got.Zoom != want.Zoom || got.Image != want.Image {
		t.Errorf("pasted %q, copied %q", got, want)
	}
	w.app.Clipboard().SetContent("image=nowhere")
	w.press("Ctrl+V")
	if !w.status.Telling() {
		t.Error("a view of an unknown image is not complained about")
	}
}

func TestStorySavedPictureIsTheOneShown(t *testing.T) {
	w := openDemo(t, 0, 1)
	path := filepath.Join(t.TempDir(), "shot.png")
	w.savePicture(path, 1)
	if !w.queue.Wait(w.status.Telling) {
		t.Fatal("nothing is said about the saved picture")
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	im, err := png.Decode(f)
	pw, ph := w.picture.DeviceSize()
	if err != nil || im.Bounds().Dx() != pw || im.Bounds().Dy() != ph {
		t.Errorf("%v, %v; the picture has %d x %d", err, im.Bounds(), pw, ph)
	}
	w.savePicture(filepath.Join(path, "below-a-file.png"), 1)
	w.queue.Wait(func() bool { return strings.Contains(w.status.message.Text, "cannot be saved") })
	if !strings.Contains(w.status.message.Text, "cannot be saved") {
		t.Errorf("the message is %q", w.status.message.Text)
	}
}

func TestStoryStoppedScoringIsStartedAgain(t *testing.T) {
	layout, err := writtenDemo()
	if err != nil {
		t.Fatal(err)
	}
	w := newTestBench(t)
	dir := layout.Tasks[0]
	w.open(Options{Paths: append([]string{dir}, layout.Runs[dir][0])})
	w.queue.Wait(func() bool { return strings.HasPrefix(w.status.job.Text(), "Scoring") })
	w.press("Escape")
	w.settle()
	if run := w.session.Runs()[0]; run.State != session.Stopped || w.lists.runs.items[0].figure != "stopped" {
		t.Fatalf("after Escape the run is %+v", run)
	}
	w.press("Ctrl+R")
	w.settle()
	if run := w.session.Runs()[0]; run.State != session.Done || w.session.Report() == nil || w.score.headline.Text != run.Score {
		t.Errorf("after Ctrl+R the run is %+v, the headline %q", run, w.score.headline.Text)
	}
}

func TestEscapeStopsTheWorkThatIsNamed(t *testing.T) {
	w := newTestBench(t)
	f := &fakeSession{jobs: []session.Job{{ID: 4, Title: "Scoring a"}, {ID: 5, Title: "Scoring b"}}}
	w.status = newStatusPanel(f, w.keyboard, w.queue.Post)
	w.status.Refresh(session.Jobs)
	w.press("Escape")
	if f.last() != "cancel 4" {
		t.Errorf("beside %q, Escape gave %q", w.status.job.Text(), f.last())
	}
}

func TestStoryKeySheetOpensAndCloses(t *testing.T) {
	w := openDemo(t, 0, 1)
	w.press("?")
	if w.window.Canvas().Overlays().Top() == nil {
		t.Fatal("? shows nothing")
	}
	bar := w.session.View().Bar
	w.press("B")
	if w.session.View().Bar != bar {
		t.Error("keys act on the window below a dialog")
	}
	w.press("Escape")
	if w.window.Canvas().Overlays().Top() != nil {
		t.Error("Escape does not close the key sheet")
	}
}

func TestStoryEmptyWindowSaysWhatToDo(t *testing.T) {
	w := newTestBench(t)
	text := textsIn(w.welcome)
	if !w.welcome.Visible() || !strings.Contains(text, "Drop a task folder") || !strings.Contains(text, "Open the demo") {
		t.Errorf("the empty window says %q", text)
	}
	for _, a := range w.table { // nothing open is no reason to fail
		if a.isEnabled() && a.Release == nil && !strings.HasPrefix(a.ID, "open") && a.ID != "demo" && a.ID != "quit" {
			a.Run()
		}
	}
}

// textsIn are all texts of an object, each on a line.
func textsIn(o fyne.CanvasObject) string {
	text := ""
	for _, o := range test.LaidOutObjects(o) {
		switch o := o.(type) {
		case *canvas.Text:
			text += o.Text + "\n"
		case *widget.Button:
			text += o.Text + "\n"
		case *widget.Label:
			text += o.Text + "\n"
		}
	}
	return text
}
