package app

import (
	"encoding/json"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"coverslip/app/session"
)

// bookmarkDialog lists the kept views of a task, goes to one, forgets one, and keeps the present view under a name.
type bookmarkDialog struct {
	w     *Workbench
	rows  *fyne.Container
	name  *field
	frame *dialog.CustomDialog
}

func (w *Workbench) askBookmarks() {
	d := newBookmarkDialog(w)
	w.show(d.frame, fyne.NewSize(560, 420))
	w.window.Canvas().Focus(d.name)
}

func newBookmarkDialog(w *Workbench) *bookmarkDialog {
	d := &bookmarkDialog{w: w, rows: container.NewVBox()}
	d.name = newField(w.keyboard, "name of the present view")
	d.name.SetText(w.bookmarkName())
	d.name.OnSubmitted = func(string) { d.add() }
	d.name.escape = w.closeDialog
	add := widget.NewButton("Keep", d.add)
	add.Importance = widget.HighImportance
	bottom := container.New(columns{widths: []float32{0, 80}, gap: 8}, d.name, add)
	d.frame = dialog.NewCustom("Bookmarks", "Close", container.NewBorder(nil, bottom, nil, nil, container.NewVScroll(d.rows)), w.window)
	d.list()
	return d
}

func (d *bookmarkDialog) list() {
	d.rows.Objects = nil
	for _, b := range d.w.session.Bookmarks() {
		d.rows.Add(container.New(columns{widths: []float32{0, 70}, gap: 8},
			newLink(d.w.keyboard, b.Name, func() { d.goTo(b) }),
			newChip(d.w.keyboard, "forget", func() { d.w.session.RemoveBookmark(b.Name); d.w.storeBookmarks(); d.list() })))
	}
	if len(d.rows.Objects) == 0 {
		d.rows.Add(newText("No view of this task has been kept yet.", colourQuiet, sizeText))
	}
	d.rows.Refresh()
}

func (d *bookmarkDialog) add() {
	d.w.session.AddBookmark(d.name.Text)
	d.w.storeBookmarks()
	d.list()
}

func (d *bookmarkDialog) goTo(b session.Bookmark) {
	d.frame.Hide()
	if err := d.w.session.GoToBookmark(b); err != nil {
		d.w.complain("The kept view cannot be shown", err)
	}
}

// bookmarkName proposes a name: the image and its place.
func (w *Workbench) bookmarkName() string {
	v, shape := w.session.View(), w.session.Shape()
	name := v.Image
	if shape.T > 1 {
		name += fmt.Sprintf(" t %d", v.T)
	}
	if shape.Z > 1 {
		name += fmt.Sprintf(" z %d", v.Z)
	}
	if v.Zoom != 0 {
		name += fmt.Sprintf(" y %.0f x %.0f", v.At.Y, v.At.X)
	}
	return name
}

// keepBookmark keeps the present view under the proposed name.
func (w *Workbench) keepBookmark() {
	name := w.bookmarkName()
	w.session.AddBookmark(name)
	w.storeBookmarks()
	w.status.Tell("info", "Kept as bookmark "+name)
}

func (w *Workbench) storeBookmarks() {
	if text, err := json.Marshal(w.session.BookmarkMemory()); err == nil {
		w.app.Preferences().SetString(prefBookmarks, string(text))
	}
}

// restoreBookmarks takes over what was kept before. What cannot be read is forgotten.
func (w *Workbench) restoreBookmarks() {
	var memory []session.Bookmark
	if json.Unmarshal([]byte(w.app.Preferences().String(prefBookmarks)), &memory) == nil {
		w.session.SetBookmarkMemory(memory)
	}
}

// askPlace asks where to go: a place, a label or a view text.
func (w *Workbench) askPlace() {
	entry := newField(w.keyboard, "512, 300   or   z 3 t 12   or   answer 17   or a view text")
	entry.escape = w.closeDialog
	says := newText("", theme.ColorNameWarning, sizeSmall)
	hint := newText("y and x in pixels; z and t by letter; answer, truth or # and a label; or a view text.", colourQuiet, sizeSmall)
	d := dialog.NewCustomWithoutButtons("Go to", container.NewVBox(entry, hint, says), w.window)
	submit := func() {
		if err := w.session.GoTo(entry.Text); err != nil {
			setText(says, err.Error(), theme.ColorNameWarning)
			return
		}
		d.Hide()
	}
	entry.OnSubmitted = func(string) { submit() }
	view := widget.NewButton("This view's text", func() { entry.SetText(w.session.View().String()) })
	ok := widget.NewButton("Go", submit)
	ok.Importance = widget.HighImportance
	d.SetButtons([]fyne.CanvasObject{widget.NewButton("Cancel", d.Hide), view, ok})
	w.show(d, fyne.NewSize(720, 190))
	w.window.Canvas().Focus(entry)
}
