package app

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"coverslip/datasets/tabular"
)

// grid shows the rows of one sheet. Only the cells in sight exist. It passes on all keys; those that move in it come back as Step.
type grid struct {
	widget.Table
	keys   keySink
	sheet  *tabular.Sheet
	dashes bool    // a cell that its row does not reach is drawn as a dash
	rows   []int32 // of the sheet, in the order shown
	order  ordering
	right  []bool    // columns of numbers stand at the right
	widths []float32 // of the columns, as they were set first
	scroll *container.Scroll
	at     widget.TableCellID

	sort  func(column int)
	moved func()
}

var _ desktop.Keyable = (*grid)(nil)

func newGrid(keys keySink, sheet *tabular.Sheet, dashes bool, sort func(column int), moved func()) *grid {
	g := &grid{keys: keys, sheet: sheet, dashes: dashes, sort: sort, moved: moved}
	g.order.column = -1
	g.ShowHeaderRow, g.ShowHeaderColumn, g.StickyColumnCount = true, true, 0
	g.Length = func() (rows, columns int) { return len(g.rows), g.sheet.Columns() }
	g.CreateCell = func() fyne.CanvasObject { return newGridCell() }
	g.UpdateCell = func(id widget.TableCellID, o fyne.CanvasObject) { g.showCell(id, o.(*gridCell)) }
	g.CreateHeader = func() fyne.CanvasObject { return newHeadCell(g.tapped) }
	g.UpdateHeader = func(id widget.TableCellID, o fyne.CanvasObject) { g.showHead(id, o.(*headCell)) }
	g.OnSelected = func(id widget.TableCellID) { g.at = id; g.moved() }
	g.ExtendBaseWidget(g)
	g.setWidths()
	return g
}

// List shows other rows, or the same in another order. A newly sorted table is shown from its top; else the cell that was picked stays
// picked where it is still shown.
func (g *grid) List(rows []int32, order ordering) {
	at, column := 0, max(0, g.at.Col)
	if sorted := order.column >= 0 && (order.column != g.order.column || order.falling != g.order.falling); !sorted {
		at = max(0, slices.Index(rows, int32(g.Row())))
	}
	g.rows, g.order = rows, order
	g.UnselectAll()
	g.Refresh()
	g.pick(widget.TableCellID{Row: at, Col: column})
	g.moved()
}

// Row is the row of the sheet that is picked, -1 for none.
func (g *grid) Row() int {
	if g.at.Row < 0 || g.at.Row >= len(g.rows) {
		return -1
	}
	return int(g.rows[g.at.Row])
}

// Step moves the picked cell by a named key; false if that key does not move.
func (g *grid) Step(key string) bool {
	to := g.at
	switch key {
	case "Up":
		to.Row--
	case "Down":
		to.Row++
	case "Left":
		to.Col--
	case "Right":
		to.Col++
	case "PageUp":
		to.Row -= g.page()
	case "PageDown":
		to.Row += g.page()
	case "Home":
		to.Row = 0
	case "End":
		to.Row = len(g.rows) - 1
	default:
		return false
	}
	to.Row = max(0, min(to.Row, len(g.rows)-1))
	to.Col = max(0, min(to.Col, g.sheet.Columns()-1))
	g.pick(to)
	return true
}

// pick picks a cell and brings it into sight.
func (g *grid) pick(id widget.TableCellID) { g.settled(func() { g.Select(id) }) }

// Tapped picks the cell that was tapped.
func (g *grid) Tapped(e *fyne.PointEvent) { g.settled(func() { g.Table.Tapped(e) }) }

