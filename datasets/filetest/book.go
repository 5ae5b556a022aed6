package filetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"coverslip/datasets/tabular"
	"coverslip/datasets/tabular/xlsx"
)

func (v Vector) checkBook(path string) error {
	book, err := xlsx.Open(path)
	if err != nil {
		return err
	}
	strict, err := book.Strict()
	if v.Fails && err == nil && (len(strict) == 0 || strict[0].Err == nil) {
		return errors.New("strict view: read without an error")
	}
	if v.Sheets != nil {
		if err != nil {
			return err
		}
		if err := sameSheets(strict, *v.Sheets); err != nil {
			return fmt.Errorf("strict view: %w", err)
		}
	}
	shown := v.Whole
	if v.Shown != nil {
		shown = v.Shown
	}
	if shown == nil {
		return nil
	}
	if err := sameSheets(book.Sheets, *shown); err != nil {
		return fmt.Errorf("display view: %w", err)
	}
	return nil
}

// sameStrictly compares the strict table of a workbook with the strict view that a scorer opens.
func sameStrictly(t *tabular.Table) error {
	strict, tableErr := t.Strict()
	sheets, err := xlsx.OpenStrict(t.Path)
	if len(strict.Sheets) != len(sheets) || err != nil && tableErr == nil {
		return fmt.Errorf("the strict table has %d sheets, the scorer sees %d; %v, %v", len(strict.Sheets), len(sheets), tableErr, err)
	}
	for i, s := range sheets {
		shown := strict.Sheets[i]
		if shown.Rows() != s.Rows() || shown.Columns() != s.Columns() || shown.Name != s.Name {
			return fmt.Errorf("the strict table of sheet %s is %d x %d, the scorer's %d x %d", s.Name, shown.Rows(), shown.Columns(), s.Rows(), s.Columns())
		}
		for c, cell := range s.Row(0) {
			if text, ok := shown.Cell(0, c); text != cell.Text() || ok != (cell.Kind != xlsx.Empty) {
				return fmt.Errorf("the strict table of sheet %s has %q, the scorer %+v", s.Name, text, cell)
			}
		}
	}
	return nil
}

func sameSheets(got []*xlsx.Sheet, want sheets) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d sheets, expected %d", len(got), len(want))
	}
	for i, s := range got {
		if s.Name != want[i].name || s.Rows() != len(want[i].rows) || s.Err != nil {
			return fmt.Errorf("sheet %s of %d rows, expected %s of %d; error %v", s.Name, s.Rows(), want[i].name, len(want[i].rows), s.Err)
		}
		for r, cells := range want[i].rows {
			if s.RowLen(r) != len(cells) {
				return fmt.Errorf("sheet %s, row %d: %d cells, expected %d", s.Name, r, s.RowLen(r), len(cells))
			}
			whole := s.Row(r)
			for c, cell := range cells {
				if got := s.Cell(r, c); !sameCell(got, cell) || got != whole[c] {
					return fmt.Errorf("sheet %s, row %d, column %d: %+v (%+v in the row), expected %v", s.Name, r, c, got, whole[c], cell)
				}
			}
		}
	}
	return nil
}

func sameCell(got xlsx.Cell, want any) bool {
	switch w := want.(type) {
	case nil:
		return got == xlsx.Cell{}
	case string:
		return (got.Kind == xlsx.Text || got.Kind == xlsx.Fault) && got.Text() == w
	case bool:
		return got.Kind == xlsx.Bool && (got.Value == 1) == w
	case json.Number:
		kind := xlsx.Integer
		if strings.ContainsAny(w.String(), ".eE") {
			kind = xlsx.Number
		}
		value, err := w.Float64()
		return err == nil && got.Kind == kind && got.Text() == w.String() && got.Value == value
	case map[string]any:
		if seconds, ok := w["duration_s"]; ok {
			value, err := seconds.(json.Number).Float64()
			return err == nil && got.Kind == xlsx.Duration && got.Value*86400 == value
		}
		if text, ok := w["float"]; ok {
			return got.Kind == xlsx.Number && got.Text() == text
		}
		for _, text := range w { // {"date": "2024-01-01T12:00:00"}
			return got.Kind == xlsx.Date && got.Text() == strings.Replace(text.(string), "T", " ", 1)
		}
	}
	return false
}
