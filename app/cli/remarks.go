package cli

import (
	"encoding/json"
	"path/filepath"

	"coverslip/datasets/biabench"
	"coverslip/scoring/report"
)

// remarksFile holds beside an evaluation what the reference's files have no place for.
const remarksFile = "coverslip_remarks.json"

// remarks are what a person should know about a score.
type remarks struct {
	NeedsReview string        `json:"needs_review"` // why to look before the score is taken at face value; "" if there is no reason
	Notes       []report.Note `json:"notes"`
	Task        string        `json:"task_dir"`  // that the score was made with
	Checklist   string        `json:"checklist"` // SHA-256 of the checklist file; "" if there was none
}

func remarksOf(task *biabench.Task, r *report.Report, checklistSum string) remarks {
	m := remarks{NeedsReview: r.NeedsReview, Notes: r.Notes, Task: task.Dir, Checklist: checklistSum}
	if m.Notes == nil {
		m.Notes = []report.Note{}
	}
	if m.NeedsReview == "" && task.RubricErr != nil {
		m.NeedsReview = "the rubric was refused, so its defaults count"
	}
	return m
}

// readRemarks reads them back; there are none where another program made the evaluation.
func readRemarks(dir string) (m remarks, there bool) {
	text, err := biabench.ReadJSON(filepath.Join(dir, remarksFile))
	return m, err == nil && json.Unmarshal(text, &m) == nil
}
