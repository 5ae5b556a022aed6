package segment

import (
	"context"
	"errors"
	"math/bits"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/parallel"
)

// errNoPlane is the case in which the reference fails: a boundary needs two axes.
var errNoPlane = errors.New("a boundary score needs images with at least two axes")

// BoundaryF1 compares the boundaries of two label images of equal shape: pixels whose stored value differs from a
// 4-neighbour inside the image. Precision is the share of answer boundary pixels with a truth boundary pixel within
// 2.0 pixels, recall the reverse. 1 when neither image has a boundary, 0 when one has none.
// Images with more than two axes take neighbours along the first two axes and distances over all.
func BoundaryF1(ctx context.Context, pred, truth raster.Array, parts int) (float64, error) {
	c, err := countBoundary(ctx, pred, truth, parts)
	if err != nil {
		return 0, err
	}
	return c.f1(), nil
}

func countBoundary(ctx context.Context, pred, truth raster.Array, parts int) (c boundaryCounts, err error) {
	a, b := newLabels(pred), newLabels(truth)
	switch {
	case a == nil || b == nil || len(pred.Shape) < 2:
		return c, errNoPlane
	case len(pred.Shape) > 2:
		p, t := a.edgeMask(pred.Shape), b.edgeMask(truth.Shape)
		return boundaryCounts{countTrue(p), countTrue(t), countNear(p, t, pred.Shape), countNear(t, p, pred.Shape)}, ctx.Err()
	}
	p, t := newBitmap(pred.Shape), newBitmap(truth.Shape)
	parts = partCount(p.height*p.width, parts)
	err = parallel.Each(ctx, parts, func(i int) error {
		from, to := p.height*i/parts, p.height*(i+1)/parts
		a.edges(ctx, p, from, to)
		b.edges(ctx, t, from, to)
		return nil
	})
	if err != nil {
		return c, err
	}
	sides, hits := [2]*bitmap{p, t}, [2]int{}
	err = parallel.Each(ctx, 2, func(i int) error {
		hits[i] = sides[i].countNear(sides[1-i])
		return nil
	})
	return boundaryCounts{p.count(), t.count(), hits[0], hits[1]}, err
}

func boundaryF1(pred, truth, predHits, truthHits int) float64 {
	if pred == 0 && truth == 0 {
		return 1
	}
	if pred == 0 || truth == 0 {
		return 0
	}
	precision, recall := float64(predHits)/float64(pred), float64(truthHits)/float64(truth)
	if precision+recall == 0 {
		return 0
	}
	return 2 * precision * recall / (precision + recall)
}

// edges fills rows from up to to. Each pair of rows is compared once, but for the pairs that cross into another part's
// rows: these it compares for its own side alone.
func (s rows[E]) edges(ctx context.Context, set *bitmap, from, to int) {
	w := s.width
	line := func(y int) []E { return s.values[y*w : (y+1)*w] }
	differ := make([]uint64, set.words)
	if from > 0 {
		different(line(from-1), line(from), differ)
		merge(set.row(from), differ)
	}
	for y := from; y < to && ctx.Err() == nil; y++ {
		if w > 1 {
			different(line(y)[:w-1], line(y)[1:], differ)
			mergeBothSides(set.row(y), differ)
		}
		if y+1 < set.height {
			different(line(y), line(y+1), differ)
			merge(set.row(y), differ)
			if y+1 < to {
				merge(set.row(y+1), differ)
			}
		}
	}
}

// stride is how many elements are compared at once: most stretches are equal.
const stride = 8

// different sets bit i where a[i] differs from b[i], and clears all others.
func different[E comparable](a, b []E, bits []uint64) {
	clear(bits)
	b = b[:len(a)]
	i := 0
	for ; i+stride <= len(a); i += stride {
		if p, q := (*[stride]E)(a[i:]), (*[stride]E)(b[i:]); *p != *q {
			var word uint64
			for k := range p {
				if p[k] != q[k] {
					word |= 1 << k
				}
			}
			bits[i>>6] |= word << (i & 63)
		}
	}
	for ; i < len(a); i++ {
		if a[i] != b[i] {
			bits[i>>6] |= 1 << (i & 63)
		}
	}
}

