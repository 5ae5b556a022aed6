package cli

import (
	"context"

	"coverslip/datasets/tabular/archive"
	"coverslip/scoring/report"
)

// describeZip adds what a ZIP holds, and what the run in it is. One that is sound but cannot be used as a run says so in
// its notes.
func describeZip(ctx context.Context, rec *report.Record, path string) error {
	a, err := archive.Open(path, archive.DefaultLimits)
	if err != nil {
		return err
	}
	defer a.Close()
	if err := a.Safe(); err != nil {
		return err
	}
	var bytes int64
	for _, m := range a.Members {
		bytes += m.Size
	}
	rec.Set("format", "ZIP").Set("members", len(a.Members)).Set("bytes", bytes)
	notes := a.Notes
	if err := describeRun(ctx, rec, path); err != nil {
		if ctx.Err() != nil {
			return err
		}
		notes = append(notes, "It cannot be used as a run: "+err.Error())
	}
	if more, ok := rec.Get("notes").([]string); ok {
		notes = append(notes, more...)
	}
	if len(notes) > 0 {
		rec.Set("notes", notes)
	}
	return nil
}
