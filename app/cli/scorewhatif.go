package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"coverslip/scoring/remedy"
)

// talkEvery is how often long work says how far it is.
const talkEvery = 2 * time.Second

// whatIf scores the run after the obvious remedies of format slips.
func (p Program) whatIf(ctx context.Context, s scored) ([]remedy.Outcome, error) {
	said := time.Now()
	return remedy.WhatIf(ctx, s.task, s.run, s.report, func(done, total int) {
		if time.Since(said) > talkEvery {
			said = time.Now()
			fmt.Fprintf(p.Err, "coverslip: %d of %d remedies tried\n", done, total)
		}
	})
}

// whatIfFiles is how many of a remedy's files the table names.
const whatIfFiles = 2

// writeWhatIfText writes a table of its own below the official result.
func writeWhatIfText(w io.Writer, outcomes []remedy.Outcome) error {
	if len(outcomes) == 0 {
		_, err := fmt.Fprintf(w, "\nunofficial: no obvious remedy of a format slip raises the score\n")
		return err
	}
	fmt.Fprintf(w, "\nunofficial: what slips of format cost. The score above stays as it is.\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, o := range outcomes {
		fmt.Fprintf(t, "%.4f\t%+.4f\tif %s\t%s\n", o.Score, o.Gain, o.If, someFiles(o.Files))
		if o.Beside != "" {
			fmt.Fprintf(t, "\t\t  %s\t\n", o.Beside)
		}
	}
	return t.Flush()
}

func someFiles(files []string) string {
	if rest := len(files) - whatIfFiles; rest > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(files[:whatIfFiles], ", "), rest)
	}
	return strings.Join(files, ", ")
}
