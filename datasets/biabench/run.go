package biabench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"coverslip/datasets/fault"
)

// Run is an agent's output: any folder, a submission folder or a zip of either.
type Run struct {
	Path   string // what the user named
	Dir    string // the prediction folder, absolute, links followed: Path, its artifacts/, or where a zip was unpacked
	Name   string // for lists: agent and run if known, else the folder's name
	TaskID string // from submission.json, "" if unknown
	Agent  string // "" if unknown
	RunID  string // "" if unknown
	Notes  Notes

	Submission string // folder that holds submission.json, absolute; "" for a plain folder of outputs

	unpacked string // temporary folder of a zip
}

// OpenRun recognises what path is and finds its prediction folder. A folder without submission.json is used as it is.
// A zip is unpacked, checked member by member, into a temporary folder that Close removes. The error is
// fs.ErrNotExist exactly where nothing lies at path: what may not be read is fault.Missing, too, but it is there.
func OpenRun(ctx context.Context, path string) (*Run, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, noPath(path, err, "Name a folder of output files, a submission folder or a submission zip")
	}
	if !info.IsDir() {
		return openZipRun(ctx, path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, unreadableFolder(path, err)
	}
	r := &Run{Path: path, Name: filepath.Base(abs)}
	if err := r.locate(abs); err != nil {
		return nil, err
	}
	return r, nil
}

// noPath says that a path is not there, or that the system does not let us look. Something below a file is not there.
func noPath(path string, err error, fix string) *fault.Error {
	if errors.Is(err, syscall.ENOTDIR) {
		err = fmt.Errorf("%w (%w)", fs.ErrNotExist, err)
	}
	e := &fault.Error{Kind: fault.Missing, File: path, Found: "nothing of that name", Fix: fix, Err: err}
	if !errors.Is(err, fs.ErrNotExist) {
		e.Found, e.Fix = "a path that cannot be read ("+cause(err)+")", "Check that you may read it, and the folders above it"
	}
	return e
}

// cause is the system's reason alone, without the operation and the path.
func cause(err error) string {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err.Error()
	}
	return err.Error()
}

// Close removes what OpenRun unpacked. It may be called twice.
func (r *Run) Close() error {
	if r == nil || r.unpacked == "" {
		return nil
	}
	dir := r.unpacked
	r.unpacked = ""
	return os.RemoveAll(dir)
}

// locate finds the prediction folder below root and reads submission.json if there is one.
func (r *Run) locate(root string) error {
	r.Dir = root
	if isFile(filepath.Join(root, SubmissionFile)) {
		r.readSubmission(filepath.Join(root, SubmissionFile))
		r.Submission, r.Dir = root, filepath.Join(root, ArtifactsFolder)
		if !IsFolder(r.Dir) {
			return &fault.Error{Kind: fault.Malformed, File: r.Path, Found: "a submission without the folder " + ArtifactsFolder,
				Fix: "Put the output files into " + ArtifactsFolder + ", or take " + SubmissionFile + " away to use the folder as it is"}
		}
	}
	if real, err := filepath.EvalSymlinks(r.Dir); err == nil {
		r.Dir = real
	}
	entries, err := os.ReadDir(r.Dir)
	if err != nil {
		return unreadableFolder(r.Dir, err)
	}
	if len(entries) == 0 {
		r.Notes.warn("The folder of output files is empty: nothing was delivered.")
	}
	if isFile(filepath.Join(r.Dir, SpecFile)) {
		r.Notes.warn("This folder holds a %s: it looks like a task, not like an agent's output.", SpecFile)
	}
	return nil
}
