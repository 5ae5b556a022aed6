package filetest

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"coverslip/datasets/tabular"
	"coverslip/datasets/tabular/python"
)

func (v Vector) checkTable(path string) error {
	var table *tabular.Table
	var openErr error
	begin := time.Now()
	if err := v.measure(func() { table, openErr = tabular.Open(path) }); err != nil {
		return err
	}
	if err := v.inTime(begin); err != nil {
		return err
	}
	if openErr != nil || v.Outcome == "error" {
		return v.checkError(openErr)
	}
	if err := v.checkNotes(table.Notes); err != nil {
		return err
	}
	if strings.EqualFold(filepath.Ext(path), ".xlsx") {
		return errors.Join(v.checkBook(path), sameStrictly(table))
	}
	return errors.Join(v.checkStrict(path, table), v.checkShown(table), v.checkParsed(path), v.checkFloats(path))
}

func (v Vector) checkNotes(all []tabular.Note) error {
	for _, n := range all {
		if v.Outcome == "ok" && n.Level == tabular.Warning {
			return fmt.Errorf("a needless warning: %v", n)
		}
		if v.Outcome == "warn" && n.Level == tabular.Warning && strings.Contains(n.Topic+" "+n.Text, v.Warn) {
			return nil
		}
	}
	if v.Outcome == "warn" {
		return fmt.Errorf("no warning about %q: %v", v.Warn, all)
	}
	return nil
}

func (v Vector) checkStrict(path string, t *tabular.Table) error {
	if v.Strict == nil {
		return nil
	}
	records, err := tabular.ReadCSVFile(path)
	if (err != nil) != (v.Strict.Error != "") {
		return fmt.Errorf("strict reading: error %v, expected %q", err, v.Strict.Error)
	}
	if err != nil {
		return nil
	}
	if v.Strict.Records != nil && !sameRecords(records, *v.Strict.Records) {
		return fmt.Errorf("strict records %q, expected %q", records, *v.Strict.Records)
	}
	if n := v.Strict.Count; n != nil && (len(records) != *n || !sameRecords(records[:len(v.Strict.First)], v.Strict.First) || !sameRecords(records[len(records)-len(v.Strict.Last):], v.Strict.Last)) {
		return fmt.Errorf("%d strict records, expected %d, or other ones", len(records), *n)
	}
	strict, err := t.Strict()
	if err != nil || strict.Sheets[0].Rows() != len(records) {
		return fmt.Errorf("the strict table has other rows, %v", err)
	}
	for i, r := range records {
		for c, want := range r {
			if got, ok := strict.Sheets[0].Cell(i, c); !ok || got != want {
				return fmt.Errorf("the strict table has %q in row %d, expected %q", got, i, want)
			}
		}
	}
	return nil
}

func sameRecords(a, b [][]string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if len(a[i]) != len(b[i]) {
			return false
		}
		for k := range a[i] {
			if a[i][k] != b[i][k] {
				return false
			}
		}
	}
	return true
}

func (v Vector) checkShown(t *tabular.Table) error {
	d := v.Table
	if d == nil {
		return nil
	}
	s := t.Sheets[0]
	if t.Encoding != d.Encoding || t.Separator != d.Delimiter || t.Decimal != d.Decimal {
		return fmt.Errorf("%s, separator %q, decimal %q; expected %s %q %q", t.Encoding, t.Separator, t.Decimal, d.Encoding, d.Delimiter, d.Decimal)
	}
	if d.Columns == nil && s.HasHeader() {
		return fmt.Errorf("a header: %v", columns(s))
	}
	if d.Columns != nil && !reflect.DeepEqual(columns(s), texts(d.Columns)) {
		return fmt.Errorf("columns %v, expected %v", columns(s), texts(d.Columns))
	}
	if d.Count != nil && s.Rows() != *d.Count {
		return fmt.Errorf("%d rows, expected %d", s.Rows(), *d.Count)
	}
	if d.Rows == nil {
		return nil
	}
	if s.Rows() != len(*d.Rows) {
		return fmt.Errorf("%d rows, expected %d", s.Rows(), len(*d.Rows))
	}
	for i, r := range *d.Rows {
		if got := row(s, i, len(r)); !reflect.DeepEqual(got, texts(r)) {
			return fmt.Errorf("row %d: %v, expected %v", i, got, texts(r))
		}
		if at := s.RowAt(s.Place(i)); at != i {
			return fmt.Errorf("row %d stands at place %d, which leads to row %d", i, s.Place(i), at)
		}
	}
	return nil
}

// texts and its like write cells so that an absent one differs from an empty one.
func texts(cells []*string) []string {
	out := make([]string, len(cells))
	for i, c := range cells {
		if out[i] = "absent"; c != nil {
			out[i] = fmt.Sprintf("%q", *c)
		}
	}
	return out
}

func columns(s *tabular.Sheet) []string {
	cells := make([]*string, s.Columns())
	for c := range cells {
		if name, ok := s.Column(c); ok {
			cells[c] = &name
		}
	}
	return texts(cells)
}

func row(s *tabular.Sheet, r, n int) []string {
	cells := make([]*string, n)
	for c := range cells {
		if text, ok := s.Cell(r, c); ok {
			cells[c] = &text
		}
	}
	return texts(cells)
}

// checkParsed reads rows of four as a lineage, others as localisations.
func (v Vector) checkParsed(path string) error {
	if v.Parsed == nil {
		return nil
	}
	raw, err := tabular.ReadRaw(path)
	if err != nil {
		return err
	}
	var got [][]float64
	if strings.Contains(filepath.Base(path), "lineage") {
		tracks, _, err := tabular.ParseLineage(raw)
		if err != nil {
			return err
		}
		for _, t := range tracks {
			got = append(got, []float64{t.ID, t.Start, t.End, t.Parent})
		}
	} else {
		list, _, err := tabular.ParseLocalisations(raw)
		if err != nil {
			return err
		}
		for _, l := range list {
			got = append(got, []float64{l.Frame, l.X, l.Y, l.Intensity}[:len(v.Parsed[0])])
		}
	}
	same := slices.EqualFunc(got, v.Parsed, func(g []float64, w []any) bool {
		return slices.EqualFunc(g, w, func(g float64, w any) bool { return sameFloat(g, true, w) })
	})
	if !same {
		return fmt.Errorf("parsed as %v, expected %v", got, v.Parsed)
	}
	return nil
}

func (v Vector) checkFloats(path string) error {
	if v.Floats == nil {
		return nil
	}
	records, err := tabular.ReadCSVFile(path)
	if err != nil || len(records) != len(v.Floats)+1 {
		return fmt.Errorf("%d records, %v", len(records), err)
	}
	for i, want := range v.Floats {
		got, ok := python.Float(records[i+1][0])
		if !sameFloat(got, ok, want[0]) {
			return fmt.Errorf("%q reads as %v %v, expected %v", records[i+1][0], got, ok, want[0])
		}
	}
	return nil
}

func sameFloat(got float64, ok bool, want any) bool {
	switch w := want.(type) {
	case float64:
		return ok && math.Float64bits(got) == math.Float64bits(w)
	case string:
		return w == "not a number" && !ok || ok && w == python.FormatFloat(got)
	}
	return false
}
