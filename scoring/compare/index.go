package compare

import (
	"slices"

	"coverslip/scoring/report"
)

// index holds the subjects of several runs, in the order in which they come up: run by run, mark by mark.
type index struct {
	runs     []*collected
	at       map[subject]int32 // place in subjects
	subjects []subject
	marks    []int32 // of each subject, one of each run; -1: none
	keys     []string
	keyAt    map[string]int32
}

// collected is one report, sorted by how its marks are compared.
type collected struct {
	*report.Report
	rows     []int   // of each image: the common row
	spots    []spot  // what is matched by place
	official []int32 // of each common row: how many official marks it has
	known    []bool  // of each common row: the run has it
	whole    []bool  // of each common row: the run was judged on it as a whole, by the mark at wholeAt, or has it not
	wholeAt  []int32 // -1: none
	apart    bool    // the run shares no row with another one
}

// indexed sorts the marks of several reports by their subjects. of gives the common row of each image, n is how many there are.
func indexed(reports []*report.Report, of [][]int, n int) *index {
	most := 0
	for _, r := range reports {
		most = max(most, len(r.Marks))
	}
	x := &index{at: make(map[subject]int32, most), keys: []string{""}, keyAt: map[string]int32{"": 0}}
	for k, r := range reports {
		c := &collected{Report: r, rows: of[k], official: make([]int32, n), known: make([]bool, n), whole: make([]bool, n), wholeAt: make([]int32, n)}
		x.runs = append(x.runs, c)
		x.sort(c, k, len(reports))
		c.findWhole()
	}
	for _, c := range x.runs {
		c.apart = !slices.ContainsFunc(c.rows, func(row int) bool { return x.shared(row) })
	}
	return x
}

// shared tells a row that several runs have.
func (x *index) shared(row int) bool {
	n := 0
	for _, c := range x.runs {
		if c.known[row] {
			n++
		}
	}
	return n > 1
}

// side is how the k-th run stands to a named thing of the truth, by its mark. Where it has none there is nothing wrong with it,
// unless the whole row is. A row that a run was judged on as a whole and that this one has not is the other's word for all.
func (x *index) side(k int, s subject, i int) Side {
	r := x.runs[k]
	switch {
	case i >= 0:
		m := &r.Marks[i]
		return Side{stateOf(m), i, cost(m)}
	case !r.known[s.row] && slices.ContainsFunc(x.runs, func(o *collected) bool { return o.wholeAt[s.row] >= 0 }):
		return Side{State: Found, Mark: -1}
	case r.whole[s.row] && truthful(s.aspect):
		return Side{State: Missed, Mark: -1}
	}
	return Side{State: Found, Mark: -1}
}

// truthful tells things of the truth, which a run lacks if it lacks the row, from errors that it can only make.
func truthful(a Aspect) bool { return a <= Division || a == Whole }

// sort takes up the marks of the k-th of n reports.
func (x *index) sort(c *collected, k, n int) {
	turns := map[subject]int32{}
	for i := range c.Marks {
		m := &c.Marks[i]
		s, w := x.subjectOf(m)
		row := c.rowOf(m)
		s.row = int32(row)
		switch w {
		case byPlace:
			c.spots = append(c.spots, spotOf(i, m, bin{s.row, s.frame, s.aspect, !invents(m)}))
		case byName:
			at := x.place(s, n)
			if x.marks[at*n+k] >= 0 { // the name was used before in this report
				turns[s]++
				s.turn = turns[s]
				at = x.place(s, n)
			}
			x.marks[at*n+k] = int32(i)
		}
		if !m.Diagnostic {
			c.official[row]++
			c.wholeAt[row] = int32(i)
		}
	}
}

// place is where a subject is in the list; it is added if it is new.
func (x *index) place(s subject, n int) int {
	if at, known := x.at[s]; known {
		return int(at)
	}
	at := len(x.subjects)
	x.at[s] = int32(at)
	x.subjects = append(x.subjects, s)
	for range n {
		x.marks = append(x.marks, -1)
	}
	return at
}

// key gives a text a number.
func (x *index) key(text string) int32 {
	at, known := x.keyAt[text]
	if !known {
		at = int32(len(x.keys))
		x.keys, x.keyAt[text] = append(x.keys, text), at
	}
	return at
}

// findWhole finds the rows that the run was judged on as a whole: their one official mark says so, or the run has no such row.
func (c *collected) findWhole() {
	for _, row := range c.rows {
		c.known[row] = true
	}
	for row, n := range c.official {
		single := false
		if n == 1 {
			kind := c.Marks[c.wholeAt[row]].Kind
			single = kind == report.Whole || kind == report.Unmatched
		}
		c.whole[row] = single || !c.known[row]
		if !single {
			c.wholeAt[row] = -1
		}
	}
}

// rowOf is the common row of a mark. A mark of the whole run goes with the first one.
func (c *collected) rowOf(m *report.Mark) int {
	if m.Image < 0 || m.Image >= len(c.rows) {
		return 0
	}
	return c.rows[m.Image]
}
