package demo

// zone says what tissue a pixel shows before nuclei are laid over it.
type zone uint8

const (
	stroma zone = iota
	epithelium
	lumen
	tuft   // the capillary ball of a glomerulus
	islet  // endocrine cells, pale and crowded
	muscle // wall of a small artery
	blood  // inside of a vessel
	ductal // lining of a duct
	crowd  // lymphocytes in the stroma
	cleft  // a white crack between lobules
)

// spot is a round structure laid over the packing: a glomerulus, an islet, a vessel, a duct, an infiltrate.
type spot struct {
	kind    zone // tuft, islet, muscle, ductal or crowd
	y, x, r float64
}

// ground is the tissue of one slide, pixel by pixel, row by row.
type ground struct {
	side  int
	zone  []zone
	depth []float64 // pixels below the edge of the structure that the pixel belongs to
	who   []int     // follicle, for epithelium and lumen
	pack  *packing
}

// lay works the ground out from a slide's recipe.
func lay(s slide) *ground {
	g := &ground{side: tile, zone: make([]zone, tile*tile), depth: make([]float64, tile*tile), who: make([]int, tile*tile)}
	g.pack = pack(s.seed, tile, s.spacing, s.follicle)
	spreadOut(tile, func(y int) {
		for x := range tile {
			i := y*tile + x
			g.zone[i], g.depth[i], g.who[i] = g.site(s, float64(y), float64(x))
		}
	})
	return g
}

// site decides one pixel: spots first, then clefts, then the packing.
func (g *ground) site(s slide, y, x float64) (zone, float64, int) {
	wander := cloud2(s.seed+11, y, x, 60)
	margin := 1e9 // distance to the nearest spot's edge, from outside
	for k, sp := range s.spots {
		ragged := 0.10
		if sp.kind == crowd {
			ragged = 0.5
		}
		in := sp.r - length(y-sp.y, x-sp.x) + float64(float64(ragged*sp.r)*wander)
		if in > 0 {
			return g.inSpot(s, sp, uint64(k), y, x, in)
		}
		if sp.kind != crowd {
			margin = min(margin, -in)
		}
	}
	gap := s.gap + float64(0.5*s.gap*cloud2(s.seed+12, y, x, 90))
	who, depth, lobule := g.pack.at(y, x)
	depth = smoothMin(depth-gap, margin-gap, 14)
	if s.cleft > 0 {
		half := float64(s.cleft * (0.75 + float64(0.9*cloud2(s.seed+13, y, x, 70))))
		if lobule < half && margin > 8 {
			return cleft, half - lobule, who
		}
		depth = smoothMin(depth, lobule-half-3, 8)
	}
	if depth < 0 {
		return stroma, -depth, who
	}
	f := g.pack.sites[who]
	edge := f.thick + float64(5*noise2(s.seed+16, y, x, 9)) + float64(6*noise2(s.seed+17, y, x, 28))
	if depth > edge {
		return lumen, depth - edge, who
	}
	return epithelium, depth, who
}

// inSpot decides a pixel inside a round structure, in pixels below its edge.
func (g *ground) inSpot(s slide, sp spot, k uint64, y, x, in float64) (zone, float64, int) {
	switch sp.kind {
	case tuft:
		// Bowman's capsule, a white space of uneven width, then the lobed capillary ball.
		space := 15 + float64(11*cloud2(s.seed+20+k, y, x, 75))
		lobes := in - space - float64(8*noise2(s.seed+30+k, y, x, 34))
		switch {
		case in < 4:
			return stroma, in, 0
		case lobes < 0:
			return lumen, min(in-4, -lobes), 0
		case noise2(s.seed+40+k, y, x, 15) > 0.52:
			return lumen, 2, 0 // an open capillary loop
		}
		return tuft, lobes, 0
	case muscle, ductal:
		thick := 22.0
		if sp.kind == muscle {
			thick = 0.42 * sp.r
		}
		thick += float64(4 * noise2(s.seed+50+k, y, x, 24))
		if in > thick {
			if sp.kind == muscle {
				return blood, in - thick, 0
			}
			return lumen, in - thick, 0
		}
		return sp.kind, in, 0
	}
	return sp.kind, in, 0
}

// normal is the direction in which depth grows, from differences over a few pixels; zero where it is flat.
func (g *ground) normal(y, x int) (ny, nx float64) {
	at := func(y, x int) float64 {
		y, x = max(0, min(g.side-1, y)), max(0, min(g.side-1, x))
		i := y*g.side + x
		if g.zone[i] == stroma || g.zone[i] == cleft {
			return -g.depth[i]
		}
		return g.depth[i]
	}
	ny, nx = at(y+4, x)-at(y-4, x), at(y, x+4)-at(y, x-4)
	if n := length(ny, nx); n > 1e-6 {
		return ny / n, nx / n
	}
	return 0, 0
}
