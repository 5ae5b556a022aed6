package app

import (
	"path/filepath"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"coverslip/app/session"
	"coverslip/scoring"
	"coverslip/scoring/report"
)

// scoreModel is what the score panel shows, and where its lines lead.
type scoreModel interface {
	ScoreText() session.ScoreText
	Report() *scoring.Report
	Images() []session.ImageItem
	SelectImage(i int)
	ErrorCount() (shown, all int)
	ErrorRow(i int) session.Row
	SelectError(row int)
	WorstError()
	WhatIf() (text []report.Line, wanted bool)
	TryRemedies()
}

// scorePanel shows the number, whether it passes, how it is made, and what to know about it. Each line leads to a place in
// the image.
type scorePanel struct {
	model    scoreModel
	headline *canvas.Text
	verdict  *widget.Label
	lines    *fyne.Container
	content  fyne.CanvasObject
}

func newScorePanel(m scoreModel) *scorePanel {
	p := &scorePanel{model: m, headline: newText("", theme.ColorNameForeground, sizeHeadline), verdict: newProse(theme.ColorNameForeground), lines: container.NewVBox()}
	p.headline.TextStyle.Bold = true
	top := container.NewBorder(nil, nil, newTapBox(p.headline, m.WorstError), nil,
		container.New(inset{left: 10, top: 13}, dense(p.verdict)))
	body := container.New(inset{10, 2, 12, 8}, container.NewVBox(top, p.lines))
	p.content = container.NewBorder(container.New(inset{10, 9, 6, 0}, newHeading("SCORE")), nil, nil, nil, container.NewVScroll(body))
	return p
}

// Refresh shows the report of the selected run.
func (p *scorePanel) Refresh(t session.Topic) {
	if t&(session.Score|session.Runs|session.Tasks) == 0 {
		return
	}
	text := p.model.ScoreText()
	setText(p.headline, text.Headline, headlineColour(text, p.model.Report()))
	p.verdict.SetText(text.Verdict)
	p.lines.Objects = nil
	for _, l := range text.Lines {
		p.lines.Add(p.line(l.Head, l.Text))
	}
	for _, l := range p.whatIf() {
		p.lines.Add(l)
	}
	for _, n := range text.Notes {
		p.lines.Add(p.note(n))
	}
	p.lines.Refresh()
}

func headlineColour(text session.ScoreText, r *scoring.Report) fyne.ThemeColorName {
	switch {
	case text.Headline == "failed":
		return theme.ColorNameError
	case r != nil && r.Passed():
		return theme.ColorNameSuccess
	case r == nil || r.Result.None:
		return colourQuiet
	}
	return theme.ColorNameForeground
}

// headWidth is the column of the lines' heads.
const headWidth = 82

func (p *scorePanel) line(head, text string) fyne.CanvasObject {
	name := newText(head, colourHeading, sizeSmall)
	prose := newProse(theme.ColorNameForeground)
	prose.SetText(text)
	row := container.New(headed{headWidth}, name, dense(prose))
	return newTapBox(row, func() { p.lead(text) })
}

func (p *scorePanel) note(n scoring.Note) fyne.CanvasObject {
	head, colour := "Note", colourHeading
	if n.Level == report.Warning {
		head, colour = "Look at", theme.ColorNameWarning
	}
	text := n.Text
	if n.File != "" {
		text = filepath.Base(n.File) + ": " + text
	}
	if n.Fix != "" {
		text += " " + n.Fix
	}
	prose := newProse(theme.ColorNameForeground)
	prose.SetText(text)
	row := container.New(headed{headWidth}, newText(head, colour, sizeSmall), dense(prose))
	return newTapBox(row, func() { p.lead(text) })
}

// lead goes where a line points: the image that it names, else the first error of the kind that it names, else the worst
// error.
func (p *scorePanel) lead(text string) {
	if i := imageNamed(p.model.Images(), text); i >= 0 {
		p.model.SelectImage(i)
		return
	}
	shown, _ := p.model.ErrorCount()
	for i := range shown {
		if hasWord(text, p.model.ErrorRow(i).Kind) {
			p.model.SelectError(i)
			return
		}
	}
	p.model.WorstError()
}

// imageNamed is the image with the longest name that stands in a text; -1 if none does.
func imageNamed(images []session.ImageItem, text string) int {
	best, length := -1, 0
	for i, im := range images {
		if len(im.Name) > length && hasWord(text, im.Name) {
			best, length = i, len(im.Name)
		}
	}
	return best
}

// hasWord tells whether a word stands in a text, not as part of a longer one.
func hasWord(text, word string) bool {
	for from := 0; word != ""; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(word)
		if (at == 0 || !wordByte(text[at-1])) && (end == len(text) || !wordByte(text[end])) {
			return true
		}
		from = at + 1
	}
	return false
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= 0x80
}

// newProse is a paragraph of small text.
func newProse(colour fyne.ThemeColorName) *widget.Label {
	l := widget.NewLabel("")
	l.Wrapping = fyne.TextWrapWord
	l.SizeName = theme.SizeNameCaptionText
	if colour == colourQuiet {
		l.Importance = widget.LowImportance
	}
	return l
}

// denseTheme takes the room from around labels.
type denseTheme struct{ fyne.Theme }

func (t denseTheme) Size(name fyne.ThemeSizeName) float32 {
	if name == theme.SizeNameInnerPadding {
		return 0
	}
	return t.Theme.Size(name)
}

func dense(o fyne.CanvasObject) fyne.CanvasObject {
	return container.NewThemeOverride(o, denseTheme{newTheme()})
}

// headed puts a short head left of a text that is as high as it needs to be.
type headed struct{ head float32 }

func (h headed) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(h.head+40, max(objects[0].MinSize().Height, objects[1].MinSize().Height)+3)
}

func (h headed) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(h.head, objects[0].MinSize().Height))
	objects[1].Move(fyne.NewPos(h.head, 0))
	objects[1].Resize(fyne.NewSize(max(0, size.Width-h.head), size.Height))
}

// tapBox makes its content lead somewhere.
type tapBox struct {
	widget.BaseWidget
	content fyne.CanvasObject
	ground  *canvas.Rectangle
	tapped  func()
}

var _ desktop.Hoverable = (*tapBox)(nil)

func newTapBox(content fyne.CanvasObject, tapped func()) *tapBox {
	b := &tapBox{content: content, tapped: tapped, ground: canvas.NewRectangle(colourOf(theme.ColorNameHover))}
	b.ground.CornerRadius = 3
	b.ground.Hide()
	b.ExtendBaseWidget(b)
	return b
}

func (b *tapBox) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(b.ground, b.content))
}

func (b *tapBox) Tapped(*fyne.PointEvent)        { b.tapped() }
func (b *tapBox) Cursor() desktop.Cursor         { return desktop.PointerCursor }
func (b *tapBox) MouseIn(*desktop.MouseEvent)    { b.ground.Show() }
func (b *tapBox) MouseMoved(*desktop.MouseEvent) {}
func (b *tapBox) MouseOut()                      { b.ground.Hide() }

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
