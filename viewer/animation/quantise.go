package animation

import (
	"cmp"
	"image"
	"slices"
)

// maxColours is what a GIF's palette holds.
const maxColours = 256

// quantiser chooses palettes. It keeps its tables from picture to picture.
type quantiser struct {
	count []int32 // of pixels, by the six high bits of red, green and blue
	index []uint8 // of the palette, likewise
	used  []int32 // bins that occur
}

// picture fills indices, one per pixel row by row, and gives the palette they count.
func (q *quantiser) picture(im *image.RGBA, indices []uint8) [][3]uint8 {
	if palette, ok := exact(im, indices); ok {
		return palette
	}
	if q.count == nil {
		q.count, q.index = make([]int32, 1<<18), make([]uint8, 1<<18)
	}
	q.used = q.used[:0]
	eachPixel(im, func(_ int, r, g, b uint8) {
		at := bin(r, g, b)
		if q.count[at] == 0 {
			q.used = append(q.used, int32(at))
		}
		q.count[at]++
	})
	palette := q.cut()
	eachPixel(im, func(i int, r, g, b uint8) { indices[i] = q.index[bin(r, g, b)] })
	for _, at := range q.used {
		q.count[at] = 0
	}
	return palette
}

// exact is the palette of a picture of few colours; ok is false if it has too many.
func exact(im *image.RGBA, indices []uint8) (palette [][3]uint8, ok bool) {
	known := make(map[[3]uint8]uint8, maxColours)
	ok = true
	var last [3]uint8
	var lastIndex uint8
	eachPixel(im, func(i int, r, g, b uint8) {
		c := [3]uint8{r, g, b}
		if !ok || i > 0 && c == last {
			indices[i] = lastIndex
			return
		}
		at, have := known[c]
		if !have {
			if len(palette) == maxColours {
				ok = false
				return
			}
			at = uint8(len(palette))
			known[c] = at
			palette = append(palette, c)
		}
		last, lastIndex = c, at
		indices[i] = at
	})
	return palette, ok
}

func eachPixel(im *image.RGBA, f func(i int, r, g, b uint8)) {
	i := 0
	for y := range im.Rect.Dy() {
		row := im.Pix[y*im.Stride : y*im.Stride+4*im.Rect.Dx()]
		for x := 0; x < len(row); x += 4 {
			f(i, row[x], row[x+1], row[x+2])
			i++
		}
	}
}

func bin(r, g, b uint8) int { return int(r>>2)<<12 | int(g>>2)<<6 | int(b>>2) }

// part is component c (0 red, 1 green, 2 blue) of a bin, 0 to 63.
func part(at int32, c int) int { return int(at>>(12-6*c)) & 63 }

// box is a stretch of the used bins.
type box struct {
	bins  []int32
	axis  int // the component in which it is longest
	span  int
	total int64
}

// cut divides the colours until there are 256 boxes: always the box that holds most pixels times length, along its longest side, at the
// median of its pixels.
func (q *quantiser) cut() [][3]uint8 {
	boxes := []box{q.box(q.used)}
	for len(boxes) < maxColours {
		at := -1
		for i, b := range boxes {
			if b.span > 0 && (at < 0 || b.total*int64(b.span) > boxes[at].total*int64(boxes[at].span)) {
				at = i
			}
		}
		if at < 0 {
			break
		}
		low, high := q.halves(boxes[at])
		boxes[at] = q.box(low)
		boxes = append(boxes, q.box(high))
	}
	palette := make([][3]uint8, len(boxes))
	for i, b := range boxes {
		palette[i] = q.centre(b)
		for _, at := range b.bins {
			q.index[at] = uint8(i)
		}
	}
	return palette
}

func (q *quantiser) box(bins []int32) box {
	b := box{bins: bins}
	for c := range 3 {
		lo, hi := 63, 0
		for _, at := range bins {
			lo, hi = min(lo, part(at, c)), max(hi, part(at, c))
		}
		if hi-lo > b.span {
			b.axis, b.span = c, hi-lo
		}
	}
	for _, at := range bins {
		b.total += int64(q.count[at])
	}
	return b
}

func (q *quantiser) halves(b box) (low, high []int32) {
	slices.SortFunc(b.bins, func(x, y int32) int {
		return cmp.Or(cmp.Compare(part(x, b.axis), part(y, b.axis)), cmp.Compare(x, y))
	})
	sum, at := int64(0), 0
	for at = range b.bins {
		if sum += int64(q.count[b.bins[at]]); 2*sum >= b.total {
			break
		}
	}
	at = min(at+1, len(b.bins)-1)
	return b.bins[:at], b.bins[at:]
}

// centre is the mean colour of a box.
func (q *quantiser) centre(b box) (c [3]uint8) {
	for k := range 3 {
		sum := int64(0)
		for _, at := range b.bins {
			sum += int64(q.count[at]) * int64(part(at, k)*4+2)
		}
		c[k] = uint8(sum / b.total)
	}
	return c
}
