package demo

import (
	"math"
	"sync"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

const (
	cortexSide  = 72
	cortexPixel = 0.975 // micrometres
	cortexStep  = 2.0
	cortexSeed  = 0x76736c
)

var cortexNames = []string{"control204_r_RA", "control218_r_RA", "control608_r_RA", "control640_r_RA", "control641_r_RA", "control642_r_RA"}

func vessels() task {
	return task{id: vesselsTask,
		look: "Look at a maximum projection or at three planes at once. \"bright-only\" finds the large vessels and loses the capillaries: Dice stays fair, clDice does not. " +
			"\"reversed\" has the careful agent's masks with the axes X, Y, Z: the size is right, since the volumes are cubes, the vessels are not.",
		roles: []role{
			{"careful", "Follows capillaries too; walls off by a voxel at places, a few branches missed."},
			{"bright-only", "One threshold: large vessels swell, capillaries vanish, stripes of the light sheet stay."},
			{"reversed", "The careful agent's masks written with the axes in the order X, Y, Z."},
		},
		jobs: vesselsJobs}
}

func vesselsJobs(t task) []job {
	var jobs []job
	for i, name := range cortexNames {
		v := sync.OnceValue(func() *vasculature { return sprout(uint64(i)) })
		volume := func(make func() []uint8) func() pixel.Array {
			return func() pixel.Array { return array("ZYX", make(), cortexSide, cortexSide, cortexSide) }
		}
		mask := name + "_mask.tiff"
		careful := sync.OnceValue(func() []uint8 { return v().careful() })
		jobs = append(jobs, jobOf(
			tiffLeaf(t.input(name+".tiff"), tiff.EncodeOptions{}, func() pixel.Array {
				return array("ZYX", as[uint16](v().image()), cortexSide, cortexSide, cortexSide)
			}),
			tiffLeaf(t.truth("Binary_"+name+".tiff"), tiff.EncodeOptions{}, volume(func() []uint8 { return v().fill(v().vessels, 1) })),
			tiffLeaf(t.answer(0, "vessel_masks", mask), tiff.EncodeOptions{}, volume(careful)),
			tiffLeaf(t.answer(1, "vessel_masks", mask), tiff.EncodeOptions{}, volume(func() []uint8 { return v().above() })),
			tiffLeaf(t.answer(2, "vessel_masks", mask), tiff.EncodeOptions{}, volume(func() []uint8 { return turnedRound(careful()) })),
		))
	}
	jobs = append(jobs, jobOf(bytesLeaf(t.answer(0, "vessel_morphology", "vessel_morphology.csv"), morphology)))
	return jobs
}

// tube is a vessel: points about a micrometre apart, in micrometres, and its radius.
type tube struct {
	points []point
	r      float64
}

// length is that of the tube in micrometres.
func (v tube) length() float64 { return float64(len(v.points)) * 1.0 }

// vasculature is the truth of a volume.
type vasculature struct {
	seed    uint64
	vessels []tube
}

// sprout grows two large vessels and capillaries that branch off and wander through the volume.
func sprout(number uint64) *vasculature {
	t := &vasculature{seed: hash(cortexSeed, number)}
	r := newRNG(t.seed)
	const high, wide = cortexSide * cortexStep, cortexSide * cortexPixel
	for range 2 {
		t.grow(r, point{r.between(10, high-10), -2, r.between(12, wide-12)}, point{r.between(-0.5, 0.5), 1, r.between(-0.4, 0.4)}, r.between(2.8, 4.2), 160, 0.09)
	}
	for range 64 {
		from := t.vessels[r.below(len(t.vessels))]
		p := from.points[r.below(len(from.points))]
		z, y, x := r.direction3()
		t.grow(r, p, point{z, y, x}, r.between(1.3, 1.9), 30+r.below(90), 0.2)
	}
	return t
}

// grow adds a vessel from a place in a direction, which changes from point to point.
func (t *vasculature) grow(r *rng, p, along point, radius float64, steps int, unrest float64) {
	const high, wide = cortexSide * cortexStep, cortexSide * cortexPixel
	v := tube{r: radius}
	for range steps {
		n := math.Sqrt(float64(along.z*along.z) + float64(along.y*along.y) + float64(along.x*along.x))
		along = point{along.z / n, along.y / n, along.x / n}
		p = point{p.z + along.z, p.y + along.y, p.x + along.x}
		if p.z < -6 || p.x < -6 || p.y < -6 || p.z > high+6 || p.y > wide+6 || p.x > wide+6 {
			break
		}
		v.points = append(v.points, p)
		along.z += float64(unrest * r.normal())
		along.y += float64(unrest * r.normal())
		along.x += float64(unrest * r.normal())
	}
	if len(v.points) > 3 {
		t.vessels = append(t.vessels, v)
	}
}

// each visits the voxels within a distance of a vessel's points, in micrometres.
func (v tube) each(reach float64, do func(i int, away float64)) {
	for _, p := range v.points {
		for z := max(0, int(math.Ceil((p.z-reach)/cortexStep))); z < cortexSide && float64(z)*cortexStep <= p.z+reach; z++ {
			for y := max(0, int(math.Ceil((p.y-reach)/cortexPixel))); y < cortexSide && float64(y)*cortexPixel <= p.y+reach; y++ {
				for x := max(0, int(math.Ceil((p.x-reach)/cortexPixel))); x < cortexSide && float64(x)*cortexPixel <= p.x+reach; x++ {
					dz, dy, dx := float64(float64(z)*cortexStep)-p.z, float64(float64(y)*cortexPixel)-p.y, float64(float64(x)*cortexPixel)-p.x
					if far := math.Sqrt(float64(dz*dz) + float64(dy*dy) + float64(dx*dx)); far <= reach {
						do((z*cortexSide+y)*cortexSide+x, far)
					}
				}
			}
		}
	}
}

// fill is the mask of vessels whose radius is taken for so many times the true one.
func (t *vasculature) fill(vessels []tube, times float64) []uint8 {
	out := make([]uint8, cortexSide*cortexSide*cortexSide)
	for _, v := range vessels {
		v.each(v.r*times, func(i int, _ float64) { out[i] = 1 })
	}
	return out
}

// image is the light-sheet volume: thick vessels bright, thin ones dim, haze, stripes along x, noise.
func (t *vasculature) image() []float64 {
	light := make([]float64, cortexSide*cortexSide*cortexSide)
	for _, v := range t.vessels {
		bright := 120 + float64(260*v.r)
		v.each(v.r+2, func(i int, away float64) {
			light[i] = max(light[i], float64(bright*(1-ramp(away, v.r-1, v.r+1.8))))
		})
	}
	spreadOut(cortexSide, func(z int) {
		l := newLight(cortexSide, cortexSide, 420)
		for y := range cortexSide {
			stripe := float64(110 * ramp(noise2(t.seed+2, float64(y), float64(z), 4), 0.15, 0.6))
			for x := range cortexSide {
				i := y*cortexSide + x
				haze := float64(150 * noise3(t.seed+3, float64(z), float64(y), float64(x), 30))
				l.v[i] += light[z*cortexSide*cortexSide+i] + haze + stripe + float64(45*noise3(t.seed+4, float64(z), float64(y), float64(x), 4))
			}
		}
		l.blur(1)
		copy(light[z*cortexSide*cortexSide:], l.expose(camera{read: 16, shot: 1.1, top: 65535}, t.seed+5, z))
	})
	return light
}

// careful misses some capillaries and takes walls a little too wide or too narrow.
func (t *vasculature) careful() []uint8 {
	r := newRNG(t.seed, 7)
	var seen []tube
	for _, v := range t.vessels {
		if v.r < 2 && r.chance(0.1) {
			continue
		}
		v.r = float64(v.r * r.between(0.9, 1.12))
		seen = append(seen, v)
	}
	l := newLabels(cortexSide, cortexSide, cortexSide)
	for i, v := range t.fill(seen, 1) {
		l.ID[i] = uint16(v)
	}
	l = l.stray(t.seed+8, habits{wobble: 0.9, reach: 5})
	out := make([]uint8, len(l.ID))
	for i, v := range l.ID {
		out[i] = uint8(v)
	}
	return out
}

// above is the volume over one threshold.
func (t *vasculature) above() []uint8 {
	out := make([]uint8, cortexSide*cortexSide*cortexSide)
	for i, v := range t.image() {
		if v > 905 {
			out[i] = 1
		}
	}
	return out
}

// turnedRound is a volume with its axes in reverse order.
func turnedRound(v []uint8) []uint8 {
	out := make([]uint8, len(v))
	for i, w := range v {
		z, y, x := i/(cortexSide*cortexSide), i/cortexSide%cortexSide, i%cortexSide
		out[(x*cortexSide+y)*cortexSide+z] = w
	}
	return out
}

// morphology is the careful agent's table of measures.
func morphology() []byte {
	s := sheet{head: []string{"sample_id", "total_length_um", "n_branches", "mean_diameter_um", "vessel_volume_fraction"}}
	for i, name := range cortexNames {
		t := sprout(uint64(i))
		long, wide, filled := 0.0, 0.0, 0
		for _, v := range t.vessels {
			long, wide = long+v.length(), wide+float64(2*v.r)
		}
		for _, v := range t.careful() {
			filled += int(v)
		}
		n := float64(len(t.vessels))
		s.row(name, round(long, 1), len(t.vessels), round(wide/n, 2), round(float64(filled)/(cortexSide*cortexSide*cortexSide), 4))
	}
	return s.csv()
}
