package biabench

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"coverslip/datasets/fault"
)

// checkFault requires a refusal in our own form: one of the kinds, a file and a reason.
func checkFault(t *testing.T, err error) {
	t.Helper()
	var e *fault.Error
	if !errors.As(err, &e) || e.Kind == nil || e.File == "" || e.Reason() == "" {
		t.Errorf("an error that does not say where and what: %#v", err)
	}
}

// Expected values are those of YAML 1.1 as the reference's reader has it.
func TestPlainScalars(t *testing.T) {
	for text, want := range map[string]any{
		"yes": true, "No": false, "ON": true, "oFF": "oFF", "y": "y", "true": true,
		"~": nil, "null": nil, "NULL": nil, "nUll": "nUll",
		"1_000": int64(1000), "-7": int64(-7), "+3": int64(3), "017": int64(15), "08": "08", "0o17": "0o17",
		"0x1F": int64(31), "0b101": int64(5), "1:30": int64(90), "0:30": "0:30", "12:30:45": int64(45045),
		"1.5": 1.5, ".5": 0.5, "-.5": "-.5", "1e5": "1e5", "1.0e5": "1.0e5", "1.0e+5": 1e5, "1:30.5": 90.5,
		"-.Inf": math.Inf(-1), "2026-01-31": Date("2026-01-31"), "2026-1-3": "2026-1-3",
		"2001-12-14t21:59:43.10-05:00": Date("2001-12-14 21:59:43.100000-05:00"),
		"2026-01-31 10:00:00Z":         Date("2026-01-31 10:00:00+00:00"),
		"! 12":                         int64(12), "!!str 12": "12", "!!float 3": 3.0, "!!binary aGk=": []byte("hi"),
		"'12'": "12", "a:b": "a:b", "a#b": "a#b",
	} {
		got, err := parseYAML("f", []byte("k: "+text+"\n"))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if v := got.value.(*mapping).entries[0].value; !reflect.DeepEqual(v, want) {
			t.Errorf("%s is %v (%T), want %v (%T)", text, v, v, want, want)
		}
	}
}

func TestYAMLRefusals(t *testing.T) {
	bomb := "k0: &a0 [x, x]\n"
	for i := range 40 {
		bomb += fmt.Sprintf("k%d: &a%d [*a%d, *a%d, *a%d]\n", i+1, i+1, i, i, i)
	}
	for name, c := range map[string]struct{ text, at, found string }{
		"colon in value":   {"a: 1\nb: c: d\n", "line 2", "not YAML"},
		"tab indentation":  {"a:\n\tb: 1\n", "line 2", ""},
		"tab in a value":   {"a: 1\nb: x\ty\n", "line 2", "tab"},
		"second document":  {"a: 1\n---\nb: 1\n", "line 2", "second"},
		"impossible date":  {"a: 2026-13-01\n", "line 1", "date"},
		"lone equals sign": {"a: 1\nb: =\n", "line 2", "="},
		"list as key":      {"? [a]\n: 1\n", "line 1", "key"},
		"unknown tag":      {"a: !thing x\n", "line 1", "!thing"},
		"merge of text":    {"<<: x\n", "line 1", "merge"},
		"anchor twice":     {"a: &x 1\nb: &x 2\n", "line 2", "anchor"},
		"unknown anchor":   {"a: *x\n", "", "anchor"},
		"not UTF-8":        {"a: 1\nb: \xff\n", "line 2", "UTF-8"},
		"holds itself":     {"a: &x [*x]\n", "line 1", "itself"},
		"alias bomb":       {bomb, "line", "aliases"},
		"deep nesting":     {strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "line 1", "nested"},
		"too deep":         {strings.Repeat("[", 20000), "", "not YAML"},
	} {
		_, err := parseYAML("f.yaml", []byte(c.text))
		var e *fault.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: accepted", name)
			continue
		}
		checkFault(t, err)
		if !strings.Contains(e.At, c.at) || !strings.Contains(e.Found, c.found) || e.Kind != fault.Malformed {
			t.Errorf("%s: %v; want %q at %q", name, err, c.found, c.at)
		}
	}
}

