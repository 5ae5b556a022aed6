package checklist

import (
	"fmt"

	"coverslip/datasets/biabench"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// Score is the process score of a list of answers.
type Score struct {
	Value    float64
	None     bool // nothing is decided
	Passed   bool
	Critical []string // texts of the critical items that failed, in order
	Details  *report.Record

	// Problems are answers at which the reference stops; they count as unknown here.
	Problems []string
}

// JSON is the score as the reference writes it: a number or null.
func (s Score) JSON() any {
	if s.None {
		return nil
	}
	return s.Value
}

// tally counts the answers of one severity.
type tally struct{ total, pass, fail, unknown int }

// ScoreOf scores a list of answers (spec/checklist.md 4): the decided ones alone count, by the weights of their severities.
func ScoreOf(list []*report.Record, s Settings) Score {
	var out Score
	var earned, decided, total int64
	var order []string
	counts := map[string]*tally{}
	for i, r := range list {
		if kind := textOf(r, "item_type", YesNo); kind == Metric || kind == Counter {
			continue
		}
		severity := textOf(r, "severity", "minor")
		t := counts[severity]
		if t == nil {
			t = new(tally)
			counts[severity], order = t, append(order, severity)
		}
		weight := s.weight(severity)
		t.total++
		total += weight
		switch status := textOf(r, "status", Unknown); status {
		case Pass:
			t.pass++
			earned, decided = earned+weight, decided+weight
		case Fail:
			t.fail++
			decided += weight
			if severity == "critical" {
				out.Critical = append(out.Critical, nameOf(r))
			}
		default:
			t.unknown++
			if status != Unknown {
				out.Problems = append(out.Problems, fmt.Sprintf("answer %d (%s) has the status %q, which is none of pass, fail and unknown", i+1, nameOf(r), status))
			}
		}
	}
	out.None = decided == 0
	if !out.None {
		out.Value = numeric.Round(float64(earned)/float64(decided), 4)
	}
	out.Passed = !out.None && out.Value >= s.Threshold && !(s.AutoFail && len(out.Critical) > 0)
	out.Details = details(s, earned, decided, total, order, counts)
	return out
}

func details(s Settings, earned, decided, total int64, order []string, counts map[string]*tally) *report.Record {
	weights, bySeverity := new(report.Record), new(report.Record)
	for _, level := range s.Levels {
		weights.Set(level, s.Weights[level])
	}
	for _, severity := range order {
		t := counts[severity]
		bySeverity.Set(severity, new(report.Record).Set("total", t.total).Set(Pass, t.pass).Set(Fail, t.fail).Set(Unknown, t.unknown))
	}
	return new(report.Record).Set("aggregation", "decided_only").Set("severity_weights", weights).
		Set("pass_threshold", s.Threshold).Set("critical_auto_fail", s.AutoFail).Set("earned_weighted", float64(earned)).
		Set("decided_weighted", float64(decided)).Set("total_weighted", float64(total)).Set("by_severity", bySeverity)
}

// textOf is a field as text; absent and null count as the default.
func textOf(r *report.Record, key, absent string) string {
	if v := r.Get(key); v != nil {
		return biabench.KeyText(v)
	}
	return absent
}

// nameOf is what an item is called: its text, else its id.
func nameOf(r *report.Record) string { return textOf(r, "text", textOf(r, "item_id", "unknown")) }
