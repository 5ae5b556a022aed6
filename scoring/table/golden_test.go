package table

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// calculator is a body with a view of what it judged, in the form of the vectors' objects (spec/scorers-tables.md 8).
type calculator struct {
	body    func() error
	objects func() any
}

var calculators = map[string]func(*call.Call) calculator{
	"3d-confocal-puncta-quantification-sbiad1556": func(c *call.Call) calculator {
		p := &puncta{Call: c}
		return calculator{p.score, p.objects}
	},
	"fluo-dna-repair-foci-colocalization-sbsst227": func(c *call.Call) calculator {
		f := &foci{Call: c}
		return calculator{f.score, f.objects}
	},
	"fluo-coronavirus-golgi-colocalization": func(c *call.Call) calculator {
		g := &golgi{Call: c}
		return calculator{g.score, g.objects}
	},
	"cytoplasm-nucleus-translocation-bbbc014": func(c *call.Call) calculator {
		t := &translocation{Call: c}
		return calculator{t.score, t.objects}
	},
	"microglia-phenotype-progression-bbbc054": func(c *call.Call) calculator {
		m := &microglia{Call: c}
		return calculator{m.score, m.objects}
	},
}

// goldenCases lists the folders of a task's vectors: those of testdata and the shared ones, if they are there.
func goldenCases(t testing.TB, task string) []string {
	t.Helper()
	var dirs []string
	for _, root := range []string{"testdata", filepath.Join("..", "..", "..", "shared", "golden")} {
		files, _ := filepath.Glob(filepath.Join(root, task, "*", "expected.json"))
		for _, f := range files {
			dir, err := filepath.Abs(filepath.Dir(f))
			if err != nil {
				t.Fatal(err)
			}
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 {
		t.Fatal("no vectors of " + task)
	}
	return dirs
}

// judged is a report with what the calculator saw.
type judged struct {
	*report.Report
	objects any
}

// judge runs a calculator on a task folder whose answer is in pred. The early exits that are common to all tasks are not
// its own.
func judge(t testing.TB, dir string) judged {
	t.Helper()
	task, err := biabench.OpenTask(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	return judgeTask(t, task, filepath.Join(dir, "pred"))
}

func judgeTask(t testing.TB, task *biabench.Task, pred string) judged {
	t.Helper()
	var c calculator
	r, err := call.Do(context.Background(), task, &biabench.Run{Path: pred, Dir: pred}, nil, func(made *call.Call) error {
		c = calculators[task.Spec.TaskID](made)
		return c.body()
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, measured := t.(*testing.B); measured {
		return judged{Report: r}
	}
	return judged{r, c.objects()}
}

func TestGolden(t *testing.T) {
	for id := range calculators {
		for _, dir := range goldenCases(t, id) {
			t.Run(id+"/"+filepath.Base(dir), func(t *testing.T) {
				text, err := os.ReadFile(filepath.Join(dir, "expected.json"))
				if err != nil {
					t.Fatal(err)
				}
				var want struct {
					ResultScore *float64 `json:"result_score"`
					Metrics     any
					Objects     any
				}
				if err := json.Unmarshal(text, &want); err != nil {
					t.Fatal(err)
				}
				noTruth := !biabench.IsFolder(filepath.Join(dir, "evaluation")) && id != "fluo-coronavirus-golgi-colocalization" && id != "cytoplasm-nucleus-translocation-bbbc014"
				if noTruth || !biabench.IsFolder(filepath.Join(dir, "pred")) {
					t.Skip("ends before a calculator is called")
				}
				got := judge(t, dir)
				if w := want.ResultScore; (w == nil) != got.Result.None || w != nil && *w != got.Result.Value {
					t.Errorf("result %+v, want %v", got.Result, w)
				}
				same(t, "metrics", plainJSON(t, got.Metrics), want.Metrics, 1e-9)
				if want.Objects != nil {
					same(t, "objects", plainJSON(t, got.objects), want.Objects, 1.1e-6)
				}
				checkReport(t, got.Report)
			})
		}
	}
}

func plainJSON(t testing.TB, v any) (out any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// same compares two values; texts in our own words need only be there.
func same(t testing.TB, where string, got, want any, tolerance float64) {
	t.Helper()
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(g) != len(w) {
			t.Errorf("%s: got %v, want %v", where, got, want)
			return
		}
		for k, v := range w {
			if have, ok := g[k]; !ok {
				t.Errorf("%s.%s is missing", where, k)
			} else if !slices.Contains([]string{"error", "note", "reason"}, k) {
				same(t, where+"."+k, have, v, tolerance)
			}
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			t.Errorf("%s: got %v, want %v", where, got, want)
			return
		}
		for i := range w {
			same(t, fmt.Sprintf("%s[%d]", where, i), g[i], w[i], tolerance)
		}
	case float64:
		if g, ok := got.(float64); !ok || math.Abs(g-w) > tolerance*max(1, math.Abs(w)) && math.Abs(g/w-1) > 1e-9 {
			t.Errorf("%s: got %v, want %v", where, got, want)
		}
	default:
		if got != want {
			t.Errorf("%s: got %v, want %v", where, got, want)
		}
	}
}

// object is a JSON object.
type object = map[string]any

func rowsOf(rows []int) []int {
	if rows == nil {
		return []int{}
	}
	return rows
}

func (p *puncta) objects() any {
	if p.conditions == nil {
		return nil
	}
	images, conditions := []object{}, object{}
	for _, n := range p.images {
		pairs, missed, surplus := [][]any{}, []int{}, []int{}
		for _, k := range n.pairs {
			pairs = append(pairs, []any{n.pred.rows[k.Pred], n.truth.rows[k.Truth], k.Cost, n.pred.counts[k.Pred], n.truth.counts[k.Truth]})
		}
		for _, i := range n.missed {
			missed = append(missed, n.truth.rows[i])
		}
		for _, i := range n.surplus {
			surplus = append(surplus, n.pred.rows[i])
		}
		for _, pair := range pairs {
			for i, v := range pair {
				if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
					pair[i] = nil
				}
			}
		}
		images = append(images, object{"condition": n.condition, "image_key": n.image, "pairs": pairs, "missed_gt_rows": missed, "surplus_pred_rows": surplus})
		c := p.conditions[n.condition]
		o := object{"n_gt": c.n, "sum_abs_error": number64(c.errors), "surplus": number64(c.surplus), "mae": nil, "relative_error": nil}
		if c.scored {
			o["mae"], o["relative_error"] = number64(c.mae), number64(c.relative)
		}
		conditions[n.condition] = o
	}
	return object{"threshold_px": number64(p.threshold), "images": images, "conditions": conditions,
		"skipped_pred_rows": rowsOf(p.pred.skipped), "skipped_gt_rows": rowsOf(p.truth.skipped)}
}

// number64 is a number that JSON can hold, else nil.
func number64(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return v
}

func (f *foci) objects() any {
	pairs := []object{}
	for _, a := range f.pairs {
		o := object{"ref": a.ref, "pred": a.pred, "n_ref": len(a.truth), "n_pred": len(a.got), "ks": nil, "ks_at": nil, "ks_sign": nil}
		if a.ks != nil {
			o["ks"], o["ks_at"], o["ks_sign"] = a.ks.Statistic, a.ks.At, a.ks.Sign
		}
		pairs = append(pairs, o)
	}
	if f.pred == nil {
		return nil
	}
	return object{"aligned": pairs, "unmatched_ref_conditions": list(f.open), "unused_pred_conditions": list(f.unused), "skipped_pred_rows": rowsOf(f.pred.skipped)}
}

func (g *golgi) objects() any {
	if g.reported == nil {
		return nil
	}
	o := object{"per_cell_csv": nil, "condition_column": nil, "coefficient_column": nil, "skipped_rows": nil}
	if g.cellFile != "" {
		o["per_cell_csv"] = g.Shown(g.cellFile)
	}
	files, entries, conditions := []string{}, [][]any{}, []object{}
	for _, f := range g.pairFiles {
		files = append(files, g.Shown(f))
	}
	for _, p := range g.reported.list {
		entries = append(entries, []any{p.a, p.b, number64(p.p)})
	}
	for _, s := range g.cells.all {
		c := object{"name": s.name, "normalised": spaced(s.name), "n_values": len(s.values) + len(s.outVal), "n_dropped": len(s.outVal), "median": nil}
		if len(s.values) > 0 {
			c["median"] = s.median()
		}
		conditions = append(conditions, c)
	}
	o["pairwise_csvs"], o["pairwise_table"], o["conditions"] = files, entries, conditions
	if g.cells.condition != "" {
		o["condition_column"] = g.cells.condition
	}
	if g.cells.column != "" {
		o["coefficient_column"] = g.cells.column
	}
	if g.cells.byName {
		left := slices.Clone(g.cells.skipped)
		for _, s := range g.cells.all {
			left = append(left, s.out...)
		}
		slices.Sort(left)
		o["skipped_rows"] = rowsOf(left)
	}
	return o
}

func (t *translocation) objects() any {
	types := object{}
	for _, c := range t.types {
		doses := []object{}
		for _, d := range c.sorted() {
			o := object{"dose": d, "n_wells": len(c.values[d]), "mean": meanOf(c.values[d]), "sd": nil, "cv": nil, "n_cells": 0, "cell_mean": nil}
			if _, sd, err := spread(c.values[d]); err == nil && sd != nil {
				o["sd"] = *sd
			}
			if cv, ok := c.cvs[d]; ok {
				o["cv"] = cv
			}
			if set := t.cells.at[c.name]; set != nil && len(set.values[d]) > 0 {
				o["n_cells"], o["cell_mean"] = len(set.values[d]), meanOf(set.values[d])
			}
			doses = append(doses, o)
		}
		o := object{"doses": doses, "control_dose": number64(c.control), "treated_dose": number64(c.treated), "test_source": nil}
		if !math.IsNaN(c.control) {
			o["test_source"] = map[bool]string{true: "per_cell", false: "per_well"}[c.fromCells]
		}
		types[c.name] = o
	}
	if t.cells == nil {
		return nil
	}
	return object{"cell_types": types, "skipped_well_rows": rowsOf(t.wells.skipped), "skipped_cell_rows": rowsOf(t.cells.skipped)}
}

func meanOf(values []float64) float64 {
	m, _, _ := spread(values)
	return *m
}

func (m *microglia) objects() any {
	frames, confusion := []object{}, object{}
	label := func(class int) any {
		if class < 0 {
			return nil
		}
		return classNames[class]
	}
	text := func(class int) string {
		if class < 0 {
			return "None"
		}
		return classNames[class]
	}
	for _, f := range m.frames {
		pairs, extra, missed := [][]any{}, []int{}, []int{}
		for _, p := range f.pairs {
			a, b := m.pred.cells[p.Pred], m.truth.cells[p.Truth]
			pairs = append(pairs, []any{a.row, b.row, math.Sqrt(p.Cost), label(a.class), label(b.class)})
			counts, ok := confusion[text(b.class)].(object)
			if !ok {
				counts = object{}
				confusion[text(b.class)] = counts
			}
			n, _ := counts[text(a.class)].(int)
			counts[text(a.class)] = n + 1
		}
		for _, i := range f.loosePred {
			extra = append(extra, m.pred.cells[i].row)
		}
		for _, i := range f.looseTruth {
			missed = append(missed, m.truth.cells[i].row)
		}
		frames = append(frames, object{"frame": f.number, "pairs": pairs, "false_positive_rows": extra, "false_negative_rows": missed,
			"pred_fraction": fractions(f.predKnown), "gt_fraction": fractions(f.truthKnown)})
	}
	if len(frames) == 0 {
		return nil
	}
	o := object{"frames": frames, "confusion_gt_to_pred": confusion, "trend": nil, "skipped_pred_rows": rowsOf(m.pred.skipped), "skipped_gt_rows": rowsOf(m.truth.skipped)}
	if m.course.score != nil {
		perClass := object{}
		for k, name := range classNames {
			perClass[name] = nil
			if r := m.course.perClass[k]; r != nil {
				perClass[name] = *r
			}
		}
		o["trend"] = object{"n_frames_compared": m.course.frames, "per_class_pearson_r": perClass}
	}
	return o
}

func fractions(known [nClasses]int) any {
	n := float64(known[0] + known[1] + known[2])
	if n == 0 {
		return nil
	}
	o := object{}
	for k, name := range classNames {
		o[name] = float64(known[k]) / n
	}
	return o
}

// checkReport holds what every report has in common: marks name images, texts are there, costs are numbers.
func checkReport(t testing.TB, r *report.Report) {
	t.Helper()
	for _, m := range r.Marks {
		if m.Image < 0 || m.Image >= len(r.Images) || m.Text == "" || math.IsNaN(m.Cost) || math.IsInf(m.Cost, 0) || m.Diagnostic && m.Cost != 0 {
			t.Errorf("mark %+v of %d images", m, len(r.Images))
		}
		if strings.Contains(m.Text, "%!") {
			t.Errorf("text %q", m.Text)
		}
	}
	if !r.Result.None && r.Result.Reason == "" && len(r.Method) == 0 {
		t.Error("nothing says how the number is made")
	}
}
