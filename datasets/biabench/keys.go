package biabench

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Overlap says how far the keys of an answer (conditions, wells, image names) meet those of the reference. The three
// lists are sorted by code point and cut to twelve.
type Overlap struct {
	Status    string // no_reference_keys, empty_prediction, unmatched_keys, ok, partial_key_overlap
	NPred     int    // distinct keys of the answer
	NRef      int    // distinct keys of the reference
	NCommon   int    // reference keys that are matched
	Pred      []string
	Ref       []string
	Unmatched []string // reference keys without a match
}

// KeyOverlap compares two sets of keys as the reference's key guard does (spec/contract.md 4.1). matched are the
// reference keys that a scorer's own matching found; nil means exact equality of the texts.
func KeyOverlap[P, R any](pred []P, ref []R, matched *[]string) Overlap {
	p, r := keySet(pred), keySet(ref)
	hit := p
	if matched != nil {
		hit = keySet(*matched)
	}
	o := Overlap{NPred: len(p), NRef: len(r), Pred: firstKeys(p), Ref: firstKeys(r)}
	missing := map[string]bool{}
	for k := range r {
		if hit[k] {
			o.NCommon++
		} else {
			missing[k] = true
		}
	}
	o.Unmatched = firstKeys(missing)
	switch {
	case o.NRef == 0:
		o.Status = "no_reference_keys"
	case o.NPred == 0:
		o.Status = "empty_prediction"
	case o.NCommon == 0:
		o.Status = "unmatched_keys"
	case o.NCommon == o.NRef:
		o.Status = "ok"
	default:
		o.Status = "partial_key_overlap"
	}
	return o
}

func keySet[K any](keys []K) map[string]bool {
	set := map[string]bool{}
	for _, k := range keys {
		set[KeyText(k)] = true
	}
	return set
}

func firstKeys(set map[string]bool) []string {
	keys := make([]string, 0, len(set))
	for k := range set {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys[:min(len(keys), 12)]
}

// KeyText is a value as Python's str writes it: None, True, 1, 2.0, 1e-05.
func KeyText(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case string:
		return v
	case bool:
		if v {
			return "True"
		}
		return "False"
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			if f, err := v.Float64(); err == nil {
				return floatText(f)
			}
		}
		return v.String()
	case float64:
		return floatText(v)
	case float32:
		return floatText(float64(v))
	case *big.Int:
		return v.String()
	}
	return fmt.Sprint(v)
}

// floatText writes a float64 as Python's repr: the shortest digits that give it back, always with a point or an exponent.
func floatText(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64)), "+")
	}
	e := strconv.FormatFloat(f, 'e', -1, 64)
	exponent, _ := strconv.Atoi(e[strings.IndexByte(e, 'e')+1:])
	if f != 0 && (exponent < -4 || exponent >= 16) {
		return e
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
