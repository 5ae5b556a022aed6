package chart

import (
	"math"
	"strings"
)

// Scale is how values are laid along an axis.
type Scale uint8

const (
	Linear  Scale = iota
	Log           // decades; only values above 0 have a place
	LogZero       // decades, and beyond a break a place for 0, such as the untreated dose; values below 0 have none
	Symlog        // decades on both sides of 0, linear near it
)

// Axis is one axis of a chart.
type Axis struct {
	Name, Unit string  // a Name such as "distance (µm)" is split at the bracket where Unit is ""
	Min, Max   float64 // limits; Min >= Max: from the data
	Scale      Scale
	Zero       bool     // limits from the data include 0
	Whole      bool     // values are counts: no ticks between whole numbers
	Names      []string // categories: Names[i] stands at i. The scale is linear then.
	hidden     bool     // without ticks
}

// split is the name and the unit of an axis.
func (a Axis) split() (name, unit string) {
	if i := strings.LastIndex(a.Name, " ("); a.Unit == "" && i > 0 && strings.HasSuffix(a.Name, ")") {
		return a.Name[:i], a.Name[i+2 : len(a.Name)-1]
	}
	return a.Name, a.Unit
}

// says is a value of the axis in words: "distance 12.5 µm".
func (a Axis) says(v float64) string {
	if i := int(v + 0.5); len(a.Names) > 0 && v >= -0.5 && i < len(a.Names) {
		return a.Names[i]
	}
	name, unit := a.split()
	return strings.TrimSpace(name + " " + withUnit(v, unit))
}

func withUnit(v float64, unit string) string {
	s := Number(v)
	if unit == "" || s == noValue {
		return s
	}
	if unit == "%" {
		return s + unit
	}
	return s + " " + unit
}

// spread is what an axis must know of its data.
type spread struct {
	n        int     // finite values
	lo, hi   float64 // of the finite values
	positive float64 // the smallest value above 0
	small    float64 // the smallest distance from 0 that is not 0
	zeros    int
	below    int // values below 0
}

func newSpread() spread {
	return spread{lo: math.Inf(1), hi: math.Inf(-1), positive: math.Inf(1), small: math.Inf(1)}
}

// far is the limit beyond which values are held, so that ranges stay finite.
const far = 1e300

func (s *spread) add(values ...float64) {
	for _, v := range values {
		if !finite(v) {
			continue
		}
		v = math.Min(math.Max(v, -far), far)
		s.n++
		s.lo, s.hi = math.Min(s.lo, v), math.Max(s.hi, v)
		switch {
		case v > 0:
			s.positive = math.Min(s.positive, v)
		case v == 0:
			s.zeros++
		default:
			s.below++
		}
		if v != 0 {
			s.small = math.Min(s.small, math.Abs(v))
		}
	}
}

// join adds what another spread knows.
func (s *spread) join(o spread) {
	s.n += o.n
	s.zeros += o.zeros
	s.below += o.below
	s.lo, s.hi = math.Min(s.lo, o.lo), math.Max(s.hi, o.hi)
	s.positive, s.small = math.Min(s.positive, o.positive), math.Min(s.small, o.small)
}

// ruler lays values of an axis between two dp coordinates.
type ruler struct {
	Axis
	lo, hi   float64 // limits in units
	from, to float64 // transformed limits
	a, b     float64 // dp of from and to
	zero     float64 // LogZero: the transformed place of 0
	first    float64 // LogZero: where the decades begin
	near     float64 // Symlog: where the linear part ends
	power    int     // labels are of values over 10^power
	ticks    []tick
}

// newRuler finds the limits. The axis has no length yet.
func newRuler(a Axis, s spread) ruler {
	r := ruler{Axis: a}
	if len(a.Names) > 0 {
		r.Scale = Linear
		r.lo, r.hi = -0.5, float64(len(a.Names))-0.5
		if a.Min < a.Max {
			r.lo, r.hi = a.Min, a.Max
		}
		r.from, r.to = r.lo, r.hi
		return r
	}
	if !(finite(a.Min) && finite(a.Max)) {
		r.Min, r.Max = 0, 0
	}
	switch a.Scale {
	case Log, LogZero:
		r.decades(s)
	case Symlog:
		r.symmetric(s)
	default:
		r.linear(s)
	}
	return r
}

// linear chooses limits with a margin; data that are near 0 begin at 0.
func (r *ruler) linear(s spread) {
	r.lo, r.hi = r.Min, r.Max
	if !(r.Min < r.Max) {
		lo, hi := s.lo, s.hi
		if s.n == 0 {
			lo, hi = 0, 1
		}
		if r.Zero {
			lo, hi = math.Min(lo, 0), math.Max(hi, 0)
		}
		lo, hi = apart(lo, hi)
		pad := float64(0.04 * (hi - lo))
		r.lo, r.hi = lo-pad, hi+pad
		if lo >= 0 && lo <= float64(0.3*hi) {
			r.lo = 0
		}
		if hi <= 0 && hi >= float64(0.3*lo) {
			r.hi = 0
		}
	}
	r.lo, r.hi = apart(math.Max(r.lo, -far), math.Min(r.hi, far))
	r.from, r.to = r.lo, r.hi
}

