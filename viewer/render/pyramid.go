package render

// smallest is the longer side below which a plane is not halved further.
const smallest = 64

// halve gives the plane and its copies at 1/2, 1/4 ... of the size, each the rounded mean of 2 x 2 samples of the one
// before. At odd edges the last row or column counts twice.
func halve[T uint8 | uint16](values []T, h, w int) []level[T] {
	levels := []level[T]{{h, w, values}}
	for {
		last := levels[len(levels)-1]
		if max(last.h, last.w) <= smallest {
			return levels
		}
		levels = append(levels, last.half())
	}
}

func (l level[T]) half() level[T] {
	h, w := (l.h+1)/2, (l.w+1)/2
	out := level[T]{h, w, make([]T, h*w)}
	for y := range h {
		upper := l.row(2 * y)
		lower := l.row(min(2*y+1, l.h-1))
		halfRow(out.values[y*w:(y+1)*w], upper, lower)
	}
	return out
}

func (l level[T]) row(y int) []T { return l.values[y*l.w : (y+1)*l.w] }

func halfRow[T uint8 | uint16](out, upper, lower []T) {
	pairs := len(upper) / 2
	lower = lower[:len(upper)]
	for x := range pairs {
		a, b := upper[2*x:2*x+2], lower[2*x:2*x+2]
		out[x] = T((uint32(a[0]) + uint32(a[1]) + uint32(b[0]) + uint32(b[1]) + 2) / 4)
	}
	if i := 2 * pairs; i < len(upper) {
		out[pairs] = T((uint32(upper[i]) + uint32(lower[i]) + 1) / 2)
	}
}
