package app

import (
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"coverslip/viewer"
)

// tapTop taps a button of the topmost dialog.
func (w *testBench) tapTop(name string) {
	w.t.Helper()
	if top := w.window.Canvas().Overlays().Top(); top != nil {
		for _, o := range test.LaidOutObjects(top) {
			if b, ok := o.(*widget.Button); ok && b.Text == name {
				test.Tap(b)
				return
			}
		}
	}
	w.t.Fatalf("there is no button %q", name)
}

// askedToSave opens the dialog for a folder and types a name.
func (w *testBench) askedToSave(folder, name string) *saveDialog {
	w.app.Preferences().SetString(prefSave, folder)
	d := newSaveDialog(w.Workbench)
	d.open()
	d.name.SetText(name)
	return d
}

func namesIn(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestStorySaveAsksBeforeItReplaces(t *testing.T) {
	w := openDemo(t, 0, 1)
	folder := t.TempDir()
	path := filepath.Join(folder, "foo.png")
	os.WriteFile(path, []byte("old"), 0o644)
	d := w.askedToSave(folder, "foo")
	d.name.OnSubmitted("foo")
	if !w.queue.Wait(func() bool { return len(w.dialogs) == 2 }) {
		t.Fatal("nothing is asked before a file is replaced")
	}
	w.tapTop("Keep")
	if old, _ := os.ReadFile(path); string(old) != "old" || len(namesIn(t, folder)) != 1 || len(w.dialogs) != 1 {
		t.Fatalf("kept, the file is %q among %v, %d dialogs", old, namesIn(t, folder), len(w.dialogs))
	}
	w.tapTop("Save")
	w.queue.Wait(func() bool { return len(w.dialogs) == 2 })
	w.tapTop("Replace")
	w.queue.Wait(w.status.Telling)
	if now, _ := os.ReadFile(path); len(now) < 1000 || len(namesIn(t, folder)) != 1 || len(w.dialogs) != 0 {
		t.Errorf("replaced, the file has %d bytes among %v, %d dialogs", len(now), namesIn(t, folder), len(w.dialogs))
	}
}

func TestStorySaveTouchesNothingUntilItWrites(t *testing.T) {
	w := openDemo(t, 0, 1)
	folder := t.TempDir()
	os.Mkdir(filepath.Join(folder, "taken.png"), 0o755)
	w.askedToSave(folder, "foo")
	w.press("Escape")
	if len(w.dialogs) != 0 || len(namesIn(t, folder)) != 1 {
		t.Fatalf("after Escape: %d dialogs, files %v", len(w.dialogs), namesIn(t, folder))
	}
	d := w.askedToSave(folder, "taken")
	w.tapTop("Save")
	w.queue.Wait(func() bool { return d.says.Text == "taken.png is a folder. Choose another name." })
	d.name.SetText("new")
	w.tapTop("Save")
	w.queue.Wait(w.status.Telling)
	if got := namesIn(t, folder); len(got) != 2 || got[0] != "new.png" || len(w.dialogs) != 0 {
		t.Errorf("the folder holds %v, %d dialogs, %q", got, len(w.dialogs), d.says.Text)
	}
	if w.saveFolder() != folder {
		t.Errorf("the next picture would go to %q", w.saveFolder())
	}
}

func TestPictureFile(t *testing.T) {
	for typed, want := range map[string]string{
		"foo": "foo.png", " foo.PNG ": "foo.PNG", "foo.jpg": "foo.jpg.png", "µ 1.png": "µ 1.png",
		"": "", "  ": "", ".": "", "..": "", "a/b": "", "/tmp/a.png": "", "a/": "",
	} {
		file, why := pictureFile(typed, onePicture)
		if file != want || (why == "") != (want != "") {
			t.Errorf("%q became %q, %q", typed, file, why)
		}
	}
}

func TestPictureFileOfSeries(t *testing.T) {
	for _, c := range []struct {
		typed string
		kind  savedKind
		want  string
	}{
		{"foo", film, "foo.gif"}, {"foo.png", film, "foo.gif"}, {"foo.GIF", film, "foo.gif"}, {"foo.gif", onePicture, "foo.png"},
		{"foo", eachFrame, "foo_0000.png"}, {"foo.png", eachFrame, "foo_0000.png"}, {"a.b", eachFrame, "a.b_0000.png"}, {"a/b", film, ""},
	} {
		if file, _ := pictureFile(c.typed, c.kind); file != c.want {
			t.Errorf("%q as kind %d became %q, expected %q", c.typed, c.kind, file, c.want)
		}
	}
}

// TestStorySaveAStackAsFilmAndFrames reads what was written with the standard library.
func TestStorySaveAStackAsFilmAndFrames(t *testing.T) {
	w := openDemo(t, 1, 1)
	folder := t.TempDir()
	slices := w.session.Shape().Z
	w.session.SetPictureSize(200, 150, 1)
	d := w.askedToSave(folder, "stack")
	d.what.SetSelectedIndex(int(film))
	w.tapTop("Save")
	w.settle()
	w.queue.Wait(w.status.Telling)
	f, err := os.Open(filepath.Join(folder, "stack.gif"))
	if err != nil {
		t.Fatal(err, w.status.Text())
	}
	defer f.Close()
	movie, err := gif.DecodeAll(f)
	if err != nil || len(movie.Image) != slices {
		t.Fatalf("%d pictures of %d slices, %v", len(movie.Image), slices, err)
	}
	w.status.Dismiss()
	d = w.askedToSave(folder, "stack")
	d.what.SetSelectedIndex(int(eachFrame))
	w.tapTop("Save")
	w.settle()
	w.queue.Wait(w.status.Telling)
	if n := len(namesIn(t, folder)); n != slices+1 {
		t.Fatalf("%d files after saving %d slices", n, slices)
	}
	w.session.SetZ(3)
	w.settle()
	shown, err := w.session.CopyImage()
	if err != nil {
		t.Fatal(err)
	}
	g, err := os.Open(filepath.Join(folder, "stack_0003.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	saved, err := png.Decode(g)
	if err != nil || !samePixels(saved, shown) {
		t.Errorf("the fourth file is not the fourth slice as shown: %v", err)
	}
}

func samePixels(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if color.RGBAModel.Convert(a.At(x, y)) != color.RGBAModel.Convert(b.At(x, y)) {
				return false
			}
		}
	}
	return true
}

// TestStorySaveLarger saves the picture on screen at three times its size.
func TestStorySaveLarger(t *testing.T) {
	w := openDemo(t, 0, 1)
	folder := t.TempDir()
	w.session.SetPictureSize(300, 200, 1)
	d := w.askedToSave(folder, "large")
	if got := d.size.Options[2]; got != "3x, 900 x 600 pixels: lines, texts and scale bar grow along" {
		t.Fatalf("the third size is %q", got)
	}
	d.size.SetSelectedIndex(2)
	w.tapTop("Save")
	w.settle()
	w.queue.Wait(w.status.Telling)
	want, err := w.session.CopyImageAt(3)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(folder, "large.png"))
	if err != nil {
		t.Fatal(err, w.status.Text())
	}
	defer f.Close()
	saved, err := png.Decode(f)
	if err != nil || want.Rect.Dx() != 900 || !samePixels(saved, want) {
		t.Errorf("the file is not the picture at three times its size: %v, %v", saved.Bounds(), err)
	}
}

func TestPictureSizes(t *testing.T) {
	for _, c := range []struct {
		size    image.Point
		density int
		want    []int
	}{
		{image.Pt(1000, 750), 0, []int{1, 2, 3, 4, 6, 8}},
		{image.Pt(1400, 900), 0, []int{1, 2, 3, 4, 6}}, // 8x is 80 megapixels
		{image.Pt(3840, 2160), 2, []int{1, 2}},         // lines of 4 pixels
		{image.Pt(700, 500), 3, []int{1, 2}},           // lines of at most 8 pixels
		{image.Pt(16384, 100), 0, []int{1}},            // as wide as a picture can be
		{image.Pt(2000, 1000), 2, []int{1, 2, 3, 4}},
	} {
		times, names := pictureSizes(viewer.View{Size: c.size, Density: c.density})
		if !slices.Equal(times, c.want) || len(names) != len(times) {
			t.Errorf("%v at density %d: sizes %v %q, expected %v", c.size, c.density, times, names, c.want)
		}
	}
}
