package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"coverslip/viewer/chart"
)

func TestStoryGoToAPlaceAndBack(t *testing.T) {
	w := openDemo(t, 1, 1)
	before := w.session.View()
	w.press("V")
	w.typeText("z 5 y 100 x 120")
	w.focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	w.settle()
	if text := w.session.View().String(); !strings.Contains(text, "z=5") || !strings.Contains(text, "at=100.5,120.5") || len(w.dialogs) != 0 {
		t.Fatalf("view %q, %d dialogs open", text, len(w.dialogs))
	}
	w.press("Z")
	w.settle()
	if got := w.session.View(); !got.Equal(before) {
		t.Errorf("back at %q, expected %q", got, before)
	}
	w.press("Shift+Z")
	w.settle()
	if text := w.session.View().String(); !strings.Contains(text, "at=100.5,120.5") {
		t.Errorf("forward at %q", text)
	}
}

func TestStoryAWrongPlaceIsSaidInTheDialog(t *testing.T) {
	w := openDemo(t, 1, 1)
	w.press("V")
	w.typeText("z 9999")
	w.focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(w.dialogs) != 1 || !strings.Contains(textsIn(w.window.Canvas().Overlays().Top()), "z from 0 to") {
		t.Errorf("%d dialogs say %q", len(w.dialogs), textsIn(w.window.Canvas().Overlays().Top()))
	}
}

func TestStoryBookmarksLastUntilTheNextStart(t *testing.T) {
	w := openDemo(t, 0, 1)
	w.press("W")
	w.settle()
	kept := w.session.View()
	w.press("Ctrl+B")
	w.press("0")
	other := newWorkbench(w.app, Options{Width: 900, Height: 600}, w.queue.Post)
	defer other.session.Close()
	if n := len(other.session.BookmarkMemory()); n != 1 {
		t.Fatalf("%d bookmarks after a new start", n)
	}
	w.press("Shift+B")
	if text := textsIn(w.window.Canvas().Overlays().Top()); !strings.Contains(text, w.session.Bookmarks()[0].Name) {
		t.Errorf("the dialog shows %q", text)
	}
	newBookmarkDialog(w.Workbench).goTo(w.session.Bookmarks()[0])
	w.settle()
	if got := w.session.View(); !got.Equal(kept) {
		t.Errorf("%q, expected %q", got, kept)
	}
}

func TestStoryDragWithCtrlMeasures(t *testing.T) {
	w := openDemo(t, 0, 1)
	w.press("Ctrl+5")
	if text := textsIn(w.measures.content); !strings.Contains(text, lineHint) || !strings.Contains(text, objectHint) {
		t.Fatalf("the empty panel says %q", text)
	}
	w.picture.Modifiers = func() fyne.KeyModifier { return fyne.KeyModifierShortcutDefault }
	w.picture.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(260, 200)}, Dragged: fyne.NewDelta(120, 0)})
	w.picture.DragEnd()
	if text := textsIn(w.measures.content); !strings.Contains(text, "µm (") || w.measures.profile.Hidden {
		t.Errorf("after a drag the panel says %q", text)
	}
	w.press("W")
	w.settle()
	if text := textsIn(w.measures.content); !strings.Contains(text, "mean ") || !strings.Contains(text, " px (") {
		t.Errorf("at an object the panel says %q", text)
	}
	w.press("Shift+Y")
	if !w.measures.profile.Hidden {
		t.Error("the line cannot be removed")
	}
}

func TestStoryADatumOfAPlotLeadsToItsImage(t *testing.T) {
	w := openDemo(t, 0, 1)
	w.press("Ctrl+4")
	if len(w.plots.names) == 0 || w.plots.plot.chart == nil {
		t.Fatal("no plots of a scored run")
	}
	for _, p := range w.session.Plots() {
		if p.Name != "rows" {
			continue
		}
		w.session.SetChart("rows")
		w.session.PickDatum(p, chart.Hit{Ref: chart.Ref{Index: 4}})
		w.settle()
		if w.plots.shown.Name != "rows" || w.session.Image() == 0 {
			t.Errorf("shows %q, image %d", w.plots.shown.Name, w.session.Image())
		}
		return
	}
	t.Errorf("plots %v", w.plots.names)
}

// typeText types into the field that has the focus.
func (w *testBench) typeText(text string) {
	w.t.Helper()
	f, ok := w.focused().(*field)
	if !ok {
		w.t.Fatalf("the focus is on %T, not on a field", w.focused())
	}
	for _, r := range text {
		f.TypedRune(r)
	}
}

func (w *testBench) focused() fyne.Focusable { return w.window.Canvas().Focused() }
