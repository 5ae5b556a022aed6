package render

import (
	"image"
	"math"
	"slices"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
)

// Labels is a label plane prepared for display: dense indices, ids, neighbour-safe colours, styles.
type Labels struct {
	H, W  int
	Step  int      // pixels along the side of the block that each sample stands for; 0 is 1
	Index []uint32 // per sample, row by row; 0 background; index into IDs. In raster order of first pixels
	IDs   []int64  // IDs[0] is 0; keyed as the scorer keys them: truncated to int64

	runs   []run    // of objects, row by row, in image columns
	starts []int    // per row, where its runs start; one more at the end
	pairs  []uint64 // of objects near each other, as neighbours has them
	boxes  []box
	colour []uint8         // index into labelColours
	memory *Palette        // that the colours keep to, nil none
	styles []Style         // nil: all Plain
	dress  map[int64]Style // what styles were made from
	patch  *LabelPatch     // finer samples of a part, or nil
	own    int             // of a patch: how many of IDs are the labels' own
	under  []box           // of a patch: the labels' own boxes
	used   uint8           // bit per Style that occurs
}

// box is a bounding box, both ends included.
type box struct{ minY, minX, maxY, maxX int32 }

// Style is how the errors layer draws an object; the line style carries the meaning as well as the colour.
type Style uint8

const (
	Plain    Style = iota // not in the errors layer
	Match                 // thin solid, bluish green
	WeakLink              // dotted, yellow
	Extra                 // hatched, orange
	Missed                // dashed, sky blue
	Double                // double line, reddish purple
	styleCount
)

// PrepareLabels readies a label plane; 0 is background, every other value an object. Colours of objects that touch or lie within two pixels of each
// other differ clearly. They follow from the ids and from which objects are near each other, with the palette's memory
// if it has any, and from nothing else: not from what was looked at before. A nil palette is an empty one.
func PrepareLabels(p raster.Plane, palette *Palette) *Labels {
	l := &Labels{H: p.H, W: p.W, IDs: []int64{0}, boxes: []box{{}}, memory: palette}
	if p.H <= 0 || p.W <= 0 {
		l.H, l.W = 0, 0
	}
	l.Index = make([]uint32, l.H*l.W)
	near := newNeighbours()
	switch v := p.Values.(type) {
	case []uint8:
		scanLabels(l, v, near, newNarrowKeys[uint8](256).index)
	case []uint16:
		scanLabels(l, v, near, newNarrowKeys[uint16](1<<16).index)
	case []int8:
		scanLabels(l, v, near, newKeys(signed[int8]).index)
	case []int16:
		scanLabels(l, v, near, newKeys(signed[int16]).index)
	case []uint32:
		scanLabels(l, v, near, newKeys(signed[uint32]).index)
	case []int32:
		scanLabels(l, v, near, newKeys(signed[int32]).index)
	case []uint64:
		scanLabels(l, v, near, newKeys(signed[uint64]).index)
	case []int64:
		scanLabels(l, v, near, newKeys(signed[int64]).index)
	case []float32:
		scanLabels(l, v, near, newKeys(truncated[float32]).index)
	case []float64:
		scanLabels(l, v, near, newKeys(truncated[float64]).index)
	}
	l.pairs = near.pairs
	l.colour = chooseColours(l.IDs, near, palette)
	return l
}

func signed[E int8 | int16 | uint32 | int32 | uint64 | int64](v E) int64 { return int64(v) }

// truncated is numpy's conversion on the reference machine: towards zero, and the smallest int64 for what does not fit.
func truncated[E float32 | float64](v E) int64 {
	x := float64(v)
	if x >= -1<<63 && x < 1<<63 {
		return int64(x)
	}
	return math.MinInt64
}

// narrowKeys gives dense indices to ids of few bits.
type narrowKeys[E uint8 | uint16] struct{ dense []uint32 }

func newNarrowKeys[E uint8 | uint16](n int) *narrowKeys[E] { return &narrowKeys[E]{make([]uint32, n)} }

func (k *narrowKeys[E]) index(l *Labels, v E) uint32 {
	i := k.dense[v]
	if i == 0 && v != 0 {
		i = l.add(int64(v))
		k.dense[v] = i
	}
	return i
}

// keys gives dense indices to any ids.
type keys[E pixel.Element] struct {
	key   func(E) int64
	dense map[int64]uint32
}

func newKeys[E pixel.Element](key func(E) int64) *keys[E] {
	return &keys[E]{key, map[int64]uint32{0: 0}}
}

func (k *keys[E]) index(l *Labels, v E) uint32 {
	id := k.key(v)
	i, ok := k.dense[id]
	if !ok {
		i = l.add(id)
		k.dense[id] = i
	}
	return i
}

func (l *Labels) add(id int64) uint32 {
	l.IDs = append(l.IDs, id)
	l.boxes = append(l.boxes, box{math.MaxInt32, math.MaxInt32, -1, -1})
	return uint32(len(l.IDs) - 1)
}

