package demo

import (
	"fmt"
	"math"
	"path"
	"sync"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

const (
	condZ, condSide     = 13, 128
	condPixel, condStep = 0.2, 0.6 // micrometres
	condSeed            = 0x676670
)

// construct is a condition: a folder, its fields, and how many condensates its nuclei hold.
type construct struct {
	folder, slide string
	fields        int
	share         float64 // of nuclei with condensates
	most          int
}

var constructs = []construct{
	{"08172023_ZR_WT", "08172023_HEK_ZFTA_Mutants.sld - 08172023_ZFTA_RELA_WT", 4, 0.6, 13},
	{"08172023_ZR_3DBDmut", "08172023_HEK_ZFTA_Mutants.sld - 08172023_ZFTA_RELA_3DBDmut", 3, 0.4, 5},
	{"08172023_ZRC129A_H144A_fix", "08172023_HEK_ZFTA_Mutants.sld - 08172023_ZFTA_RELA_C129A_H144A", 3, 0.3, 3},
}

func puncta() task {
	return task{id: punctaTask,
		look: "Nuclei are paired by their centroids in space; then the counts are compared. \"projection\" works on a maximum projection and counts noise: most nuclei of the mutants get dots that are not there. " +
			"\"micrometres\" has the careful agent's counts with centroids in micrometres instead of voxels, so that hardly a nucleus finds its partner.",
		roles: []role{
			{"careful", "Nuclei and dots in space; a dot more or less here and there."},
			{"projection", "Maximum projection: no depth, noise counted, overlapping dots lost, some nuclei cut in two."},
			{"micrometres", "The careful agent's table with centroids in micrometres."},
		},
		jobs: punctaJobs}
}

func punctaJobs(t task) []job {
	var all []func() *stackField
	var jobs []job
	for c, k := range constructs {
		for n := range k.fields {
			f := sync.OnceValue(func() *stackField { return fillField(c, n) })
			all = append(all, f)
			name := fmt.Sprintf("%s - Position %d.tif", k.slide, n+1)
			trimmed := name + "_trimmed"
			jobs = append(jobs, jobOf(
				tiffLeaf(t.input(k.folder, name), tiff.EncodeOptions{ImageJ: true, PixelUM: condPixel, StepUM: condStep}, func() pixel.Array {
					return array("ZCYX", f().image(), condZ, 2, condSide, condSide)
				}),
				tiffLeaf(t.truth("puncta_segm", k.folder, trimmed+".tif"), tiff.EncodeOptions{}, func() pixel.Array {
					return array("ZYX", f().dots(), condZ, condSide, condSide)
				}),
				bytesLeaf(t.truth("cell_quants", k.folder, trimmed+".csv"), func() []byte { return nucleusTable(f()).csv() }),
				bytesLeaf(t.truth("puncta_quants", k.folder, trimmed+".csv"), func() []byte { return f().dotTable() }),
			))
		}
	}
	fields := sync.OnceValue(func() []*stackField {
		var out []*stackField
		for _, f := range all {
			out = append(out, f())
		}
		return out
	})
	leaves := []leaf{bytesLeaf(t.truth("cell_quants.csv"), func() []byte { return nucleusTable(fields()...).csv() })}
	for k, h := range []countHabits{{}, {flat: true}, {um: true}} {
		leaves = append(leaves, bytesLeaf(t.answer(k, "cell_quants", "cell_quants.csv"), func() []byte { return counted(fields(), h) }))
	}
	return append(jobs, jobOf(leaves...))
}

// ballNucleus is a nucleus in space; lengths in voxels.
type ballNucleus struct {
	z, y, x, rz, r float64
	bright, haze   float64 // Hoechst and GFP
	dots           []ball
}

type ball struct{ z, y, x, r, bright float64 }

// stackField is one stack.
type stackField struct {
	construct
	number int
	seed   uint64
	nuclei []ballNucleus
}

func (f *stackField) trimmedName() string {
	return path.Join(f.folder, fmt.Sprintf("%s - Position %d.tif_trimmed.tif", f.slide, f.number+1))
}

func fillField(c, n int) *stackField {
	f := &stackField{construct: constructs[c], number: n, seed: hash(condSeed, uint64(c), uint64(n))}
	r := newRNG(f.seed)
	for range 3000 {
		u := ballNucleus{z: r.between(4.8, 7.2), y: r.between(8, condSide-8), x: r.between(8, condSide-8), rz: r.between(3.2, 4.2), r: r.between(10, 13.5),
			bright: r.between(500, 900), haze: r.between(70, 190)}
		free := len(f.nuclei) < 15
		for _, o := range f.nuclei {
			free = free && length(u.y-o.y, u.x-o.x) > float64(0.96*(u.r+o.r))
		}
		if !free {
			continue
		}
		if r.chance(f.share) {
			u.haze += 90
			for range 1 + r.below(f.most) {
				u.sow(r)
			}
		}
		f.nuclei = append(f.nuclei, u)
	}
	return f
}

// sow adds a dot inside the nucleus and away from the others.
func (u *ballNucleus) sow(r *rng) {
	for range 40 {
		z, y, x := r.direction3()
		far := r.between(0.1, 0.78)
		d := ball{u.z + float64(z*far*u.rz), u.y + float64(y*far*u.r), u.x + float64(x*far*u.r), r.between(1, 1.7), r.between(500, 1500)}
		free := true
		for _, o := range u.dots {
			free = free && length(length(d.y-o.y, d.x-o.x), 3*(d.z-o.z)) > 5
		}
		if free {
			u.dots = append(u.dots, d)
			return
		}
	}
}

// far is the distance from the middle in radii.
func (u *ballNucleus) far(z, dy, dx float64) float64 {
	dz := (z - u.z) / u.rz
	return math.Sqrt(float64(dz*dz) + (float64(dy*dy)+float64(dx*dx))/float64(u.r*u.r))
}

// image is the stack, Z C Y X.
func (f *stackField) image() []uint16 {
	const plane = condSide * condSide
	out := make([]uint16, condZ*2*plane)
	spreadOut(condZ, func(z int) {
		dna, gfp := newLight(condSide, condSide, 110), newLight(condSide, condSide, 105)
		for k := range f.nuclei {
			u := &f.nuclei[k]
			dna.around(u.y, u.x, u.r+3, func(i int, dy, dx float64) {
				y, x := u.y+dy, u.x+dx
				ragged := float64(0.14 * noise3(f.seed+1, float64(3*z), y, x, 14))
				inside := 1 - ramp(u.far(float64(z), dy, dx)+ragged, 0.88, 1.1)
				clumps := noise3(f.seed+2, float64(3*z), y, x, 5)
				dna.v[i] += float64(inside * u.bright * (0.8 + float64(0.35*clumps)))
				gfp.v[i] += float64(inside * u.haze * (1 - float64(0.5*ramp(noise3(f.seed+3, float64(2*z), y, x, 8), 0.3, 0.5))))
			})
			for _, d := range u.dots {
				dz := (float64(z) - d.z) / 0.95
				gfp.spot(d.y, d.x, d.r, float64(d.bright*bell(float64(dz*dz))))
			}
		}
		dna.blur(1)
		copy(out[2*z*plane:], dna.gray16(camera{read: 7, shot: 0.8}, f.seed+4, z))
		copy(out[(2*z+1)*plane:], gfp.gray16(camera{read: 7, shot: 0.9}, f.seed+5, z))
	})
	return out
}

// dots is the label stack of the condensates, Z Y X, numbered through the field.
func (f *stackField) dots() []uint16 {
	l := newLabels(condZ, condSide, condSide)
	plane, id := newLight(condSide, condSide, 0), uint16(0)
	for _, u := range f.nuclei {
		for _, d := range u.dots {
			id++
			for z := range condZ {
				dz := (float64(z) - d.z) / 1.1
				plane.around(d.y, d.x, 3, func(i int, dy, dx float64) {
					if float64(dz*dz)+(float64(dy*dy)+float64(dx*dx))/float64(1.5*d.r*d.r) <= 1.3 {
						l.ID[z*condSide*condSide+i] = id
					}
				})
			}
		}
	}
	return l.ID
}

const condVoxel = condPixel * condPixel * condStep // cubic micrometres

// nucleusTable is the reference table of some fields.
func nucleusTable(fields ...*stackField) *sheet {
	s := &sheet{head: []string{"ROI label", "ROI volume pix", "ROI volume um", "z", "y", "x", "sphericity", "Hoechst mean intensity per ROI",
		"GFP mean intensity per ROI", "number of GFP puncta", "total GFP puncta volume um per ROI", "Image name", "sample", "condition"}}
	for _, f := range fields {
		for k, u := range f.nuclei {
			volume := math.Floor(float64(4.18879*u.rz*u.r*u.r) + 0.5)
			size := 0.0
			for _, d := range u.dots {
				size += float64(9 * d.r * d.r * condVoxel)
			}
			s.row(k+1, volume, round(volume*condVoxel, 4), round(u.z, 3), round(u.y, 3), round(u.x, 3), 0.8, round(110+float64(0.7*u.bright), 1),
				round(105+float64(0.8*u.haze), 1), len(u.dots), round(size, 4), f.trimmedName(), path.Base(f.trimmedName()), f.folder)
		}
	}
	return s
}

// dotTable is the reference table of the condensates of a field.
func (f *stackField) dotTable() []byte {
	s := sheet{head: []string{"puncta label", "ROI label", "z", "y", "x", "volume um"}}
	id := 0
	for k, u := range f.nuclei {
		for _, d := range u.dots {
			id++
			s.row(id, k+1, round(d.z, 3), round(d.y, 3), round(d.x, 3), round(float64(9*d.r*d.r*condVoxel), 4))
		}
	}
	return s.csv()
}

// countHabits are the mistakes of an agent that counts dots.
type countHabits struct {
	flat bool // on a projection
	um   bool // centroids in micrometres
}

// counted is the table of an agent.
func counted(fields []*stackField, h countHabits) []byte {
	s := sheet{head: []string{"condition", "Image name", "z", "y", "x", "number of GFP puncta"}}
	for _, f := range fields {
		r := newRNG(f.seed, 9)
		name := fmt.Sprintf("%s - Position %d.tif", f.slide, f.number+1)
		for _, u := range f.nuclei {
			z, y, x, n := u.z+float64(0.3*r.normal()), u.y+float64(0.7*r.normal()), u.x+float64(0.7*r.normal()), len(u.dots)
			switch {
			case h.flat:
				z, n = 0, n-r.below(n/3+1)+r.below(3)
				if r.chance(0.12) { // cut in two
					s.row(f.folder, name, z, round(y-5, 2), round(x, 2), n/2)
					y, n = y+5, n-n/2
				}
			case r.chance(0.03):
				continue
			case n > 0 && r.chance(0.3):
				n += 2*r.below(2) - 1
			case r.chance(0.03):
				n++
			}
			if h.um {
				z, y, x = float64(z*condStep), float64(y*condPixel), float64(x*condPixel)
			}
			s.row(f.folder, name, round(z, 2), round(y, 2), round(x, 2), n)
		}
	}
	return s.csv()
}
