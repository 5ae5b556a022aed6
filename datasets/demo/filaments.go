package demo

import (
	"fmt"
	"sync"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

const (
	tubuleSide   = 256
	tubuleImages = 16
	tubuleHalf   = 1.5 // half width of a filament in the truth, pixels
	tubuleSeed   = 0x747562
)

func filaments() task {
	return task{id: filamentsTask,
		look: "Filaments look dotted but are whole. \"threshold\" breaks them and keeps specks of noise: see clDice and the pieces. " +
			"\"probabilities\" hands in maps of real numbers from 0 to 1, which are turned down before any comparison.",
		roles: []role{
			{"careful", "Follows the filaments through gaps; a few faint ones missed, thickness right to half a pixel."},
			{"threshold", "One threshold on the smoothed image: filaments fall into pieces, noise stays."},
			{"probabilities", "The careful agent's filaments as a map of probabilities instead of a mask."},
		},
		jobs: filamentsJobs}
}

func filamentsJobs(t task) []job {
	var jobs []job
	for i := range tubuleImages {
		n := sync.OnceValue(func() *network { return weave(uint64(i)) })
		stem := fmt.Sprintf("report_%04d", i+1)
		plane := func(make func() []uint8) func() pixel.Array {
			return func() pixel.Array { return array("YX", make(), tubuleSide, tubuleSide) }
		}
		name := stem + "_mask.tif"
		jobs = append(jobs, jobOf(
			tiffLeaf(t.input(stem+".noisy.tiff"), tiff.EncodeOptions{}, func() pixel.Array { return array("YX", n().noisy(), tubuleSide, tubuleSide) }),
			tiffLeaf(t.truth(stem+".binary.tiff"), tiff.EncodeOptions{}, plane(func() []uint8 { return n().mask() })),
			tiffLeaf(t.answer(0, "segmentation_masks", name), tiff.EncodeOptions{}, plane(func() []uint8 { return n().followed() })),
			tiffLeaf(t.answer(1, "segmentation_masks", name), tiff.EncodeOptions{}, plane(func() []uint8 { return n().bright() })),
			tiffLeaf(t.answer(2, "segmentation_masks", name), tiff.EncodeOptions{}, func() pixel.Array { return array("YX", n().likely(), tubuleSide, tubuleSide) }),
		))
	}
	return jobs
}

// network is the truth of one image: filaments as chains of points a few pixels apart. A dot's brightness is that of the
// filament at the point.
type network struct {
	seed  uint64
	lines [][]dot
}

// weave draws filaments that cross the middle of the image and leave a border empty.
func weave(number uint64) *network {
	n := &network{seed: hash(tubuleSeed, number)}
	r := newRNG(n.seed)
	for range 7 + r.below(7) {
		y, x := r.between(60, tubuleSide-60), r.between(60, tubuleSide-60)
		dy, dx := r.direction()
		turn, strength := r.between(-0.035, 0.035), r.between(0.6, 1.25)
		var half [2][]dot
		for side := range half {
			py, px, vy, vx, bend := y, x, dy, dx, turn
			if side == 1 {
				vy, vx, bend = -dy, -dx, -turn
			}
			for py > 26 && px > 26 && py < tubuleSide-26 && px < tubuleSide-26 && len(half[side]) < 70 {
				beads := 0.72 + float64(0.75*noise2(n.seed+3, py, px, 5)) + float64(0.3*noise2(n.seed+4, py, px, 14))
				half[side] = append(half[side], dot{y: py, x: px, bright: float64(strength * clamp(beads, 0.12, 1.5))})
				py, px = py+float64(2.5*vy), px+float64(2.5*vx)
				vy, vx = bent(vy, vx, bend+r.between(-0.06, 0.06))
			}
		}
		var line []dot
		for k := len(half[1]) - 1; k >= 0; k-- {
			line = append(line, half[1][k])
		}
		if line = append(line, half[0]...); len(line) > 24 {
			n.lines = append(n.lines, line)
		}
	}
	return n
}

// noisy is the image.
func (n *network) noisy() []uint16 {
	l := newLight(tubuleSide, tubuleSide, 0)
	for _, line := range n.lines {
		for k := 1; k < len(line); k++ {
			l.line(line[k-1].y, line[k-1].x, line[k].y, line[k].x, 1.15, float64(100*line[k].bright))
		}
	}
	ground := newLight(tubuleSide, tubuleSide, 170)
	ground.shade(n.seed+5, 110, 40)
	l.add(ground)
	return l.gray16(camera{read: 14, shot: 1.6}, n.seed+6, 0)
}

// drawn is the mask of lines with a given half width.
func drawn(lines [][]dot, half float64) []uint8 {
	l := newLight(tubuleSide, tubuleSide, 0)
	for _, line := range lines {
		for k := 1; k < len(line); k++ {
			a, b := line[k-1], line[k]
			my, mx := float64((a.y+b.y)/2), float64((a.x+b.x)/2)
			l.around(my, mx, half+3, func(i int, dy, dx float64) {
				if away, _ := toSegment(my+dy, mx+dx, a.y, a.x, b.y, b.x); away <= half {
					l.v[i] = 1
				}
			})
		}
	}
	return as[uint8](l.v)
}

func (n *network) mask() []uint8 { return drawn(n.lines, tubuleHalf) }

// traced is what an agent that follows filaments sees: now and then one is missed or ends early.
func (n *network) traced() [][]dot {
	r := newRNG(n.seed, 7)
	var out [][]dot
	for _, line := range n.lines {
		if r.chance(0.05) {
			continue
		}
		line = append([]dot(nil), line[r.below(4):len(line)-r.below(4)]...)
		for k := range line {
			line[k].y += float64(0.7 * noise2(n.seed+8, line[k].y, line[k].x, 12))
			line[k].x += float64(0.7 * noise2(n.seed+9, line[k].y, line[k].x, 12))
		}
		out = append(out, line)
	}
	return out
}

func (n *network) followed() []uint8 { return drawn(n.traced(), tubuleHalf+0.2) }

// bright is the smoothed image above a threshold.
func (n *network) bright() []uint8 {
	l := newLight(tubuleSide, tubuleSide, 0)
	for i, v := range n.noisy() {
		l.v[i] = float64(v)
	}
	l.blur(2)
	out := make([]uint8, len(l.v))
	for i, v := range l.v {
		if v > 226 {
			out[i] = 1
		}
	}
	return out
}

// likely is a map of probabilities around the followed filaments.
func (n *network) likely() []float32 {
	l := newLight(tubuleSide, tubuleSide, 0)
	for _, line := range n.traced() {
		for k := 1; k < len(line); k++ {
			l.line(line[k-1].y, line[k-1].x, line[k].y, line[k].x, 1.6, 0.97)
		}
	}
	out := make([]float32, len(l.v))
	for i, v := range l.v {
		out[i] = float32(nearest(float64(v*128))) / 128
	}
	return out
}