// settled puts right where the toolkit scrolls to when a cell is picked: it takes the heads for part of what scrolls, so that a cell may
// lie below them.
func (g *grid) settled(pick func()) {
	if g.scroll == nil {
		pick()
		return
	}
	before := g.scroll.Offset
	pick()
	view, cell, gap := g.scroll.Size(), newGridCell().MinSize(), theme.Padding()
	y := float32(float64(g.at.Row) * float64(cell.Height+gap))
	x := float32(0)
	for c := range g.at.Col {
		x += g.widths[c] + gap
	}
	width := float32(0)
	if g.at.Col < len(g.widths) {
		width = g.widths[g.at.Col]
	}
	g.ScrollToOffset(fyne.NewPos(inSight(before.X, view.Width, x, width), inSight(before.Y, view.Height, y, cell.Height)))
}

// scrollBar is left free for the bar at the edge.
const scrollBar = 8

// inSight is the least change of an offset that shows the stretch from at on, or its beginning where it is longer than the view.
func inSight(offset, view, at, length float32) float32 {
	return min(max(offset, at+length+scrollBar-view), at)
}

// CreateRenderer keeps hold of what scrolls, since the toolkit does not tell where a table stands.
func (g *grid) CreateRenderer() fyne.WidgetRenderer {
	r := g.Table.CreateRenderer()
	for _, o := range r.Objects() {
		if s, ok := o.(*container.Scroll); ok {
			g.scroll = s
		}
	}
	return r
}

// page is how many rows one page moves: all in sight but one.
func (g *grid) page() int {
	return max(1, int(g.Size().Height/(newGridCell().MinSize().Height+theme.Padding()))-3)
}

func (g *grid) tapped(column int) {
	if column >= 0 {
		g.sort(column)
	}
}

func (g *grid) showCell(id widget.TableCellID, c *gridCell) {
	if id.Row >= len(g.rows) {
		c.Set("", colourQuiet, false)
		return
	}
	text, there := g.sheet.Cell(int(g.rows[id.Row]), id.Col)
	if !there && g.dashes {
		c.Set("—", colourQuiet, g.right[id.Col])
		return
	}
	c.Set(oneLine(text), theme.ColorNameForeground, g.right[id.Col])
}

// showHead shows the name of a column, or the number of a row in the file.
func (g *grid) showHead(id widget.TableCellID, c *headCell) {
	c.column = -1
	switch {
	case id.Col < 0 && id.Row >= 0 && id.Row < len(g.rows):
		c.Set(strconv.Itoa(g.sheet.Place(int(g.rows[id.Row]))+1), colourQuiet, true)
	case id.Row < 0 && id.Col >= 0:
		c.column = id.Col
		name, colour := g.columnName(id.Col)
		if g.order.column == id.Col {
			name, colour = name+map[bool]string{true: " ▾", false: " ▴"}[g.order.falling], theme.ColorNameForeground
		}
		c.Set(name, colour, g.right[id.Col])
	default:
		c.Set("", colourQuiet, false)
	}
}

// columnName is the name that the header has for a column, or its number, counted from 1, in a quieter colour.
func (g *grid) columnName(c int) (string, fyne.ThemeColorName) {
	if name, _ := g.sheet.Column(c); strings.TrimSpace(name) != "" {
		return oneLine(name), theme.ColorNameHyperlink
	}
	return strconv.Itoa(c + 1), colourQuiet
}

// Widths of columns in dp, and how many rows and columns are looked at to find them. Further columns have the least width twice.
const (
	leastColumn, mostColumn       = 48, 260
	measuredRows, measuredColumns = 60, 256
)

// setWidths makes the columns as wide as a sample of their cells. It is called before the grid is on screen, since each change of a
// width lays the whole table out.
func (g *grid) setWidths() {
	rows, columns := g.sheet.Rows(), g.sheet.Columns()
	g.right, g.widths = make([]bool, columns), make([]float32, columns)
	for c := range columns {
		width := float32(2 * leastColumn)
		if c < measuredColumns {
			width = g.measure(c, rows)
		}
		g.widths[c] = width
		g.SetColumnWidth(c, width)
	}
	last := 1
	if rows > 0 {
		last = g.sheet.Place(rows-1) + 1
	}
	g.SetColumnWidth(-1, max(leastColumn-10, textWidth(strconv.Itoa(last))+2*cellPad))
}

