package render

// Depth says where along the axis of a projection each sample of a maximum lies.
type Depth struct {
	From, Count int      // planes that were projected
	W           int      // of the plane
	Index       []uint16 // per sample of the plane, row by row: 0 is plane From
	step        int      // pixels along the side of a sample, where not one
}

// At is the plane that the sample at pixel (y, x) comes from; -1 outside.
func (d *Depth) At(y, x int) int {
	if d == nil || y < 0 || x < 0 {
		return -1
	}
	if d.step > 1 {
		y, x = y/d.step, x/d.step
	}
	if x >= d.W || y*d.W+x >= len(d.Index) {
		return -1
	}
	return d.From + int(d.Index[y*d.W+x])
}

// hues spreads the planes over the 256 colours, the first and the last at their ends.
func (d *Depth) hues() []uint8 {
	out := make([]uint8, len(d.Index))
	last := max(d.Count-1, 1)
	for i, at := range d.Index {
		out[i] = uint8((2*255*min(int(at), last) + last) / (2 * last))
	}
	return out
}

// depthColours are the colours of depth in fields of 20 bits, to be made darker and added up.
var depthColours = func() (wide [256]uint64) {
	for i, c := range tables["viridis"] {
		wide[i] = uint64(c&255) | uint64(c>>8&255)<<20 | uint64(c>>16&255)<<40
	}
	return wide
}()

const bytesOfFields = 255<<40 | 255<<20 | 255

// addDepth adds device pixels from..to-1 of row y of a channel that is coloured by depth: the colour of its place times its level.
// Reduced, the maximum is averaged as in other channels and takes the depth of the image pixel in the middle.
func (t *toned) addDepth(r *groundRow, sh *sheet, f *frame, y, from, to int) {
	hues := t.hues[f.y.at(y)/t.step*((f.x.size+t.step-1)/t.step):]
	xs := f.x.source[pad+from : pad+to]
	sums, shift := r.sums[:len(xs)], sh.log
	add := func(i int, level uint8) {
		ink := uint64(level) + uint64(level>>7) // 0 to 256
		sums[i] += depthColours[hues[xs[i]>>shift]] * ink >> 8 & bytesOfFields
	}
	switch {
	case sh.smooth:
		r.mix(t.data, sh, y, from, to)
		for i, p := range sh.along(from, to) {
			add(i, t.levels[mixedCode(r.mixed[p.first], r.mixed[p.first+1], p.weight)])
		}
	case t.data.narrow != nil:
		for i, v := range sampleRow(f, sh, t.data.narrow, &r.narrow, y, from, to) {
			add(i, t.levels[v])
		}
	default:
		for i, v := range sampleRow(f, sh, t.data.wide, &r.wide, y, from, to) {
			add(i, t.levels[v])
		}
	}
}
