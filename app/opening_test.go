package app

import (
	"archive/zip"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/widget"
)

func uriOf(path string) fyne.URI              { return storage.NewFileURI(path) }
func idOf(row, column int) widget.TableCellID { return widget.TableCellID{Row: row, Col: column} }

// picture writes a PNG of 16 bits: a gradient, or the labels 1 to 3.
func picture(t *testing.T, path string, labels bool) string {
	t.Helper()
	im := image.NewGray16(image.Rect(0, 0, 40, 30))
	for y := range 30 {
		for x := range 40 {
			v := uint16(x * y * 20)
			if labels {
				v = uint16(x / 14 * min(1, y%10))
			}
			im.SetGray16(x, y, color.Gray16{Y: v})
		}
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, im); err != nil {
		t.Fatal(err)
	}
	return path
}

// mosaic is a Zeiss LSM file of two tiles side by side, two slices of two channels each, 3 x 2 pixels of 16 bits.
func mosaic() string {
	o := binary.LittleEndian
	b := append([]byte("II*\x00"), 0, 0, 0, 0)
	info := make([]byte, 400)
	for at, v := range map[int]uint32{0: 0x0400494c, 4: 400, 8: 3, 12: 2, 16: 2, 20: 2, 24: 1, 28: 2, 268: 2, 336: uint32(len(b))} {
		o.PutUint32(info[at:], v)
	}
	for i, v := range []float64{1e-6, 1e-6, 1e-6} {
		o.PutUint64(info[40+8*i:], math.Float64bits(v))
	}
	b = o.AppendUint32(b, 2)
	for _, v := range []float64{0, 0, 0, 2e-6, 0, 0} { // places in metres: the tiles overlap by one pixel
		b = o.AppendUint64(b, math.Float64bits(v))
	}
	infoAt := uint32(len(b))
	b = append(b, info...)
	pointer := 4
	for p := range 4 {
		pixels := uint32(len(b))
		for i := range 12 {
			b = o.AppendUint16(b, uint16(p*100+i))
		}
		lists := uint32(len(b))
		for _, v := range []uint32{pixels, pixels + 12, 12, 12} {
			b = o.AppendUint32(b, v)
		}
		tags := [][4]uint32{{256, 4, 1, 3}, {257, 4, 1, 2}, {258, 3, 2, 16 | 16<<16}, {259, 3, 1, 1}, {262, 3, 1, 2}, {273, 4, 2, lists},
			{277, 3, 1, 2}, {279, 4, 2, lists + 8}, {284, 3, 1, 2}}
		if p == 0 {
			tags = append(tags, [4]uint32{34412, 1, 400, infoAt})
		}
		o.PutUint32(b[pointer:], uint32(len(b)))
		b = o.AppendUint16(b, uint16(len(tags)))
		for _, t := range tags {
			b = o.AppendUint32(o.AppendUint32(o.AppendUint16(o.AppendUint16(b, uint16(t[0])), uint16(t[1])), t[2]), t[3])
		}
		pointer = len(b)
		b = o.AppendUint32(b, 0)
	}
	return string(b)
}

// zipped puts the files of a folder into a zip.
func zipped(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	if err := z.AddFS(os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func planes(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "planes")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"T00001C01Z001.png", "T00001C01Z002.png", "T00001C01Z003.png"} {
		picture(t, filepath.Join(dir, name), false)
	}
	return dir
}

