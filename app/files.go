package app

import (
	"image/png"
	"io"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"coverslip/datasets/atomic"
	"coverslip/viewer"
)

// dropped opens what was dropped on the window: task folders, runs (folders or zips), images.
func (w *Workbench) dropped(_ fyne.Position, uris []fyne.URI) {
	var paths []string
	for _, u := range uris {
		if u.Scheme() == "file" {
			paths = append(paths, u.Path())
		}
	}
	if len(paths) > 0 {
		w.session.Open(paths...)
	}
}

func (w *Workbench) askFolder() {
	d := dialog.NewFolderOpen(func(u fyne.ListableURI, err error) {
		if err != nil {
			w.complain("The folder cannot be opened", err)
		} else if u != nil {
			w.rememberFolder(filepath.Dir(u.Path()))
			w.session.Open(u.Path())
		}
	}, w.window)
	d.SetTitleText("Open a task folder, a folder of tasks, or a run")
	w.showFileDialog(d)
}

func (w *Workbench) askFile() {
	d := dialog.NewFileOpen(func(r fyne.URIReadCloser, err error) {
		if err != nil {
			w.complain("The file cannot be opened", err)
		} else if r != nil {
			r.Close()
			w.rememberFolder(filepath.Dir(r.URI().Path()))
			w.session.Open(r.URI().Path())
		}
	}, w.window)
	d.SetTitleText("Open a run as a zip, or an image")
	d.SetFilter(storage.NewExtensionFileFilter([]string{".zip", ".tif", ".tiff", ".png", ".bmp", ".ZIP", ".TIF", ".TIFF", ".PNG", ".BMP"}))
	w.showFileDialog(d)
}

func (w *Workbench) askSave() {
	d := dialog.NewFileSave(func(u fyne.URIWriteCloser, err error) {
		if err != nil {
			w.complain("The picture cannot be saved", err)
		} else if u != nil {
			u.Close()
			w.savePicture(u.URI().Path())
		}
	}, w.window)
	d.SetTitleText("Save the picture as PNG")
	d.SetFileName(pictureName(w.session.Shown()))
	w.showFileDialog(d)
}

func pictureName(v viewer.View) string {
	if v.Image == "" {
		return "picture.png"
	}
	return v.Image + ".png"
}

// savePicture writes what is shown, in the pixels of the screen, and says so.
func (w *Workbench) savePicture(path string) {
	im, err := w.session.CopyImage()
	if err != nil {
		w.complain("The picture cannot be saved", err)
		return
	}
	if !strings.EqualFold(filepath.Ext(path), ".png") {
		path += ".png"
	}
	go func() {
		err := atomic.Write(path, func(out io.Writer) error { return png.Encode(out, im) })
		w.post(func() {
			if err != nil {
				w.complain("The picture cannot be saved", err)
				return
			}
			w.status.Tell("info", "Saved "+path)
		})
	}()
}

func (w *Workbench) complain(what string, err error) {
	w.status.Tell("error", what+": "+err.Error())
}

// copyView puts the view's text on the clipboard: pasted here or given to `coverslip render --view`, it gives this picture.
func (w *Workbench) copyView() {
	w.app.Clipboard().SetContent(w.session.Shown().String())
	w.status.Tell("info", "Copied the view as text. Paste it here, or give it to coverslip render --view.")
}

func (w *Workbench) pasteView() { w.goToView(w.app.Clipboard().Content()) }

// goToView shows the view that a text describes.
func (w *Workbench) goToView(text string) {
	v, err := viewer.Parse(text)
	if err == nil {
		err = w.session.SetView(v)
	}
	if err != nil {
		w.complain("This is not a view of an open image", err)
	}
}

func (w *Workbench) askView() {
	entry := newField(w.keyboard, "image=kidney_01 z=3 zoom=2 at=512,300")
	entry.SetText(w.session.View().String())
	entry.escape = w.closeDialog
	d := dialog.NewCustomConfirm("Go to view", "Go", "Cancel", container.NewStack(entry), func(ok bool) {
		if ok {
			w.goToView(entry.Text)
		}
	}, w.window)
	entry.OnSubmitted = func(string) { d.Confirm() }
	w.show(d, fyne.NewSize(720, 130))
	w.window.Canvas().Focus(entry)
}

// show opens a dialog, within the window's size. Escape closes it.
func (w *Workbench) show(d dialog.Dialog, size fyne.Size) {
	room := w.window.Canvas().Size()
	d.SetOnClosed(func() { w.dialog = nil })
	w.dialog = d
	d.Show()
	d.Resize(size.Min(room.SubtractWidthHeight(40, 40)))
}

func (w *Workbench) showFileDialog(d *dialog.FileDialog) {
	if dir := w.app.Preferences().String(prefFolder); dir != "" {
		if u, err := storage.ListerForURI(storage.NewFileURI(dir)); err == nil {
			d.SetLocation(u)
		}
	}
	w.show(d, fyne.NewSize(900, 620))
}

func (w *Workbench) closeDialog() {
	if w.dialog != nil {
		w.dialog.Hide()
		w.dialog = nil
		return
	}
	if top := w.window.Canvas().Overlays().Top(); top != nil {
		w.window.Canvas().Overlays().Remove(top)
	}
}
