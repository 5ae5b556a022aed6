package app

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"coverslip/app/session"
	"coverslip/datasets/tabular"
)

// tableModel is the table on screen.
type tableModel interface {
	Table() *tabular.Table
	Sheet() int
	SelectSheet(i int)
}

// tablePanel shows a table in the place of the picture: what a strict reader makes of it, a search, the rows, the picked cell in full
// and the sheets. Rows are listed, and the table is read strictly, on goroutines of their own, since that takes longer than a frame.
type tablePanel struct {
	model tableModel
	keys  keySink
	post  func(func())
	later *delay

	table   *tabular.Table // that is open, read forgivingly
	strict  *tabular.Table // the same as the scorer reads it, nil while that is not known
	stops   error          // what the scorer stops with
	asked   bool           // the strict reading is asked for
	sheet   *tabular.Sheet // on screen
	order   ordering       // that is asked for
	listing context.CancelFunc

	grid    *grid
	notes   *widget.Label
	search  *field
	count   *canvas.Text
	reading *chip
	place   *canvas.Text // of the picked cell
	cell    *cutText
	sheets  *fyne.Container
	remarks fyne.CanvasObject // of the notes
	body    *fyne.Container   // of the grid
	content *fyne.Container

	listed func() // told each time rows are on screen
}

func newTablePanel(m tableModel, keys keySink, post func(func())) *tablePanel {
	p := &tablePanel{model: m, keys: keys, post: post, later: newDelay(post), listed: func() {}}
	p.notes = newProse(colourQuiet)
	p.search = newField(keys, "Search rows")
	p.search.OnChanged = func(text string) { p.later.Run(searchPause, func() { p.find(text) }) }
	p.search.OnSubmitted = func(string) { release(p.search) }
	p.search.escape = func() { release(p.search) }
	p.count, p.place = newText("", colourQuiet, sizeSmall), newText("", colourQuiet, sizeText)
	p.cell = newCutText(theme.ColorNameForeground, sizeText)
	p.cell.middle = true
	p.reading = newChip(keys, "As the scorer reads it", p.ToggleReading)
	p.sheets = container.New(&flow{gap: 4})
	p.body = container.NewStack()
	right := container.NewHBox(newGap(6), container.NewCenter(p.count), newGap(6), container.NewCenter(p.reading))
	p.remarks = dense(p.notes)
	head := container.NewVBox(p.remarks, container.NewBorder(nil, nil, nil, right, p.search), newGap(1))
	foot := container.NewVBox(newGap(1), container.NewBorder(nil, nil, p.place, nil, container.New(inset{left: 8}, p.cell)), p.sheets)
	p.content = container.New(inset{10, 8, 10, 6}, container.NewBorder(head, foot, nil, nil, p.body))
	p.content.Hide()
	return p
}

// Refresh shows what a topic says has changed.
func (p *tablePanel) Refresh(t session.Topic) {
	if t&(session.Tasks|session.SceneChanged) == 0 {
		return
	}
	table := p.model.Table()
	p.content.Hidden = table == nil
	if table != p.table {
		p.open(table)
	}
	if table != nil {
		p.show()
	}
}

// open forgets all of the last table.
func (p *tablePanel) open(table *tabular.Table) {
	p.stopListing()
	p.table, p.strict, p.stops, p.asked, p.sheet, p.grid = table, nil, nil, false, nil, nil
	p.body.Objects = nil
	if p.search.Text != "" {
		p.search.SetText("")
	}
}

// show shows the sheet that is selected, in the reading that is asked for.
func (p *tablePanel) show() {
	table := p.table
	if p.asked && p.strict == nil {
		p.showNotes("Reading the table as the scorer does …")
		p.readStrictly()
		return
	}
	if p.asked {
		table = p.strict
	}
	p.reading.Set("As the scorer reads it", p.asked)
	p.showSheets()
	p.showNotes(p.noteText())
	var sheet *tabular.Sheet
	if i := p.model.Sheet(); i >= 0 && i < len(table.Sheets) {
		sheet = table.Sheets[i]
	}
	if sheet == p.sheet && (sheet != nil || len(p.body.Objects) == 0) {
		p.content.Refresh()
		return
	}
	p.sheet, p.grid, p.body.Objects = sheet, nil, nil
	p.order = ordering{column: -1, search: p.search.Text}
	if sheet != nil {
		p.grid = newGrid(p.keys, sheet, table.Format != "XLSX", p.SortBy, p.showPlace)
		p.body.Objects = []fyne.CanvasObject{p.grid}
		p.list()
	}
	p.showPlace()
	p.content.Refresh()
}

// readStrictly reads the table as the scorer does and then shows that.
func (p *tablePanel) readStrictly() {
	table := p.table
	go func() {
		strict, err := table.Strict()
		p.post(func() {
			if p.table == table && p.strict == nil {
				p.strict, p.stops = strict, err
				p.show()
			}
		})
	}()
}

