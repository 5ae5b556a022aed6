package app

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"
)

// show opens a dialog, within the window's size, over those that are open already. Escape closes it.
func (w *Workbench) show(d dialog.Dialog, size fyne.Size) {
	d.SetOnClosed(func() { w.dialogs = slices.DeleteFunc(w.dialogs, func(open dialog.Dialog) bool { return open == d }) })
	w.dialogs = append(w.dialogs, d)
	d.Show()
	d.Resize(size.Min(w.room()))
}

// room is how large a dialog can be.
func (w *Workbench) room() fyne.Size { return w.window.Canvas().Size().SubtractWidthHeight(40, 40) }

// showFileDialog opens a dialog of files that begins in a folder, or in the last one if that is "" or gone.
func (w *Workbench) showFileDialog(d *dialog.FileDialog, folder string) {
	if folder != "" {
		if u, err := storage.ListerForURI(storage.NewFileURI(folder)); err == nil {
			d.SetLocation(u)
		}
	}
	w.show(d, fyne.NewSize(900, 620))
}

// closeDialog closes the topmost dialog.
func (w *Workbench) closeDialog() {
	if n := len(w.dialogs); n > 0 {
		top := w.dialogs[n-1]
		w.dialogs = w.dialogs[:n-1]
		top.Hide()
		return
	}
	if top := w.window.Canvas().Overlays().Top(); top != nil {
		w.window.Canvas().Overlays().Remove(top)
	}
}
