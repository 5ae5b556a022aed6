package board

import "encoding/json"

// Row is an entry on the published board: what it was run with, and its figures, recomputed from its runs. Pointers are nil
// where a figure cannot be given.
type Row struct {
	ID              string       `json:"id"`
	Source          string       `json:"source"`
	Submitted       string       `json:"submitted"`
	Harness         string       `json:"harness"` // the agent's name
	AgentVersion    string       `json:"agent_version"`
	AgentClass      *string      `json:"agent_class"`
	Model           string       `json:"model"`
	ModelIdentifier string       `json:"model_identifier"`
	Instruction     string       `json:"instruction_level"`
	DatasetRevision string       `json:"dataset_revision"`
	Repeats         Count        `json:"repeats"`
	JudgeModel      *string      `json:"judge_model"`
	Hardware        *string      `json:"hardware"`
	ArtifactsURL    *string      `json:"artifacts_url"`
	Submitter       RowSubmitter `json:"submitter"`
	Runs            int          `json:"n_runs"`
	Scored          int          `json:"n_scored"`     // all but the refused
	TasksScored     int          `json:"tasks_scored"` // with one scored run or more
	Outcome         *Number      `json:"outcome_mean"` // over tasks
	Deviation       *Number      `json:"outcome_sd_tasks"`
	Process         *Number      `json:"process_mean"` // over runs
	Delivered       int          `json:"delivered"`
	NoDeliverable   int          `json:"no_deliverable"`
	Crash           int          `json:"crash"`
	Refused         int          `json:"refused"`
	WallMinutes     *Number      `json:"median_wall_min"`
	InputTokens     *Number      `json:"median_input_tok_k"` // thousands
	OutputTokens    *Number      `json:"median_output_tok_k"`
	CostPerRun      *Number      `json:"cost_per_run_usd"`
	CostProvenance  *string      `json:"cost_provenance"`
	Tasks           TaskFigures  `json:"per_task"`
}

// RowSubmitter is the submitter without the contact.
type RowSubmitter struct {
	Name        string  `json:"name"`
	Affiliation *string `json:"affiliation"`
}

// TaskFigures are the figures of each task, in the benchmark's order.
type TaskFigures []TaskFigure

// TaskFigure is an entry's outcome on one task.
type TaskFigure struct {
	Task     string   `json:"-"`
	Runs     int      `json:"n_runs"`
	Scored   int      `json:"n_scored"`
	Outcome  *Number  `json:"outcome_mean"`
	Outcomes []Number `json:"outcome_runs"`
	Process  *Number  `json:"process_mean"`
	Status   string   `json:"status"` // scored, refused
}

// ByTask gives the figures of one task.
func (t TaskFigures) ByTask(id string) (TaskFigure, bool) {
	for _, f := range t {
		if f.Task == id {
			return f, true
		}
	}
	return TaskFigure{}, false
}

// MarshalJSON writes an object by task ids.
func (t TaskFigures) MarshalJSON() ([]byte, error) {
	return ordered(len(t), func(i int) (string, any) { return t[i].Task, t[i] })
}

// UnmarshalJSON reads an object by task ids, in its order.
func (t *TaskFigures) UnmarshalJSON(text []byte) error {
	return eachField(text, func(key string, d *json.Decoder) error {
		f := TaskFigure{Task: key}
		err := d.Decode(&f)
		*t = append(*t, f)
		return err
	})
}

// Aggregate recomputes the figures of an entry from its runs (spec/contract.md 8.3). A refused run counts nowhere, one that
// delivered nothing or broke down counts 0. Means and the deviation are exact before they are rounded; the outcome is the
// mean over tasks of means that are rounded already.
func Aggregate(e Entry, tasks []string) Row {
	row := Row{ID: e.ID, Source: e.Source, Submitted: e.Submitted, Harness: e.Agent.Name, AgentVersion: e.Agent.Version, AgentClass: e.Agent.Class,
		Model: e.Model.Name, ModelIdentifier: e.Model.Identifier, Instruction: e.Settings.InstructionLevel,
		DatasetRevision: e.Settings.DatasetRevision, Repeats: e.Settings.Repeats, JudgeModel: e.Settings.JudgeModel,
		Hardware: e.Settings.Hardware, ArtifactsURL: e.Artifacts.URL, CostProvenance: e.Settings.CostProvenance,
		Submitter: RowSubmitter{e.Submitter.Name, e.Submitter.Affiliation}}
	var all figures
	var outcomes []float64
	for _, id := range tasks {
		runs := e.Tasks[id].Runs
		f := taskFigure(id, runs)
		row.Tasks = append(row.Tasks, f)
		if f.Outcome != nil {
			outcomes = append(outcomes, float64(*f.Outcome))
		}
		row.Runs, row.Scored = row.Runs+f.Runs, row.Scored+f.Scored
		for _, r := range runs {
			row.count(r.Status)
			all.add(r)
		}
	}
	row.TasksScored = len(outcomes)
	row.Outcome = meanOf(outcomes, 3)
	if len(outcomes) > 1 {
		row.Deviation = rounded(deviation(outcomes), 3)
	}
	row.Process, row.CostPerRun = meanOf(all.process, 3), meanOf(all.cost, 2)
	row.WallMinutes = medianOf(all.wall, 1)
	row.InputTokens, row.OutputTokens = medianOf(all.input, 1), medianOf(all.output, 1)
	return row
}

// figures are the known values of some runs, the refused left out.
type figures struct{ outcome, process, wall, input, output, cost []float64 }

func (f *figures) add(r EntryRun) {
	if r.Status == Refused {
		return
	}
	f.outcome = appendNumber(f.outcome, r.Outcome)
	f.process = appendNumber(f.process, r.Process)
	f.wall = appendNumber(f.wall, r.WallMinutes)
	f.cost = appendNumber(f.cost, r.CostUSD)
	f.input = appendThousands(f.input, r.InputTokens)
	f.output = appendThousands(f.output, r.OutputTokens)
}

func appendNumber(list []float64, n *Number) []float64 { return appendKnown(list, (*float64)(n)) }

func appendThousands(list []float64, n *Count) []float64 {
	if n == nil {
		return list
	}
	return append(list, float64(*n)/1000)
}

func taskFigure(id string, runs []EntryRun) TaskFigure {
	t := TaskFigure{Task: id, Runs: len(runs), Status: "refused", Outcomes: []Number{}}
	var f figures
	for _, r := range runs {
		f.add(r)
		if r.Status != Refused {
			t.Scored++
		}
	}
	for _, v := range f.outcome {
		t.Outcomes = append(t.Outcomes, *rounded(v, 4))
	}
	if t.Scored > 0 {
		t.Status = "scored"
	}
	t.Outcome, t.Process = meanOf(f.outcome, 4), meanOf(f.process, 4)
	return t
}

func (r *Row) count(status string) {
	switch status {
	case Delivered:
		r.Delivered++
	case NoDeliverable:
		r.NoDeliverable++
	case Crash:
		r.Crash++
	case Refused:
		r.Refused++
	}
}

func meanOf(values []float64, decimals int) *Number {
	if len(values) == 0 {
		return nil
	}
	return rounded(mean(values), decimals)
}

func medianOf(values []float64, decimals int) *Number {
	if len(values) == 0 {
		return nil
	}
	return rounded(median(values), decimals)
}
