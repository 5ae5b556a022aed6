package demo

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

const golgiSeed = 0x676f6f

// infection is a stage: how many cells were imaged and how much of the spike protein sits in the Golgi.
type infection struct {
	name   string
	hours  int
	cells  int
	copies int     // of cells of the first stage, as in the real set
	shared float64 // strength of the overlap
	capsid float64 // nucleocapsid, grey values
}

var infections = []infection{{"Control", 5, 20, 0, 0.02, 6}, {"Stage 1", 5, 12, 5, 0.02, 25}, {"Stage 2", 12, 14, 0, 0.20, 70}, {"Stage 3", 24, 18, 0, 0.48, 110}}

func golgi() task {
	return task{id: golgiTask,
		look: "Show red and green by turns: the spike protein moves to the Golgi from stage 2 on. \"whole-image\" correlates over the black surroundings too, so all cells look alike and high. " +
			"\"percent\" gives coefficients of up to 100, which are dropped as impossible.",
		roles: []role{
			{"careful", "Spearman correlation over the pixels of the cell."},
			{"whole-image", "Correlation over the whole image with its black surroundings: near 0.9 everywhere, stages hardly differ."},
			{"percent", "The careful agent's coefficients in percent."},
		},
		jobs: golgiJobs}
}

func golgiJobs(t task) []job {
	cells := sync.OnceValue(infect)
	jobs := []job{jobOf(
		bytesLeaf(t.input("colors.txt"), func() []byte { return []byte("red: Golgi\ngreen: spike protein\nblue: nucleocapsid protein\n") }),
		leaf{t.truth("README.txt"), func() ([]byte, error) {
			return []byte("There is no truth for single cells in this task: the answers are judged by what they say of the stages.\n"), nil
		}},
	)}
	var images []leaf
	for i, name := range golgiFiles() {
		images = append(images, tiffLeaf(t.input(name), tiff.EncodeOptions{}, func() pixel.Array { return cells()[i].array() }))
	}
	for k, of := range []func(c *golgiCell) float64{
		func(c *golgiCell) float64 { return round(c.within, 4) },
		func(c *golgiCell) float64 { return round(c.overall, 4) },
		func(c *golgiCell) float64 { return round(100*c.within, 2) },
	} {
		images = append(images, bytesLeaf(t.answer(k, "per_cell_coefficients", "colocalization_results.csv"), func() []byte { return coefficients(cells(), of) }))
	}
	return append(jobs, jobOf(images...))
}

// golgiFiles names the images, stage after stage.
func golgiFiles() []string {
	var names []string
	for _, s := range infections {
		for k := range s.cells {
			names = append(names, fmt.Sprintf("%s/%dh_%d_%d.tif", s.name, s.hours, k/8+1, k%8+1))
		}
	}
	return names
}

// golgiCell is one image, with its coefficients over the cell and over all of the image.
type golgiCell struct {
	stage, file     string
	h, w            int
	rgb             []uint8
	within, overall float64
}

func (c *golgiCell) array() pixel.Array { return array("YXS", c.rgb, c.h, c.w, 3) }

// infect makes the images in the order of golgiFiles.
func infect() []*golgiCell {
	var all []*golgiCell
	var stages []infection
	for _, s := range infections {
		for range s.cells {
			stages = append(stages, s)
		}
	}
	names := golgiFiles()
	all = make([]*golgiCell, len(names))
	spreadOut(len(names), func(i int) {
		from := i
		if k := i - infections[0].cells; k >= 0 && k < infections[1].copies {
			from = 2 * k // the same cell as in the first stage
		}
		stage, file, _ := strings.Cut(names[i], "/")
		c := stages[from].cell(uint64(from))
		c.stage, c.file = stage, file
		all[i] = c
	})
	return all
}

