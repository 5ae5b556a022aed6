package app

import (
	"errors"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"coverslip/datasets/atomic"
	"coverslip/viewer"
	"coverslip/viewer/animation"
)

// saveDialog asks where to save the picture. The toolkit's own dialog empties the file before it says which one was chosen;
// this one touches nothing, and asks before a file is replaced.
type saveDialog struct {
	w      *Workbench
	folder string
	place  *cutText
	what   *choice
	size   *choice
	times  []int // by choice of the size, the pixels along a side for one on screen
	name   *field
	says   *canvas.Text // what the file will be, or why there can be none
	save   *widget.Button
	frame  *dialog.CustomDialog
}

func (w *Workbench) askSave() { newSaveDialog(w).open() }

func newSaveDialog(w *Workbench) *saveDialog {
	d := &saveDialog{w: w, place: newCutText(theme.ColorNameForeground, sizeText), says: newText("", colourQuiet, sizeSmall)}
	d.place.middle = true
	d.what = newChoice(w.keyboard, w.savedKinds(), func(int) { d.check() })
	d.what.Present(0)
	var sizes []string
	d.times, sizes = pictureSizes(w.session.Shown())
	d.size = newChoice(w.keyboard, sizes, func(int) { d.check() })
	d.size.Present(0)
	d.name = newField(w.keyboard, "name of the picture")
	d.name.SetText(pictureName(w.session.Shown()))
	d.name.OnChanged = func(string) { d.check() }
	d.name.OnSubmitted = func(string) { d.submit() }
	d.name.escape = w.closeDialog
	d.save = widget.NewButton("Save", d.submit)
	d.save.Importance = widget.HighImportance
	label := func(text string) fyne.CanvasObject { return newText(text, colourQuiet, sizeText) }
	content := container.NewVBox(
		container.New(columns{widths: []float32{56, 0, 100}, gap: 8}, label("Folder"), d.place, widget.NewButton("Choose…", d.chooseFolder)),
		container.New(columns{widths: []float32{56, 0}, gap: 8}, label("Save"), d.what),
		container.New(columns{widths: []float32{56, 0}, gap: 8}, label("Size"), d.size),
		container.New(columns{widths: []float32{56, 0}, gap: 8}, label("Name"), d.name),
		container.New(inset{left: 64}, d.says), newGap(1))
	d.frame = dialog.NewCustomWithoutButtons("Save picture", content, w.window)
	d.frame.SetButtons([]fyne.CanvasObject{widget.NewButton("Cancel", d.frame.Hide), d.save})
	d.setFolder(w.saveFolder())
	return d
}

func (d *saveDialog) open() {
	d.w.show(d.frame, fyne.NewSize(620, 270))
	d.w.window.Canvas().Focus(d.name)
}

// saveFolder is the one that was saved to last, else the user's own.
func (w *Workbench) saveFolder() string {
	folder := w.app.Preferences().String(prefSave)
	if info, err := os.Stat(folder); err == nil && info.IsDir() {
		return folder
	}
	if home, err := os.UserHomeDir(); err == nil {
		return home
	}
	return string(filepath.Separator)
}

func (d *saveDialog) chooseFolder() {
	choice := dialog.NewFolderOpen(func(u fyne.ListableURI, err error) {
		if err != nil {
			d.say("The folder cannot be opened: "+err.Error(), theme.ColorNameError)
		} else if u != nil {
			d.setFolder(u.Path())
		}
	}, d.w.window)
	choice.SetTitleText("Choose a folder for the picture")
	d.w.showFileDialog(choice, d.folder)
}

func (d *saveDialog) setFolder(folder string) {
	d.folder = folder
	d.place.Set(folder, theme.ColorNameForeground)
	d.check()
}

// check says which file will be written if that is not what was typed; false if the name cannot be one.
func (d *saveDialog) check() bool {
	file, why := pictureFile(d.name.Text, d.kind())
	if why != "" {
		d.save.Disable()
		d.say(why, theme.ColorNameWarning)
		return false
	}
	d.save.Enable()
	text := ""
	switch {
	case d.kind() == eachFrame:
		text = "The first file will be " + file
	case file != d.name.Text:
		text = "The file will be " + file
	}
	d.say(text, colourQuiet)
	return true
}

