package numeric

import (
	"context"
	"math"
	"math/bits"
)

// Trace is a thinning that remembers when each voxel went, so that a Rethinner can tell how the lines of a slightly other
// mask differ without thinning all of it.
type Trace struct {
	Lines *Mask

	mask *Mask
	gone []uint16 // by word x 64 + bit: 0 never there, stays for good, else the step in which it went; nil if there are too many
	rule rule
}

const stays = math.MaxUint16

// rule is what the two kinds of thinning do not share.
type rule struct {
	thin     func(context.Context, *Mask, *steps) (*Mask, error)
	round    int  // steps after which all has been tried
	from, to int  // rows of the neighbourhood that matter, of 9
	oneByOne bool // voxels are judged again, in C order, before they go
	goes     func(neighbours uint32, step int) bool
}

// Trace2D thins as Thin2D does.
func Trace2D(ctx context.Context, m *Mask) (*Trace, error) {
	return trace(ctx, m, rule{thin: thin2D, round: 2, from: 3, to: 6, goes: goes2D})
}

// Trace3D thins as Thin3D does.
func Trace3D(ctx context.Context, m *Mask) (*Trace, error) {
	n := directionsOf(m)
	goes := func(neighbours uint32, step int) bool {
		return neighbours>>towardsBit[(step-1)%n]&1 == 0 && mayGo(neighbours)
	}
	return trace(ctx, m, rule{thin: thin3D, round: n, to: 9, oneByOne: true, goes: goes})
}

// towardsBit is the place of the neighbour that a direction looks at, as thinner3D.towards does.
var towardsBit = [6]uint{10, 16, 14, 12, 22, 4}

// goes2D looks up the eight neighbours of the middle slice. Odd steps are the first sub-pass.
func goes2D(n uint32, step int) bool {
	k := n>>9&7 | n>>14&1<<3 | n>>17&1<<4 | n>>16&1<<5 | n>>15&1<<6 | n>>12&1<<7
	return thinTable[k]&uint8(2-step%2) != 0
}

func trace(ctx context.Context, m *Mask, r rule) (*Trace, error) {
	s := &steps{gone: make([]uint16, 64*len(m.words))}
	lines, err := r.thin(ctx, m, s)
	if err != nil {
		return nil, err
	}
	t := &Trace{Lines: lines, mask: m.Clone(), rule: r, gone: s.gone}
	if s.step >= stays {
		t.gone = nil
	}
	for i, w := range lines.words {
		s.mark(i, w, stays)
	}
	return t, nil
}

// steps notes in which step, counted from 1, voxels go. A nil one notes nothing.
type steps struct {
	step int
	gone []uint16
}

func (s *steps) next() {
	if s != nil {
		s.step++
	}
}

func (s *steps) note(word int, set uint64) {
	if s != nil {
		s.mark(word, set, uint16(s.step))
	}
}

func (s *steps) mark(word int, set uint64, value uint16) {
	for ; set != 0; set &= set - 1 {
		s.gone[word<<6|bits.TrailingZeros64(set)] = value
	}
}
