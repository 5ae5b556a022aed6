package demo

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"coverslip/datasets/atomic"
	"coverslip/datasets/fault"
	"coverslip/datasets/raster/parallel"
)

// markerName is the list of a demo's files. It is written last: where it is, the demo was once complete.
const markerName = "coverslip-demo.json"

type marker struct {
	Version int      `json:"version"`
	About   string   `json:"about"`
	Files   []listed `json:"files"`
}

type listed struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// readMarker returns nil where there is none.
func readMarker(dir string) (*marker, error) {
	name := filepath.Join(dir, markerName)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, cannot("read", name, err)
	}
	var m marker
	if json.Unmarshal(text, &m) != nil || m.Version == 0 {
		return nil, &fault.Error{Kind: fault.Malformed, File: name, Found: "something else than the list of a demo",
			Expected: "the list that the demo wrote", Fix: "Remove the folder or choose another one"}
	}
	return &m, nil
}

// complete tells whether dir holds all files of these jobs, of this version, with the right sizes. It reads only the list.
func complete(dir string, jobs []job) bool {
	m, err := readMarker(dir)
	if err != nil || m == nil || m.Version != Version {
		return false
	}
	sizes := make(map[string]int64, len(m.Files))
	for _, f := range m.Files {
		sizes[f.Path] = f.Size
	}
	for _, p := range paths(jobs) {
		size, known := sizes[p]
		info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(p)))
		if !known || err != nil || !info.Mode().IsRegular() || info.Size() != size {
			return false
		}
	}
	return true
}

// writer writes a demo into a folder.
type writer struct {
	dir      string
	progress func(done, total int)

	mu    sync.Mutex
	old   map[string]listed // what the marker says; nil without one
	files []listed
	done  int
}

// run checks the folder, does the jobs on all processors and writes the marker.
func (w *writer) run(ctx context.Context, jobs []job) error {
	ours := paths(jobs)
	old, err := w.claim()
	if err != nil {
		return err
	}
	if old != nil {
		w.old = map[string]listed{}
		for _, f := range old.Files {
			w.old[f.Path] = f
			if _, again := slices.BinarySearch(ours, f.Path); !again {
				w.files = append(w.files, f) // of a task that is not written this time
			}
		}
	}
	err = parallel.Each(ctx, len(jobs), func(i int) error {
		err := w.do(ctx, jobs[i])
		if err == nil {
			w.step(len(jobs))
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.SortFunc(w.files, func(a, b listed) int { return cmp.Compare(a.Path, b.Path) })
	if old != nil && slices.Equal(old.Files, w.files) {
		return nil
	}
	m := marker{Version, "Files of the Coverslip demonstration. All of it is synthetic.", w.files}
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return &fault.Error{Kind: fault.Malformed, File: markerName, Err: err}
	}
	return put(filepath.Join(w.dir, markerName), append(text, '\n'))
}

// step reports the end of a job.
func (w *writer) step(total int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done++
	if w.progress != nil {
		w.progress(w.done, total)
	}
}

// claim makes sure that the folder may be written to: it is new or empty, holds a demo of this version, or holds only
// files with the names of the demo's (one that was interrupted; their content is checked later).
func (w *writer) claim() (*marker, error) {
	if info, err := os.Stat(w.dir); err == nil && !info.IsDir() {
		return nil, &fault.Error{Kind: fault.Inconsistent, File: w.dir, Found: "a file", Expected: "a folder or a name not taken yet"}
	}
	m, err := readMarker(w.dir)
	if err != nil {
		return nil, err
	}
	if m != nil && m.Version != Version {
		return nil, &fault.Error{Kind: fault.Inconsistent, File: w.dir, Found: fmt.Sprintf("a demo of edition %d", m.Version),
			Expected: fmt.Sprintf("edition %d or an empty folder", Version), Fix: "Choose another folder or remove this one"}
	}
	if m == nil {
		if err := w.onlyOurs(paths(plan(tasks()))); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(w.dir, 0o755); err != nil {
		return nil, cannot("make", w.dir, err)
	}
	return m, nil
}

// onlyOurs refuses a folder that holds anything with a name that is not one of the demo's.
func (w *writer) onlyOurs(ours []string) error {
	return filepath.WalkDir(w.dir, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == w.dir {
			return fs.SkipAll
		}
		if err != nil {
			return cannot("read", name, err)
		}
		rel, _ := filepath.Rel(w.dir, name)
		rel = filepath.ToSlash(rel)
		if name == w.dir || strings.HasSuffix(rel, atomic.Suffix) {
			return nil
		}
		if d.IsDir() {
			if i, _ := slices.BinarySearch(ours, rel+"/"); i < len(ours) && strings.HasPrefix(ours[i], rel+"/") {
				return nil
			}
		} else if _, ok := slices.BinarySearch(ours, rel); ok {
			return nil
		}
		return w.foreign(rel)
	})
}

func (w *writer) foreign(rel string) error {
	return &fault.Error{Kind: fault.Inconsistent, File: w.dir, Found: "other things in the folder, such as " + rel,
		Expected: "an empty folder or one that holds the demo", Fix: "Choose another folder; nothing was changed in this one"}
}

// do makes the files of one job unless all of them are there undamaged.
func (w *writer) do(ctx context.Context, j job) error {
	if w.intact(j) {
		return nil
	}
	files, err := j.make()
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.place(f); err != nil {
			return err
		}
	}
	return nil
}

// intact checks the files of a job against the marker, content included.
func (w *writer) intact(j job) bool {
	var all []listed
	for _, p := range j.paths {
		want, ok := w.old[p]
		have, err := os.ReadFile(filepath.Join(w.dir, filepath.FromSlash(p)))
		if !ok || err != nil || entry(file{p, have}) != want {
			return false
		}
		all = append(all, want)
	}
	w.note(all...)
	return true
}

// place writes one file unless it is there with the right content. A file of another content that the marker
// does not list is not ours.
func (w *writer) place(f file) error {
	name := filepath.Join(w.dir, filepath.FromSlash(f.path))
	have, err := os.ReadFile(name)
	_, listed := w.old[f.path]
	switch {
	case err == nil && bytes.Equal(have, f.data):
	case err == nil && !listed:
		return w.foreign(f.path)
	default:
		if err := put(name, f.data); err != nil {
			return err
		}
	}
	w.note(entry(f))
	return nil
}

func (w *writer) note(files ...listed) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.files = append(w.files, files...)
}

func entry(f file) listed {
	sum := sha256.Sum256(f.data)
	return listed{f.path, int64(len(f.data)), hex.EncodeToString(sum[:])}
}

// put writes a file and the folders above it.
func put(name string, data []byte) error {
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	if err != nil {
		return cannot("make the folder of", name, err)
	}
	err = atomic.Write(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return cannot("write", name, err)
	}
	return nil
}

// cannot words a failure of the file system.
func cannot(what, name string, err error) error {
	return &fault.Error{Kind: fault.Missing, File: name, Found: "could not " + what + " it: " + err.Error(), Err: err,
		Fix: "Check that the folder may be written to and that the disk has room"}
}
