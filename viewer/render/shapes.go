package render

import (
	"encoding/binary"
	"math"
)

// area is the part of a picture that one goroutine draws shapes on: whole rows of a strip, as far as the image goes.
// Shapes are drawn pixel by pixel as though there were no strips, so these do not show. Their places and sizes are in line pixels.
type area struct {
	pix            []uint8
	w              int // of the picture
	y0, y1, x0, x1 int // device pixels y0..y1-1, x0..x1-1
	ay, ax         int // anchors of patterns
	density        int // device pixels per line pixel
	fine           float64
	top, bottom    float64 // y0, y1 in line pixels
	left, right    float64
}

// tint is a colour and its strength; dark is the strength of a black seam around it, which shows it on bright images. In 256ths.
type tint struct{ colour, ink, dark uint32 }

// scaled is the tint at a part of its strength.
func (c tint) scaled(part float64) tint {
	c.ink, c.dark = uint32(float64(float64(c.ink)*part)+0.5), uint32(float64(float64(c.dark)*part)+0.5)
	return c
}

// seam is the width of the dark seam in line pixels.
const seam = 1.0

// lay covers parts of a pixel, 0 to 1, with ink and with the seam.
func (c tint) lay(row []uint8, x int, cover, shade float64) {
	ink := uint32(float64(cover*float64(c.ink)) + 0.5)
	dark := uint32(float64((shade-cover)*float64(c.dark)) + 0.5)
	if ink+dark == 0 {
		return
	}
	blend(row, x, c.colour, ink, 256-min(ink+dark, 256))
}

func (a *area) row(y int) []uint8 { return a.pix[4*a.w*y : 4*a.w*(y+1)] }

// rows is the device rows of the area that lie between two heights.
func (a *area) rows(from, to float64) (int, int) {
	return max(whole(from), a.y0), min(whole(to)+1, a.y1)
}

func (a *area) columns(from, to float64) (int, int) {
	return max(whole(from), a.x0), min(whole(to)+1, a.x1)
}

// ringShape is a circle's line around (y, x), all in line pixels.
type ringShape struct {
	y, x, r float64
	half    float64 // of the width
	pattern pattern // along the way
}

// ring draws a circle's line. Only pixels that it can touch are looked at.
func (a *area) ring(s ringShape, c tint) {
	s.y, s.x, s.r, s.half = float64(s.y*a.fine), float64(s.x*a.fine), float64(s.r*a.fine), float64(s.half*a.fine)
	edge := seam * a.fine
	if c.dark == 0 {
		edge = 0
	}
	outer, inner := s.r+s.half+edge+0.5, s.r-s.half-edge-0.5
	from, to := a.rows(s.y-outer, s.y+outer)
	for y := from; y < to; y++ {
		dy := float64(y) + 0.5 - s.y
		left := float64(outer*outer) - float64(dy*dy)
		if left <= 0 {
			continue
		}
		wide, hole := math.Sqrt(left), 0.0
		if inner > 0 && math.Abs(dy) < inner {
			hole = math.Sqrt(float64(inner*inner) - float64(dy*dy))
		}
		row := a.row(y)
		x0, x1 := a.columns(s.x-wide, s.x-hole)
		a.ringRow(row, x0, x1, dy, s, c, edge)
		x2, x3 := a.columns(s.x+hole, s.x+wide)
		a.ringRow(row, max(x1, x2), x3, dy, s, c, edge)
	}
}

func (a *area) ringRow(row []uint8, from, to int, dy float64, s ringShape, c tint, edge float64) {
	for x := from; x < to; x++ {
		dx := float64(x) + 0.5 - s.x
		e := math.Abs(math.Sqrt(float64(dx*dx)+float64(dy*dy))-s.r) - s.half - 0.5
		cover, shade := unit(-e), unit(edge-e)
		if s.pattern != solid && !onCircle(s.pattern, dy, dx) {
			cover, shade = 0, shade*0.6
		}
		c.lay(row, x, cover, shade)
	}
}