// Tabs are fine inside quotes, block texts and comments.
func TestYAMLTabs(t *testing.T) {
	text := "a: \"x\ty\" # c\td\nb: 'it''s\tz'\nc: |\n  one\ttwo\n  #\tthree\n\nd: &q !!str 'u\tv'\n#\tend\nlist:\n- >-\n folded\ttext\n- e\n"
	got, err := parseYAML("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m := got.value.(*mapping).plain()
	want := map[string]any{"a": "x\ty", "b": "it's\tz", "c": "one\ttwo\n#\tthree\n", "d": "u\tv", "list": []any{"folded\ttext", "e"}}
	same(t, "values", m, want)
}

func TestYAMLMappings(t *testing.T) {
	got, err := parseYAML("f", []byte("x: &a {p: 1, q: 2}\ny: &b {q: 3, r: 4}\nz:\n  q: 0\n  <<: [*a, *b]\nw: {<<: [*a, *b]}\nx: last\n1: one\n1.0: two\ntrue: three\n"))
	if err != nil {
		t.Fatal(err)
	}
	m := got.value.(*mapping)
	same(t, "keys", m.keys(), []string{"x", "y", "z", "w", "1"})
	same(t, "values", m.plain(), map[string]any{"x": "last", "y": map[string]any{"q": int64(3), "r": int64(4)},
		"z": map[string]any{"q": int64(0), "p": int64(1), "r": int64(4)},
		"w": map[string]any{"q": int64(2), "p": int64(1), "r": int64(4)}, "1": "three"})
}

func TestRefusalsNameKeyAndLine(t *testing.T) {
	const head = "task_id: t\ninput: {}\ntask_logic: {basic_instructions: a, expert_instructions: b}\n"
	for at, text := range map[string]string{
		"key task_id, line 1":                             "task_id: 7\n",
		"key evaluation, line 4":                          head + "evaluation:\n",
		"key task_logic.expert_instructions, line 3":      "task_id: t\ninput:\ntask_logic: {basic_instructions: a, expert_instructions: ' '}\n",
		"key deliverables[0].id, line 6":                  head + "deliverables:\n - description: d\n   id: a.b\n   filename_pattern: x\n",
		"key deliverables[1].required, line 6":            head + "deliverables:\n - {id: a, description: d, filename_pattern: x}\n - {id: b, description: d, filename_pattern: x, required: 'no'}\n",
		"key deliverables[0].optional, line 5":            head + "deliverables:\n - {id: a, description: d, filename_pattern: x, optional: true}\n",
		"key deliverables[0].required_columns[1], line 5": head + "deliverables:\n - {id: a, description: d, filename_pattern: x, required_columns: [X, on]}\n",
		"key deliverables[0].description, line 5":         head + "deliverables:\n - {id: a, filename_pattern: x}\n",
	} {
		_, err := ReadSpec("task_spec.yaml", []byte(text))
		var e *fault.Error
		if !errors.As(err, &e) || e.At != at || e.Kind != fault.Malformed {
			t.Errorf("want a refusal at %q, got %v", at, err)
		}
	}
}

// Mappings within metric_config keep the order of their keys beside them.
func TestInnerKeys(t *testing.T) {
	r, err := ReadRubric("r", []byte("metric_config: {b: {z: 1, 7: 2, a: 3, null: 4}, list: [x], c: {}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "keys", r.InnerKeys, map[string][]string{"b": {"z", "7", "a", "None"}, "c": {}})
	same(t, "words", []string{Describe(r.Metric["b"]), Describe(r.Metric["list"])}, []string{"a mapping", "a list"})
}

func TestRubricDefaults(t *testing.T) {
	for text, want := range map[string]float64{
		"{}": 0.5, "{result_pass_threshold: 0}": 0, "{result_pass_threshold: '0.7'}": 0.7, "{result_pass_threshold: ' 1_0.5e-2 '}": 0.105,
		"{result_pass_threshold: yes}": 1, "{result_pass_threshold: 1}": 1,
	} {
		r, err := ReadRubric("r", []byte("metric_config: "+text+"\n"))
		if err != nil || r.Threshold != want || len(r.Notes) > 0 {
			t.Errorf("%s gives %v, %v, %v; want %v", text, r.Threshold, r.Notes, err, want)
		}
	}
	for _, text := range []string{"null", "high", "[1]", "2026-01-31", "'1__0'", "0x1p3"} {
		r, err := ReadRubric("r", []byte("metric_config: {result_pass_threshold: "+text+"}\n"))
		if err != nil || r.Threshold != DefaultThreshold || len(r.Notes) != 1 {
			t.Errorf("%s gives %v, %v, %v; want the default and a note", text, r.Threshold, r.Notes, err)
		}
	}
	for text, want := range map[string]string{
		".nan": "nan, so that no score", "'NaN'": "nan, so that no score", ".inf": "inf, so that no score", "'infinity'": "inf, so that no score",
		"1e999": "inf, so that no score", "-.inf": "-inf, so that every score", "50": "50.0, so that no score", "-0.1": "-0.1, so that every score",
	} {
		r, err := ReadRubric("r", []byte("metric_config: {result_pass_threshold: "+text+"}\n"))
		if err != nil || !strings.Contains(noteLines(r.Notes), "warning: r, line 1: result_pass_threshold is "+want) {
			t.Errorf("%s gives %v, %v, %v; want a note with %q", text, r.Threshold, r.Notes, err, want)
		}
	}
	r, err := ReadRubric("r", []byte("metric_config: []\n"))
	if err == nil || r.Metric == nil || r.Threshold != DefaultThreshold {
		t.Errorf("a refused rubric is not usable: %+v, %v", r, err)
	}
}

// The 32 real files of the benchmark load.
func TestRealTasks(t *testing.T) {
	dirs, _ := filepath.Glob(filepath.Join(sharedFolder(), "biabench", "tasks", "*"))
	if len(dirs) == 0 {
		t.Skip("the benchmark's task files are not beside the repository")
	}
	three := 0
	for _, dir := range dirs {
		task, err := OpenTask(dir, "")
		if err != nil || task.RubricErr != nil {
			t.Errorf("%s: %v, %v", dir, err, task.RubricErr)
			continue
		}
		if task.Spec.TaskID != filepath.Base(dir) || len(task.Spec.Deliverables) == 0 || len(task.Spec.InputKeys) == 0 || len(task.Rubric.Metrics) == 0 {
			t.Errorf("%s: %q with %d deliverables and %d input keys", dir, task.Spec.TaskID, len(task.Spec.Deliverables), len(task.Spec.InputKeys))
		}
		if task.Spec.ThreeD() {
			three++
		}
		if task.Spec.Raw == "" || task.Rubric.Raw == "" {
			t.Error("the text of the YAML files is not kept")
		}
	}
	if len(dirs) != 16 || three == 0 || three == 16 {
		t.Errorf("%d tasks, %d of them volumes", len(dirs), three)
	}
}

func FuzzReadSpec(f *testing.F) {
	seedYAML(f)
	f.Fuzz(func(t *testing.T, text string) {
		spec, err := ReadSpec("f", []byte(text))
		if err != nil {
			checkFault(t, err)
			return
		}
		seen := map[string]bool{}
		for _, d := range spec.Deliverables {
			if seen[d.ID] || !isID(d.ID) || d.Pattern == "" || d.Description == "" {
				t.Errorf("a deliverable that should be refused: %+v", d)
			}
			seen[d.ID] = true
		}
	})
}

func FuzzReadRubric(f *testing.F) {
	seedYAML(f)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ReadRubric("f", []byte(text))
		if err != nil {
			checkFault(t, err)
		}
		if r.Metric == nil || (err != nil && r.Threshold != DefaultThreshold) {
			t.Error("not usable after a refusal")
		}
	})
}

// seedYAML adds every text of the load vectors.
func seedYAML(f *testing.F) {
	text, err := os.ReadFile(filepath.Join("testdata", "load.json"))
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range yamlTexts(text) {
		f.Add(c)
	}
	f.Add("a: &x {k: 1}\nb: {<<: *x, k: 2}\nc: |\n  text\n\tmore\nd: [1:30, 0x1F, 2026-01-31, .nan, =]\n")
}
