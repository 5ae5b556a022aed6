package cli

import "coverslip/scoring/report"

// States of a submission of a tree.
const (
	stateScored   = "scored"
	stateKept     = "kept"     // scored before, nothing changed since
	stateRejected = "rejected" // the reference would not score it
	stateFailed   = "failed"
)

// row is what became of one submission.
type row struct {
	dir, task, agent, run string
	accepted              bool
	summaryFile           string // "" where none was to be written
	state, reason         string
	withheld              bool // scored, but not to be taken at face value

	score, result, process *float64 // nil: none
	passed                 *bool
	message                string
}

// summary is what a row takes from an evaluation_summary.json.
type summary struct {
	Overall *float64 `json:"overall_score"`
	Result  *float64 `json:"result_score"`
	Process *float64 `json:"checklist_score"`
	Passed  *bool    `json:"passed"`
	Message string   `json:"message"`
	Review  bool     `json:"needs_review"`
	Why     string   `json:"review_reason"`
	Gated   bool     `json:"deliverable_gate"`
	Label   string   `json:"failure_label"`
	Metrics struct {
		Error any `json:"error"`
		Note  any `json:"note"`
	} `json:"result_metrics"`
}

func (r row) because(err error) row {
	r.state, r.reason = stateFailed, reasonOf(err)
	return r
}

// read takes the figures of a summary, and what a person should know about them.
func (r *row) read(s summary, remarks remarks) {
	r.score, r.result, r.process, r.passed, r.message = s.Overall, s.Result, s.Process, s.Passed, s.Message
	problem, _ := s.Metrics.Error.(string)
	note, _ := s.Metrics.Note.(string)
	switch {
	case s.Gated:
		r.withheld, r.reason = true, "a required deliverable is missing: "+s.Label
	case s.Review:
		r.withheld, r.reason = true, s.Why
	case problem != "":
		r.withheld, r.reason = true, problem
	case s.Overall == nil:
		r.withheld, r.reason = true, note
	case remarks.NeedsReview != "":
		r.withheld, r.reason = true, remarks.NeedsReview
	}
}

// record is a row as the reference lists it.
func (r row) record() *report.Record {
	status := "rejected"
	if r.accepted {
		status = "accepted"
	}
	summaryPath := ""
	if r.state == stateScored || r.state == stateKept {
		summaryPath = r.summaryFile
	}
	rec := new(report.Record).Set("submission_dir", r.dir).Set("task_id", r.task).Set("agent_name", r.agent).Set("run_id", r.run).
		Set("validation_status", status).Set("overall_score", number(r.score)).Set("checklist_score", number(r.process)).
		Set("result_score", number(r.result)).Set("passed", nil).Set("message", r.message).Set("evaluation_summary_path", orNull(summaryPath))
	if r.passed != nil {
		rec.Set("passed", *r.passed)
	}
	if r.message == "" {
		rec.Set("message", r.reason)
	}
	return rec
}

func number(v *float64) any {
	if v == nil {
		return nil
	}
	return *v
}

// anyWithheld tells whether a submission has no score that can be taken at face value.
func anyWithheld(rows []row) bool {
	for _, r := range rows {
		if r.withheld || r.state == stateFailed || r.state == stateRejected {
			return true
		}
	}
	return false
}
