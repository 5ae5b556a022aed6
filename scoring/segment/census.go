package segment

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/parallel"
	"coverslip/scoring/report"
)

// Object is one instance of a label image: all pixels that carry its id, wherever they lie.
type Object struct {
	ID     int64
	Area   int // pixels; 0 for a negative id, which the reference counts as an object without area
	Pixels int // pixels that carry the id
	// Outside counts its foreground pixels (value > 0) that lie outside the other image's foreground.
	Outside int
	Z, Y, X float64 // centroid in pixels
	Box     report.Box
}

// Side is what one label image holds.
type Side struct {
	Objects    []Object // by ascending id
	Foreground int      // pixels with value > 0
	Loose      Object   // foreground that truncates to id 0, so that no instance owns it
	Truncated  bool     // some value has a fraction
	Wild       bool     // some value is NaN, infinite or beyond 64 bits
}

// Overlap says how many pixels an answer object and a truth object share. Both are indices into Side.Objects.
type Overlap struct{ Pred, Truth, Pixels int }

// Census is the count of everything in a pair of label images of one shape: enough for every score but the boundary's.
type Census struct {
	Pred, Truth Side
	Both        int       // pixels that are foreground in both
	Overlaps    []Overlap // only pairs that share pixels, by truth index, then answer index
}

// Count counts objects and overlaps of two label images of equal shape in one pass. The arrays may have any number of
// axes; the last two are Y and X, all before them count as Z. Element types may differ. Rows are cut into that many
// parts (0: one per processor), which are counted at the same time; the result does not depend on their number.
func Count(ctx context.Context, pred, truth raster.Array, parts int) (*Census, error) {
	if !slices.Equal(pred.Shape, truth.Shape) {
		return nil, fmt.Errorf("label images of shapes %v and %v cannot be compared", pred.Shape, truth.Shape)
	}
	a, b := newLabels(pred), newLabels(truth)
	if a == nil || b == nil {
		return nil, errors.New("a label image without numbers cannot be counted")
	}
	width, height := rowWidth(pred.Shape), planeHeight(pred.Shape)
	total := 0
	if width > 0 {
		total = volume(pred.Shape) / width
	}
	bands := make([]*band, partCount(total*width, parts))
	err := parallel.Each(ctx, len(bands), func(i int) error {
		bands[i] = newBand()
		bands[i].count(ctx, a, b, height, total*i/len(bands), total*(i+1)/len(bands))
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, other := range bands[1:] {
		bands[0].merge(other)
	}
	return bands[0].census(), nil
}

// partCount is into how many parts an array of that many pixels is worth cutting.
func partCount(pixels, parts int) int {
	if parts <= 0 {
		parts = runtime.GOMAXPROCS(0)
	}
	return max(1, min(parts, pixels/(1<<17)))
}

// band is the tally of some rows.
type band struct {
	pred, truth tally
	both        int       // pixels that are foreground in both
	joint       pairTable // of ids above 0 only
}

func newBand() *band { return &band{pred: newTally(), truth: newTally()} }

func (b *band) count(ctx context.Context, pred, truth labels, height, from, to int) {
	var p, t runs
	var pn, tn []int32
	for row := from; row < to; row++ {
		if row%256 == 0 && ctx.Err() != nil {
			return
		}
		z, y := row/height, row%height
		pred.scan(row, &p)
		truth.scan(row, &t)
		pn = b.pred.addRow(&p, z, y, pn[:0])
		tn = b.truth.addRow(&t, z, y, tn[:0])
		b.join(p.ends, t.ends, pn, tn)
	}
}

// join counts the shared stretches of one row of both images.
func (b *band) join(pEnds, tEnds []int, pn, tn []int32) {
	for start, i, j := 0, 0, 0; i < len(pEnds) && j < len(tEnds); {
		end := min(pEnds[i], tEnds[j])
		if pn[i] != 0 || tn[j] != 0 {
			b.share(pn[i], tn[j], end-start)
		}
		if pEnds[i] == end {
			i++
		}
		if tEnds[j] == end {
			j++
		}
		start = end
	}
}

// share counts n pixels that carry answer entry p and truth entry t.
func (b *band) share(p, t int32, n int) {
	pe, te := &b.pred.entries[p], &b.truth.entries[t]
	switch {
	case pe.foreground && te.foreground:
		b.both += n
		if pe.id > 0 && te.id > 0 {
			b.joint.add(p, t, n)
		}
	case pe.foreground:
		pe.outside += n
	case te.foreground:
		te.outside += n
	}
}

// merge adds another band. All sums are whole numbers, so their order does not matter.
func (b *band) merge(o *band) {
	pn, tn := b.pred.merge(&o.pred), b.truth.merge(&o.truth)
	b.both += o.both
	o.joint.each(func(p, t int32, n int) { b.joint.add(pn[p], tn[t], n) })
}

// census turns the tallies into objects sorted by id.
func (b *band) census() *Census {
	c := &Census{Both: b.both}
	var pn, tn []int
	c.Pred, pn = b.pred.side()
	c.Truth, tn = b.truth.side()
	b.joint.each(func(p, t int32, n int) {
		c.Overlaps = append(c.Overlaps, Overlap{Pred: pn[p], Truth: tn[t], Pixels: n})
	})
	slices.SortFunc(c.Overlaps, func(a, b Overlap) int {
		if a.Truth != b.Truth {
			return a.Truth - b.Truth
		}
		return a.Pred - b.Pred
	})
	return c
}
