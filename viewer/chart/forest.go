package chart

import (
	"cmp"
	"slices"

	"coverslip/viewer/render"
)

// Life is one object over time: a line from its first to its last frame.
type Life struct {
	ID, Parent int64 // Parent is the object it comes from by division, 0: none
	Start, End int   // first and last frame
	Partner    int64 // object of the other forest that it is matched with, 0: none
	Style      render.Style
	Spans      []Span  // verdicts of parts of the life, over Style
	Gaps       []Range // frames in which it is not there
	Faults     []Fault
}

// Range is frames from From to To, both included.
type Range struct{ From, To int }

// Span is the verdict of some frames of a life.
type Span struct {
	Range
	Style render.Style
}

// FaultKind is what is wrong at one frame of a life.
type FaultKind uint8

const (
	OtherFault     FaultKind = iota
	MissedDivision           // the truth divides, the answer does not
	FalseDivision            // the answer divides, the truth does not
	IDSwitch                 // an answer track passes from one truth track to another
	MissedLink               // the truth continues, the answer does not
	FalseLink                // the answer continues, the truth does not
	WrongParent              // both divide, the parents differ
)

// Fault is one error of a life.
type Fault struct {
	T    int // frame
	Kind FaultKind
	Text string // in words; "" for the kind's own
}

// Forest is the lineages of one side.
type Forest struct {
	Name  string // "answer"
	Lives []Life
}

// node is a life with its place among all.
type node struct {
	*Life
	ref       Ref
	row       float64
	family    int
	mother    int // index of a node, -1: none
	daughters []int
}

// family is a founder with all its descendants.
type family struct {
	forest   int
	founder  int     // index of a node
	from, to float64 // rows
	beside   int     // of the second forest: the family of the first that it is matched with, -1 none
}

// tree is lives laid out: rows from 0, a founder's descendants beside each other, a mother between her daughters.
type tree struct {
	nodes    []node
	families []family
	rows     float64
	t0, t1   int
	index    []map[int64]int // by forest: id to node
	faults   [WrongParent + 1]bool
}

// familyGap is the room between families, in rows.
const familyGap = 0.5

func plant(forests []Forest) *tree {
	t := &tree{}
	for f := range forests {
		t.add(f, forests[f].Lives)
	}
	t.link()
	t.found()
	t.arrange()
	return t
}

// add makes nodes of the lives of a forest. Of two with the same id the first is the one that others name as their mother.
func (t *tree) add(forest int, lives []Life) {
	byID := make(map[int64]int, len(lives))
	for i := range lives {
		l := &lives[i]
		if len(t.nodes) == 0 {
			t.t0, t.t1 = l.Start, l.End
		}
		t.t0, t.t1 = min(t.t0, l.Start), max(t.t1, l.End, l.Start)
		for _, f := range l.Faults {
			t.faults[f.Kind.known()] = true
		}
		if _, taken := byID[l.ID]; !taken {
			byID[l.ID] = len(t.nodes)
		}
		t.nodes = append(t.nodes, node{Life: l, ref: Ref{forest, i}, mother: -1, family: -1})
	}
	t.index = append(t.index, byID)
}

func (t *tree) link() {
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.Parent == 0 {
			continue
		}
		if m, ok := t.index[n.ref.Series][n.Parent]; ok && m != i {
			n.mother = m
			t.nodes[m].daughters = append(t.nodes[m].daughters, i)
		}
	}
	for i := range t.nodes {
		slices.SortStableFunc(t.nodes[i].daughters, t.earlier)
	}
}

// earlier orders nodes by their first frame, then by id.
func (t *tree) earlier(a, b int) int {
	x, y := &t.nodes[a], &t.nodes[b]
	return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.ID, y.ID), cmp.Compare(a, b))
}

// found makes families. Lives that descend from themselves have no founder; the earliest of them becomes one.
func (t *tree) found() {
	order := make([]int, len(t.nodes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(t.nodes[a].ref.Series, t.nodes[b].ref.Series), t.earlier(a, b))
	})
	for pass := range 2 {
		for _, i := range order {
			n := &t.nodes[i]
			if n.family >= 0 || (pass == 0 && n.mother >= 0) {
				continue
			}
			if m := n.mother; m >= 0 { // cut the circle
				d := &t.nodes[m].daughters
				*d = slices.DeleteFunc(*d, func(k int) bool { return k == i })
				n.mother = -1
			}
			t.families = append(t.families, family{forest: n.ref.Series, founder: i, beside: -1})
			t.claim(i, len(t.families)-1)
		}
	}
}

// claim counts a founder and its descendants to a family.
func (t *tree) claim(founder, family int) {
	stack := []int{founder}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if t.nodes[i].family >= 0 {
			continue
		}
		t.nodes[i].family = family
		stack = append(stack, t.nodes[i].daughters...)
	}
}

// arrange gives families their rows: those of the first forest in turn, each followed by the families of the others that are matched
// with it, and last those that are matched with none.
func (t *tree) arrange() {
	t.match()
	after := make([][]int, len(t.families))
	var order, loose []int
	for f := range t.families {
		switch b := t.families[f].beside; {
		case t.families[f].forest == 0:
			order = append(order, f)
		case b >= 0:
			after[b] = append(after[b], f)
		default:
			loose = append(loose, f)
		}
	}
	row := 0.0
	lay := func(f int) {
		fam := &t.families[f]
		fam.from = row
		row = t.rowsOf(fam.founder, row)
		fam.to = row
		row += familyGap
	}
	for _, f := range order {
		lay(f)
		for _, g := range after[f] {
			lay(g)
		}
	}
	for _, f := range loose {
		lay(f)
	}
	t.rows = max(row-familyGap, 0)
}

// match finds for each family of the later forests the family of the first in which most of its lives have their partners.
func (t *tree) match() {
	if len(t.index) < 2 {
		return
	}
	votes := make([]map[int]int, len(t.families))
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.ref.Series == 0 || n.Partner == 0 {
			continue
		}
		if p, ok := t.index[0][n.Partner]; ok {
			if votes[n.family] == nil {
				votes[n.family] = map[int]int{}
			}
			votes[n.family][t.nodes[p].family]++
		}
	}
	for f, v := range votes {
		best := 0
		for g, n := range v {
			if n > best || n == best && g < t.families[f].beside {
				best, t.families[f].beside = n, g
			}
		}
	}
}

// rowsOf places a founder and its descendants from a row on and gives the next free row. Leaves take a row each; every mother stands in
// the middle of her daughters. It walks without recursion, since a chain of lives may be as long as a film.
func (t *tree) rowsOf(founder int, row float64) float64 {
	type step struct {
		node int
		done int // daughters that are placed
	}
	stack := []step{{node: founder}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		n := &t.nodes[top.node]
		if top.done < len(n.daughters) {
			top.done++
			stack = append(stack, step{node: n.daughters[top.done-1]})
			continue
		}
		if k := len(n.daughters); k > 0 {
			n.row = (t.nodes[n.daughters[0]].row + t.nodes[n.daughters[k-1]].row) / 2
		} else {
			n.row = row + 0.5
			row++
		}
		stack = stack[:len(stack)-1]
	}
	return row
}
