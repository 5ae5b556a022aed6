package checklist

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/scoring/report"
)

// vectors runs check on the cases of testdata/<name>.json, if it is there, and on those of the shared golden folder
// beside the repository, if that is there. Adding a case needs no Go code.
func vectors[C any](t *testing.T, name string, check func(t *testing.T, c C)) {
	t.Helper()
	n := 0
	for _, root := range []string{"testdata", filepath.Join(shared(), "golden", "_contract")} {
		text, err := os.ReadFile(filepath.Join(root, name+".json"))
		if err != nil {
			continue
		}
		var file struct{ Cases []json.RawMessage }
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		for _, raw := range file.Cases {
			var head struct{ Name string }
			var c C
			if json.Unmarshal(raw, &head) != nil {
				t.Fatal("a case without a name")
			}
			if err := json.Unmarshal(raw, &c); err != nil {
				t.Fatal(err)
			}
			n++
			t.Run(filepath.Base(root)+"/"+head.Name, func(t *testing.T) { check(t, c) })
		}
	}
	if n == 0 {
		t.Skip("the shared folder is not beside the repository")
	}
}

// shared is the folder of that name beside the repository; it may not exist.
func shared() string {
	dir, _ := filepath.Abs(".")
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	return filepath.Join(filepath.Dir(dir), "shared")
}

type filterVector struct {
	Keywords []string `json:"include_keywords"`
	Level    string   `json:"visualization_level"`
}

func (f *filterVector) filter() Filter {
	if f == nil {
		return Filter{}
	}
	return Filter(*f)
}

func ids(items []Item) []string {
	list := []string{}
	for _, i := range items {
		list = append(list, i.ID)
	}
	return list
}

func TestItems(t *testing.T) {
	type item struct {
		ID         string `json:"item_id"`
		Text       string
		Type       string `json:"item_type"`
		Section    string
		Subsection string
		Scope      string `json:"task_scope"`
		Truth      bool   `json:"gt_required"`
		Evidence   string `json:"evidence_source"`
		Severity   string
		Hint       *string `json:"vlm_hint"`
	}
	type vector struct {
		YAML     string
		Filter   *filterVector
		Items    []item
		Selected []string
		Error    bool
	}
	vectors(t, "checklist_items", func(t *testing.T, c vector) {
		list, err := Read("Checklist.yaml", []byte(c.YAML))
		if (err != nil) != c.Error {
			t.Fatalf("error %v, want one: %v", err, c.Error)
		}
		if err != nil {
			return
		}
		var got []item
		for _, i := range list.Items {
			var hint *string
			if i.Hint != "" {
				hint = &i.Hint
			}
			got = append(got, item{i.ID, i.Text, i.Type, i.Section, i.Subsection, i.Scope, i.NeedsTruth, i.Evidence, i.Severity, hint})
		}
		if !reflect.DeepEqual(got, c.Items) {
			t.Errorf("items\n%+v\nwant\n%+v", got, c.Items)
		}
		if got := ids(Select(list.Items, c.Filter.filter())); !reflect.DeepEqual(got, c.Selected) {
			t.Errorf("selected %q, want %q", got, c.Selected)
		}
	})
}

// TestFilterOfTheBenchmark holds the benchmark's own checklist and rubrics against their item lists.
func TestFilterOfTheBenchmark(t *testing.T) {
	type vector struct {
		Name   string
		Filter *filterVector
		Items  [][]string
		IDs    []string `json:"item_ids"`
		N      int      `json:"n_items"`
		Weight int64
	}
	list, err := Open(filepath.Join(shared(), "biabench", FileName))
	if err != nil {
		t.Skip("the benchmark's checklist is not beside the repository")
	}
	vectors(t, "checklist_filter", func(t *testing.T, c vector) {
		if c.Items != nil {
			var got [][]string
			for _, i := range list.Items {
				got = append(got, []string{i.ID, i.Section, i.Subsection, i.Scope, i.Severity, i.Type})
			}
			if !reflect.DeepEqual(got, c.Items) {
				t.Errorf("items differ: %d, want %d", len(got), len(c.Items))
			}
			return
		}
		f := c.Filter.filter()
		if id, isTask := bytes.CutPrefix([]byte(c.Name), []byte("task:")); isTask {
			file := filepath.Join(shared(), "biabench", "tasks", string(id), biabench.RubricFile)
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if f, err = ReadFilter(file, text); err != nil || !reflect.DeepEqual(f, c.Filter.filter()) {
				t.Fatalf("filter %+v, %v, want %+v", f, err, c.Filter)
			}
		}
		chosen := Select(list.Items, f)
		if got := ids(chosen); !reflect.DeepEqual(got, c.IDs) {
			t.Errorf("%d items, want %d: %q", len(got), len(c.IDs), got)
		}
		if c.N > 0 {
			var weight int64
			for _, i := range chosen {
				weight += list.Settings.weight(i.Severity)
			}
			if len(chosen) != c.N || weight != c.Weight {
				t.Errorf("%d items of weight %d, want %d of %d", len(chosen), weight, c.N, c.Weight)
			}
		}
	})
}

