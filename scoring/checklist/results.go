package checklist

import (
	"encoding/json"
	"fmt"
	"io"

	"coverslip/scoring/report"
)

// ResultsFile is the name of the list of answers.
const ResultsFile = "checklist_results.json"

// States of an answer.
const (
	Pass    = "pass"
	Fail    = "fail"
	Unknown = "unknown"
)

// Results is the list of answers for the selected items, none of them decided yet: no rule decides an item, a judge or a
// person does (spec/checklist.md 3). Fields and their order are those of checklist_results.json.
func Results(items []Item) []*report.Record {
	list := make([]*report.Record, 0, len(items))
	for _, item := range items {
		r := new(report.Record).Set("item_id", item.ID).Set("text", item.Text).Set("item_type", item.Type).
			Set("severity", item.Severity).Set("status", Unknown).Set("value", nil).Set("evidence", "").
			Set("section", item.Section).Set("subsection", item.Subsection).Set("task_scope", item.Scope).
			Set("gt_required", item.NeedsTruth).Set("evidence_source", item.Evidence).
			Set("evaluation_method", NotJudged).
			Set("reason", "No rule decides this item; a judge or a person has to.").Set("vlm_hint", nil)
		if item.Hint != "" {
			r.Set("vlm_hint", item.Hint)
		}
		list = append(list, r)
	}
	return list
}

// ReadResults reads a checklist_results.json text. Fields that are not known stay, in their order; numbers are
// json.Number, and nested values are kept as they are written.
func ReadResults(text []byte) ([]*report.Record, error) {
	var rows []json.RawMessage
	if err := json.Unmarshal(text, &rows); err != nil {
		return nil, fmt.Errorf("not a list of answers: %w", err)
	}
	list := make([]*report.Record, len(rows))
	for i, row := range rows {
		r, err := readRow(row)
		if err != nil {
			return nil, fmt.Errorf("answer %d: %w", i+1, err)
		}
		list[i] = r
	}
	return list, nil
}

// WriteResults writes the list with the reference's indent.
func WriteResults(w io.Writer, list []*report.Record) error {
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}
