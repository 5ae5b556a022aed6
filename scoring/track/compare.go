package track

import "sync"

// The weights of the acyclic oriented graph matching (3.6): what it costs to mend one error of the answer's graph.
const (
	weightFN      = 10
	weightFP      = 1
	weightDeleted = 1
	weightAdded   = 1.5
	weightChanged = 1
)

// verdict is a link of either side and what became of it.
type verdict struct {
	link
	kind   verdictKind
	parent bool // a link to a parent's child on its own side
}

type verdictKind uint8

const (
	added   verdictKind = iota // the truth's, which the answer lacks
	deleted                    // the answer's, which the truth lacks
	changed                    // in both, but to a child in one and along a track in the other
)

// comparison is what SEG, TRA and the rest are counted from.
type comparison struct {
	truth, pred       *graph
	truthNodes        int
	predNodes         int
	matched           int
	iou               float64 // sum over all pairs, frame by frame
	correct           int
	verdicts          []verdict
	nAdded, nDeleted  int
	nChanged          int
	truthDivisions    []division
	predDivisions     []division
	found             []bool // of truthDivisions
	right             []bool // of predDivisions
	nFound            int
	tracks            []int // truth rows with a cell
	complete          []bool
	nComplete         int
	groups            []group // splits and merges of all frames
	groupFrames       []int   // where they are
	aogm, aogm0       float64
	linkCost, linkMax float64
}

// compare holds two graphs of paired cells against each other. frames are the pairs they were made from.
func compare(frames []cells, truth, pred *graph) *comparison {
	c := &comparison{truth: truth, pred: pred}
	for i := range frames {
		f := &frames[i]
		c.truthNodes += len(f.truth)
		c.predNodes += len(f.pred)
		for k := range f.truth {
			if f.truth[k].partner >= 0 {
				c.matched++
			}
		}
		c.iou += f.iou
		for _, g := range f.groups {
			c.groups, c.groupFrames = append(c.groups, g), append(c.groupFrames, i)
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() { c.tracks, c.complete = complete(truth, pred) })
	c.links()
	c.divide()
	wg.Wait()
	for _, ok := range c.complete {
		if ok {
			c.nComplete++
		}
	}
	c.costs()
	return c
}

// across is the answer's cell on a cell of the truth.
func (c *comparison) across(s spot) (spot, bool) {
	k := c.truth.node(s).partner
	return spot{s.frame, int(k)}, k >= 0
}

// links compares the truth's links with the answer's, then lists what the answer has beyond.
func (c *comparison) links() {
	c.truth.each(func(l link, parent, _ bool) {
		from, ok1 := c.across(l.from)
		to, ok2 := c.across(l.to)
		there, asParent := false, false
		if ok1 && ok2 {
			there, asParent = c.pred.between(from, to)
		}
		if !there {
			c.nAdded++
			c.verdicts = append(c.verdicts, verdict{l, added, parent})
			return
		}
		c.correct++
		c.pred.use(from, to, asParent)
		if asParent != parent {
			c.nChanged++
			c.verdicts = append(c.verdicts, verdict{l, changed, parent})
		}
	})
	c.pred.each(func(l link, parent, used bool) {
		if !used {
			c.nDeleted++
			c.verdicts = append(c.verdicts, verdict{l, deleted, parent})
		}
	})
}

// divide looks for the truth's divisions among the answer's.
func (c *comparison) divide() {
	c.truthDivisions, c.predDivisions = c.truth.divisions(), c.pred.divisions()
	c.found, c.right = make([]bool, len(c.truthDivisions)), make([]bool, len(c.predDivisions))
	byMother := make(map[spot]int, len(c.predDivisions))
	for i, d := range c.predDivisions {
		byMother[d.mother] = i
	}
	for i, d := range c.truthDivisions {
		mother, ok := c.across(d.mother)
		a, okA := c.across(d.daughters[0])
		b, okB := c.across(d.daughters[1])
		k, there := byMother[mother]
		if !ok || !okA || !okB || !there {
			continue
		}
		if o := c.predDivisions[k].daughters; o == [2]spot{a, b} || o == [2]spot{b, a} {
			c.found[i], c.right[k] = true, true
			c.nFound++
		}
	}
}

func (c *comparison) costs() {
	fn, fp := float64(c.truthNodes-c.matched), float64(c.predNodes-c.matched)
	c.linkCost = weightDeleted*float64(c.nDeleted) + weightAdded*float64(c.nAdded) + weightChanged*float64(c.nChanged)
	c.linkMax = weightAdded * float64(c.truth.edges)
	c.aogm = weightFN*fn + weightFP*fp + c.linkCost
	c.aogm0 = weightFN*float64(c.truthNodes) + c.linkMax
}

func (c *comparison) seg() float64 { return c.iou / float64(c.truthNodes) }
func (c *comparison) tra() float64 { return 1 - min(c.aogm, c.aogm0)/c.aogm0 }

// lnk is TRA of the links alone; false without links in the truth.
func (c *comparison) lnk() (float64, bool) {
	if c.truth.edges == 0 {
		return 0, false
	}
	return 1 - min(c.linkCost, c.linkMax)/c.linkMax, true
}

func (c *comparison) div() (f1, precision, recall float64) {
	precision, recall = ratio(c.nFound, len(c.predDivisions)), ratio(c.nFound, len(c.truthDivisions))
	if precision+recall > 0 {
		f1 = 2 * precision * recall / (precision + recall)
	}
	return f1, precision, recall
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

func (c *comparison) score() float64 { return 0.5*c.seg() + 0.5*c.tra() }
