package demo

import "math"

// zStep is about how many slices a pixel's width makes: slices are thicker than pixels are wide.
const zStep = 0.4

// object is what the edits need to know of an instance: its centroid, its size and its bounding box, half open.
type object struct {
	z, y, x                float64
	size                   int
	z0, y0, x0, z1, y1, x1 int
}

// objects measures the instances; the label is the index, entry 0 is empty.
func (l labels) objects() []object {
	all := make([]object, l.count()+1)
	for i, v := range l.ID {
		if v == 0 {
			continue
		}
		z, y, x := l.place(i)
		o := &all[v]
		if o.size == 0 {
			o.z0, o.y0, o.x0 = z, y, x
		}
		o.size++
		o.z, o.y, o.x = o.z+float64(z), o.y+float64(y), o.x+float64(x)
		o.z0, o.y0, o.x0 = min(o.z0, z), min(o.y0, y), min(o.x0, x)
		o.z1, o.y1, o.x1 = max(o.z1, z+1), max(o.y1, y+1), max(o.x1, x+1)
	}
	for v := range all {
		if o := &all[v]; o.size > 0 {
			n := float64(o.size)
			o.z, o.y, o.x = o.z/n, o.y/n, o.x/n
		}
	}
	return all
}

// each visits the pixels of the instance v, whose object this is.
func (o object) each(l labels, v uint16, do func(z, y, x int)) {
	for z := o.z0; z < o.z1; z++ {
		for y := o.y0; y < o.y1; y++ {
			for x := o.x0; x < o.x1; x++ {
				if l.ID[l.index(z, y, x)] == v {
					do(z, y, x)
				}
			}
		}
	}
}

// radius is that of the disc of the same area, or about that of the ball of the same volume.
func (o object) radius(flat bool) float64 {
	if flat {
		return math.Sqrt(float64(o.size) / 3.14159)
	}
	r := 1.0
	for float64(4.19*float64(r*float64(r*r))) < float64(o.size) {
		r += 0.25
	}
	return r
}

// invent adds false objects, as a share of the instances: copies of real outlines, turned over, set down beside real
// objects where the truth has nothing.
func (l *labels) invent(r *rng, objects []object, part float64) {
	n := len(objects) - 1
	fresh, want := uint16(l.count()), share(n, part)
	source := l.clone()
	for range want * 400 {
		if want == 0 {
			return
		}
		v := uint16(1 + r.below(n))
		o, by := objects[v], objects[1+r.below(n)]
		away := float64((o.radius(l.Flat) + by.radius(l.Flat)) * r.between(1, 1.7))
		uz, uy, ux := r.direction3()
		dz, dy, dx := by.z-o.z+float64(float64(uz*away)*zStep), by.y-o.y+float64(uy*away), by.x-o.x+float64(ux*away)
		if l.Flat {
			dz = 0
		}
		if l.stamp(source, o, v, fresh+1, nearest(dz), nearest(dy), nearest(dx)) {
			fresh++
			want--
		}
	}
}

// stamp copies an instance, mirrored about its box, to another place if all of it is background; false if it is not, or if
// too little of it would lie inside the image.
func (l *labels) stamp(source labels, o object, v, as uint16, dz, dy, dx int) bool {
	var to []int
	for z := o.z0; z < o.z1; z++ {
		for y := o.y0; y < o.y1; y++ {
			for x := o.x0; x < o.x1; x++ {
				if source.ID[source.index(z, y, x)] != v {
					continue
				}
				tz, ty, tx := z+dz, o.y0+o.y1-1-y+dy, o.x0+o.x1-1-x+dx
				if tz < 0 || ty < 0 || tx < 0 || tz >= l.D || ty >= l.H || tx >= l.W {
					continue
				}
				i := l.index(tz, ty, tx)
				if l.ID[i] != 0 {
					return false
				}
				to = append(to, i)
			}
		}
	}
	if len(to) < o.size*3/4 || len(to) == 0 {
		return false
	}
	for _, i := range to {
		l.ID[i] = as
	}
	return true
}

// stray redraws all outlines with the errors of an unsteady hand: each pixel takes the label found a little way off, in a
// direction that changes slowly over the image.
func (l labels) stray(seed uint64, h habits) labels {
	out := newLabels(l.D, l.H, l.W)
	z0, z1, y0, y1, x0, x1 := l.extent(int(2*h.wobble) + 4)
	spreadOut(z1-z0, func(k int) {
		z := z0 + k
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				pz, py, px := float64(z)/zStep, float64(y), float64(x)
				sz, sy, sx := h.shift[0], h.shift[1], h.shift[2]
				if l.D == 1 {
					sy += float64(h.wobble * noise2(seed, py, px, h.reach))
					sx += float64(h.wobble * noise2(seed+1, py, px, h.reach))
				} else {
					sy += float64(h.wobble * noise3(seed, pz, py, px, h.reach))
					sx += float64(h.wobble * noise3(seed+1, pz, py, px, h.reach))
					sz += float64(float64(zStep*h.wobble) * noise3(seed+2, pz, py, px, h.reach))
				}
				out.ID[l.index(z, y, x)] = l.at(z-nearest(sz), y-nearest(sy), x-nearest(sx))
			}
		}
	})
	return out
}

func nearest(v float64) int { return int(math.Floor(v + 0.5)) }

// extent is the box of all instances with a margin, cut to the image.
func (l labels) extent(margin int) (z0, z1, y0, y1, x0, x1 int) {
	z0, y0, x0 = l.D, l.H, l.W
	for _, o := range l.objects() {
		if o.size > 0 {
			z0, y0, x0 = min(z0, o.z0), min(y0, o.y0), min(x0, o.x0)
			z1, y1, x1 = max(z1, o.z1), max(y1, o.y1), max(x1, o.x1)
		}
	}
	return max(0, z0-margin), min(l.D, z1+margin), max(0, y0-margin), min(l.H, y1+margin), max(0, x0-margin), min(l.W, x1+margin)
}

// grow lets instances spread by one pixel a round into the background, the lowest label first; negative rounds shrink
// them by one pixel each, also where two touch.
func (l labels) grow(rounds int) {
	for ; rounds != 0; rounds -= sign(rounds) {
		old := l.clone()
		var near []int
		for i, v := range old.ID {
			if rounds > 0 && v != 0 || rounds < 0 && v == 0 {
				continue
			}
			near = l.neighbours(i, near[:0])
			for _, j := range near {
				w := old.ID[j]
				switch {
				case rounds > 0 && w != 0 && (l.ID[i] == 0 || w < l.ID[i]):
					l.ID[i] = w
				case rounds < 0 && w != v:
					l.ID[i] = 0
				}
			}
		}
	}
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// tidyParts clears loose crumbs below the given size in pixels and leaves the rest as it is.
func (l labels) tidyParts(smallest int) {
	part, sizes, _ := l.parts()
	for i := range l.ID {
		if sizes[part[i]] < smallest {
			l.ID[i] = 0
		}
	}
}

// halved is the image at half its size: every second pixel along Y and X.
func (l labels) halved() labels {
	out := newLabels(l.D, l.H/2, l.W/2)
	out.Flat = l.Flat
	for i := range out.ID {
		z, y, x := out.place(i)
		out.ID[i] = l.ID[l.index(z, 2*y, 2*x)]
	}
	return out
}
