package demo

import (
	"fmt"
	"math"
	"sync"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

const (
	mitosisT, mitosisZ, mitosisH, mitosisW = 50, 5, 48, 56
	mitosisPixelUM, mitosisStepUM          = 0.5, 2.0
	mitosisCells                           = 5
	mitosisMinutes                         = 0.5 // from frame to frame
	mitosisSeed                            = 0x6e7570
)

func kinetics() task {
	return task{id: kineticsTask,
		look: "Play a cell: the plate splits, two nuclei form and their rims light up. Half the score is the frame of onset. \"one-nucleus\" sees the onset when the nuclei are far apart, follows one daughter and leaves a cell out. " +
			"\"seconds\" gives seconds under a heading of minutes and no frame numbers, so that no onset can be read.",
		roles: []role{
			{"careful", "Onset right to a frame or two, both daughters, all five cells."},
			{"one-nucleus", "Onset several frames late, one daughter only, bleaching not corrected, one cell missing."},
			{"seconds", "The careful agent's curves with the time in seconds and without the column of frames."},
		},
		jobs: kineticsJobs}
}

func kineticsJobs(t task) []job {
	var leaves []leaf
	leaves = append(leaves, leaf{t.truth("processed data NUP107.xlsx"), func() ([]byte, error) {
		var all []*sheet
		for k := range mitosisCells {
			m := dividing(k)
			all = append(all, m.table(fmt.Sprintf("160701-cell%d", k+1), curveHabits{noise: 0.006}))
		}
		return workbook(all...)
	}})
	for a, h := range []curveHabits{
		{noise: 0.03, late: 1, seed: 1},
		{noise: 0.10, late: 8, seed: 2, single: true, bleach: 0.035, without: 3},
		{noise: 0.03, late: 1, seed: 1, seconds: true},
	} {
		for k := range mitosisCells {
			if h.without == k && h.without > 0 {
				continue
			}
			stem := mitosisStem(k)
			leaves = append(leaves, leaf{t.answer(a, "kinetics_per_cell", stem+".xlsx"), func() ([]byte, error) {
				return workbook(dividing(k).table(fmt.Sprintf("cell-%d", k+1), h))
			}})
		}
	}
	jobs := []job{jobOf(leaves...)}
	for k := range mitosisCells {
		m := sync.OnceValue(func() mitosis { return dividing(k) })
		o := tiff.EncodeOptions{ImageJ: true, PixelUM: mitosisPixelUM, StepUM: mitosisStepUM, IntervalMin: mitosisMinutes}
		jobs = append(jobs, jobOf(tiffLeaf(t.input(mitosisStem(k)+".tif"), o, func() pixel.Array {
			return array("TZCYX", m().film(), mitosisT, mitosisZ, 2, mitosisH, mitosisW)
		})))
	}
	return jobs
}

func mitosisStem(k int) string { return fmt.Sprintf("160701-Nup107-cell-%d-t6", k+1) }

// mitosis is one dividing cell.
type mitosis struct {
	seed       uint64
	onset      int
	y, x       float64
	ay, ax     float64 // spindle
	pace, core float64 // minutes to half of the rim and of the core
	size       float64
}

func dividing(k int) mitosis {
	r := newRNG(mitosisSeed, uint64(k))
	m := mitosis{seed: hash(mitosisSeed, 5, uint64(k)), onset: 7 + r.below(8), y: mitosisH/2 + r.between(-2, 2), x: mitosisW/2 + r.between(-2, 2)}
	m.ay, m.ax = bent(r.between(-0.4, 0.4), 1, 0)
	m.pace, m.core, m.size = r.between(4, 5), r.between(7.2, 9), r.between(0.94, 1.06)
	return m
}

// rise goes from 0 to 1, a half at the given time; steep, as the pores come back within minutes.
func rise(t, half float64) float64 {
	t3, h3 := float64(t*float64(t*t)), float64(half*float64(half*half))
	return t3 / (t3 + h3)
}

// nucleus is the radius of a daughter nucleus in pixels and its distance from the middle, so many minutes after onset.
func (m mitosis) nucleus(minutes float64) (radius, apart float64) {
	grown := rise(minutes, 8)
	return float64(m.size * (4 + float64(2.6*grown))), 2.5 + float64(9*(1-expNeg(minutes/2.2)))
}

// film is the movie, T Z C Y X: the pore protein and the DNA.
func (m mitosis) film() []uint16 {
	const plane = mitosisH * mitosisW
	movie := make([]uint16, mitosisT*mitosisZ*2*plane)
	spreadOut(mitosisT, func(t int) {
		minutes := float64(t-m.onset) * mitosisMinutes
		for z := range mitosisZ {
			gfp, dna := newLight(mitosisH, mitosisW, 60), newLight(mitosisH, mitosisW, 45)
			m.draw(gfp, dna, minutes, float64(float64(z)-2)*(mitosisStepUM/mitosisPixelUM))
			gfp.blur(1)
			dna.blur(1)
			at := (t*mitosisZ + z) * 2 * plane
			copy(movie[at:], gfp.gray16(camera{read: 5, shot: 0.9}, m.seed+1, t*mitosisZ+z))
			copy(movie[at+plane:], dna.gray16(camera{read: 5, shot: 0.9}, m.seed+2, t*mitosisZ+z))
		}
	})
	return movie
}

// draw paints one slice, dz pixels from the middle one.
func (m mitosis) draw(gfp, dna *light, minutes, dz float64) {
	body := 17.0
	gfp.around(m.y, m.x, 26, func(i int, dy, dx float64) {
		along, across := float64(dy*m.ay)+float64(dx*m.ax), float64(dy*m.ax)-float64(dx*m.ay)
		long := body + float64(4*ramp(minutes, 0, 5))
		far := math.Sqrt(float64(along*along)/float64(long*long) + float64(across*across)/float64(body*body) + float64(dz*dz)/200)
		y, x := m.y+dy, m.x+dx
		cyto := 1 - ramp(far, 0.85, 1)
		free := 1 - float64(0.6*ramp(minutes, 2, 12)) // pores leave the cytoplasm
		gfp.v[i] += float64(cyto * free * (150 + float64(25*noise2(m.seed+3, y, x, 5))))
		if minutes < 0 { // the metaphase plate
			off := math.Sqrt(float64(along*along)/9 + float64(across*across)/90 + float64(dz*dz)/60)
			bright := 1 - ramp(off, 0.7, 1.1)
			dna.v[i] += float64(bright * (620 + float64(120*noise2(m.seed+4, y, x, 3))))
			gfp.v[i] -= float64(70 * bright)
			return
		}
		radius, apart := m.nucleus(minutes)
		a := math.Abs(along) - apart
		r := math.Sqrt(float64(a*a) + float64(across*across) + float64(dz*dz))
		inside := 1 - ramp(r, radius-1, radius+0.8)
		dna.v[i] += float64(inside * (640 - float64(260*rise(minutes, 9)) + float64(130*noise2(m.seed+4, y, x, 3))))
		rim := bell(float64((r-radius)*(r-radius)) / 0.9)
		// The core of the rim faces the spindle pole and the middle: pores come later there.
		level := rise(minutes, m.pace)
		if r > 0 && math.Abs(a)/r > 0.8 {
			level = rise(minutes, m.core)
		}
		gfp.v[i] += float64(420*rim*level) - float64(60*inside)
	})
}

// curveHabits are the mistakes of an agent that measures curves.
type curveHabits struct {
	noise   float64 // relative
	late    int     // frames that the onset is late, up to
	seed    uint64
	single  bool    // one daughter only
	bleach  float64 // loss a minute that is not corrected
	seconds bool    // time in seconds, no frames
	without int     // number of the cell that is left out, 0 none
}

// table is the sheet of a cell.
func (m mitosis) table(name string, h curveHabits) *sheet {
	r := newRNG(m.seed, 9, h.seed)
	s := &sheet{name: name}
	if !h.seconds {
		s.head = []string{"Time Point"}
	}
	s.head = append(s.head, "Time after anaphase onset (min)")
	daughters := 2
	if h.single {
		daughters = 1
	}
	for _, what := range []string{"Volume_Nucleus", "SurfaceArea_Nucleus", "Normalized_total_Intensity_InnerCore", "Normalized_total_Intensity_NonCore"} {
		for d := range daughters {
			s.head = append(s.head, fmt.Sprintf("%s_%d", what, d+1))
		}
	}
	onset := m.onset
	if h.late > 0 {
		onset += h.late - r.below(h.late/3+1)
	}
	for t := onset; t < mitosisT; t++ {
		s.row(m.row(r, h, t, onset, daughters)...)
	}
	return s
}

// row is one time point: what the model has at its frame, told against the onset that the agent believes in.
func (m mitosis) row(r *rng, h curveHabits, t, onset, daughters int) []any {
	told := float64(t-onset) * mitosisMinutes
	row := []any{t, told}
	if h.seconds {
		row = []any{60 * told}
	}
	minutes := float64(t-m.onset) * mitosisMinutes
	radius, _ := m.nucleus(minutes)
	um := float64(radius * mitosisPixelUM)
	fade := expNeg(float64(h.bleach * minutes))
	for _, v := range []float64{4.18879 * um * um * um, 12.56637 * um * um, rise(minutes, m.core) * fade, rise(minutes, m.pace) * fade} {
		for d := range daughters {
			v := float64(v * (1 - float64(0.05*float64(d))))
			row = append(row, round(v+float64(h.noise*max(v, 0.15)*r.normal()), 4))
		}
	}
	return row
}
