package line

import (
	"cmp"
	"math/bits"
	"slices"

	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// Region is a connected piece of foreground that one mask has and the other lacks; corners connect.
type Region struct {
	Pixels  int
	Line    int     // pixels of the mask's skeleton in it
	Z, Y, X float64 // centroid
	Box     report.Box
	First   numeric.Voxel // in C order
}

// Beyond finds the regions of a mask outside another of the same shape, the largest first, of equals the first in C order.
// line is the skeleton of the first mask.
func Beyond(mask, other, line *numeric.Mask) []Region {
	f := finder{mask: mask, other: other, line: line}
	below, plane := make([][]stretch, mask.Y), make([][]stretch, mask.Y)
	for z := range mask.Z {
		below, plane = plane, below
		for y := range mask.Y {
			list := append(plane[y][:0], f.stretches(z, y)...)
			plane[y] = list
			if len(list) == 0 {
				continue
			}
			if y > 0 {
				f.join(list, plane[y-1])
			}
			for k := max(0, y-1); k <= min(mask.Y-1, y+1) && z > 0; k++ {
				f.join(list, below[k])
			}
			f.settle(list, z, y)
		}
	}
	return f.regions()
}

// stretch is a run of pixels in a row, half open, with its piece; -1 as long as it touches none.
type stretch struct{ start, end, line, piece int }

// finder joins stretches to pieces, and pieces that turn out to touch.
type finder struct {
	mask, other, line *numeric.Mask
	parents           []int32
	pieces            []piece
	row               []stretch // working memory
}

type piece struct {
	pixels, line       int
	sumZ, sumY, sumX2  int64 // of the coordinates; x is doubled so that it stays whole
	z0, y0, x0, y1, x1 int32
	z1                 int32
	first              [3]int32 // in C order; an older piece begins before a younger one
}

// stretches are the runs of row y of plane z that only the first mask has. They last until the next call.
func (f *finder) stretches(z, y int) []stretch {
	list := f.row[:0]
	a, b, l := f.mask.Row(z, y), f.other.Row(z, y), f.line.Row(z, y)
	for i, w := range a {
		w &^= b[i]
		for w != 0 {
			low := bits.TrailingZeros64(w)
			n := bits.TrailingZeros64(^(w >> uint(low)))
			ones := (^uint64(0) >> uint(64-n)) << uint(low)
			start, inLine := i<<6+low-1, bits.OnesCount64(l[i]&ones)
			if k := len(list) - 1; k >= 0 && list[k].end == start {
				list[k].end += n
				list[k].line += inLine
			} else {
				list = append(list, stretch{start, start + n, inLine, -1})
			}
			w &^= ones
		}
	}
	f.row = list
	return list
}

// join gives stretches the pieces of those that they touch in a row before.
func (f *finder) join(list, before []stretch) {
	for i, j := 0, 0; i < len(list) && j < len(before); {
		if list[i].start <= before[j].end && before[j].start <= list[i].end {
			p := f.root(int32(before[j].piece))
			if list[i].piece < 0 {
				list[i].piece = int(p)
			} else {
				f.unite(f.root(int32(list[i].piece)), p)
			}
		}
		if list[i].end < before[j].end {
			i++
		} else {
			j++
		}
	}
}

func (f *finder) root(n int32) int32 {
	for f.parents[n] != n {
		f.parents[n] = f.parents[f.parents[n]]
		n = f.parents[n]
	}
	return n
}

// unite joins two pieces under the older one.
func (f *finder) unite(a, b int32) {
	if a == b {
		return
	}
	a, b = min(a, b), max(a, b)
	f.parents[b] = a
	p, q := &f.pieces[a], &f.pieces[b]
	p.pixels, p.line = p.pixels+q.pixels, p.line+q.line
	p.sumZ, p.sumY, p.sumX2 = p.sumZ+q.sumZ, p.sumY+q.sumY, p.sumX2+q.sumX2
	p.z0, p.y0, p.x0 = min(p.z0, q.z0), min(p.y0, q.y0), min(p.x0, q.x0)
	p.z1, p.y1, p.x1 = max(p.z1, q.z1), max(p.y1, q.y1), max(p.x1, q.x1)
}

// settle adds stretches to their pieces, new ones to new pieces.
func (f *finder) settle(list []stretch, z, y int) {
	for i := range list {
		s := &list[i]
		n := int64(s.end - s.start)
		z32, y32, start, end := int32(z), int32(y), int32(s.start), int32(s.end)
		if s.piece < 0 {
			s.piece = len(f.pieces)
			f.parents = append(f.parents, int32(s.piece))
			f.pieces = append(f.pieces, piece{z0: z32, y0: y32, x0: start, z1: z32 + 1, y1: y32 + 1, x1: end, first: [3]int32{z32, y32, start}})
		}
		p := &f.pieces[f.root(int32(s.piece))]
		p.pixels, p.line = p.pixels+int(n), p.line+s.line
		p.sumZ, p.sumY, p.sumX2 = p.sumZ+int64(z)*n, p.sumY+int64(y)*n, p.sumX2+int64(s.start+s.end-1)*n
		p.z0, p.y0, p.x0 = min(p.z0, z32), min(p.y0, y32), min(p.x0, start)
		p.z1, p.y1, p.x1 = max(p.z1, z32+1), max(p.y1, y32+1), max(p.x1, end)
	}
}

// voxels lists those of a region of a mask outside another.
func (g Region) voxels(mask, other *numeric.Mask) []numeric.Voxel {
	in := func(v numeric.Voxel) bool { return mask.At(v.Z, v.Y, v.X) && !other.At(v.Z, v.Y, v.X) }
	seen := numeric.NewMask(g.Box.Z1-g.Box.Z0, g.Box.Y1-g.Box.Y0, g.Box.X1-g.Box.X0)
	list := make([]numeric.Voxel, 0, g.Pixels)
	visit := func(v numeric.Voxel) {
		if z, y, x := v.Z-g.Box.Z0, v.Y-g.Box.Y0, v.X-g.Box.X0; in(v) && !seen.At(z, y, x) {
			seen.Set(z, y, x)
			list = append(list, v)
		}
	}
	visit(g.First)
	for i := 0; i < len(list); i++ {
		for z := list[i].Z - 1; z <= list[i].Z+1; z++ {
			for y := list[i].Y - 1; y <= list[i].Y+1; y++ {
				for x := list[i].X - 1; x <= list[i].X+1; x++ {
					visit(numeric.Voxel{Z: z, Y: y, X: x})
				}
			}
		}
	}
	return list
}

func (f *finder) regions() []Region {
	var order []int32
	for i, parent := range f.parents {
		if parent == int32(i) {
			order = append(order, parent)
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(f.pieces[b].pixels, f.pieces[a].pixels), cmp.Compare(a, b))
	})
	list := make([]Region, len(order))
	for k, i := range order {
		p := &f.pieces[i]
		n := float64(p.pixels)
		list[k] = Region{Pixels: p.pixels, Line: p.line,
			Z: float64(p.sumZ) / n, Y: float64(p.sumY) / n, X: float64(p.sumX2) / (2 * n),
			Box:   report.Box{Z0: int(p.z0), Y0: int(p.y0), X0: int(p.x0), Z1: int(p.z1), Y1: int(p.y1), X1: int(p.x1)},
			First: numeric.Voxel{Z: int(p.first[0]), Y: int(p.first[1]), X: int(p.first[2])}}
	}
	return list
}
