package app

import (
	"fmt"
	"image/color"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"coverslip/app/session"
)

// errorModel is what the errors table shows and changes.
type errorModel interface {
	ErrorCount() (shown, all int)
	ErrorRow(i int) session.Row
	ErrorKinds() []session.KindCount
	ToggleKind(kind string)
	SetSearch(text string)
	OnlyThisImage(on bool)
	IsOnlyThisImage() bool
	SortErrors(column string, falling bool)
	ErrorSort() (column string, falling bool)
	Selected() int
	SelectError(row int)
}

// errorColumns are the columns of the table; width 0 takes what is left.
var errorColumns = []struct {
	title, sort string
	width       float32
	number      bool
}{
	{"Kind", "kind", 84, false},
	{"Image", "image", 0, false},
	{"IoU", "iou", 32, true},
	{"Wrong", "wrong", 46, true},
	{"Cost", "cost", 56, true},
}

func errorLayout() columns {
	c := columns{gap: 5, widths: []float32{chipBar}}
	for _, col := range errorColumns {
		c.widths = append(c.widths, col.width)
	}
	return c
}

// searchPause is how long typing must rest before the table is filtered.
const searchPause = 150 * time.Millisecond

// errorPanel is the errors table, worst first, with filters by kind, search and the words of the selected error.
type errorPanel struct {
	model  errorModel
	keys   keySink
	list   *keyList
	quiet  bool
	chips  *fyne.Container
	kinds  map[string]*chip
	search *field
	only   *chip
	heads  []*chip
	count  *canvas.Text
	where  *canvas.Text
	detail *widget.Label
	empty  *widget.Label
	later  *delay

	content fyne.CanvasObject
}

func newErrorPanel(m errorModel, keys keySink, post func(func())) *errorPanel {
	p := &errorPanel{model: m, keys: keys, kinds: map[string]*chip{}, later: newDelay(post)}
	p.list = newKeyList(keys, p.length, func() fyne.CanvasObject { return newErrorRow() },
		func(i int, o fyne.CanvasObject) { o.(*errorRow).Set(m.ErrorRow(i)) })
	p.list.OnSelected = func(i int) {
		if !p.quiet {
			m.SelectError(i)
		}
	}
	p.list.step = p.step
	p.chips = container.New(&flow{gap: 4})
	p.search = newField(keys, "Search image, id or words")
	p.search.OnChanged = func(text string) { p.later.Run(searchPause, func() { m.SetSearch(text) }) }
	p.search.escape = func() { release(p.search) }
	p.only = newChip(keys, "This image only", func() { m.OnlyThisImage(!m.IsOnlyThisImage()) })
	p.count, p.where = newText("", colourQuiet, sizeSmall), newText("", colourQuiet, sizeSmall)
	p.detail, p.empty = newProse(theme.ColorNameForeground), newProse(colourQuiet)
	p.content = p.layout()
	return p
}

func (p *errorPanel) layout() fyne.CanvasObject {
	head := []fyne.CanvasObject{canvas.NewRectangle(color.Transparent)}
	for _, col := range errorColumns {
		c := newLink(p.keys, col.title, func() { p.sortBy(col.sort) })
		c.trailing = col.number
		p.heads = append(p.heads, c)
		head = append(head, c)
	}
	top := container.NewVBox(
		container.New(inset{10, 6, 10, 2}, p.chips),
		container.New(inset{10, 0, 10, 0}, container.NewBorder(nil, nil, nil, p.only, p.search)),
		container.New(inset{rowPad, 2, rowPad, 0}, container.New(errorLayout(), head...)),
		widget.NewSeparator(),
	)
	foot := container.NewVBox(widget.NewSeparator(),
		container.New(inset{10, 4, 10, 6}, container.NewVBox(dense(p.detail), container.NewBorder(nil, nil, p.where, p.count))))
	return container.NewBorder(top, foot, nil, nil, container.NewStack(p.list, container.New(inset{14, 12, 14, 0}, p.empty)))
}

func (p *errorPanel) length() int { n, _ := p.model.ErrorCount(); return n }

func (p *errorPanel) step(by int) {
	n := p.length()
	if at := p.model.Selected() + by; n > 0 {
		p.model.SelectError(min(max(at, 0), n-1))
	}
}