// apart widens limits that floating point can hardly tell apart, such as those of constant data.
func apart(lo, hi float64) (float64, float64) {
	size := math.Max(math.Abs(lo), math.Abs(hi))
	if hi-lo > float64(1e-11*size) && hi-lo > 1e-290 {
		return lo, hi
	}
	if size < 1e-280 {
		return 0, 1
	}
	return lo - float64(0.1*size), hi + float64(0.1*size)
}

func (r *ruler) decades(s spread) {
	lo, hi := s.positive, s.hi
	if r.Min > 0 && r.Min < r.Max {
		lo, hi = r.Min, r.Max
	} else if !(lo <= hi) { // nothing above 0
		lo, hi = 1, 10
	} else {
		lo, hi = lo/1.15, hi*1.15
	}
	if hi/lo < 1.5 {
		lo, hi = lo/1.25, hi*1.25
	}
	r.lo, r.hi = lo, hi
	r.from, r.to = math.Log10(lo), math.Log10(hi)
	if r.Scale == LogZero {
		r.first = r.from
		r.zero = r.from - math.Max(0.12*(r.to-r.from), 0.3)
		if s.zeros > 0 {
			r.from = r.zero - float64(0.06*(r.to-r.from))
			r.lo = 0
		}
	}
}

func (r *ruler) symmetric(s spread) {
	if s.lo > 0 && s.hi < 10*s.lo || s.hi < 0 && s.lo > 10*s.hi { // less than a decade on one side of 0
		r.Scale = Linear
		r.linear(s)
		return
	}
	r.near = 1
	if !math.IsInf(s.small, 1) {
		r.near = math.Pow(10, math.Floor(math.Log10(s.small)))
		if top := math.Max(math.Abs(s.lo), math.Abs(s.hi)); top/r.near > 1e8 {
			r.near = top / 1e8
		}
	}
	lo, hi := s.lo, s.hi
	if r.Min < r.Max {
		lo, hi = r.Min, r.Max
	} else if s.n == 0 {
		lo, hi = 0, 1
	}
	r.from, r.to = apart(r.transformed(lo), r.transformed(hi))
	if !(r.Min < r.Max) {
		pad := float64(0.04 * (r.to - r.from))
		r.from, r.to = r.from-pad, r.to+pad
	}
	r.lo, r.hi = r.back(r.from), r.back(r.to)
}

// transformed is where a value lies before it is scaled to dp; NaN where it has no place.
func (r *ruler) transformed(v float64) float64 {
	switch r.Scale {
	case Log, LogZero:
		if v > 0 {
			return math.Log10(v)
		}
		if v == 0 && r.Scale == LogZero {
			return r.zero
		}
		return math.NaN()
	case Symlog:
		return math.Copysign(math.Log10(1+math.Abs(v)/r.near), v)
	}
	return v
}

func (r *ruler) back(t float64) float64 {
	switch r.Scale {
	case LogZero:
		if r.lo == 0 && t < (r.zero+r.first)/2 {
			return 0
		}
		return math.Pow(10, t)
	case Log:
		return math.Pow(10, t)
	case Symlog:
		return math.Copysign((math.Pow(10, math.Abs(t))-1)*r.near, t)
	}
	return t
}

// at is the dp coordinate of a value, NaN if it has none. It may lie outside of the plot.
func (r *ruler) at(v float64) float64 {
	return r.a + float64((r.transformed(v)-r.from)/(r.to-r.from)*(r.b-r.a))
}

// value is what lies at a dp coordinate.
func (r *ruler) value(at float64) float64 {
	if r.a == r.b {
		return math.NaN()
	}
	return r.back(r.from + float64((at-r.a)/(r.b-r.a)*(r.to-r.from)))
}

// jumps tells whether a line from value a to b would cross the break before 0.
func (r *ruler) jumps(a, b float64) bool { return r.Scale == LogZero && (a == 0) != (b == 0) }

// unseen counts the values that the axis cannot show.
func (r *ruler) unseen(s spread) int {
	switch r.Scale {
	case Log:
		return s.below + s.zeros
	case LogZero:
		return s.below
	}
	return 0
}

// title is the name with the unit that the labels are in.
func (r *ruler) title() string {
	name, unit := r.split()
	if r.power != 0 {
		unit = strings.TrimSpace("×10" + superscript(r.power) + " " + unit)
	}
	if unit == "" {
		return name
	}
	return strings.TrimSpace(name + " (" + unit + ")")
}
