package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// newWelcome is what stands in the place of the picture while nothing is open: what to do, and the three ways to do it.
func newWelcome(find func(id string) *action, recent []string, open func(string)) fyne.CanvasObject {
	button := func(id string) *widget.Button {
		a := find(id)
		return widget.NewButton(a.Name+"  "+shownKey(a.Keys[0]), func() { a.Run() })
	}
	demo := button("demo")
	demo.Importance = widget.HighImportance
	title := newText("Coverslip", theme.ColorNameForeground, 26)
	title.Alignment = fyne.TextAlignCenter
	box := container.NewVBox(title,
		centred("Drop a task folder here, then an agent's output: a folder or a zip.", theme.SizeNameSubHeadingText, widget.MediumImportance),
		centred("A single image or table can be dropped as well.", theme.SizeNameText, widget.LowImportance),
		newGap(8),
		container.NewCenter(container.NewVBox(demo, button("open-folder"), button("open-file"))),
	)
	if len(recent) > 0 {
		box.Add(newGap(10))
		box.Add(centred("RECENT", theme.SizeNameCaptionText, widget.LowImportance))
	}
	for _, path := range recent[:min(len(recent), 6)] {
		link := widget.NewHyperlink(shortPath(path), nil)
		link.Truncation = fyne.TextTruncateEllipsis
		link.Alignment = fyne.TextAlignCenter
		link.OnTapped = func() { open(path) }
		box.Add(link)
	}
	return container.New(page{480}, box)
}

// centred is a paragraph in the middle, as high as its width makes it.
func centred(text string, size fyne.ThemeSizeName, importance widget.Importance) *widget.Label {
	l := widget.NewLabel(text)
	l.Alignment, l.Wrapping, l.SizeName, l.Importance = fyne.TextAlignCenter, fyne.TextWrapWord, size, importance
	return l
}

// page centres its content, up to a width, and never makes the window larger.
type page struct{ width float32 }

func (page) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(100, 100) }

func (p page) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		width := min(p.width, size.Width-2*rowPad)
		o.Resize(fyne.NewSize(width, o.MinSize().Height)) // paragraphs are broken into lines of this width
		height := o.MinSize().Height
		o.Resize(fyne.NewSize(width, height))
		o.Move(fyne.NewPos((size.Width-width)/2, max(0, (size.Height-height)/2)))
	}
}
