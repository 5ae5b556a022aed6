package signal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"coverslip/datasets/raster/parallel"
	"coverslip/datasets/tabular"
	"coverslip/scoring/numeric"
)

// comparison is two localisation lists and what came of matching them.
type comparison struct {
	pred, truth list
	threshold   float64
	frames      []frame
	pairs       []pair // in the order of frames, then of acceptance
	tp, fp, fn  int

	rmseX, rmseY, lateral, r float64 // r is NaN for the reference's null
	offX, offY               float64 // medians over the pairs
}

// frame is the rows of one frame, by index into the lists, in file order.
type frame struct {
	number      float64
	pred, truth []int32
	pairs       []pair
	ofTruth     []int32 // of each truth: its pair, counted from 1, 0 for none; nil without pairs
	paired      []bool  // of each answer
	near        []near  // of each answer
}

// near is the nearest truth row within three thresholds, or -1, and its distance.
type near struct {
	truth    int32
	distance float64
}

// pair is an answer row and a truth row that it claimed, and what both say: kept here because the sums over all pairs must
// go through them in this order, in which the rows are scattered.
type pair struct {
	pred, truth     int32
	distance        float64
	dx, dy          float64 // the answer's place seen from the truth's
	found, expected float64 // intensities
}

func newPair(pred, truth int32, distance float64, a, t *tabular.Localisation) pair {
	return pair{pred, truth, distance, a.X - t.X, a.Y - t.Y, a.Intensity, t.Intensity}
}

// framesOf groups the rows of both lists by frame, ascending.
func framesOf(pred, truth []tabular.Localisation) []frame {
	index := map[float64]int{}
	var frames []frame
	last := -1 // lists are mostly sorted by frame: the next row is mostly in the same one
	find := func(number float64) *frame {
		if last >= 0 && frames[last].number == number {
			return &frames[last]
		}
		i, ok := index[number]
		if !ok {
			i = len(frames)
			index[number] = i
			frames = append(frames, frame{number: number})
		}
		last = i
		return &frames[i]
	}
	all := make([]int32, max(len(pred), len(truth)))
	for i := range all {
		all[i] = int32(i)
	}
	for i := range pred {
		f := find(pred[i].Frame)
		f.pred = extend(f.pred, i, all)
	}
	for i := range truth {
		f := find(truth[i].Frame)
		f.truth = extend(f.truth, i, all)
	}
	slices.SortFunc(frames, func(a, b frame) int { return cmp.Compare(a.number, b.number) })
	return frames
}

// extend adds a row to a list. Rows that follow each other, as most do, share the memory of all rows.
func extend(list []int32, row int, all []int32) []int32 {
	if first := row - len(list); len(list) == 0 || int(list[0]) == first && int(list[len(list)-1]) == row-1 {
		return all[first : row+1 : row+1]
	}
	return append(list, int32(row))
}

// match pairs the lists frame by frame (spec/scorers-signals.md 2.4).
func (c *comparison) match(ctx context.Context, progress func(done, total int)) error {
	c.frames = framesOf(c.pred.rows, c.truth.rows)
	if err := matchFrames(ctx, c.frames, c.pred.rows, c.truth.rows, c.threshold); err != nil {
		return err
	}
	n := 0
	for i := range c.frames {
		n += len(c.frames[i].pairs)
	}
	c.pairs = make([]pair, 0, n)
	for i := range c.frames {
		c.pairs = append(c.pairs, c.frames[i].pairs...)
	}
	c.tp = len(c.pairs)
	c.fp, c.fn = len(c.pred.rows)-c.tp, len(c.truth.rows)-c.tp
	progress(len(c.frames), len(c.frames))
	return nil
}

func matchFrames(ctx context.Context, frames []frame, pred, truth []tabular.Localisation, threshold float64) error {
	return parallel.Each(ctx, len(frames), func(i int) error { return frames[i].match(pred, truth, threshold) })
}

