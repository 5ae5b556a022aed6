package biabench

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestLint holds the findings of the reference's checker against its own, and looks at each of ours: it has a place in a
// file, and where it offers a change, that change removes it and keeps the files in order.
func TestLint(t *testing.T) {
	type vector struct {
		Files map[string]string
		Codes []string
	}
	vectors(t, "lint", func(t *testing.T, _ string, c vector) {
		dir := tree(t, c.Files)
		found := Lint(dir, nil)
		same(t, "codes", referenceCodes(found), append([]string{}, c.Codes...))
		for _, f := range found {
			checkFinding(t, dir, f)
		}
	})
}

func referenceCodes(found []LintFinding) []string {
	codes := []string{}
	for _, f := range found {
		if f.Reference {
			codes = append(codes, f.Code)
		}
	}
	return codes
}

func checkFinding(t *testing.T, dir string, f LintFinding) {
	t.Helper()
	if f.File == "" || f.Text == "" || f.Level == "" || (f.Line == 0 && f.Code != LintData && !strings.Contains(f.Text, "no such file")) {
		t.Errorf("a finding without a place or a text: %+v", f)
	}
	if f.Edit == nil {
		return
	}
	rel, err := filepath.Rel(dir, f.File)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(f.File)
	if err != nil {
		t.Fatal(err)
	}
	changed := f.Edit.Apply(string(text))
	before, after := Lint(dir, nil), Lint(dir, map[string][]byte{rel: []byte(changed)})
	if len(after) != len(before)-1 || countCode(after, f.Code) != countCode(before, f.Code)-1 {
		t.Errorf("%s: the change makes of %d findings %d: %+v\n%s", f.Code, len(before), len(after), after, changed)
	}
}

func countCode(found []LintFinding, code string) (n int) {
	for _, f := range found {
		if f.Code == code {
			n++
		}
	}
	return n
}

const lintHead = "input: {}\ntask_logic: {basic_instructions: a, expert_instructions: b}\n"

const (
	fociSpec   = "task_id: fluo-dna-repair-foci-colocalization-sbsst227\n" + lintHead + "deliverables:\n"
	nucleiSpec = "task_id: he-nuinsseg-nuclear-segmentation\n" + lintHead + "deliverables:\n- id: segmentation_masks\n  description: d\n  filename_pattern: '*'\n  multi: true\n"
)

