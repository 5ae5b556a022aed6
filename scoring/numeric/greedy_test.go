package numeric

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// allPairs is the definition: sort all pairs, take what is free.
func allPairs(pred, truth []Point, bound float64, cost func(a, b Point) float64) []Pair {
	var pairs, taken []Pair
	for p := range pred {
		for t := range truth {
			if c := cost(pred[p], truth[t]); c <= bound {
				pairs = append(pairs, Pair{p, t, c})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(a.Cost, b.Cost), cmp.Compare(a.Pred, b.Pred), cmp.Compare(a.Truth, b.Truth))
	})
	usedPred, usedTruth := map[int]bool{}, map[int]bool{}
	for _, p := range pairs {
		if !usedPred[p.Pred] && !usedTruth[p.Truth] {
			usedPred[p.Pred], usedTruth[p.Truth] = true, true
			taken = append(taken, p)
		}
	}
	return taken
}

func TestGreedyIsTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e200, -1e308, 1.7e308, 1e-300}
	for round := range 3000 {
		grid := float64(1 + r.IntN(40)) // small grids give many equal distances
		points := func() []Point {
			list := make([]Point, r.IntN(30))
			for i := range list {
				for k := range 2 + round%2 {
					list[i][k] = math.Floor(r.Float64() * grid)
					if round%3 == 0 {
						list[i][k] = r.Float64() * grid
					}
					if round%5 == 0 && r.IntN(12) == 0 {
						list[i][k] = odd[r.IntN(len(odd))]
					}
				}
			}
			return list
		}
		pred, truth := points(), points()
		bound := []float64{0, 1, 5, 25, 1e6, 1e300, math.Inf(1), -1, math.NaN()}[r.IntN(9)]
		if got, want := GreedyEuclid(pred, truth, bound), allPairs(pred, truth, bound, Euclid); !slices.Equal(got, want) {
			t.Fatalf("round %d, distance %v: got %v, want %v\nfrom %v\nto %v", round, bound, got, want, pred, truth)
		}
		if got, want := GreedySquared(pred, truth, bound), allPairs(pred, truth, bound, Squared); !slices.Equal(got, want) {
			t.Fatalf("round %d, squared %v: got %v, want %v\nfrom %v\nto %v", round, bound, got, want, pred, truth)
		}
	}
}

// Many points without a limit: the candidates held at once stay few.
func BenchmarkGreedyWithoutLimit(b *testing.B) {
	r := rand.New(rand.NewPCG(4, 5))
	points := func(n int) []Point {
		list := make([]Point, n)
		for i := range list {
			list[i] = Point{r.Float64() * 1000, r.Float64() * 1000, r.Float64() * 40}
		}
		return list
	}
	pred, truth := points(15000), points(5000)
	b.ReportAllocs()
	for b.Loop() {
		if n := len(GreedyEuclid(pred, truth, math.Inf(1))); n != len(truth) {
			b.Fatal(n)
		}
	}
}
