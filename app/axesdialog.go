package app

import (
	"encoding/json"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// axisLetters say what each letter means, in the order in which they are explained.
var axisLetters = [][2]string{
	{"T", "time"}, {"Z", "slice"}, {"C", "channel"}, {"Y", "row"}, {"X", "column"},
	{"S", "part of a colour: red, green, blue"}, {"M", "tile of a mosaic"}, {"P", "position on the stage"},
}

// axesDialog asks how the axes of the image on screen are to be read.
type axesDialog struct {
	w      *Workbench
	letter *field
	says   *widget.Label // why the letters do not fit
	frame  *dialog.CustomDialog
}

func (w *Workbench) hasAxes() bool { now, _ := w.session.Axes(); return now != "" }

func (w *Workbench) askAxes() { newAxesDialog(w).open() }

func newAxesDialog(w *Workbench) *axesDialog {
	d := &axesDialog{w: w, says: newProse(theme.ColorNameForeground)}
	now, file := w.session.Axes()
	d.letter = newField(w.keyboard, "one letter for each axis of the file")
	d.letter.SetText(now)
	d.letter.CursorColumn = len(now)
	d.letter.OnSubmitted = func(text string) { d.set(text) }
	d.letter.escape = w.closeDialog
	d.says.Importance = widget.WarningImportance
	means := container.NewVBox()
	for _, l := range axisLetters {
		letter := newText(l[0], theme.ColorNameHyperlink, sizeText)
		means.Add(container.New(columns{widths: []float32{14, 0}, gap: 8}, letter, newText(l[1], colourQuiet, sizeText)))
	}
	label := func(text string) fyne.CanvasObject { return newText(text, colourQuiet, sizeText) }
	row := func(name string, o fyne.CanvasObject) fyne.CanvasObject {
		return container.New(columns{widths: []float32{90, 0}, gap: 8}, label(name), o)
	}
	content := container.NewVBox(
		row("The file says", newText(file, theme.ColorNameForeground, sizeText)),
		row("Read it as", d.letter),
		container.New(inset{left: 98}, means),
		d.says,
		label("Kept for this task, or this file. The file stays as it is, and so do scores."), newGap(1))
	d.frame = dialog.NewCustomWithoutButtons("Axes", content, w.window)
	ok := widget.NewButton("OK", func() { d.set(d.letter.Text) })
	ok.Importance = widget.HighImportance
	own := widget.NewButton("As the file says", func() { d.set("") })
	d.frame.SetButtons([]fyne.CanvasObject{widget.NewButton("Cancel", d.frame.Hide), own, ok})
	return d
}

func (d *axesDialog) open() {
	d.w.show(d.frame, fyne.NewSize(520, 360))
	d.w.window.Canvas().Focus(d.letter)
}

// set reads the image with other axes, remembers them and closes; letters that do not fit are said in the dialog.
func (d *axesDialog) set(letters string) {
	if err := d.w.session.SetAxes(letters); err != nil {
		d.says.SetText(err.Error())
		return
	}
	d.w.storeAxes()
	d.frame.Hide()
}

func (w *Workbench) storeAxes() {
	if text, err := json.Marshal(w.session.AxesMemory()); err == nil {
		w.app.Preferences().SetString(prefAxes, string(text))
	}
}

// restoreAxes takes over what was set before. What cannot be read is forgotten.
func (w *Workbench) restoreAxes() {
	memory := map[string]string{}
	if json.Unmarshal([]byte(w.app.Preferences().String(prefAxes)), &memory) == nil {
		w.session.SetAxesMemory(memory)
	}
}
