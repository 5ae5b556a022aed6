package table

import (
	"fmt"
	"slices"

	"coverslip/datasets/tabular/python"
)

// doses are ratios by cell type and dose.
type doses struct {
	sheet
	list    []*doseSet // by first appearance
	at      map[string]*doseSet
	skipped []int // rows without numbers
}

// doseSet are the ratios of one cell type. Doses of equal value are one.
type doseSet struct {
	name   string
	order  []float64 // doses by first appearance
	values map[float64][]float64
	rows   map[float64][]int
}

// sorted are the doses from the lowest up.
func (d *doseSet) sorted() []float64 { return slices.Sorted(slices.Values(d.order)) }

// readDoses reads a table of wells or cells (spec/scorers-tables.md 5.2). One row that is longer than the header makes the
// reference give up on the file.
func readDoses(path, ratioColumn string) (*doses, error) {
	t := &doses{sheet: readSheet(path), at: map[string]*doseSet{}}
	for row := range t.Len() {
		if len(t.Surplus(row)) > 0 {
			return nil, fmt.Errorf("row %d: %w", t.id(row)+1, errLongRow)
		}
	}
	if t.err != nil {
		return nil, t.err
	}
	columns := t.columns(python.Trim, true)
	typeColumn, okType := find(columns, "cell_type")
	doseColumn, okDose := find(columns, "dose")
	ratio, okRatio := find(columns, ratioColumn)
	for row := range t.Len() {
		dose, ok1 := finite(t.text(row, doseColumn))
		value, ok2 := finite(t.text(row, ratio))
		if !okDose || !okRatio || !ok1 || !ok2 {
			t.skipped = append(t.skipped, row)
			continue
		}
		name := ""
		if okType {
			name = t.text(row, typeColumn)
		}
		t.add(row, name, dose, value)
	}
	return t, nil
}

func (t *doses) add(row int, name string, dose, value float64) {
	if name == "" {
		name = "unknown"
	}
	set, ok := t.at[name]
	if !ok {
		set = &doseSet{name: name, values: map[float64][]float64{}, rows: map[float64][]int{}}
		t.at[name] = set
		t.list = append(t.list, set)
	}
	if _, ok := set.values[dose]; !ok {
		set.order = append(set.order, dose)
	}
	set.values[dose] = append(set.values[dose], value)
	set.rows[dose] = append(set.rows[dose], row)
}
