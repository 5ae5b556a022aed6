package demo

import "coverslip/datasets/raster/pixel"

// labels is a label image: axes Z Y X, D = 1 for a flat one. 0 is background, each other value one instance.
type labels struct {
	D, H, W int
	Flat    bool // written without a Z axis
	ID      []uint16
}

func newLabels(d, h, w int) labels {
	return labels{D: d, H: h, W: w, Flat: d == 1, ID: make([]uint16, d*h*w)}
}

func (l labels) clone() labels {
	l.ID = append([]uint16(nil), l.ID...)
	return l
}

func (l labels) index(z, y, x int) int { return (z*l.H+y)*l.W + x }

// place is the inverse of index.
func (l labels) place(i int) (z, y, x int) { return i / (l.H * l.W), i / l.W % l.H, i % l.W }

// at is 0 outside the image.
func (l labels) at(z, y, x int) uint16 {
	if z < 0 || y < 0 || x < 0 || z >= l.D || y >= l.H || x >= l.W {
		return 0
	}
	return l.ID[l.index(z, y, x)]
}

// count is the largest label.
func (l labels) count() int {
	n := uint16(0)
	for _, v := range l.ID {
		n = max(n, v)
	}
	return int(n)
}

// array is the form that is written: uint16, axes YX or ZYX.
func (l labels) array() pixel.Array {
	if l.Flat {
		return pixel.Array{Shape: []int{l.H, l.W}, Axes: "YX", Type: pixel.Uint16, Values: l.ID}
	}
	return pixel.Array{Shape: []int{l.D, l.H, l.W}, Axes: "ZYX", Type: pixel.Uint16, Values: l.ID}
}

// neighbours appends the indices of the face neighbours of i: four in a plane, six in space.
func (l labels) neighbours(i int, to []int) []int {
	z, y, x := l.place(i)
	if x > 0 {
		to = append(to, i-1)
	}
	if x+1 < l.W {
		to = append(to, i+1)
	}
	if y > 0 {
		to = append(to, i-l.W)
	}
	if y+1 < l.H {
		to = append(to, i+l.W)
	}
	if z > 0 {
		to = append(to, i-l.H*l.W)
	}
	if z+1 < l.D {
		to = append(to, i+l.H*l.W)
	}
	return to
}

// tidy keeps the largest connected part of each instance, drops instances below the given size in pixels and numbers
// the rest from 1 in scan order.
func (l labels) tidy(smallest int) {
	part, sizes, owner := l.parts()
	best := make([]int, l.count()+1) // label -> its largest part, 0 none
	for p := 1; p < len(sizes); p++ {
		if b := best[owner[p]]; sizes[p] >= smallest && (b == 0 || sizes[p] > sizes[b]) {
			best[owner[p]] = p
		}
	}
	for i, v := range l.ID {
		if v != 0 && int(part[i]) != best[v] {
			l.ID[i] = 0
		}
	}
	l.renumber()
}

// renumber gives the labels the numbers 1, 2, 3 ... in scan order.
func (l labels) renumber() {
	fresh, next := make([]uint16, l.count()+1), uint16(0)
	for i, v := range l.ID {
		if v == 0 {
			continue
		}
		if fresh[v] == 0 {
			next++
			fresh[v] = next
		}
		l.ID[i] = fresh[v]
	}
}

// parts finds the connected parts of each instance: the part of each pixel (0 for background), and by part its size and
// its label.
func (l labels) parts() (part []int32, sizes []int, owner []uint16) {
	part = make([]int32, len(l.ID))
	sizes, owner = []int{0}, []uint16{0}
	var queue, near []int
	for start, v := range l.ID {
		if v == 0 || part[start] != 0 {
			continue
		}
		p := int32(len(sizes))
		part[start], queue = p, append(queue[:0], start)
		for head := 0; head < len(queue); head++ {
			near = l.neighbours(queue[head], near[:0])
			for _, j := range near {
				if l.ID[j] == v && part[j] == 0 {
					part[j] = p
					queue = append(queue, j)
				}
			}
		}
		sizes, owner = append(sizes, len(queue)), append(owner, v)
	}
	return part, sizes, owner
}