// onCircle tells whether a circle's pattern has ink in a direction. Around the circle there are 8 dashes or 12 dots, by a
// measure of direction that needs no angle.
func onCircle(p pattern, dy, dx float64) bool {
	turn := dy / (math.Abs(dx) + math.Abs(dy) + 1e-9)
	if dx < 0 {
		turn = 2 - turn
	} // -1 to 3
	turn++
	if p == dashed {
		at := float64(turn * 2)
		return at-math.Floor(at) < 0.6
	}
	at := float64(turn * 3)
	return at-math.Floor(at) < 0.45
}

// disc fills a circle; hatch leaves only diagonal lines of it.
func (a *area) disc(cy, cx, r float64, c tint, hatch bool) {
	cy, cx, r = float64(cy*a.fine), float64(cx*a.fine), float64(r*a.fine)
	edge := seam * a.fine
	if c.dark == 0 {
		edge = 0
	}
	outer, inner := r+edge+0.5, float64((r-0.5)*(r-0.5))
	full := dab(c.colour, c.ink, 256-c.ink)
	from, to := a.rows(cy-outer, cy+outer)
	for y := from; y < to; y++ {
		dy := float64(y) + 0.5 - cy
		left := float64(outer*outer) - float64(dy*dy)
		if left <= 0 {
			continue
		}
		wide := math.Sqrt(left)
		row := a.row(y)
		x0, x1 := a.columns(cx-wide, cx+wide)
		for x := x0; x < x1; x++ {
			if hatch && floorDiv(y+a.ay+x+a.ax-(a.density-1)/2, a.density)&3 > 1 {
				continue
			}
			dx := float64(x) + 0.5 - cx
			d := float64(dx*dx) + float64(dy*dy)
			if d <= inner {
				full.lay(row[4*x : 4*x+4 : 4*x+4])
				continue
			}
			e := math.Sqrt(d) - r - 0.5
			c.lay(row, x, unit(-e), unit(edge-e))
		}
	}
}

// cross draws an x whose arms reach r to the sides and up and down.
func (a *area) cross(cy, cx, r, half float64, c tint) {
	cy, cx, r, half = float64(cy*a.fine), float64(cx*a.fine), float64(r*a.fine), float64(half*a.fine)
	edge := seam * a.fine
	if c.dark == 0 {
		edge = 0
	}
	const turned = 0.7071067811865476
	long := r / turned
	side := float64((half+edge+0.5)/turned) + 0.5
	outer := r + half + edge + 0.5
	from, to := a.rows(cy-outer, cy+outer)
	for y := from; y < to; y++ {
		dy := float64(y) + 0.5 - cy
		row, end := a.row(y), math.MinInt
		for _, middle := range [2]float64{cx - math.Abs(dy), cx + math.Abs(dy)} {
			x0, x1 := a.columns(middle-side, middle+side)
			for x := max(x0, end); x < x1; x++ {
				dx := float64(x) + 0.5 - cx
				u, v := math.Abs(float64((dx+dy)*turned)), math.Abs(float64((dx-dy)*turned))
				if e := min(max(u-long, v-half), max(v-long, u-half)) - 0.5; e < edge {
					c.lay(row, x, unit(-e), unit(edge-e))
				}
			}
			end = max(end, x1)
		}
	}
}

// diamond fills a square that stands on a corner.
func (a *area) diamond(cy, cx, r float64, c tint) {
	const turned = 0.7071067811865476
	cy, cx, r = float64(cy*a.fine), float64(cx*a.fine), float64(r*a.fine)
	edge := seam * a.fine
	from, to := a.rows(cy-r-2*edge, cy+r+2*edge)
	x0, x1 := a.columns(cx-r-2*edge, cx+r+2*edge)
	for y := from; y < to; y++ {
		row := a.row(y)
		for x := x0; x < x1; x++ {
			e := float64((math.Abs(float64(y)+0.5-cy)+math.Abs(float64(x)+0.5-cx)-r)*turned) - 0.5
			c.lay(row, x, unit(-e), unit(edge-e))
		}
	}
}

