package numeric

import (
	"context"
	"math/bits"
	"slices"
)

// Voxel is a place in a mask.
type Voxel struct{ Z, Y, X int }

// Rethinner follows how the thinning of a mask with some voxels flipped departs from a traced one. What becomes of a voxel
// in a step depends on its neighbours alone, so only voxels beside a difference need to be looked at; all others go as they
// went. The result is exact. It is for one goroutine; several may share a Trace.
type Rethinner struct {
	*Trace
	// Bits by voxel, all 0 between calls: whether it is there now in one of the two thinnings only, whether in the new one,
	// whether it went from the new one in this step, and whether it is listed as beside a difference.
	differs, alive, fresh, listed []uint64

	rows    [9]int // of the neighbourhood, as a distance in voxels
	step    int
	apart   []int // voxels that differ
	beside  []int // those and their neighbours, in C order
	settled []int // of apart: no longer in either
	removed []int // in this step
}

// Rethinner makes one for this trace.
func (t *Trace) Rethinner() *Rethinner {
	r := &Rethinner{Trace: t}
	for k := range r.rows {
		r.rows[k] = 64 * ((k/3-1)*t.mask.plane + (k%3-1)*t.mask.stride)
	}
	for _, b := range []*[]uint64{&r.differs, &r.alive, &r.fresh, &r.listed} {
		*b = make([]uint64, len(t.mask.words))
	}
	return r
}

// Flip lists the voxels of lines that appear and that vanish, in C order, if some voxels change sides: those that are set
// in the mask are unset, the others are set.
func (r *Rethinner) Flip(ctx context.Context, voxels []Voxel) (appear, vanish []Voxel, err error) {
	if r.gone == nil {
		return r.whole(ctx, voxels)
	}
	for _, v := range voxels {
		i := r.index(v)
		put(r.differs, i)
		if r.gone[i] == 0 {
			put(r.alive, i)
		}
		r.apart = append(r.apart, i)
	}
	defer r.reset()
	if easy, err := r.follow(ctx); err != nil || !easy {
		if err == nil {
			return r.whole(ctx, voxels)
		}
		return nil, nil, err
	}
	slices.Sort(r.apart)
	for _, i := range r.apart {
		if has(r.alive, i) {
			appear = append(appear, r.voxel(i))
		} else {
			vanish = append(vanish, r.voxel(i))
		}
	}
	return appear, vanish, nil
}

func (r *Rethinner) index(v Voxel) int {
	return ((v.Z+1)*r.mask.plane+(v.Y+1)*r.mask.stride)<<6 + v.X + 1
}

func (r *Rethinner) voxel(i int) Voxel {
	word := i >> 6
	z, rest := word/r.mask.plane, word%r.mask.plane
	return Voxel{z - 1, rest/r.mask.stride - 1, rest%r.mask.stride<<6 + i&63 - 1}
}

func has(set []uint64, i int) bool { return set[i>>6]>>(uint(i)&63)&1 != 0 }
func put(set []uint64, i int)      { set[i>>6] |= 1 << (uint(i) & 63) }
func unput(set []uint64, i int)    { set[i>>6] &^= 1 << (uint(i) & 63) }

// follow runs the steps until nothing differs or nothing can change any more; false if the difference spreads so far that
// thinning the whole mask is less work.
func (r *Rethinner) follow(ctx context.Context) (easy bool, err error) {
	work, idle, stale := 0, 0, true
	for r.step = 1; len(r.apart) > 0; r.step++ {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if stale {
			r.gather()
		}
		if work += len(r.beside); work > len(r.gone)/4+1<<16 {
			return false, nil
		}
		var active bool
		active, stale = r.pass()
		if idle++; active || stale {
			idle = 0
		}
		if idle < r.rule.round {
			continue
		}
		// A whole round changed nothing here: go on when something goes nearby, if ever.
		idle = 0
		next := r.nextEvent(r.step - r.rule.round)
		if next == stays {
			return true, nil
		}
		r.step = max(r.step, next-1)
	}
	return true, nil
}

// gather lists the voxels beside a difference that are there in one of the two thinnings.
func (r *Rethinner) gather() {
	r.beside = r.beside[:0]
	for _, i := range r.apart {
		for k := r.rule.from; k < r.rule.to; k++ {
			for u := i + r.rows[k] - 1; u <= i+r.rows[k]+1; u++ {
				if !has(r.listed, u) && (int(r.gone[u]) >= r.step || has(r.differs, u)) {
					put(r.listed, u)
					r.beside = append(r.beside, u)
				}
			}
		}
	}
	for _, u := range r.beside {
		unput(r.listed, u)
	}
	if r.rule.oneByOne {
		slices.Sort(r.beside)
	}
}