// scanLabels goes through the plane run by run: indices, boxes and neighbours.
func scanLabels[E pixel.Element](l *Labels, values []E, near *neighbours, index func(*Labels, E) uint32) {
	if len(values) < len(l.Index) {
		l.H, l.W, l.Index = 0, 0, nil
		return
	}
	l.starts = make([]int, l.H+1)
	for y := range l.H {
		row := values[y*l.W : (y+1)*l.W]
		out := l.Index[y*l.W : (y+1)*l.W]
		for x := 0; x < len(row); {
			v, end := row[x], x+1
			for end < len(row) && row[end] == v {
				end++
			}
			i := uint32(0)
			if v != 0 {
				i = index(l, v)
			}
			if i != 0 {
				fillIDs(out[x:end], i)
				l.boxes[i].add(y, x, end-1)
				l.runs = append(l.runs, run{int32(x), int32(end), i})
			}
			x = end
		}
		near.row(l.Index, l.runs[l.starts[y]:], y, l.W)
		l.starts[y+1] = len(l.runs)
	}
}

// Spread is the labels of a plane of h x w pixels of which samples for blocks of step x step pixels were prepared.
func (l *Labels) Spread(step, h, w int) *Labels {
	if step <= 1 {
		return l
	}
	c := *l
	c.H, c.W, c.Step = h, w, step
	c.runs = make([]run, len(l.runs))
	for i, q := range l.runs {
		c.runs[i] = run{q.a * int32(step), min(q.b*int32(step), int32(w)), q.id}
	}
	c.boxes = make([]box, len(l.boxes))
	for i, b := range l.boxes {
		c.boxes[i] = box{b.minY * int32(step), b.minX * int32(step), min((b.maxY+1)*int32(step), int32(h)) - 1, min((b.maxX+1)*int32(step), int32(w)) - 1}
	}
	return &c
}

// sample is the dense index at pixel (y, x) of the plane.
func (l *Labels) sample(y, x int) uint32 {
	if t := l.patch; t != nil && image.Pt(x, y).In(t.area) {
		return t.index[(y-t.area.Min.Y)/t.step*t.w+(x-t.area.Min.X)/t.step]
	}
	if n := l.Step; n > 1 {
		return l.Index[y/n*((l.W+n-1)/n)+x/n]
	}
	return l.Index[y*l.W+x]
}

// rowRuns is the runs of image row y from column x on, the first of which may start before it.
func (l *Labels) rowRuns(y int, x int32) []run {
	all, starts := l.runs, l.starts
	if t := l.patch; t != nil && y >= t.area.Min.Y && y < t.area.Max.Y {
		all, starts, y = t.runs, t.starts, (y-t.area.Min.Y)/t.step
	} else if l.Step > 1 {
		y /= l.Step
	}
	runs := all[starts[y]:starts[y+1]]
	if len(runs) == 0 || runs[0].b > x {
		return runs
	}
	first, _ := slices.BinarySearchFunc(runs, x, func(q run, x int32) int {
		if q.b <= x {
			return -1
		}
		return 1
	})
	return runs[first:]
}

func (b *box) add(y, first, last int) {
	b.minY, b.maxY = min(b.minY, int32(y)), int32(y)
	b.minX, b.maxX = min(b.minX, int32(first)), max(b.maxX, int32(last))
}

// At is the object at pixel (y, x): its id, or 0 for background. ok is false outside the plane.
func (l *Labels) At(y, x int) (id int64, ok bool) {
	if l == nil || y < 0 || x < 0 || y >= l.H || x >= l.W {
		return 0, false
	}
	return l.IDs[l.sample(y, x)], true
}

// Box is the bounding box of an object in image pixels, Max excluded; ok is false if the plane does not have the id.
func (l *Labels) Box(id int64) (r image.Rectangle, ok bool) {
	i := l.find(id)
	if i == 0 {
		return r, false
	}
	b := l.boxes[i]
	return image.Rect(int(b.minX), int(b.minY), int(b.maxX)+1, int(b.maxY)+1), true
}

// find is the dense index of an id, 0 if there is none.
func (l *Labels) find(id int64) uint32 {
	if l == nil || id == 0 {
		return 0
	}
	for i, have := range l.IDs {
		if have == id {
			return uint32(i)
		}
	}
	return 0
}

// SetStyles returns a copy of the labels, sharing pixels, whose objects the errors layer draws in the given styles.
func (l *Labels) SetStyles(styles map[int64]Style) *Labels {
	c := *l
	c.styles, c.used, c.dress = make([]Style, len(l.IDs)), 0, styles
	for i, id := range l.IDs {
		if s := styles[id]; i > 0 && s < styleCount {
			c.styles[i] = s
			c.used |= 1 << s
		}
	}
	return &c
}

// Colour is an object's colour R G B in the answer's fills and outlines, for tables and legends.
func (l *Labels) Colour(id int64) (c [3]uint8, ok bool) {
	i := l.find(id)
	if i == 0 {
		return c, false
	}
	p := labelColours[l.colour[i]]
	return [3]uint8{uint8(p), uint8(p >> 8), uint8(p >> 16)}, true
}

func fillIDs(dst []uint32, v uint32) {
	for i := range dst {
		dst[i] = v
	}
}
