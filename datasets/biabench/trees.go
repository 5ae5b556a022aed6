package biabench

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coverslip/datasets/atomic"
	"coverslip/datasets/fault"
)

// FindSubmissions lists the submissions below root, root among them, sorted component by component, absolute
// (spec/contract.md 7.1): folders that hold a submission.json, and zips of such a folder. A zip within a submission belongs
// to that one, and a zip beside a submission of its name, or of the path that its name stands for, is that one again: neither
// is listed. What cannot be read is left out; links to folders are not followed.
func FindSubmissions(root string) ([]string, error) {
	abs, err := filepath.Abs(root)
	if err != nil || !IsFolder(abs) {
		return nil, &fault.Error{Kind: fault.Missing, File: root, Found: "no folder of that name", Expected: "a folder of submissions", Err: err}
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	var found, zips []string
	err = filepath.WalkDir(abs, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case e.IsDir() && strings.HasSuffix(e.Name(), atomic.Suffix):
			return fs.SkipDir // one that was never finished
		case e.Name() == SubmissionFile && isFile(path):
			found = append(found, filepath.Dir(path))
		case IsZipName(path) && e.Type().IsRegular():
			zips = append(zips, path)
		}
		return nil
	})
	for _, z := range zips {
		if !belongs(z, abs, found) && isSubmissionZip(z) {
			found = append(found, z)
		}
	}
	sortPaths(found)
	return found, err
}

// belongs tells whether a zip lies in one of the submission folders, or is what one was unpacked from.
func belongs(path, root string, folders []string) bool {
	beside := withoutZip(path)
	parts := filepath.Join(filepath.Dir(path), strings.ReplaceAll(filepath.Base(beside), "__", string(filepath.Separator)))
	if slices.Contains(folders, beside) || slices.Contains(folders, parts) {
		return true
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if slices.Contains(folders, dir) {
			return true
		}
		if dir == root || dir == filepath.Dir(dir) {
			return false
		}
	}
}

// FindTasks opens the task folders directly below root, by the ids inside their specs. A folder that does not load is
// told to refused; where two have one id, the first by name counts.
func FindTasks(root string, refused func(error)) (map[string]*Task, error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, &fault.Error{Kind: fault.Missing, File: root, Found: "no folder of that name", Expected: "a folder of task folders", Err: err}
	}
	tasks := map[string]*Task{}
	for _, e := range entries {
		dir := filepath.Join(root, e.Name())
		if !isFile(filepath.Join(dir, SpecFile)) {
			continue
		}
		task, err := OpenTask(dir, "")
		if err != nil {
			refused(err)
		} else if _, twice := tasks[task.Spec.TaskID]; !twice {
			tasks[task.Spec.TaskID] = task
		}
	}
	return tasks, nil
}

// EvalDir is the folder that the evaluation of a submission goes to: the same path below evalRoot as below
// submissionsRoot, or the last three components where that is "" or does not hold the submission (spec/contract.md 7.1).
// That of a zip goes where that of its unpacked folder would. A path so short that the reference would write into the
// submission itself is refused.
func EvalDir(submission, submissionsRoot, evalRoot string) (string, error) {
	if IsZipName(submission) && isFile(submission) {
		submission = withoutZip(submission)
	}
	if submissionsRoot != "" {
		if rel, err := filepath.Rel(submissionsRoot, submission); err == nil && filepath.IsLocal(rel) {
			return filepath.Join(evalRoot, rel), nil
		}
	}
	clean := filepath.ToSlash(filepath.Clean(submission))
	parts := slices.DeleteFunc(strings.Split(clean, "/"), func(p string) bool { return p == "" })
	switch absolute := filepath.IsAbs(submission); {
	case absolute && len(parts) == 2:
		return "", &fault.Error{Kind: fault.Inconsistent, File: submission, Found: "a submission directly below the top of the file system",
			Fix: "Name the folder that all submissions lie in"}
	case len(parts) > 3:
		parts = parts[len(parts)-3:]
	case len(parts) < 3 && len(parts) > 0:
		parts = parts[len(parts)-1:]
	}
	return filepath.Join(append([]string{evalRoot}, parts...)...), nil
}
