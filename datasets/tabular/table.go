package tabular

import (
	"strings"

	"coverslip/datasets/tabular/python"
	"coverslip/datasets/tabular/xlsx"
)

// Table is a table file opened for display: as much as can be read, with notes on where the scorer's reading differs.
// Cells are read by index, so that a view needs only the rows in sight. A Table is not changed after Open and may be
// used from several goroutines.
type Table struct {
	Path    string
	Format  string // "CSV", "TSV", "text", "XLSX"
	Dialect        // of a table in text
	Sheets  []*Sheet
	Notes   []Note // warnings first

	raw       string         // of a table in text
	book      *xlsx.Workbook // of a workbook
	strictErr error
}

// Sheet is one grid of cells. Rows and columns count from 0, the header not included.
type Sheet struct {
	Name   string
	Hidden bool
	header int // rows of it, 0 or 1
	grid   grid
}

// grid is what the kinds of tables have in common. Rows include the header.
type grid interface {
	size() (rows, cols int)
	cell(r, c int) (text string, present bool)
	number(r, c int) (float64, bool)
	place(r int) int // of a row in the file, 0 for the first
}

// HasHeader tells whether the first row names the columns.
func (s *Sheet) HasHeader() bool { return s.header > 0 }

// Rows is the number of rows below the header.
func (s *Sheet) Rows() int {
	rows, _ := s.grid.size()
	return max(rows-s.header, 0)
}

// Columns is the number of columns of the widest row.
func (s *Sheet) Columns() int {
	_, cols := s.grid.size()
	return cols
}

// Column is the name of a column, as it is in the header. There is none without a header, and none for cells behind its
// end; an empty name is a name.
func (s *Sheet) Column(c int) (name string, named bool) {
	if rows, cols := s.grid.size(); s.header == 0 || rows == 0 || c < 0 || c >= cols {
		return "", false
	}
	return s.grid.cell(0, c)
}

// Find is the first column of that name, blanks around it and letter case aside, or -1.
func (s *Sheet) Find(name string) int {
	want := python.Lower(python.Trim(name))
	for c := range s.Columns() {
		if have, ok := s.Column(c); ok && python.Lower(python.Trim(have)) == want {
			return c
		}
	}
	return -1
}

// Cell is the text of a cell. It is absent where a row is too short or a cell of a workbook is empty.
func (s *Sheet) Cell(row, col int) (text string, present bool) {
	if !s.inside(row, col) {
		return "", false
	}
	return s.grid.cell(row+s.header, col)
}

// Number is the value of a cell that holds a number, decimal commas understood. It may be NaN or infinite.
func (s *Sheet) Number(row, col int) (float64, bool) {
	if !s.inside(row, col) {
		return 0, false
	}
	return s.grid.number(row+s.header, col)
}

// Place tells where a row stands in the file: its record, the first being 0, or in a workbook its row number less one.
// In tables that are split line by line it is the line. It leads from the row numbers of a scorer to rows on screen.
func (s *Sheet) Place(row int) int { return s.grid.place(row + s.header) }

// RowAt is the row that stands at a place of the file, or -1.
func (s *Sheet) RowAt(place int) int {
	lo, hi := 0, s.Rows()
	for lo < hi {
		if mid := (lo + hi) / 2; s.Place(mid) < place {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < s.Rows() && s.Place(lo) == place {
		return lo
	}
	return -1
}

func (s *Sheet) inside(row, col int) bool {
	rows, cols := s.grid.size()
	return row >= 0 && row+s.header < rows && col >= 0 && col < cols
}

// Strict is the same file as the reference reads it, record by record, without taking a header off: commas only, nothing
// repaired; of a workbook the cells inside its stated dimensions. The error is the one the reference stops with; what
// comes before it is there all the same.
func (t *Table) Strict() (*Table, error) {
	strict := &Table{Path: t.Path, Format: t.Format, Dialect: Dialect{Encoding: UTF8, Separator: ",", Decimal: "."}}
	if t.book != nil {
		sheets, err := t.book.Strict()
		for _, s := range sheets {
			strict.Sheets = append(strict.Sheets, &Sheet{Name: s.Name, Hidden: s.Hidden, grid: bookGrid{s}})
			if err == nil {
				err = s.Err
			}
		}
		return strict, inFile(t.Path, err)
	}
	records, err := t.strictRecords()
	g := &textGrid{dialect: strict.Dialect, records: records}
	for _, r := range records {
		g.width = max(g.width, len(r))
	}
	strict.Sheets = []*Sheet{{Name: t.Sheets[0].Name, grid: g}}
	return strict, err
}

// Warnings are the notes that matter.
func (t *Table) Warnings() []Note {
	for i, n := range t.Notes {
		if n.Level != Warning {
			return t.Notes[:i]
		}
	}
	return t.Notes
}

// isName tells a header cell from a value.
func isName(cell string) bool {
	_, number := python.Float(cell)
	return !number && strings.TrimSpace(cell) != ""
}
