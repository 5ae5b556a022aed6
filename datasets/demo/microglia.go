package demo

import (
	"fmt"
	"strings"
	"sync"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

const (
	gliaT, gliaH, gliaW = 60, 256, 336
	gliaCells           = 34
	gliaSeed            = 0x676c69
)

// phenotype is the shape of a microglial cell.
type phenotype int

const (
	ramified phenotype = iota
	amoeboid
	rounded
)

func (p phenotype) String() string { return [...]string{"ramified", "amoeboid", "round"}[p] }

func microglia() task {
	return task{id: microgliaTask,
		look: "Branched cells retract and round up over 30 hours: compare the curves of the shares. \"area-only\" tells shapes by size alone and confuses amoeboid with the two others. " +
			"\"row-column\" has x and y exchanged, so hardly a cell is found, while its shares over time are right.",
		roles: []role{
			{"careful", "Finds most cells; confuses a few phenotypes while they change."},
			{"area-only", "Tells phenotypes by area alone, joins neighbours and loses pale cells."},
			{"row-column", "The careful agent's table with row and column exchanged."},
		},
		jobs: microgliaJobs}
}

func microgliaJobs(t task) []job {
	m := sync.OnceValue(activate)
	folder := []string{"extracted_data", "Replicate 1"}
	in := func(name string) string { return t.input(append(folder[:2:2], name)...) }
	head := []string{"frame", "x", "y", "predicted_phenotype"}
	jobs := []job{jobOf(
		bytesLeaf(in("filelist.txt"), func() []byte { return []byte(strings.Join(gliaFiles(), "\n") + "\n") }),
		bytesLeaf(t.truth("Replicate1annotation.csv"), func() []byte { return m().annotation() }),
		bytesLeaf(t.answer(0, "cell_labels", "cell_labels.csv"), func() []byte { return gliaTable(head, m().careful()) }),
		bytesLeaf(t.answer(1, "cell_labels", "cell_labels.csv"), func() []byte { return gliaTable(head, m().byArea()) }),
		bytesLeaf(t.answer(2, "cell_labels", "cell_labels.csv"), func() []byte {
			return gliaTable([]string{"frame", "y", "x", "predicted_phenotype"}, m().careful())
		}),
	)}
	const batch = 10
	for from := 0; from < gliaT; from += batch {
		var frames []leaf
		for f := from; f < from+batch; f++ {
			frames = append(frames, tiffLeaf(in(gliaFiles()[f]), tiff.EncodeOptions{}, func() pixel.Array { return array("YX", m().picture(f), gliaH, gliaW) }))
		}
		jobs = append(jobs, jobOf(frames...))
	}
	return jobs
}

func gliaFiles() []string {
	var names []string
	for f := range gliaT {
		names = append(names, fmt.Sprintf("IMG_20x_%d.tif", f))
	}
	return names
}

// glia is one cell in one frame.
type glia struct {
	id, frame int
	y, x      float64
	shape     phenotype
	active    float64 // how far activated: 0 fully branched, 1 round
	r         float64
	pale      bool
}

// culture is the truth of the movie, frame after frame.
type culture struct{ cells []glia }

// activate lets cells wander and change shape, each at its own time: branched below 0.4, round above 0.75.
func activate() *culture {
	r := newRNG(gliaSeed, 1)
	var all []glia
	var when, pace []float64
	for range 4000 {
		g := glia{id: len(all), y: r.between(14, gliaH-14), x: r.between(14, gliaW-14), r: r.between(6, 8), pale: r.chance(0.15)}
		clear := true
		for _, o := range all {
			clear = clear && length(g.y-o.y, g.x-o.x) > 36
		}
		if clear && len(all) < gliaCells {
			all = append(all, g)
			when, pace = append(when, r.between(6, 44)), append(pace, r.between(14, 26))
		}
	}
	c := &culture{}
	for f := range gliaT {
		for i := range all {
			g := &all[i]
			g.frame = f
			g.active = clamp(0.5+(float64(f)-when[i])/pace[i], 0.05, 1)
			g.shape = ramified
			if g.active > 0.75 {
				g.shape = rounded
			} else if g.active > 0.4 {
				g.shape = amoeboid
			}
			step := 0.9
			if g.shape == amoeboid {
				step = 1.7
			}
			g.y, g.x = clamp(g.y+float64(step*r.normal()), 10, gliaH-10), clamp(g.x+float64(step*r.normal()), 10, gliaW-10)
			c.cells = append(c.cells, *g)
		}
	}
	return c
}

func (c *culture) annotation() []byte {
	s := sheet{head: []string{"index", "axis-0", "axis-1", "axis-2", "label"}}
	for i, g := range c.cells {
		label := g.shape.String()
		if g.shape == ramified {
			label = "stratified"
		}
		s.row(i, fmt.Sprintf("%d.0", g.frame), round(g.y, 3), round(g.x, 3), label)
	}
	return s.csv()
}

// picture is one frame in phase contrast: bodies with a dark rim and a bright halo, branches as thin dark lines.
func (c *culture) picture(frame int) []uint16 {
	dark, halo := newLight(gliaH, gliaW, 0), newLight(gliaH, gliaW, 0)
	for _, g := range c.cells[frame*gliaCells : (frame+1)*gliaCells] {
		g.draw(dark, halo)
	}
	halo.blur(6)
	out := newLight(gliaH, gliaW, 1500)
	out.shade(gliaSeed+4, 110, 90)
	out.shade(gliaSeed+5, 5, 26)
	for i := range out.v {
		out.v[i] += float64(760*halo.v[i]) - float64(900*dark.v[i])
	}
	out.blur(1)
	return out.gray16(camera{read: 40}, gliaSeed+6, frame)
}

// draw adds a cell to the two layers, each from 0 to 1.
func (g glia) draw(dark, halo *light) {
	seed := hash(gliaSeed, 8, uint64(g.id))
	r := newRNG(seed)
	strength := 1.0
	if g.pale {
		strength = 0.55
	}
	reach := float64((1 - ramp(g.active, 0.15, 0.6)) * 22) // of the branches
	size := float64(g.r * (1 + float64(0.35*ramp(g.active, 0.3, 0.55)) - float64(0.3*ramp(g.active, 0.6, 0.85))))
	bumps := float64(0.75 * (1 - ramp(g.active, 0.6, 0.85)))
	for range 6 {
		dy, dx := r.direction()
		y, x := g.y+float64(0.7*size*dy), g.x+float64(0.7*size*dx)
		for step := 0.0; step < reach; step += 4 {
			ny, nx := y+float64(4*dy), x+float64(4*dx)
			dark.line(y, x, ny, nx, 1.1, float64(0.62*strength)*(1-step/40))
			halo.line(y, x, ny, nx, 2.2, float64(0.5*strength))
			if int(step) == 8 {
				by, bx := bent(dy, dx, r.between(-1, 1))
				dark.line(ny, nx, ny+float64(6*by), nx+float64(6*bx), 1, float64(0.5*strength))
			}
			dy, dx = bent(dy, dx, r.between(-0.45, 0.45))
			y, x = ny, nx
		}
	}
	dark.around(g.y, g.x, 2*size+6, func(i int, dy, dx float64) {
		drift := float64(float64(g.frame) * 0.35)
		ragged := float64(bumps * float64(size*noise2(seed+1, dy+drift, dx-drift, 9)))
		below := size + ragged - length(dy, dx)
		body := float64(strength * (0.42 + float64(0.34*bell(float64((below-1.2)*(below-1.2))/2)) - float64(0.75*ramp(g.active, 0.7, 0.95)*ramp(below, 1.5, 5))))
		if below > -0.8 {
			dark.v[i] = float64(body * ramp(below, -0.8, 0.8))
		}
		halo.v[i] = max(halo.v[i], float64(strength*ramp(below, -3.5, -0.5)))
	})
}

// careful misses a few cells and is unsure of shapes near a change.
func (c *culture) careful() []glia {
	r := newRNG(gliaSeed, 2)
	var out []glia
	for _, g := range c.cells {
		if r.chance(0.05) || g.pale && r.chance(0.1) {
			continue
		}
		g.y, g.x = g.y+float64(1.6*r.normal()), g.x+float64(1.6*r.normal())
		seen := g.active + float64(0.07*r.normal())
		g.shape = ramified
		if seen > 0.75 {
			g.shape = rounded
		} else if seen > 0.4 {
			g.shape = amoeboid
		}
		out = append(out, g)
	}
	return out
}

// byArea loses pale cells, joins the two of a pair at times, and calls what is small round and what is large ramified.
func (c *culture) byArea() []glia {
	r := newRNG(gliaSeed, 3)
	var out []glia
	for _, g := range c.cells {
		if g.pale && r.chance(0.8) || r.chance(0.12) {
			continue
		}
		g.y, g.x = g.y+float64(4.5*r.normal()), g.x+float64(4.5*r.normal())
		switch seen := g.active + float64(0.2*r.normal()); {
		case seen > 0.62:
			g.shape = rounded
		case seen > 0.5:
			g.shape = amoeboid
		default:
			g.shape = ramified
		}
		out = append(out, g)
		if r.chance(0.10) { // debris
			out = append(out, glia{frame: g.frame, y: r.between(5, gliaH-5), x: r.between(5, gliaW-5), shape: rounded})
		}
	}
	return out
}

// gliaTable lists cells under a header of the columns frame, column, row and phenotype.
func gliaTable(head []string, cells []glia) []byte {
	s := sheet{head: head}
	for _, g := range cells {
		s.row(g.frame, round(g.x, 1), round(g.y, 1), g.shape)
	}
	return s.csv()
}
