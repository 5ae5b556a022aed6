package demo

import (
	"fmt"
	"sync"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

const (
	helaH, helaW = 260, 348
	helaImages   = 12
	helaFirst    = 2408 // the number of the first image
	helaSeed     = 0x68656c
)

func hela() task {
	return task{id: helaTask,
		look: "Nuclei and cell bodies carry the same number. \"narrow\" takes too high a threshold: bodies shrink to their bright parts, dim cells vanish, neighbours fuse. " +
			"\"next-door\" gives each image the masks of the next one, as a list read in the wrong order does.",
		roles: []role{
			{"careful", "Good outlines of both parts; a few cells missed."},
			{"narrow", "One high threshold: bodies too small, dim cells lost, touching cells joined; nuclei too wide."},
			{"next-door", "The careful agent's masks, each under the name of the image before."},
		},
		jobs: helaJobs}
}

func helaJobs(t task) []job {
	dishes := make([]func() *helaDish, helaImages)
	for i := range dishes {
		dishes[i] = sync.OnceValue(func() *helaDish { return plant(uint64(i)) })
	}
	var jobs []job
	for i := range helaImages {
		name := fmt.Sprintf("%d.tif", helaFirst+i)
		d, next := dishes[i], dishes[(i+1)%helaImages]
		leaves := []leaf{
			tiffLeaf(t.input(name), tiff.EncodeOptions{}, func() pixel.Array { return array("YXS", d().picture(), helaH, helaW, 3) }),
			bytesOf(t.truth("nuclei_masks", name), func() labels { return d().nuclei }),
			bytesOf(t.truth("cytoplasm_masks", name), func() labels { return d().bodies }),
		}
		for k, a := range []func() (nuclei, bodies labels){
			func() (labels, labels) { return d().careful() },
			func() (labels, labels) { return d().narrow() },
			func() (labels, labels) { return next().careful() },
		} {
			both := sync.OnceValues(a)
			leaves = append(leaves,
				bytesOf(t.answer(k, "nuclei_masks", name), func() labels { n, _ := both(); return n }),
				bytesOf(t.answer(k, "cytoplasm_masks", name), func() labels { _, b := both(); return b }))
		}
		jobs = append(jobs, jobOf(leaves...))
	}
	return jobs
}

// bytesOf is a label image of 8 bits.
func bytesOf(path string, make func() labels) leaf {
	return tiffLeaf(path, tiff.EncodeOptions{}, func() pixel.Array {
		l := make()
		return array("YX", narrowed(l.ID), l.H, l.W)
	})
}

func narrowed(ids []uint16) []uint8 {
	out := make([]uint8, len(ids))
	for i, v := range ids {
		out[i] = uint8(v)
	}
	return out
}

// helaCell is one cell.
type helaCell struct {
	nucleus        nucleus
	reach          float64 // of the body, pixels
	actin, chroma  float64 // brightness
	fibreY, fibreX float64
}

// helaDish is one image and its truth.
type helaDish struct {
	seed           uint64
	cells          []helaCell
	nuclei, bodies labels
	depth          []float64 // pixels below the edge of the body
}

// plant lays cells out, some crowded, and draws the labels: a pixel belongs to the cell whose nucleus is nearest, as far as
// the cell reaches.
func plant(number uint64) *helaDish {
	d := &helaDish{seed: hash(helaSeed, number), nuclei: newLabels(1, helaH, helaW), bodies: newLabels(1, helaH, helaW), depth: make([]float64, helaH*helaW)}
	r := newRNG(d.seed)
	want := 12 + r.below(22)
	for range 2500 {
		a := r.between(8.5, 12)
		c := helaCell{nucleus: nucleus{y: r.between(2, helaH-2), x: r.between(2, helaW-2), a: a, b: float64(a * r.between(0.68, 0.92)), seed: r.next(), look: look{ragged: 0.18}},
			reach: r.between(21, 32), actin: r.between(70, 150), chroma: r.between(90, 170)}
		c.nucleus.ay, c.nucleus.ax = r.direction()
		c.fibreY, c.fibreX = r.direction()
		if r.chance(0.18) {
			c.actin = r.between(32, 48) // dim
		}
		room := true
		for _, o := range d.cells {
			room = room && length(c.nucleus.y-o.nucleus.y, c.nucleus.x-o.nucleus.x) > 30
		}
		if room && len(d.cells) < want {
			d.cells = append(d.cells, c)
		}
	}
	d.label()
	return d
}

func (d *helaDish) label() {
	spreadOut(helaH, func(row int) {
		for col := range helaW {
			y, x := float64(row), float64(col)
			wy, wx := y+float64(6*cloud2(d.seed+1, y, x, 26)), x+float64(6*cloud2(d.seed+2, y, x, 26))
			best, second, who := 1e9, 1e9, -1
			for k := range d.cells {
				n := &d.cells[k].nucleus
				along := float64((wy-n.y)*n.ay) + float64((wx-n.x)*n.ax)
				across := float64((wx-n.x)*n.ay) - float64((wy-n.y)*n.ax)
				if far := length(float64(0.8*along), across); far < best {
					best, second, who = far, best, k
				} else if far < second {
					second = far
				}
			}
			i := row*helaW + col
			if who < 0 {
				continue
			}
			c := &d.cells[who]
			below := c.nucleus.below(y, x)
			d.depth[i] = min(c.reach-best, (second-best)/2)
			if best < c.reach || below > 0 {
				d.bodies.ID[i] = uint16(who + 1)
			}
			if below > 0 {
				d.nuclei.ID[i] = uint16(who + 1)
				d.depth[i] = max(d.depth[i], 2)
			}
		}
	})
}

// picture is the image, Y X S: actin red, DNA blue, green empty.
func (d *helaDish) picture() []uint8 {
	red, green, blue := newLight(helaH, helaW, 0), newLight(helaH, helaW, 2), newLight(helaH, helaW, 0)
	spreadOut(helaH, func(row int) {
		for col := range helaW {
			i := row*helaW + col
			v := d.bodies.ID[i]
			if v == 0 {
				continue
			}
			c := &d.cells[v-1]
			y, x := float64(row), float64(col)
			across := float64(y*c.fibreX) - float64(x*c.fibreY)
			along := float64(y*c.fibreY) + float64(x*c.fibreX)
			fibres := ramp(noise2(c.nucleus.seed+4, float64(across*1.0), float64(along*0.12), 2.6), 0.05, 0.5)
			rim := bell(float64((d.depth[i]-1.2)*(d.depth[i]-1.2)) / 2.2)
			thick := ramp(d.depth[i], -1, 9)
			red.v[i] = float64(c.actin * (0.28 + float64(0.3*thick) + float64(0.4*fibres*thick) + float64(0.55*rim)))
			if below := c.nucleus.below(y, x); below > -1 {
				blue.v[i] = float64(c.chroma * ramp(below, -0.6, 1.6) * (0.85 + float64(0.25*noise2(c.nucleus.seed+5, y, x, 4))))
			}
		}
	})
	for k, l := range []*light{red, blue} {
		l.blur(1)
		ground := newLight(helaH, helaW, 9)
		ground.shade(d.seed+6+uint64(k), 150, 4)
		l.add(ground)
	}
	c := camera{read: 1.6, shot: 0.35}
	return rgb(red.gray8(c, d.seed+8, 0), green.gray8(camera{read: 0.7}, d.seed+9, 0), blue.gray8(c, d.seed+10, 0))
}

// careful misses a cell at times and draws both outlines a little unsteadily; the numbers of the two parts agree.
func (d *helaDish) careful() (nuclei, bodies labels) {
	r := newRNG(d.seed, 11)
	gone := make([]bool, len(d.cells)+1)
	for k := range gone {
		gone[k] = r.chance(0.03)
	}
	without := func(l labels) labels {
		l = l.clone()
		for i, v := range l.ID {
			if gone[v] {
				l.ID[i] = 0
			}
		}
		return l
	}
	return without(d.nuclei).stray(d.seed+12, habits{wobble: 1.3, reach: 7}), without(d.bodies).stray(d.seed+13, habits{wobble: 2.4, reach: 10})
}

// narrow loses dim cells, joins some neighbours, shrinks bodies and widens nuclei.
func (d *helaDish) narrow() (nuclei, bodies labels) {
	r := newRNG(d.seed, 14)
	nuclei, bodies = d.nuclei.clone(), d.bodies.clone()
	for i, v := range bodies.ID {
		if v > 0 && d.cells[v-1].actin < 60 {
			bodies.ID[i], nuclei.ID[i] = 0, 0
		}
	}
	bodies.grow(-3)
	nuclei.grow(2)
	objects := d.bodies.objects()
	bodies.join(r, objects, 0.3)
	return nuclei.stray(d.seed+15, habits{wobble: 2, reach: 7}), bodies.stray(d.seed+16, habits{wobble: 3.2, reach: 9})
}
