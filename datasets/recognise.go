// Package datasets answers "what is this path?" for anything dropped on the window or named on the command line. Its
// sub-packages read what was recognised.
package datasets

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/fault"
)

// Kind is what a path turns out to be.
type Kind uint8

// The kinds. Later formats add to them.
const (
	Other         Kind = iota // none of the below
	Task                      // a task folder, or its task_spec.yaml
	TaskRoot                  // a folder of task folders
	Run                       // a folder of output files
	Submission                // a folder with submission.json, or that file
	SubmissionZip             // a zip
	Image                     // TIFF, LSM, STK, PNG, BMP, JPEG, NPY or NPZ
	Table                     // CSV, TSV, TXT, XLSX or XLS, by suffix
)

var kindNames = [...]string{"other", "task", "folder of tasks", "run", "submission", "submission zip", "image", "table"}

// String is the kind in plain words.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[Other]
}

const (
	maxEntries = 2048 // of a folder that are looked at
	maxHeader  = 16   // bytes of a file
)

// Recognise tells what a path is from a few names or header bytes; it never reads whole files or trees. The error is
// for a path that is not there or may not be read.
func Recognise(path string) (Kind, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Other, missing(path, err)
	}
	if info.IsDir() {
		return recogniseFolder(path)
	}
	if !info.Mode().IsRegular() {
		return Other, nil
	}
	return recogniseFile(path)
}

func missing(path string, err error) error {
	e := &fault.Error{Kind: fault.Missing, File: path, Found: "nothing of that name", Err: err}
	if !errors.Is(err, os.ErrNotExist) {
		e.Found = "a path that cannot be read"
	}
	return e
}

func recogniseFolder(dir string) (Kind, error) {
	switch {
	case holds(dir, biabench.SpecFile):
		return Task, nil
	case holds(dir, biabench.SubmissionFile):
		return Submission, nil
	}
	tasks, err := tasksBelow(dir, 1)
	switch {
	case err != nil:
		return Other, err
	case len(tasks) > 0:
		return TaskRoot, nil
	}
	return Run, nil
}

// TasksBelow lists the task folders right below root, by name. At most some thousand entries are looked at.
func TasksBelow(root string) ([]string, error) { return tasksBelow(root, maxEntries) }

// tasksBelow stops when it has found enough.
func tasksBelow(root string, enough int) ([]string, error) {
	f, err := os.Open(root)
	if err != nil {
		return nil, missing(root, err)
	}
	defer f.Close()
	entries, err := f.ReadDir(maxEntries)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, missing(root, err)
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	var tasks []string
	for _, e := range entries {
		if e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if dir := filepath.Join(root, e.Name()); holds(dir, biabench.SpecFile) {
			if tasks = append(tasks, dir); len(tasks) == enough {
				break
			}
		}
	}
	return tasks, nil
}

func holds(dir, name string) bool {
	info, err := os.Stat(filepath.Join(dir, name))
	return err == nil && info.Mode().IsRegular()
}

func recogniseFile(path string) (Kind, error) {
	switch filepath.Base(path) {
	case biabench.SpecFile:
		return Task, nil
	case biabench.SubmissionFile:
		return Submission, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return Other, missing(path, err)
	}
	defer f.Close()
	header := make([]byte, maxHeader)
	n, err := io.ReadFull(f, header)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return Other, missing(path, err)
	}
	return recogniseHeader(header[:n], strings.ToLower(filepath.Ext(path))), nil
}

var imageHeaders = []string{"II*\x00", "MM\x00*", "II+\x00", "MM\x00+", "\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "\x93NUMPY"}

// recogniseHeader goes by the suffix, then by the first bytes. A file that is called an image or a workbook but is none
// still is one here, so that whoever opens it can say what is wrong with it.
func recogniseHeader(header []byte, suffix string) Kind {
	isZip := bytes.HasPrefix(header, []byte("PK\x03\x04")) || bytes.HasPrefix(header, []byte("PK\x05\x06"))
	switch suffix {
	case ".csv", ".tsv", ".txt", ".xlsx", ".xls":
		return Table
	case ".zip":
		return SubmissionZip
	case ".tif", ".tiff", ".png", ".lsm", ".stk", ".bmp", ".jpg", ".jpeg", ".npy", ".npz":
		return Image
	}
	for _, magic := range imageHeaders {
		if bytes.HasPrefix(header, []byte(magic)) {
			return Image
		}
	}
	if isZip {
		return SubmissionZip
	}
	return Other
}
