package session

import (
	"context"
	"sync/atomic"
	"time"

	"coverslip/viewer"
)

// patience is how long a picture may take before the status line shows it as a job.
const patience = 150 * time.Millisecond

// watch makes a job of reading a picture if it lasts.
type watch struct {
	progress func(done, total int) // nil for single planes
	tell     func(done, total int)
	job      *job
	ended    bool // on the owner's goroutine
}

// watch begins to watch the reading of a picture; a picture of single planes that are not large says nothing.
func (s *Session) watch(key sceneKey, cancel context.CancelFunc) *watch {
	s.nextJob++
	w := &watch{job: &job{Job: Job{ID: s.nextJob, Title: "Reading a large plane"}, cancel: cancel}}
	switch {
	case key.sections:
		w.job.Title = "Reading slices"
	case key.lasts():
		w.job.Title = "Projecting planes"
	}
	start := time.Now()
	var told atomic.Bool
	w.tell = func(done, total int) {
		if time.Since(start) < patience {
			return
		}
		if !told.Swap(true) {
			s.post(func() {
				if !w.ended {
					s.jobs = append(s.jobs, w.job)
				}
			})
		}
		s.report(w.job, done, total)
	}
	if key.lasts() {
		w.progress = w.tell
	}
	return w
}

// patience shows the job once that has passed, whether or not there is progress to tell, unless it is stopped before.
func (w *watch) patience() *time.Timer {
	return time.AfterFunc(patience, func() { w.tell(0, 0) })
}

// ended drops the job of a picture, if there was one.
func (s *Session) ended(w *watch) {
	w.ended = true
	if w.job != nil {
		s.drop(w.job)
		s.changed(Jobs)
	}
}

// plainPicture goes back to the plane alone, after the user has stopped the reading of many.
func (s *Session) plainPicture() {
	s.view.Project = viewer.Projection{}
	if s.view.Layout == viewer.Ortho {
		s.view.Layout = viewer.One
	}
	s.changed(ViewChanged)
	s.load()
}
