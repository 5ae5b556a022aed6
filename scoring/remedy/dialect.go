package remedy

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"coverslip/datasets/tabular"
)

// dialectSlip names what keeps the scorer from reading a text table as a person does; "" for a plain one.
func dialectSlip(d tabular.Dialect, f form) string {
	var parts []string
	switch d.Encoding {
	case tabular.UTF8Mark:
		parts = append(parts, "the byte-order mark were taken off")
	case tabular.UTF16:
		parts = append(parts, "the text were UTF-8, not UTF-16")
	}
	switch {
	case d.Separator == ";":
		parts = append(parts, "commas stood between the cells, not semicolons")
	case d.Separator == "\t" && f == commas:
		parts = append(parts, "commas stood between the cells, not tabs")
	case d.Separator == " " && f == commas:
		parts = append(parts, "commas stood between the cells, not blanks")
	}
	if d.Decimal == "," {
		parts = append(parts, "numbers had a decimal point, not a comma")
	}
	return join(parts)
}

var decimalComma = regexp.MustCompile(`^\s*[+-]?\d+,\d+([eE][+-]?\d+)?\s*$`)

// asPerson reads the first sheet of a table of any kind with its encoding, separator and decimal sign understood.
func asPerson(path string) (rows, error) {
	t, err := tabular.Open(path)
	if err != nil || len(t.Sheets) == 0 {
		return nil, err
	}
	return cellsOf(t.Sheets[0], t.Decimal == ","), nil
}

func cellsOf(sheet *tabular.Sheet, comma bool) rows {
	var table rows
	width := sheet.Columns()
	if sheet.HasHeader() {
		var head []string
		for c := range width {
			name, named := sheet.Column(c)
			if !named {
				break
			}
			head = append(head, name)
		}
		table = append(table, head)
	}
	for r := range sheet.Rows() {
		var row []string
		for c := range width {
			cell, present := sheet.Cell(r, c)
			if comma && decimalComma.MatchString(cell) {
				cell = strings.Replace(cell, ",", ".", 1)
			}
			if present {
				row = append(row, make([]string, c-len(row))...)
				row = append(row, cell)
			}
		}
		table = append(table, row)
	}
	return table
}

// tableSuffixes are of files that a table may be handed in as.
var tableSuffixes = []string{".csv", ".tsv", ".txt", ".xlsx"}

func isTable(path string) bool {
	return slices.Contains(tableSuffixes, strings.ToLower(filepath.Ext(path)))
}
