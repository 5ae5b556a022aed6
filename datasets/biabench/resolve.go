package biabench

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Resolution says which files serve which deliverable, and why the others do not.
type Resolution struct {
	Deliverables []Resolved // declared order
	Rejected     []Rejected // order of discovery
	Selected     []string   // union of kept files, absolute, in path order
}

// Resolved is one deliverable's files.
type Resolved struct {
	Deliverable Deliverable
	Files       []string // kept, absolute, links followed, in path order
	Surplus     []string // matched but not kept, since the deliverable takes one file
	Err         string   // "", NotFound or NoConforming
	Note        string   // why nothing was found although there are files of the right kind, else ""
}

// The two ways in which a required deliverable can fail.
const (
	NotFound     = "not found"
	NoConforming = "no conforming file"
)

// Rejected is a candidate that was turned down.
type Rejected struct {
	File, Deliverable string
	Code              string   // missing_columns, colour, probability
	Columns           []string // the missing ones, declared order and spelling
	Reason            string   // our words
}

// Codes of rejection.
const (
	MissingColumns = "missing_columns"
	Colour         = "colour"
	Probability    = "probability"
)

// ByID returns the resolution of one deliverable.
func (r Resolution) ByID(id string) (Resolved, bool) {
	i := slices.IndexFunc(r.Deliverables, func(d Resolved) bool { return d.Deliverable.ID == id })
	if i < 0 {
		return Resolved{}, false
	}
	return r.Deliverables[i], true
}

// Resolve finds the files of each deliverable below dir: candidates by name, then a screen of each by its content
// (spec/contract.md 3). All deliverables are resolved independently, so one file may serve several. When ctx ends, the
// result is incomplete and the caller drops it.
func Resolve(ctx context.Context, dir string, deliverables []Deliverable) Resolution {
	found := slices.DeleteFunc(walkFiles(ctx, dir), func(f file) bool {
		first, _, below := strings.Cut(f.rel, "/")
		return first == SupportingFolder && below
	})
	slices.SortFunc(found, func(a, b file) int { return comparePaths(a.path, b.path) })
	gate := contentGate{ctx: ctx, seen: map[string]string{}}
	var r Resolution
	for _, d := range deliverables {
		files, note := candidates(found, d.Pattern)
		res := Resolved{Deliverable: d, Note: note}
		for _, path := range files {
			if reject, bad := screen(&gate, path, d); bad {
				r.Rejected = append(r.Rejected, reject)
			} else if d.Multi || len(res.Files) == 0 {
				res.Files = append(res.Files, path)
			} else {
				res.Surplus = append(res.Surplus, path)
			}
		}
		if d.Required && len(res.Files) == 0 {
			res.Err = NotFound
			if len(files) > 0 {
				res.Err = NoConforming
			}
		}
		r.Deliverables = append(r.Deliverables, res)
		r.Selected = append(r.Selected, res.Files...)
	}
	sortPaths(r.Selected)
	r.Selected = slices.Compact(r.Selected)
	return r
}

// candidates are the files whose name fits the pattern or, where none does, those of the pattern's extension family.
// The note tells when the family was blocked by folder names alone. found is in path order, and so is the result.
func candidates(found []file, pattern string) (paths []string, note string) {
	glob := CompileGlob(lower(pattern))
	for _, f := range found {
		if glob.Match(lower(baseName(f.rel))) || glob.Match(lower(f.rel)) {
			paths = append(paths, f.path)
		}
	}
	if len(paths) > 0 {
		return slices.Compact(paths), ""
	}
	family := extensionFamily(pattern)
	blocked, blockedBy := 0, ""
	for _, f := range found {
		name := lower(baseName(f.rel))
		if !slices.ContainsFunc(family, func(ext string) bool { return strings.HasSuffix(name, ext) }) {
			continue
		}
		if by := inputComponent(f.path); by != "" {
			blocked, blockedBy = blocked+1, by
		} else {
			paths = append(paths, f.path)
		}
	}
	if len(paths) == 0 && blocked > 0 {
		note = fmt.Sprintf("No file name fits %s. %d file(s) of the right type were left out because their path goes through %q, "+
			"which stands for input data. Rename that folder, or name the files as the task asks.", pattern, blocked, blockedBy)
	}
	return slices.Compact(paths), note
}

// inputComponent is the first component of an absolute path that stands for input data, or "".
func inputComponent(path string) string {
	for part := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		switch lower(part) {
		case "input", "inputs", "raw", "raw_input", "raw_inputs":
			return part
		}
	}
	return ""
}

var families = [][]string{{".tif", ".tiff"}, {".jpg", ".jpeg"}, {".npy", ".npz"}}

// extensionFamily lists the lower-case extensions that stand in for a pattern's own, or nothing.
func extensionFamily(pattern string) []string {
	parts := strings.FieldsFunc(strings.TrimRight(pattern, "*?"), func(r rune) bool { return r == '/' })
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "." })
	if len(parts) == 0 {
		return nil
	}
	_, ext := splitSuffix(parts[len(parts)-1])
	ext = strings.TrimRight(lower(ext), "*?")
	if ext == "" || ext == "." {
		return nil
	}
	for _, family := range families {
		if slices.Contains(family, ext) {
			return family
		}
	}
	return []string{ext}
}
