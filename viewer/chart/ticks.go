package chart

import (
	"math"
	"strconv"
	"strings"
)

// tick is a place on an axis that is marked; a minor one has no label.
type tick struct {
	v     float64
	at    float64 // dp
	label string
	minor bool
}

const (
	tickSize = 10.5 // of labels, dp
	tickGap  = 9    // between labels along the axis
)

// lay gives the axis its ends in dp and its ticks. upright says that labels are stacked, not in a row; so they take their
// height along the axis rather than their width.
func (r *ruler) lay(a, b float64, upright bool) {
	r.a, r.b = a, b
	length := math.Abs(b - a)
	r.ticks, r.power = nil, 0
	if length < 4 || r.hidden {
		return
	}
	room := func(label string) float64 {
		if upright {
			return tickSize + 6
		}
		return width(label, tickSize, false) + tickGap
	}
	switch {
	case len(r.Names) > 0:
		// Names are placed by the frame, which knows how much room they may take across.
	case r.Scale == Log || r.Scale == LogZero:
		r.logTicks(room)
	case r.Scale == Symlog:
		r.symTicks(room)
	default:
		r.ticks, r.power = linearTicks(r.lo, r.hi, length, r.Whole, room)
	}
	for i := range r.ticks {
		r.ticks[i].at = r.at(r.ticks[i].v)
	}
}

var niceSteps = [...]float64{1, 2, 2.5, 5}

// linearTicks finds the finest round step whose labels fit.
func linearTicks(lo, hi, length float64, whole bool, room func(string) float64) (ticks []tick, power int) {
	size := math.Max(math.Abs(lo), math.Abs(hi))
	if size >= 1e5 || size < 1e-2 {
		power = 3 * int(math.Floor(math.Log10(size)/3))
	}
	finest := (hi - lo) / math.Max(length/28, 2)
	e := int(math.Floor(math.Log10(finest)))
	for tries := 0; tries < 40; tries++ {
		m := niceSteps[tries%len(niceSteps)]
		exponent := e + tries/len(niceSteps)
		step := scaled(m, exponent)
		if step < finest || (whole && (exponent < 0 || m == 2.5 && exponent == 0)) || step == 0 {
			continue
		}
		ticks = stepTicks(lo, hi, m, exponent, power)
		if len(ticks) < 2 || fits(ticks, length/(hi-lo), room) {
			return ticks, power
		}
	}
	return nil, power
}

// scaled is m * 10^e with one rounding only for usual exponents.
func scaled(m float64, e int) float64 {
	if e < 0 && e > -300 {
		return m / math.Pow(10, float64(-e))
	}
	return m * math.Pow(10, float64(e))
}

func stepTicks(lo, hi, m float64, e, power int) (ticks []tick) {
	step := scaled(m, e)
	decimals := max(0, power-e)
	if m == 2.5 {
		decimals = max(0, power-e+1)
	}
	first, last := math.Ceil(lo/step-1e-9), math.Floor(hi/step+1e-9)
	if !(last-first < 1000) {
		return nil
	}
	for i := first; i <= last; i++ {
		v := scaled(i*m, e)
		ticks = append(ticks, tick{v: v, label: grouped(scaled(i*m, e-power), min(decimals, 15))})
	}
	return ticks
}

// fits tells whether labels stand apart; per is dp per unit.
func fits(ticks []tick, per float64, room func(string) float64) bool {
	for i, t := range ticks[1:] {
		before := ticks[i]
		if (t.v-before.v)*per < (room(t.label)+room(before.label))/2 {
			return false
		}
	}
	return true
}

// logTicks marks decades, and within few decades also 2 and 5.
func (r *ruler) logTicks(room func(string) float64) {
	from, to := math.Log10(math.Max(r.lo, 1e-308)), math.Log10(r.hi)
	if r.lo == 0 {
		from = r.first
		r.ticks = append(r.ticks, tick{v: 0, label: "0"})
	}
	first, last := int(math.Ceil(from-1e-9)), int(math.Floor(to+1e-9))
	plain := first >= -4 && last <= 5
	span := to - from
	var found []tick
	add := func(v float64, m float64, e int, minor bool) {
		t := tick{v: v, minor: minor}
		if !minor {
			t.label = powerLabel(m, e, plain)
		}
		found = append(found, t)
	}
	for e := first - 1; e <= last; e++ {
		for m := 1.0; m < 10; m++ {
			v := scaled(m, e)
			if l := math.Log10(v); l < from-1e-9 || l > to+1e-9 {
				continue
			}
			major := m == 1 || span < 2.2 && (m == 2 || m == 5) || span < 0.8
			if major || span < 9 {
				add(v, m, e, !major)
			}
		}
	}
	r.ticks = append(r.ticks, r.thinned(found, room)...)
	if len(r.ticks) > 1 && r.lo == 0 { // the label of 0 must not touch its neighbour
		r.ticks = append(r.ticks[:1], r.clear(r.ticks[0], r.ticks[1:], room)...)
	}
}