// square fills the square of the given side around a place, every pixel by how much of it is covered: what is left of a
// point that is too small for a shape.
func (a *area) square(cy, cx, side float64, c tint) {
	cy, cx, side = float64(cy*a.fine), float64(cx*a.fine), float64(side*a.fine)
	top, left := whole((cy-side/2)*256), whole((cx-side/2)*256)
	bottom, right := top+int(side*256), left+int(side*256)
	x0, x1 := max(left>>8, a.x0), min((right+255)>>8, a.x1)
	for y := max(top>>8, a.y0); y < min((bottom+255)>>8, a.y1); y++ {
		tall := c.ink * uint32(min(bottom, (y+1)<<8)-max(top, y<<8)) >> 8
		i := 4 * (a.w*y + x0)
		for x := x0; x < x1; x++ {
			wide := uint32(min(right, (x+1)<<8) - max(left, x<<8))
			layPart(a.pix[i:i+4:i+4], c.colour, tall*wide>>8, 0)
			i += 4
		}
	}
}

// unit keeps x within 0 and 1.
func unit(x float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	}
	return x
}

// whole is the whole number at or below x, kept near enough to be reckoned with.
func whole(x float64) int {
	switch {
	case !(x > -1<<30):
		return -1 << 30
	case x > 1<<30:
		return 1 << 30
	}
	i := int(x)
	if float64(i) > x {
		i--
	}
	return i
}

// stretch is a straight line between two places in line pixels.
type stretch struct {
	y0, x0, y1, x1 float64
	half           float64 // of the width
	pattern        pattern
}

// fixedOne is 1 in the fixed-point numbers of lines.
const fixedOne = 1 << 16

// farAway is how many device pixels off lines are cut, so that they can be reckoned in whole numbers.
const farAway = 1 << 24

// course is which way a line goes.
type course struct {
	steep         bool // more down than along the rows
	slope, secant float64
}

// ordered makes the longer direction rise and tells the course.
func (s *stretch) ordered() course {
	dy, dx := s.y1-s.y0, s.x1-s.x0
	steep := math.Abs(dy) > math.Abs(dx)
	if steep {
		dy, dx = dx, dy
	}
	if dx < 0 {
		s.y0, s.x0, s.y1, s.x1 = s.y1, s.x1, s.y0, s.x0
	}
	slope := 0.0
	if dx != 0 {
		slope = dy / dx
	}
	return course{steep, slope, math.Sqrt(1 + float64(slope*slope))}
}

// line draws a straight line: along its longer direction pixel by pixel, in the other one by how much of each pixel is
// covered. Lines that follow one another have no pixel twice.
func (a *area) line(s stretch, c tint) {
	way := s.ordered()
	a.follow(&s, way, c)
}

// follow draws a line whose longer direction rises.
func (a *area) follow(s *stretch, way course, c tint) {
	y0, x0, x1 := s.y0, s.x0, s.x1
	if way.steep { // from here on x is the longer direction
		y0, x0, x1 = s.x0, s.y0, s.y1
	}
	y0, x0, x1 = float64(y0*a.fine), float64(x0*a.fine), float64(x1*a.fine)
	if x0 < -farAway {
		y0, x0 = y0+float64((-farAway-x0)*way.slope), -farAway
	}
	x1 = min(x1, farAway)
	first, end := whole(x0+0.5), whole(x1+0.5)
	if first >= end || math.Abs(y0) > 2*farAway {
		return
	}
	from := float64((float64(first)+0.5-x0)*way.slope) + y0
	w := walk{at: int(from * fixedOne), step: int(way.slope * fixedOne), half: int(s.half * a.fine * way.secant * fixedOne),
		p: first, n: end - first, pattern: s.pattern, tint: c}
	if way.steep {
		w.limit(a.y0, a.y1, a.x0, a.x1)
		a.walkDown(&w)
		return
	}
	w.limit(a.x0, a.x1, a.y0, a.y1)
	a.walkAlong(&w)
}