// lintPlaces are broken files: what is found of them, at which line, and a line that the suggested change makes.
var lintPlaces = map[string]struct {
	spec, rubric string
	code         string
	line         int
	edited       string // a line that the change makes; "": no change is offered
}{
	"metric in quotes":  {nucleiSpec, "metric_config:\n  primary_metric: \"Dise\" # old\n", LintPrimary, 2, "  primary_metric: dice # old"},
	"metric in braces":  {nucleiSpec, "metric_config: {x: 1, primary_metric: ap_at_05, y: 2}\n", LintPrimary, 1, "metric_config: {x: 1, primary_metric: ap_at_0.5, y: 2}"},
	"metric no text":    {nucleiSpec, "metric_config:\n  primary_metric: [dice]\n", LintPrimary, 2, ""},
	"level null":        {nucleiSpec, "metric_config: {}\nx:\n- visualization_level:\n", LintLevel, 3, ""},
	"level misspelt":    {nucleiSpec, "metric_config: {}\nvisualization_level: advancd\n", LintLevel, 2, "visualization_level: advanced"},
	"threshold percent": {nucleiSpec, "metric_config:\n  a: 1\n  result_pass_threshold: 50\n", LintThreshold, 3, "  result_pass_threshold: 0.5"},
	"threshold text":    {nucleiSpec, "metric_config:\n  result_pass_threshold: half\n", LintThreshold, 2, "  result_pass_threshold: 0.5"},
	"filter null":       {nucleiSpec, "metric_config: {}\nchecklist_filter:\n", LintFilter, 2, ""},
	"filter words":      {nucleiSpec, "metric_config: {}\nchecklist_filter:\n  include_keywords: segmentation\n", LintFilter, 3, ""},
	"key twice":         {nucleiSpec, "metric_config: {a: 1}\nmetric_config: {b: 1}\n", LintTwice, 2, ""},
	"other task":        {nucleiSpec, "task_id: other\nmetric_config: {}\n", LintName, 1, "task_id: he-nuinsseg-nuclear-segmentation"},
	"unknown key":       {nucleiSpec + "  colour: red\n", "metric_config: {}\n", LintSpec, 9, ""},
	"tab":               {nucleiSpec, "metric_config:\n\ta: 1\n", LintRubric, 2, ""},
	"other id":          {strings.Replace(nucleiSpec, "segmentation_masks", "masks", 1), "metric_config: {}\n", LintIDs, 5, "- id: segmentation_masks"},
	"no deliverables":   {"task_id: he-nuinsseg-nuclear-segmentation\n" + lintHead, "metric_config: {}\n", LintIDs, 1, ""},
	"columns block": {fociSpec + "- id: coloc_results\n  description: one csv\n  filename_pattern: '*'\n  required_columns:\n  - condition\n",
		"metric_config: {}\n", LintColumns + ":coloc_results", 9, "  - start_normalized"},
	"columns flow": {fociSpec + "- id: coloc_results\n  description: one csv\n  filename_pattern: '*'\n  required_columns: [condition]\n",
		"metric_config: {}\n", LintColumns + ":coloc_results", 8, "  required_columns: [start_normalized, condition]"},
	"columns null": {fociSpec + "- id: coloc_results\n  description: one csv\n  filename_pattern: '*'\n  required_columns:\n",
		"metric_config: {}\n", LintColumns + ":coloc_results", 8, ""},
	"columns absent": {fociSpec + "- id: coloc_results\n  description: one csv\n  filename_pattern: '*'\n",
		"metric_config: {}\n", LintColumns + ":coloc_results", 5, "  required_columns: [condition, start_normalized]"},
	"columns absent in braces": {fociSpec + "- {id: coloc_results, description: one csv, filename_pattern: '*'}\n",
		"metric_config: {}\n", LintColumns + ":coloc_results", 5, "- {required_columns: [condition, start_normalized], id: coloc_results, description: one csv, filename_pattern: '*'}"},
	"description folded": {fociSpec + "- id: coloc_results\n  description: >\n    rows\n    and rows\n  filename_pattern: '*'\n  required_columns: [condition, start_normalized]\n",
		"metric_config: {}\n", LintCardinality + ":coloc_results", 6, "    A single file covering every input."},
	"description quoted": {fociSpec + "- id: coloc_results\n  description: 'rows\n    and rows'\n  filename_pattern: '*'\n  required_columns: [condition, start_normalized]\n",
		"metric_config: {}\n", LintCardinality + ":coloc_results", 6, "  description: 'A single file covering every input. rows"},
	"spec empty": {"", "metric_config: {}\n", LintSpec, 0, ""},
}

// TestLintPlaces finds each of them at its line, and makes the change.
func TestLintPlaces(t *testing.T) {
	for name, c := range lintPlaces {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, map[string]string{SpecFile: c.spec, RubricFile: c.rubric})
			found := Lint(dir, nil)
			for _, f := range found {
				if f.Code != c.code || f.Line != c.line {
					continue
				}
				if (f.Edit == nil) != (c.edited == "") {
					t.Fatalf("edit %+v, want one: %v", f.Edit, c.edited != "")
				}
				if f.Edit != nil {
					checkFinding(t, dir, f)
					text, _ := os.ReadFile(f.File)
					if got := f.Edit.Apply(string(text)); !strings.Contains("\n"+got, "\n"+c.edited+"\n") {
						t.Errorf("the change gives\n%s\nwant the line\n%s", got, c.edited)
					}
				}
				return
			}
			t.Errorf("no %s at line %d among %+v", c.code, c.line, found)
		})
	}
}

// TestSaysOneFile by the words that the reference's checker knows.
func TestSaysOneFile(t *testing.T) {
	format := func(s string) *string { return &s }
	for _, c := range []struct {
		format      *string
		description string
		want        bool
	}{
		{nil, "A single table", true}, {nil, "SINGLE", true}, {nil, "singles", false}, {nil, "aggregated over wells", true},
		{nil, "write one, please", true}, {nil, "covering  every", false}, {nil, "covering all wells", true},
		{nil, "one big table", true}, {nil, "one row per cell table", false}, {nil, "one row per csv", false}, {nil, "One row per cell in every file, one csv", true},
		{nil, "one " + strings.Repeat("x", 43) + " csv", true}, {nil, "one " + strings.Repeat("x", 44) + " csv", false},
		{nil, "one. csv", false}, {nil, "one OME-TIFF", true}, {nil, "one tif", true}, {nil, "one tiffs", false}, {nil, "one mosaic", true},
		{nil, "the stitched image", true}, {nil, "the reconstructed volume", true}, {nil, "the stitched", false}, {nil, "stitched image", false},
		{format("one"), "csv", true}, {format("single CSV"), "rows", true}, {format("CSV"), "rows", false}, {nil, "oneness of table", false},
	} {
		if got := saysOneFile(Deliverable{Format: c.format, Description: c.description}); got != c.want {
			t.Errorf("%q: %v, want %v", c.description, got, c.want)
		}
	}
}

