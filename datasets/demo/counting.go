package demo

import (
	"fmt"
	"math"
	"sync"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

const (
	dishH, dishW = 240, 320
	dishSeed     = 0x6e7063
)

// dishCounts is how many cells each image is to hold, about: as in the real set, a third hold none.
var dishCounts = []int{12, 0, 46, 88, 0, 1, 24, 0, 170, 33, 0, 2, 61, 0, 18, 120, 0, 2, 7, 0, 38}

func counting() task {
	return task{id: countingTask,
		look: "The score compares numbers of cells, not places: \"swapped\" has X and Y exchanged and still scores as high as \"careful\", while its F1 falls to 0.3. " +
			"\"clumper\" joins touching cells and loses dim ones: look at image 8.",
		roles: []role{
			{"careful", "Finds nearly all cells, also in clusters; places are right to a pixel or two."},
			{"swapped", "The careful agent's cells with X and Y exchanged: right numbers, wrong places, many outside the image."},
			{"clumper", "One threshold for the whole image: touching cells become one, dim cells are lost, dust counts."},
		},
		jobs: countingJobs}
}

func countingJobs(t task) []job {
	var jobs []job
	for i, n := range dishCounts {
		d := sync.OnceValue(func() *dish { return seeded(uint64(i), n) })
		stem := fmt.Sprint(i)
		leaves := []leaf{
			tiffLeaf(t.input(stem+".tiff"), tiff.EncodeOptions{}, func() pixel.Array { return d().picture() }),
			bytesLeaf(t.truth(stem+".csv"), func() []byte { return centroids(d().cells) }),
		}
		for k, found := range []func() []dot{
			func() []dot { return d().careful() },
			func() []dot { return exchanged(d().careful()) },
			func() []dot { return d().clumped() },
		} {
			leaves = append(leaves, bytesLeaf(t.answer(k, "centroids_per_image", stem+".csv"), func() []byte { return centroids(found()) }))
		}
		jobs = append(jobs, jobOf(leaves...))
	}
	return jobs
}

// dot is a cell nucleus, or something that passes for one.
type dot struct{ y, x, r, bright float64 }

// dish is one image of cultured cells.
type dish struct {
	seed  uint64
	cells []dot
	dust  []dot
}

// seeded lays about n cells out, most of them in colonies where they touch.
func seeded(number uint64, n int) *dish {
	d := &dish{seed: hash(dishSeed, number)}
	r := newRNG(d.seed, 1)
	var colonies []dot
	for range 1 + n/14 {
		colonies = append(colonies, dot{y: r.between(25, dishH-25), x: r.between(25, dishW-25), r: r.between(16, 40)})
	}
	for range 60 * n {
		if len(d.cells) == n {
			break
		}
		c := dot{y: r.between(2, dishH-2), x: r.between(2, dishW-2), r: r.between(4.2, 6.8), bright: r.between(60, 120)}
		if r.chance(0.72) {
			home := colonies[r.below(len(colonies))]
			c.y, c.x = home.y+float64(home.r*r.normal()*0.6), home.x+float64(home.r*r.normal()*0.6)
		}
		if r.chance(0.2) {
			c.bright = r.between(14, 30) // faint
		}
		if c.y > 1 && c.x > 1 && c.y < dishH-2 && c.x < dishW-2 && apart(d.cells, c, 0.82) {
			c.y, c.x = math.Floor(c.y+0.5), math.Floor(c.x+0.5)
			d.cells = append(d.cells, c)
		}
	}
	for range 2 + r.below(4) {
		d.dust = append(d.dust, dot{y: r.between(5, dishH-5), x: r.between(5, dishW-5), r: r.between(1.1, 2), bright: r.between(70, 130)})
	}
	return d
}

// apart tells whether a dot keeps a share of the sum of the radii from all others.
func apart(all []dot, c dot, share float64) bool {
	for _, o := range all {
		if length(c.y-o.y, c.x-o.x) < float64(share*(c.r+o.r)) {
			return false
		}
	}
	return true
}

// picture is the image: nuclei with a soft rim and a grainy inside, some with thin processes, over an uneven ground.
// Every third image has 16 bits.
func (d *dish) picture() pixel.Array {
	r := newRNG(d.seed, 2)
	l := newLight(dishH, dishW, 0)
	for _, c := range d.cells {
		ay, ax := r.direction()
		ratio := r.between(0.8, 1.1)
		l.around(c.y, c.x, 2*c.r, func(i int, dy, dx float64) {
			along, across := float64(dy*ay)+float64(dx*ax), float64(dy*ax)-float64(dx*ay)
			away := length(along/ratio, float64(across*ratio))
			y, x := c.y+dy, c.x+dx
			l.v[i] = max(l.v[i], float64(c.bright*(1-ramp(away, c.r-1.6, c.r+1.4))*(0.86+float64(0.2*noise2(d.seed+9, y, x, 3)))))
		})
		if r.chance(0.18) { // a neurite
			y, x := c.y, c.x
			for range 5 + r.below(6) {
				ny, nx := y+float64(4*ay), x+float64(4*ax)
				l.line(y, x, ny, nx, 0.9, 0.22*c.bright)
				ay, ax = bent(ay, ax, r.between(-0.4, 0.4))
				y, x = ny, nx
			}
		}
	}
	for _, c := range d.dust {
		l.spot(c.y, c.x, float64(0.6*c.r), c.bright)
	}
	l.blur(1)
	ground := newLight(dishH, dishW, 17)
	ground.shade(d.seed+3, 160, 7)
	l.add(ground)
	if d.seed%3 == 0 {
		for i := range l.v {
			l.v[i] = float64(14 * l.v[i])
		}
		return array("YX", l.gray16(camera{read: 22, shot: 1.5}, d.seed, 0), dishH, dishW)
	}
	return array("YX", l.gray8(camera{read: 1.6, shot: 0.35}, d.seed, 0), dishH, dishW)
}

// centroids is a table of places in pixels.
func centroids(all []dot) []byte {
	s := sheet{head: []string{"X", "Y"}}
	for _, c := range all {
		s.row(round(c.x, 1), round(c.y, 1))
	}
	return s.csv()
}

// careful misses a few cells, counts a few twice and is off by a pixel or so.
func (d *dish) careful() []dot {
	r := newRNG(d.seed, 3)
	var out []dot
	for _, c := range d.cells {
		times := 1
		if r.chance(0.05) && len(d.cells) > 5 {
			times = 2 * r.below(2)
		}
		for range times {
			c.y, c.x = c.y+float64(0.8*r.normal()), c.x+float64(0.8*r.normal())
			out = append(out, c)
		}
	}
	return out
}

// exchanged is a list with X and Y exchanged.
func exchanged(all []dot) []dot {
	for i, c := range all {
		all[i].y, all[i].x = c.x, c.y
	}
	return all
}

// clumped gives the middle of each heap of touching bright cells, and the dust.
func (d *dish) clumped() []dot {
	heap := make([]int, len(d.cells))
	for i := range heap {
		heap[i] = i
	}
	for i, a := range d.cells {
		for j, b := range d.cells[:i] {
			if a.bright > 35 && b.bright > 35 && length(a.y-b.y, a.x-b.x) < a.r+b.r && heap[i] != heap[j] {
				from, to := heap[i], heap[j]
				for k := range heap {
					if heap[k] == from {
						heap[k] = to
					}
				}
			}
		}
	}
	var out []dot
	for h := range heap {
		sum, n := dot{}, 0.0
		for i, c := range d.cells {
			if heap[i] == h && c.bright > 35 {
				sum.y, sum.x, n = sum.y+c.y, sum.x+c.x, n+1
			}
		}
		if n > 0 {
			out = append(out, dot{y: sum.y / n, x: sum.x / n})
		}
	}
	return append(out, d.dust...)
}
