package numeric

import (
	"cmp"
	"math"
	"slices"
)

// Point is a place in up to three dimensions; unused ones are 0.
type Point [3]float64

// Pair joins a point of an answer with one of the truth by their indices.
type Pair struct {
	Pred, Truth int
	Cost        float64
}

// Squared and Euclid are what pairs of points can be compared by. The squares of the coordinates' differences are added
// in the order of the coordinates.
func Squared(a, b Point) float64 {
	x, y, z := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return float64(x*x) + float64(y*y) + float64(z*z)
}

// Euclid is the distance of two points.
func Euclid(a, b Point) float64 { return math.Sqrt(Squared(a, b)) }

// GreedySquared pairs points one to one: all pairs whose squared distance is at most bound, by rising squared distance,
// then answer, then truth index, each taken if both are free (spec/scorers-tables.md 6.4). Pairs come as they are taken.
func GreedySquared(pred, truth []Point, bound float64) []Pair {
	return greedyPairs(pred, truth, bound, Squared, math.Sqrt(max(bound, 0)), func(r float64) float64 { return float64(r * r) })
}

// GreedyEuclid is the same with plain distances (spec/scorers-tables.md 2.4). bound may be infinite; then points at
// infinity take part, too, unless the difference is no number.
func GreedyEuclid(pred, truth []Point, bound float64) []Pair {
	return greedyPairs(pred, truth, bound, Euclid, bound, func(r float64) float64 { return r })
}

// greedy is the state of pairing: the points that are still free.
type greedy struct {
	pred, truth         []Point
	cost                func(a, b Point) float64
	freePred, freeTruth []int
	taken               []Pair
}

// mostPairs is how many candidates are held at once, as long as a smaller radius can help.
const mostPairs = 1 << 21

// greedyPairs goes outward in rings: pairs within a radius are settled before farther ones are looked at, which gives the
// same pairs as sorting all of them, since those come first anyway. costOf turns a radius into a cost; reach is the
// radius of bound.
func greedyPairs(pred, truth []Point, bound float64, cost func(a, b Point) float64, reach float64, costOf func(float64) float64) []Pair {
	if !(bound >= 0) {
		return nil
	}
	g := &greedy{pred: pred, truth: truth, cost: cost, freePred: finitePoints(pred), freeTruth: finitePoints(truth)}
	extent := g.extent()
	radius := extent / math.Sqrt(float64(len(g.freeTruth)+1))
	if radius == 0 {
		radius = extent
	}
	for len(g.freePred) > 0 && len(g.freeTruth) > 0 {
		all := radius >= reach || radius >= extent
		limit := costOf(radius)
		if radius >= reach || all && math.IsInf(reach, 1) {
			limit = bound
		}
		pairs, ok := g.within(min(radius, reach), limit, radius > extent*1e-6)
		if !ok {
			radius /= 4
			continue
		}
		g.take(pairs)
		if radius >= reach || all && limit == bound {
			break
		}
		radius *= 2
	}
	if math.IsInf(bound, 1) {
		g.take(g.rest())
	}
	return g.taken
}

func finitePoints(points []Point) []int {
	list := make([]int, 0, len(points))
	for i, p := range points {
		if sum := float64(p[0]*0) + float64(p[1]*0) + float64(p[2]*0); sum == 0 { // neither NaN nor infinite
			list = append(list, i)
		}
	}
	return list
}

// extent is more than the largest distance of any two free points.
func (g *greedy) extent() float64 {
	lo := Point{math.Inf(1), math.Inf(1), math.Inf(1)}
	hi := Point{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for _, side := range []struct {
		points []Point
		free   []int
	}{{g.pred, g.freePred}, {g.truth, g.freeTruth}} {
		for _, i := range side.free {
			for k, v := range side.points[i] {
				lo[k], hi[k] = min(lo[k], v), max(hi[k], v)
			}
		}
	}
	sum := 0.0
	for k := range lo {
		sum += max(hi[k]-lo[k], 0)
	}
	return sum * 1.001
}

// take settles the pairs in order and drops what is no longer free.
func (g *greedy) take(pairs []Pair) {
	slices.SortFunc(pairs, func(a, b Pair) int {
		switch {
		case a.Cost < b.Cost:
			return -1
		case a.Cost > b.Cost:
			return 1
		case a.Pred != b.Pred:
			return cmp.Compare(a.Pred, b.Pred)
		}
		return cmp.Compare(a.Truth, b.Truth)
	})
	predTaken, truthTaken := make([]bool, len(g.pred)), make([]bool, len(g.truth))
	for _, p := range pairs {
		if !predTaken[p.Pred] && !truthTaken[p.Truth] {
			predTaken[p.Pred], truthTaken[p.Truth] = true, true
			g.taken = append(g.taken, p)
		}
	}
	g.freePred = slices.DeleteFunc(g.freePred, func(i int) bool { return predTaken[i] })
	g.freeTruth = slices.DeleteFunc(g.freeTruth, func(i int) bool { return truthTaken[i] })
}

// within lists the pairs of free points whose cost is at most limit and finite, none of which is farther apart than
// radius. It gives up on too many where that is allowed.
func (g *greedy) within(radius, limit float64, mayGiveUp bool) ([]Pair, bool) {
	cells := newCells(g.truth, g.freeTruth, radius)
	var pairs []Pair
	for _, p := range g.freePred {
		at := g.pred[p]
		cells.near(at, radius, func(t int) {
			if c := g.cost(at, g.truth[t]); c <= limit && !math.IsInf(c, 1) {
				pairs = append(pairs, Pair{p, t, c})
			}
		})
		if mayGiveUp && len(pairs) > mostPairs {
			return nil, false
		}
	}
	return pairs, true
}

// rest lists the pairs of points that are still free and infinitely far apart, or too far for a number.
func (g *greedy) rest() []Pair {
	predTaken, truthTaken := make([]bool, len(g.pred)), make([]bool, len(g.truth))
	for _, p := range g.taken {
		predTaken[p.Pred], truthTaken[p.Truth] = true, true
	}
	var pairs []Pair
	for p, at := range g.pred {
		if predTaken[p] {
			continue
		}
		for t := range g.truth {
			if !truthTaken[t] && math.IsInf(g.cost(at, g.truth[t]), 1) {
				pairs = append(pairs, Pair{p, t, math.Inf(1)})
			}
		}
	}
	return pairs
}
