package evaluate

import (
	"context"
	"path/filepath"

	"coverslip/datasets/biabench"
)

// Manifest says which files below dir serve which deliverable, and which were turned down (spec/contract.md 3.4). It is
// nil where no deliverables are declared.
func Manifest(ctx context.Context, dir string, deliverables []biabench.Deliverable) *biabench.Manifest {
	if len(deliverables) == 0 {
		return nil
	}
	root := dir
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		root = real
	}
	m := biabench.ManifestOf(root, biabench.Resolve(ctx, dir, deliverables), nil)
	return &m
}
