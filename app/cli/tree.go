package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"text/tabwriter"
	"time"

	"coverslip/datasets/biabench"
	"coverslip/datasets/fault"
	"coverslip/scoring"
	"coverslip/scoring/checklist"
	"coverslip/scoring/evaluate"
	"coverslip/scoring/report"
)

// resultsFile lists the outcomes of a whole tree.
const resultsFile = "submission_eval_results.json"

// tree is a tree of submissions that is scored into a tree of evaluations.
type tree struct {
	submissions, tasksDir, out string
	checklistFile              string
	workers                    int

	tasks map[string]*biabench.Task
	list  *checklist.Checklist
	ages  *ages
}

// scoreTree scores every submission of a tree. One that cannot be scored does not stop the others.
func (p Program) scoreTree(ctx context.Context, t tree, asJSON bool) error {
	found, err := p.openTree(&t)
	if err != nil {
		return err
	}
	rows := make([]row, len(found))
	var mu sync.Mutex
	finished := 0
	spread(ctx, len(found), t.workers, func(i int) {
		start := time.Now()
		rows[i] = t.one(ctx, found[i])
		mu.Lock()
		defer mu.Unlock()
		if finished++; ctx.Err() == nil {
			fmt.Fprintf(p.Err, "%d/%d  %s  %s  %.1f s\n", finished, len(found), t.shown(found[i]), rows[i].state, clock(start))
		}
	})
	if err := ctx.Err(); err != nil {
		return err // what is finished stays, and is not done again
	}
	if err := makeFolder(t.out); err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(t.out, resultsFile), records(rows)); err != nil {
		return err
	}
	if asJSON {
		err = writeRowsJSON(p.Out, rows)
	} else {
		err = t.writeTable(p.Out, rows)
	}
	if err == nil && anyWithheld(rows) {
		err = errWithheld
	}
	return err
}

// openTree reads what all submissions share, and finds them.
func (p Program) openTree(t *tree) (found []string, err error) {
	if err := outside(t.out, t.submissions, t.tasksDir); err != nil {
		return nil, err
	}
	if found, err = biabench.FindSubmissions(t.submissions); err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, &fault.Error{Kind: fault.Missing, File: t.submissions, Found: "no folder with a " + biabench.SubmissionFile + " in it"}
	}
	t.tasks, err = biabench.FindTasks(t.tasksDir, func(refused error) { fmt.Fprintf(p.Err, "coverslip: %v\n", refused) })
	if err != nil {
		return nil, err
	}
	if len(t.tasks) == 0 {
		return nil, &fault.Error{Kind: fault.Missing, File: t.tasksDir, Found: "no task folder in it", Expected: "folders with a " + biabench.SpecFile}
	}
	for _, task := range t.tasks {
		if task.RubricErr != nil {
			fmt.Fprintf(p.Err, "coverslip: the rubric was refused, so its defaults count: %v\n", task.RubricErr)
		}
	}
	var sum string
	t.list, sum, err = p.openChecklist(t.checklistFile, t.tasksDir, filepath.Dir(real(t.tasksDir)))
	t.ages = newAges(sum)
	return found, err
}

// spread runs job(0) to job(n-1), so many at a time, until ctx ends.
func spread(ctx context.Context, n, workers int, job func(int)) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(workers, n) {
		wg.Go(func() {
			for i := range next {
				job(i)
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		next <- i
	}
	close(next)
	wg.Wait()
}

// one scores one submission, unless it was before and nothing changed since.
func (t *tree) one(ctx context.Context, dir string) (r row) {
	r = row{dir: dir, run: filepath.Base(dir), agent: "unknown_agent", state: stateFailed}
	defer func() {
		if cause := recover(); cause != nil {
			r.state, r.reason = stateFailed, fmt.Sprintf("scoring failed: %v", cause)
		}
	}()
	folder, v, done, err := t.validate(ctx, dir)
	defer done()
	r.task, r.agent, r.run = v.TaskID, v.Agent, v.RunID
	if err != nil {
		return r.because(err)
	}
	if !v.Accepted {
		r.state, r.reason = stateRejected, v.Errors[0].Message
		return r
	}
	r.accepted = true
	out, err := biabench.EvalDir(dir, real(t.submissions), t.out)
	if err == nil {
		err = outside(out, dir, t.submissions, t.tasksDir)
	}
	if err != nil {
		return r.because(err)
	}
	r.summaryFile = filepath.Join(out, evaluate.SummaryFile)
	task := t.tasks[v.TaskID]
	if summary, remarks, ok := t.ages.finished(r.summaryFile, dir, task.Dir); ok {
		r.state = stateKept
		r.read(summary, remarks)
		return r
	}
	e, remarks, err := t.evaluate(ctx, folder, v, task)
	if err == nil {
		err = writeEvaluation(out, e, remarks)
	}
	if err != nil {
		return r.because(err)
	}
	r.state = stateScored
	var summary summary
	text, err := json.Marshal(e.Summary)
	if err == nil {
		err = json.Unmarshal(text, &summary)
	}
	if err != nil {
		return r.because(err)
	}
	r.read(summary, remarks)
	return r
}

func (t *tree) evaluate(ctx context.Context, dir string, v biabench.Validation, task *biabench.Task) (*evaluate.Evaluation, remarks, error) {
	run, err := biabench.OpenRun(ctx, dir)
	if err != nil {
		return nil, remarks{}, err
	}
	defer run.Close()
	start := time.Now()
	scored, err := scoring.Score(ctx, task, run, nil)
	if err != nil {
		return nil, remarks{}, err
	}
	e, err := evaluate.Evaluate(ctx, evaluate.Input{TaskID: v.TaskID, Task: task, Dir: run.Dir, Scorer: scored.Metrics, Checklist: t.list,
		Metadata: v.Fields, Seconds: clock(start), Submission: dir, Validation: &v})
	return e, remarksOf(task, scored, t.ages.checklist), err
}

// shown is a submission's path below the tree.
func (t *tree) shown(dir string) string {
	if rel, err := filepath.Rel(real(t.submissions), dir); err == nil {
		return rel
	}
	return dir
}

func (t *tree) writeTable(w io.Writer, rows []row) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "score\tpassed\tstate\ttask\tagent\trun\tremark\n")
	for _, r := range rows {
		score, passed := "none", "-"
		if r.score != nil {
			score = fmt.Sprintf("%.4f", *r.score)
		}
		if r.passed != nil {
			passed = map[bool]string{true: "yes", false: "no"}[*r.passed]
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", score, passed, r.state, r.task, r.agent, r.run, r.reason)
	}
	return tw.Flush()
}

func records(rows []row) []*report.Record {
	list := make([]*report.Record, len(rows))
	for i, r := range rows {
		list[i] = r.record()
	}
	return list
}

func writeRowsJSON(w io.Writer, rows []row) error {
	for _, r := range rows {
		text, err := json.Marshal(r.record().Set("state", r.state).Set("remark", orNull(r.reason)))
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s\n", text); err != nil {
			return err
		}
	}
	return nil
}
