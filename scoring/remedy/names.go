package remedy

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster"
	"coverslip/scoring/report"
)

// slot is a truth without an answer, and the name that an answer to it would need.
type slot struct{ stem, name string }

// named says how the tasks that pair files by name want them called.
var named = map[string][]struct {
	deliverable string
	name        func(truthStem string) string
}{
	"he-nuinsseg-nuclear-segmentation":               {{"segmentation_masks", func(s string) string { return s + ".tif" }}},
	"3d-fluo-cell-segmentation-lateral-line-idr0079": {{"segmentation_masks", func(s string) string { return s + ".tif" }}},
	"fluo-helacytonuc-cell-segmentation": {
		{"nuclei_masks", func(s string) string { return "nuclei_masks/" + s + ".tif" }},
		{"cytoplasm_masks", func(s string) string { return "cytoplasm_masks/" + s + ".tif" }}},
	"fluo-cell-counting-2d-cellfmcount": {{"centroids_per_image", func(s string) string { return s + ".csv" }}},
	"sim-microtubules-segmentation":     {{"segmentation_masks", func(s string) string { return strings.TrimSuffix(s, ".binary") + "_mask.tif" }}},
	"3d-light-sheet-brain-vessels": {{"vessel_masks", func(s string) string {
		return strings.TrimLeft(s[min(len(s), len("binary")):], "_-") + "_mask.tif"
	}}},
}

// names looks at files that pair with nothing, and truths that have no answer.
func (f *finder) names() {
	for _, n := range named[f.task.Spec.TaskID] {
		kept, _ := f.asked(n.deliverable)
		free := slices.DeleteFunc(kept, func(x file) bool {
			return slices.ContainsFunc(f.report.Images, func(im report.Image) bool { return im.Pred == x.path })
		})
		var slots []slot
		for _, im := range f.report.Images {
			if im.Pred == "" && im.Truth != "" && (im.Compartment == "" || strings.HasPrefix(n.deliverable, im.Compartment)) {
				stem := biabench.Stem(im.Truth)
				slots = append(slots, slot{stem, n.name(stem)})
			}
		}
		f.renamed(free, slots)
	}
	if f.task.Spec.TaskID == kymographTask {
		f.kymographNames()
	}
	if f.task.Spec.TaskID == "fluo-helacytonuc-cell-segmentation" {
		f.compartments()
	}
}

// renamed pairs files with slots by what their names share and, where there are as many of both, by order.
func (f *finder) renamed(free []file, slots []slot) {
	if len(free) == 0 || len(slots) == 0 {
		return
	}
	byPart := Remedy{Text: "files were named as the images that share most of their names", changes: map[string]change{}}
	for i, k := range sharing(free, slots) {
		if k >= 0 {
			byPart.changes[free[i].rel] = change{name: slots[k].name}
		}
	}
	if len(byPart.changes) > 0 {
		f.found = append(f.found, byPart)
	}
	if len(free) != len(slots) {
		return
	}
	byOrder := Remedy{Text: "files were named as the images, in their order", changes: map[string]change{}}
	slices.SortFunc(free, func(a, b file) int { return raster.Natural(a.rel, b.rel) })
	slices.SortFunc(slots, func(a, b slot) int { return raster.Natural(a.stem, b.stem) })
	same := true
	for i, x := range free {
		byOrder.changes[x.rel] = change{name: slots[i].name}
		same = same && byPart.changes[x.rel].name == slots[i].name
	}
	if !same {
		f.found = append(f.found, byOrder)
	}
}

// least is how many characters names must share.
const least = 2

// sharing gives each file the slot whose name shares the longest run with its own, -1 where that is not told without
// doubt: another slot shares as much, or another file shares more with the slot.
func sharing(free []file, slots []slot) []int {
	score := make([][]int, len(free))
	for i, x := range free {
		score[i] = make([]int, len(slots))
		for k, s := range slots {
			score[i][k] = common(strings.ToLower(biabench.Stem(x.rel)), strings.ToLower(s.stem))
		}
	}
	best := func(n int, of func(i int) int) int {
		at, most, again := -1, least-1, false
		for i := range n {
			if v := of(i); v > most {
				at, most, again = i, v, false
			} else if v == most {
				again = true
			}
		}
		if again {
			return -1
		}
		return at
	}
	pairs := make([]int, len(free))
	for i := range free {
		k := best(len(slots), func(k int) int { return score[i][k] })
		if k >= 0 && best(len(free), func(i int) int { return score[i][k] }) != i {
			k = -1
		}
		pairs[i] = k
	}
	return pairs
}

