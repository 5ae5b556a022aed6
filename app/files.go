package app

import (
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"coverslip/viewer"
)

// dropped opens what was dropped on the window: task folders, runs (folders or zips), images, tables.
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
	w.showFileDialog(d, w.app.Preferences().String(prefFolder))
}

// fileSuffixes are those of files that can be opened, in small and in capital letters.
func fileSuffixes() []string {
	var all []string
	for _, s := range strings.Fields(".zip .tif .tiff .lsm .stk .png .bmp .jpg .jpeg .npy .npz .csv .tsv .txt .xlsx") {
		all = append(all, s, strings.ToUpper(s))
	}
	return all
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
	d.SetTitleText("Open a run as a zip, an image or a table")
	d.SetFilter(storage.NewExtensionFileFilter(fileSuffixes()))
	w.showFileDialog(d, w.app.Preferences().String(prefFolder))
}

func (w *Workbench) complain(what string, err error) {
	w.status.Tell("error", what+": "+err.Error())
}

// copyShown copies what is on screen as text: the picked cell of a table, else the view.
func (w *Workbench) copyShown() {
	if !w.isTable() {
		w.copyView()
		return
	}
	if text, ok := w.cells.Cell(); ok {
		w.app.Clipboard().SetContent(text)
		w.status.Tell("info", "Copied the cell.")
	}
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