func merge(row, bits []uint64) {
	for k, w := range bits {
		row[k] |= w
	}
}

// mergeBothSides sets bits i and i+1 for each bit i.
func mergeBothSides(row, bits []uint64) {
	carry := uint64(0)
	for k, w := range bits {
		row[k] |= w | w<<1 | carry
		carry = w >> 63
	}
}

func (s rows[E]) edgeMask(shape []int) []bool {
	mask := make([]bool, len(s.values))
	stride := len(s.values)
	for _, n := range shape[:2] {
		if n == 0 {
			return mask
		}
		stride /= n
		for i := range s.values {
			if i/stride%n+1 < n && s.values[i] != s.values[i+stride] {
				mask[i], mask[i+stride] = true, true
			}
		}
	}
	return mask
}

// bitmap is a plane of bits, each row starting at a word.
type bitmap struct {
	width, height, words int
	bits                 []uint64
}

func newBitmap(shape []int) *bitmap {
	b := &bitmap{height: shape[0], width: shape[1], words: (shape[1] + 63) / 64}
	b.bits = make([]uint64, b.height*b.words)
	return b
}

func (b *bitmap) row(y int) []uint64 { return b.bits[y*b.words : (y+1)*b.words] }

func (b *bitmap) count() int {
	n := 0
	for _, w := range b.bits {
		n += bits.OnesCount64(w)
	}
	return n
}

// countNear counts the bits of b within 2.0 pixels of a bit of other. A distance of at most 2 is one of 13 offsets:
// five in the same row, three in the rows beside it, one in the rows after those.
func (b *bitmap) countNear(other *bitmap) int {
	n := 0
	for y := range b.height {
		for k, w := range b.row(y) {
			if w == 0 {
				continue
			}
			near := other.spread(y, k, 2) | other.spread(y-1, k, 1) | other.spread(y+1, k, 1) |
				other.spread(y-2, k, 0) | other.spread(y+2, k, 0)
			n += bits.OnesCount64(w & near)
		}
	}
	return n
}

// spread is word k of row y, with its bits smeared by up to reach columns to both sides; 0 outside the image.
func (b *bitmap) spread(y, k, reach int) uint64 {
	if y < 0 || y >= b.height {
		return 0
	}
	row := b.row(y)
	var before, after uint64
	if k > 0 {
		before = row[k-1]
	}
	if k+1 < len(row) {
		after = row[k+1]
	}
	word := row[k]
	for d := 1; d <= reach; d++ {
		word |= row[k]<<d | row[k]>>d | before>>(64-d) | after<<(64-d)
	}
	return word
}

func countTrue(mask []bool) int {
	n := 0
	for _, v := range mask {
		if v {
			n++
		}
	}
	return n
}

// countNear counts the elements of mask within 2.0 of an element of other, over all axes.
func countNear(mask, other []bool, shape []int) int {
	n := 0
	offsets := discOffsets(len(shape))
	at := make([]int, len(shape))
	for i, v := range mask {
		if !v {
			continue
		}
		for k, rest := len(shape)-1, i; k >= 0; k-- {
			at[k], rest = rest%shape[k], rest/shape[k]
		}
		for _, offset := range offsets {
			if j, ok := shifted(at, offset, shape); ok && other[j] {
				n++
				break
			}
		}
	}
	return n
}

// shifted is the flat index of a place moved by an offset; false outside the array.
func shifted(at, offset, shape []int) (int, bool) {
	flat := 0
	for k, n := range shape {
		c := at[k] + offset[k]
		if c < 0 || c >= n {
			return 0, false
		}
		flat = flat*n + c
	}
	return flat, true
}

// discOffsets lists the whole offsets of length at most 2 over that many axes.
func discOffsets(axes int) [][]int {
	all := [][]int{{}}
	for range axes {
		var longer [][]int
		for _, o := range all {
			for d := -2; d <= 2; d++ {
				next := append(append([]int(nil), o...), d)
				if squares(next) <= 4 {
					longer = append(longer, next)
				}
			}
		}
		all = longer
	}
	return all
}

func squares(v []int) int {
	s := 0
	for _, d := range v {
		s += d * d
	}
	return s
}
