package board

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"coverslip/scoring/checklist"
)

// Evaluated is what is known of one evaluated run when it becomes a run of an entry. Pointers are nil where a value is not
// known. Label is how it ended (package checklist).
type Evaluated struct {
	Task, RunID  string
	Label        string
	Result       *float64
	Process      *float64
	Seconds      *float64
	InputTokens  *Count
	OutputTokens *Count
	CachedTokens *Count // of the input
	CostUSD      *float64
	Model        string
	Instruction  string // brief or detailed
}

// statusOf is the state of a run by its label; there is none for a run that was never evaluated.
var statusOf = map[string]string{
	checklist.Success: Delivered, checklist.Partial: Delivered,
	checklist.NoDeliverable: NoDeliverable, checklist.HallucinatedSuccess: NoDeliverable,
	checklist.Timeout: Crash, checklist.Crash: Crash, checklist.ConnectionError: Crash,
	checklist.ProviderRefusal: Refused, checklist.InfraError: Refused,
}

// Run makes a run of an entry (spec/contract.md 8.4). derived tells that its cost was computed from list prices. A run that
// cannot be taken is an error, in words.
func (e Evaluated) Run() (run EntryRun, derived bool, err error) {
	status, ok := statusOf[e.Label]
	if !ok {
		return run, false, fmt.Errorf("a run with the label %q cannot be put into an entry: evaluate it first", e.Label)
	}
	run = EntryRun{ID: e.RunID, Status: status, Process: maybeRounded(e.Process, 4), InputTokens: e.InputTokens, OutputTokens: e.OutputTokens,
		CostUSD: maybeRounded(e.CostUSD, 4)}
	switch {
	case status == Refused:
	case e.Result != nil:
		run.Outcome = rounded(*e.Result, 4)
	case status == Delivered:
		return run, false, fmt.Errorf("the run delivered, but has no result score: evaluate it first")
	default:
		run.Outcome = rounded(0, 4)
	}
	if e.Seconds != nil {
		run.WallMinutes = rounded(*e.Seconds/60, 2)
	}
	if run.CostUSD == nil {
		run.CostUSD = e.listPrice()
		derived = run.CostUSD != nil
	}
	return run, derived, nil
}

func maybeRounded(v *float64, decimals int) *Number {
	if v == nil {
		return nil
	}
	return rounded(*v, decimals)
}

// price is what a million tokens cost, in US dollars.
type price struct {
	model           string
	in, cached, out float64
}

// prices are the list prices that the benchmark derives costs from.
var prices = []price{
	{"openai/gpt-5.6-sol", 2, 0.2, 10}, {"gpt-5.6-sol", 2, 0.2, 10},
	{"anthropic/claude-opus-5", 5, 0.5, 25}, {"claude-opus-5", 5, 0.5, 25},
	{"anthropic/claude-sonnet-5", 2, 0.2, 10},
	{"moonshotai/kimi-k2.6", 0.95, 0.16, 4},
	{"z-ai/glm-5.1", 0.97, 0.179, 3.04},
	{"deepseek/deepseek-v4-flash", 0.09, 0.018, 0.18},
	{"deepseek/deepseek-v4-pro", 1.027, 0.086, 2.055},
}

// listPrice derives the cost of a run from the price of the longest known name within its model's; nil if there is none or
// the tokens are not known.
func (e Evaluated) listPrice() *Number {
	var p price
	for _, known := range prices {
		if strings.Contains(e.Model, known.model) && len(known.model) > len(p.model) {
			p = known
		}
	}
	if p.model == "" || e.InputTokens == nil || e.OutputTokens == nil {
		return nil
	}
	var cached Count
	if e.CachedTokens != nil {
		cached = *e.CachedTokens
	}
	// Python rounds after each operation; the conversions keep Go from fusing two of them.
	fresh := float64(float64(*e.InputTokens-cached) * p.in)
	sum := fresh + float64(float64(cached)*p.cached)
	sum += float64(float64(*e.OutputTokens) * p.out)
	return rounded(math.Max(0, sum/1e6), 4)
}

// Pack makes an entry of evaluated runs. like holds what the runs do not know: id, source, dates, names. Its instruction
// level and model identifier are taken from the runs where they are "". All tasks must be there, and no other.
func Pack(like Entry, runs []Evaluated, tasks []string) (Entry, []Problem) {
	var c checks
	e := like
	e.SchemaVersion, e.Tasks = SchemaVersion, TaskRuns{}
	judged, anyDerived := false, false
	for _, r := range slices.SortedStableFunc(slices.Values(runs), func(a, b Evaluated) int { return cmp.Compare(a.RunID, b.RunID) }) {
		path := "tasks." + r.Task
		if !slices.Contains(tasks, r.Task) {
			c.add(Form, path, "no task of the benchmark has this id")
			continue
		}
		run, derived, err := r.Run()
		if err != nil {
			c.add(Form, path, "run %s: %v", r.RunID, err)
			continue
		}
		judged, anyDerived = judged || run.Process != nil, anyDerived || derived
		e.Tasks[r.Task] = RunList{append(e.Tasks[r.Task].Runs, run)}
	}
	var counts []int
	for _, id := range tasks {
		if n := len(e.Tasks[id].Runs); n > 0 {
			counts = append(counts, n)
		} else {
			c.add(Form, "tasks."+id, "this task has no run")
		}
	}
	if len(counts) > 0 {
		e.Settings.Repeats = Count(mostFrequent(counts))
	}
	level, model := func(r Evaluated) string { return r.Instruction }, func(r Evaluated) string { return r.Model }
	e.Settings.InstructionLevel = c.common("settings.instruction_level", like.Settings.InstructionLevel, runs, level)
	e.Model.Identifier = c.common("model.identifier", like.Model.Identifier, runs, model)
	if judged && e.Settings.JudgeModel == nil {
		c.add(ProcessWithoutJudge, "settings.judge_model", "runs have process scores, so the judge must be named")
	}
	if !judged {
		e.Settings.JudgeModel = nil
	}
	if anyDerived && e.Settings.CostProvenance == nil {
		listPrice := "list_price"
		e.Settings.CostProvenance = &listPrice
	}
	return e, c
}

// common is the one value that all runs have, unless it was given.
func (c *checks) common(path, given string, runs []Evaluated, of func(Evaluated) string) string {
	if given != "" {
		return given
	}
	var values []string
	for _, r := range runs {
		if v := of(r); v != "" && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	if len(values) != 1 {
		c.add(Form, path, "the runs do not agree on one: %q; say which it is", values)
		return ""
	}
	return values[0]
}
