package demo

import (
	"path"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

// The ids of the benchmark's tasks: an id decides which scorer judges the answers.
const (
	nucleiTask     = "he-nuinsseg-nuclear-segmentation"
	cellsTask      = "3d-fluo-cell-segmentation-lateral-line-idr0079"
	bacteriaTask   = "phase-contrast-bacteria-tracking-toiam"
	countingTask   = "fluo-cell-counting-2d-cellfmcount"
	smlmTask       = "smlm-localization-dnapaint"
	plateTask      = "cytoplasm-nucleus-translocation-bbbc014"
	microgliaTask  = "microglia-phenotype-progression-bbbc054"
	woundTask      = "wound-healing-speed-kymograph-gigadb100118"
	kineticsTask   = "5D-npc-assembly-kinetics-idr0115"
	mosaicTask     = "confocal-mosaic-4channel-stitching-ctc-model"
	filamentsTask  = "sim-microtubules-segmentation"
	vesselsTask    = "3d-light-sheet-brain-vessels"
	punctaTask     = "3d-confocal-puncta-quantification-sbiad1556"
	fociTask       = "fluo-dna-repair-foci-colocalization-sbsst227"
	golgiTask      = "fluo-coronavirus-golgi-colocalization"
	helaTask       = "fluo-helacytonuc-cell-segmentation"
	timeOfRuns     = "2026-01-15T09:00:00Z"
	versionOfCards = "1.0"
)

// role is an agent of one task: its name and the kind of its mistakes.
type role struct{ name, about string }

// task is one task of the demo.
type task struct {
	id    string
	look  string // what to look for, for the README
	roles []role // best first
	jobs  func(t task) []job
}

// tasks lists the tasks in the order in which they are written: a picture can be seen early.
func tasks() []task {
	return []task{
		{nucleiTask, "\"splitter\" cuts and joins nuclei: Dice hardly moves, AP and the error table do. \"careless\" has one image of half the size and one missing.",
			rolesOf(agents()), func(task) []job { return slideJobs() }},
		{cellsTask, "The same three habits in space. Step through z (`.` and `,`) and look at XZ: \"careless\" lies off along x.",
			rolesOf(agents()), func(task) []job { return []job{stackJob()} }},
		bacteria(), counting(), smlm(), plate(), microglia(), wound(), kinetics(), mosaic(), filaments(), vessels(), puncta(), foci(), golgi(), hela(),
	}
}

// rolesOf names the agents of the first two tasks.
func rolesOf(all []agent) []role {
	var out []role
	for _, a := range all {
		out = append(out, role{a.name, a.about})
	}
	return out
}

func (t task) input(parts ...string) string {
	return path.Join(append([]string{taskDir(t.id), "input"}, parts...)...)
}

func (t task) truth(parts ...string) string {
	return path.Join(append([]string{taskDir(t.id), "evaluation"}, parts...)...)
}

// answer is the path of a file in the answer of the k-th agent.
func (t task) answer(k int, parts ...string) string {
	return path.Join(append([]string{runDir(t.id, t.roles[k].name), "artifacts"}, parts...)...)
}

// leaf is a file of the demo that is made when it is asked for.
type leaf struct {
	path string
	make func() ([]byte, error)
}

// jobOf makes its files one after the other.
func jobOf(leaves ...leaf) job {
	j := job{make: func() ([]file, error) {
		var b builder
		for _, l := range leaves {
			data, err := l.make()
			b.add(l.path, data, err)
		}
		return b.files, b.err
	}}
	for _, l := range leaves {
		j.paths = append(j.paths, l.path)
	}
	return j
}

// tiffLeaf is an image file.
func tiffLeaf(path string, o tiff.EncodeOptions, make func() pixel.Array) leaf {
	return leaf{path, func() ([]byte, error) { return encoded(make(), o) }}
}

// bytesLeaf is a file of bytes: a table, a list, a picture.
func bytesLeaf(path string, make func() []byte) leaf {
	return leaf{path, func() ([]byte, error) { return make(), nil }}
}
