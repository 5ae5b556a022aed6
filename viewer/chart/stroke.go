package chart

import "math"

// line covers a polyline: every segment is a rectangle, every bend a small disc, all turning the same way round.
func (r *raster) line(path []pt, s stroke) {
	if len(path) < 2 || !r.begin() {
		return
	}
	b := brush{cover: &r.cover, half: math.Max(s.width*r.k, 1) / 2}
	b.window = rect{0, 0, float64(r.window.Dx()), float64(r.window.Dy())}.grown(b.half + 2)
	for _, d := range s.dash {
		b.dash = append(b.dash, math.Max(d*r.k, 1))
		b.period += b.dash[len(b.dash)-1]
	}
	from := r.local(path[0])
	for i, q := range path[1:] {
		q = r.local(q)
		// What is nearer than a quarter of a pixel adds nothing but time.
		if i+2 < len(path) && math.Abs(q.x-from.x) < 0.25 && math.Abs(q.y-from.y) < 0.25 {
			continue
		}
		b.segment(from, q)
		from = q
	}
	r.end(s.colour)
}

// brush is the state of one line.
type brush struct {
	cover  *coverage
	half   float64 // of the width
	window rect
	dash   []float64
	period float64
	phase  float64 // how far along the dashes
	bent   bool    // prior ends where the next segment begins
	prior  pt      // direction of the segment before
}

func (b *brush) segment(p, q pt) {
	length := math.Hypot(q.x-p.x, q.y-p.y)
	if !finite(length) || length == 0 {
		b.bent = b.bent && finite(length)
		return
	}
	from, to, ok := clipLine(p, q, b.window)
	if !ok {
		b.bent = false
		b.phase = b.after(length)
		return
	}
	dir := pt{(q.x - p.x) / length, (q.y - p.y) / length}
	if b.dash != nil {
		b.dashed(p, dir, length, math.Hypot(from.x-p.x, from.y-p.y), math.Hypot(to.x-p.x, to.y-p.y))
		return
	}
	if turn := float64(dir.x*b.prior.x) + float64(dir.y*b.prior.y); b.bent && turn < 0.97 && from == p {
		b.disc(p)
	}
	b.bar(from, to, dir)
	b.bent, b.prior = to == q, dir
}

func (b *brush) after(length float64) float64 {
	if b.period <= 0 {
		return 0
	}
	return math.Mod(b.phase+length, b.period)
}

// dashed inks what of the dashes lies between start and end, lengths along the segment from p.
func (b *brush) dashed(p, dir pt, length, start, end float64) {
	phase := math.Mod(b.phase+start, b.period)
	i := 0
	for phase >= b.dash[i] && i < len(b.dash)-1 {
		phase -= b.dash[i]
		i++
	}
	for at := start; at < end; {
		next := math.Min(at+b.dash[i]-phase, end)
		if i%2 == 0 {
			b.bar(along(p, dir, at), along(p, dir, next), dir)
		}
		if next <= at {
			break
		}
		at, phase, i = next, 0, (i+1)%len(b.dash)
	}
	b.phase = b.after(length)
}

func along(p, dir pt, d float64) pt { return pt{p.x + float64(dir.x*d), p.y + float64(dir.y*d)} }

func (b *brush) bar(p, q, dir pt) {
	n := pt{dir.y * b.half, -dir.x * b.half}
	b.cover.polygon(pt{p.x + n.x, p.y + n.y}, pt{q.x + n.x, q.y + n.y}, pt{q.x - n.x, q.y - n.y}, pt{p.x - n.x, p.y - n.y})
}

func (b *brush) disc(p pt) { b.cover.polygon(circle(p, b.half, 12)...) }

// clipLine cuts the line from p to q to a rectangle (Liang and Barsky).
func clipLine(p, q pt, r rect) (from, to pt, ok bool) {
	t0, t1 := 0.0, 1.0
	dx, dy := q.x-p.x, q.y-p.y
	for _, e := range [...][2]float64{{-dx, p.x - r.x0}, {dx, r.x1 - p.x}, {-dy, p.y - r.y0}, {dy, r.y1 - p.y}} {
		switch {
		case e[0] == 0 && e[1] < 0:
			return p, q, false
		case e[0] < 0:
			t0 = math.Max(t0, e[1]/e[0])
		case e[0] > 0:
			t1 = math.Min(t1, e[1]/e[0])
		}
	}
	if t0 > t1 {
		return p, q, false
	}
	from, to = p, q
	if t0 > 0 {
		from = pt{p.x + float64(t0*dx), p.y + float64(t0*dy)}
	}
	if t1 < 1 {
		to = pt{p.x + float64(t1*dx), p.y + float64(t1*dy)}
	}
	return from, to, true
}

// circle is a polygon of n corners that turns as bars do.
func circle(c pt, radius float64, n int) []pt {
	path := make([]pt, n)
	for i := range path {
		s, k := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		path[i] = pt{c.x + float64(radius*k), c.y + float64(radius*s)}
	}
	return path
}

func reversed(path []pt) []pt {
	out := make([]pt, len(path))
	for i, q := range path {
		out[len(path)-1-i] = q
	}
	return out
}

// shape is the outline of a marker; size is the diameter of the disc that looks as large.
func shape(m Marker, c pt, size float64) [][]pt {
	r := size / 2
	poly := func(corners ...float64) []pt {
		path := make([]pt, 0, len(corners)/2)
		for i := 0; i < len(corners); i += 2 {
			path = append(path, pt{c.x + float64(corners[i]*r), c.y + float64(corners[i+1]*r)})
		}
		return path
	}
	const thin, wide = 0.3, 1.1
	switch m {
	case Square:
		return [][]pt{poly(-.88, -.88, .88, -.88, .88, .88, -.88, .88)}
	case Triangle:
		return [][]pt{poly(0, -1.2, 1.1, .8, -1.1, .8)}
	case Wedge:
		return [][]pt{poly(0, 1.2, -1.1, -.8, 1.1, -.8)}
	case Diamond:
		return [][]pt{poly(0, -1.25, 1.25, 0, 0, 1.25, -1.25, 0)}
	case Plus:
		return [][]pt{poly(-thin, -wide, thin, -wide, thin, -thin, wide, -thin, wide, thin, thin, thin, thin, wide, -thin, wide, -thin, thin, -wide, thin, -wide, -thin, -thin, -thin)}
	case Cross:
		const a, b = .72, 1.1 // an arm's inner and outer corners, turned by an eighth
		return [][]pt{poly(-b, -a, -a, -b, 0, a-b, a, -b, b, -a, b-a, 0, b, a, a, b, 0, b-a, -a, b, -b, a, a-b, 0)}
	case Ring:
		return [][]pt{circle(c, r*1.1, 24), reversed(circle(c, r*.62, 24))}
	case NoMarker:
		return nil
	}
	return [][]pt{circle(c, r, 20)}
}
