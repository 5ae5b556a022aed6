package board

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"coverslip/datasets/biabench"
)

// Codes of the checks beyond the form.
const (
	IDNotFileName       = "id_is_not_file_name"
	IDForm              = "id_form"
	SubmittedDate       = "submitted_date"
	CommunityNeedsURL   = "community_needs_url"
	DuplicateRunID      = "duplicate_run_id"
	RefusedWithOutcome  = "refused_with_outcome"
	OutcomeMissing      = "outcome_missing"
	FailedWithOutcome   = "failed_with_outcome"
	RepeatsMismatch     = "repeats_mismatch"
	ProcessWithoutJudge = "process_without_judge"
	JudgeWithoutProcess = "judge_without_process"
	DuplicateID         = "duplicate_id" // of two entries of one board
)

// checks collects problems beyond the form.
type checks []Problem

func (c *checks) add(code, path, text string, args ...any) {
	*c = append(*c, Problem{code, path, fmt.Sprintf(text, args...)})
}

// Check finds what the form of an entry cannot say (spec/contract.md 8.2), in the reference's order. entry is the JSON object
// as read, with json.Number; what its form already refuses is passed over. stem is the name of its file without suffix.
func Check(entry map[string]any, stem string, tasks []string) []Problem {
	var c checks
	id, _ := entry["id"].(string)
	if id != stem {
		c.add(IDNotFileName, "id", "the id %q must be the name of its file, %q", id, stem)
	}
	if !idForm.MatchString(id) {
		c.add(IDForm, "id", "the id must be 3 to 80 of a-z, 0-9, point, dash and underscore, the first a letter or digit")
	}
	if day, ok := entry["submitted"].(string); !ok || !biabench.IsDate(day) {
		c.add(SubmittedDate, "submitted", "%s is not a date of the calendar, as 2026-01-31", kindOf(entry["submitted"]))
	}
	artifacts, _ := entry["artifacts"].(map[string]any)
	if url, _ := artifacts["url"].(string); entry["source"] == "community" && url == "" {
		c.add(CommunityNeedsURL, "artifacts.url", "an entry of the community must give an address where its runs can be looked at")
	}
	counts, processes := c.tasks(entry, tasks)
	c.settings(entry, counts, processes)
	return c
}

// tasks checks all runs, and gives the number of runs of each task that has some and how many have a process score.
func (c *checks) tasks(entry map[string]any, tasks []string) (counts []int, processes int) {
	block, _ := entry["tasks"].(map[string]any)
	order := slices.Clone(tasks)
	for _, id := range slices.Sorted(maps.Keys(block)) {
		if !slices.Contains(tasks, id) {
			order = append(order, id)
		}
	}
	for _, id := range order {
		task, _ := block[id].(map[string]any)
		runs, _ := task["runs"].([]any)
		if len(runs) > 0 {
			counts = append(counts, len(runs))
		}
		seen := map[string]bool{}
		for i, v := range runs {
			run, _ := v.(map[string]any)
			c.run("tasks."+id+".runs["+strconv.Itoa(i)+"]", run, seen)
			if run["process"] != nil {
				processes++
			}
		}
	}
	return counts, processes
}

// run checks one run. seen are the ids of the task's runs before it.
func (c *checks) run(path string, run map[string]any, seen map[string]bool) {
	if id, given := run["run_id"]; given {
		key := kindOf(id)
		if text, ok := id.(string); ok {
			key = strconv.Quote(text) // whole
		}
		if seen[key] {
			c.add(DuplicateRunID, path+".run_id", "another run of this task has the id %s, too", key)
		}
		seen[key] = true
	}
	status, outcome := run["status"], run["outcome"]
	value, isNumber := numberOf(outcome)
	switch {
	case status == Refused:
		if outcome != nil && !(isNumber && value == 0) {
			c.add(RefusedWithOutcome, path+".outcome", "a refused run counts nowhere: its outcome must be null or 0")
		}
	case !isNumber:
		c.add(OutcomeMissing, path+".outcome", "a run that was not refused must have a number here")
	case (status == NoDeliverable || status == Crash) && value > 0:
		c.add(FailedWithOutcome, path+".outcome", "a run of status %s has delivered nothing: its outcome must be 0", status)
	}
}

// numberOf takes numbers, and booleans as Python does.
func numberOf(v any) (float64, bool) {
	switch v := v.(type) {
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	case bool:
		return biabench.Number(v)
	}
	return 0, false
}

// settings checks what the settings say of the runs.
func (c *checks) settings(entry map[string]any, counts []int, processes int) {
	settings, _ := entry["settings"].(map[string]any)
	if len(counts) > 0 {
		usual := mostFrequent(slices.Sorted(slices.Values(counts)))
		if n, ok := numberOf(settings["repeats"]); !ok || n != float64(usual) {
			c.add(RepeatsMismatch, "settings.repeats", "most tasks have %d run(s), this says %s", usual, kindOf(settings["repeats"]))
		}
	}
	judge, _ := settings["judge_model"].(string)
	switch {
	case processes > 0 && judge == "":
		c.add(ProcessWithoutJudge, "settings.judge_model", "%d run(s) have a process score, so the judge must be named", processes)
	case processes == 0 && judge != "":
		c.add(JudgeWithoutProcess, "settings.judge_model", "a judge is named, but no run has a process score")
	}
}

// mostFrequent is the value that occurs most often; of several, the one that comes first.
func mostFrequent(values []int) int {
	counts, best := map[int]int{}, 0
	for _, v := range values {
		counts[v]++
	}
	for _, v := range values {
		if counts[v] > counts[best] {
			best = v
		}
	}
	return best
}