// common is the length of the longest run of characters that two texts share.
func common(a, b string) (most int) {
	row := make([]int, len(b)+1)
	for i := range len(a) {
		for k := len(b); k > 0; k-- {
			if row[k] = 0; a[i] == b[k-1] {
				row[k] = 1
				if k > 1 && i > 0 {
					row[k] += row[k-1] // still of the character before
				}
				most = max(most, row[k])
			}
		}
	}
	return most
}

// compartments looks at nuclei and cytoplasm handed in for one another.
func (f *finder) compartments() {
	r := Remedy{Text: "nuclei and cytoplasm were exchanged", guess: true, changes: map[string]change{}}
	for _, x := range f.files {
		lower := strings.ToLower(x.rel)
		nuclei, cytoplasm := strings.Contains(lower, "nuclei"), strings.Contains(lower, "cytoplasm")
		if nuclei == cytoplasm || !biabench.IsImageName(x.path) {
			continue
		}
		if nuclei {
			r.changes[x.rel] = change{name: strings.ReplaceAll(lower, "nuclei", "cytoplasm")}
		} else {
			r.changes[x.rel] = change{name: strings.ReplaceAll(lower, "cytoplasm", "nuclei")}
		}
	}
	if len(r.changes) > 0 && f.report.Result.Value < goodScore {
		f.found = append(f.found, r)
	}
}

// kymographParts are the suffixes of the three files of an experiment, with words that name them in other ways.
var kymographParts = []struct {
	suffix string
	words  []string
}{
	{"_speedKymograph", []string{"kymo"}},
	{"_mf_dxs", []string{"dxs", "dx", "vx", "velocity_x", "velocityx", "u_x"}},
	{"_mf_dys", []string{"dys", "dy", "vy", "velocity_y", "velocityy", "u_y"}},
}

// kymographNames looks at files whose names do not end as the task says, or name no experiment.
func (f *finder) kymographNames() {
	r := Remedy{Text: "files were named as the task says: EXPERIMENT_speedKymograph.tif, _mf_dxs.tif and _mf_dys.tif", changes: map[string]change{}}
	for _, part := range kymographParts {
		var slots []slot
		have := map[string]bool{}
		for _, x := range f.files {
			have[strings.ToLower(biabench.Stem(x.path))] = true
		}
		for _, truth := range f.truths {
			stem := biabench.Stem(truth)
			if key, is := cutSuffixFold(stem, part.suffix); is && !have[strings.ToLower(stem)] {
				slots = append(slots, slot{key, stem})
			}
		}
		var free []file
		for _, x := range f.files {
			stem := strings.ToLower(biabench.Stem(x.path))
			if ext := strings.ToLower(filepath.Ext(x.path)); ext != ".tif" && ext != ".tiff" || f.isKnown(stem) {
				continue
			}
			if slices.ContainsFunc(part.words, func(w string) bool { return strings.Contains(stem, w) }) {
				free = append(free, x)
			}
		}
		for i, k := range sharing(free, slots) {
			if k >= 0 {
				r.changes[free[i].rel] = change{name: path.Join(path.Dir(free[i].rel), slots[k].name+".tif")}
			}
		}
	}
	if len(r.changes) > 0 {
		f.found = append(f.found, r)
	}
}

// isKnown tells the name of a file of the truth.
func (f *finder) isKnown(stem string) bool {
	return slices.ContainsFunc(f.truths, func(t string) bool { return strings.EqualFold(biabench.Stem(t), stem) })
}

func cutSuffixFold(s, suffix string) (before string, found bool) {
	if n := len(s) - len(suffix); n > 0 && strings.EqualFold(s[n:], suffix) {
		return s[:n], true
	}
	return s, false
}
