package remedy

import (
	"path/filepath"
	"slices"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster"
)

// places looks at files that lie where no scorer looks: below "supporting", or below a folder that stands for input data.
func (f *finder) places() {
	var lacking bool
	for _, d := range f.resolution.Deliverables {
		lacking = lacking || len(d.Files) == 0 && d.Deliverable.Required
	}
	if !lacking {
		f.others()
		return
	}
	aside := Remedy{Text: "the files lay beside the folder supporting, not in it", changes: map[string]change{}}
	input := Remedy{Text: "the files lay in no folder whose name stands for input data", changes: map[string]change{}, moved: inputFolder(f.run.Dir) != ""}
	for _, x := range f.files {
		if rest, in := strings.CutPrefix(x.rel, biabench.SupportingFolder+"/"); in {
			aside.changes[x.rel] = change{name: rest}
		}
		if by := inputFolder(filepath.Dir(x.rel)); by != "" {
			parts := strings.Split(x.rel, "/")
			parts[slices.Index(parts, by)] = "output"
			input.changes[x.rel] = change{name: strings.Join(parts, "/")}
		}
	}
	if len(aside.changes) > 0 {
		f.found = append(f.found, aside)
	}
	if len(input.changes) > 0 || input.moved {
		f.found = append(f.found, input)
	}
}

// otherFiles is how many of the files behind the first are tried in its place.
const otherFiles = 4

// others looks at deliverables of one file for which several were handed in: the first by path counts.
func (f *finder) others() {
	for _, d := range f.resolution.Deliverables {
		if d.Deliverable.Multi || len(d.Files) == 0 {
			continue
		}
		var first []file
		for _, x := range f.files {
			if x.path == d.Files[0] {
				first = append(first, x)
			}
		}
		rest := d.Surplus
		if len(rest) == 0 {
			rest = f.sameKind(d)
		}
		for i, path := range rest[:min(len(rest), otherFiles)] {
			r := Remedy{Text: filepath.Base(path) + " were read, not " + filepath.Base(d.Files[0]), changes: map[string]change{}}
			for _, x := range first {
				r.changes[x.rel] = change{omit: true}
			}
			for _, x := range f.files {
				if slices.Contains(rest[:i], x.path) {
					r.changes[x.rel] = change{omit: true}
				}
			}
			f.found = append(f.found, r)
		}
	}
}

// sameKind are the other files of the first one's suffix, where that was found by its suffix alone.
func (f *finder) sameKind(d biabench.Resolved) (list []string) {
	glob := biabench.CompileGlob(strings.ToLower(d.Deliverable.Pattern))
	for _, x := range f.files {
		if glob.Match(strings.ToLower(x.rel)) || glob.Match(strings.ToLower(base(x.rel))) {
			return nil
		}
	}
	for _, x := range f.files {
		if x.path != d.Files[0] && strings.EqualFold(biabench.Suffix(x.path), biabench.Suffix(d.Files[0])) && !strings.HasPrefix(x.rel, biabench.SupportingFolder+"/") {
			list = append(list, x.path)
		}
	}
	return list
}

// kinds looks at deliverables that were handed in as another kind of file: PNG for TIFF, a workbook for CSV.
func (f *finder) kinds() {
	for _, d := range f.resolution.Deliverables {
		if len(d.Files) > 0 || d.Err != biabench.NotFound {
			continue
		}
		pattern := strings.ToLower(strings.TrimRight(d.Deliverable.Pattern, "*?"))
		switch {
		case strings.HasSuffix(pattern, ".tif"), strings.HasSuffix(pattern, ".tiff"):
			f.asTIFF()
		case strings.HasSuffix(pattern, ".csv"), strings.HasSuffix(pattern, ".txt"):
			f.asTable(d.Deliverable, pattern[len(pattern)-4:])
		}
	}
}

func (f *finder) asTIFF() {
	s := slips{}
	for _, x := range f.files {
		suffix := strings.ToLower(biabench.Suffix(x.path))
		switch suffix {
		case ".png", ".bmp", ".npy", ".npz":
			same := func(a raster.Array) (raster.Array, error) { return a, nil }
			c := edit(same)
			c.name = strings.TrimSuffix(x.rel, biabench.Suffix(x.rel)) + ".tif"
			s.add("the images were TIFF files, not "+strings.ToUpper(suffix[1:]), x, c)
		}
	}
	for _, r := range s.list() {
		if !slices.ContainsFunc(f.found, func(o Remedy) bool { return o.Text == r.Text }) {
			f.found = append(f.found, r)
		}
	}
}

// asTable takes tables of other kinds for the deliverable.
func (f *finder) asTable(d biabench.Deliverable, suffix string) {
	i := slices.IndexFunc(schemas[f.task.Spec.TaskID], func(s schema) bool { return s.deliverable == d.ID })
	if i < 0 {
		return
	}
	s := schemas[f.task.Spec.TaskID][i]
	all := slips{}
	for _, x := range f.files {
		if !isTable(x.path) || strings.EqualFold(biabench.Suffix(x.path), suffix) || strings.HasPrefix(x.rel, biabench.SupportingFolder+"/") {
			continue
		}
		table, err := asPerson(x.path)
		if header, _ := s.locate(table); err != nil || header < 0 && !headless(s, table) {
			continue
		}
		c := change{name: strings.TrimSuffix(x.rel, biabench.Suffix(x.rel)) + suffix, load: asPerson, form: s.form}
		if text, put := headerSlip(s, table); text != "" {
			c.rows = []func(rows) rows{put}
		}
		text := "the table were " + strings.ToUpper(suffix[1:]) + ", not " + strings.ToUpper(strings.TrimPrefix(biabench.Suffix(x.path), "."))
		if !d.Multi {
			text = base(x.rel) + " were called " + base(c.name)
		}
		all.add(text, x, c)
	}
	f.found = append(f.found, all.list()...)
}