// walk goes n pixels from p on along a line, at which its middle is at, changing by step.
type walk struct {
	at, step, half int // fixed point
	p, n           int
	pattern        pattern
	tint           tint
}

// limit keeps what lies in pixels p0..p1-1 along and q0..q1-1 across.
func (w *walk) limit(p0, p1, q0, q1 int) {
	w.skip(p0 - w.p)
	w.n = min(w.n, p1-w.p)
	low, high := q0*fixedOne-w.half-1, q1*fixedOne+w.half+1
	if end := w.at + (w.n-1)*w.step; min(w.at, end) >= low && max(w.at, end) <= high {
		return // as most are
	}
	switch {
	case w.step > 0:
		w.skip((low - w.at) / w.step)
		w.n = min(w.n, (high-w.at)/w.step+1)
	case w.step < 0:
		w.skip((high - w.at) / w.step)
		w.n = min(w.n, (low-w.at)/w.step+1)
	case w.at < low || w.at > high:
		w.n = 0
	}
}

func (w *walk) skip(k int) {
	if k > 0 {
		k = min(k, max(w.n, 0))
		w.at, w.p, w.n = w.at+k*w.step, w.p+k, w.n-k
	}
}

// gapShade is how dark the gaps of dashed lines are, so that these show on bright images, in 256ths.
const gapShade = 110

// inkAt is the paint at a place along the walk.
func (w *walk) inkAt(anchor, density int) (colour, ink, dark uint32) {
	if w.pattern.drawn(w.p+anchor, density) {
		return w.tint.colour, w.tint.ink, 0
	}
	return 0, 0, gapShade * w.tint.ink >> 8
}

// walkAlong draws a line that runs more along the rows than down.
func (a *area) walkAlong(w *walk) {
	stride := 4 * a.w
	colour, ink, dark := w.tint.colour, w.tint.ink, uint32(0)
	for ; w.n > 0; w.n-- {
		top, bottom := w.at-w.half, w.at+w.half
		if w.pattern != solid {
			colour, ink, dark = w.inkAt(a.ax, a.density)
		}
		y, last := max(top>>16, a.y0), min((bottom-1)>>16, a.y1-1)
		i := y*stride + 4*w.p
		for ; y <= last; y++ {
			cover := uint32(min(bottom, (y+1)<<16)-max(top, y<<16)) >> 8
			layPart(a.pix[i:i+4:i+4], colour, ink*cover>>8, dark*cover>>8)
			i += stride
		}
		w.at += w.step
		w.p++
	}
}

// walkDown draws a line that runs more down than along the rows.
func (a *area) walkDown(w *walk) {
	colour, ink, dark := w.tint.colour, w.tint.ink, uint32(0)
	for ; w.n > 0; w.n-- {
		left, right := w.at-w.half, w.at+w.half
		if w.pattern != solid {
			colour, ink, dark = w.inkAt(a.ay, a.density)
		}
		x, last := max(left>>16, a.x0), min((right-1)>>16, a.x1-1)
		i := 4 * (a.w*w.p + x)
		for ; x <= last; x++ {
			cover := uint32(min(right, (x+1)<<16)-max(left, x<<16)) >> 8
			layPart(a.pix[i:i+4:i+4], colour, ink*cover>>8, dark*cover>>8)
			i += 4
		}
		w.at += w.step
		w.p++
	}
}

// layPart mixes so much of a colour and of black into a pixel.
func layPart(p []uint8, colour, ink, dark uint32) {
	d := binary.LittleEndian.Uint32(p)
	keep := 256 - ink - dark
	rb := ((d&0xff00ff)*keep + (colour&0xff00ff)*ink) >> 8 & 0xff00ff
	g := ((d>>8&0xff)*keep + (colour>>8&0xff)*ink) & 0xff00
	binary.LittleEndian.PutUint32(p, rb|g|opaque)
}