// ToggleReading switches between the forgiving reading and the scorer's.
func (p *tablePanel) ToggleReading() {
	if p.table != nil {
		p.asked = !p.asked
		p.reading.Set("As the scorer reads it", p.asked)
		p.show()
	}
}

// IsStrict tells whether the scorer's reading is asked for.
func (p *tablePanel) IsStrict() bool { return p.asked }

// notesShown is how many notes stand above a table; all are in the files panel.
const notesShown = 4

func (p *tablePanel) noteText() string {
	if p.asked {
		text := "This is what the scorer reads: all lines, the header among them. Commas alone part cells, and nothing is repaired."
		if p.strict.Format == "XLSX" {
			text = "This is what the scorer reads: all rows, the header among them, of the cells inside the stated dimensions."
		}
		if p.stops != nil {
			text = "The scorer cannot read all of this table. " + p.stops.Error()
		}
		return text
	}
	var lines []string
	for _, n := range p.table.Notes {
		lines = append(lines, n.String()+".")
	}
	if more := len(lines) - notesShown; more > 0 {
		lines = append(lines[:notesShown], count(more, "more remark")+" in the files panel.")
	}
	return strings.Join(lines, "\n")
}

func (p *tablePanel) showNotes(text string) {
	p.notes.Importance = widget.LowImportance
	if p.asked && p.stops != nil {
		p.notes.Importance = widget.WarningImportance
	}
	p.notes.SetText(text)
	if text == "" {
		p.remarks.Hide()
	} else {
		p.remarks.Show()
	}
}

// showSheets makes a switch for each sheet; one sheet alone needs none.
func (p *tablePanel) showSheets() {
	p.sheets.Objects = nil
	if len(p.table.Sheets) > 1 {
		for i, s := range p.table.Sheets {
			name := s.Name
			if s.Hidden {
				name += " (hidden)"
			}
			c := newChip(p.keys, "", func() { p.model.SelectSheet(i) })
			c.Set(name, i == p.model.Sheet())
			p.sheets.Objects = append(p.sheets.Objects, c)
		}
	}
	p.sheets.Hidden = len(p.sheets.Objects) == 0
}

func (p *tablePanel) find(text string) {
	if p.order.search != text {
		p.order.search = text
		p.list()
	}
}

// SortBy orders by a column: rising, then falling, then as in the file.
func (p *tablePanel) SortBy(column int) {
	if p.grid != nil {
		p.order = p.order.next(column)
		p.list()
	}
}

// SortByPicked orders by the column of the picked cell.
func (p *tablePanel) SortByPicked() {
	if p.grid != nil {
		p.SortBy(p.grid.at.Col)
	}
}

// list lists the rows as they are asked for now. The old ones stay until the new ones are there.
func (p *tablePanel) list() {
	p.stopListing()
	ctx, cancel := context.WithCancel(context.Background())
	p.listing = cancel
	g, order := p.grid, p.order
	go func() {
		rows := order.rows(ctx, g.sheet)
		p.post(func() {
			if ctx.Err() == nil && rows != nil && p.grid == g {
				p.stopListing()
				g.List(rows, order)
				p.showCount()
				p.listed()
			}
		})
	}()
}

func (p *tablePanel) stopListing() {
	if p.listing != nil {
		p.listing()
		p.listing = nil
	}
}

// Busy tells that something is still being read or listed.
func (p *tablePanel) Busy() bool { return p.listing != nil || p.asked && p.strict == nil }

func (p *tablePanel) showCount() {
	text := count(p.sheet.Rows(), "row")
	if len(p.grid.rows) != p.sheet.Rows() {
		text = fmt.Sprintf("%d of %s", len(p.grid.rows), text)
	}
	setText(p.count, text, colourQuiet)
	p.content.Refresh()
}

// showPlace shows the picked cell in full.
func (p *tablePanel) showPlace() {
	place, text := "", ""
	if p.grid != nil && p.grid.Row() >= 0 {
		name, _ := p.grid.columnName(p.grid.at.Col)
		place = fmt.Sprintf("row %d, %s", p.sheet.Place(p.grid.Row())+1, cut(name, mostColumn, sizeText, fyne.TextStyle{}, true))
		text, _ = p.Cell()
	}
	if p.place.Text != place {
		setText(p.place, place, colourQuiet)
	}
	p.cell.Set(oneLine(text), theme.ColorNameForeground)
}

// Cell is the whole text of the picked cell; false if none is picked.
func (p *tablePanel) Cell() (string, bool) {
	if p.grid == nil || p.grid.Row() < 0 {
		return "", false
	}
	text, _ := p.sheet.Cell(p.grid.Row(), p.grid.at.Col)
	return text, true
}

// Move moves the picked cell by a named key; false if no table is shown or the key does not move.
func (p *tablePanel) Move(key string) bool {
	return p.content.Visible() && p.grid != nil && p.grid.Step(key)
}
