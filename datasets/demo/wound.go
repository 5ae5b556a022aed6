package demo

import (
	"path"
	"sync"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

const (
	woundSide     = 192
	woundHalf     = 24.0 // pixels from the middle of the wound to its edge, about
	woundInterval = 14.5 // minutes
	woundBinUM    = 8.0
	woundSeed     = 0x776e64
)

// scratch is one experiment. Speeds in micrometres per hour.
type scratch struct {
	folder, stem string
	frames       int
	first        int // columns of the reference: until the fronts meet
	pixelUM      float64
	level        bool    // the wound runs along x
	speed        float64 // at the edge
	reach        float64 // how deep into the layer the cells move at first, pixels
	seed         uint64
}

func scratches() []scratch {
	all := []scratch{
		{folder: "DA3_CTRL_SN29_L5", stem: "SN29_L5", frames: 24, first: 15, pixelUM: 1.24, speed: 4.8, reach: 16},
		{folder: "DA3_HGF-SN_SN29_L12", stem: "SN29_L12", frames: 18, first: 10, pixelUM: 1.24, speed: 8.2, reach: 26},
		{folder: "DA3_PHA_SN77_L20", stem: "SN77_L20", frames: 26, first: 20, pixelUM: 1.24, level: true, speed: 3.6, reach: 12},
		{folder: "DA3_PHA-HGF-SF_SN77_L36", stem: "SN77_L36", frames: 20, first: 13, pixelUM: 1.24, level: true, speed: 5.2, reach: 15},
		{folder: "MDCK_CTRL_DKWH7_L10", stem: "DKWH7_L10", frames: 18, first: 12, pixelUM: 1.24, speed: 6.2, reach: 32},
		{folder: "MDCK_HGF-SF_DKWH7_L6", stem: "DKWH7_L6", frames: 16, first: 10, pixelUM: 0.879, level: true, speed: 6.6, reach: 38},
	}
	for i := range all {
		all[i].seed = hash(woundSeed, uint64(i))
	}
	return all
}

func wound() task {
	return task{id: woundTask,
		look: "Play an experiment and compare the kymographs: fast cells near the edge, a wave that runs inwards. \"smooth\" averages over a large window, so near and far hardly differ. " +
			"\"transposed\" has time in the rows, speeds in pixels per frame and y pointing up: the arrows of the three level wounds point away from the gap.",
		roles: []role{
			{"careful", "Flow in windows of a cell's size, right units, distance from the edge of the mask."},
			{"smooth", "Windows as wide as half the layer: speeds are blurred over distance, directions are noisy."},
			{"transposed", "Kymographs with time in the rows, pixels per frame, y upwards, one file with holes."},
		},
		jobs: woundJobs}
}

func woundJobs(t task) []job {
	var jobs []job
	for i, s := range scratches() {
		edge := sync.OnceValue(s.layer)
		plain := tiff.EncodeOptions{}
		leaves := []leaf{
			tiffLeaf(t.input(s.folder, s.stem+"_image_stack.tif"), tiff.EncodeOptions{ImageJ: true, PixelUM: s.pixelUM, IntervalMin: woundInterval},
				func() pixel.Array { return array("TYX", s.film(edge()), s.frames, woundSide, woundSide) }),
			tiffLeaf(t.input(s.folder, s.stem+"_roi.tif"), plain, func() pixel.Array { return array("YX", roi(edge()), woundSide, woundSide) }),
			tiffLeaf(t.truth(s.folder, s.stem+"_mf_dxs.tif"), plain, func() pixel.Array { return s.flow(edge(), flowHabits{noise: 0.7}, 'x').float64s() }),
			tiffLeaf(t.truth(s.folder, s.stem+"_mf_dys.tif"), plain, func() pixel.Array { return s.flow(edge(), flowHabits{noise: 0.7}, 'y').float64s() }),
			tiffLeaf(t.truth(s.folder, s.stem+"_speedKymograph.tif"), plain, func() pixel.Array { return s.kymograph(flowHabits{noise: 0.1}, s.first).float64s() }),
		}
		for k, h := range []flowHabits{
			{noise: 0.9, seed: 1},
			{noise: 2.2, seed: 2, blur: 0.86, lost: i == 3},
			{noise: 1.1, seed: 3, frames: true, up: true, turned: true, holes: i == 1},
		} {
			if h.lost {
				continue
			}
			name := func(folder, part string) string { return t.answer(k, folder, path.Base(s.folder), s.stem+part) }
			kymo := h
			kymo.noise = float64(0.2 * h.noise)
			leaves = append(leaves,
				tiffLeaf(name("velocity_x", "_mf_dxs.tif"), plain, func() pixel.Array { return s.flow(edge(), h, 'x').float32s() }),
				tiffLeaf(name("velocity_y", "_mf_dys.tif"), plain, func() pixel.Array { return s.flow(edge(), h, 'y').float32s() }),
				tiffLeaf(name("speed_kymograph", "_speedKymograph.tif"), plain, func() pixel.Array { return s.kymograph(kymo, s.frames-1).float32s() }))
		}
		jobs = append(jobs, jobOf(leaves...))
	}
	return jobs
}

// flowHabits are the mistakes of an agent that measures flow.
type flowHabits struct {
	noise  float64 // relative
	seed   uint64
	blur   float64 // 0: speeds as they are, 1: the same speed at all distances
	frames bool    // pixels per frame instead of micrometres per hour
	up     bool    // y pointing upwards
	turned bool    // kymographs transposed
	holes  bool    // values that are no numbers
	lost   bool    // the experiment is missing
}

// layer is where the cells are in the first frame: for each pixel how deep it lies below the edge, negative in the wound,
// and on which side of the wound, -1 or 1.
type layer struct{ depth, side []float64 }

func (s scratch) layer() layer {
	l := layer{make([]float64, woundSide*woundSide), make([]float64, woundSide*woundSide)}
	for y := range woundSide {
		for x := range woundSide {
			u, v := float64(x), float64(y)
			if s.level {
				u, v = v, u
			}
			side := 1.0
			off := u - (woundSide-1)/2.0 - float64(4*noise2(s.seed+1, v, 0.5, 70))
			if off < 0 {
				side, off = -1, -off
			}
			i := y*woundSide + x
			l.side[i] = side
			l.depth[i] = off - woundHalf - float64(4*noise2(s.seed+2, v, float64(40*side), 22)) - float64(1.5*noise2(s.seed+3, v, float64(40*side), 8))
		}
	}
	return l
}

// at is the speed towards the wound, micrometres per hour, at a depth in pixels below the first edge: it falls off with
// the depth, and the more cells deeper in join, the later it is.
func (s scratch) at(depth, frame float64) float64 {
	reach := s.reach + float64(1.5*frame)
	wave := float64(0.25 * bell(float64((depth-float64(2.2*frame))*(depth-float64(2.2*frame)))/200))
	return float64(s.speed * (0.16 + float64(0.72*expNeg(max(depth, 0)/reach)) + wave) * (1 - float64(0.006*frame)))
}

// perFrame is what a micrometre per hour comes to in pixels from one frame to the next.
func (s scratch) perFrame() float64 { return woundInterval / 60 / s.pixelUM }

// film is the movie: a layer of cells in relief that moves as the model says, and the flat wound.
func (s scratch) film(l layer) []uint8 {
	movie := make([]uint8, s.frames*woundSide*woundSide)
	const steps = 240
	path := make([]float64, steps) // how far what was at each depth has come
	for t := range s.frames {
		from := inverse(path)
		frame := newLight(woundSide, woundSide, 0)
		spreadOut(woundSide, func(y int) {
			for x := range woundSide {
				i := y*woundSide + x
				frame.v[i] = s.relief(l, from, t, y, x)
			}
		})
		copy(movie[t*woundSide*woundSide:], frame.gray8(camera{read: 2.2}, s.seed+9, t))
		for d := range path {
			path[d] += float64(s.at(float64(d), float64(t)) * s.perFrame())
		}
	}
	return movie
}

// inverse tells for each pixel of depth below the first edge, from 100 pixels above it, how deep what is there now lay at first.
func inverse(path []float64) []float64 {
	from := make([]float64, len(path)+100)
	d := 0
	for i := range from {
		now := float64(i - 100)
		for d+1 < len(path)-1 && float64(d+1)-path[d+1] <= now {
			d++
		}
		from[i] = now + path[min(d, len(path)-1)]
		if now < -path[0] {
			from[i] = -1 // still open
		}
	}
	return from
}

// relief is the brightness of a pixel: the slope of the cells' height along the diagonal, as in DIC.
func (s scratch) relief(l layer, from []float64, t, y, x int) float64 {
	i := y*woundSide + x
	at := clamp(l.depth[i]+100, 0, float64(len(from)-2))
	k := int(at)
	before := lerp(from[k], from[k+1], at-float64(k))
	light := 128 + float64(10*noise2(s.seed+4, float64(y), float64(x), 200))
	if before < 0 {
		return light + float64(3*noise2(s.seed+5, float64(y), float64(x), 30))
	}
	my, mx := float64(y), float64(x)
	if s.level {
		my += float64(l.side[i] * (before - l.depth[i]))
	} else {
		mx += float64(l.side[i] * (before - l.depth[i]))
	}
	sag := float64(0.35*float64(t)) + 0.5
	slope := s.height(my+1, mx+1, sag) - s.height(my-1, mx-1, sag)
	rim := float64(30 * bell(float64((before-1.5)*(before-1.5))/3))
	return light + float64(95*slope) + rim
}

// height is the thickness of the layer: rounded cells with a nucleus, and grains in them.
func (s scratch) height(y, x, t float64) float64 {
	cells := noise2(s.seed+6, y, x, 13)
	return float64(0.9*cells) + float64(0.5*ramp(noise2(s.seed+7, y, x, 9), 0.1, 0.5)) + float64(0.22*noise3(s.seed+8, t, y, x, 3.2))
}

// roi is the mask of the layer in the first frame.
func roi(l layer) []uint8 {
	out := make([]uint8, len(l.depth))
	for i, d := range l.depth {
		if d > 0 {
			out[i] = 1
		}
	}
	return out
}

// grid is a plane of real numbers.
type grid struct {
	h, w int
	v    []float64
}

// float64s and float32s are the grid for a file, to a 64th: rounded numbers take less room.
func (g grid) float64s() pixel.Array {
	out := make([]float64, len(g.v))
	for i, v := range g.v {
		out[i] = float64(nearest(float64(v*64))) / 64
		if v != v {
			out[i] = v
		}
	}
	return array("YX", out, g.h, g.w)
}

func (g grid) float32s() pixel.Array {
	return array("YX", as[float32](g.float64s().Values.([]float64)), g.h, g.w)
}

// flow is one component of the flow of the first pair of frames, as an agent with these habits measures it.
func (s scratch) flow(l layer, h flowHabits, component byte) grid {
	g := grid{woundSide, woundSide, make([]float64, woundSide*woundSide)}
	along := (component == 'x') != s.level // the component that points into the wound
	seed := hash(s.seed, h.seed, uint64(component))
	for i, d := range l.depth {
		if d <= 0 {
			continue
		}
		y, x := float64(i/woundSide), float64(i%woundSide)
		speed := lerp(s.at(d, 0), float64(0.45*s.speed), h.blur)
		v := float64(float64(h.noise*s.speed*0.5) * cloud2(seed, y, x, 16))
		if along {
			v -= float64(speed * l.side[i])
		}
		if h.frames {
			v = float64(v * s.perFrame())
		}
		if h.up && component == 'y' {
			v = -v
		}
		g.v[i] = v
	}
	return g
}

// kymograph is the mean speed by distance and time as an agent with these habits measures it.
func (s scratch) kymograph(h flowHabits, columns int) grid {
	bin := woundBinUM / s.pixelUM
	rows := int((woundSide/2.0 - woundHalf - 4) / bin)
	g := grid{rows, columns, make([]float64, rows*columns)}
	r := newRNG(s.seed, 31, h.seed)
	for k := range rows {
		for t := range columns {
			v := lerp(s.at(float64((float64(k)+0.5)*bin), float64(t)), float64(0.45*s.speed), h.blur)
			v = max(0, v+float64(float64(h.noise*s.speed*0.5)*r.normal()))
			if h.frames {
				v = float64(v * s.perFrame())
			}
			if h.turned {
				g.v[t*rows+k] = v
			} else {
				g.v[k*columns+t] = v
			}
		}
	}
	if h.turned {
		g.h, g.w = columns, rows
	}
	if h.holes {
		for i := range g.v[:len(g.v)/5] {
			zero := 0.0
			g.v[i*5] = zero / zero
		}
	}
	return g
}