// match lets each answer ask for its nearest truth, the closest pairs first; an answer whose truth is taken has no second
// choice.
func (f *frame) match(pred, truth []tabular.Localisation, threshold float64) error {
	f.pairs, f.near, f.ofTruth, f.paired = nil, nil, nil, nil
	if len(f.pred) == 0 || len(f.truth) == 0 {
		return nil
	}
	tree, err := f.tree(pred, truth)
	if err != nil {
		return err
	}
	f.near = make([]near, len(f.pred))
	asks := make([]ask, 0, len(f.pred))
	for k, i := range f.pred {
		n, distance := nearestWithin(tree, pred[i].X, pred[i].Y, threshold)
		if n < 0 { // near misses are worth telling
			n, distance = nearestWithin(tree, pred[i].X, pred[i].Y, 3*threshold)
		} else {
			asks = append(asks, ask{distance, int32(k), int32(n)})
		}
		f.near[k] = near{-1, distance}
		if n >= 0 {
			f.near[k].truth = f.truth[n]
		}
	}
	asks = nearestFirst(asks, threshold)
	f.ofTruth, f.paired, f.pairs = make([]int32, len(f.truth)), make([]bool, len(f.pred)), make([]pair, 0, len(asks))
	for _, a := range asks {
		if f.ofTruth[a.truth] == 0 {
			i, k := f.pred[a.pred], f.truth[a.truth]
			f.pairs = append(f.pairs, newPair(i, k, a.distance, &pred[i], &truth[k]))
			f.ofTruth[a.truth], f.paired[a.pred] = int32(len(f.pairs)), true
		}
	}
	return nil
}

// tree holds the truth's places. Coordinates that are not finite, on either side, make the reference fail.
func (f *frame) tree(pred, truth []tabular.Localisation) (*numeric.Planar, error) {
	x, y := make([]float64, len(f.truth)), make([]float64, len(f.truth))
	for k, i := range f.truth {
		x[k], y[k] = truth[i].X, truth[i].Y
		if !finite(x[k]) || !finite(y[k]) {
			return nil, fmt.Errorf("frame %v of the truth has a coordinate that is not finite (line %d)", f.number, truth[i].Line)
		}
	}
	for _, i := range f.pred {
		if !finite(pred[i].X) || !finite(pred[i].Y) {
			return nil, fmt.Errorf("frame %v of the answer has a coordinate that is not finite (line %d)", f.number, pred[i].Line)
		}
	}
	return numeric.NewPlanar(x, y), nil
}

// pairCount is how many pairs match would find: each truth that is asked for gets one.
func (f *frame) pairCount(pred, truth []tabular.Localisation, threshold float64) (int, error) {
	if len(f.pred) == 0 || len(f.truth) == 0 {
		return 0, nil
	}
	tree, err := f.tree(pred, truth)
	if err != nil {
		return 0, err
	}
	n, asked := 0, make([]bool, len(f.truth))
	for _, i := range f.pred {
		if k, _ := nearestWithin(tree, pred[i].X, pred[i].Y, threshold); k >= 0 && !asked[k] {
			asked[k] = true
			n++
		}
	}
	return n, nil
}

// ask is a pair that an answer asks for, by the places of both in their frame.
type ask struct {
	distance    float64
	pred, truth int32
}

// nearestFirst sorts asks, which are in file order and within a distance, by distance, those of the same in file order.
// They are spread over as many bins as there are asks, of which most then hold one or two.
func nearestFirst(asks []ask, reach float64) []ask {
	bins := len(asks)
	scale := float64(bins) / reach
	bin := func(a *ask) int { return max(0, min(bins-1, int(a.distance*scale))) }
	if bins < 8 || !(scale > 0 && scale < 1e100) {
		sortAsks(asks)
		return asks
	}
	starts := make([]int32, bins+1)
	for i := range asks {
		starts[bin(&asks[i])+1]++
	}
	for b := range bins {
		starts[b+1] += starts[b]
	}
	sorted, next := make([]ask, len(asks)), starts
	for i := range asks {
		b := bin(&asks[i])
		sorted[next[b]] = asks[i]
		next[b]++
	}
	for from, b := 0, 0; b < bins; b++ { // next is now where each bin ends
		if to := int(next[b]); to-from > 1 {
			sortAsks(sorted[from:to])
		}
		from = int(next[b])
	}
	return sorted
}

