package demo

import "math"

// The stack of the demo: 64 slices of 256 x 256, with the real data's ratio of z step to pixel size.
const (
	stackD, stackH, stackW = 64, 256, 256
	stackPixelUM           = 0.33
	stackStepUM            = 0.75
	stackName              = "5C0F3A71D2_8bit_lynEGFP"
	stackSeed              = 0x6c6c70
)

// Lengths of the tissue in micrometres. It lies along x with its leading end on the right and bends along y.
const (
	halfLong, halfWide, halfHigh = 38.5, 19.0, 12.5
	midZ, midY, midX             = 23.0, 42.0, 42.0
)

// point is a place in micrometres.
type point struct{ z, y, x float64 }

// cells are seeds of a Voronoi tessellation of the tissue in a metric that lets cells be taller than they are wide.
type cells struct {
	seeds    []point
	apart    [][]float64
	rosettes []point
}

// tall is how much less a step along z counts than one in the plane.
const tall = 0.62

func span(a, b point) float64 {
	dz, dy, dx := float64(tall*(a.z-b.z)), a.y-b.y, a.x-b.x
	return math.Sqrt(float64(dz*dz) + float64(dy*dy) + float64(dx*dx))
}

// midline is the y of the bent axis at x.
func midline(x float64) float64 {
	s := (x - midX) / halfLong
	return midY + float64(5*(float64(s*s)-0.4))
}

// inside is how far in micrometres a place lies below the smooth surface of the tissue, roughly; negative outside.
func inside(p point) float64 {
	s := (p.x - midX) / halfLong
	beyond := max(math.Abs(s)-0.985, 0) // past the ends the last cross-section goes on, further and further outside
	s = clamp(s, -0.985, 0.985)
	narrow := 1 - float64(0.16*s) // the leading end is slimmer
	s4 := float64(float64(s*s) * float64(s*s))
	scale := float64(narrow * math.Sqrt(1-s4))
	wide, high := float64(halfWide*scale), float64(halfHigh*scale)
	v := (p.y - midline(p.x)) / wide
	w := (p.z - midZ) / high
	return float64((1-math.Sqrt(float64(v*v)+float64(w*w)))*high) - float64(beyond*halfLong)
}

// settle places the cells: three rosettes, whose cells stand in rings and meet at a centre, then the rest at random
// with elbow room.
func settle() *cells {
	r := newRNG(stackSeed, 1)
	c := &cells{}
	for _, x := range []float64{17, 38, 58} {
		centre := point{midZ - 1.5 + r.between(-1, 1), midline(x) + r.between(-2, 2), x}
		c.rosettes = append(c.rosettes, centre)
		for k := range 11 {
			ny, nx := ring(k, 11)
			reach := r.between(5.2, 6.6)
			p := point{centre.z + r.between(-3.2, 3.2), centre.y + float64(reach*ny), centre.x + float64(reach*nx)}
			if inside(p) > 1.5 && c.room(p, 2.2) {
				c.seeds = append(c.seeds, p)
			}
		}
	}
	for range 40000 {
		p := point{r.between(8, 38), r.between(18, 68), r.between(2, 82)}
		spacing := 5.9
		if p.x > 66 {
			spacing = 6.8 // leaders are larger and flatter
		}
		if inside(p) > 1.6 && c.room(p, spacing) && c.clear(p) {
			c.seeds = append(c.seeds, p)
		}
	}
	c.apart = make2(len(c.seeds))
	for i, a := range c.seeds {
		for j, b := range c.seeds {
			c.apart[i][j] = span(a, b)
		}
	}
	return c
}

// ring is the k-th of n directions around a circle, by turning a vector step by step. The turn is 2 pi / 11.
func ring(k, n int) (y, x float64) {
	const cos, sin = 0.8412535328311812, 0.5406408174555976
	y, x = 0, 1
	for range k % n {
		y, x = float64(y*cos)+float64(x*sin), float64(x*cos)-float64(y*sin)
	}
	return y, x
}

// room tells whether a seed keeps its distance from all others.
func (c *cells) room(p point, spacing float64) bool {
	for _, s := range c.seeds {
		if span(p, s) < spacing {
			return false
		}
	}
	return true
}

// clear keeps random cells out of the heart of a rosette.
func (c *cells) clear(p point) bool {
	for _, m := range c.rosettes {
		if length(p.y-m.y, p.x-m.x) < 5.4 && math.Abs(p.z-m.z) < 8 {
			return false
		}
	}
	return true
}

// at returns the cell of a place, 0 outside the tissue, and the distance in micrometres to the nearest membrane.
func (c *cells) at(p point) (cell uint16, toMembrane float64) {
	below := inside(p)
	if below < -2.5 {
		return 0, 99
	}
	q := point{
		p.z + float64(0.9*noise3(stackSeed+2, p.z, p.y, p.x, 7)),
		p.y + float64(1.1*noise3(stackSeed+3, p.z, p.y, p.x, 6)),
		p.x + float64(1.1*noise3(stackSeed+4, p.z, p.y, p.x, 6)),
	}
	who, best := c.nearest(q)
	wall := 99.0
	for i, s := range c.seeds {
		if i == who {
			continue
		}
		dz, dy, dx := float64(tall*(q.z-s.z)), q.y-s.y, q.x-s.x
		d := float64(dz*dz) + float64(dy*dy) + float64(dx*dx)
		wall = min(wall, (d-best)/float64(2*c.apart[who][i]))
	}
	// Free surfaces bulge: they lie further out over the middle of a cell than over the seam between two.
	surface := below + float64(0.5*min(wall, 3)) - 0.9
	if surface <= 0 {
		return 0, -surface
	}
	return uint16(who + 1), min(wall, surface)
}

