package chart

import (
	"slices"
	"testing"
	"time"
)

// TestRows holds the laws of the layout: every leaf has a row of its own, a mother stands between her daughters, and nobody else stands among
// the descendants of a life.
func TestRows(t *testing.T) {
	for seed := range uint64(8) {
		l := NewLineage(Forest{"answer", grow(5, 4, seed)}, Forest{"truth", grow(4, 4, seed)})
		checkRows(t, l.tree)
	}
}

func checkRows(t *testing.T, tr *tree) {
	t.Helper()
	taken := map[float64]bool{}
	for i := range tr.nodes {
		n := &tr.nodes[i]
		if n.family < 0 || n.row < 0 || n.row > tr.rows {
			t.Fatalf("life %d has row %v of %v, family %d", n.ID, n.row, tr.rows, n.family)
		}
		if len(n.daughters) == 0 {
			if taken[n.row] {
				t.Fatalf("two leaves on row %v", n.row)
			}
			taken[n.row] = true
			continue
		}
		low, high := tr.nodes[n.daughters[0]].row, tr.nodes[n.daughters[len(n.daughters)-1]].row
		if n.row < low || n.row > high {
			t.Fatalf("mother %d on row %v is not between %v and %v", n.ID, n.row, low, high)
		}
		own := map[int]bool{i: true}
		lo, hi := n.row, n.row
		for stack := slices.Clone(n.daughters); len(stack) > 0; stack = stack[1:] {
			d := stack[0]
			own[d] = true
			lo, hi = min(lo, tr.nodes[d].row), max(hi, tr.nodes[d].row)
			stack = append(stack, tr.nodes[d].daughters...)
		}
		for j := range tr.nodes {
			if r := tr.nodes[j].row; !own[j] && r >= lo && r <= hi && tr.nodes[j].mother != n.mother && !ancestor(tr, j, i) {
				t.Fatalf("life %d on row %v stands among the descendants of %d", tr.nodes[j].ID, r, n.ID)
			}
		}
	}
}

func ancestor(tr *tree, of, i int) bool {
	for m := tr.nodes[i].mother; m >= 0; m = tr.nodes[m].mother {
		if m == of {
			return true
		}
	}
	return false
}

// TestBrokenLineages: circles, mothers of oneself, unknown mothers, ids twice, ends before beginnings.
func TestBrokenLineages(t *testing.T) {
	for name, lives := range map[string][]Life{
		"self": {{ID: 1, Parent: 1, End: 5}}, "pair": {{ID: 1, Parent: 2, End: 5}, {ID: 2, Parent: 1, Start: 3, End: 9}}, "unknown": {{ID: 1, Parent: 99}},
		"circle": {{ID: 1, Parent: 3}, {ID: 2, Parent: 1}, {ID: 3, Parent: 2}, {ID: 4, Parent: 3}}, "twice": {{ID: 1, End: 3}, {ID: 1, End: 8}, {ID: 2, Parent: 1, Start: 4, End: 9}},
		"backwards": {{ID: 1, Start: 9, End: 2, Gaps: []Range{{5, 3}}, Spans: []Span{{Range{100, -5}, 3}}}}, "negative": {{ID: -4, Start: -7, End: -2, Faults: []Fault{{T: 1 << 40, Kind: 99}}}},
	} {
		l := NewLineage(Forest{name, lives})
		if len(l.tree.nodes) != len(lives) || len(l.tree.families) == 0 {
			t.Errorf("%s: %d lives, %d families", name, len(l.tree.nodes), len(l.tree.families))
		}
		for _, n := range l.tree.nodes {
			if n.family < 0 {
				t.Errorf("%s: life %d is in no family", name, n.ID)
			}
		}
		if m := drawn(l, 300, 200, Options{}); colours(m) < 4 {
			t.Errorf("%s shows nothing", name)
		}
		wellFormed(t, l, 300, 200)
	}
}

