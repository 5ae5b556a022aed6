package calltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// CompareJSON compares two values: the same keys in the same order, numbers within 1e-9. Values of loose keys are not looked at.
func CompareJSON(t testing.TB, where string, got, want json.RawMessage, loose []string) {
	t.Helper()
	gotKeys, gotValues := members(got)
	wantKeys, wantValues := members(want)
	if wantKeys != nil {
		if !slices.Equal(gotKeys, wantKeys) {
			t.Errorf("%s: fields %v, want %v", where, gotKeys, wantKeys)
			return
		}
		for i, key := range wantKeys {
			if !slices.Contains(loose, key) && !slices.Contains(loose, strings.TrimPrefix(where+"."+key, "metrics.")) {
				CompareJSON(t, where+"."+key, gotValues[i], wantValues[i], loose)
			}
		}
		return
	}
	var g, w any
	if json.Unmarshal(got, &g) != nil || json.Unmarshal(want, &w) != nil {
		t.Errorf("%s: got %s, want %s", where, got, want)
		return
	}
	if list, ok := w.([]any); ok {
		var gs, ws []json.RawMessage
		if json.Unmarshal(got, &gs) != nil || json.Unmarshal(want, &ws) != nil || len(gs) != len(list) {
			t.Errorf("%s: got %s, want %s", where, got, want)
			return
		}
		for i := range ws {
			CompareJSON(t, fmt.Sprintf("%s[%d]", where, i), gs[i], ws[i], loose)
		}
		return
	}
	gn, isNumber := g.(float64)
	if wn, ok := w.(float64); ok && isNumber && math.Abs(gn-wn) <= 1e-9 {
		return
	}
	if g != w {
		t.Errorf("%s: got %s, want %s", where, got, want)
	}
}

// members lists the fields of an object in order; nil for other values.
func members(text json.RawMessage) (keys []string, values []json.RawMessage) {
	d := json.NewDecoder(bytes.NewReader(text))
	if tok, err := d.Token(); err != nil || tok != json.Delim('{') {
		return nil, nil
	}
	keys = []string{}
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return keys, values
		}
		keys, values = append(keys, fmt.Sprint(key)), append(values, value)
	}
	return keys, values
}
