package demo

import "fmt"

// tile is the side of a slide image in pixels.
const tile = 512

// slide is the recipe of one H&E image.
type slide struct {
	name     string
	seed     uint64
	spacing  float64 // between follicle centres, pixels
	gap      float64 // half width of the stroma between follicles
	cleft    float64 // half width of the cracks between lobules, 0: none
	spindles float64 // how willingly stroma holds a nucleus
	redCells float64
	follicle func(r *rng) follicle
	spots    []spot
	stain    stain
	soft     int // passes of the 3 x 3 blur: the focus
}

// slides are the ten images of the task: crowded and sparse, pale and strong, sharp and soft.
func slides() []slide {
	kidney := slide{spacing: 168, gap: 6, spindles: 0.022, redCells: 0.5, follicle: tubule, soft: 1}
	pancreas := slide{spacing: 112, gap: 1.5, cleft: 5, spindles: 0.03, follicle: acinus, soft: 1}
	all := []slide{
		kidney.with(spot{tuft, 330, 170, 165}).dyed(stain{1, 1, 0, 0}),
		kidney.with().spaced(150, 8).dyed(stain{0.9, 1.1, 0.02, 0.01}),
		kidney.with(spot{crowd, 190, 330, 130}, spot{muscle, 400, 90, 62}).spaced(165, 9).dyed(stain{1.08, 0.88, 0, -0.02}),
		kidney.with(spot{tuft, 60, 420, 190}).spaced(140, 5).dyed(stain{1.12, 1.15, -0.03, 0.02}).blurred(2),
		kidney.with().spaced(200, 12).dyed(stain{0.84, 0.82, 0.03, 0}),
		pancreas.with(spot{islet, 250, 290, 120}).dyed(stain{1, 1, 0, 0}),
		pancreas.with(spot{ductal, 150, 370, 74}).spaced(118, 2).dyed(stain{0.92, 1.08, 0.02, 0.02}),
		pancreas.with().spaced(104, 1).dyed(stain{1.1, 0.95, -0.02, -0.01}).blurred(2),
		pancreas.with(spot{crowd, 380, 120, 120}, spot{muscle, 120, 130, 54}).spaced(120, 3).dyed(stain{1.04, 0.9, 0, 0.02}),
		pancreas.with(spot{islet, 110, 90, 130}, spot{islet, 440, 430, 85}).dyed(stain{0.86, 0.86, 0.03, -0.01}),
	}
	for i := range all {
		organ := "kidney"
		if i >= 5 {
			organ = "pancreas"
		}
		all[i].name = fmt.Sprintf("human_%s_%02d", organ, i%5+1)
		all[i].seed = hash(0x4e55, uint64(i))
	}
	return all
}

func (s slide) with(spots ...spot) slide { s.spots = spots; return s }
func (s slide) dyed(d stain) slide       { s.stain = d; return s }
func (s slide) blurred(n int) slide      { s.soft = n; return s }
func (s slide) spaced(spacing, gap float64) slide {
	s.spacing, s.gap = spacing, gap
	return s
}

func tubule(r *rng) follicle {
	if r.chance(0.58) {
		return follicle{wall: proximal, thick: r.between(38, 54), tint: r.between(-0.06, 0.10)}
	}
	return follicle{wall: distal, thick: r.between(25, 32), tint: r.between(-0.06, 0.06)}
}

func acinus(r *rng) follicle {
	return follicle{wall: acinar, thick: r.between(41, 53), tint: r.between(-0.08, 0.08)}
}

// picture is one finished slide: RGB rows and the truth.
type picture struct {
	rgb   []uint8
	truth labels
}

// paint makes a slide: ground, nuclei, stain, focus, camera.
func paint(s slide) picture {
	g := lay(s)
	nuclei := scatter(s, g)
	id, depth := mask(nuclei)
	dye := s.tint(g, nuclei, id, depth)
	for range s.soft {
		dye.soften()
	}
	truth := newLabels(1, tile, tile)
	for i, k := range id {
		if k > 0 && depth[i] > 0 && !nuclei[k-1].look.red {
			truth.ID[i] = k
		}
	}
	truth.tidy(45)
	return picture{rgb: dye.expose(s), truth: truth}
}
