package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// newWelcome is what stands in the place of the picture while nothing is open: what to do, and the three ways to do it.
func newWelcome(find func(id string) *action, recent []string, open func(string)) fyne.CanvasObject {
	centred := func(text string, colour fyne.ThemeColorName, size float32) *canvas.Text {
		t := newText(text, colour, size)
		t.Alignment = fyne.TextAlignCenter
		return t
	}
	button := func(id string) *widget.Button {
		a := find(id)
		return widget.NewButton(a.Name+"  "+shownKey(a.Keys[0]), func() { a.Run() })
	}
	demo := button("demo")
	demo.Importance = widget.HighImportance
	box := container.NewVBox(
		centred("Coverslip", theme.ColorNameForeground, 26),
		centred("Drop a task folder here, then an agent's output: a folder or a zip.", theme.ColorNameForeground, 14),
		centred("A single image can be dropped as well.", colourQuiet, sizeText),
		newGap(8),
		container.NewCenter(container.NewHBox(button("open-folder"), button("open-file"), demo)),
	)
	if len(recent) > 0 {
		box.Add(newGap(10))
		box.Add(centred("RECENT", colourHeading, sizeSmall))
	}
	for _, path := range recent[:min(len(recent), 6)] {
		link := widget.NewHyperlink(shortPath(path), nil)
		link.OnTapped = func() { open(path) }
		box.Add(container.NewCenter(link))
	}
	return container.NewCenter(box)
}
