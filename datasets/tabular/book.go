package tabular

import (
	"fmt"
	"strings"

	"coverslip/datasets/tabular/xlsx"
)

// openBook reads a workbook for display and says what the reference makes of it.
func openBook(path string) (*Table, error) {
	book, err := xlsx.Open(path)
	if err != nil {
		return nil, err
	}
	t := &Table{Path: path, Format: "XLSX", book: book}
	var n notes
	if book.Strictly {
		n.warn("strict namespace", "The workbook is written as “Strict Open XML”: the scorer's reader finds no sheet in it", "Save it as a normal Excel workbook (.xlsx)")
	}
	if _, err := book.Strict(); err != nil {
		n.warn("the scorer cannot open it", "The scorer's reader cannot open this workbook: "+err.Error(), "Save it again in a spreadsheet program")
	}
	for _, note := range book.Notes {
		topic, text, _ := strings.Cut(note, ": ")
		n.warn(topic, text, "")
	}
	for _, s := range book.Sheets {
		sheet := &Sheet{Name: s.Name, Hidden: s.Hidden, grid: bookGrid{s}}
		if namedColumns(s) {
			sheet.header = 1
		}
		t.Sheets = append(t.Sheets, sheet)
		n = append(n, sheetNotes(s)...)
	}
	t.Notes = n.worstFirst()
	return t, nil
}

// namedColumns tells a first row of names and no numbers.
func namedColumns(s *xlsx.Sheet) bool {
	if s.Rows() == 0 {
		return false
	}
	names := 0
	for _, c := range s.Row(0) {
		switch {
		case c.Kind == xlsx.Text && isName(c.Text()):
			names++
		case c.Kind != xlsx.Empty && c.Text() != "":
			return false
		}
	}
	return names > 0
}

// sheetNotes words the facts about a sheet.
func sheetNotes(s *xlsx.Sheet) []Note {
	var n notes
	f := s.Facts()
	if s.Err != nil {
		n.warn("sheet cut off", "It can be read only up to row "+fmt.Sprint(s.Rows())+": "+s.Err.Error(), "Save the workbook again in a spreadsheet program")
	}
	if f.Outside > 0 {
		n.warn("dimension element is wrong", fmt.Sprintf("The sheet states its size as %d rows and %d columns, and %d of its %d cells are outside or out of order: the scorer does not see them", f.WindowRows, f.WindowCols, f.Outside, f.Cells),
			"Open the workbook in a spreadsheet program and save it again")
	}
	if f.Dates > 0 {
		n.warn("dates", fmt.Sprintf("%d cells are formatted as dates or times. The scorer reads them as text, so that they are no numbers to it", f.Dates), "Format them as numbers")
	}
	if f.Unvalued > 0 {
		n.info("formulas without a value", fmt.Sprintf("%d formulas have no stored result: the cells are empty, here and for the scorer", f.Unvalued), "Open the workbook in a spreadsheet program and save it")
	}
	if f.Broken > 0 {
		n.warn("cells of another type", fmt.Sprintf("%d cells hold something else than their type says: the scorer's reader stops there with an error", f.Broken), "Save the workbook again in a spreadsheet program")
	}
	rows, columns := max(s.Rows(), f.WindowRows), max(s.Columns(), f.WindowCols)
	if window := float64(rows) * float64(columns); window > 1e8 && window > 1000*float64(f.Cells) {
		n.warn("large window", fmt.Sprintf("%s cells in the window, of which %d hold something: a reader that goes through all of them does not come to an end", inWords(window), f.Cells), "Delete the cells far from the table and save the workbook again")
	}
	for i := range n {
		n[i].Sheet = s.Name
	}
	return n
}

func inWords(v float64) string {
	if v >= 1e9 {
		return fmt.Sprintf("%.0f billion", v/1e9)
	}
	return fmt.Sprintf("%.0f million", v/1e6)
}

// bookGrid shows a sheet of a workbook.
type bookGrid struct{ sheet *xlsx.Sheet }

func (g bookGrid) size() (rows, cols int) { return g.sheet.Rows(), g.sheet.Columns() }
func (g bookGrid) place(r int) int        { return r }

func (g bookGrid) cell(r, c int) (string, bool) {
	v := g.sheet.Cell(r, c)
	return v.Text(), v.Kind != xlsx.Empty
}

func (g bookGrid) number(r, c int) (float64, bool) {
	v := g.sheet.Cell(r, c)
	return v.Value, v.IsNumber()
}