func (d *saveDialog) say(text string, colour fyne.ThemeColorName) { setText(d.says, text, colour) }

// submit looks whether the file is there already, which may take a while on a distant disk.
func (d *saveDialog) submit() {
	if d.save.Disabled() || !d.check() {
		return
	}
	file, _ := pictureFile(d.name.Text, d.kind())
	path := filepath.Join(d.folder, file)
	d.save.Disable()
	go func() {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			info, err = os.Lstat(path) // a link that leads nowhere is there all the same
		}
		d.w.post(func() { d.found(path, info, err) })
	}()
}

// found goes on when it is known what is at the path.
func (d *saveDialog) found(path string, info fs.FileInfo, err error) {
	d.save.Enable()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.write(path)
	case err != nil:
		d.say(err.Error(), theme.ColorNameError)
	case info.IsDir():
		d.say(filepath.Base(path)+" is a folder. Choose another name.", theme.ColorNameWarning)
	default:
		d.askToReplace(path)
	}
}

func (d *saveDialog) askToReplace(path string) {
	text := fmt.Sprintf("%s is in the folder already.\nReplace it with this picture?", filepath.Base(path))
	if d.kind() == eachFrame {
		text = fmt.Sprintf("%s is in the folder already.\nReplace all files of this series?", filepath.Base(path))
	}
	c := dialog.NewConfirm("Replace the file?", text, func(replace bool) {
		if replace {
			d.write(path)
		}
	}, d.w.window)
	c.SetConfirmText("Replace")
	c.SetDismissText("Keep")
	d.w.show(c, fyne.NewSize(460, 150))
}

func (d *saveDialog) write(path string) {
	d.frame.Hide()
	d.w.app.Preferences().SetString(prefSave, d.folder)
	times := d.times[max(0, d.size.SelectedIndex())]
	switch d.kind() {
	case film:
		d.w.saveFilm(path, times)
	case eachFrame:
		d.w.saveFrames(path, times)
	default:
		d.w.savePicture(path, times)
	}
}

// kind is what is to be saved.
func (d *saveDialog) kind() savedKind { return savedKind(max(0, d.what.SelectedIndex())) }

// pictureSizes are how many times larger than on screen the picture can be saved, and what to call these sizes. Those beyond the bounds
// of a picture are left out.
func pictureSizes(shown viewer.View) (times []int, names []string) {
	for _, n := range []int{1, 2, 3, 4, 6, 8} {
		v, ok := shown.Finer(n)
		if !ok {
			continue
		}
		name := fmt.Sprintf("as on screen, %d x %d pixels", v.Size.X, v.Size.Y)
		if n > 1 {
			name = fmt.Sprintf("%dx, %d x %d pixels: lines, texts and scale bar grow along", n, v.Size.X, v.Size.Y)
		}
		times, names = append(times, n), append(names, name)
	}
	return times, names
}

func pictureName(v viewer.View) string {
	if v.Image == "" {
		return "picture.png"
	}
	return v.Image + ".png"
}

// pictureFile is the name of the file, of a series of files the first, for what was typed, or why there is none.
func pictureFile(typed string, kind savedKind) (file, why string) {
	name := strings.TrimSpace(typed)
	if name == "" {
		return "", "The picture needs a name."
	}
	if name != filepath.Base(name) || strings.Contains(name, "/") || name == "." || name == ".." {
		return "", "A name holds no folder. Choose the folder above."
	}
	stem := name
	if ext := filepath.Ext(name); strings.EqualFold(ext, ".png") || strings.EqualFold(ext, ".gif") {
		stem = strings.TrimSuffix(name, ext)
	}
	switch kind {
	case film:
		return stem + ".gif", ""
	case eachFrame:
		return animation.FrameName(stem, 0), ""
	}
	if strings.EqualFold(filepath.Ext(name), ".png") {
		return name, ""
	}
	return stem + ".png", ""
}

// savePicture writes what is shown, with so many times the pixels of the screen along each side, whole or not at all, and says so.
func (w *Workbench) savePicture(path string, times int) {
	if times > 1 { // which takes longer than the window can wait
		w.saveSeries(path, w.session.ThisPlane(), times, writeOne(path))
		return
	}
	im, err := w.session.CopyImage()
	if err != nil {
		w.complain("The picture cannot be saved", err)
		return
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
