// Package demo writes small synthetic tasks and agents of graded quality, the same bytes on each machine.
//
// Two tasks look like tasks of the benchmark and carry their ids, so that their scorers judge them: nuclei in ten H&E
// images (tissue.go, ground.go, packing.go, nuclei.go, stain.go) and cells in a membrane-labelled stack (primordium.go).
// Three agents answer both; their answers are the truth with mistakes made to it (agents.go, outlines.go). plan.go says
// which files there are, write.go puts them on disk.
package demo

import (
	"context"
	"os"
	"path/filepath"
	"strconv"

	"coverslip/datasets/fault"
)

// Version counts the editions of the demo. It changes whenever a byte of it does.
const Version = 1

// Layout says where things are in a written demo.
type Layout struct {
	Tasks []string            // task folders
	Runs  map[string][]string // task folder -> run folders, best agent first
}

// Write writes the demo into dir, which is made if needed. Files are written beside their target, synced and renamed; the
// list of them, coverslip-demo.json, comes last. In a folder that holds a demo of this version only what is missing or
// damaged is written. A folder with other things in it, or with another version, is Inconsistent and left untouched.
// progress, which may be nil, hears of each finished step, one call at a time.
func Write(ctx context.Context, dir string, progress func(done, total int)) (Layout, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Layout{}, &fault.Error{Kind: fault.Missing, File: dir, Err: err}
	}
	w := writer{dir: dir, progress: progress}
	if err := w.run(ctx, plan()); err != nil {
		return Layout{}, err
	}
	return inFolder(dir), nil
}

// Ensure writes the demo below the user's cache folder unless a complete one of this version is there already, which it
// tells from the list of files and their sizes. progress is as for Write and hears nothing if there is nothing to do.
func Ensure(ctx context.Context, progress func(done, total int)) (Layout, error) {
	dir, err := folder()
	if err != nil {
		return Layout{}, &fault.Error{Kind: fault.Missing, Found: "no cache folder for this user", Err: err,
			Fix: "Write the demo into a folder of your choice with: coverslip demo DIR"}
	}
	if complete(dir) {
		return inFolder(dir), nil
	}
	return Write(ctx, dir, progress)
}

// Holds tells whether a path belongs to the demo in the user's cache folder.
func Holds(path string) bool {
	dir, err := folder()
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// folder is where Ensure puts the demo.
func folder() (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "coverslip", "demo-v"+strconv.Itoa(Version)), err
}

func inFolder(dir string) Layout {
	return layout(func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) })
}