// cell draws one cell on black: a stack of Golgi ribbons beside the nucleus, the spike protein in the cytoplasm and, by
// stage, in the ribbons.
func (s infection) cell(number uint64) *golgiCell {
	seed := hash(golgiSeed, number)
	r := newRNG(seed)
	h, w := 84+r.below(40), 84+r.below(40)
	red, green, blue := newLight(h, w, 0), newLight(h, w, 0), newLight(h, w, 0)
	my, mx := float64(float64(h)/2), float64(float64(w)/2)
	fill := r.between(0.62, 0.95) // of the image
	ribbons := ribbon(r, h, w, my, mx)
	shared := float64(s.shared * r.between(0.8, 1.2))
	for y := range h {
		for x := range w {
			i := y*w + x
			py, px := float64(y), float64(x)
			far := length((py-my)/float64(my*fill), (px-mx)/float64(mx*fill)) + float64(0.16*noise2(seed+1, py, px, 30))
			inside := 1 - ramp(far, 0.9, 0.98)
			nucleus := 1 - ramp(length(py-my, px-mx), 13, 16)
			mesh := noise2(seed+2, py, px, 6)
			red.v[i] = float64(inside * (14 + float64(9*noise2(seed+3, py, px, 7)) + float64(200*ribbons.v[i])))
			spike := float64(34*(1-float64(0.75*nucleus))*(1+float64(0.75*mesh))) + float64(150*shared*ribbons.v[i]) + float64(26*shared*noise2(seed+3, py, px, 7))
			green.v[i] = float64(inside * max(spike, 3))
			blue.v[i] = float64(inside * (5 + float64(s.capsid*(1-nucleus)*ramp(noise2(seed+5, py, px, 5), -0.2, 0.6))))
			if inside == 0 {
				red.v[i], green.v[i], blue.v[i] = 0, 0, 0
			}
		}
	}
	c := &golgiCell{h: h, w: w}
	cam := camera{read: 1.5, shot: 0.45}
	a, b, n := red.gray8(cam, seed+6, 0), green.gray8(cam, seed+7, 0), blue.gray8(cam, seed+8, 0)
	var in [2][]uint8
	for i := range a {
		if red.v[i] == 0 {
			a[i], b[i], n[i] = 0, 0, 0
			continue
		}
		in[0], in[1] = append(in[0], a[i]), append(in[1], b[i])
	}
	c.rgb, c.within, c.overall = rgb(a, b, n), spearman(in[0], in[1]), spearman(a, b)
	return c
}

// ribbon is the Golgi: curved strokes on one side of the nucleus, 0 to 1.
func ribbon(r *rng, h, w int, my, mx float64) *light {
	l := newLight(h, w, 0)
	ay, ax := r.direction()
	for range 9 {
		y, x := my+float64(21*ay)+float64(5*r.normal()), mx+float64(21*ax)+float64(5*r.normal())
		dy, dx := bent(ax, -ay, r.between(-0.5, 0.5))
		for range 3 + r.below(5) {
			ny, nx := y+float64(3*dy), x+float64(3*dx)
			l.line(y, x, ny, nx, 1.5, r.between(0.5, 1))
			dy, dx = bent(dy, dx, r.between(-0.5, 0.5))
			y, x = ny, nx
		}
	}
	return l
}

// ranks gives each grey value the mean rank of the pixels that have it.
func ranks(v []uint8) [256]float64 {
	var count, rank [256]float64
	for _, x := range v {
		count[x]++
	}
	before := 0.0
	for x, n := range count {
		rank[x] = before + float64(n/2)
		before += n
	}
	return rank
}

// spearman is the rank correlation of two lists of grey values.
func spearman(a, b []uint8) float64 {
	ra, rb := ranks(a), ranks(b)
	middle := float64(float64(len(a)) / 2)
	var saa, sbb, sab float64
	for i := range a {
		x, y := ra[a[i]]-middle, rb[b[i]]-middle
		saa, sbb, sab = saa+float64(x*x), sbb+float64(y*y), sab+float64(x*y)
	}
	return sab / math.Sqrt(saa*sbb)
}

// coefficients is an answer's table.
func coefficients(cells []*golgiCell, of func(*golgiCell) float64) []byte {
	s := sheet{head: []string{"condition", "file", "spearman"}}
	for _, c := range cells {
		s.row(c.stage, c.file, of(c))
	}
	return s.csv()
}