// nearest is the seed closest to a place and the square of its distance.
func (c *cells) nearest(q point) (who int, best float64) {
	best = math.Inf(1)
	for i, s := range c.seeds {
		dz, dy, dx := float64(tall*(q.z-s.z)), q.y-s.y, q.x-s.x
		if d := float64(dz*dz) + float64(dy*dy) + float64(dx*dx); d < best {
			who, best = i, d
		}
	}
	return who, best
}

// primordium makes the stack: labels first, then the light that their membranes would give.
func primordium() (stack []uint8, truth labels) {
	c := settle()
	truth = newLabels(stackD, stackH, stackW)
	light := make([]uint16, len(truth.ID)) // in 1/64 grey values, so that all blurring is done on integers
	spreadOut(stackD, func(z int) {
		for y := range stackH {
			for x := range stackW {
				p := point{float64(z) * stackStepUM, float64(y) * stackPixelUM, float64(x) * stackPixelUM}
				i := truth.index(z, y, x)
				cell, membrane := c.at(p)
				truth.ID[i] = cell
				light[i] = uint16(64 * (c.glow(p, cell, membrane) + skin(p)))
			}
		}
	})
	truth.tidy(60)
	light = spread(light, truth, stackH*stackW, []int{1, 4, 7, 4, 1})
	light = spread(light, truth, stackW, []int{1, 3, 1})
	light = spread(light, truth, 1, []int{1, 3, 1})
	return detect(light, truth), truth
}

// glow is the fluorescence at a place: membranes of varying brightness, a hot spot where a rosette's cells meet, little
// in the cells and less outside.
func (c *cells) glow(p point, cell uint16, membrane float64) float64 {
	v := 0.0
	if membrane < 0.62 {
		patch := 0.75 + float64(0.35*noise3(stackSeed+5, p.z, p.y, p.x, 9)) + float64(0.45*noise3(stackSeed+6, p.z, p.y, p.x, 1.3))
		v = 300 * clamp(patch, 0.25, 1.3) * (1 - ramp(membrane, 0.12, 0.62))
	}
	if cell > 0 {
		v += 11 + float64(5*noise3(stackSeed+7, p.z, p.y, p.x, 2.5))
		for _, m := range c.rosettes {
			if far := span(point{p.z + 2.5, p.y, p.x}, m); far < 2.6 {
				v += float64(190 * (1 - ramp(far, 0.4, 2.6)))
			}
		}
	}
	return clamp(v+2, 0, 700)
}

// skin is the faint sheet of large flat cells over the tissue; it belongs to no instance.
func skin(p point) float64 {
	level := midZ - halfHigh - 4 + float64(1.8*noise2(stackSeed+8, p.y, p.x, 40))
	off := math.Abs(p.z - level)
	if off > 1.2 {
		return 0
	}
	seam := math.Abs(noise2(stackSeed+9, p.y, p.x, 26) + float64(0.1*noise2(stackSeed+10, p.y, p.x, 6)))
	sheet := 9 + float64(58*(1-ramp(seam, 0.01, 0.05)))
	return float64(sheet * (1 - ramp(off, 0.3, 1.2)))
}

// spread blurs along one axis (the step between neighbours given) with whole-number weights; outside is dark.
func spread(v []uint16, l labels, step int, weights []int) []uint16 {
	out, half, sum := make([]uint16, len(v)), len(weights)/2, 0
	for _, w := range weights {
		sum += w
	}
	extent := map[int]int{1: l.W, l.W: l.H, l.H * l.W: l.D}[step]
	spreadOut(l.D, func(z int) {
		for i := z * l.H * l.W; i < (z+1)*l.H*l.W; i++ {
			here, total := i/step%extent, 0
			for k, w := range weights {
				if n := here + k - half; n >= 0 && n < extent {
					total += w * int(v[i+(k-half)*step])
				}
			}
			out[i] = uint16(total / sum)
		}
	})
	return out
}

// detect is the camera: light lost with depth, shot and read noise, eight bits.
func detect(light []uint16, l labels) []uint8 {
	out := make([]uint8, len(light))
	spreadOut(l.D, func(z int) {
		gain := 1.15 - float64(0.0095*float64(z))
		for y := range l.H {
			for x := range l.W {
				i := l.index(z, y, x)
				v := float64(float64(gain*float64(light[i])) / 64)
				v += float64(grain(stackSeed+11, z, y, x) * (2.2 + float64(1.15*math.Sqrt(v))))
				v += 3
				out[i] = uint8(clamp(v, 0, 255))
			}
		}
	})
	return out
}
