package evaluate

import (
	"fmt"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// unmatchedKeys is the status at which a person should look: no key of the answer is one of the truth's, so that a zero
// may be a matter of spelling.
const unmatchedKeys = "unmatched_keys"

// outcome is what a calculator's dict says of a run.
type outcome struct {
	metrics   *report.Record // the dict without run_metrics
	value     float64
	none      bool
	threshold float64
	passed    bool
	status    any            // of the key guard; nil where there is none
	keys      *report.Record // key_match; nil where there is none
	review    bool
}

// outcomeOf reads a calculator's dict. A score that is no number counts as a calculator that failed.
func outcomeOf(scorer *report.Record, threshold float64) outcome {
	o := outcome{metrics: new(report.Record), none: true, threshold: threshold}
	if scorer != nil {
		for _, key := range scorer.Keys() {
			if key != "run_metrics" {
				o.metrics.Set(key, scorer.Get(key))
			}
		}
	}
	if v := o.metrics.Get("result_score"); v != nil {
		n, ok := number(v)
		if !ok {
			text := fmt.Sprintf("the calculator's score is not a number: %s", biabench.KeyText(v))
			o.metrics = new(report.Record).Set("error", text)
			return o
		}
		o.value, o.none = n, false
		o.passed = n >= threshold // not a number never passes
	}
	if keys, ok := o.metrics.Get("key_match").(*report.Record); ok && keys != nil {
		o.keys, o.status = keys, keys.Get("status")
		o.review = o.status == unmatchedKeys
	}
	return o
}

func number(v any) (float64, bool) {
	if n, ok := v.(int); ok {
		return float64(n), true
	}
	return biabench.Number(v)
}

func (o outcome) json() any {
	if o.none {
		return nil
	}
	return o.value
}

func (o outcome) rounded() any {
	if o.none {
		return nil
	}
	return numeric.Round(o.value, 4)
}

// reviewReason says what a person should look at.
func (o outcome) reviewReason() any {
	if !o.review {
		return nil
	}
	count := func(key string) string {
		if v := o.keys.Get(key); v != nil {
			return biabench.KeyText(v)
		}
		return "some"
	}
	return fmt.Sprintf("None of the %s keys of the answer%s is one of the %s keys of the reference%s: see whether they are only spelled differently.",
		count("n_pred_keys"), samples(o.keys.Get("pred_keys")), count("n_ref_keys"), samples(o.keys.Get("ref_keys")))
}

// samples quotes the first keys of a list.
func samples(v any) string {
	list, _ := v.([]string)
	if len(list) == 0 {
		return ""
	}
	const most = 3
	return " (" + strings.Join(list[:min(len(list), most)], ", ") + ")"
}
