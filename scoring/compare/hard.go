package compare

import (
	"cmp"
	"slices"

	"coverslip/scoring/report"
)

// Hard is a thing of the truth that none of several runs has right.
type Hard struct {
	Row, Compartment string
	Frame            int
	Aspect           Aspect
	Truth            report.ID // 0: none
	Key              string
	Missed, Wrong    int     // how many of the runs miss it, and have it wrong
	Cost             float64 // official cost, mean over the runs
	Marks            []int   // of each run: index into its report's Marks, -1 for none of its own
}

// HardFor lists what all of the given runs of one task miss or get wrong, the costliest first. A weak match counts as found.
// A run that misses a whole row misses all that is in it. Pieces of masks and other things without a name are taken together
// where all runs miss them in the same place.
func HardFor(reports ...*report.Report) []Hard {
	if len(reports) == 0 {
		return nil
	}
	rows, of := align(reports)
	h := hardness{index: indexed(reports, of, len(rows)), rows: rows}
	h.named()
	h.placed(nearOf(reports...))
	slices.SortStableFunc(h.list, func(x, y Hard) int { return cmp.Compare(y.Cost, x.Cost) })
	return h.list
}

// hardness gathers what is hard.
type hardness struct {
	*index
	rows []rowName
	list []Hard
}

// named looks at each name.
func (h *hardness) named() {
	n := len(h.runs)
	for at, s := range h.subjects {
		if s.aspect != Remark {
			h.add(s, h.marks[at*n:(at+1)*n])
		}
	}
}

// add lists a thing unless a run has it right.
func (h *hardness) add(s subject, marks []int32) {
	x := Hard{Row: h.rows[s.row].name, Compartment: h.rows[s.row].compartment, Frame: int(s.frame), Aspect: s.aspect, Truth: s.truth, Key: h.keys[s.key]}
	for k, r := range h.runs {
		side := h.side(k, s, int(marks[k]))
		switch side.State {
		case Missed:
			x.Missed++
		case Wrong:
			x.Wrong++
		default:
			return
		}
		x.Cost += side.Cost / float64(len(h.runs))
		if marks[k] >= 0 {
			x.Frame = r.Marks[marks[k]].T
		}
	}
	x.Marks = make([]int, len(marks))
	for k, i := range marks {
		x.Marks[k] = int(i)
	}
	h.list = append(h.list, x)
}

// placed looks at what only place tells: what is missed in the first run that was not judged on the row as a whole, and in
// the same place in each of the others.
func (h *hardness) placed(near float64) {
	all := make([][]spot, len(h.runs))
	for k, r := range h.runs {
		all[k] = slices.DeleteFunc(slices.Clone(r.spots), func(s spot) bool { return !s.bin.missed })
	}
	for k := range h.runs {
		first := slices.DeleteFunc(slices.Clone(all[k]), func(s spot) bool { return !h.wholeBefore(s.bin.row, k) })
		if len(first) > 0 {
			h.together(k, first, all, near)
		}
	}
}

// wholeBefore tells whether all runs before the k-th were judged on a row as a whole.
func (h *hardness) wholeBefore(row int32, k int) bool {
	return !slices.ContainsFunc(h.runs[:k], func(r *collected) bool { return !r.whole[row] })
}

// together follows the spots of the k-th run through the later ones.
func (h *hardness) together(k int, first []spot, all [][]spot, near float64) {
	marks := make([][]int32, len(first))
	for i := range first {
		marks[i] = slices.Repeat([]int32{-1}, len(h.runs))
		marks[i][k] = int32(first[i].mark)
	}
	for n := k + 1; n < len(h.runs); n++ {
		for i, at := range matchSpots(first, all[n], near) {
			if at >= 0 {
				marks[i][n] = int32(all[n][at].mark)
			}
		}
	}
	for i := range first {
		b := first[i].bin
		h.add(subject{row: b.row, frame: b.frame, aspect: b.aspect}, marks[i])
	}
}