func sortAsks(asks []ask) {
	slices.SortFunc(asks, func(a, b ask) int {
		switch {
		case a.distance < b.distance:
			return -1
		case a.distance > b.distance:
			return 1
		}
		return cmp.Compare(a.pred, b.pred)
	})
}

// nearestWithin is the nearest point within a distance, -1 for none.
func nearestWithin(tree *numeric.Planar, x, y, reach float64) (index int, distance float64) {
	if !(reach >= 0) {
		return -1, 0
	}
	n, squared := tree.Nearest(x, y, float64(reach*reach)*(1+1e-9)) // a little more than what can pass
	if distance = math.Sqrt(squared); n < 0 || distance > reach {
		return -1, 0
	}
	return n, distance
}

func finite(v float64) bool { return v-v == 0 } // NaN for infinities too

var metricNames = []string{"jaccard", "precision", "recall", "f1"}

func (c *comparison) metrics() map[string]float64 {
	tp, fp, fn := float64(c.tp), float64(c.fp), float64(c.fn)
	p, r := ratio(tp, tp+fp), ratio(tp, tp+fn)
	return map[string]float64{"jaccard": ratio(tp, tp+fp+fn), "precision": p, "recall": r, "f1": ratio(2*p*r, p+r)}
}

// metric is a localisation metric by name; an unknown name means jaccard.
func (c *comparison) metric(name string) float64 {
	m := c.metrics()
	if v, ok := m[name]; ok {
		return v
	}
	return m["jaccard"]
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// measure takes distances and the correlation of intensities over all pairs (spec/scorers-signals.md 2.5).
func (c *comparison) measure() error {
	var xx, yy, lateral float64
	for i := range c.pairs {
		dx, dy := c.pairs[i].dx, c.pairs[i].dy
		qx, err := numeric.Square(dx)
		if err != nil {
			return err
		}
		qy, err := numeric.Square(dy)
		if err != nil {
			return err
		}
		xx, yy, lateral = xx+qx, yy+qy, lateral+math.Hypot(dx, dy)
	}
	if n := float64(len(c.pairs)); n > 0 {
		c.rmseX, c.rmseY, c.lateral = math.Sqrt(xx/n), math.Sqrt(yy/n), lateral/n
	}
	c.offX = c.median(func(p *pair) float64 { return p.dx })
	c.offY = c.median(func(p *pair) float64 { return p.dy })
	var err error
	c.r, err = c.correlate()
	return err
}

// median is that of a value over the pairs.
func (c *comparison) median(of func(*pair) float64) float64 {
	values := make([]float64, len(c.pairs))
	for i := range c.pairs {
		values[i] = of(&c.pairs[i])
	}
	return numeric.Percentile(values, 50)
}

// correlate is Pearson's r of the pairs' intensities, NaN where it has no value.
func (c *comparison) correlate() (float64, error) {
	n := float64(len(c.pairs))
	if n < 2 {
		return math.NaN(), nil
	}
	var sx, sy float64
	for i := range c.pairs {
		sx += c.pairs[i].found
		sy += c.pairs[i].expected
	}
	mx, my := sx/n, sy/n
	var cov, vx, vy float64
	for i := range c.pairs {
		dx, dy := c.pairs[i].found-mx, c.pairs[i].expected-my
		qx, err := numeric.Square(dx)
		if err != nil {
			return 0, err
		}
		qy, err := numeric.Square(dy)
		if err != nil {
			return 0, err
		}
		cov, vx, vy = cov+float64(dx*dy), vx+qx, vy+qy
	}
	if !(vx > 0 && vy > 0) {
		return math.NaN(), nil
	}
	root := math.Sqrt(float64(vx * vy))
	if root == 0 {
		return 0, errors.New("intensities vary by so little that the reference divides by zero")
	}
	return cov / root, nil
}
