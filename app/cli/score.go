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
	"time"

	"github.com/spf13/cobra"

	"coverslip/app/session"
	"coverslip/datasets/biabench"
	"coverslip/scoring"
	"coverslip/scoring/remedy"
	"coverslip/scoring/report"
)

func (p Program) score() *cobra.Command {
	var one oneRun
	var all tree
	var asJSON bool
	c := &cobra.Command{
		Use:   "score TASK_DIR RUN_DIR",
		Short: "Score one run of a task, or a whole tree of submissions",
		Long: "Scores a run (any folder of outputs, a submission folder or a submission zip) with the task's official scorer.\n" +
			"The truth is TASK_DIR/evaluation unless --gt names another folder. --out writes the files of an evaluation.\n" +
			"--what-if says what slips of format cost: it scores copies of the run's files after the obvious remedies. It is unofficial.\n\n" +
			"  coverslip score --all SUBMISSIONS --tasks TASKS --out EVAL [-j N]\n\n" +
			"scores every folder below SUBMISSIONS that holds a submission.json, and every zip of one, and writes each evaluation to the same place below EVAL.\n" +
			"What was scored before is kept unless its inputs are newer, so that a run that was stopped goes on where it was.",
		Args: func(cmd *cobra.Command, args []string) error { return checkScoreArgs(cmd, all, args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if all.submissions != "" {
				all.out, all.checklistFile = one.out, one.checklistFile
				return p.scoreTree(cmd.Context(), all, asJSON)
			}
			return p.scoreOne(cmd.Context(), args[0], args[1], one, asJSON)
		},
	}
	f := c.Flags()
	f.StringVar(&one.truth, "gt", "", "folder of the truth, instead of TASK_DIR/evaluation")
	f.BoolVar(&asJSON, "json", false, "print one JSON object; with --all one a line")
	f.StringVar(&one.marks, "marks", "", "write the judged objects to this CSV file; - is stdout")
	f.StringVar(&one.out, "out", "", "folder to write the evaluation to: summary, checklist items, deliverables")
	f.BoolVar(&one.whatIf, "what-if", false, "also score the run after obvious remedies of format slips (unofficial)")
	f.StringVar(&one.checklistFile, "checklist", "", "the benchmark's Checklist.yaml, if it is not beside the tasks or one above")
	f.StringVar(&all.submissions, "all", "", "score all submissions below this folder; needs --tasks and --out")
	f.StringVar(&all.tasksDir, "tasks", "", "folder of task folders, for --all")
	f.IntVarP(&all.workers, "jobs", "j", 1, "submissions to score at a time, for --all; each uses all processors where it can")
	return c
}

// oneRun are the choices for scoring one run.
type oneRun struct {
	truth, marks, out, checklistFile string
	whatIf                           bool
}

// checkScoreArgs tells a call for one run from one for a tree, and what is missing.
func checkScoreArgs(cmd *cobra.Command, all tree, args []string) error {
	given := cmd.Flags().Changed
	if !given("all") {
		if given("tasks") || given("jobs") {
			return usageError{errors.New("--tasks and -j go with --all")}
		}
		return between(2, 2)(cmd, args)
	}
	switch out, _ := cmd.Flags().GetString("out"); {
	case len(args) > 0 || all.submissions == "" || all.tasksDir == "" || out == "":
		return usageError{errors.New("usage: coverslip score --all SUBMISSIONS --tasks TASKS --out EVAL [-j N]")}
	case given("gt") || given("marks") || given("what-if"):
		return usageError{errors.New("--gt, --marks and --what-if are for one run, not for --all")}
	case all.workers < 1:
		return usageError{fmt.Errorf("-j %d: expected 1 or more", all.workers)}
	}
	return nil
}

func (p Program) scoreOne(ctx context.Context, taskDir, runDir string, one oneRun, asJSON bool) error {
	scored, err := scoreRun(ctx, taskDir, runDir, one.truth, p.Err)
	if err != nil {
		return err
	}
	defer scored.run.Close()
	if one.marks != "" {
		if scored.report, err = scoring.Gains(ctx, scored.report, nil); err != nil { // exact ones, where the score came with estimates
			return err
		}
		if err := p.write(one.marks, scored.paths(), func(w io.Writer) error { return report.WriteMarks(w, scored.report) }); err != nil {
			return err
		}
	}
	if one.out != "" {
		if err := p.evaluated(ctx, scored, one.out, one.checklistFile); err != nil {
			return err
		}
	}
	var unofficial []remedy.Outcome
	if one.whatIf {
		if unofficial, err = p.whatIf(ctx, scored); err != nil {
			return err
		}
	}
	if asJSON {
		err = writeScoreJSON(p.Out, scored.report, one.whatIf, unofficial)
	} else if err = writeScoreText(p.Out, scored); err == nil && one.whatIf {
		err = writeWhatIfText(p.Out, unofficial)
	}
	return errors.Join(err, scored.withheld(p.Err))
}

// scored is a run with its report.
type scored struct {
	task   *biabench.Task
	run    *biabench.Run
	report *scoring.Report
	absent error // the run is not there

	seconds float64 // that scoring took
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
	start := time.Now()
	r, err := scoring.Score(ctx, task, run, nil)
	if err != nil {
		run.Close()
		return scored{}, err
	}
	return scored{task, run, r, absent, clock(start)}, nil
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
		s.tellRejected(talk)
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

// tellRejected names the files that were turned down, where that left nothing to score.
func (s scored) tellRejected(talk io.Writer) {
	missing, _ := s.report.Metrics.Get("missing_deliverable").(*report.Record)
	rejected, _ := missing.Get("rejected").([]*report.Record)
	for _, r := range rejected {
		fmt.Fprintf(talk, "coverslip: %v was turned down: %v\n", r.Get("file"), r.Get("reason"))
	}
}

// writeScoreJSON writes the report; what a run would score stands beside it, under a key of its own.
func writeScoreJSON(w io.Writer, r *scoring.Report, asked bool, unofficial []remedy.Outcome) error {
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
	if asked {
		out.Set("what_if", append([]remedy.Outcome{}, unofficial...)) // a list, also where there is none
	}
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
