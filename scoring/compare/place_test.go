package compare

import (
	"math/rand/v2"
	"slices"
	"testing"

	"coverslip/scoring/report"
)

// scattered draws boxes and points, crowded enough to meet.
func scattered(r *rand.Rand, n int) (spots []spot) {
	for i := range n {
		z, y, x := r.IntN(4)-2, r.IntN(24)-12, r.IntN(24)-12
		m := report.Mark{Z: float64(z), Y: float64(y) + r.Float64(), X: float64(x) + r.Float64(), Box: report.Box{Z0: z, Y0: y, X0: x, Z1: z + 1, Y1: y + 1, X1: x + 1}}
		if r.IntN(3) > 0 {
			m.Box.Z1, m.Box.Y1, m.Box.X1 = z+1+r.IntN(3), y+1+r.IntN(16), x+1+r.IntN(16)
		}
		spots = append(spots, spotOf(i, &m, bin{frame: int64(r.IntN(2))}))
	}
	return spots
}

// The grid finds every pair that looking at all pairs finds.
func TestGridMissesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	met := [2]int{}
	for range 500 {
		near := 0.5 + 4*r.Float64()
		a, b := scattered(r, 60), scattered(r, 60)
		g := newGrid(b, near)
		for i := range a {
			var got []int
			g.around(&a[i], func(k int) { got = append(got, k) })
			for k := range b {
				same := a[i].bin == b[k].bin && (a[i].level == point) == (b[k].level == point)
				if !same || closeness(&a[i], &b[k], near) == 0 {
					continue
				}
				if !slices.Contains(got, k) {
					t.Fatalf("%+v and %+v are in one place, the grid does not say so", a[i], b[k])
				}
				met[min(1, a[i].level+1)]++
			}
			if slices.Sort(got); len(slices.Compact(slices.Clone(got))) != len(got) {
				t.Fatalf("a spot is visited twice: %v", got)
			}
		}
	}
	if met[0] < 100 || met[1] < 100 {
		t.Errorf("only %v points and boxes met", met)
	}
}

// No spot has two partners, and of two that want one the closer gets it.
func TestClosestFirst(t *testing.T) {
	at := func(x float64) spot {
		m := report.Mark{X: x, Box: report.Box{X0: int(x), Z1: 1, Y1: 1, X1: int(x) + 1}}
		return spotOf(0, &m, bin{})
	}
	for _, c := range []struct{ a, b []spot }{
		{[]spot{at(10), at(12)}, []spot{at(12.5)}},
		{[]spot{at(12), at(10)}, []spot{at(12.5)}},
	} {
		got := matchSpots(c.a, c.b, 5)
		for i, s := range c.a {
			if want := map[float64]int{12: 0, 10: -1}[s.x]; got[i] != want {
				t.Errorf("the spot at %v goes with %d, want %d", s.x, got[i], want)
			}
		}
	}
}
