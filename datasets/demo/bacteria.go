package demo

import (
	"sync"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

// The movie: rod-shaped bacteria in a flat chamber, one frame a minute in the words of its file.
const (
	colonyT, colonyH, colonyW = 80, 200, 240
	colonyPixelUM             = 0.1
	colonySeed                = 0x726f64
	rodRadius                 = 3.5
	rodLimit                  = 23 // distance between the cap centres at which a rod divides, about
)

func bacteria() task {
	return task{id: bacteriaTask,
		look: "Play the movie (`K`) with the lineage beside it. \"late\" sees divisions some frames late and mixes up neighbours: SEG stays fair, LNK, DIV and CT fall. " +
			"\"pages\" has the good masks, but written page by page: 80 series of one frame, of which a reader sees the first.",
		roles: []role{
			{"careful", "Good outlines; a few divisions seen a frame late, a few cells missed for a frame."},
			{"late", "Splits cells several frames after they divided, loses mothers, joins neighbours and exchanges identities."},
			{"pages", "The careful agent's masks, appended to the file one page at a time, so that the file holds 80 images of one frame."},
		},
		jobs: bacteriaJobs}
}

func bacteriaJobs(t task) []job {
	c := sync.OnceValue(grow)
	careful := sync.OnceValue(func() tracked {
		return c().answer(trackHabits{wobble: 0.9, late: 2, orphans: 0.02, missed: 0.004}, 1)
	})
	late := sync.OnceValue(func() tracked {
		return c().answer(trackHabits{wobble: 1.7, late: 9, orphans: 0.45, unseen: 0.25, missed: 0.02, joined: 26, swaps: 22}, 2)
	})
	ome := tiff.EncodeOptions{OME: true, PixelUM: colonyPixelUM, IntervalMin: 1}
	movie := func(make func() labels) func() pixel.Array {
		return func() pixel.Array { return array("TYX", make().ID, colonyT, colonyH, colonyW) }
	}
	leaves := []leaf{
		tiffLeaf(t.input("00.ome.tif"), ome, func() pixel.Array { return array("TYX", c().film(), colonyT, colonyH, colonyW) }),
		tiffLeaf(t.truth("00_GT.ome.tif"), ome, movie(func() labels { return c().masks })),
		bytesLeaf(t.truth("man_track.txt"), func() []byte { return c().lineage() }),
	}
	for k, a := range []func() tracked{careful, late, careful} {
		o := tiff.EncodeOptions{OME: k < 2, PageByPage: k == 2}
		leaves = append(leaves,
			tiffLeaf(t.answer(k, "segmentation_masks", "00_RES.ome.tif"), o, movie(func() labels { return a().masks })),
			bytesLeaf(t.answer(k, "tracking_lineage", "res_track.txt"), func() []byte { return a().lineage() }))
	}
	return []job{jobOf(leaves...)}
}

// rod is a bacterium in one frame: a segment with round caps.
type rod struct {
	id      int
	y, x    float64 // middle
	dy, dx  float64 // unit vector along
	half    float64 // half the distance between the cap centres
	rate    float64 // growth per frame
	limit   float64
	density float64
}

func (r *rod) ends() (ay, ax, by, bx float64) {
	return r.y - float64(r.half*r.dy), r.x - float64(r.half*r.dx), r.y + float64(r.half*r.dy), r.x + float64(r.half*r.dx)
}

// track is a row of the lineage file.
type track struct{ id, start, end, parent int }

// tracked is a label movie with its lineage.
type tracked struct {
	masks  labels
	tracks []track
}

func (c tracked) lineage() []byte {
	var s sheet
	for _, t := range c.tracks {
		s.row(t.id, t.start, t.end, t.parent)
	}
	return s.text(" ")
}

// colony is the truth of the movie.
type colony struct {
	tracked
	frames [][]rod
}

// grow lets two bacteria become a colony.
func grow() *colony {
	r := newRNG(colonySeed, 1)
	c := &colony{}
	c.masks = newLabels(colonyT, colonyH, colonyW)
	c.masks.Flat = false
	var rods []rod
	for k := range 2 {
		dy, dx := r.direction()
		rods = append(rods, rod{id: k + 1, y: 92 + float64(14*k), x: 108 + float64(20*k), dy: dy, dx: dx, half: r.between(5, 7), density: r.between(-8, 8)})
		c.tracks = append(c.tracks, track{id: k + 1})
	}
	for i := range rods {
		rods[i].fresh(r)
	}
	for t := range colonyT {
		if t > 0 {
			rods = c.step(r, rods, t)
		}
		for _, b := range rods {
			c.tracks[b.id-1].end = t
		}
		c.frames = append(c.frames, append([]rod(nil), rods...))
		c.stamp(t, rods)
	}
	return c
}

// fresh gives a newborn its pace and the length at which it will divide.
func (b *rod) fresh(r *rng) {
	b.rate, b.limit = r.between(0.040, 0.052), float64(rodLimit*r.between(0.88, 1.15))
}

// step is one minute: growth, divisions, and room made by pushing.
func (c *colony) step(r *rng, rods []rod, t int) []rod {
	var next []rod
	for _, b := range rods {
		b.half += float64(b.rate * (b.half + rodRadius))
		b.dy, b.dx = bent(b.dy, b.dx, r.between(-0.02, 0.02))
		if 2*b.half < b.limit {
			next = append(next, b)
			continue
		}
		// Snapping: the daughters spring apart into a V.
		snap := r.between(0.06, 0.34)
		for side := -1.0; side <= 1; side += 2 {
			d := b
			d.id = len(c.tracks) + 1
			d.half = float64(0.5*b.half) - float64(0.5*rodRadius)
			d.dy, d.dx = bent(b.dy, b.dx, float64(side*snap))
			away := float64(side * (d.half + float64(1.05*rodRadius)))
			d.y, d.x = b.y+float64(away*d.dy), b.x+float64(away*d.dx)
			d.density += r.between(-3, 3)
			d.fresh(r)
			c.tracks = append(c.tracks, track{id: d.id, start: t, parent: b.id})
			next = append(next, d)
		}
	}
	for range 12 {
		for i := range next {
			for j := range next {
				if i != j {
					push(&next[i], &next[j])
				}
			}
		}
	}
	return next
}

// push moves two rods apart where points of the first reach into the second.
func push(a, b *rod) {
	if length(a.y-b.y, a.x-b.x) > a.half+b.half+2*rodRadius {
		return
	}
	ay, ax, by, bx := b.ends()
	for k := -1.0; k <= 1; k += 0.5 {
		oy, ox := float64(k*a.half*a.dy), float64(k*a.half*a.dx)
		py, px := a.y+oy, a.x+ox
		away, along := toSegment(py, px, ay, ax, by, bx)
		if away >= 2*rodRadius || away < 1e-6 {
			continue
		}
		qy, qx := lerp(ay, by, along), lerp(ax, bx, along)
		force := float64(0.2*(2*rodRadius-away)) / away
		fy, fx := float64(force*(py-qy)), float64(force*(px-qx))
		a.moved(fy, fx, oy, ox)
		b.moved(-fy, -fx, qy-b.y, qx-b.x)
	}
}

// moved shifts a rod and turns it by a force that acts off its middle.
func (b *rod) moved(fy, fx, oy, ox float64) {
	b.y, b.x = b.y+fy, b.x+fx
	inertia := float64(b.half*b.half)/3 + rodRadius*rodRadius
	turn := (float64(fy*ox) - float64(fx*oy)) / inertia
	b.dy, b.dx = bent(b.dy, b.dx, clamp(turn, -0.12, 0.12))
}

// stamp draws the labels of a frame; of two rods the one that reaches deeper has the pixel.
func (c *colony) stamp(t int, rods []rod) {
	best := newLight(colonyH, colonyW, 0)
	frame := c.masks.ID[t*colonyH*colonyW:]
	for i := range rods {
		rods[i].visit(best, 0, func(at int, depth float64) {
			if depth > best.v[at] {
				best.v[at], frame[at] = depth, uint16(rods[i].id)
			}
		})
	}
}

// visit gives the depth below the outline, negative outside, of the pixels up to a margin around a rod.
func (b *rod) visit(l *light, margin float64, do func(at int, depth float64)) {
	ay, ax, by, bx := b.ends()
	l.around(b.y, b.x, b.half+rodRadius+margin+1, func(at int, dy, dx float64) {
		away, _ := toSegment(b.y+dy, b.x+dx, ay, ax, by, bx)
		if away <= rodRadius+margin {
			do(at, rodRadius-away)
		}
	})
}

// film is the phase contrast movie: cells dark, with a bright halo, over an uneven ground.
func (c *colony) film() []uint8 {
	movie := make([]uint8, colonyT*colonyH*colonyW)
	ground := newLight(colonyH, colonyW, 148)
	ground.shade(colonySeed+3, 90, 7)
	ground.shade(colonySeed+4, 7, 2.2)
	for y := range colonyH { // the walls of the chamber
		for _, wall := range []float64{6, colonyH - 8} {
			off := float64(y) - wall
			for x := range colonyW {
				ground.v[y*colonyW+x] += float64(42*bell(float64(off*off)/3)) - float64(36*bell(float64((off-4)*(off-4))/3))
			}
		}
	}
	spreadOut(colonyT, func(t int) {
		depth, shade := newLight(colonyH, colonyW, -9), newLight(colonyH, colonyW, 0)
		for i := range c.frames[t] {
			b := &c.frames[t][i]
			b.visit(depth, 6, func(at int, d float64) {
				if d > depth.v[at] {
					depth.v[at], shade.v[at] = d, b.density
				}
			})
		}
		for i, d := range depth.v {
			v := ground.v[i]
			if d > -8 {
				v += float64(46 * bell(float64((d+1.8)*(d+1.8))/2.2))
				v -= float64((96 + shade.v[i]) * ramp(d, -0.9, 2.4))
			}
			shade.v[i] = v
		}
		shade.blur(1)
		copy(movie[t*colonyH*colonyW:], shade.gray8(camera{read: 3}, colonySeed+5, t))
	})
	return movie
}
