package cli

import (
	"cmp"
	"slices"

	"coverslip/app/session"
	"coverslip/scoring"
)

// worstMarks are the n errors that cost most, the worst first, as the window's errors table has them.
func worstMarks(r *scoring.Report, n int) []scoring.Mark {
	var errs []scoring.Mark
	for _, m := range r.Marks {
		if session.IsError(m) && !m.Diagnostic && m.Cost > 0 {
			errs = append(errs, m)
		}
	}
	slices.SortStableFunc(errs, func(a, b scoring.Mark) int { return cmp.Compare(b.Cost, a.Cost) })
	return errs[:min(n, len(errs))]
}
