package checklist

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/tabular/python"
)

// Reasons for which a judge may leave an item undecided.
const (
	NoRelevantEvidence = "no_relevant_evidence"
	AmbiguousEvidence  = "ambiguous_evidence"
	RubricUnclear      = "rubric_unclear"
	ImageUnreadable    = "image_unreadable"
)

// WeakRemark ends the rationale of a pass that cites no evidence.
const WeakRemark = "(Passed without a reference to evidence: its confidence was lowered.)"

// Decision is a judge's answer to one item, in the reference's names and order.
type Decision struct {
	ItemID        string   `json:"item_id"`
	Status        string   `json:"vlm_status"` // pass, fail, unknown
	Confidence    float64  `json:"vlm_confidence"`
	Rationale     string   `json:"vlm_rationale"`
	Refs          []string `json:"vlm_evidence_refs"`
	UnknownReason *string  `json:"unknown_reason"`
	Weak          bool     `json:"weak_evidence"` // a pass without references
	Vote          *Vote    `json:"-"`             // of several samples
}

// Vote is how the samples of an answer fell.
type Vote struct {
	Counts map[string]int // by status
	Share  float64        // of the winner
	N      int
}

// Clean makes a decision of what a judge answered to an item, whatever that is (spec/checklist.md 6.3). raw is a JSON object
// with numbers as json.Number or float64.
func Clean(raw map[string]any) Decision {
	d := Decision{ItemID: textIn(raw, "item_id", ""), Confidence: confidence(raw["vlm_confidence"]), Refs: references(raw["vlm_evidence_refs"]),
		Status: python.Lower(python.Trim(textIn(raw, "vlm_status", Unknown))), Rationale: python.Trim(textIn(raw, "vlm_rationale", ""))}
	if d.Status != Pass && d.Status != Fail {
		d.Status = Unknown
	}
	if v := raw["unknown_reason"]; v != nil {
		reason := python.Trim(pythonText(v))
		if !slices.Contains([]string{NoRelevantEvidence, AmbiguousEvidence, RubricUnclear, ImageUnreadable}, reason) {
			reason = RubricUnclear
		}
		d.UnknownReason = &reason
	} else if d.Status == Unknown {
		d.UnknownReason = because(NoRelevantEvidence)
	}
	if d.Status == Pass && len(d.Refs) == 0 {
		d.Weak = true
		d.Confidence = min(d.Confidence/2, 0.5)
		d.Rationale = python.Trim(d.Rationale + " " + WeakRemark)
	}
	return d
}

func because(reason string) *string { return &reason }

// textIn is a field as Python's text of it; one that is absent is the default, but null is the word None.
func textIn(raw map[string]any, key, absent string) string {
	if v, given := raw[key]; given {
		return pythonText(v)
	}
	return absent
}

// pythonText is a JSON value as Python's str writes it.
func pythonText(v any) string {
	switch v.(type) {
	case []any, map[string]any:
		return pythonRepr(v)
	}
	return biabench.KeyText(v)
}

// pythonRepr writes a value as it stands within a list: texts in quotes. The fields of an object are sorted.
func pythonRepr(v any) string {
	switch v := v.(type) {
	case string:
		quote := "'"
		if strings.Contains(v, "'") && !strings.Contains(v, `"`) {
			quote = `"`
		}
		escaped := strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(v)
		if quote == "'" {
			escaped = strings.ReplaceAll(escaped, "'", `\'`)
		}
		return quote + escaped + quote
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = pythonRepr(x)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case map[string]any:
		var parts []string
		for key, x := range v {
			parts = append(parts, pythonRepr(key)+": "+pythonRepr(x))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return biabench.KeyText(v)
}

// confidence is a number from 0 to 1. What is no number is 0; what is not a number, as Python has it, is 1.
func confidence(v any) float64 {
	if n, ok := v.(json.Number); ok {
		v = n.String()
	}
	c, ok := biabench.Number(v)
	switch {
	case !ok:
		return 0
	case c != c:
		return 1
	}
	return max(0, min(1, c))
}

// references are the texts of a list, or the one text that is none; blanks are dropped.
func references(v any) []string {
	list, isList := v.([]any)
	switch {
	case isList:
	case emptyValue(v):
		return []string{}
	default:
		list = []any{v}
	}
	refs := []string{}
	for _, x := range list {
		if text := python.Trim(pythonText(x)); text != "" {
			refs = append(refs, text)
		}
	}
	return refs
}

// emptyValue is Python's notion of an empty JSON value.
func emptyValue(v any) bool {
	switch v := v.(type) {
	case json.Number:
		f, err := v.Float64()
		return err == nil && f == 0
	case map[string]any:
		return len(v) == 0
	}
	return biabench.Falsy(v)
}

// ReadAnswer reads a judge's answer to some items: an object with a list of results. It gives one decision for each item that
// was asked, in that order; one that was not answered is unknown. What is not asked, or no object, is passed over.
func ReadAnswer(text []byte, asked []string) ([]Decision, error) {
	var answer struct {
		Results []any `json:"results"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&answer); err != nil {
		return nil, fmt.Errorf("the answer is not an object with a list of results: %w", err)
	}
	byID := map[string]Decision{}
	for _, row := range answer.Results {
		if raw, ok := row.(map[string]any); ok {
			c := Clean(raw)
			byID[c.ItemID] = c
		}
	}
	decisions := make([]Decision, len(asked))
	for i, id := range asked {
		c, answered := byID[id]
		if !answered {
			c = Decision{ItemID: id, Status: Unknown, Refs: []string{}, UnknownReason: because(NoRelevantEvidence)}
		}
		decisions[i] = c
	}
	return decisions, nil
}

// Elect makes one decision of several samples for one item: the status that most of them have, the one seen first where
// several are as frequent, and of its samples the most confident. There must be a sample.
func Elect(samples []Decision) Decision {
	counts := map[string]int{}
	for _, s := range samples {
		counts[s.Status]++
	}
	winner := slices.MaxFunc(samples, func(a, b Decision) int { return cmp.Compare(counts[a.Status], counts[b.Status]) }).Status
	backers := slices.DeleteFunc(slices.Clone(samples), func(s Decision) bool { return s.Status != winner })
	chosen := slices.MaxFunc(backers, func(a, b Decision) int { return cmp.Compare(a.Confidence, b.Confidence) })
	chosen.Vote = &Vote{Counts: counts, Share: float64(len(backers)) / float64(len(samples)), N: len(samples)}
	return chosen
}
