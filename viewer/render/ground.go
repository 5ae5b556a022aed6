package render

import (
	"encoding/binary"
	"math"

	"coverslip/viewer"
)

// ground is the image below all layers: its channels in display form.
type ground struct {
	channels []*toned // in use: the first count
	count    int
	sum      bool // several channels are added up
	halving  int  // level of the halved copies that the zoom asks for, 0 is the plane
	reduced  bool // under one device pixel per image pixel: bilinear between the level's samples
	whole    sheet
	patch    sheet // over the whole, where there is one
	room     [2]taps
}

// toned is one channel with its tables.
type toned struct {
	data   *samples       // of the whole plane
	patch  *samples       // of the patch, or nil
	finer  *Patch         // nil for none
	step   int            // of the whole
	hues   []uint8        // not nil: colour of each sample of the whole in depthColours; the level is its strength
	levels [1 << 16]uint8 // code to level
	colour lut            // level to colour
	wide   [256]uint64    // the same in fields of 20 bits, to be added up
}

// groundRow is a goroutine's scratch for rows of the ground.
type groundRow struct {
	source int // image row held in pixels, -1 none
	pixels []uint8
	narrow []uint8
	wide   []uint16
	sums   []uint64
	mixed  []uint32 // two rows of a level mixed, times 256
}

func (g *ground) forget() {
	for _, c := range g.channels {
		c.data, c.patch, c.finer, c.hues = nil, nil, nil, nil
	}
	g.count = 0
}

func (g *ground) setup(f *frame, s *Scene, v viewer.View) {
	g.count = 0
	sy, sx := f.cam.scales()
	g.reduced, g.halving = min(sy, sx) < 1, f.cam.halving()
	if v.HideImage {
		return
	}
	for i := range s.Channels {
		g.add(s, v, i)
	}
	g.sum = g.count > 1 || g.count == 1 && g.channels[0].hues != nil
	if g.sum {
		for _, c := range g.channels[:g.count] {
			c.widen()
		}
	}
	if g.count > 0 {
		g.spread(f, s)
	}
}

// add makes channel i ready if the View shows it.
func (g *ground) add(s *Scene, v viewer.View, i int) {
	c := &s.Channels[i]
	tone := v.Tone(i).Normal()
	if c.data == nil || !c.covers(s.H, s.W) || g.count > 0 && g.channels[0].step != c.step() {
		return
	}
	if v.Single && i != v.Channel || !v.Single && tone.Off || !v.Single && s.RGB && i > 2 {
		return
	}
	if g.count == len(g.channels) {
		g.channels = append(g.channels, new(toned))
	}
	t := g.channels[g.count]
	g.count++
	t.data, t.hues, t.step, t.finer = c.data, c.hues, c.step(), c.Patch
	lo, hi := c.Auto()
	if s.RGB && i <= 2 {
		lo, hi = s.plainRange()
	}
	if tone.Lo < tone.Hi {
		lo, hi = tone.Lo, tone.Hi
	}
	t.fillLevels(lo, hi, tone.Gamma)
	switch {
	case v.Single && tone.LUT == "" && !c.Dark:
		t.colour = *tables["grey"]
	case s.RGB && !v.Single:
		t.colour = *tables[rgbLUTs[i]]
	default:
		t.colour.choose(tone, c, i, len(s.Channels))
	}
}

// plainRange is what a colour picture's samples run over: the smallest usual range that holds its first three channels.
func (s *Scene) plainRange() (lo, hi float64) {
	top := 0.0
	for _, c := range s.Channels[:min(len(s.Channels), 3)] {
		_, m := c.Range()
		top = math.Max(top, m)
		if c.data != nil && c.data.narrow != nil && c.Plane.Type != 0 {
			top = math.Max(top, 2)
		}
	}
	for _, hi := range [...]float64{1, 255, 1023, 4095, 16383, 65535} {
		if top <= hi {
			return 0, hi
		}
	}
	return 0, top
}

// fillLevels makes the table from codes to levels: level = 255 * ((value-lo)/(hi-lo))^gamma, rounded. It goes level by
// level and asks from which value on it holds, so that only 255 powers are taken. A power is the one step that is not
// exact by itself; a last bit of it matters only where a threshold meets a sample value to 16 digits.
func (t *toned) fillLevels(lo, hi, gamma float64) {
	n := 1 << 16
	if t.data.narrow != nil {
		n = 256
	}
	if gamma == 0 {
		gamma = 1
	}
	from := 0
	for k := 1; k <= 255; k++ {
		part := (float64(k) - 0.5) / 255
		if gamma != 1 {
			part = math.Pow(part, 1/gamma)
		}
		value := lo + float64((hi-lo)*part)
		code := int(clampFloat(math.Ceil((value-t.data.base)/t.data.step), float64(from), float64(n)))
		fillBytes(t.levels[from:code], uint8(k-1))
		from = code
	}
	fillBytes(t.levels[from:n], 255)
}

// fillBytes sets all of b, doubling what is set so that long stretches are plain copies.
func fillBytes(b []uint8, v uint8) {
	n := min(len(b), 16)
	for i := range n {
		b[i] = v
	}
	for ; n > 0 && n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
}

