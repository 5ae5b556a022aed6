package track

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"coverslip/datasets/raster/pixel"
)

// node is a cell in a frame.
type node struct {
	label      int64
	area       int32
	y, x       float32 // centroid in pixels
	y0, x0     int32   // bounding box, half open
	y1, x1     int32
	partner    int32   // place of the paired cell in the other side's frame, -1: none
	next       int32   // place of the same label in the next frame, if its lineage leads there, -1: none
	used       bool    // that link is one of the truth's
	partnerIoU float64 // with the partner
}

// overlap is a pair of cells, by their places, that share pixels.
type overlap struct {
	pred, truth, pixels int
}

// cells is what one frame holds: the cells of both sides by ascending label, and their pairs.
type cells struct {
	pred, truth []node
	iou         float64 // sum over the pairs, in the order of their acceptance
	groups      []group
}

// group is a cell of one side that covers several of the other: a split or a merge.
type group struct {
	merge bool // a cell of the answer over several of the truth
	whole int  // place of the one
	parts []int
}

// counter counts frames. It is used again for many frames by one goroutine.
type counter struct {
	threshold float64
	sides     [2]tally // answer, truth
	runs      [2]runs
	joint     pairTable
	overlaps  []overlap
	list      []candidate // of match
}

// candidate is a pair of cells that may be paired.
type candidate struct {
	overlap
	iou float64
}

// count takes the cells of a frame of width x height pixels. nil values are a side that has no such frame.
func (c *counter) count(pred, truth any, height, width int) cells {
	c.joint.reset()
	lines := [2]scanner{newScanner(pred, width), newScanner(truth, width)}
	for s := range lines {
		c.sides[s].reset()
	}
	for y := range height {
		for s, line := range lines {
			c.runs[s].reset()
			if line != nil {
				line(y, &c.runs[s])
				c.sides[s].add(&c.runs[s], y)
			}
		}
		c.join()
	}
	var f cells
	var places [2][]int
	f.pred, places[0] = c.sides[0].nodes()
	f.truth, places[1] = c.sides[1].nodes()
	c.overlaps = c.overlaps[:0]
	c.joint.each(func(p, t int32, n int) {
		c.overlaps = append(c.overlaps, overlap{places[0][p], places[1][t], n})
	})
	c.match(&f)
	c.group(&f)
	return f
}

// join counts the shared stretches of one row of both sides.
func (c *counter) join() {
	p, t := &c.runs[0], &c.runs[1]
	for i, j := 0, 0; i < len(p.ends) && j < len(t.ends); {
		n := min(p.ends[i], t.ends[j]) - max(p.starts[i], t.starts[j])
		if n > 0 {
			c.joint.add(p.numbers[i], t.numbers[j], n)
		}
		if p.ends[i] <= t.ends[j] {
			i++
		} else {
			j++
		}
	}
}

// match pairs cells by falling IoU, ties by truth label, then answer label (3.5).
func (c *counter) match(f *cells) {
	list := c.list[:0]
	for _, o := range c.overlaps {
		union := int(f.pred[o.pred].area) + int(f.truth[o.truth].area) - o.pixels
		if iou := float64(o.pixels) / float64(union); iou >= c.threshold {
			list = append(list, candidate{o, iou})
		}
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(-cmp.Compare(a.iou, b.iou), a.truth-b.truth, a.pred-b.pred)
	})
	for _, k := range list {
		p, t := &f.pred[k.pred], &f.truth[k.truth]
		if p.partner < 0 && t.partner < 0 {
			p.partner, t.partner = int32(k.truth), int32(k.pred)
			p.partnerIoU, t.partnerIoU = k.iou, k.iou
			f.iou += k.iou
		}
	}
	c.list = list
}

// A cell is split or merged when at least two cells of the other side each cover a tenth of it and lie at least half
// inside it. The official score knows neither.
const (
	partOfWhole = 0.1
	partInside  = 0.5
)

func (c *counter) group(f *cells) {
	slices.SortFunc(c.overlaps, func(a, b overlap) int { return cmp.Or(a.truth-b.truth, a.pred-b.pred) })
	f.groups = appendGroups(f.groups, false, c.overlaps, f.truth, f.pred, func(o overlap) (int, int) { return o.truth, o.pred })
	slices.SortFunc(c.overlaps, func(a, b overlap) int { return cmp.Or(a.pred-b.pred, a.truth-b.truth) })
	f.groups = appendGroups(f.groups, true, c.overlaps, f.pred, f.truth, func(o overlap) (int, int) { return o.pred, o.truth })
}

