package cli

import (
	"io"
	"os"
	"path/filepath"

	"coverslip/datasets/atomic"
	"coverslip/datasets/fault"
)

// write fills a file that the user named, or stdout for - and for no name. A file that is there already and belongs to what was read (a
// task, its truth, a run, an image) is not replaced.
func (p Program) write(path string, read []string, fill func(io.Writer) error) error {
	if path == "" || path == "-" {
		return fill(p.Out)
	}
	if _, err := os.Stat(path); err == nil {
		for _, source := range read {
			if source != "" && inside(path, source) {
				return &fault.Error{Kind: fault.Inconsistent, File: path, Found: "a file of what is being looked at",
					Expected: "a name that is not taken there", Fix: "Tasks, truths and runs are never written over; choose another name"}
			}
		}
	}
	return atomic.Write(path, fill)
}

// inside tells whether a path is a folder or lies in it, links followed.
func inside(path, folder string) bool {
	rel, err := filepath.Rel(real(folder), real(path))
	return err == nil && filepath.IsLocal(rel)
}

// real is a path with links followed, as far as it exists.
func real(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if links, err := filepath.EvalSymlinks(path); err == nil {
		return links
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(real(parent), filepath.Base(path))
	}
	return path
}