// TestStoryAnythingOpensInItsView drops each kind of thing on the window: it is shown as what it is, and nothing is asked.
func TestStoryAnythingOpensInItsView(t *testing.T) {
	layout, err := writtenDemo()
	if err != nil {
		t.Fatal(err)
	}
	task := layout.Tasks[0]
	run := layout.Runs[task][0]
	shows := func(y, x int) func(w *testBench) bool {
		return func(w *testBench) bool { sh := w.session.Shape(); return sh.Y == y && sh.X == x }
	}
	rows := func(n int) func(w *testBench) bool {
		return func(w *testBench) bool { return w.cells.grid != nil && len(w.cells.grid.rows) == n }
	}
	scored := func(w *testBench) bool { return w.session.Scene() != nil && w.session.Report() != nil }
	for _, c := range []struct {
		name  string
		paths []string
		right func(w *testBench) bool
	}{
		{"image", []string{picture(t, filepath.Join(t.TempDir(), "field.png"), false)}, shows(30, 40)},
		{"label image", []string{picture(t, filepath.Join(t.TempDir(), "field_labels.png"), true)}, shows(30, 40)},
		{"table", []string{written(t, "spots.csv", spots(20))}, rows(20)},
		{"table with tabs", []string{written(t, "spots.tsv", strings.ReplaceAll(spots(7), ",", "\t"))}, rows(7)},
		{"workbook", []string{workbook(t, "cells.xlsx", "only")}, rows(1)},
		{"mosaic", []string{written(t, "tiles.lsm", mosaic())}, func(w *testBench) bool { return w.session.Shape().Z == 2 && shows(2, 5)(w) && w.session.HasTiles() }},
		{"folder of planes", []string{planes(t)}, func(w *testBench) bool { return w.session.Shape().Z == 3 && shows(30, 40)(w) }},
		{"task", []string{task}, func(w *testBench) bool { return w.session.Scene() != nil && w.session.RunCount() == 0 }},
		{"folder of tasks", []string{filepath.Dir(task)}, func(w *testBench) bool {
			return len(w.session.Tasks()) == len(layout.Tasks) && w.session.Scene() != nil
		}},
		{"task and run", []string{task, run}, scored},
		{"task and zip of a run", []string{task, zipped(t, run)}, scored},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := openFiles(t, c.paths...)
			if !c.right(w) {
				t.Errorf("shape %+v, tasks %v, messages %v", w.session.Shape(), w.session.Tasks(), w.session.MessageList())
			}
			if w.window.Canvas().Overlays().Top() != nil || w.welcome.Visible() || w.picture.Visible() == w.cells.content.Visible() {
				t.Errorf("a dialog: %v, the welcome: %v, picture %v, table %v", w.window.Canvas().Overlays().Top(), w.welcome.Visible(),
					w.picture.Visible(), w.cells.content.Visible())
			}
		})
	}
}

func TestStoryTileBorders(t *testing.T) {
	w := openFiles(t, written(t, "tiles.lsm", mosaic()))
	w.press("D")
	if !w.session.View().Tiles || !w.action("tiles").Checked() {
		t.Error("D does not show the borders of tiles")
	}
	plain := openFiles(t, picture(t, filepath.Join(t.TempDir(), "field.png"), false))
	if plain.action("tiles").isEnabled() {
		t.Error("an image without tiles has borders of them")
	}
}

func TestStoryAxesAreReadOtherwise(t *testing.T) {
	path := written(t, "tiles.lsm", mosaic())
	w := openFiles(t, path)
	before := w.session.Shape()
	w.press("X")
	d := newAxesDialog(w.Workbench)
	if w.window.Canvas().Overlays().Top() == nil || d.letter.Text != "MZCYX" {
		t.Fatalf("X opens %v with %q", w.window.Canvas().Overlays().Top(), d.letter.Text)
	}
	d.set("ZZ")
	if d.says.Text == "" || w.session.Shape() != before {
		t.Errorf("letters that do not fit: %q, shape %+v", d.says.Text, w.session.Shape())
	}
	d.set("TZCYX")
	w.settle()
	if sh := w.session.Shape(); sh.T != 2 || sh.X != 3 {
		t.Errorf("read as TZCYX the shape is %+v, message %q", sh, d.says.Text)
	}
	again := &testBench{t: t, queue: w.queue, Workbench: newWorkbench(w.app, Options{Width: 1280, Height: 800}, w.queue.Post)}
	defer again.session.Close()
	again.open(Options{Paths: []string{path}})
	again.settle()
	if again.session.Shape().T != 2 {
		t.Errorf("at the next start the shape is %+v", again.session.Shape())
	}
	d.set("")
	w.settle()
	if w.session.Shape() != before || len(w.session.AxesMemory()) != 0 {
		t.Errorf("back to the file's own: %+v, kept %v", w.session.Shape(), w.session.AxesMemory())
	}
}
