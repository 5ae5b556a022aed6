// Package demo writes small synthetic tasks and agents of graded quality, the same bytes on each machine.
//
// Sixteen tasks look like those of the benchmark, in its layout and formats, and carry their ids, so that their scorers
// judge them. catalogue.go lists them; each has a file of its own (bacteria.go, counting.go, smlm.go ...), the first two
// several: nuclei in H&E images (tissue.go, ground.go, packing.go, nuclei.go, stain.go) and cells in a membrane-labelled
// stack (primordium.go). Three agents answer each task; their answers are the truth with mistakes made to it, of a kind
// that differs from agent to agent (agents.go, outlines.go for the first two). plan.go says which files there are, write.go
// puts them on disk. What they are drawn with is in light.go, noise.go, labels.go, curves.go and rng.go; sheet.go and lsm.go
// write tables and Zeiss files.
package demo

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"coverslip/datasets/fault"
)

// Version counts the editions of the demo. It changes whenever a byte of it does.
const Version = 2

// Layout says where things are in a written demo.
type Layout struct {
	Tasks []string            // task folders
	Runs  map[string][]string // task folder -> run folders, best agent first
}

// IDs lists the tasks in the order in which they are written.
func IDs() []string {
	var ids []string
	for _, t := range tasks() {
		ids = append(ids, t.id)
	}
	return ids
}

// Hint says in a sentence or two what to look for in a task of the demo, "" for an id that is none of IDs.
func Hint(id string) string {
	for _, t := range tasks() {
		if t.id == id {
			return t.look
		}
	}
	return ""
}

// First are the tasks that are worth waiting for: the small ones that can be shown while the rest is written.
func First() []string { return IDs()[:2] }

// Write writes the whole demo into dir: WriteTasks with all IDs.
func Write(ctx context.Context, dir string, progress func(done, total int)) (Layout, error) {
	return WriteTasks(ctx, dir, progress, IDs()...)
}

// WriteTasks writes tasks of the demo into dir, which is made if needed, in the order of IDs. Files are written beside
// their target, synced and renamed; the list of them, coverslip-demo.json, comes last. In a folder that holds a demo of
// this version only what is missing or damaged is written, and other tasks of the demo stay. A folder with other things in
// it, or with another version, is Inconsistent and left untouched; an id that is none of IDs is Inconsistent, too.
// progress, which may be nil, hears of each finished step, one call at a time; each task takes two steps at least.
func WriteTasks(ctx context.Context, dir string, progress func(done, total int), ids ...string) (Layout, error) {
	some, err := chosen(ids)
	if err != nil {
		return Layout{}, err
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return Layout{}, &fault.Error{Kind: fault.Missing, File: dir, Err: err}
	}
	w := writer{dir: dir, progress: progress}
	if err := w.run(ctx, plan(some)); err != nil {
		return Layout{}, err
	}
	return layout(dir, some), nil
}

// Ensure writes the whole demo below the user's cache folder: EnsureTasks with all IDs.
func Ensure(ctx context.Context, progress func(done, total int)) (Layout, error) {
	return EnsureTasks(ctx, progress, IDs()...)
}

// EnsureTasks writes tasks of the demo below the user's cache folder unless they are complete there in this version, which
// it tells from the list of files and their sizes. progress is as for WriteTasks and hears nothing if there is nothing to do.
// Call it with First to have something to show, and then Ensure for the rest.
func EnsureTasks(ctx context.Context, progress func(done, total int), ids ...string) (Layout, error) {
	some, err := chosen(ids)
	if err != nil {
		return Layout{}, err
	}
	dir, err := folder()
	if err != nil {
		return Layout{}, &fault.Error{Kind: fault.Missing, Found: "no cache folder for this user", Err: err,
			Fix: "Write the demo into a folder of your choice with: coverslip demo DIR"}
	}
	if complete(dir, plan(some)) {
		return layout(dir, some), nil
	}
	return WriteTasks(ctx, dir, progress, ids...)
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

// chosen gives the tasks of the given ids, in the demo's order.
func chosen(ids []string) ([]task, error) {
	for _, id := range ids {
		if !slices.Contains(IDs(), id) {
			return nil, &fault.Error{Kind: fault.Inconsistent, Found: "no demo task " + strconv.Quote(id), Expected: "an id of the benchmark's sixteen tasks"}
		}
	}
	var some []task
	for _, t := range tasks() {
		if slices.Contains(ids, t.id) {
			some = append(some, t)
		}
	}
	return some, nil
}

// layout names the folders of tasks and runs of a demo in dir.
func layout(dir string, some []task) Layout {
	l := Layout{Runs: map[string][]string{}}
	for _, t := range some {
		folder := filepath.Join(dir, filepath.FromSlash(taskDir(t.id)))
		l.Tasks = append(l.Tasks, folder)
		for _, r := range t.roles {
			l.Runs[folder] = append(l.Runs[folder], filepath.Join(dir, filepath.FromSlash(runDir(t.id, r.name))))
		}
	}
	return l
}
