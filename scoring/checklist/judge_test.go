package checklist

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/scoring/report"
)

// exact reads JSON with numbers as they are written.
func exact(t *testing.T, text []byte, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		t.Fatal(err)
	}
}

func TestClean(t *testing.T) {
	type vector struct{ Raw, Expected json.RawMessage }
	vectors(t, "judge_item", func(t *testing.T, c vector) {
		var raw map[string]any
		exact(t, c.Raw, &raw)
		d := Clean(raw)
		got, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		if d.Weak { // our remark is in our words
			if !strings.HasSuffix(d.Rationale, WeakRemark) {
				t.Errorf("rationale %q", d.Rationale)
			}
			got = bytes.Replace(got, []byte(`"vlm_rationale":`+quoted(t, d.Rationale)+`,`), nil, 1)
		}
		sameJSON(t, json.RawMessage(got), c.Expected)
	})
}

func quoted(t *testing.T, s string) string {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCleanOddValues that no case has: the texts are those of Python's str.
func TestCleanOddValues(t *testing.T) {
	for text, want := range map[string]Decision{
		`{"item_id": null, "vlm_status": null, "vlm_confidence": null}`:                                           {ItemID: "None", Status: Unknown, UnknownReason: because(NoRelevantEvidence)},
		`{"item_id": 1.0, "vlm_status": ["pass"], "vlm_confidence": [1], "unknown_reason": ""}`:                   {ItemID: "1.0", Status: Unknown, UnknownReason: because(RubricUnclear)},
		`{"vlm_status": "fail", "vlm_confidence": " 1e-1 ", "vlm_evidence_refs": [1, null, true, " ", ["it's"]]}`: {Status: Fail, Confidence: 0.1, Refs: []string{"1", "None", "True", `["it's"]`}},
		`{"vlm_status": "fail", "vlm_confidence": "inf", "vlm_evidence_refs": {"a": "b'\"c\n"}}`:                  {Status: Fail, Confidence: 1, Refs: []string{`{'a': 'b\'"c\n'}`}},
		`{"vlm_status": "fail", "vlm_confidence": 1e999, "vlm_evidence_refs": {}}`:                                {Status: Fail, Confidence: 1},
		`{"vlm_status": "fail", "vlm_evidence_refs": 0.0, "vlm_rationale": {"a": [1]}}`:                           {Status: Fail, Rationale: "{'a': [1]}"},
	} {
		var raw map[string]any
		exact(t, []byte(text), &raw)
		if want.Refs == nil {
			want.Refs = []string{}
		}
		if got := Clean(raw); !reflect.DeepEqual(got, want) {
			t.Errorf("%s\ngot  %+v\nwant %+v", text, got, want)
		}
	}
}

func TestReadAnswer(t *testing.T) {
	text := `{"results": [3, {"item_id": "b", "vlm_status": "fail"}, {"item_id": "x", "vlm_status": "pass"}, {"item_id": "b", "vlm_status": "pass", "vlm_evidence_refs": ["r"]}]}`
	got, err := ReadAnswer([]byte(text), []string{"a", "b"})
	want := []Decision{{ItemID: "a", Status: Unknown, Refs: []string{}, UnknownReason: because(NoRelevantEvidence)}, {ItemID: "b", Status: Pass, Refs: []string{"r"}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"", "[]", `{"results": 3}`, "Sure, here it is"} {
		if _, err := ReadAnswer([]byte(bad), nil); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestElect(t *testing.T) {
	sample := func(status string, confidence float64, rationale string) Decision {
		return Decision{Status: status, Confidence: confidence, Rationale: rationale}
	}
	for name, c := range map[string]struct {
		samples []Decision
		want    string
		share   float64
	}{
		"one":                 {[]Decision{sample(Fail, 0.1, "a")}, "a", 1},
		"majority":            {[]Decision{sample(Fail, 0.9, "a"), sample(Pass, 0.2, "b"), sample(Pass, 0.4, "c")}, "c", 2.0 / 3},
		"tie takes the first": {[]Decision{sample(Unknown, 0.1, "a"), sample(Pass, 0.9, "b")}, "a", 0.5},
		"equally confident":   {[]Decision{sample(Pass, 0.4, "a"), sample(Pass, 0.4, "b")}, "a", 1},
	} {
		before := slices.Clone(c.samples)
		got := Elect(c.samples)
		if !reflect.DeepEqual(before, c.samples) {
			t.Errorf("%s: the samples changed: %+v", name, c.samples)
		}
		if got.Rationale != c.want || got.Vote.Share != c.share || got.Vote.N != len(c.samples) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestMerge(t *testing.T) {
	type vector struct {
		Task      string          `json:"task_id"`
		Result    *float64        `json:"result_score"`
		Before    json.RawMessage `json:"items_before"`
		Decisions []Decision
		After     []json.RawMessage `json:"items_after"`
		Summary   json.RawMessage   `json:"summary_after"`
	}
	settings := None().Settings
	settings.AutoFail = false // as in the benchmark's own file
	if list, err := Open(filepath.Join(shared(), "biabench", FileName)); err == nil {
		settings = list.Settings
	}
	vectors(t, "judge_merge", func(t *testing.T, c vector) {
		list, err := ReadResults(c.Before)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list { // the cases show a part of the fields
			r.Set("evidence", "").Set("evaluation_method", NotJudged)
		}
		if len(Candidates(list)) != len(list) || !Merge(list, c.Decisions) {
			t.Error("nothing was to be judged")
		}
		for i, r := range list {
			shown := new(report.Record)
			for _, key := range keyOrder(c.After[i]) {
				shown.Set(key, r.Get(key))
			}
			sameJSON(t, shown, c.After[i])
			if _, given := r.Get("vlm_rationale").(string); given != strings.Contains(string(c.After[i]), "vlm_rationale") {
				t.Errorf("answer %d: rationale %v", i, r.Get("vlm_rationale"))
			}
		}
		summary := new(report.Record).Set("task_id", c.Task).Set("checklist_score", nil).Set("result_score", nil).Set("passed", false)
		if c.Result != nil {
			summary.Set("result_score", *c.Result)
		}
		UpdateSummary(summary, ScoreOf(list, settings), thresholdOf(t, c.Task))
		if message, _ := summary.Get("message").(string); !strings.HasSuffix(message, " [vlm]") || !strings.HasPrefix(message, "checklist=") {
			t.Errorf("message %q", message)
		}
		without := new(report.Record)
		for _, key := range summary.Keys() {
			if key != "message" {
				without.Set(key, summary.Get(key))
			}
		}
		text, _ := json.Marshal(without)
		var got, want any
		exact(t, text, &got)
		exact(t, c.Summary, &want)
		if !reflect.DeepEqual(floats(got), floats(want)) {
			t.Errorf("summary\n%s\nwant\n%s", text, c.Summary)
		}
	})
}

// floats turns all numbers into float64, so that 3 and 3.0 are one.
func floats(v any) any {
	switch v := v.(type) {
	case json.Number:
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = floats(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = floats(v[key])
		}
	}
	return v
}

func thresholdOf(t *testing.T, task string) float64 {
	t.Helper()
	file := filepath.Join(shared(), "biabench", "tasks", task, biabench.RubricFile)
	text, err := os.ReadFile(file)
	if err != nil { // not beside the repository
		text = []byte("metric_config: {}")
		if task == "confocal-mosaic-4channel-stitching-ctc-model" {
			text = []byte("metric_config: {result_pass_threshold: 0.7}")
		}
	}
	rubric, err := biabench.ReadRubric(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return rubric.Threshold
}

// TestMergeLeavesAlone what nobody decided on, metrics' values, and unknown fields.
func TestMergeLeavesAlone(t *testing.T) {
	text := `[{"item_id":"a","status":"unknown","extra":[1.50]},{"item_id":"b","item_type":"metric","value":7,"status":"unknown"},{"item_id":"c","reason":"r"}]`
	list, err := ReadResults([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if Merge(list, nil) {
		t.Error("something was merged of nothing")
	}
	Merge(list, []Decision{{ItemID: "c"}, {ItemID: "b", Status: Fail}, {ItemID: "b", Status: Pass, Refs: []string{"x", "y"}}, {ItemID: "z", Status: Pass}})
	got, _ := json.Marshal(list)
	want := `[{"item_id":"a","status":"unknown","extra":[1.50]},{"item_id":"b","item_type":"metric","value":7,"status":"pass","evidence":"x, y",` +
		`"evaluation_method":"vlm_judge","reason":""},{"item_id":"c","reason":"r"}]`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func FuzzReadAnswer(f *testing.F) {
	f.Add([]byte(`{"results": [{"item_id": "a", "vlm_status": "pass", "vlm_confidence": 1e999, "vlm_evidence_refs": [[{"a": null}], "x"]}]}`))
	f.Add([]byte(`{"results": [{"item_id": ["a"], "vlm_confidence": "nan", "unknown_reason": {}}, null, "x"]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		decisions, err := ReadAnswer(text, []string{"a", "['a']"})
		if err != nil {
			return
		}
		for _, d := range decisions {
			if !(d.Confidence >= 0 && d.Confidence <= 1) || (d.Status == Unknown) && d.UnknownReason == nil || d.Refs == nil {
				t.Errorf("%+v", d)
			}
			if _, err := json.Marshal(d.Record(Unknown)); err != nil {
				t.Error(err)
			}
		}
	})
}
