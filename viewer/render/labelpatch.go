package render

import (
	"image"
	"slices"

	"coverslip/datasets/raster"
)

// LabelPatch is a rectangle of a label plane with finer samples than the labels' own, for planes that are too large to be held whole. It
// has the runs of whole rows, the labels' own beside it, so that it is drawn as one plane with them.
type LabelPatch struct {
	area   image.Rectangle // image pixels
	step   int             // pixels along the side of a sample
	w      int             // samples across
	index  []uint32        // per sample of the area; dense as in ids
	runs   []run
	starts []int // per row of samples
	ids    []int64
	colour []uint8
	boxes  []box
}

// PreparePatch readies samples of blocks of step x step pixels from pixel at on, which is the corner of one of the labels' own blocks.
// Objects keep their colours; those that the labels do not have get colours of their own. It gives nil for what does not fit.
func (l *Labels) PreparePatch(p raster.Plane, at image.Point, step int) *LabelPatch {
	if l == nil || step < 1 || step >= l.Step || at.X%l.Step != 0 || at.Y%l.Step != 0 || at.X < 0 || at.Y < 0 {
		return nil
	}
	l = l.WithPatch(nil)
	fine := PrepareLabels(p, l.memory)
	if len(fine.Index) == 0 {
		return nil
	}
	t := &LabelPatch{area: image.Rect(at.X, at.Y, min(at.X+p.W*step, l.W), min(at.Y+p.H*step, l.H)), step: step, w: p.W, index: fine.Index,
		ids: slices.Clip(l.IDs), colour: slices.Clip(l.colour), boxes: slices.Clone(l.boxes)}
	dense := t.join(l, fine)
	for i, v := range t.index {
		t.index[i] = dense[v]
	}
	for y := range p.H {
		t.starts = append(t.starts, len(t.runs))
		t.addRow(l.rowRuns(at.Y+y*step, 0), fine.runs[fine.starts[y]:fine.starts[y+1]], dense)
	}
	t.starts = append(t.starts, len(t.runs))
	return t
}

// join takes in the objects of the patch and gives their dense indices among all. Boxes reach as far as either knows.
func (t *LabelPatch) join(l, fine *Labels) (dense []uint32) {
	known := make(map[int64]uint32, len(l.IDs))
	for i, id := range l.IDs {
		known[id] = uint32(i)
	}
	dense = make([]uint32, len(fine.IDs))
	for i, id := range fine.IDs[1:] {
		b := fine.boxes[i+1]
		b = box{int32(t.area.Min.Y) + b.minY*int32(t.step), int32(t.area.Min.X) + b.minX*int32(t.step),
			min(int32(t.area.Min.Y)+(b.maxY+1)*int32(t.step), int32(l.H)) - 1, min(int32(t.area.Min.X)+(b.maxX+1)*int32(t.step), int32(l.W)) - 1}
		at, ok := known[id]
		if !ok {
			at = uint32(len(t.ids))
			t.ids, t.colour, t.boxes = append(t.ids, id), append(t.colour, fine.colour[i+1]), append(t.boxes, b)
		} else {
			o := &t.boxes[at]
			*o = box{min(o.minY, b.minY), min(o.minX, b.minX), max(o.maxY, b.maxY), max(o.maxX, b.maxX)}
		}
		dense[i+1] = at
	}
	return dense
}

// addRow adds the runs of a row: those of the labels to the left, those of the patch, those of the labels to the right.
func (t *LabelPatch) addRow(own, fine []run, dense []uint32) {
	left, right := int32(t.area.Min.X), int32(t.area.Max.X)
	add := func(q run) {
		if q.a >= q.b {
			return
		}
		if n := len(t.runs); n > t.starts[len(t.starts)-1] && t.runs[n-1].b == q.a && t.runs[n-1].id == q.id {
			t.runs[n-1].b = q.b
			return
		}
		t.runs = append(t.runs, q)
	}
	for _, q := range own {
		if q.a < left {
			add(run{q.a, min(q.b, left), q.id})
		}
	}
	for _, q := range fine {
		add(run{left + q.a*int32(t.step), min(left+q.b*int32(t.step), right), dense[q.id]})
	}
	for _, q := range own {
		if q.b > right {
			add(run{max(q.a, right), q.b, q.id})
		}
	}
}

// Bytes is about the memory that the patch takes.
func (t *LabelPatch) Bytes() int { return 4*len(t.index) + 12*len(t.runs) + 25*len(t.ids) }

// WithPatch is the labels with a patch that was prepared for them, styled or not; nil takes one off.
func (l *Labels) WithPatch(t *LabelPatch) *Labels {
	if l == nil || t == l.patch {
		return l
	}
	c := *l
	if l.patch != nil { // what it was laid over
		c.IDs, c.colour, c.boxes, c.patch = l.IDs[:l.own], l.colour[:l.own], l.under, nil
	}
	if t != nil {
		c.patch, c.own, c.under = t, len(c.IDs), c.boxes
		c.IDs, c.colour, c.boxes = t.ids, t.colour, t.boxes
	}
	if l.styles != nil {
		return c.SetStyles(l.dress)
	}
	return &c
}

// block is the row of samples that image row y belongs to, by its first image row.
func (l *Labels) block(y int) int {
	if t := l.patch; t != nil && y >= t.area.Min.Y && y < t.area.Max.Y {
		return y - (y-t.area.Min.Y)%t.step
	}
	if l.Step > 1 {
		return y - y%l.Step
	}
	return y
}