// TestLintOfTheBenchmark: its own sixteen tasks are in order, each is known, and looking at one is quick.
func TestLintOfTheBenchmark(t *testing.T) {
	dirs, _ := filepath.Glob(filepath.Join(sharedFolder(), "biabench", "tasks", "*"))
	if len(dirs) == 0 {
		t.Skip("the benchmark's tasks are not beside the repository")
	}
	var ids []string
	for _, dir := range dirs {
		ids = append(ids, filepath.Base(dir))
		for _, f := range Lint(dir, nil) {
			if f.Level == Error || f.Reference {
				t.Errorf("%+v", f)
			}
		}
	}
	if !reflect.DeepEqual(ids, TaskIDs()) {
		t.Errorf("tasks %q, want %q", TaskIDs(), ids)
	}
}

// TestLintOfData: folders that are not there or empty, and the marker that is no truth.
func TestLintOfData(t *testing.T) {
	spec := "task_id: t\n" + lintHead
	dir := filepath.Join(tree(t, map[string]string{"t/task_spec.yaml": spec, "t/evaluation_rubric.yaml": "metric_config: {}\n" +
		"evaluation_metadata: {structure: s, ground_truth_present: true}\n"}), "t")
	levels := func() (list []Level) {
		for _, f := range Lint(dir, nil) {
			list = append(list, f.Level)
		}
		return list
	}
	same(t, "nothing there", levels(), []Level{Info, Warning})
	os.MkdirAll(filepath.Join(dir, InputFolder), 0o755)
	os.MkdirAll(filepath.Join(dir, TruthFolder), 0o755)
	os.WriteFile(filepath.Join(dir, TruthFolder, CanaryFile), nil, 0o644)
	same(t, "empty", levels(), []Level{Warning, Warning})
	os.WriteFile(filepath.Join(dir, InputFolder, "i.tif"), nil, 0o644)
	os.WriteFile(filepath.Join(dir, TruthFolder, "t.tif"), nil, 0o644)
	if found := Lint(dir, nil); len(found) > 0 || Worst(found) != "" {
		t.Errorf("%+v", found)
	}
}

func BenchmarkLint(b *testing.B) {
	dir := filepath.Join(sharedFolder(), "biabench", "tasks", "confocal-mosaic-4channel-stitching-ctc-model")
	if !IsFolder(dir) {
		b.Skip("the benchmark's tasks are not beside the repository")
	}
	for b.Loop() {
		Lint(dir, nil)
	}
}

func FuzzLint(f *testing.F) {
	f.Add("deliverables:\n- id: coloc_results\n  description: >-\n    x\n  filename_pattern: '*'\n", "metric_config: {primary_metric: f1}\nvisualization_level: x")
	f.Add("deliverables: [{id: coloc_results, description: \"d\", filename_pattern: a, required_columns: []}]", "metric_config:\n  primary_metric: 'a''b'")
	f.Add("deliverables:\n- &a {id: a, description: d, filename_pattern: a}\n- {<<: *a, id: b}\n", "{metric_config: {}, x: !!set {a}, visualization_level: !!str 1}")
	f.Fuzz(func(t *testing.T, spec, rubric string) {
		spec = "task_id: fluo-dna-repair-foci-colocalization-sbsst227\n" + lintHead + spec
		texts := map[string][]byte{SpecFile: []byte(spec), RubricFile: []byte(rubric)}
		for _, x := range Lint("absent", texts) {
			if x.Edit == nil {
				continue
			}
			name := filepath.Base(x.File)
			if changed := x.Edit.Apply(string(texts[name])); changed == string(texts[name]) {
				t.Errorf("%+v changes nothing", x)
			}
		}
	})
}
