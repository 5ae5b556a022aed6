package checklist

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// Ways in which an answer came about: evaluation_method of an item.
const (
	NotJudged    = "manual_review_recommended"
	Judged       = "vlm_judge"
	JudgeUnknown = "vlm_judge_unknown"
	Reviewed     = "manual_review"
)

// Candidates are the answers that a judge is asked for: those that nobody has decided.
func Candidates(list []*report.Record) []*report.Record {
	var open []*report.Record
	for _, r := range list {
		method := textOf(r, "evaluation_method", "")
		if textOf(r, "status", Unknown) == Unknown && (method == NotJudged || method == JudgeUnknown) {
			open = append(open, r)
		}
	}
	return open
}

// Merge enters a judge's decisions into a list of answers, by their ids (spec/checklist.md 6.5), and tells whether there were
// any: without, nothing is to be written. An answer without a decision, or with an empty one, stays as it is. Of two
// decisions for one item the later counts.
func Merge(list []*report.Record, decisions []Decision) (any bool) {
	byID := map[string]Decision{}
	for _, d := range decisions {
		byID[d.ItemID] = d
	}
	for _, r := range list {
		if d, ok := byID[textOf(r, "item_id", "")]; ok && !d.empty() {
			d.enter(r)
		}
	}
	return len(decisions) > 0
}

func (d Decision) empty() bool {
	return d.Status == "" && d.Confidence == 0 && d.Rationale == "" && len(d.Refs) == 0 && d.UnknownReason == nil && !d.Weak
}

// enter writes a decision into an answer.
func (d Decision) enter(r *report.Record) {
	if d.Status == Pass || d.Status == Fail {
		r.Set("status", d.Status)
		if textOf(r, "item_type", YesNo) == YesNo {
			r.Set("value", d.Status == Pass)
		}
		r.Set("evidence", strings.Join(d.Refs, ", ")).Set("evaluation_method", Judged).Set("reason", d.Rationale)
		return
	}
	reason := any(nil)
	said := "no reason given"
	if d.UnknownReason != nil {
		reason, said = *d.UnknownReason, *d.UnknownReason
	}
	r.Set("evaluation_method", JudgeUnknown).Set("reason", "The judge did not decide this item: "+said+".").Set("vlm_unknown_reason", reason)
	if d.Rationale != "" {
		r.Set("vlm_rationale", d.Rationale)
	}
}

// UpdateSummary writes the score of a judged list into an evaluation summary. passed depends on the outcome alone; threshold
// is that of the rubric, 0.5 where it cannot be read. Remarks on critical failures and on a needed look are lost from the
// message, as in the reference.
func UpdateSummary(summary *report.Record, process Score, threshold float64) {
	result, judged := numeric64(summary.Get("result_score"))
	passed := judged && result >= threshold
	overall := any(nil)
	if judged {
		overall = numeric.Round(result, 4)
	}
	summary.Set("checklist_score", process.JSON()).Set("checklist_details", process.Details).Set("passed", passed).
		Set("outcome_evaluable", judged).Set("overall_score", overall).
		Set("message", Message(process, result, !judged, passed, threshold)+" [vlm]").Set("vlm_judge_applied", true)
}

// Message is a summary's line on both scores, as the reference words it. none: there is no outcome.
func Message(process Score, result float64, none, passed bool, threshold float64) string {
	text := "checklist=NA (no decided items)"
	if !process.None {
		text = fmt.Sprintf("checklist=%.4f", process.Value)
	}
	if none {
		return text + "; result=NA (process-only)"
	}
	verdict := "False"
	if passed {
		verdict = "True"
	}
	return text + "; result=" + fixed(result, 4) + "; passed=" + verdict + " (tau=" + fixed(threshold, 2) + ")"
}

// fixed writes a number with so many decimals, in Python's words where it is not finite.
func fixed(v float64, decimals int) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 0):
		return strings.ToLower(strings.TrimPrefix(fmt.Sprint(v), "+"))
	}
	return fmt.Sprintf("%.*f", decimals, v)
}

// numeric64 is a field of a summary as a number; null and absent are none.
func numeric64(v any) (float64, bool) {
	switch n := v.(type) {
	case int:
		return float64(n), true
	case json.Number:
		return biabench.Number(n.String())
	}
	return biabench.Number(v)
}

// Record is a decision as vlm_judgement.json lists it. before is the status that the answer had.
func (d Decision) Record(before string) *report.Record {
	reason := any(nil)
	if d.UnknownReason != nil {
		reason = *d.UnknownReason
	}
	r := new(report.Record).Set("item_id", d.ItemID).Set("original_status", before).Set("vlm_status", d.Status).
		Set("vlm_confidence", d.Confidence).Set("vlm_rationale", d.Rationale).Set("vlm_evidence_refs", append([]string{}, d.Refs...)).
		Set("unknown_reason", reason).Set("weak_evidence", d.Weak)
	if d.Vote != nil {
		counts := new(report.Record)
		for _, status := range []string{Pass, Fail, Unknown} {
			if n := d.Vote.Counts[status]; n > 0 {
				counts.Set(status, n)
			}
		}
		r.Set("_vote_distribution", counts).Set("_vote_confidence", d.Vote.Share).Set("_n_samples", d.Vote.N)
	}
	return r
}
