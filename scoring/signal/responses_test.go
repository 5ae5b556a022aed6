package signal

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call/calltest"
	"coverslip/scoring/report"
)

// probe is an edit of the perfect answer of a task, and the figures that the reference gives for it
// (spec/baselines.md 6).
type probe struct {
	task, name string
	value      any
	figures    map[string]any
}

// number is the strength of a probe.
func (p probe) number() float64 {
	v, _ := p.value.(float64)
	return v
}

func (p probe) whole() int { return int(p.number()) }

func (p probe) text() string { return fmt.Sprint(p.value) }

func readProbes(t *testing.T) []probe {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(calltest.Shared(), "golden", "_responses", "signals.json"))
	if err != nil {
		t.Skip("the shared responses are absent: ", err)
	}
	var rows []map[string]any
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	var out []probe
	for _, row := range rows {
		p := probe{task: row["task_id"].(string), name: row["probe"].(string), value: row["value"], figures: row}
		for _, key := range []string{"task_id", "probe", "value"} {
			delete(row, key)
		}
		out = append(out, p)
	}
	return out
}

// answers write the edited answer of a probe into a folder; task is the perfect case.
var answers = map[string]func(t *testing.T, p probe, task, out string){
	smlmTask: writeLocalisationProbe, npcTask: writeKineticsProbe, mosaicTask: writeMosaicProbe, woundTask: writeKymographProbe,
}

// TestResponses repeats every probe: absolute 1e-4, as the reference rounds.
func TestResponses(t *testing.T) {
	for _, p := range readProbes(t) {
		t.Run(fmt.Sprintf("%.4s/%s/%s", p.task, p.name, p.text()), func(t *testing.T) {
			task, out := filepath.Join(calltest.Shared(), "golden", p.task, "perfect"), t.TempDir()
			write, ok := answers[p.task]
			if !ok {
				t.Fatalf("unknown task %s", p.task)
			}
			write(t, p, task, out)
			opened, err := biabench.OpenTask(task, "")
			if err != nil {
				t.Fatal(err)
			}
			r := calltest.RunTask(t, calculators[p.task], opened, out)
			for _, key := range slices.Sorted(maps.Keys(p.figures)) {
				compareFigure(t, r, key, p.figures[key])
			}
			checkCosts(t, r)
		})
	}
}

func compareFigure(t *testing.T, r *report.Report, key string, want any) {
	t.Helper()
	got, ok := r.Metrics.Number(key)
	if detail, nested := r.Metrics.Get("stitching_detail").(*report.Record); nested && !ok {
		got, ok = detail.Number(key)
	}
	w, number := want.(float64)
	switch {
	case want == nil && ok, number && !ok:
		t.Errorf("%s: got %v, want %v", key, r.Metrics.Get(key), want)
	case number && math.Abs(got-w) > 1.00001e-4:
		t.Errorf("%s: got %v, want %v", key, got, w)
	}
}

func exactText(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func writeFile(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}