// sortBy orders by a column; a second time the other way round. Figures begin with the largest.
func (p *errorPanel) sortBy(column string) {
	now, falling := p.model.ErrorSort()
	if now == column {
		falling = !falling
	} else {
		falling = column == "cost" || column == "wrong"
	}
	p.model.SortErrors(column, falling)
}

// Refresh shows what a topic says has changed.
func (p *errorPanel) Refresh(t session.Topic) {
	if t&(session.Errors|session.Selection) == 0 {
		return
	}
	if t&session.Errors != 0 {
		p.showFilters()
		p.list.Refresh()
	}
	p.showSelection()
}

func (p *errorPanel) showFilters() {
	shown, all := p.model.ErrorCount()
	text := count(all, "row")
	if shown != all {
		text = fmt.Sprintf("%d of %s shown", shown, text)
	}
	setText(p.count, text, colourQuiet)
	p.only.Set("This image only", p.model.IsOnlyThisImage())
	now, falling := p.model.ErrorSort()
	for i, col := range errorColumns {
		title := col.title
		if col.sort == now {
			title += map[bool]string{true: " ▾", false: " ▴"}[falling]
		}
		p.heads[i].Set(title, col.sort == now)
	}
	p.showKinds()
	p.empty.SetText("")
	if shown == 0 {
		p.empty.SetText(map[bool]string{true: "No errors to show.", false: "All errors are filtered out. Switch a kind on, or clear the search."}[all == 0])
	}
}

func (p *errorPanel) showKinds() {
	objects := p.chips.Objects[:0:0]
	for _, k := range p.model.ErrorKinds() {
		c := p.kinds[k.Kind]
		if c == nil {
			c = newChip(p.keys, "", func() { p.model.ToggleKind(k.Kind) })
			c.bar.FillColor = kindColour(k.Kind)
			c.bar.Show()
			p.kinds[k.Kind] = c
		}
		c.Set(fmt.Sprintf("%s %d", k.Kind, k.N), k.On)
		objects = append(objects, c)
	}
	p.chips.Objects = objects
	p.chips.Refresh()
}

func (p *errorPanel) showSelection() {
	p.quiet = true
	at := p.model.Selected()
	if at >= 0 {
		p.list.Select(at)
	} else {
		p.list.UnselectAll()
	}
	p.quiet = false
	if at < 0 {
		hint := ""
		if p.length() > 0 {
			hint = "Click a row, or press N, to stand at the object."
		}
		p.detail.SetText(hint)
		setText(p.where, "", colourQuiet)
		return
	}
	r := p.model.ErrorRow(at)
	p.detail.SetText(r.Text)
	setText(p.where, r.Where, colourQuiet)
}

// errorRow draws one line of the table.
type errorRow struct {
	widget.BaseWidget
	bar   *canvas.Rectangle
	cells []*cutText
	box   *fyne.Container
}

func newErrorRow() *errorRow {
	r := &errorRow{bar: canvas.NewRectangle(color.Transparent)}
	r.bar.CornerRadius = 1.5
	r.bar.SetMinSize(fyne.NewSize(chipBar, 13))
	objects := []fyne.CanvasObject{r.bar}
	for i, col := range errorColumns {
		size := float32(sizeText)
		if i == 1 {
			size = sizeSmall
		}
		c := newCutText(theme.ColorNameForeground, size)
		c.middle = i == 1
		if col.number {
			c.text.Alignment = fyne.TextAlignTrailing
		}
		r.cells = append(r.cells, c)
		objects = append(objects, c)
	}
	r.box = container.New(inset{rowPad, 2, rowPad, 2}, container.New(errorLayout(), objects...))
	r.ExtendBaseWidget(r)
	return r
}

func (r *errorRow) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.box) }

// Set shows a row. The colour of its kind is that of the outline in the image; the kind stands beside it in words.
func (r *errorRow) Set(row session.Row) {
	if c := kindColour(row.Kind); r.bar.FillColor != c {
		r.bar.FillColor = c
		r.bar.Refresh()
	}
	for i, text := range []string{row.Kind, row.Image, row.IoU, row.Wrong, row.Cost} {
		colour := theme.ColorNameForeground
		if i == 1 {
			colour = colourQuiet
		}
		r.cells[i].Set(text, colour)
	}
}
