package scoring

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"coverslip/scoring/report"
)

// scoreWith scores a folder's answer under another metric_config.
func scoreWith(t *testing.T, dir, config string) *Report {
	t.Helper()
	write(t, filepath.Join(dir, "evaluation_rubric.yaml"), "metric_config: "+config+"\n")
	r := scoreFolder(t, dir, filepath.Join(dir, "pred"))
	checkLaws(t, r)
	for _, leak := range []string{"map[", "<nil>", "[]interface", "%!"} {
		if text := noteText(r) + r.Result.Reason; strings.Contains(text, leak) {
			t.Errorf("%s: %q in %s", config, leak, text)
		}
	}
	return r
}

// The rubric's compartments, whatever their form: nuclei are perfect here, cytoplasm scores 0.5.
func TestRubricCompartments(t *testing.T) {
	cell, half := plane(4, 4, 1, 1, 1, 1), plane(4, 4, 0, 0, 1, 1, 2, 2)
	dir := taskFolder(t, hela, "2D", files{"nuclei_masks/1.tif": cell, "cytoplasm_masks/1.tif": cell},
		files{"nuclei_1.tif": cell, "cytoplasm_1.tif": half})
	for _, c := range []struct {
		config string
		none   bool
		value  float64
		names  string // of the record's compartments, in order
		text   string // in the notes or the reason
	}{
		{"{}", false, 0.75, "nuclei cytoplasm", ""},
		{"{compartments: [cytoplasm, nuclei]}", false, 0.75, "cytoplasm nuclei", ""},
		{"{compartments: {nuclei: 1, cytoplasm: 2}}", false, 0.75, "nuclei cytoplasm", ""},
		{"{compartments: {cytoplasm: 2, nuclei: 1}}", false, 0.75, "cytoplasm nuclei", ""},
		{"{compartments: [nuclei, nuclei, cytoplasm]}", false, 0.75, "nuclei cytoplasm", "names the compartment nuclei more than once"},
		{"{compartments: [nuclei]}", false, 1, "nuclei", ""},
		{"{compartments: []}", true, 0, "", "no truth masks for any compartment"},
		{"{compartments: null}", true, 0, "", "list of names, found nothing (null)"},
		{"{compartments: nuclei}", true, 0, "", `list of names, found the text "nuclei"`},
		{"{compartments: 3}", true, 0, "", "list of names, found the number 3"},
		{"{compartments: [null, 1.0]}", true, 0, "", "'None_masks'"},
		{"{compartments: [nuclei, {cytoplasm: 2}]}", true, 0, "", "a name, found a mapping"},
		{"{compartments: [[nuclei]]}", true, 0, "", "a name, found a list"},
	} {
		r := scoreWith(t, dir, c.config)
		record, _ := r.Metrics.Get("compartments").(*Record)
		names := ""
		if record != nil {
			names = strings.Join(record.Keys(), " ")
		}
		if r.Result.None != c.none || r.Result.Value != c.value || names != c.names {
			t.Errorf("%s: %+v with compartments %q, want %v (none: %v) with %q", c.config, r.Result, names, c.value, c.none, c.names)
		}
		if !strings.Contains(noteText(r)+r.Result.Reason, c.text) {
			t.Errorf("%s: no %q in %s%s", c.config, c.text, noteText(r), r.Result.Reason)
		}
	}
}

// A primary_metric that names no number: in one set of masks dice stands in, in compartments each counts 0; a list, a
// mapping and a field that is no number make the reference fail.
func TestOddPrimaryMetric(t *testing.T) {
	cell := plane(4, 4, 1, 1)
	single := taskFolder(t, nuclei, "2D", files{"a.tif": cell}, files{"a.tif": cell})
	several := taskFolder(t, hela, "2D", files{"nuclei_masks/1.tif": cell, "cytoplasm_masks/1.tif": cell}, files{"nuclei_1.tif": cell, "cytoplasm_1.tif": cell})
	const fails = "fails"
	for _, c := range []struct{ value, single, several, text string }{
		{"dice", "1", "1", ""},
		{"null", "1", "0", "primary_metric is nothing (null), which is no result"},
		{"3", "1", "0", "primary_metric is the number 3, which is no result"},
		{"yes", "1", "0", "primary_metric is the value true"},
		{"2026-01-31", "1", "0", "primary_metric is the date 2026-01-31"},
		{"''", "1", "0", `primary_metric is the text "", which is no result`},
		{"nonsense", "1", "0", `primary_metric is the text "nonsense", which is no result`},
		{"result_score", "1", "0", `primary_metric is the text "result_score", which is no result`},
		{"match_low_confidence", "0", "0", ""},
		{"[dice]", fails, fails, "must be the name of a field, found a list"},
		{"{dice: 1}", fails, fails, "must be the name of a field, found a mapping"},
		{"run_metrics", fails, "0", "primary_metric"},
		{"match_method", fails, "0", "primary_metric"},
	} {
		for dir, want := range map[string]string{single: c.single, several: c.several} {
			r := scoreWith(t, dir, "{primary_metric: "+c.value+"}")
			got := report.Number(r.Result.Value)
			if r.Result.None {
				got = fails
			}
			if got != want || !strings.Contains(noteText(r)+r.Result.Reason, c.text) {
				t.Errorf("%s: %s, want %s with %q in %s%s", c.value, got, want, c.text, noteText(r), r.Result.Reason)
			}
			if _, err := json.Marshal(r.Metrics); err != nil {
				t.Errorf("%s: %v", c.value, err)
			}
		}
	}
	// A compartment that was not judged is not looked at, so that a list does no harm there.
	nothing := taskFolder(t, hela, "2D", files{"nuclei_masks/a.tif": cell, "nuclei_masks/b.tif": cell}, files{"nuclei_x.tif": cell, "cytoplasm_1.tif": cell})
	if r := scoreWith(t, nothing, "{primary_metric: [dice]}"); r.Result.None || r.Result.Value != 0 {
		t.Errorf("%+v", r.Result)
	}
}
