package scoring

import (
	"cmp"
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

func rank(l report.Level) int {
	if l == report.Warning {
		return 0
	}
	return 1
}
