package numeric

import (
	"context"
	"math/bits"
)

// Thin3D thins a volume to lines one voxel wide, sequentially in six directions, as scikit-image does (Lee, Kashyap and
// Chu 1994; spec/scorers-segmentation-tracking.md 7.2). The mask stays as it is. A volume of one slice is thinned along Y
// and X alone.
//
// In each direction the voxels at the border that are no ends of lines, whose removal keeps the Euler characteristic, and
// whose neighbours hang together are collected first, then removed one after the other if their neighbours still do.
func Thin3D(ctx context.Context, m *Mask) (*Mask, error) { return thin3D(ctx, m, nil) }

func thin3D(ctx context.Context, m *Mask, steps *steps) (*Mask, error) {
	t := thinner3D{Mask: m.Clone(), settled: make([]uint64, len(m.words)), steps: steps}
	for i, w := range t.words {
		if w != 0 {
			t.active = append(t.active, i)
		}
	}
	for dz, k := -1, 0; dz <= 1; dz++ {
		for dy := -1; dy <= 1; dy++ {
			t.rows[k] = dz*t.plane + dy*t.stride
			k++
		}
	}
	directions := directionsOf(m)
	for changed := true; changed; {
		changed = false
		for d := range directions {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			steps.next()
			t.collect(d)
			changed = t.remove() || changed
		}
		t.compact()
	}
	return t.Mask, nil
}

// thinner3D works on words of 64 voxels. Whether a voxel may go depends on its 26 neighbours alone, so one that may not is
// settled until one of them is removed.
type thinner3D struct {
	*Mask
	settled []uint64
	active  []int // words that hold voxels, in C order
	rows    [9]int
	found   []int  // candidates: word x 64 + bit
	steps   *steps // told of what goes, if any
}

// directionsOf is how many directions a mask is thinned from.
func directionsOf(m *Mask) int {
	if m.Z == 1 {
		return 4
	}
	return 6
}

// collect finds the candidates of a direction in C order: neighbours at y-1, y+1, x+1, x-1, z+1, z-1. Candidates are marked
// as settled, which tells later whether a neighbour has gone since.
func (t *thinner3D) collect(direction int) {
	t.found = t.found[:0]
	for _, i := range t.active {
		w := t.words[i]
		open := w &^ t.settled[i]
		if open == 0 {
			continue
		}
		for rest := open &^ t.towards(i, direction); rest != 0; rest &= rest - 1 {
			b := bits.TrailingZeros64(rest)
			if mayGo(t.around(i, b)) {
				t.found = append(t.found, i<<6|b)
			}
			t.settled[i] |= 1 << uint(b)
		}
	}
}

// mayGo tells whether a voxel with these neighbours, at the border in the direction at hand, is a candidate.
func mayGo(n uint32) bool { return bits.OnesCount32(n) != 1 && keepsEuler(n) && together(n) }

// towards is, for each voxel of a word, its neighbour in a direction.
func (t *thinner3D) towards(i, direction int) uint64 {
	switch direction {
	case 0:
		return t.words[i-t.stride]
	case 1:
		return t.words[i+t.stride]
	case 2:
		return t.words[i]>>1 | t.words[i+1]<<63
	case 3:
		return t.words[i]<<1 | t.words[i-1]>>63
	case 4:
		return t.words[i+t.plane]
	}
	return t.words[i-t.plane]
}

// remove takes the candidates away, one after the other, as long as their neighbours hang together.
func (t *thinner3D) remove() bool {
	removed := false
	for _, at := range t.found {
		i, b := at>>6, at&63
		untouched := t.settled[i]>>uint(b)&1 != 0
		if untouched || together(t.around(i, b)) {
			t.words[i] &^= 1 << uint(b)
			t.steps.note(i, 1<<uint(b))
			t.unsettle(i, b)
			removed = true
		}
	}
	return removed
}

// around is the 26 neighbours of a voxel, bit 9 x (dz+1) + 3 x (dy+1) + dx+1; the bit of the voxel itself is 0.
func (t *thinner3D) around(i, b int) uint32 {
	left := i<<6 + b - 1
	base, s := left>>6, uint(left&63)
	var n uint32
	for k, row := range t.rows {
		at := base + row
		n |= uint32((t.words[at]>>s|t.words[at+1]<<(64-s))&7) << uint(3*k)
	}
	return n &^ centreBit
}

