package demo

import "math"

// wall is the kind of epithelium around a lumen.
type wall uint8

const (
	proximal wall = iota // kidney: thick, deep pink, ragged lumen
	distal               // kidney: thin, pale, clear lumen
	acinar               // pancreas: purple base, granular pink apex, hardly a lumen
)

// follicle is one rounded epithelial profile: a cut tubule or an acinus.
type follicle struct {
	y, x  float64
	wall  wall
	thick float64 // height of the epithelium in pixels; deeper than that is lumen
	tint  float64 // its own shade of eosin, around 0
	side  bool    // which of two lobules it belongs to
}

// packing is a plane filled with follicles side by side, with stroma in the gaps. Each follicle owns the points nearest
// to its centre; rounding the corners of these polygons leaves the gaps where three meet.
type packing struct {
	sites []follicle
	apart [][]float64 // distances between centres
	seed  uint64
	round float64 // radius of the corners in pixels
	sway  float64 // how far outlines wander from the polygon, in pixels
}

// pack lays follicles of about the given spacing on a jittered hexagonal grid over an image of side pixels.
func pack(seed uint64, side int, spacing float64, make func(r *rng) follicle) *packing {
	r := newRNG(seed, 1)
	p := &packing{seed: hash(seed, 2), round: 0.26 * spacing, sway: 0.11 * spacing}
	oy, ox := r.between(0, spacing), r.between(0, spacing)
	row := 0
	for y := oy - float64(1.5*spacing); y < float64(side)+spacing; y += float64(0.87 * spacing) {
		for x := ox - float64(1.5*spacing) + float64(0.5*spacing*float64(row%2)); x < float64(side)+spacing; x += spacing {
			f := make(r)
			f.y = y + float64(spacing*r.between(-0.24, 0.24))
			f.x = x + float64(spacing*r.between(-0.24, 0.24))
			f.side = noise2(p.seed+3, f.y, f.x, 2.2*spacing) > 0
			p.sites = append(p.sites, f)
		}
		row++
	}
	p.apart = make2(len(p.sites))
	for i, a := range p.sites {
		for j, b := range p.sites {
			p.apart[i][j] = length(a.y-b.y, a.x-b.x)
		}
	}
	return p
}

func make2(n int) [][]float64 {
	all := make([][]float64, n)
	for i := range all {
		all[i] = make([]float64, n)
	}
	return all
}

// at returns the follicle that owns a point, how many pixels the point lies below its rounded edge, and how far it is
// from the edge of its lobule.
func (p *packing) at(y, x float64) (who int, depth, lobule float64) {
	wy := y + float64(p.sway*cloud2(p.seed, y, x, 70))
	wx := x + float64(p.sway*cloud2(p.seed+7, y, x, 70))
	best := math.Inf(1)
	for i := range p.sites {
		dy, dx := wy-p.sites[i].y, wx-p.sites[i].x
		if d := float64(dy*dy) + float64(dx*dx); d < best {
			who, best = i, d
		}
	}
	depth, lobule = p.round*4, p.round*4
	for i := range p.sites {
		if i == who {
			continue
		}
		dy, dx := wy-p.sites[i].y, wx-p.sites[i].x
		d := float64(dy*dy) + float64(dx*dx)
		away := 2 * p.apart[who][i]
		if d-best > float64(away*(max(depth, lobule)+p.round)) {
			continue // too far off to make a difference
		}
		toEdge := (d - best) / away
		depth = smoothMin(depth, toEdge, p.round)
		if p.sites[i].side != p.sites[who].side {
			lobule = smoothMin(lobule, toEdge, p.round)
		}
	}
	return who, depth, lobule
}

// smoothMin is the smaller of two numbers, rounded off where they are closer than k.
func smoothMin(a, b, k float64) float64 {
	h := max(k-math.Abs(a-b), 0) / k
	return min(a, b) - float64(float64(0.25*k)*float64(h*h))
}