func TestScore(t *testing.T) {
	type expected struct {
		Score     *float64
		Passed    bool
		Critical  []string `json:"critical_failures"`
		Breakdown json.RawMessage
	}
	type vector struct {
		Items    json.RawMessage
		Config   *string `json:"config_yaml"`
		Expected struct {
			expected
			Error bool
		}
		Error bool
	}
	vectors(t, "checklist_score", func(t *testing.T, c vector) {
		list, err := ReadResults(c.Items)
		if err != nil {
			t.Fatal(err)
		}
		settings := &Checklist{}
		if c.Config != nil {
			settings, _ = Read("Checklist.yaml", []byte(*c.Config))
		} else if settings, err = Open(filepath.Join(shared(), "biabench", FileName)); err != nil {
			t.Skip("the benchmark's checklist is not beside the repository")
		}
		s := ScoreOf(list, settings.Settings)
		if wantError := c.Error || c.Expected.Error; wantError || len(s.Problems) > 0 {
			if wantError != (len(s.Problems) > 0) {
				t.Errorf("problems %q, want some: %v", s.Problems, wantError)
			}
			return
		}
		if s.None != (c.Expected.Score == nil) || (!s.None && s.Value != *c.Expected.Score) || s.Passed != c.Expected.Passed {
			t.Errorf("score %v, passed %v, want %+v", s.JSON(), s.Passed, c.Expected.expected)
		}
		if len(s.Critical)+len(c.Expected.Critical) > 0 && !reflect.DeepEqual(s.Critical, c.Expected.Critical) {
			t.Errorf("critical %q, want %q", s.Critical, c.Expected.Critical)
		}
		sameJSON(t, s.Details, c.Expected.Breakdown)
	})
}

// sameJSON compares values, and the order of the fields.
func sameJSON(t *testing.T, got any, want json.RawMessage) {
	t.Helper()
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if json.Unmarshal(text, &a) != nil || json.Unmarshal(want, &b) != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	if !reflect.DeepEqual(keyOrder(text), keyOrder(want)) {
		t.Errorf("fields %q, want %q", keyOrder(text), keyOrder(want))
	}
}

func keyOrder(text []byte) []string {
	r, err := readRow(text)
	if err != nil {
		return nil
	}
	return r.Keys()
}

func TestCoverage(t *testing.T) {
	type vector struct {
		Declared []string
		Metrics  map[string]any
		Expected json.RawMessage
	}
	vectors(t, "metric_coverage", func(t *testing.T, c vector) {
		var produced []string
		for name := range c.Metrics {
			produced = append(produced, name)
		}
		sameJSON(t, Coverage(c.Declared, produced), c.Expected)
	})
}

func TestClaimedSuccess(t *testing.T) {
	type vector struct {
		Files   map[string]string
		Claimed bool
	}
	vectors(t, "claimed_success", func(t *testing.T, c vector) {
		if got := ClaimedSuccess(folder(t, c.Files)); got != c.Claimed {
			t.Errorf("claimed %v, want %v", got, c.Claimed)
		}
	})
}

