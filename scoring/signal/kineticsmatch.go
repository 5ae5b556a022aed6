package signal

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"coverslip/scoring/numeric"
)

// timeWindow is how far apart two points may be that are compared, in minutes.
const timeWindow = 0.51

// cellPair is a sheet of the truth, the answer's table paired with it, and how they compare.
type cellPair struct {
	truth  *cellTable
	answer *cellTable // nil: none
	error  float64    // of the onset in frames, NaN if unknown
	series map[string]agreement
}

// agreement is how two series compare. r and mae are NaN where they have no value.
type agreement struct {
	r, mae float64
	n      int
	left   int // points of the truth without a partner
}

// pairCells finds the answer's table for each sheet of the truth (spec/scorers-signals.md 3.5): the equal key, else the
// first unused one that contains the cell id or is contained in it.
func pairCells(truths []cellTable, c *collected) []cellPair {
	used := make([]bool, len(c.tables))
	pairs := make([]cellPair, len(truths))
	for i := range truths {
		pairs[i] = cellPair{truth: &truths[i], error: math.NaN()}
		k := unusedIndex(c.keys, used, func(key string) bool { return key == truths[i].key })
		if k < 0 {
			id := cellID(truths[i].sheet)
			if id == "" {
				id = truths[i].key
			}
			k = unusedIndex(c.keys, used, func(key string) bool { return strings.Contains(key, id) || strings.Contains(id, key) })
		}
		if k >= 0 {
			used[k], pairs[i].answer = true, &c.tables[k]
		}
	}
	return pairs
}

func unusedIndex(keys []string, used []bool, fits func(string) bool) int {
	for i, k := range keys {
		if !used[i] && fits(k) {
			return i
		}
	}
	return -1
}

// compare judges a paired cell (spec/scorers-signals.md 3.6).
func (p *cellPair) compare() error {
	p.series = map[string]agreement{}
	if p.answer == nil {
		return nil
	}
	p.error = math.Abs(p.truth.onset - p.answer.onset)
	for _, name := range seriesNames {
		a, err := agree(p.truth.series[name], p.answer.series[name])
		if err != nil {
			return err
		}
		p.series[name] = a
	}
	return nil
}

// agree compares two series: each point of the truth, by time, takes the nearest unused point of the answer.
func agree(truth, answer []sample) (agreement, error) {
	a := agreement{r: math.NaN(), mae: math.NaN()}
	if len(truth) == 0 || len(answer) == 0 {
		return a, nil
	}
	partners := partnersOf(truth, answer)
	x, y := make([]float64, 0, len(partners)), make([]float64, 0, len(partners))
	sum := 0.0
	for _, p := range partners {
		x, y = append(x, p[0].value), append(y, p[1].value)
		sum += math.Abs(p[0].value - p[1].value)
	}
	a.n, a.left = len(x), len(truth)-len(x)
	if a.n > 0 {
		a.mae = sum / float64(a.n)
	}
	r, err := numeric.Pearson(x, y)
	if err == nil && r != nil {
		a.r = *r
	}
	return a, err
}

// partnersOf pairs the points of two series in the order of the truth's times.
func partnersOf(truth, answer []sample) [][2]sample {
	byTime := func(a, b sample) int { return cmp.Compare(a.time, b.time) }
	t, p := slices.Clone(truth), slices.Clone(answer)
	slices.SortStableFunc(t, byTime)
	slices.SortStableFunc(p, byTime)
	used := make([]bool, len(p))
	out := make([][2]sample, 0, min(len(t), len(p)))
	from := 0
	for _, point := range t {
		for from < len(p) && (used[from] || p[from].time < point.time-timeWindow-1) {
			from++
		}
		best, least := -1, timeWindow
		for k := from; k < len(p) && p[k].time <= point.time+timeWindow+1; k++ {
			if d := math.Abs(p[k].time - point.time); !used[k] && (d < least || d == least && best < 0) {
				best, least = k, d
			}
		}
		if best >= 0 {
			used[best] = true
			out = append(out, [2]sample{point, p[best]})
		}
	}
	return out
}
