package table

import (
	"fmt"
	"math"

	"coverslip/datasets/fault"
	"coverslip/datasets/tabular/python"
	"coverslip/scoring/numeric"
)

// The phenotypes, in the reference's order.
const nClasses = 3

var classNames = [nClasses]string{"round", "amoeboid", "ramified"}

// classOfLabel is the index of a phenotype, -1 for any other text.
func classOfLabel(label string) int {
	switch lowered(label) {
	case "round":
		return 0
	case "amoeboid":
		return 1
	case "ramified", "stratified":
		return 2
	}
	return -1
}

func className(class int) string {
	if class < 0 {
		return "no known class"
	}
	return classNames[class]
}

// cell is a cell at a place (row y, column x) of a frame.
type cell struct {
	frame, y, x float64
	class       int // -1: none
	row         int
}

// cellList are the cells of a table in file order.
type cellList struct {
	sheet
	cells   []cell
	skipped []int    // rows without a frame or a place
	strange []string // labels that are no phenotype, the first few
	unnamed int      // cells without a phenotype
	classes map[string]int
}

// points are the places of some cells: row, column.
func (l *cellList) points(which []int) []numeric.Point {
	list := make([]numeric.Point, len(which))
	for i, k := range which {
		list[i] = numeric.Point{l.cells[k].y, l.cells[k].x}
	}
	return list
}

// class reads a label, most of which come many times.
func (l *cellList) class(label string) int {
	c, known := l.classes[label]
	if !known {
		c = classOfLabel(label)
		if len(l.classes) < 1000 {
			l.classes[label] = c
		}
		if text := python.Trim(label); c < 0 && text != "" && len(l.strange) < 12 {
			l.strange = append(l.strange, text)
		}
	}
	if c < 0 {
		l.unnamed++
	}
	return c
}

// errInfiniteFrame is what the reference stops with.
func errInfiniteFrame(s sheet, row int) error {
	return &fault.Error{Kind: fault.Malformed, At: fmt.Sprintf("row %d", s.id(row)+1), Found: "an infinite frame", Expected: "a whole number"}
}

// readCells reads the answer (spec/scorers-tables.md 6.2): for each quantity the first of several names whose cell is
// not blank in this row.
func readCells(path string) (*cellList, error) {
	l := &cellList{sheet: readSheet(path), classes: map[string]int{}}
	columns := l.columns(lowered, true)
	named := func(names ...string) []string {
		var list []string
		for _, n := range names {
			if c, ok := find(columns, n); ok {
				list = append(list, c)
			}
		}
		return list
	}
	frames := named("frame", "image_index", "frame_index", "image", "timepoint", "time_index", "t")
	xs := named("x", "centroid_x", "col", "column", "x_px")
	ys := named("y", "centroid_y", "row", "y_px")
	labels := named("predicted_phenotype", "predicted_label", "phenotype", "label", "class", "predicted_class")
	l.cells = make([]cell, 0, l.Len())
	for row := range l.Len() {
		err := l.add(row, l.filled(row, frames), l.filled(row, xs), l.filled(row, ys), func() string { return l.filled(row, labels) })
		if err != nil {
			return nil, err
		}
	}
	return l, l.err
}

// filled is the first cell that is not blank, "" if all are.
func (l *cellList) filled(row int, columns []string) string {
	for _, c := range columns {
		if text, ok := l.Get(row, c); ok && python.Trim(text) != "" {
			return text
		}
	}
	return ""
}

// readAnnotation reads the truth, whose columns have fixed names.
func readAnnotation(path string) (*cellList, error) {
	l := &cellList{sheet: readSheet(path), classes: map[string]int{}}
	get := func(row int, name string) string {
		text, _ := l.Get(row, name)
		return text
	}
	l.cells = make([]cell, 0, l.Len())
	for row := range l.Len() {
		err := l.add(row, get(row, "axis-0"), get(row, "axis-2"), get(row, "axis-1"), func() string { return get(row, "label") })
		if err != nil {
			return nil, err
		}
	}
	return l, l.err
}

// add takes a row if its three numbers can be read.
func (l *cellList) add(row int, frame, x, y string, label func() string) error {
	t, okT := python.Float(frame)
	if okT && math.IsInf(t, 0) {
		return errInfiniteFrame(l.sheet, row)
	}
	c := cell{row: row}
	var okX, okY bool
	c.x, okX = python.Float(x)
	c.y, okY = python.Float(y)
	if !okT || math.IsNaN(t) || !okX || !okY {
		l.skipped = append(l.skipped, row)
		return nil
	}
	c.frame = math.Trunc(t) + 0 // no negative zero
	c.class = l.class(label())
	l.cells = append(l.cells, c)
	return nil
}
