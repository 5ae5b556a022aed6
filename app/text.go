package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// cutText is one line of text that is cut to the room it has: at the end, or in the middle where the end tells things apart,
// as in file names. It has no padding of its own and costs less than a Label, so long lists are made of it.
type cutText struct {
	widget.BaseWidget
	full   string
	middle bool
	text   *canvas.Text
}

func newCutText(colour fyne.ThemeColorName, size float32) *cutText {
	t := &cutText{text: canvas.NewText("", colourOf(colour))}
	t.text.TextSize = size
	t.ExtendBaseWidget(t)
	return t
}

func (t *cutText) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(t.text) }

// MinSize has the height of a line; any width will do.
func (t *cutText) MinSize() fyne.Size {
	return fyne.NewSize(8, lineHeight(t.text.TextSize))
}

func (t *cutText) Resize(size fyne.Size) {
	t.BaseWidget.Resize(size)
	t.fit()
}

// Set shows a text in a colour of the theme.
func (t *cutText) Set(text string, colour fyne.ThemeColorName) {
	c := colourOf(colour)
	if t.full == text && t.text.Color == c {
		return
	}
	t.full, t.text.Color = text, c
	t.fit()
}

// Text is the whole text.
func (t *cutText) Text() string { return t.full }

func (t *cutText) fit() {
	t.text.Text = cut(t.full, t.Size().Width, t.text.TextSize, t.text.TextStyle, t.middle)
	t.text.Refresh()
}

// cut shortens a text with an ellipsis until it fits a width in dp; in no width nothing is left.
func cut(text string, width, size float32, style fyne.TextStyle, middle bool) string {
	if width <= 0 {
		return ""
	}
	if text == "" || fyne.MeasureText(text, size, style).Width <= width {
		return text
	}
	runes := []rune(text)
	low, high := 0, len(runes)
	for low < high {
		keep := (low + high + 1) / 2
		if fyne.MeasureText(shorten(runes, keep, middle), size, style).Width <= width {
			low = keep
		} else {
			high = keep - 1
		}
	}
	return shorten(runes, low, middle)
}

// shorten keeps so many runes around one ellipsis.
func shorten(runes []rune, keep int, middle bool) string {
	tail := 0
	if middle {
		tail = keep / 2
	}
	return string(runes[:keep-tail]) + "…" + string(runes[len(runes)-tail:])
}

func lineHeight(size float32) float32 {
	return fyne.MeasureText("Ag", size, fyne.TextStyle{}).Height
}

// newText is one line of plain text.
func newText(text string, colour fyne.ThemeColorName, size float32) *canvas.Text {
	t := canvas.NewText(text, colourOf(colour))
	t.TextSize = size
	return t
}

// setText changes a line only if it differs, since each change repaints the window.
func setText(t *canvas.Text, text string, colour fyne.ThemeColorName) {
	c := colourOf(colour)
	if t.Text == text && t.Color == c {
		return
	}
	t.Text, t.Color = text, c
	t.Refresh()
}

// newHeading names a panel.
func newHeading(text string) *canvas.Text {
	t := newText(text, colourHeading, sizeSmall)
	t.TextStyle.Bold = true
	return t
}