func (g *grid) measure(c, rows int) float32 {
	name, _ := g.columnName(c)
	width := textWidth(name + " ▾")
	texts, numbers := 0, 0
	for r := 0; r < rows; r += max(1, rows/measuredRows) {
		text, _ := g.sheet.Cell(r, c)
		if text == "" {
			continue
		}
		if _, ok := g.sheet.Number(r, c); ok {
			numbers++
		} else {
			texts++
		}
		width = max(width, textWidth(oneLine(text)))
	}
	g.right[c] = numbers > texts
	return min(max(width+2*cellPad+2, leastColumn), mostColumn)
}

func (g *grid) TypedKey(e *fyne.KeyEvent) { g.keys.TypedKey(e) }
func (g *grid) TypedRune(r rune)          { g.keys.TypedRune(r) }
func (g *grid) KeyDown(e *fyne.KeyEvent)  { g.keys.KeyDown(e) }
func (g *grid) KeyUp(e *fyne.KeyEvent)    { g.keys.KeyUp(e) }
func (g *grid) FocusLost()                { g.Table.FocusLost(); g.keys.FocusLost() }

// longestShown is how many bytes of a cell are drawn at most.
const longestShown = 300

var lineSigns = strings.NewReplacer("\r\n", " ⏎ ", "\n", " ⏎ ", "\r", " ⏎ ", "\t", " ⇥ ")

// oneLine is the text of a cell as it can be drawn in one line.
func oneLine(text string) string {
	if len(text) > longestShown {
		text = strings.ToValidUTF8(text[:longestShown], "") + "…"
	}
	if strings.ContainsAny(text, "\r\n\t") {
		text = lineSigns.Replace(text)
	}
	return text
}

// cellPad is left free at both sides of a cell, in dp.
const cellPad = 6

// gridCell draws one cell.
type gridCell struct {
	widget.BaseWidget
	text *cutText
	box  fyne.CanvasObject
}

func newGridCell() *gridCell {
	c := &gridCell{}
	c.fill()
	c.ExtendBaseWidget(c)
	return c
}

func (c *gridCell) fill() {
	c.text = newCutText(theme.ColorNameForeground, sizeText)
	c.box = fyne.NewContainerWithoutLayout(c.text)
}

func (c *gridCell) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(c.box) }

// MinSize has the height of a row; any width will do. The toolkit multiplies and divides by this height in single precision, which is
// exact for long tables only if it is a whole number.
func (c *gridCell) MinSize() fyne.Size {
	return fyne.NewSize(leastColumn, float32(math.Ceil(float64(lineHeight(sizeText)+5))))
}

func (c *gridCell) Resize(size fyne.Size) {
	c.BaseWidget.Resize(size)
	h := c.text.MinSize().Height
	c.text.Move(fyne.NewPos(cellPad, (size.Height-h)/2))
	c.text.Resize(fyne.NewSize(max(0, size.Width-2*cellPad), h))
}

// Set shows a text at the left or the right. Cells are used again for other places, so that all is set each time.
func (c *gridCell) Set(text string, colour fyne.ThemeColorName, right bool) {
	side := fyne.TextAlignLeading
	if right {
		side = fyne.TextAlignTrailing
	}
	if c.text.text.Alignment != side {
		c.text.text.Alignment = side
		c.text.text.Refresh()
	}
	c.text.Set(text, colour)
}

// headCell draws the name of a column, which sorts when it is tapped, or of a row. It takes no hovering, so that the table can show
// that the edges of columns can be dragged.
type headCell struct {
	gridCell
	column int
	tapped func(column int)
}

var _ fyne.Tappable = (*headCell)(nil)

func newHeadCell(tapped func(column int)) *headCell {
	c := &headCell{column: -1, tapped: tapped}
	c.fill()
	c.ExtendBaseWidget(c)
	return c
}

func (c *headCell) Tapped(*fyne.PointEvent) { c.tapped(c.column) }
