package signal

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster/parallel"
	"coverslip/datasets/tabular"
	"coverslip/datasets/tabular/python"
	"coverslip/datasets/tabular/xlsx"
)

// cellTable is the table of one cell.
type cellTable struct {
	key   string // of the answer: date and cell id
	sheet string // of the truth, or of the answer's workbook
	file  string
	curves
}

// largestCSV is the size from which the reference leaves out a CSV file.
const largestCSV = 50 << 20

// readBook reads the usable sheets of a workbook. A workbook that cannot be opened yields nothing; the error is for
// rows that cannot be read, where the reference fails. unused are the names of other sheets.
func readBook(file string) (tables []cellTable, unused []string, err error) {
	book, err := xlsx.Open(file)
	if err != nil {
		return nil, nil, nil
	}
	sheets, err := book.Strict()
	if err != nil {
		return nil, nil, nil
	}
	for _, s := range sheets {
		if s.Err != nil {
			return nil, nil, fmt.Errorf("%s, sheet %s: %w", filepath.Base(file), s.Name, s.Err)
		}
		if s.Rows() == 0 {
			unused = append(unused, s.Name)
			continue
		}
		if c, ok := sheetGrid(s).read(); ok {
			tables = append(tables, cellTable{sheet: s.Name, file: file, curves: c})
		} else {
			unused = append(unused, s.Name)
		}
	}
	return tables, unused, nil
}

// sheetGrid gives a sheet without its first row, the header.
func sheetGrid(s *xlsx.Sheet) grid {
	g := grid{rows: s.Rows() - 1}
	for _, c := range s.Row(0) {
		g.header = append(g.header, c.Text())
	}
	var cells []xlsx.Cell
	var out []float64
	g.row = func(row int) []float64 {
		cells, out = s.RowInto(row+1, cells), out[:0]
		for i := range cells {
			out = append(out, cellNumber(&cells[i]))
		}
		return out
	}
	return g
}

func cellNumber(c *xlsx.Cell) float64 {
	switch {
	case c.IsNumber() && finite(c.Value):
		return c.Value
	case c.Kind == xlsx.Text || c.Kind == xlsx.Fault:
		return finiteOrNaN(c.Text())
	}
	return math.NaN()
}

func finiteOrNaN(text string) float64 {
	if v, ok := python.Finite(text); ok {
		return v
	}
	return math.NaN()
}

// readCSV reads a table in text; ok is false where it cannot be used.
func readCSV(file string) (t cellTable, ok bool) {
	raw, err := tabular.ReadRaw(file)
	if err != nil || len(raw) > largestCSV {
		return t, false
	}
	records, err := tabular.ParseCSV(tabular.StrictText(raw))
	if err != nil || len(records) == 0 {
		return t, false
	}
	g := grid{header: records[0], rows: len(records) - 1, row: func(row int) []float64 {
		var out []float64
		for _, cell := range records[row+1] {
			out = append(out, finiteOrNaN(cell))
		}
		return out
	}}
	c, ok := g.read()
	return cellTable{file: file, curves: c}, ok
}

// books are workbooks read at once.
type books struct {
	files  []string
	tables [][]cellTable
	unused [][]string
	errs   []error
}

func readBooks(ctx context.Context, files []string) (b books, err error) {
	n := len(files)
	b = books{files, make([][]cellTable, n), make([][]string, n), make([]error, n)}
	return b, parallel.Each(ctx, n, func(i int) error {
		b.tables[i], b.unused[i], b.errs[i] = readBook(files[i])
		return nil
	})
}

// behindFirst are the workbooks without the first one.
func (b books) behindFirst() books { return books{b.files[1:], b.tables[1:], b.unused[1:], b.errs[1:]} }

// collected are the tables of an answer, the first for each key, in the order in which they were found.
type collected struct {
	tables     []cellTable
	repeated   []cellTable // later tables for a key
	unused     []string    // "file, sheet" without what is needed
	keys       []string
	unreadable []string
}

// answerTables lists the files of the answer that may hold tables: workbooks and CSV files, whatever their deliverable.
func (s *scorer) answerTables() (books, texts []string, err error) {
	all, err := biabench.ListFiles(s.Run.Dir)
	for _, f := range all {
		rel, err := filepath.Rel(s.Run.Dir, f)
		if err != nil || strings.HasPrefix(filepath.ToSlash(rel), biabench.SupportingFolder+"/") {
			continue
		}
		switch name := strings.ToLower(filepath.Base(f)); {
		case strings.HasSuffix(name, ".xlsx"):
			books = append(books, f)
		case strings.HasSuffix(name, ".csv"):
			texts = append(texts, f)
		}
	}
	return books, texts, err
}

// collect gathers the tables of the answer (spec/scorers-signals.md 3.4): those of all workbooks, then all CSV files.
func (s *scorer) collect(b books, texts []string) (c collected, err error) {
	seen := map[string]bool{}
	for i, file := range b.files {
		if b.errs[i] != nil {
			return c, b.errs[i]
		}
		for _, name := range b.unused[i] {
			c.unused = append(c.unused, s.Shown(file)+", sheet "+name)
		}
		if len(b.tables[i])+len(b.unused[i]) == 0 {
			c.unreadable = append(c.unreadable, s.Shown(file))
		}
		for _, t := range b.tables[i] {
			t.key = sheetKey(t.sheet, stemOf(t.file))
			c.add(t, seen)
		}
	}
	for _, file := range texts {
		t, ok := readCSV(file)
		if !ok {
			c.unused = append(c.unused, s.Shown(file))
			continue
		}
		t.key = stemKey(stemOf(file), lower(stemOf(file)))
		c.add(t, seen)
	}
	return c, nil
}

func (c *collected) add(t cellTable, seen map[string]bool) {
	if seen[t.key] {
		c.repeated = append(c.repeated, t)
		return
	}
	seen[t.key] = true
	c.tables, c.keys = append(c.tables, t), append(c.keys, t.key)
}

// sheetKey is the key of a sheet: by its own name, else by that of its file.
func sheetKey(sheet, stem string) string {
	cell := cellID(sheet)
	if cell == "" {
		return stemKey(stem, lower(sheet))
	}
	date := dateIn(sheet)
	if date == "" {
		date = dateIn(stem)
	}
	return keyOf(date, cell)
}

// stemKey is the key in a file's name, or otherwise.
func stemKey(stem, otherwise string) string {
	cell := cellID(stem)
	if cell == "" {
		return otherwise
	}
	return keyOf(dateIn(stem), cell)
}

func stemOf(file string) string { return biabench.Stem(file) }
