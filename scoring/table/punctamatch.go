package table

import (
	"math"

	"coverslip/scoring/numeric"
)

// nuclei are those of one image, answer and truth.
type nuclei struct {
	groupKey
	name        string
	pred, truth *group // nil where a side has none
	pairs       []numeric.Pair
	missed      []int // indices into truth, in file order
	surplus     []int // indices into pred
}

// countPair are the two counts of a pair.
type countPair struct{ pred, truth float64 }

// match pairs the nuclei of each image and adds up the errors, images of the truth first.
func (p *puncta) match() error {
	p.conditions = map[string]*condition{}
	for i, g := range p.truth.groups {
		if err := p.Ctx.Err(); err != nil {
			return err
		}
		p.Progress(i, len(p.truth.groups))
		n := &nuclei{groupKey: g.groupKey, name: g.name, truth: g, pred: p.pred.at[g.groupKey]}
		if err := n.match(p.threshold); err != nil {
			return err
		}
		p.images = append(p.images, n)
		p.count(n)
	}
	for _, g := range p.pred.groups {
		if p.truth.at[g.groupKey] == nil {
			n := &nuclei{groupKey: g.groupKey, name: g.name, pred: g}
			n.surplus = free(len(g.rows), nil)
			p.images = append(p.images, n)
			p.count(n)
		}
	}
	p.Progress(len(p.truth.groups), len(p.truth.groups))
	return nil
}

// match pairs one to one by rising distance.
func (n *nuclei) match(threshold float64) error {
	predTaken, truthTaken := map[int]bool{}, map[int]bool{}
	if n.pred != nil {
		if overflows(n.pred.points, n.truth.points) {
			return numeric.ErrOverflow
		}
		n.pairs = numeric.GreedyEuclid(n.pred.points, n.truth.points, threshold)
		for _, pair := range n.pairs {
			predTaken[pair.Pred], truthTaken[pair.Truth] = true, true
		}
		n.surplus = free(len(n.pred.rows), predTaken)
	}
	n.missed = free(len(n.truth.rows), truthTaken)
	return nil
}

// free lists the indices below n that are not taken.
func free(n int, taken map[int]bool) []int {
	var list []int
	for i := range n {
		if !taken[i] {
			list = append(list, i)
		}
	}
	return list
}

// count adds the image to its condition.
func (p *puncta) count(n *nuclei) {
	c := p.condition(n.condition)
	for _, pair := range n.pairs {
		counts := countPair{n.pred.counts[pair.Pred], n.truth.counts[pair.Truth]}
		p.pairs = append(p.pairs, counts)
		d := math.Abs(counts.pred - counts.truth)
		c.ofPairs += d
		c.errors += d
		c.n++
	}
	for _, i := range n.missed {
		d := math.Abs(n.truth.counts[i])
		c.ofMissed += d
		c.errors += d
		c.n++
	}
	for _, i := range n.surplus {
		c.surplus += math.Abs(n.pred.counts[i])
	}
	p.nMissed += len(n.missed)
	p.nSurplus += len(n.surplus)
}

// overflows tells whether the reference stops at a distance whose square is beyond all numbers. Only far-off coordinates
// need a look at each pair.
func overflows(pred, truth []numeric.Point) bool {
	const harmless = 1e153
	far := func(points []numeric.Point) bool {
		for _, p := range points {
			for _, v := range p {
				if math.Abs(v) > harmless && !math.IsInf(v, 0) {
					return true
				}
			}
		}
		return false
	}
	if !far(pred) && !far(truth) {
		return false
	}
	for _, a := range pred {
		for _, b := range truth {
			for k := range a {
				if _, err := numeric.Square(a[k] - b[k]); err != nil {
					return true
				}
			}
		}
	}
	return false
}
