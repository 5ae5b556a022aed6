package remedy

import (
	"fmt"
	"slices"
	"strings"
)

// headerSlip names what is wrong with the header of a table, and gives the edit that puts it right; "" where it is as the
// scorer wants it, or where no row can be taken for one.
func headerSlip(s schema, table rows) (text string, edit func(rows) rows) {
	header, at := s.locate(table)
	if header < 0 {
		if !s.place && headless(s, table) {
			return "a header named the columns: " + strings.Join(s.names(), ", "), s.addHeader
		}
		return "", nil
	}
	var parts []string
	if header > 0 && !s.place {
		parts = append(parts, "the lines above the header were left out")
	}
	if s.place {
		if !slices.IsSorted(at[:s.needed()]) || at[0] != 0 || at[s.needed()-1] != s.needed()-1 {
			parts = append(parts, "the columns stood in the order "+strings.Join(s.names(), ", "))
		}
		return join(parts), s.reorder
	}
	var names []string
	for i, c := range s.columns {
		if at[i] >= 0 && !slices.Contains(table[header], c.name) && !s.lenient() {
			names = append(names, fmt.Sprintf("%q", c.name))
		}
	}
	switch len(names) {
	case 0:
	case 1:
		parts = append(parts, "a column were called "+names[0])
	default:
		parts = append(parts, "columns were called "+join(names))
	}
	return join(parts), s.rename
}

func join(parts []string) string {
	if n := len(parts); n > 2 {
		return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	return strings.Join(parts, " and ")
}

// lenient tells a table whose scorer looks for parts of column names.
func (s schema) lenient() bool { return s.deliverable == "per_cell_coefficients" }

func (s schema) names() (list []string) {
	for _, c := range s.columns {
		list = append(list, c.name)
	}
	return list
}

// needed is the number of columns that are not optional; they come first.
func (s schema) needed() (n int) {
	for _, c := range s.columns {
		if !c.optional {
			n++
		}
	}
	return n
}

// headless tells a table that begins with its data: as wide as the schema, numbers where the schema has them.
func headless(s schema, table rows) bool {
	if len(table) == 0 || len(table[0]) != len(s.columns) && len(table[0]) != s.needed() {
		return false
	}
	for i, c := range s.columns[:len(table[0])] {
		if _, isNumber := value(table[0], i); !isNumber && c.role != group && c.role != other {
			return false
		}
	}
	return true
}

func (s schema) addHeader(table rows) rows {
	if len(table) == 0 {
		return table
	}
	return append(rows{s.names()[:min(len(table[0]), len(s.columns))]}, table...)
}

// rename lets a table begin with its header, the columns under the names that the scorer wants.
func (s schema) rename(table rows) rows {
	header, at := s.locate(table)
	if header < 0 {
		return table
	}
	head := slices.Clone(table[header])
	if s.lenient() {
		return append(rows{head}, table[header+1:]...)
	}
	for i, c := range s.columns {
		if at[i] >= 0 && !slices.Contains(head, c.name) {
			head[at[i]] = c.name
		}
	}
	return append(rows{head}, table[header+1:]...)
}

// reorder puts the columns at their places and takes the header off.
func (s schema) reorder(table rows) rows {
	header, at := s.locate(table)
	if header < 0 {
		return table
	}
	var out rows
	for _, row := range table[header+1:] {
		var cells []string
		for _, k := range at {
			if k < 0 || k >= len(row) {
				break
			}
			cells = append(cells, row[k])
		}
		out = append(out, cells)
	}
	return out
}