// folder writes texts into a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLabel(t *testing.T) {
	type vector struct {
		Record struct {
			Evaluated bool
			Passed    *bool
			Required  *bool `json:"required_present"`
			Status    *string
			Gate      *string  `json:"failure_label"`
			Input     *float64 `json:"input_tokens"`
			Total     *float64 `json:"total_tokens"`
			Infra     bool     `json:"infra_error"`
		}
		Files map[string]string
		Label string
	}
	vectors(t, "failure_label", func(t *testing.T, c vector) {
		text := func(p *string) string {
			if p == nil {
				return ""
			}
			return *p
		}
		r := c.Record
		e := Ending{r.Evaluated, r.Passed != nil && *r.Passed, r.Required, text(r.Status), text(r.Gate), r.Input, r.Total, r.Infra}
		if got, line := Label(e, folder(t, c.Files)); got != c.Label {
			t.Errorf("label %s (%s), want %s", got, line, c.Label)
		}
	})
}

// TestResultsKeepUnknownFields reads a list that another tool has added to and writes it again.
func TestResultsKeepUnknownFields(t *testing.T) {
	text := `[{"item_id": "a", "zeta": [1, {"b": 2.50}], "status": "pass", "alpha": null, "seen": 3}]`
	list, err := ReadResults([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	list[0].Set("status", Fail)
	var b bytes.Buffer
	if err := WriteResults(&b, list); err != nil {
		t.Fatal(err)
	}
	want := `[{"item_id":"a","zeta":[1,{"b":2.50}],"status":"fail","alpha":null,"seen":3}]`
	var compact bytes.Buffer
	if json.Compact(&compact, b.Bytes()); compact.String() != want {
		t.Errorf("got  %s\nwant %s", compact.String(), want)
	}
}

// TestFilterRefusals: what stops the reference's checklist step.
func TestFilterRefusals(t *testing.T) {
	for text, ok := range map[string]bool{
		"": true, "[]": true, "metric_config: {}": true, "checklist_filter: {}": true, "checklist_filter: {include_keywords: [1, yes]}": true,
		"- a": false, "checklist_filter: null": false, "checklist_filter: [a]": false, "checklist_filter: {include_keywords: null}": false,
		"checklist_filter: {include_keywords: word}": false, "a: [": false,
	} {
		if _, err := ReadFilter("rubric", []byte(text)); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
	f, err := ReadFilter("rubric", []byte("visualization_level: advanced\nchecklist_filter: {include_keywords: [1, yes], visualization_level: null}"))
	if want := (Filter{Keywords: []string{"1", "True"}}); err != nil || !reflect.DeepEqual(f, want) {
		t.Errorf("%+v, %v, want %+v", f, err, want)
	}
}

// TestUndecidedIsNull: no answer decided, no score.
func TestUndecidedIsNull(t *testing.T) {
	list := Results([]Item{{ID: "a", Type: YesNo, Severity: "critical"}})
	if s := ScoreOf(list, None().Settings); !s.None || s.JSON() != nil || s.Passed {
		t.Errorf("%+v", s)
	}
	list[0] = new(report.Record).Set("severity", "critical").Set("status", Fail)
	if s := ScoreOf(list, None().Settings); s.None || s.Value != 0 || s.Passed {
		t.Errorf("%+v", s)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("task_specific: {a: {checklist: [{text: 'Is it?', severity: major}], metrics: {m: 1}}}\nscoring: {pass_threshold: x}")
	f.Add("severity_levels: {critical: {weight: .inf}, x: {weight: 99999999999999999999}}")
	f.Add("general_evaluation: {<<: {a: 1}, ~: {checklist: [{}]}}")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := Read("Checklist.yaml", []byte(text))
		if list == nil {
			t.Fatal("no settings")
		}
		if err == nil {
			answers := Results(Select(list.Items, Filter{Keywords: []string{""}, Level: "advanced"}))
			if s := ScoreOf(answers, list.Settings); !s.None {
				t.Error("a score of nothing")
			}
		}
	})
}

func FuzzReadResults(f *testing.F) {
	f.Add([]byte(`[{"item_id": "a", "status": "pass", "x": [1, {}]}, {"status": 3, "severity": null, "status": "fail"}]`))
	f.Add([]byte(`[{"text": {}, "item_type": ["metric"]}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := ReadResults(text)
		if err != nil {
			return
		}
		ScoreOf(list, None().Settings)
		var b bytes.Buffer
		if err := WriteResults(&b, list); err != nil {
			t.Fatal(err)
		}
		again, err := ReadResults(b.Bytes())
		if err != nil || len(again) != len(list) {
			t.Errorf("%d answers, then %d, %v", len(list), len(again), err)
		}
	})
}
