package compare

import (
	"math"

	"coverslip/scoring/report"
)

// Row is an image, well, condition or frame that the score averages over, in both runs.
type Row struct {
	Name, Compartment string
	A, B              RowSide
	Gain              float64 // of all changes in it
	Counts            Counts
}

// RowSide is one run's part of a row.
type RowSide struct {
	Image  int // index into the report's Images; -1: it has no such row
	Status report.Status
	Value  float64 // the primary metric of the row, NaN for none
}

// Counts are changes by class. Whole rows, whole runs and remarks are not among them.
type Counts struct{ Gained, Lost, Improved, Worsened, Unchanged, Dropped, Added, Kept int }

// Frame is one frame of a row with several.
type Frame struct {
	Row, Frame int
	Gain       float64
	Counts     Counts
}

func (n *Counts) add(c *Change) {
	if c.Aspect >= Remark {
		return
	}
	switch c.Class {
	case Gained:
		n.Gained++
	case Lost:
		n.Lost++
	case Improved:
		n.Improved++
	case Worsened:
		n.Worsened++
	case Unchanged:
		n.Unchanged++
	case Dropped:
		n.Dropped++
	case Added:
		n.Added++
	case Kept:
		n.Kept++
	}
}

// rowName is what rows of several reports are paired by.
type rowName struct {
	compartment, name string
	turn              int // which of several of one name
}

// align finds the rows that reports share. of gives the common row of each image of each report. Rows are paired by name and
// compartment; what is left over by the truth's file, where that is unique, since some reports name a row after the answer's
// file; and a single row with a single row. There is always at least one common row.
func align(reports []*report.Report) (rows []rowName, of [][]int) {
	a := aligning{byName: map[rowName]int{}, byTruth: map[string]int{}}
	for _, r := range reports {
		of = append(of, a.place(r))
	}
	if len(a.rows) == 0 {
		a.rows = []rowName{{}}
	}
	return a.rows, of
}

// aligning is the common rows so far.
type aligning struct {
	rows    []rowName
	byName  map[rowName]int
	byTruth map[string]int // of rows whose truth file no other row of a report has
}

// place gives the common row of each image of a report, and adds those that are new.
func (a *aligning) place(r *report.Report) []int {
	of, names := make([]int, len(r.Images)), make([]rowName, len(r.Images))
	taken, turns, truths := map[int]bool{}, map[rowName]int{}, uniqueTruths(r)
	var left []int
	for i := range r.Images {
		n := rowName{compartment: r.Images[i].Compartment, name: r.Images[i].Name}
		names[i] = rowName{n.compartment, n.name, turns[n]}
		turns[n]++
		if row, known := a.byName[names[i]]; known {
			of[i], taken[row] = row, true
		} else {
			left = append(left, i)
		}
	}
	single := len(r.Images) == 1 && len(a.rows) == 1
	for _, i := range left {
		row, known := 0, single
		if t := r.Images[i].Truth; !single && truths[t] == 1 {
			row, known = a.byTruth[t]
		}
		if !known || taken[row] {
			row = len(a.rows)
			a.rows = append(a.rows, names[i])
		}
		a.byName[names[i]] = row
		of[i], taken[row] = row, true
	}
	for i := range r.Images {
		if t := r.Images[i].Truth; truths[t] == 1 {
			if _, there := a.byTruth[t]; !there {
				a.byTruth[t] = of[i]
			}
		}
	}
	return of
}

// uniqueTruths counts the rows of each truth file.
func uniqueTruths(r *report.Report) map[string]int {
	n := map[string]int{}
	for i := range r.Images {
		if t := r.Images[i].Truth; t != "" {
			n[t]++
		}
	}
	return n
}

func rowsOf(names []rowName, reports []*report.Report, of [][]int, changes []Change) []Row {
	rows := make([]Row, len(names))
	for i, n := range names {
		none := RowSide{Image: -1, Value: math.NaN()}
		rows[i] = Row{Name: n.name, Compartment: n.compartment, A: none, B: none}
	}
	for k, r := range reports {
		for i, row := range of[k] {
			side := RowSide{Image: i, Status: r.Images[i].Status, Value: r.Images[i].Value}
			if k == 0 {
				rows[row].A = side
			} else {
				rows[row].B = side
			}
		}
	}
	for i := range changes {
		c := &changes[i]
		if c.Row >= 0 {
			rows[c.Row].Gain += c.Gain
			rows[c.Row].Counts.add(c)
		}
	}
	return rows
}

// framesOf sums the changes up by frame, for rows with several frames. The changes are sorted by row and frame.
func framesOf(changes []Change) []Frame {
	var all []Frame
	for i := range changes {
		c := &changes[i]
		if n := len(all); n == 0 || all[n-1].Row != c.Row || all[n-1].Frame != c.Frame {
			all = append(all, Frame{Row: c.Row, Frame: c.Frame})
		}
		f := &all[len(all)-1]
		f.Gain += c.Gain
		f.Counts.add(c)
	}
	var list []Frame
	for i := 0; i < len(all); {
		end := i + 1
		for end < len(all) && all[end].Row == all[i].Row {
			end++
		}
		if all[i].Row >= 0 && end-i > 1 {
			list = append(list, all[i:end]...)
		}
		i = end
	}
	return list
}
