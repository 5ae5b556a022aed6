package compare

import (
	"math"

	"coverslip/scoring/report"
)

// pairing makes the changes of two reports.
type pairing struct {
	*index
	a, b    *collected
	costs   bool // costs of both are shares of the loss, so that they can be compared and added
	changes []Change
	// shift is, of each row, what the changes of single things leave to the change of the whole row; run is the same of rows
	// that the reports do not share.
	shift []float64
	run   float64
	apart int // how many changes of a whole run there are to tell of
}

// named pairs what has a name: in the order of A's marks, then what only B has.
func (p *pairing) named() {
	for at, s := range p.subjects {
		i, k := int(p.marks[2*at]), int(p.marks[2*at+1])
		c := Change{Aspect: s.aspect, Row: int(s.row), Truth: s.truth, Key: p.keys[s.key], A: p.side(0, s, i), B: p.side(1, s, k)}
		if i >= 0 {
			c.Frame = p.a.Marks[i].T
		} else {
			c.Frame = p.b.Marks[k].T
		}
		c.Class, c.By = p.judge(&c)
		p.charge(&c)
		p.changes = append(p.changes, c)
	}
}

// charge sets the gain of a change. If one side has a mark and the other was judged as a whole, what it costs is set against
// the cost of that whole: the row's, or the run's if the other has no such row. What a run invents in a row that the other knows
// nothing of is its own, unless the other knows no row at all.
func (p *pairing) charge(c *Change) {
	c.Gain = c.A.Cost - c.B.Cost
	for _, side := range []struct {
		mark int
		run  *collected
	}{{c.A.Mark, p.a}, {c.B.Mark, p.b}} {
		if c.Gain == 0 || side.mark >= 0 || !side.run.whole[c.Row] {
			continue
		}
		switch {
		case side.run.wholeAt[c.Row] >= 0:
			p.shift[c.Row] += c.Gain
		case side.run.apart || c.A.State != Invented && c.B.State != Invented:
			p.run += c.Gain
			p.apart++
		default:
			return
		}
		c.Gain = 0
	}
}

// settle gives what was left to the changes of whole rows to them.
func (p *pairing) settle() {
	for i := range p.changes {
		c := &p.changes[i]
		if p.shift[c.Row] == 0 || !p.isWhole(c) {
			continue
		}
		c.Gain += p.shift[c.Row]
		p.shift[c.Row] = 0
	}
	if p.apart > 0 {
		c := Change{Aspect: Run, Row: -1, A: Side{State: Elsewhere, Mark: -1}, B: Side{State: Elsewhere, Mark: -1}, Gain: p.run, By: ByCost}
		c.Class = classBy(p.run)
		p.changes = append(p.changes, c)
	}
}

// isWhole tells the change of the mark that a run was judged on a row by as a whole.
func (p *pairing) isWhole(c *Change) bool {
	at := func(r *collected, s Side) bool { return s.Mark >= 0 && int(r.wholeAt[c.Row]) == s.Mark }
	return at(p.a, c.A) || at(p.b, c.B)
}

func classBy(gain float64) Class {
	switch {
	case gain > least:
		return Improved
	case gain < -least:
		return Worsened
	}
	return Unchanged
}

// least is up to which difference two figures are alike: what arithmetic leaves over, not what anybody measured.
const least = 1e-12

// judge classes a named thing.
func (p *pairing) judge(c *Change) (Class, By) {
	a, b := c.A.State, c.B.State
	switch {
	case a == Missed && b != Missed:
		return Gained, ByState
	case a != Missed && b == Missed:
		return Lost, ByState
	case a == Wrong && b == Found:
		return Improved, ByState
	case a == Found && b == Wrong:
		return Worsened, ByState
	case c.A.Mark < 0 || c.B.Mark < 0:
		return Unchanged, ByState
	}
	gain, by := p.better(c)
	return classBy(gain), by
}

// better is how much better B's mark is than A's, where both stand alike to a thing, and by what. Only the sign counts.
func (p *pairing) better(c *Change) (float64, By) {
	a, b := &p.a.Marks[c.A.Mark], &p.b.Marks[c.B.Mark]
	switch {
	case a.IoU > 0 && b.IoU > 0:
		return b.IoU - a.IoU, ByIoU
	case c.Aspect == Object && c.A.State == Missed:
		return 0, ByState
	case c.Aspect == Object && a.Diagnostic && b.Diagnostic && a.Kind == report.TP && b.Kind == report.TP && a.Expected == 0 && b.Expected == 0:
		return a.Found - b.Found, ByDistance // of points whose places no score knows
	case c.Aspect == Object && (a.Kind == report.CountError || b.Kind == report.CountError || a.Kind == report.ValueError || b.Kind == report.ValueError):
		return offBy(a) - offBy(b), ByError
	case c.Aspect == Region:
		return float64(a.Wrong - b.Wrong), ByPixels
	case c.Aspect != Value && c.Aspect != Loose: // a link's cost depends on all the others
		return 0, ByState
	case p.costs:
		return a.Cost - b.Cost, ByCost
	case a.Kind == report.ValueError && b.Kind == report.ValueError:
		return offBy(a) - offBy(b), ByError
	}
	return 0, ByState
}

// offBy is the relative error of a value, the absolute one where 0 is expected.
func offBy(m *report.Mark) float64 {
	e := math.Abs(m.Found - m.Expected)
	if m.Expected != 0 {
		e /= math.Abs(m.Expected)
	}
	return e
}
