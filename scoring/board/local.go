package board

import (
	"cmp"
	"maps"
	"slices"
)

// Run is one evaluated submission. A figure that is nil is not known: the run was not scored on it.
type Run struct {
	Agent, ID, Task string
	Valid           bool // the submission was accepted
	Score           *float64
	Process         *float64
	Result          *float64
	Passed          *bool
}

// LocalBoard is the local leaderboard. Runs are pooled: an agent's mean is over its runs, and no task weighs more than its
// runs do. That is not the published outcome, which is a mean over tasks.
type LocalBoard struct {
	Total  int        `json:"total_submissions"`
	Valid  int        `json:"valid_submissions"`
	Agents []AgentRow `json:"leaderboard"`
	Tasks  TaskAgents `json:"task_breakdown"`
}

// AgentRow is an agent over all its runs, best mean first.
type AgentRow struct {
	Agent     string  `json:"agent_name"`
	Runs      int     `json:"run_count"`
	Mean      Number  `json:"overall_score_mean"`
	Deviation Number  `json:"overall_score_std"`
	Process   Number  `json:"checklist_score_mean"`
	Result    *Number `json:"result_score_mean"`
	ValidRate Number  `json:"valid_rate"`
	PassRate  Number  `json:"pass_rate"`

	Scored int `json:"-"` // runs with a score: without any, the reference's mean is 0
	Judged int `json:"-"` // of those, runs with a process score
}

// TaskRow is an agent over its runs of one task.
type TaskRow struct {
	Agent     string  `json:"agent_name"`
	Runs      int     `json:"run_count"`
	Mean      Number  `json:"score_mean"`
	Deviation Number  `json:"score_std"`
	Process   Number  `json:"checklist_score_mean"`
	Result    *Number `json:"result_score_mean"`
	ValidRate Number  `json:"valid_rate"`
	PassRate  Number  `json:"pass_rate"`

	Scored int `json:"-"` // runs with a score: without any, the reference's mean is 0
	Judged int `json:"-"` // of those, runs with a process score
}

// TaskAgents are the agents of each task.
type TaskAgents map[string]TaskTable

// TaskTable holds the agents of one task, best mean first.
type TaskTable struct {
	Agents []TaskRow `json:"agents"`
}

// Names lists the tasks in order.
func (t TaskAgents) Names() []string { return slices.Sorted(maps.Keys(t)) }

// Local pools runs by agent, and by task and agent (spec/contract.md 8.1). A run without a task is left out. The figures are
// not rounded.
func Local(runs []Run) LocalBoard {
	b := LocalBoard{Agents: []AgentRow{}, Tasks: TaskAgents{}}
	byTask := map[string][]Run{}
	var all []Run
	for _, r := range runs {
		if r.Task == "" {
			continue
		}
		all = append(all, r)
		byTask[r.Task] = append(byTask[r.Task], r)
		if r.Valid {
			b.Valid++
		}
	}
	b.Total = len(all)
	b.Agents = append(b.Agents, agentRows(all)...)
	for task, runs := range byTask {
		table := TaskTable{}
		for _, row := range agentRows(runs) {
			table.Agents = append(table.Agents, TaskRow(row))
		}
		b.Tasks[task] = table
	}
	return b
}

// agentRows are the agents of some runs, by mean score and then by name.
func agentRows(runs []Run) []AgentRow {
	byAgent := map[string][]Run{}
	for _, r := range runs {
		byAgent[r.Agent] = append(byAgent[r.Agent], r)
	}
	var rows []AgentRow
	for _, agent := range slices.Sorted(maps.Keys(byAgent)) {
		rows = append(rows, agentRow(agent, byAgent[agent]))
	}
	slices.SortStableFunc(rows, func(a, b AgentRow) int { return cmp.Compare(b.Mean, a.Mean) })
	return rows
}

// agentRow sums up the runs of one agent. Means are over the runs that have a score.
func agentRow(agent string, runs []Run) AgentRow {
	var scores, processes, results []float64
	valid, passed := 0, 0
	for _, r := range runs {
		if r.Valid {
			valid++
		}
		if r.Score == nil {
			continue
		}
		scores = append(scores, *r.Score)
		processes = appendKnown(processes, r.Process)
		results = appendKnown(results, r.Result)
		if r.Passed != nil && *r.Passed {
			passed++
		}
	}
	row := AgentRow{Agent: agent, Runs: len(runs), Scored: len(scores), Judged: len(processes),
		Deviation: Number(deviation(scores)), ValidRate: Number(float64(valid) / float64(len(runs)))}
	if len(scores) > 0 {
		row.Mean, row.PassRate = Number(mean(scores)), Number(float64(passed)/float64(len(scores)))
	}
	if len(processes) > 0 {
		row.Process = Number(mean(processes))
	}
	if len(results) > 0 {
		m := Number(mean(results))
		row.Result = &m
	}
	return row
}

func appendKnown(list []float64, v *float64) []float64 {
	if v == nil {
		return list
	}
	return append(list, *v)
}
