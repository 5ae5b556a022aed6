package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"coverslip/app/session"
	"coverslip/datasets/demo"
)

func (p Program) demo() *cobra.Command {
	var withScores bool
	c := &cobra.Command{
		Use:   "demo [DIR]",
		Short: "Write the demo data: sixteen synthetic tasks with three agents each",
		Long:  "Writes the demo into DIR, or into the user's cache folder, and lists what it holds.",
		Args:  between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var layout demo.Layout
			var err error
			if len(args) == 1 {
				layout, err = demo.Write(cmd.Context(), args[0], nil)
			} else {
				layout, err = demo.Ensure(cmd.Context(), nil)
			}
			if err != nil {
				return err
			}
			return listDemo(cmd.Context(), p.Out, p.Err, layout, withScores)
		},
	}
	c.Flags().BoolVar(&withScores, "score", false, "score all runs and print the table")
	return c
}

func listDemo(ctx context.Context, w, talk io.Writer, layout demo.Layout, withScores bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, task := range layout.Tasks {
		fmt.Fprintf(t, "%s\t\t%s\n", session.TitleOf(filepath.Base(task)), task)
		for _, run := range layout.Runs[task] {
			score := ""
			if withScores {
				s, err := scoreRun(ctx, task, run, "", talk)
				if err != nil {
					return err
				}
				s.run.Close()
				score = "no score"
				if !s.report.Result.None {
					score = fmt.Sprintf("%.4f", s.report.Result.Value)
				}
			}
			fmt.Fprintf(t, "  %s\t%s\t%s\n", filepath.Base(run), score, run)
		}
	}
	return t.Flush()
}
