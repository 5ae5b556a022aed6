package demo

import "math"

// nucleus is one nucleus, or one red blood cell, on a slide. Lengths in pixels.
type nucleus struct {
	y, x   float64
	a, b   float64 // half axes
	ay, ax float64 // unit vector along a
	seed   uint64
	look   look
}

// look says how a nucleus takes the stain.
type look struct {
	stain   float64 // haematoxylin density
	clumps  float64 // contrast of its chromatin
	open    float64 // how much paler its middle is
	nucleol bool    // with a nucleolus
	ragged  float64 // how far the outline departs from an ellipse, as a share of b
	red     bool    // a red blood cell: no nucleus, no label
}

// kindOfNucleus is what may be found at a place: size, shape and elbow room.
type kindOfNucleus struct {
	a, b  [2]float64 // range of half axes
	room  float64    // distance to keep between centres, as a share of the sum of the mean radii
	along float64    // 1: long axis along the edge of the structure, 0: any direction
	look  look
}

var (
	roundNucleus    = kindOfNucleus{[2]float64{9.5, 12.5}, [2]float64{8.5, 10.8}, 1.28, 0, look{stain: 0.80, clumps: 0.36, open: 0.22, nucleol: true, ragged: 0.16}}
	acinarNucleus   = kindOfNucleus{[2]float64{9, 11.5}, [2]float64{8.3, 10}, 1.18, 0, look{stain: 0.88, clumps: 0.42, open: 0.18, nucleol: true, ragged: 0.15}}
	spindleNucleus  = kindOfNucleus{[2]float64{11, 18}, [2]float64{3.4, 5}, 1.35, 1, look{stain: 1.05, clumps: 0.26, ragged: 0.34}}
	tuftNucleus     = kindOfNucleus{[2]float64{8, 12.5}, [2]float64{5.5, 8.5}, 1.16, 0, look{stain: 0.98, clumps: 0.34, open: 0.08, ragged: 0.26}}
	isletNucleus    = kindOfNucleus{[2]float64{8, 10}, [2]float64{7.2, 9}, 1.06, 0, look{stain: 0.82, clumps: 0.50, open: 0.05, ragged: 0.15}}
	lymphocyte      = kindOfNucleus{[2]float64{7, 9.5}, [2]float64{6.4, 8.2}, 0.93, 0, look{stain: 1.22, clumps: 0.40, ragged: 0.14}}
	muscleNucleus   = kindOfNucleus{[2]float64{10, 16}, [2]float64{3.2, 4.6}, 1.2, 1, look{stain: 0.95, clumps: 0.25, ragged: 0.28}}
	ductNucleus     = kindOfNucleus{[2]float64{8.5, 10.5}, [2]float64{6.5, 8}, 0.96, 0, look{stain: 0.92, clumps: 0.34, open: 0.12, ragged: 0.18}}
	redCell         = kindOfNucleus{[2]float64{9.5, 11.5}, [2]float64{8.5, 10.5}, 0.9, 0, look{red: true, ragged: 0.18}}
	nucleusKindZone = map[zone]kindOfNucleus{tuft: tuftNucleus, islet: isletNucleus, ductal: ductNucleus, crowd: lymphocyte}
)

// scatter throws darts at the ground and keeps those that land where a nucleus may lie with elbow room around it.
func scatter(s slide, g *ground) []nucleus {
	r := newRNG(s.seed, 5)
	var all []nucleus
	for range 9000 {
		y, x := r.between(-5, tile+5), r.between(-5, tile+5)
		iy, ix := int(clamp(y, 0, tile-1)), int(clamp(x, 0, tile-1))
		kind, ok := s.kindAt(g, iy, ix, r)
		if !ok {
			continue
		}
		n := nucleus{y: y, x: x, a: r.between(kind.a[0], kind.a[1]), b: r.between(kind.b[0], kind.b[1]), seed: r.next(), look: kind.look}
		n.look.stain += r.between(-0.22, 0.16)
		n.look.nucleol = n.look.nucleol && r.chance(0.6)
		n.ay, n.ax = r.direction()
		if kind.along > 0 {
			if ny, nx := g.normal(iy, ix); ny != 0 || nx != 0 {
				n.ay, n.ax = -nx, ny
			}
		}
		room := kind.room
		if noise2(s.seed+8, y, x, 45) > 0.12 {
			room = min(room, 0.90) // here and there neighbours press on each other
		}
		if free(all, n, room) {
			all = append(all, n)
		}
	}
	return all
}

