package numeric

import "math/bits"

// Mask is a binary volume of Z x Y x X voxels, one bit each, or a plane with Z = 1. A border of zeros one voxel wide lies
// all round, so that neighbours need no bounds checks.
type Mask struct {
	Z, Y, X int

	stride, plane int // words per row and per plane, border included
	words         []uint64
}

// NewMask makes an empty mask.
func NewMask(z, y, x int) *Mask {
	m := &Mask{Z: z, Y: y, X: x, stride: (x + 2 + 63) / 64}
	m.plane = (y + 2) * m.stride
	m.words = make([]uint64, (z+2)*m.plane+1) // one more, so that bits may be read across a word's end
	return m
}

// Row is the words of a row; bit x + 1 counted from the first word's lowest is voxel x. z and y may be one outside.
func (m *Mask) Row(z, y int) []uint64 {
	i := (z+1)*m.plane + (y+1)*m.stride
	return m.words[i : i+m.stride : i+m.stride]
}

// Set sets a voxel.
func (m *Mask) Set(z, y, x int) {
	m.Row(z, y)[(x+1)>>6] |= 1 << (uint(x+1) & 63)
}

// At tells whether a voxel is set; outside none is.
func (m *Mask) At(z, y, x int) bool {
	if z < 0 || y < 0 || x < 0 || z >= m.Z || y >= m.Y || x >= m.X {
		return false
	}
	return m.Row(z, y)[(x+1)>>6]>>(uint(x+1)&63)&1 != 0
}

// Count is the number of voxels that are set.
func (m *Mask) Count() int {
	n := 0
	for _, w := range m.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// CountBoth is the number of voxels that are set in both masks, which must have one shape.
func CountBoth(a, b *Mask) int {
	n := 0
	for i, w := range a.words {
		n += bits.OnesCount64(w & b.words[i])
	}
	return n
}

// Clone is a copy.
func (m *Mask) Clone() *Mask {
	c := *m
	c.words = append([]uint64(nil), m.words...)
	return &c
}
