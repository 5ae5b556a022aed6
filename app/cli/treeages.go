package cli

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"coverslip/datasets/biabench"
)

// ages knows how old the inputs of evaluations are. Those of a task are looked at once.
type ages struct {
	checklist string // SHA-256 of the checklist file; "" if there is none
	mu        sync.Mutex
	tasks     map[string]time.Time
}

func newAges(checklistSum string) *ages {
	return &ages{checklist: checklistSum, tasks: map[string]time.Time{}}
}

// finished gives the summary of an evaluation that is whole, newer than task and submission, and made with this task and
// this checklist. One that another program made is taken for made with them: a judge's work may be in it.
func (a *ages) finished(file, submission, task string) (s summary, m remarks, ok bool) {
	info, err := os.Stat(file)
	if err != nil || !info.ModTime().After(newest(submission)) || !info.ModTime().After(a.task(task)) {
		return s, m, false
	}
	m, ours := readRemarks(filepath.Dir(file))
	if ours && (m.Task != task || m.Checklist != a.checklist) {
		return s, m, false
	}
	text, err := biabench.ReadJSON(file)
	return s, m, err == nil && json.Unmarshal(text, &s) == nil
}

func (a *ages) task(dir string) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	age, known := a.tasks[dir]
	if !known {
		age = newest(dir)
		a.tasks[dir] = age
	}
	return age
}

// newest is the last time that a folder, or anything in it, changed. Links are followed to files, not to folders.
func newest(dir string) (last time.Time) {
	filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // what cannot be read cannot be scored either
		}
		if info, err := os.Stat(path); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
		return nil
	})
	return last
}
