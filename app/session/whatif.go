package session

import (
	"context"
	"errors"

	"coverslip/scoring"
	"coverslip/scoring/remedy"
	"coverslip/scoring/report"
)

// whatIf is what came of trying remedies of format slips on a run. It is unofficial and never touches the run's report.
type whatIf struct {
	job      *job // nil once it has ended
	outcomes []remedy.Outcome
	err      error
}

// stopWhatIf forgets what was tried on a run, and stops what is being tried.
func (r *runEntry) stopWhatIf() {
	if r.whatIf != nil && r.whatIf.job != nil {
		r.whatIf.job.cancel()
	}
	r.whatIf = nil
}

// CanTryRemedies tells whether the selected run has a report that remedies can be held against, and none are being tried.
func (s *Session) CanTryRemedies() bool {
	r := s.runEntry()
	return r != nil && r.report != nil && s.entry().task != nil && (r.whatIf == nil || r.whatIf.job == nil)
}

// TryRemedies scores the selected run in the background after the obvious remedies of format slips. The run's files are
// only read; what it would score comes with WhatIf.
func (s *Session) TryRemedies() {
	if !s.CanTryRemedies() {
		return
	}
	r, task := s.runEntry(), s.entry().task
	tried, official := &whatIf{}, r.report
	work := func(ctx context.Context, progress func(done, total int)) (err error) {
		tried.outcomes, err = remedy.WhatIf(ctx, task, r.run, official, scoring.Progress(progress))
		return err
	}
	r.whatIf = tried
	tried.job = s.start("Trying remedies on "+r.name(), work, func(err error) {
		tried.job, tried.err = nil, err
		if errors.Is(err, context.Canceled) && r.whatIf == tried {
			r.whatIf = nil // it can be asked for again
		}
		s.complain(err)
		s.changed(Score)
	})
	s.changed(Score)
}

// WhatIf says what slips of format cost the selected run, a line for each remedy that gains, best first. It is empty
// where nothing was asked for. Wanted invites to ask: there is a report whose score could be higher.
func (s *Session) WhatIf() (text []report.Line, wanted bool) {
	r := s.runEntry()
	if r == nil || r.report == nil {
		return nil, false
	}
	t := r.whatIf
	switch {
	case t == nil:
		return nil, s.CanTryRemedies() && (r.report.Result.None || r.report.Result.Value < 1)
	case t.job != nil:
		return []report.Line{{Head: "What if", Text: "Trying remedies of format slips."}}, false
	case t.err != nil:
		return []report.Line{{Head: "What if", Text: t.err.Error()}}, false
	case len(t.outcomes) == 0:
		return []report.Line{{Head: "What if", Text: "No obvious remedy of a format slip raises the score."}}, false
	}
	now := "no score"
	if !r.report.Result.None {
		now = scoreText(r.report.Result.Value)
	}
	for _, o := range t.outcomes {
		line := report.Line{Head: "What if", Text: "If " + o.If + ": " + scoreText(o.Score) + " (now " + now + "), unofficial"}
		if o.Beside != "" {
			line.Text += "; " + o.Beside
		}
		text = append(text, line)
	}
	return text, false
}
