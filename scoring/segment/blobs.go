package segment

import "coverslip/datasets/raster"

// countBlobs counts the connected foreground regions (value > 0) of an array, corners touching. It works on runs, plane
// by plane, so that it needs memory for two planes' runs only.
func countBlobs(a raster.Array) int {
	image := newLabels(a)
	width, height := rowWidth(a.Shape), planeHeight(a.Shape)
	if image == nil || width == 0 || height == 0 {
		return 0
	}
	var parents forest
	planes := volume(a.Shape) / width / height
	var below, plane [][]stretch
	for z := range planes {
		below, plane = plane, make([][]stretch, height)
		for y := range height {
			plane[y] = stretches(image, z*height+y, &parents)
			if y > 0 {
				parents.joinTouching(plane[y], plane[y-1])
			}
			for dy := -1; dy <= 1 && below != nil; dy++ {
				if y+dy >= 0 && y+dy < height {
					parents.joinTouching(plane[y], below[y+dy])
				}
			}
		}
	}
	return parents.roots()
}

// stretch is a run of foreground with its node in the forest.
type stretch struct{ start, end, node int }

func stretches(image labels, row int, parents *forest) []stretch {
	var r runs
	image.scan(row, &r)
	var list []stretch
	start := 0
	for i, end := range r.ends {
		if r.classes[i]&foreground != 0 {
			if n := len(list); n > 0 && list[n-1].end == start {
				list[n-1].end = end
			} else {
				list = append(list, stretch{start, end, parents.add()})
			}
		}
		start = end
	}
	return list
}

// forest is a union-find structure.
type forest []int

func (f *forest) add() int {
	*f = append(*f, len(*f))
	return len(*f) - 1
}

func (f forest) find(n int) int {
	for f[n] != n {
		f[n] = f[f[n]]
		n = f[n]
	}
	return n
}

// joinTouching unites runs of two rows that overlap or touch at a corner.
func (f forest) joinTouching(a, b []stretch) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if a[i].start <= b[j].end && b[j].start <= a[i].end {
			f[f.find(a[i].node)] = f.find(b[j].node)
		}
		if a[i].end < b[j].end {
			i++
		} else {
			j++
		}
	}
}

func (f forest) roots() int {
	n := 0
	for i, p := range f {
		if i == p {
			n++
		}
	}
	return n
}
