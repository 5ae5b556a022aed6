package table

import (
	"math"

	"coverslip/datasets/biabench"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// round4 is a rounded number of a record, null for none.
func round4(v *float64) any {
	if v == nil {
		return nil
	}
	return numeric.Round4(*v)
}

// keyMatch tells how far the keys of answer and truth meet.
func keyMatch(pred, ref []string, matched []string) *report.Record {
	o := biabench.KeyOverlap(pred, ref, &matched)
	return new(report.Record).Set("status", o.Status).Set("n_pred_keys", o.NPred).Set("n_ref_keys", o.NRef).
		Set("n_common", o.NCommon).Set("pred_keys", o.Pred).Set("ref_keys", o.Ref).Set("unmatched_ref_keys", o.Unmatched)
}

// list is a slice that JSON writes as [], never as null.
func list(items []string) []string {
	if items == nil {
		return []string{}
	}
	return items
}

// place is a coordinate that a view can use.
func place(v float64) float64 {
	if math.IsNaN(v) || math.Abs(v) > 1e9 {
		return 0
	}
	return v
}

// cost is a share that can be added up.
func cost(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}