// kindAt tells what may lie at a pixel of the ground.
func (s slide) kindAt(g *ground, y, x int, r *rng) (kindOfNucleus, bool) {
	i := y*tile + x
	z, depth := g.zone[i], g.depth[i]
	switch z {
	case epithelium:
		if f := g.pack.sites[g.who[i]]; f.wall == acinar {
			return acinarNucleus, depth > 9 && depth < 21
		} else if f.wall == distal {
			return roundNucleus, depth > 11 && depth < f.thick-9
		}
		return roundNucleus, depth > 12 && depth < 27
	case stroma:
		if depth > 6 && noise2(s.seed+9, float64(y), float64(x), 75) > 0.45 && r.chance(s.redCells) {
			return redCell, true
		}
		return spindleNucleus, r.chance(s.spindles)
	case muscle:
		return muscleNucleus, depth > 4 && r.chance(0.5)
	case blood:
		return redCell, depth > 9 && r.chance(0.6)
	case ductal:
		return ductNucleus, depth > 8 && depth < 15
	case tuft, islet, crowd:
		// Patchy: packed in some places, thin in others.
		here := 0.55 + float64(0.9*noise2(s.seed+10, float64(y), float64(x), 48))
		return nucleusKindZone[z], depth > 4 && r.chance(clamp(here, 0.004, 0.5))
	}
	return kindOfNucleus{}, false
}

// free tells whether a nucleus keeps its distance from all others.
func free(all []nucleus, n nucleus, room float64) bool {
	mine := math.Sqrt(float64(n.a * n.b))
	for i := range all {
		o := &all[i]
		dy, dx := n.y-o.y, n.x-o.x
		reach := float64(room * (mine + math.Sqrt(float64(o.a*o.b))))
		if float64(dy*dy)+float64(dx*dx) < float64(reach*reach) {
			return false
		}
	}
	return true
}

// below is how many pixels a point lies inside the outline (negative outside), to within a pixel or so.
func (n *nucleus) below(y, x float64) float64 {
	bend := float64(n.look.ragged * n.b)
	dy := y - n.y + float64(bend*noise2(n.seed, y, x, 13))
	dx := x - n.x + float64(bend*noise2(n.seed+1, y, x, 13))
	u := (float64(dy*n.ay) + float64(dx*n.ax)) / n.a
	v := (float64(dx*n.ay) - float64(dy*n.ax)) / n.b
	return float64((1 - length(u, v)) * n.b)
}

// mask says for each pixel which nucleus lies there (its index + 1, red cells included) and how deep below its outline.
// Where two overlap the deeper one wins, so that neighbours share a border.
func mask(all []nucleus) (id []uint16, depth []float64) {
	id, depth = make([]uint16, tile*tile), make([]float64, tile*tile)
	for i := range depth {
		depth[i] = -9
	}
	for k := range all {
		n := &all[k]
		reach := n.a + 5
		for y := int(max(0, n.y-reach)); y <= int(min(tile-1, n.y+reach)); y++ {
			for x := int(max(0, n.x-reach)); x <= int(min(tile-1, n.x+reach)); x++ {
				i := y*tile + x
				if d := n.below(float64(y), float64(x)); d > depth[i] {
					depth[i], id[i] = d, uint16(k+1)
				}
			}
		}
	}
	return id, depth
}