// pass does one step. active tells whether a voxel went from the new thinning, apart whether the differences changed.
func (r *Rethinner) pass() (active, apart bool) {
	for k := 0; k < len(r.beside); k++ {
		i := r.beside[k]
		differs, went := has(r.differs, i), int(r.gone[i]) == r.step
		there := int(r.gone[i]) >= r.step
		if differs {
			there = has(r.alive, i)
		}
		goes := there && r.rule.goes(r.around(i, false), r.step) && (!r.rule.oneByOne || together(r.around(i, true)))
		active = active || goes
		switch {
		case differs && (goes || !there && went): // gone from both now
			r.settled = append(r.settled, i)
		case differs || goes == went:
			continue
		default:
			put(r.differs, i)
			r.apart = append(r.apart, i)
			if !goes {
				put(r.alive, i)
			}
			if r.rule.oneByOne {
				r.insertAfter(k)
			}
		}
		apart = true
		if goes {
			unput(r.alive, i)
			put(r.fresh, i)
			r.removed = append(r.removed, i)
		}
	}
	for _, i := range r.removed {
		unput(r.fresh, i)
	}
	for _, i := range r.settled {
		unput(r.differs, i)
		unput(r.alive, i)
	}
	if len(r.settled) > 0 {
		r.apart = slices.DeleteFunc(r.apart, func(i int) bool { return !has(r.differs, i) })
	}
	r.removed, r.settled = r.removed[:0], r.settled[:0]
	return active, apart
}

// insertAfter lists the neighbours behind place k, where a difference arose, that are not listed yet.
func (r *Rethinner) insertAfter(k int) {
	i := r.beside[k]
	for row := r.rule.from; row < r.rule.to; row++ {
		for u := i + r.rows[row] - 1; u <= i+r.rows[row]+1; u++ {
			if u > i && int(r.gone[u]) >= r.step {
				if at, there := slices.BinarySearch(r.beside[k+1:], u); !there {
					r.beside = slices.Insert(r.beside, k+1+at, u)
				}
			}
		}
	}
}

// around is the neighbourhood of a voxel in the new thinning, as thinner3D.around gives it: at the start of the step, or
// when the voxel's turn comes, those before it having gone.
func (r *Rethinner) around(i int, inTurn bool) (n uint32) {
	for k := r.rule.from; k < r.rule.to; k++ {
		at := i + r.rows[k] - 1
		shift := uint(3 * k)
		for x, g := range r.gone[at : at+3 : at+3] {
			if int(g) > r.step || int(g) == r.step && (!inTurn || at+x > i) {
				n |= 1 << (shift + uint(x))
			}
		}
		if d := three(r.differs, at); d != 0 {
			now := three(r.alive, at)
			if !inTurn {
				now |= three(r.fresh, at)
			}
			n = n&^(d<<shift) | now&d<<shift
		}
	}
	return n &^ centreBit
}

// three is the bits of a voxel and the two after it.
func three(set []uint64, i int) uint32 {
	s := uint(i & 63)
	return uint32(set[i>>6]>>s|set[i>>6+1]<<(64-s)) & 7
}

// nextEvent is the first step after a given one in which the traced thinning removes a voxel that matters here; stays if
// there is none.
func (r *Rethinner) nextEvent(after int) int {
	next := stays
	for _, i := range r.beside {
		for k := r.rule.from; k < r.rule.to; k++ {
			at := i + r.rows[k] - 1
			for _, g := range r.gone[at : at+3 : at+3] {
				if int(g) > after && int(g) < next {
					next = int(g)
				}
			}
		}
	}
	return next
}

func (r *Rethinner) reset() {
	for _, i := range r.apart {
		unput(r.differs, i)
		unput(r.alive, i)
	}
	r.apart, r.beside = r.apart[:0], r.beside[:0]
}

// whole thins the whole of the changed mask.
func (r *Rethinner) whole(ctx context.Context, voxels []Voxel) (appear, vanish []Voxel, err error) {
	m := r.mask.Clone()
	for _, v := range voxels {
		m.words[r.index(v)>>6] ^= 1 << (uint(r.index(v)) & 63)
	}
	lines, err := r.rule.thin(ctx, m, nil)
	if err != nil {
		return nil, nil, err
	}
	for i, w := range lines.words {
		for d := w ^ r.Lines.words[i]; d != 0; d &= d - 1 {
			b := bits.TrailingZeros64(d)
			if v := r.voxel(i<<6 | b); w>>uint(b)&1 != 0 {
				appear = append(appear, v)
			} else {
				vanish = append(vanish, v)
			}
		}
	}
	return appear, vanish, nil
}
