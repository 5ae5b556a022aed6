// Package compare lays two runs of one task side by side, object by object of the truth: what the second finds that the
// first misses and the reverse, what it finds better or worse, what each of them invents, and what that does to the score.
//
// A mark that names an object of the truth by its id, or what is judged by a key, is compared with the other run's mark of
// the same name: row, frame, kind of thing, id or key. What only the answer has (extra objects, spurious links) and pieces of a
// mask have no name that both runs share; they are matched by place. Every official mark of both reports goes into exactly one
// change, so that the gains of all changes add up to what the first run loses less what the second loses.
package compare

import (
	"cmp"
	"math"
	"slices"

	"coverslip/scoring/report"
)

// Class says what became of a thing from the first run to the second.
type Class string

const (
	Gained    Class = "gained"    // the second run has it, the first misses it
	Lost      Class = "lost"      // the first run has it, the second misses it
	Improved  Class = "improved"  // both have it, the second better
	Worsened  Class = "worsened"  // both have it, the second worse
	Unchanged Class = "unchanged" // alike in both
	// What the truth does not have.
	Dropped Class = "no longer invented"
	Added   Class = "newly invented"
	Kept    Class = "invented by both"
)

// Classes lists the classes in the order of reading.
var Classes = []Class{Gained, Lost, Improved, Worsened, Unchanged, Dropped, Added, Kept}

// By says what two runs were told apart by.
type By string

const (
	ByState    By = ""         // found, wrong or missed
	ByIoU      By = "IoU"      // of the match
	ByDistance By = "distance" // between answer and truth, in pixels
	ByError    By = "error"    // of the value, against the expected one
	ByPixels   By = "pixels"   // of a region
	ByCost     By = "cost"     // of the score
)

// State says how a run stands to a thing.
type State string

const (
	Found     State = "found"
	Wrong     State = "wrong" // there, but with another class, count or value, or an error that only one of the runs makes
	Missed    State = "missed"
	Invented  State = "invented"
	NotThere  State = "not there" // not invented by this run
	Elsewhere State = "as a whole"
)

// Side is one run's part in a change.
type Side struct {
	State State
	Mark  int     // index into the report's Marks; -1: the run has no mark of its own for it
	Cost  float64 // of the official mark; 0 for none
}

// Change is one thing in both runs.
type Change struct {
	Class  Class
	Aspect Aspect
	Row    int // index into Comparison.Rows
	Frame  int
	Truth  report.ID // 0: none
	Key    string
	A, B   Side
	By     By
	// Gain is what the score gains from A to B by it: the cost in A less the cost in B. Where one run was judged by its objects and
	// the other as a whole (image missing, unreadable), the change of that whole holds the gain of all of its objects, and theirs is 0.
	Gain float64
}

// Metric is a numeric field of the record; NaN stands for one that a run has not.
type Metric struct {
	Path string
	A, B float64
}

// Comparison is two runs of one task, A and B in that order.
type Comparison struct {
	TaskID string
	A, B   report.Result
	// Difference is B's result less A's, as reported; NaN where one of them has none.
	Difference float64
	// Gain is the sum of the changes' gains. It is the difference of the scores before they are rounded if Adds is true.
	Gain    float64
	Adds    bool
	Changes []Change // by row, then frame, then the order of the reports
	Rows    []Row    // those of A in their order, then those that only B has
	Frames  []Frame  // of rows with several frames
	Metrics []Metric // fields of A in order, then those that only B has
}

// Compare compares two reports on one task. Neither is changed.
func Compare(a, b *report.Report) Comparison {
	reports := []*report.Report{a, b}
	rows, of := align(reports)
	x := indexed(reports, of, len(rows))
	p := &pairing{index: x, a: x.runs[0], b: x.runs[1], costs: !a.Gains && !b.Gains, shift: make([]float64, len(rows))}
	p.changes = make([]Change, 0, max(len(a.Marks), len(b.Marks))+16)
	p.named()
	p.placed()
	p.settle()
	c := Comparison{TaskID: a.TaskID, A: a.Result, B: b.Result, Difference: math.NaN(), Changes: sorted(p.changes), Metrics: metrics(a.Metrics, b.Metrics)}
	if !a.Result.None && !b.Result.None {
		c.Difference = b.Result.Value - a.Result.Value
	}
	for i := range c.Changes {
		c.Gain += c.Changes[i].Gain
	}
	c.Adds = p.costs && !a.Result.None && !b.Result.None
	c.Rows = rowsOf(rows, reports, of, c.Changes)
	c.Frames = framesOf(c.Changes)
	return c
}

// sorted orders changes by row, then frame, and leaves those of one frame in their order.
func sorted(changes []Change) []Change {
	type place struct{ row, frame, i int }
	order := make([]place, len(changes))
	for i := range changes {
		order[i] = place{changes[i].Row, changes[i].Frame, i}
	}
	slices.SortFunc(order, func(x, y place) int {
		return cmp.Or(cmp.Compare(x.row, y.row), cmp.Compare(x.frame, y.frame), cmp.Compare(x.i, y.i))
	})
	list := make([]Change, len(changes))
	for k, o := range order {
		list[k] = changes[o.i]
	}
	return list
}

// Tally is how many changes of an aspect and class there are and what they gain together.
type Tally struct {
	Aspect Aspect
	Class  Class
	N      int
	Gain   float64
}

// Tallies counts the changes by aspect and class, in the order of Aspects and Classes.
func (c *Comparison) Tallies() []Tally {
	var table [len(aspectNames)][8]Tally
	for i := range c.Changes {
		x := &c.Changes[i]
		t := &table[x.Aspect][slices.Index(Classes, x.Class)]
		t.N++
		t.Gain += x.Gain
	}
	var list []Tally
	for aspect := range table {
		for class, t := range table[aspect] {
			if t.N > 0 {
				t.Aspect, t.Class = Aspect(aspect), Classes[class]
				list = append(list, t)
			}
		}
	}
	return list
}

// Count is the number of changes of an aspect and class.
func (c *Comparison) Count(aspect Aspect, class Class) (n int) {
	for i := range c.Changes {
		if x := &c.Changes[i]; x.Aspect == aspect && x.Class == class {
			n++
		}
	}
	return n
}
