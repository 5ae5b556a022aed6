package segment

import "slices"

// Match is an answer object paired with a truth object, by index into Side.Objects.
type Match struct {
	Pred, Truth int
	IoU         float64
	Strong      bool // IoU >= 0.75: paired at that threshold as well
}

// Matches gives the one-to-one assignment that maximises the sum of IoUs of at least 0.5, by truth index.
//
// No solver is needed: an object has at most one partner above 0.5, and none at 0.5 beside it. Partners at exactly 0.5
// are taken one after the other, low truth id first, then low answer id. Areas 3 and 3 that share 2 are such a pair. An
// object of area A has at most two of them, with areas B and C and overlaps (A+B)/3 and (A+C)/3: both overlaps fit into A
// only if B+C <= A, and each fits into its own object only if A <= 2B and A <= 2C. So B = C = A/2, both lie wholly inside A
// and have no other partner: no choice blocks another. All pairs of at least 0.75 are among the pairs above 0.5.
func (c *Census) Matches() []Match {
	predTaken, truthTaken := make([]bool, len(c.Pred.Objects)), make([]bool, len(c.Truth.Objects))
	var matches []Match
	take := func(o Overlap, union int) {
		predTaken[o.Pred], truthTaken[o.Truth] = true, true
		matches = append(matches, Match{o.Pred, o.Truth, float64(o.Pixels) / float64(union), 4*o.Pixels >= 3*union})
	}
	for _, o := range c.Overlaps {
		if union := c.union(o); 2*o.Pixels > union {
			take(o, union)
		}
	}
	for _, o := range c.Overlaps {
		if union := c.union(o); 2*o.Pixels == union && !predTaken[o.Pred] && !truthTaken[o.Truth] {
			take(o, union)
		}
	}
	slices.SortFunc(matches, func(a, b Match) int { return a.Truth - b.Truth })
	return matches
}

// union is the area that the two objects cover together.
func (c *Census) union(o Overlap) int {
	return c.Pred.Objects[o.Pred].Area + c.Truth.Objects[o.Truth].Area - o.Pixels
}
