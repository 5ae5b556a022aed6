package xlsx

import "slices"

// Sheet is one view of one sheet. Rows and columns count from 0; A1 is row 0, column 0.
type Sheet struct {
	Name   string
	Hidden bool
	Err    error // reading stopped here; what came before is there

	part    *part
	strict  bool
	rows    int // this and the following are set by arrange
	columns int
	order   []span // by row number
}

// arrange finds the rows of the view. It is called once, before a sheet is given out.
func (s *Sheet) arrange() {
	if s.strict {
		s.arrangeStrict()
		return
	}
	s.rows, s.columns, s.order = s.part.rows, s.part.columns, s.part.spans
	if !s.part.ordered {
		s.order = slices.Clone(s.order)
		slices.SortStableFunc(s.order, func(a, b span) int { return int(a.shown) - int(b.shown) })
	}
}

// arrangeStrict goes through the rows as the reference does: up to the stated last row, those that go back dropped, a
// window that was left early filled up with empty rows.
func (s *Sheet) arrangeStrict() {
	p := s.part
	if p.chart || p.strictly {
		return
	}
	next, last := 1, 1
	for i, row := range p.spans {
		last = int(row.number)
		if p.maxRow > 0 && last > p.maxRow {
			break
		}
		if last < next {
			continue
		}
		next = last + 1
		if len(s.order) == i { // nothing was dropped so far
			s.order = p.spans[: i+1 : i+1]
		} else {
			s.order = append(s.order, row)
		}
		s.columns = max(s.columns, int(row.last))
	}
	if p.maxColumn > 0 {
		s.columns = p.maxColumn
	}
	s.rows = next - 1
	if p.maxRow > 0 && p.maxRow < last {
		s.rows = p.maxRow
	}
}

// Rows is the number of rows, empty ones in between included.
func (s *Sheet) Rows() int { return s.rows }

// Columns is the number of columns of the widest row.
func (s *Sheet) Columns() int { return s.columns }

// RowLen is the number of cells of a row: all columns in the display view and where the sheet states its dimensions,
// else up to the row's last cell.
func (s *Sheet) RowLen(row int) int {
	if !s.strict || s.part.maxColumn > 0 {
		return s.Columns()
	}
	if i, ok := s.find(row); ok {
		return int(s.order[i].last)
	}
	return 0
}

// find is the place in order of the last stored row of a number.
func (s *Sheet) find(row int) (int, bool) {
	if row < 0 || row >= s.rows {
		return 0, false
	}
	i, _ := slices.BinarySearchFunc(s.order, row+2, func(r span, n int) int { return s.number(r) - n })
	i--
	return i, i >= 0 && s.number(s.order[i]) == row+1
}

// number is the row number of a stored row in this view, from 1.
func (s *Sheet) number(r span) int {
	if s.strict {
		return int(r.number)
	}
	return int(r.shown)
}

// Cell is the value of a cell; it is Empty outside of the view.
func (s *Sheet) Cell(row, column int) Cell {
	i, ok := s.find(row)
	if !ok || column < 0 || s.strict && column >= s.RowLen(row) {
		return Cell{}
	}
	for ; i >= 0 && s.number(s.order[i]) == row+1; i-- {
		if c, ok := s.part.lookUp(s.order[i], int32(column+1)); ok {
			return s.part.cell(c, s.strict)
		}
	}
	return Cell{}
}

// lookUp finds the last cell of a column in a stored row.
func (p *part) lookUp(row span, column int32) (stored, bool) {
	cells := p.cells[row.start:row.end]
	if row.rising {
		k, ok := slices.BinarySearchFunc(cells, column, func(c stored, n int32) int { return int(c.column - n) })
		if !ok {
			return stored{}, false
		}
		return cells[k], true
	}
	for k := len(cells) - 1; k >= 0; k-- {
		if cells[k].column == column {
			return cells[k], true
		}
	}
	return stored{}, false
}

// Row gives all cells of a row.
func (s *Sheet) Row(row int) []Cell { return s.RowInto(row, nil) }

// RowInto is Row in the memory of the given cells, as far as there is room.
func (s *Sheet) RowInto(row int, cells []Cell) []Cell {
	if n := s.RowLen(row); n <= cap(cells) {
		cells = cells[:n]
		clear(cells)
	} else {
		cells = make([]Cell, n)
	}
	i, ok := s.find(row)
	if !ok {
		return cells
	}
	first := i
	for first > 0 && s.number(s.order[first-1]) == row+1 {
		first--
	}
	for _, r := range s.order[first : i+1] {
		for _, c := range s.part.cells[r.start:r.end] {
			if int(c.column) <= len(cells) {
				cells[c.column-1] = s.part.cell(c, s.strict)
			}
		}
	}
	return cells
}

// Facts are what a person should know about a sheet.
type Facts struct {
	Dates      int // cells that the reference takes for dates or times, so that they are no numbers to it
	Unvalued   int // formulas without a stored result: empty cells
	Broken     int // cells whose text is not what their type says; the reference stops at the first
	Outside    int // cells with a value that the strict view lacks
	Cells      int // cells with a value
	WindowRows int // as the sheet states, 0 if it does not
	WindowCols int
}

// Facts counts them.
func (s *Sheet) Facts() Facts {
	p := s.part
	f := Facts{Dates: p.dates, Unvalued: p.unvalued, Broken: p.broken, Cells: p.filled, WindowRows: p.maxRow, WindowCols: p.maxColumn}
	strict := Sheet{part: p, strict: true}
	strict.arrange()
	seen := 0
	for _, row := range strict.order {
		if int(row.number) > strict.rows {
			break
		}
		for _, c := range p.cells[row.start:row.end] {
			if c.form != formEmpty && (p.maxColumn == 0 || int(c.column) <= p.maxColumn) {
				seen++
			}
		}
	}
	f.Outside = p.filled - seen
	return f
}
