package session

import (
	"context"
	"sync/atomic"
)

// Job is long work that the user sees and can cancel. Total 0 means that its length is not known.
type Job struct {
	ID          int
	Title       string
	Done, Total int
}

type job struct {
	Job
	cancel  context.CancelFunc
	newest  atomic.Int64 // done<<32 | total, as the worker last said
	pending atomic.Bool  // a post that will read newest is under way
}

// start runs work on its own goroutine and finish on the owner's, with the error of work. Progress is coalesced: however often work
// reports, at most one post is under way.
func (s *Session) start(title string, work func(ctx context.Context, progress func(done, total int)) error, finish func(error)) *job {
	ctx, cancel := context.WithCancel(s.ctx)
	s.nextJob++
	j := &job{Job: Job{ID: s.nextJob, Title: title}, cancel: cancel}
	s.jobs = append(s.jobs, j)
	s.changed(Jobs)
	progress := func(done, total int) { s.report(j, done, total) }
	go func() {
		err := work(ctx, progress)
		s.post(func() {
			cancel()
			s.drop(j)
			finish(err)
			s.changed(Jobs)
		})
	}()
	return j
}

// report takes what a worker says, on the worker's goroutine.
func (s *Session) report(j *job, done, total int) {
	j.newest.Store(int64(done)<<32 | int64(uint32(total)))
	if !j.pending.Swap(true) {
		s.post(func() { s.showProgress(j) })
	}
}

func (s *Session) showProgress(j *job) {
	j.pending.Store(false)
	v := j.newest.Load()
	j.Done, j.Total = int(v>>32), int(uint32(v))
	s.changed(Jobs)
}

func (s *Session) drop(j *job) {
	for i := range s.jobs {
		if s.jobs[i] == j {
			s.jobs = append(s.jobs[:i], s.jobs[i+1:]...)
			return
		}
	}
}

// JobList lists what is running, oldest first.
func (s *Session) JobList() []Job {
	list := make([]Job, len(s.jobs))
	for i, j := range s.jobs {
		list[i] = j.Job
	}
	return list
}

// CancelJob asks a job to stop; its result is dropped.
func (s *Session) CancelJob(id int) {
	for _, j := range s.jobs {
		if j.ID == id {
			j.cancel()
		}
	}
}
