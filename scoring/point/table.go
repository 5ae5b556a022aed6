package point

import (
	"coverslip/datasets/tabular"
	"coverslip/datasets/tabular/python"
)

// Point is the centre of a cell, X along columns and Y along rows, in pixels. Coordinates may be NaN or infinite.
type Point struct{ X, Y float64 }

// table is what a file of points says.
type table struct {
	points  []Point
	skipped int  // records without two numbers
	named   bool // a header names both columns
}

// readTable reads a file of points.
func readTable(path string) (table, error) {
	raw, err := tabular.ReadRaw(path)
	if err != nil {
		return table{}, err
	}
	return parse(raw)
}

// Parse reads points from the bytes of a table as the reference does (4.2): any line break splits, blank lines do not
// count, a first record without a number is a header. The last column called x and the last called y (or col, row ...)
// are taken; without both, or without a header, the first two.
func Parse(raw string) ([]Point, error) {
	t, err := parse(raw)
	return t.points, err
}

func parse(raw string) (table, error) {
	records, err := tabular.ParseCSVLines(python.Lines(python.Decode(raw)))
	if err != nil {
		return table{}, err
	}
	var t table
	x, y := 0, 1
	if len(records) > 0 && isHeader(records[0]) {
		if hx, hy := columns(records[0]); hx >= 0 && hy >= 0 {
			x, y, t.named = hx, hy, true
		}
		records = records[1:]
	}
	for _, cells := range records {
		if p, ok := pointOf(cells, x, y); ok {
			t.points = append(t.points, p)
		} else {
			t.skipped++
		}
	}
	return t, nil
}

func isHeader(cells []string) bool {
	for _, cell := range cells {
		if _, ok := number(cell); ok {
			return false
		}
	}
	return true
}

// columns finds the last column of each name, -1 where there is none.
func columns(header []string) (x, y int) {
	x, y = -1, -1
	for i, cell := range header {
		switch python.Lower(python.Trim(cell)) {
		case "x", "x_coord", "col", "column":
			x = i
		case "y", "y_coord", "row":
			y = i
		}
	}
	return x, y
}

func pointOf(cells []string, x, y int) (Point, bool) {
	if len(cells) <= max(x, y) {
		return Point{}, false
	}
	px, okX := number(cells[x])
	py, okY := number(cells[y])
	return Point{px, py}, okX && okY
}

func number(cell string) (float64, bool) { return python.Float(python.Trim(cell)) }
