package table

import (
	"slices"
	"strings"

	"coverslip/datasets/tabular"
	"coverslip/datasets/tabular/python"
)

// onsets are normalized starts by condition.
type onsets struct {
	sheet
	names   []string // as written, by first appearance
	values  map[string][]float64
	rows    map[string][]int // of each value, where they come from rows
	skipped []int            // rows that did not count; nil from blocks
	blocks  bool             // read as blocks side by side
}

// add appends a value of a condition.
func (o *onsets) add(name string, value float64, row int) {
	if _, ok := o.values[name]; !ok {
		o.names = append(o.names, name)
	}
	o.values[name] = append(o.values[name], value)
	o.rows[name] = append(o.rows[name], row)
}

// blocks reads conditions that stand side by side: names in the first record, labels in the second, values below
// (spec/scorers-tables.md 3.2). A name given again replaces the earlier values.
func blocks(records tabular.Records) *onsets {
	o := &onsets{values: map[string][]float64{}, blocks: true}
	if len(records) < 2 {
		return o
	}
	var starts []int
	for i, cell := range records[0] {
		if python.Trim(cell) != "" {
			starts = append(starts, i)
		}
	}
	for k, start := range starts {
		end := len(records[1])
		if k+1 < len(starts) {
			end = min(end, starts[k+1])
		}
		column := start
		for column < end && !isOnset(records[1][column]) {
			column++
		}
		if column >= end {
			continue
		}
		name := python.Trim(records[0][start])
		if _, ok := o.values[name]; !ok {
			o.names = append(o.names, name)
		}
		o.values[name] = []float64{}
		for _, r := range records[2:] {
			if column >= len(r) {
				continue
			}
			if v, ok := finite(r[column]); ok {
				o.values[name] = append(o.values[name], v)
			}
		}
	}
	return o
}

func isOnset(label string) bool {
	l := lowered(label)
	return strings.Contains(l, "start") && strings.Contains(l, "normalized")
}

// readOnsets reads the answer: one row per event, or else blocks.
func readOnsets(s sheet) *onsets {
	o := &onsets{sheet: s, values: map[string][]float64{}, rows: map[string][]int{}}
	condition, ok1 := firstOf(s.Names, "condition", "group", "sirna", "label", "sample")
	value, ok2 := firstOf(s.Names, "start_normalized", "start normalized", "start_norm")
	if ok1 && ok2 {
		for row := range s.Len() {
			name := s.text(row, condition)
			cell, _ := s.Get(row, value)
			if v, ok := finite(cell); ok && name != "" {
				o.add(name, v, row)
			} else {
				o.skipped = append(o.skipped, row)
			}
		}
	}
	if len(o.names) > 0 {
		return o
	}
	b := blocks(s.records)
	b.sheet, b.skipped = s, o.skipped
	return b
}

// firstOf is the text of the first header, from the left, that is the first wanted name that is there at all.
func firstOf(header []string, wanted ...string) (string, bool) {
	for _, w := range wanted {
		if i := slices.IndexFunc(header, func(h string) bool { return lowered(h) == w }); i >= 0 {
			return header[i], true
		}
	}
	return "", false
}