// unsettle makes the neighbours of a removed voxel be looked at again.
func (t *thinner3D) unsettle(i, b int) {
	left := i<<6 + b - 1
	base, s := left>>6, uint(left&63)
	low, high := uint64(7)<<s, uint64(7)>>(64-s)
	for _, row := range t.rows {
		t.settled[base+row] &^= low
		if high != 0 {
			t.settled[base+row+1] &^= high
		}
	}
}

func (t *thinner3D) compact() {
	kept := t.active[:0]
	for _, i := range t.active {
		if t.words[i] != 0 {
			kept = append(kept, i)
		}
	}
	t.active = kept
}

// Sets of the 27 places of a neighbourhood.
const (
	centreBit = 1 << 13
	allBits   = 1<<27 - 1
	leftBits  = 0b001_001_001_001_001_001_001_001_001
	rightBits = leftBits << 2
	upperBits = 0b000_000_111_000_000_111_000_000_111
	lowerBits = upperBits << 6
)

// together tells whether the neighbours form at most one group, touching at faces, edges or corners.
func together(n uint32) bool {
	group := n & -n
	for {
		g := group
		g |= (g&^rightBits)<<1 | (g&^leftBits)>>1
		g |= (g&^lowerBits)<<3 | (g&^upperBits)>>3
		g |= g<<9&allBits | g>>9
		if g &= n; g == group {
			return g == n
		}
		group = g
	}
}

// keepsEuler tells whether removing the voxel leaves the Euler characteristic of its surroundings as it is, voxels being
// closed cubes: the changes of the eight blocks of 2 x 2 x 2 around it add up to 0.
func keepsEuler(n uint32) bool {
	blocks := blockTable[0][n&511] | blockTable[1][n>>9&511] | blockTable[2][n>>18]
	sum := int8(0)
	for range 8 {
		sum += eulerTable[blocks&127]
		blocks >>= 8
	}
	return sum == 0
}

// eulerTable is the change of one block by its 7 other voxels; bit 4 dz + 2 dy + dx - 1, distances from the voxel.
var eulerTable = func() (table [128]int8) {
	for others := range table {
		set := others << 1
		table[others] = int8(blockEuler(set|1) - blockEuler(set))
	}
	return table
}()

// blockEuler is eight times what the voxels of a block (bit 4 z + 2 y + x) give to the Euler characteristic.
func blockEuler(set int) int {
	if set == 0 {
		return 0
	}
	meets := func(mask int) int {
		if set&mask != 0 {
			return 1
		}
		return 0
	}
	faces, edges := 0, 0
	for _, half := range []int{0x55, 0xaa, 0x33, 0xcc, 0x0f, 0xf0} {
		faces += meets(half)
	}
	for place := range 8 {
		for _, step := range []int{1, 2, 4} {
			if place&step == 0 {
				edges += meets(1<<place | 1<<(place+step))
			}
		}
	}
	return 8 - 4*faces + 2*edges - bits.OnesCount(uint(set))
}

// blockTable spreads the nine places of a slice of the neighbourhood over the eight blocks, 8 bits each.
var blockTable = func() (table [3][512]uint64) {
	for slice := range table {
		for set := range table[slice] {
			for place := range 9 {
				if set>>place&1 != 0 {
					table[slice][set] |= blockBits(slice-1, place/3-1, place%3-1)
				}
			}
		}
	}
	return table
}()

// blockBits is the bit of one neighbour in each block that holds it.
func blockBits(dz, dy, dx int) (out uint64) {
	size := func(d int) int { return d * d }
	code := 4*size(dz) + 2*size(dy) + size(dx)
	if code == 0 {
		return 0
	}
	for block := range 8 {
		inside := func(d, axis int) bool { return d == 0 || (d > 0) == (block>>axis&1 != 0) }
		if inside(dz, 2) && inside(dy, 1) && inside(dx, 0) {
			out |= 1 << (8*block + code - 1)
		}
	}
	return out
}
