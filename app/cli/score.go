package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"coverslip/app/session"
	"coverslip/datasets/biabench"
	"coverslip/scoring"
	"coverslip/scoring/report"
)

func (p Program) score() *cobra.Command {
	var truth, marks string
	var asJSON bool
	c := &cobra.Command{
		Use:   "score TASK_DIR RUN_DIR",
		Short: "Score one run of a task",
		Long: "Scores a run (any folder of outputs, a submission folder or a submission zip) with the task's official scorer.\n" +
			"The truth is TASK_DIR/evaluation unless --gt names another folder.",
		Args: between(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			scored, err := scoreRun(cmd.Context(), args[0], args[1], truth, p.Err)
			if err != nil {
				return err
			}
			defer scored.run.Close()
			if marks != "" {
				if err := p.write(marks, scored.paths(), func(w io.Writer) error { return report.WriteMarks(w, scored.report) }); err != nil {
					return err
				}
			}
			if asJSON {
				err = writeScoreJSON(p.Out, scored.report)
			} else {
				err = writeScoreText(p.Out, scored)
			}
			return errors.Join(err, scored.withheld(p.Err))
		},
	}
	c.Flags().StringVar(&truth, "gt", "", "folder of the truth, instead of TASK_DIR/evaluation")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	c.Flags().StringVar(&marks, "marks", "", "write the judged objects to this CSV file; - is stdout")
	return c
}

// scored is a run with its report.
type scored struct {
	task   *biabench.Task
	run    *biabench.Run
	report *scoring.Report
	absent error // the run is not there
}

// scoreRun opens a task and a run and scores them. The caller closes the run.
func scoreRun(ctx context.Context, taskDir, runDir, truth string, talk io.Writer) (scored, error) {
	task, err := biabench.OpenTask(taskDir, truth)
	if err != nil {
		return scored{}, err
	}
	if task.RubricErr != nil {
		fmt.Fprintf(talk, "coverslip: the rubric was refused, so its defaults count: %v\n", task.RubricErr)
	}
	run, absent := biabench.OpenRun(ctx, runDir)
	if errors.Is(absent, fs.ErrNotExist) {
		run = &biabench.Run{Path: runDir, Dir: runDir} // the reference scores a run that is not there, with 0
	} else if absent != nil {
		return scored{}, absent
	}
	r, err := scoring.Score(ctx, task, run, nil)
	if err != nil {
		run.Close()
		return scored{}, err
	}
	return scored{task, run, r, absent}, nil
}

// paths are the folders that the score was made from.
func (s scored) paths() []string { return []string{s.task.Dir, s.task.Truth, s.run.Path} }

// withheld says on stderr what keeps the score from being taken at face value, and gives the error for exit code 1.
func (s scored) withheld(talk io.Writer) error {
	if s.absent != nil {
		return s.absent
	}
	var bad bool
	if s.task.RubricErr != nil {
		bad = true // said when it was read
	}
	if text := s.report.NeedsReview; text != "" {
		fmt.Fprintf(talk, "coverslip: the score needs a look: %s\n", text)
		bad = true
	}
	if s.report.Result.None {
		fmt.Fprintf(talk, "coverslip: no score: %s\n", s.report.Result.Reason)
		bad = true
	} else if text, ok := s.report.Metrics.Get("error").(string); ok {
		fmt.Fprintf(talk, "coverslip: the score is %g: %s\n", s.report.Result.Value, text)
		bad = true
	}
	if id := s.run.TaskID; id != "" && id != s.task.Spec.TaskID {
		fmt.Fprintf(talk, "coverslip: this run says it is for the task %s, it was compared with %s\n", id, s.task.Spec.TaskID)
		bad = true
	}
	if bad {
		return errWithheld
	}
	return nil
}

func writeScoreJSON(w io.Writer, r *scoring.Report) error {
	out := new(report.Record).Set("task_id", r.TaskID).Set("result_score", nil).Set("passed", r.Passed()).
		Set("threshold", r.Threshold).Set("metrics", r.Metrics)
	if r.Result.None {
		out.Set("reason", r.Result.Reason)
	} else {
		out.Set("result_score", r.Result.Value)
	}
	notes := r.Notes
	if notes == nil {
		notes = []scoring.Note{}
	}
	out.Set("notes", notes)
	text, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// worstShown is how many errors the text output names.
const worstShown = 10

func writeScoreText(w io.Writer, s scored) error {
	r := s.report
	fmt.Fprintf(w, "%s\n%s\n", session.TitleOf(r.TaskID), filepath.Clean(s.run.Path))
	if r.Result.None {
		fmt.Fprintf(w, "\nno score   %s\n\n", session.Verdict(r))
	} else {
		fmt.Fprintf(w, "\n%.4f   %s\n\n", r.Result.Value, session.Verdict(r))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, l := range report.Explain(r) {
		fmt.Fprintf(t, "%s\t%s\n", l.Head, l.Text)
	}
	if worst := worstMarks(r, worstShown); len(worst) > 0 {
		fmt.Fprintf(t, "\nworst errors\t\t\n")
		for _, m := range worst {
			im := r.ImageOf(m)
			fmt.Fprintf(t, "%.5f\t%s\t%s %s\n", m.Cost, im.Name, im.Compartment, m.Text)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "\n%s\n", noteText(n))
	}
	return nil
}

// noteText reads "warning: FILE: TEXT. FIX."
func noteText(n scoring.Note) string {
	text := string(n.Level) + ": "
	if n.File != "" {
		text += n.File + ": "
	}
	text += n.Text
	if n.Fix != "" {
		text += ". " + n.Fix
	}
	return text
}