// TestBeside: a family of the truth follows the one of the answer in which most of its partners are.
func TestBeside(t *testing.T) {
	answer := []Life{{ID: 1, End: 9}, {ID: 2, Start: 1, End: 9}, {ID: 3, Start: 2, End: 9}}
	truth := []Life{{ID: 10, End: 9, Partner: 3}, {ID: 20, End: 9, Partner: 1}, {ID: 30, End: 9}}
	l := NewLineage(Forest{"answer", answer}, Forest{"truth", truth})
	var order []int64
	for len(order) < 6 {
		best, at := 1e9, int64(0)
		for _, n := range l.tree.nodes {
			if !slices.Contains(order, n.ID) && n.row < best {
				best, at = n.row, n.ID
			}
		}
		order = append(order, at)
	}
	if !slices.Equal(order, []int64{1, 20, 2, 3, 10, 30}) {
		t.Errorf("rows are in the order %v", order)
	}
	if r, ok := l.Find(1, 20); !ok || r != (Ref{1, 1}) || l.Row(r) <= l.Row(Ref{0, 0}) {
		t.Errorf("%v %v", r, ok)
	}
}

func TestRelatives(t *testing.T) {
	l := NewLineage(Forest{"answer", []Life{{ID: 5, End: 3}, {ID: 6, Parent: 5, Start: 4, End: 9}, {ID: 7, Parent: 5, Start: 4, End: 8}}})
	if d := l.Daughters(Ref{0, 0}); !slices.Equal(d, []Ref{{0, 1}, {0, 2}}) {
		t.Error(d)
	}
	if m, ok := l.Mother(Ref{0, 2}); !ok || m != (Ref{0, 0}) {
		t.Error(m, ok)
	}
	if r, ok := l.Next(Ref{0, 1}, 8, 1); !ok || r != (Ref{0, 2}) {
		t.Error(r, ok)
	}
	if r, ok := l.Next(Ref{0, 1}, 9, 1); ok {
		t.Error("the other daughter is not there any more, but", r)
	}
	for _, r := range []Ref{{0, 9}, {-1, 0}, {4, 0}, {0, -2}} {
		if _, ok := l.Life(r); ok || l.Daughters(r) != nil {
			t.Errorf("%v names a life", r)
		}
	}
	var none Lineage
	if _, ok := none.Life(Ref{}); ok {
		t.Error("an empty lineage has a life")
	}
}

// TestLongChain: a track that is cut into very many pieces is no reason to run out of stack or time.
func TestLongChain(t *testing.T) {
	lives := make([]Life, 100000)
	for i := range lives {
		lives[i] = Life{ID: int64(i + 1), Parent: int64(i), Start: i, End: i}
	}
	start := time.Now()
	l := NewLineage(Forest{"chain", lives})
	if l.tree.rows != 1 || time.Since(start) > 5*time.Second {
		t.Errorf("%v rows after %v", l.tree.rows, time.Since(start))
	}
}

// TestCamera: what the pointer is on stays under it when zooming.
func TestCamera(t *testing.T) {
	l := NewLineage(Forest{"answer", grow(3, 3, 5)})
	row, at, ok := l.Place(500, 400, Options{}, 200, 250)
	if !ok {
		t.Fatal("the middle is not in the plot")
	}
	l.Camera = l.Whole().Zoom(30, 50, 0, 0)
	l.Camera = l.Reveal(Ref{0, 20}, 90)
	if m, r := l.Camera, l.Row(Ref{0, 20}); r < m.Row0 || r > m.Row1 || m.T0 > 90 || m.T1 < 90 {
		t.Errorf("row %v and frame 90 are not in %+v", r, m)
	}
	l.Camera = l.Whole().Zoom(3, 5, at, row)
	row2, at2, _ := l.Place(500, 400, Options{}, 200, 250)
	if d := row2 - row; d > 1e-9 || d < -1e-9 {
		t.Errorf("row %v became %v", row, row2)
	}
	if d := at2 - at; d > 1e-9 || d < -1e-9 {
		t.Errorf("frame %v became %v", at, at2)
	}
}
