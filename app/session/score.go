package session

import (
	"context"
	"errors"

	"coverslip/datasets/biabench"
	"coverslip/scoring"
)

// scoreNext scores the next run that has no report, one at a time: the selected one first, then those of the same task. It waits
// for the picture, since people look before they count.
func (s *Session) scoreNext() {
	if s.Loading() {
		return
	}
	var next *entry
	at := -1
	consider := func(e *entry, i int) {
		if at < 0 && i >= 0 && e.runs[i].waits() {
			next, at = e, i
		}
	}
	for _, e := range s.tasks {
		for _, r := range e.runs {
			if r.scoring != nil {
				return
			}
		}
	}
	order := s.tasks
	if e := s.entry(); e != nil {
		consider(e, e.run)
		order = append([]*entry{e}, s.tasks...)
	}
	for _, e := range order {
		for i := range e.runs {
			consider(e, i)
		}
	}
	if at >= 0 {
		s.score(next, next.runs[at])
	}
}

func (r *runEntry) waits() bool {
	return r.report == nil && r.scoring == nil && r.err == nil && !r.stopped
}

// Rescore reads a run's files again and scores it anew: after it was stopped, or after its files have changed.
func (s *Session) Rescore(i int) {
	e := s.entry()
	if e == nil || i < 0 || i >= len(e.runs) || e.runs[i].scoring != nil {
		return
	}
	s.batch(func() {
		r := e.runs[i]
		r.report, r.images, r.err, r.stopped = nil, nil, nil, false
		r.stopWhatIf()
		s.reread()
		if i == e.run {
			s.runChanged()
			s.findImage(s.view.Image)
			s.load()
		}
		s.changed(Runs)
		s.scoreNext()
	})
}

// reread forgets what was read of files, so that they are read as they are now.
func (s *Session) reread() {
	s.loader.Forget()
	s.picked.wanted = sceneKey{}
}

// score scores a run in the background.
func (s *Session) score(e *entry, r *runEntry) {
	var report *scoring.Report
	var resolution biabench.Resolution
	work := func(ctx context.Context, progress func(done, total int)) (err error) {
		if report, err = scoring.Score(ctx, e.task, r.run, progress); err != nil {
			return err
		}
		resolution = biabench.Resolve(ctx, r.run.Dir, e.task.Spec.Deliverables)
		return ctx.Err()
	}
	r.scoring = s.start("Scoring "+r.name(), work, func(err error) {
		r.scoring = nil
		s.batch(func() {
			switch {
			case errors.Is(err, context.Canceled):
				r.stopped = true
			case err != nil:
				r.err = err
				s.complain(err)
			default:
				r.report, r.resolution = report, resolution
				r.images = Join(e.task, resolution, report)
			}
			s.scored(r)
			s.exactGains(r)
			s.scoreNext()
		})
	})
	s.changed(Runs)
}

// scored shows what came of a run.
func (s *Session) scored(r *runEntry) {
	s.changed(Runs)
	if s.runEntry() == r {
		name := s.imageName()
		s.runChanged()
		s.findImage(name)
		s.load()
	} else if s.other(s.view.Other) == r {
		s.load() // its errors are on screen too
	}
}
