package biabench

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coverslip/datasets/fault"
)

// Task is a task folder: paths and parsed YAML. Nothing in it is ever written.
type Task struct {
	Dir       string // absolute
	Spec      Spec
	Rubric    Rubric
	RubricErr error    // a missing or refused rubric: scoring goes on with defaults, as the reference does
	Inputs    []string // image files below input/, natural order, absolute
	Truth     string   // folder of the ground truth, absolute; "" when there is none
	Notes     Notes
}

// OpenTask reads a task folder. dir may also name its task_spec.yaml. truth overrides <dir>/evaluation when not "".
func OpenTask(dir, truth string) (*Task, error) {
	named := dir
	if filepath.Base(dir) == SpecFile && isFile(dir) {
		dir = filepath.Dir(dir)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, unreadableFolder(named, err)
	}
	if err := mustBeTask(named, abs); err != nil {
		return nil, err
	}
	t := &Task{Dir: abs, Rubric: noRubric()}
	specFile := filepath.Join(abs, SpecFile)
	text, err := readText(specFile)
	if err != nil {
		return nil, err
	}
	if t.Spec, err = ReadSpec(specFile, text); err != nil {
		return nil, err
	}
	t.readRubric()
	if err := t.findTruth(truth); err != nil {
		return nil, err
	}
	t.findInputs()
	return t, nil
}

// mustBeTask refuses what is no task folder, in words that say what it is instead.
func mustBeTask(named, abs string) error {
	e := &fault.Error{Kind: fault.Missing, File: named,
		Fix: "Open a task folder: it holds " + SpecFile + ", " + InputFolder + " and " + TruthFolder}
	info, err := os.Stat(abs)
	switch {
	case err != nil:
		return noPath(named, err, e.Fix)
	case !info.IsDir():
		e.Kind, e.Found, e.Expected = fault.Malformed, "a file", "a task folder"
	case isFile(filepath.Join(abs, SpecFile)):
		return nil
	case isFile(filepath.Join(abs, SubmissionFile)):
		e.Found = "an agent's submission, not a task: there is no " + SpecFile
	default:
		e.Found = "no " + SpecFile + " in this folder, so it is not a task"
	}
	return e
}

func (t *Task) readRubric() {
	file := filepath.Join(t.Dir, RubricFile)
	text, err := readText(file)
	if err != nil {
		t.RubricErr = err
	} else {
		t.Rubric, t.RubricErr = ReadRubric(file, text)
	}
	if t.RubricErr != nil {
		t.Notes.warn("The rubric was refused, defaults are used: %v", t.RubricErr)
	}
	t.Notes = append(t.Notes, t.Rubric.Notes...)
}

func (t *Task) findTruth(override string) error {
	dir := filepath.Join(t.Dir, TruthFolder)
	if override != "" {
		abs, err := filepath.Abs(override)
		if err != nil || !IsFolder(abs) {
			return &fault.Error{Kind: fault.Missing, File: override, Found: "no folder of that name", Expected: "a folder with the ground truth", Err: err}
		}
		dir = abs
	}
	if IsFolder(dir) {
		t.Truth = dir
	} else {
		t.Notes.warn("There is no %s folder, so there is no ground truth to score against.", TruthFolder)
	}
	return nil
}

// findInputs lists the images that an agent was given.
func (t *Task) findInputs() {
	dir := filepath.Join(t.Dir, InputFolder)
	if !IsFolder(dir) {
		t.Notes.info("There is no %s folder, so the images cannot be shown. Scoring does not need them.", InputFolder)
		return
	}
	files, err := ListFiles(dir)
	if err != nil {
		t.Notes.info("The %s folder cannot be read: %v", InputFolder, err)
		return
	}
	for _, f := range files {
		rel, err := filepath.Rel(dir, f)
		if err == nil && IsImageName(f) && !isClutter(filepath.ToSlash(rel)) {
			t.Inputs = append(t.Inputs, f)
		}
	}
	slices.SortFunc(t.Inputs, compareNatural)
	if len(t.Inputs) == 0 {
		t.Notes.info("The %s folder holds no images.", InputFolder)
	}
}

// IsImageName tells the suffixes that the benchmark counts as images (spec/contract.md 7.2).
func IsImageName(path string) bool {
	switch lower(Suffix(path)) {
	case ".tif", ".tiff", ".png", ".jpg", ".jpeg", ".bmp", ".nd2", ".czi", ".lif", ".lsm", ".svs", ".ics", ".ids":
		return true
	}
	return false
}

// isClutter tells what operating systems and interrupted downloads leave behind. rel is the path below a folder.
func isClutter(rel string) bool {
	for part := range strings.SplitSeq(rel, "/") {
		switch {
		case strings.HasPrefix(part, "."), part == "__MACOSX", part == "Thumbs.db",
			strings.HasPrefix(part, "_hf_download_"), part == "_hf_side", strings.HasPrefix(part, "_download_"):
			return true
		}
	}
	return false
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// IsFolder tells a folder that is there; links are followed.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// readText reads a small text file whole.
func readText(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() { // opening a pipe would wait for ever
		err = errors.New("not a regular file")
	}
	var f *os.File
	if err == nil {
		f, err = os.Open(path)
	}
	if err != nil {
		e := &fault.Error{Kind: fault.Missing, File: path, Found: "no such file", Err: err}
		if !errors.Is(err, os.ErrNotExist) {
			e.Found = "a file that cannot be opened"
		}
		return nil, e
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxYAMLBytes+1))
	if err != nil {
		return nil, &fault.Error{Kind: fault.Missing, File: path, Found: "a file that cannot be read", Err: err}
	}
	return text, nil
}
