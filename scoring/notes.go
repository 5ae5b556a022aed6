package scoring

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/scoring/report"
)

// addNotes adds to a report what holds whichever calculator made it: the remarks made when task and run were opened, and
// that they do not belong together. Warnings come first, and nothing is said twice.
func addNotes(r *Report, task *biabench.Task, run *biabench.Run) {
	if id := run.TaskID; id != "" && id != task.Spec.TaskID {
		r.Notes = append(r.Notes, Note{Level: report.Warning, Fix: "Open it with the task it belongs to",
			Text: "The run was made for the task " + id + ", it is scored here as " + task.Spec.TaskID})
	}
	if text := holdsTruth(task, run); text != "" {
		r.Notes = append(r.Notes, Note{Level: report.Warning, Text: text, Fix: "Name the folder of the agent's output"})
		r.NeedsReview = cmp.Or(r.NeedsReview, text)
	}
	for _, n := range slices.Concat(run.Notes, task.Notes) {
		r.Notes = append(r.Notes, Note{Level: report.Level(n.Level), Text: strings.TrimSuffix(n.Text, ".")})
	}
	type said struct{ file, text string }
	seen := map[said]bool{}
	r.Notes = slices.DeleteFunc(r.Notes, func(n Note) bool {
		again := seen[said{n.File, n.Text}]
		seen[said{n.File, n.Text}] = true
		return again
	})
	slices.SortStableFunc(r.Notes, func(a, b Note) int { return cmp.Compare(rank(a.Level), rank(b.Level)) })
}

// holdsTruth says that a run folder is the truth or holds it, so that the truth is compared with itself.
func holdsTruth(task *biabench.Task, run *biabench.Run) string {
	truth, err := filepath.EvalSymlinks(task.Truth)
	if task.Truth == "" || err != nil {
		return ""
	}
	dir, err := filepath.EvalSymlinks(run.Dir)
	if err != nil || !within(truth, dir) && !within(dir, truth) {
		return ""
	}
	return "The run folder holds the ground truth itself, so the score says nothing of an agent"
}

func within(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

func rank(l report.Level) int {
	if l == report.Warning {
		return 0
	}
	return 1
}
