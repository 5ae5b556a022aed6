package render

import (
	"image"
	"math/bits"
)

// sheet is where samples of the ground come from: the whole plane, or a patch of it that is finer.
type sheet struct {
	at             image.Point // upper left image pixel
	log            int         // its samples have sides of 1<<log image pixels
	level          int         // of its halved copies, that is drawn
	smooth         bool        // samples are mixed; otherwise every image pixel is a sharp block
	fine           bool        // it is the patch
	y0, y1, x0, x1 int         // device pixels y0..y1-1, x0..x1-1 that it covers
	ty, tx         taps        // of those, if smooth
}

func (sh *sheet) has(y int) bool { return y >= sh.y0 && y < sh.y1 }

// along are the taps of device pixels from..to-1.
func (sh *sheet) along(from, to int) taps { return sh.tx[from-sh.x0 : to-sh.x0] }

// from is the channel's samples on a sheet.
func (t *toned) from(sh *sheet) *samples {
	if sh.fine {
		return t.patch
	}
	return t.data
}

// sharp tells whether all of device row y shows image pixels as blocks, so that rows of the same pixels are the same.
func (g *ground) sharp(f *frame, y int) bool {
	if p := &g.patch; p.has(y) {
		return !p.smooth && (!g.whole.smooth || p.x0 == f.x.from && p.x1 == f.x.to)
	}
	return !g.whole.smooth
}

// copies is how many halved copies there are, the samples themselves included.
func (s *samples) copies() int { return max(len(s.narrow), len(s.wide)) }

// spread lays the sheets out below the device pixels.
func (g *ground) spread(f *frame, s *Scene) {
	w := &g.whole
	*w = sheet{log: bits.TrailingZeros(uint(g.channels[0].step)), y0: f.y.from, y1: f.y.to, x0: f.x.from, x1: f.x.to, ty: w.ty, tx: w.tx}
	w.smooth = g.reduced || w.log > 0
	g.patch.y0, g.patch.y1, g.patch.fine = 0, 0, true
	if f.y.from >= f.y.to || f.x.from >= f.x.to {
		return
	}
	if w.smooth {
		w.level = max(g.halving-w.log, 0)
		for _, c := range g.channels[:g.count] { // within the levels that every channel has
			w.level = min(w.level, c.data.copies()-1)
		}
		sy, sx := f.cam.scales()
		finest := w.log+w.level <= g.halving
		w.ty.fill(&f.y, s.H, sy, f.cam.OY, w.log+w.level, finest)
		w.tx.fill(&f.x, s.W, sx, f.cam.OX, w.log+w.level, finest)
	}
	if g.halving < w.log {
		g.spreadPatch(f, s)
	}
}

// spreadPatch lays the patch out where both samples that are mixed lie on it.
func (g *ground) spreadPatch(f *frame, s *Scene) {
	first := g.channels[0].finer
	for _, c := range g.channels[:g.count] {
		if p := c.finer; p == nil || first == nil || p.At != first.At || p.Step != first.Step || p.Plane.H != first.Plane.H || p.Plane.W != first.Plane.W || c.hues != nil {
			return
		}
		c.patch = c.finer.data
	}
	p := &g.patch
	p.at, p.log = first.At, bits.TrailingZeros(uint(first.Step))
	p.smooth, p.level = g.reduced || p.log > 0, max(g.halving-p.log, 0)
	log := p.log + p.level
	if p.level >= first.data.copies() || log >= g.whole.log {
		return
	}
	h, w := (first.Plane.H-1)>>p.level+1, (first.Plane.W-1)>>p.level+1
	if !p.smooth {
		p.y0, p.y1 = stretchOf(f.y.from, f.y.to, func(y int) bool { return f.y.at(y) >= p.at.Y && f.y.at(y) < p.at.Y+h })
		p.x0, p.x1 = stretchOf(f.x.from, f.x.to, func(x int) bool { return f.x.at(x) >= p.at.X && f.x.at(x) < p.at.X+w })
	} else {
		sy, sx := f.cam.scales()
		g.room[0].fill(&f.y, s.H, sy, f.cam.OY, log, log <= g.halving)
		g.room[1].fill(&f.x, s.W, sx, f.cam.OX, log, log <= g.halving)
		p.ty, p.y0, p.y1 = g.room[0].cut(f.y.from, p.at.Y>>log, h, (s.H-1)>>log)
		p.tx, p.x0, p.x1 = g.room[1].cut(f.x.from, p.at.X>>log, w, (s.W-1)>>log)
	}
	if p.x0 >= p.x1 {
		p.y0, p.y1 = 0, 0
	}
}

// cut is the taps that look at samples first..first+n-1 alone, counted from there, and the device pixels from..to-1 that they belong
// to; origin is the device pixel of the first tap, last the last sample there is, beside which nothing is mixed.
func (t taps) cut(origin, first, n, last int) (part taps, from, to int) {
	from, to = stretchOf(0, len(t), func(i int) bool {
		a := int(t[i].first)
		b := a
		if t[i].weight > 0 {
			b++
		}
		return a >= first && min(b, last) < first+n
	})
	part = t[from:to]
	for i := range part {
		part[i].first -= uint32(first)
	}
	return part, origin + from, origin + to
}

// stretchOf is the numbers of from..to-1 that are in, which follow each other; none are from, from.
func stretchOf(from, to int, in func(int) bool) (a, b int) {
	for a = from; a < to && !in(a); a++ {
	}
	for b = a; b < to && in(b); b++ {
	}
	if a == b {
		return from, from
	}
	return a, b
}
