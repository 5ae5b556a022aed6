package signal

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
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
				calltest.CompareJSON(t, "metrics", text, v.want.Metrics, loose)
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
