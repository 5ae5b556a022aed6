package app

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"coverslip/app/session"
)

// listModel is what the left column shows and changes.
type listModel interface {
	Tasks() []session.TaskItem
	Task() int
	SelectTask(i int)
	Runs() []session.RunItem
	Run() int
	SelectRun(i int)
	Images() []session.ImageItem
	Image() int
	SelectImage(i int)
}

// listPanel is the left column: tasks, the runs of the task, the images of the task with what the run made of them.
type listPanel struct {
	tasks, runs, images *section
	content             fyne.CanvasObject
}

func newListPanel(m listModel, keys keySink) *listPanel {
	p := &listPanel{
		tasks:  newSection("TASKS", "", keys, m.Task, m.SelectTask, func() []itemText { return taskTexts(m.Tasks()) }),
		runs:   newSection("RUNS", "score", keys, m.Run, m.SelectRun, func() []itemText { return runTexts(m.Runs()) }),
		images: newSection("IMAGES", "errors   score", keys, m.Image, m.SelectImage, func() []itemText { return imageTexts(m.Images()) }),
	}
	p.images.middle = true
	p.content = container.New(shelves{wanted: []func() float32{p.tasks.wanted(5), p.runs.wanted(6)}},
		p.tasks.content, p.runs.content, p.images.content)
	return p
}

// Refresh shows what a topic says has changed.
func (p *listPanel) Refresh(t session.Topic) {
	before := len(p.tasks.items)*100 + len(p.runs.items)
	if t&session.Tasks != 0 {
		p.tasks.Refresh()
	}
	if t&(session.Tasks|session.Runs) != 0 {
		p.runs.Refresh()
	}
	if t&(session.Tasks|session.Images|session.Score) != 0 {
		p.images.Refresh()
	}
	if before != len(p.tasks.items)*100+len(p.runs.items) {
		p.content.Refresh()
	}
}

// itemText is one line of a section: a name, a figure at the right, and a quiet word between.
type itemText struct {
	name, word, figure string
	tone               fyne.ThemeColorName // of the figure
	bad                bool                // the word is a warning
}

func taskTexts(tasks []session.TaskItem) []itemText {
	items := make([]itemText, len(tasks))
	for i, t := range tasks {
		items[i].name = t.Title
	}
	return items
}

func runTexts(runs []session.RunItem) []itemText {
	items := make([]itemText, len(runs))
	for i, r := range runs {
		items[i] = itemText{name: r.Name, figure: r.Score, tone: colourQuiet}
		switch {
		case r.State == session.Failed:
			items[i].tone = theme.ColorNameError
		case r.State == session.Done && r.Passed:
			items[i].word, items[i].tone = "passes", theme.ColorNameSuccess
		case r.State == session.Done:
			items[i].tone = theme.ColorNameForeground
		}
	}
	return items
}

func imageTexts(images []session.ImageItem) []itemText {
	items := make([]itemText, len(images))
	for i, im := range images {
		items[i] = itemText{name: im.Name, figure: im.Score, tone: theme.ColorNameForeground}
		switch {
		case im.Status != "":
			items[i].word, items[i].bad = im.Status, true
		case im.Errors > 0:
			items[i].word = strconv.Itoa(im.Errors)
		}
	}
	return items
}

// section is a heading, with the names of the figures at the right, and a list of lines of which one is selected.
type section struct {
	read    func() []itemText
	current func() int
	items   []itemText
	list    *keyList
	quiet   bool // a selection is being shown, not made
	middle  bool // names are cut in the middle
	content fyne.CanvasObject
}

func newSection(title, figures string, keys keySink, current func() int, choose func(int), read func() []itemText) *section {
	s := &section{read: read, current: current}
	s.list = newKeyList(keys, func() int { return len(s.items) }, func() fyne.CanvasObject { return newItemRow(s.middle) },
		func(i int, o fyne.CanvasObject) { o.(*itemRow).Set(s.items[i], i == s.current()) })
	s.list.OnSelected = func(i int) {
		if !s.quiet {
			choose(i)
		}
	}
	s.list.step = func(by int) {
		if i := s.current() + by; i >= 0 && i < len(s.items) {
			choose(i)
		}
	}
	heading := container.New(inset{rowPad, 9, rowPad, 3}, container.NewBorder(nil, nil, newHeading(title), newText(figures, colourHeading, sizeSmall)))
	s.content = container.NewBorder(heading, nil, nil, nil, s.list)
	return s
}

// Refresh reads the lines anew and shows which is selected.
func (s *section) Refresh() {
	s.items = s.read()
	s.quiet = true
	if i := s.current(); i >= 0 {
		s.list.Select(i)
	} else {
		s.list.UnselectAll()
	}
	s.quiet = false
	s.list.Refresh()
}

// wanted is the height for the section's lines, at least one and at most so many.
func (s *section) wanted(most int) func() float32 {
	return func() float32 {
		lines := min(max(len(s.items), 1), most)
		row := newItemRow(false).MinSize().Height + theme.Padding()
		return lineHeight(sizeSmall) + 12 + float32(lines)*row + 4
	}
}

// itemRow draws an itemText.
type itemRow struct {
	widget.BaseWidget
	name, word, figure *cutText
	box                *fyne.Container
}

func newItemRow(middle bool) *itemRow {
	r := &itemRow{
		name: newCutText(theme.ColorNameForeground, sizeText), word: newCutText(colourQuiet, sizeSmall),
		figure: newCutText(theme.ColorNameForeground, sizeText),
	}
	r.name.middle = middle
	r.word.text.Alignment, r.figure.text.Alignment = fyne.TextAlignTrailing, fyne.TextAlignTrailing
	r.box = container.New(itemColumns{}, r.name, r.word, r.figure)
	r.ExtendBaseWidget(r)
	return r
}

func (r *itemRow) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.box) }

func (r *itemRow) Set(t itemText, selected bool) {
	name, word := theme.ColorNameForeground, colourQuiet
	if selected {
		word = theme.ColorNameForeground
	}
	if t.bad {
		word = theme.ColorNameWarning
	}
	relay := t.word != r.word.full || t.figure != r.figure.full
	r.name.Set(t.name, name)
	r.word.Set(t.word, word)
	r.figure.Set(t.figure, t.tone)
	if relay {
		r.box.Layout.Layout(r.box.Objects, r.box.Size())
	}
}

// itemColumns gives word and figure the width of their text and the name the rest.
type itemColumns struct{}

const rowPad = 10

func (itemColumns) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(60, objects[0].MinSize().Height+5)
}

func (itemColumns) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	right := size.Width - rowPad
	for i := 2; i >= 0; i-- {
		t := objects[i].(*cutText)
		h := t.MinSize().Height
		w := right - rowPad
		if i > 0 {
			if t.full == "" {
				t.Resize(fyne.NewSize(0, h))
				continue
			}
			w = min(w, fyne.MeasureText(t.full, t.text.TextSize, t.text.TextStyle).Width+1)
		}
		t.Move(fyne.NewPos(right-w, (size.Height-h)/2))
		t.Resize(fyne.NewSize(max(0, w), h))
		right -= w + 8
	}
}