// clear takes away the label of ticks that touch the label of t.
func (r *ruler) clear(t tick, others []tick, room func(string) float64) []tick {
	for i, o := range others {
		if o.label != "" && math.Abs(r.at(o.v)-r.at(t.v)) < (room(o.label)+room(t.label))/2 {
			others[i].label, others[i].minor = "", true
		}
	}
	return others
}

// thinned takes labels away until the rest stands apart: first those between decades, then all but every n-th decade.
func (r *ruler) thinned(ticks []tick, room func(string) float64) []tick {
	rooms, at := make([]float64, len(ticks)), make([]float64, len(ticks))
	for i, t := range ticks {
		rooms[i], at[i] = room(t.label), r.at(t.v)
	}
	for _, every := range [...]int{0, 1, 2, 3, 5, 10, 20, 50, 100, 200, 1000} {
		last, ok := -1, true
		for i, t := range ticks {
			if kept(t, every) {
				ok = ok && (last < 0 || math.Abs(at[i]-at[last]) >= (rooms[i]+rooms[last])/2)
				last = i
			}
		}
		if !ok {
			continue
		}
		for i, t := range ticks {
			if !kept(t, every) {
				ticks[i].label, ticks[i].minor = "", true
			}
		}
		return ticks
	}
	return nil
}

// kept tells whether a label stays where only every n-th decade has one; 0 keeps those between decades too.
func kept(t tick, every int) bool {
	if t.label == "" || every == 0 {
		return t.label != ""
	}
	return isDecade(t.v) && int(math.Round(math.Log10(t.v)))%every == 0
}

func isDecade(v float64) bool {
	l := math.Log10(math.Abs(v))
	return math.Abs(l-math.Round(l)) < 1e-6
}

// symTicks marks 0 and the decades on both sides of it that fit.
func (r *ruler) symTicks(room func(string) float64) {
	first := int(math.Round(math.Log10(r.near)))
	last := int(math.Floor(math.Log10(math.Max(math.Abs(r.lo), math.Abs(r.hi))) + 1e-9))
	plain := first >= -4 && last <= 5
	zero := tick{v: 0, label: "0"}
	var up, down []tick
	for e := first; e <= last; e++ {
		if v := scaled(1, e); v >= r.lo && v <= r.hi {
			up = append(up, tick{v: v, label: powerLabel(1, e, plain)})
		}
		if v := scaled(1, e); -v >= r.lo && -v <= r.hi {
			down = append(down, tick{v: -v, label: "−" + powerLabel(1, e, plain)})
		}
	}
	keep := func(ticks []tick) []tick {
		before := zero
		for i := range ticks {
			t := &ticks[i]
			if math.Abs(r.at(t.v)-r.at(before.v)) < (room(t.label)+room(before.label))/2 {
				t.label, t.minor = "", true
				continue
			}
			before = *t
		}
		return ticks
	}
	up, down = keep(up), keep(down)
	for i := len(down) - 1; i >= 0; i-- {
		r.ticks = append(r.ticks, down[i])
	}
	if r.lo <= 0 && r.hi >= 0 {
		r.ticks = append(r.ticks, zero)
	}
	r.ticks = append(r.ticks, up...)
}

func powerLabel(m float64, e int, plain bool) string {
	if plain {
		return grouped(scaled(m, e), max(0, -e))
	}
	s := "10" + superscript(e)
	if m != 1 {
		s = strconv.Itoa(int(m)) + "×" + s
	}
	return s
}

var superscripts = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

func superscript(n int) string { return superscripts.Replace(strconv.Itoa(n)) }

// grouped writes a number with a true minus and commas between thousands.
func grouped(v float64, decimals int) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	whole, part, _ := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if part != "" {
		whole += "." + part
	}
	if v < 0 && strings.Trim(s, "0.") != "" {
		whole = "−" + whole
	}
	return whole
}

const noValue = "no value"

// Number writes a value as a status line has it: four significant digits, commas between thousands, powers of ten where needed.
func Number(v float64) string {
	switch {
	case math.IsNaN(v):
		return noValue
	case math.IsInf(v, 1):
		return "infinite"
	case math.IsInf(v, -1):
		return "−infinite"
	case v == 0:
		return "0"
	}
	size := math.Abs(v)
	if size >= 1e7 || size < 1e-4 {
		s := strconv.FormatFloat(size, 'e', 3, 64)
		digits, exponent, _ := strings.Cut(s, "e")
		e, _ := strconv.Atoi(exponent)
		s = strings.TrimRight(strings.TrimRight(digits, "0"), ".") + "×10" + superscript(e)
		if v < 0 {
			s = "−" + s
		}
		return s
	}
	decimals := min(max(0, 3-int(math.Floor(math.Log10(size)))), 8)
	s := grouped(v, decimals)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
