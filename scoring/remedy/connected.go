package remedy

// run is a stretch of pixels of one class in a row: x0 <= x < x1. root leads to the piece that it belongs to.
type run struct {
	x0, x1 int
	class  uint32
	root   int
}

// connected labels the pieces of equal class other than 0, in order of appearance. Of more than three axes the leading
// ones are taken as one. It joins the runs of neighbouring rows, so that it takes little beyond the labels.
func connected(class []uint32, shape []int) []uint32 {
	h, w := 1, len(class)
	if n := len(shape); n > 1 {
		h, w = shape[n-2], shape[n-1]
	}
	labels := make([]uint32, len(class))
	if h == 0 || w == 0 {
		return labels
	}
	var runs []run
	first := make([]int, 0, len(class)/w+1) // the first run of each row
	for row := range len(class) / w {
		first = append(first, len(runs))
		runs = appendRuns(runs, class[row*w:(row+1)*w])
		z, y := row/h, row%h
		if y > 0 {
			joinRows(runs, first, row, row-1)
		}
		for _, dy := range []int{-1, 0, 1} {
			if z > 0 && y+dy >= 0 && y+dy < h {
				joinRows(runs, first, row, row-h+dy)
			}
		}
	}
	first = append(first, len(runs))
	paint(labels, runs, first, w)
	return labels
}

func appendRuns(runs []run, row []uint32) []run {
	for x := 0; x < len(row); {
		c, from := row[x], x
		for x < len(row) && row[x] == c {
			x++
		}
		if c != 0 {
			runs = append(runs, run{from, x, c, len(runs)})
		}
	}
	return runs
}

// joinRows joins the runs of the last row with those of an earlier one that they touch, also at corners.
func joinRows(runs []run, first []int, row, earlier int) {
	k, end := first[earlier], first[earlier+1]
	for i := first[row]; i < len(runs); i++ {
		a := runs[i]
		for k < end && runs[k].x1 < a.x0 {
			k++
		}
		for m := k; m < end && runs[m].x0 <= a.x1; m++ {
			if runs[m].class == a.class {
				p, q := rootOf(runs, i), rootOf(runs, m)
				runs[max(p, q)].root = min(p, q)
			}
		}
	}
}

// rootOf is the first run of a piece. It shortens the way there.
func rootOf(runs []run, i int) int {
	for runs[i].root != i {
		runs[i].root = runs[runs[i].root].root
		i = runs[i].root
	}
	return i
}

// paint gives the pieces their labels.
func paint(labels []uint32, runs []run, first []int, w int) {
	number := make([]uint32, len(runs))
	var pieces uint32
	for row := range len(first) - 1 {
		for i := first[row]; i < first[row+1]; i++ {
			root := rootOf(runs, i)
			if number[root] == 0 {
				pieces++
				number[root] = pieces
			}
			for x := runs[i].x0; x < runs[i].x1; x++ {
				labels[row*w+x] = number[root]
			}
		}
	}
}