func (t *toned) widen() {
	for i, c := range t.colour {
		t.wide[i] = uint64(c&255) | uint64(c>>8&255)<<20 | uint64(c>>16&255)<<40
	}
}

// draw writes device row y of the image, which is from..to of the axis.
func (g *ground) draw(r *groundRow, f *frame, dst []uint8, y int) {
	if g.count == 0 {
		fillRow(dst, blackColour)
		return
	}
	if !f.y.repeats || !g.sharp(f, y) {
		g.compose(r, f, dst, y)
		return
	}
	if source := f.y.at(y); source != r.source || len(r.pixels) != len(dst) {
		r.pixels = grow(r.pixels, len(dst))
		g.compose(r, f, r.pixels, y)
		r.source = source
	}
	copy(dst, r.pixels)
}

// compose takes what it can from the patch and the rest from the whole plane.
func (g *ground) compose(r *groundRow, f *frame, dst []uint8, y int) {
	from, to := f.x.from, f.x.to
	if !g.patch.has(y) {
		g.stretch(r, f, dst, &g.whole, y, from, to)
		return
	}
	x0, x1 := g.patch.x0, g.patch.x1
	g.stretch(r, f, dst[:4*(x0-from)], &g.whole, y, from, x0)
	g.stretch(r, f, dst[4*(x0-from):4*(x1-from)], &g.patch, y, x0, x1)
	g.stretch(r, f, dst[4*(x1-from):], &g.whole, y, x1, to)
}

// stretch draws device pixels from..to-1 of row y from a sheet.
func (g *ground) stretch(r *groundRow, f *frame, dst []uint8, sh *sheet, y, from, to int) {
	if from >= to {
		return
	}
	if !g.sum {
		c := g.channels[0]
		switch data := c.from(sh); {
		case sh.smooth:
			r.mix(data, sh, y, from, to)
			colourMixed(dst, r.mixed, sh.along(from, to), &c.levels, &c.colour)
		case data.narrow != nil:
			colourRow(dst, sampleRow(f, sh, data.narrow, &r.narrow, y, from, to), &c.levels, &c.colour)
		default:
			colourRow(dst, sampleRow(f, sh, data.wide, &r.wide, y, from, to), &c.levels, &c.colour)
		}
		return
	}
	r.sums = grow(r.sums, to-from)
	clear(r.sums)
	for _, c := range g.channels[:g.count] {
		switch data := c.from(sh); {
		case c.hues != nil:
			c.addDepth(r, sh, f, y, from, to)
		case sh.smooth:
			r.mix(data, sh, y, from, to)
			addMixed(r.sums, r.mixed, sh.along(from, to), &c.levels, &c.wide)
		case data.narrow != nil:
			addRow(r.sums, sampleRow(f, sh, data.narrow, &r.narrow, y, from, to), &c.levels, &c.wide)
		default:
			addRow(r.sums, sampleRow(f, sh, data.wide, &r.wide, y, from, to), &c.levels, &c.wide)
		}
	}
	packRow(dst, r.sums)
}

// sampleRow gives the samples of device pixels from..to-1 of row y: the plane's own where pixels follow one another, else gathered
// into scratch.
func sampleRow[T uint8 | uint16](f *frame, sh *sheet, levels []level[T], scratch *[]T, y, from, to int) []T {
	n, left := to-from, int32(sh.at.X)
	source := levels[0].row(f.y.at(y) - sh.at.Y)
	if f.x.direct {
		first := f.x.at(from) - sh.at.X
		return source[first : first+n]
	}
	row := grow(*scratch, n)
	*scratch = row
	for i, x := range f.x.source[pad+from : pad+from+n] {
		row[i] = source[x-left]
	}
	return row
}

func colourRow[T uint8 | uint16](dst []uint8, src []T, levels *[1 << 16]uint8, colour *lut) {
	dst = dst[:4*len(src)]
	for i, v := range src {
		binary.LittleEndian.PutUint32(dst[4*i:4*i+4:4*i+4], colour[levels[v]])
	}
}

func addRow[T uint8 | uint16](sums []uint64, src []T, levels *[1 << 16]uint8, colour *[256]uint64) {
	sums = sums[:len(src)]
	for i, v := range src {
		sums[i] += colour[levels[v]]
	}
}

// Fields of sums, which stay below 1<<16: what to add so that bit 19 says that a field is over 255, and the lowest bits.
const (
	overBy = (1<<19-256)<<40 | (1<<19-256)<<20 | (1<<19 - 256)
	lowest = 1<<40 | 1<<20 | 1
)

// packRow makes pixels of sums; fields over 255 are 255.
func packRow(dst []uint8, sums []uint64) {
	dst = dst[:4*len(sums)]
	for i, s := range sums {
		full := (s + overBy) >> 19 & lowest
		s |= full<<8 - full
		binary.LittleEndian.PutUint32(dst[4*i:4*i+4:4*i+4], uint32(s&0xff|s>>12&0xff00|s>>24&0xff0000)|opaque)
	}
}