func appendGroups(groups []group, merge bool, overlaps []overlap, wholes, parts []node, sides func(overlap) (int, int)) []group {
	for i := 0; i < len(overlaps); {
		whole, _ := sides(overlaps[i])
		var list []int
		for ; i < len(overlaps); i++ {
			w, part := sides(overlaps[i])
			if w != whole {
				break
			}
			n := float64(overlaps[i].pixels)
			if n >= partOfWhole*float64(wholes[whole].area) && n >= partInside*float64(parts[part].area) {
				list = append(list, part)
			}
		}
		if len(list) > 1 {
			groups = append(groups, group{merge, whole, list})
		}
	}
	return groups
}

// find is the place of a label in a frame, -1 if it is not there.
func find(nodes []node, label int64) int {
	if k, ok := slices.BinarySearchFunc(nodes, label, func(n node, l int64) int { return cmp.Compare(n.label, l) }); ok {
		return k
	}
	return -1
}

// scanner splits row y of a frame into runs of cells.
type scanner func(y int, into *runs)

// runs are the stretches of equal labels along a row, background left out.
type runs struct {
	starts, ends []int
	labels       []int64
	numbers      []int32 // of the cells, given by the tally
}

func (r *runs) reset() {
	r.starts, r.ends, r.labels, r.numbers = r.starts[:0], r.ends[:0], r.labels[:0], r.numbers[:0]
}

// newScanner makes a scanner of a frame's values, a []E; nil for none.
func newScanner(values any, width int) scanner {
	switch v := values.(type) {
	case []uint8:
		return scanWhole(v, width)
	case []int8:
		return scanWhole(v, width)
	case []uint16:
		return scanWhole(v, width)
	case []int16:
		return scanWhole(v, width)
	case []uint32:
		return scanWhole(v, width)
	case []int32:
		return scanWhole(v, width)
	case []uint64:
		return scanWhole(v, width)
	case []int64:
		return scanWhole(v, width)
	case []float32:
		return scanFloat(v, width)
	case []float64:
		return scanFloat(v, width)
	}
	return nil
}

func scanWhole[E pixel.Element](values []E, width int) scanner {
	bytes := pixel.Memory(values)
	size := len(bytes) / max(1, len(values))
	shift := bits.TrailingZeros(uint(size))
	return func(y int, into *runs) {
		line, memory := values[y*width:(y+1)*width], bytes[y*width*size:(y+1)*width*size]
		for start := 0; start < len(line); {
			v, end := line[start], runEnd(memory, start*size, size)>>shift
			if v != 0 {
				into.starts, into.ends, into.labels = append(into.starts, start), append(into.ends, end), append(into.labels, int64(v))
			}
			start = end
		}
	}
}

// runEnd is where the run of equal elements ends that begins at a place; all in bytes, elements of 1, 2, 4 or 8 of them. The
// line is compared in words, which hold several elements.
func runEnd(line []byte, start, size int) int {
	var word uint64 // the first element again and again
	switch first := line[start:]; size {
	case 1:
		word = uint64(first[0]) * 0x0101010101010101
	case 2:
		word = uint64(binary.LittleEndian.Uint16(first)) * 0x0001000100010001
	case 4:
		word = uint64(binary.LittleEndian.Uint32(first)) * 0x0000000100000001
	default:
		word = binary.LittleEndian.Uint64(first)
	}
	at := start + size
	for ; at+32 <= len(line); at += 32 {
		w := line[at : at+32 : at+32]
		if (binary.LittleEndian.Uint64(w)^word)|(binary.LittleEndian.Uint64(w[8:])^word)|
			(binary.LittleEndian.Uint64(w[16:])^word)|(binary.LittleEndian.Uint64(w[24:])^word) != 0 {
			break
		}
	}
	for ; at+8 <= len(line); at += 8 {
		if other := binary.LittleEndian.Uint64(line[at:]) ^ word; other != 0 {
			return at + bits.TrailingZeros64(other)>>3&^(size-1)
		}
	}
	for i, b := range line[at:] {
		if b != byte(word>>(8*i)) {
			return at + i&^(size-1)
		}
	}
	return len(line)
}

func scanFloat[E float32 | float64](values []E, width int) scanner {
	return func(y int, into *runs) {
		line := values[y*width : (y+1)*width]
		for start := 0; start < len(line); {
			label, end := rounded(float64(line[start])), start+1
			for end < len(line) && rounded(float64(line[end])) == label {
				end++
			}
			if label != 0 {
				into.starts, into.ends, into.labels = append(into.starts, start), append(into.ends, end), append(into.labels, label)
			}
			start = end
		}
	}
}

// rounded rounds to the nearest integer, halves to even; NaN, infinities and numbers beyond 64 bits become the lowest one.
func rounded(v float64) int64 {
	v = math.RoundToEven(v)
	if !(v >= -(1<<63) && v < 1<<63) {
		return math.MinInt64
	}
	return int64(v)
}
