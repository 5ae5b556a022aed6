package evaluate

import (
	"context"
	"path/filepath"

	"coverslip/datasets/biabench"
	"coverslip/scoring/report"
)

// Manifest says which files below dir serve which deliverable, and which were turned down (spec/contract.md 3.4). It is
// nil where no deliverables are declared.
func Manifest(ctx context.Context, dir string, deliverables []biabench.Deliverable) *report.Record {
	if len(deliverables) == 0 {
		return nil
	}
	root := dir
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		root = real
	}
	found := biabench.Resolve(ctx, dir, deliverables)
	served, rejected := []*report.Record{}, []*report.Record{}
	for _, d := range found.Deliverables {
		files := []string{}
		for _, f := range d.Files {
			files = append(files, below(root, f))
		}
		r := new(report.Record).Set("id", d.Deliverable.ID).Set("resolved", files).Set("present", len(files) > 0)
		if d.Err != "" {
			r.Set("error", d.Err)
		}
		served = append(served, r)
	}
	for _, f := range found.Rejected {
		rejected = append(rejected, new(report.Record).Set("file", below(root, f.File)).Set("reason", f.Reason).Set("deliverable", f.Deliverable))
	}
	return new(report.Record).Set("deliverables", served).Set("rejected", rejected)
}

// below is a path relative to root with slashes; a path outside of it, as behind a link, becomes its base name.
func below(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.Base(path)
}
