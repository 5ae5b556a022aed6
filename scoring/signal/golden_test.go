package signal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coverslip/scoring/call/calltest"
	"coverslip/scoring/report"
)

// calculators are the four under test, by task.
var calculators = map[string]calltest.Calculator{
	smlmTask: Localisations, npcTask: Kinetics, mosaicTask: Mosaic, woundTask: Kymographs,
}

// vector is a task folder with a run in pred/ and the reference's answer in expected.json. Vectors come from testdata and
// from the shared golden cases where those are present; adding a folder adds a test.
type vector struct {
	name, dir string
	want      struct {
		ResultScore *float64        `json:"result_score"`
		Metrics     json.RawMessage `json:"metrics"`
		Objects     json.RawMessage `json:"objects"`
		Raised      string          `json:"raised"`
		Loose       []string        `json:"loose_keys"`
	}
}

const (
	smlmTask   = "smlm-localization-dnapaint"
	npcTask    = "5D-npc-assembly-kinetics-idr0115"
	mosaicTask = "confocal-mosaic-4channel-stitching-ctc-model"
	woundTask  = "wound-healing-speed-kymograph-gigadb100118"
)

func vectors(t testing.TB, task string) []vector {
	t.Helper()
	local, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	roots := []string{local}
	if s := calltest.Shared(); s != "" {
		roots = append(roots, filepath.Join(s, "golden"))
	} else {
		t.Log("the shared cases are absent: only testdata is checked")
	}
	var out []vector
	for _, root := range roots {
		files, _ := filepath.Glob(filepath.Join(root, task, "*", "expected.json"))
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			v := vector{dir: filepath.Dir(file), name: filepath.Base(root) + "/" + filepath.Base(filepath.Dir(file))}
			if err := json.Unmarshal(text, &v.want); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		t.Fatal("no vectors")
	}
	return out
}

// golden holds a calculator against every vector of its task, whole records in the reference's order of fields.
func golden(t *testing.T, task string, objects func(*testing.T, vector, *report.Report)) {
	for _, v := range vectors(t, task) {
		t.Run(v.name, func(t *testing.T) {
			r := calltest.Run(t, calculators[task], v.dir, filepath.Join(v.dir, "pred"))
			switch want := v.want.ResultScore; {
			case want == nil != r.Result.None:
				t.Errorf("result: got %+v, want %v", r.Result, want)
			case want != nil && r.Result.Value != *want:
				t.Errorf("result: got %v, want %v", r.Result.Value, *want)
			}
			if v.want.Raised == "" {
				loose := append([]string{"error", "note", "reason"}, v.want.Loose...)
				text, err := json.Marshal(r.Metrics)
				if err != nil {
					t.Fatal(err)
				}
				compareJSON(t, "metrics", text, v.want.Metrics, loose)
			}
			if objects != nil && v.want.Objects != nil {
				objects(t, v, r)
			}
			checkCosts(t, r)
		})
	}
}

// checkCosts: the costs of the official marks add up to 1 - score before it is rounded, that is within the rounding, and
// exactly where the report keeps the unrounded score.
func checkCosts(t *testing.T, r *report.Report) {
	t.Helper()
	if r.Result.None {
		return
	}
	total := 0.0
	for _, m := range r.Marks {
		if !m.Diagnostic {
			total += m.Cost
		}
		if m.Image < 0 || m.Image >= max(1, len(r.Images)) {
			t.Errorf("mark %v names image %d of %d", m.Kind, m.Image, len(r.Images))
		}
		if m.Text == "" {
			t.Errorf("a mark of kind %s says nothing", m.Kind)
		}
	}
	if math.Abs(total-(1-r.Result.Value)) > 0.5001e-4 {
		t.Errorf("costs add up to %v, want 1 - %v", total, r.Result.Value)
	}
}

// compareJSON compares two values: the same keys in the same order, numbers within 1e-9.
func compareJSON(t *testing.T, where string, got, want json.RawMessage, loose []string) {
	t.Helper()
	gotKeys, gotValues := members(got)
	wantKeys, wantValues := members(want)
	if wantKeys != nil {
		if !slices.Equal(gotKeys, wantKeys) {
			t.Errorf("%s: fields %v, want %v", where, gotKeys, wantKeys)
			return
		}
		for i, key := range wantKeys {
			path := strings.TrimPrefix(where+"."+key, "metrics.")
			if !slices.Contains(loose, key) && !slices.Contains(loose, path) {
				compareJSON(t, where+"."+key, gotValues[i], wantValues[i], loose)
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
			compareJSON(t, fmt.Sprintf("%s[%d]", where, i), gs[i], ws[i], loose)
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
