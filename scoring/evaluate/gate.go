package evaluate

import (
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/scoring/checklist"
	"coverslip/scoring/report"
)

// addValidation adds to a summary what the check of a submission found.
func (e *Evaluation) addValidation(v biabench.Validation) {
	var audit any = new(report.Record)
	if v.Audit != nil {
		audit = v.Audit
	}
	warnings := v.Warnings
	if warnings == nil {
		warnings = []biabench.Finding{}
	}
	e.Summary.Set("artifact_audit", audit).Set("validation_warnings", warnings)
}

// gate sets the outcome of a submission that lacks a required deliverable to 0, whatever the calculator said, and labels it
// by whether the agent claimed success (spec/contract.md 7.4). Mind that a run whose outcome could not be judged gets a
// 0 this way too. dir is the submission folder.
func (e *Evaluation) gate(v biabench.Validation, dir string) {
	missing := missingRequired(v)
	if len(missing) == 0 {
		return
	}
	label := checklist.NoDeliverable
	if checklist.ClaimedSuccess(dir) {
		label = checklist.HallucinatedSuccess
	}
	message, _ := e.Summary.Get("message").(string)
	e.Summary.Set("result_score", 0.0).Set("overall_score", 0.0).Set("outcome_evaluable", true).Set("passed", false).
		Set("message", message+" [GATED: "+label+"; missing required: "+strings.Join(missing, ", ")+"]").
		Set("deliverable_gate", true).Set("failure_label", label).Set("missing_required_deliverables", missing)
}

// missingRequired are the ids that validation warned of or, if it did not, those that the audit found no file for.
func missingRequired(v biabench.Validation) []string {
	var ids []string
	for _, w := range v.Warnings {
		if w.Code == biabench.MissingDeliverable && w.Field != "" {
			ids = append(ids, w.Field)
		}
	}
	if ids == nil && v.Audit != nil {
		for _, d := range v.Audit.Deliverables {
			if d.Required && d.Matched == 0 {
				ids = append(ids, d.ID)
			}
		}
	}
	return ids
}
