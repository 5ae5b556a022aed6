package session

import (
	"context"

	"coverslip/scoring"
)

// exactGains replaces estimated costs of a report by exact gains, which take longer than the score, and keeps what the user has selected.
func (s *Session) exactGains(r *runEntry) {
	estimated := r.report
	if estimated == nil || !estimated.Estimated {
		return
	}
	var exact *scoring.Report
	s.start("Working out what each error costs", func(ctx context.Context, progress func(done, total int)) (err error) {
		exact, err = scoring.Gains(ctx, estimated, progress)
		return err
	}, func(err error) {
		if err != nil {
			s.complain(err)
			return
		}
		if r.report != estimated || exact == nil {
			return
		}
		s.batch(func() {
			r.report = exact
			if s.exhibits.key.report == estimated {
				s.exhibits.key.report = exact
			}
			if s.runEntry() == r {
				s.rebuildErrors()
				s.changed(Score | Errors)
				s.load()
			}
		})
	})
}
