package scoring

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/datasets/fault"
	"coverslip/scoring/call/calltest"
	"coverslip/scoring/report"
)

// A vector is a task folder, a run and the reference's answer to both. Vectors come from testdata, and from the shared
// golden and real cases where those are present; adding a folder adds a test.
type vector struct {
	name, task, pred string
	want             expected
}

// expected is what the reference said (spec/scorers-segmentation-tracking.md 8).
type expected struct {
	ResultScore *float64        `json:"result_score"`
	Metrics     json.RawMessage `json:"metrics"`
	Objects     json.RawMessage `json:"objects"` // of another form in each family of tasks
	LooseKeys   []string        `json:"loose_keys"`
	Raised      string          `json:"raised"`
}

// expectedObjects are those of instance segmentations.
type expectedObjects struct {
	Images       []expectedImage            `json:"images"`
	Compartments map[string][]expectedImage `json:"compartments"`
}

// segmentations are the tasks whose objects and laws are checked here; those of other calculators are, in their packages.
var segmentations = []string{nuclei, volume, hela}

type expectedImage struct {
	GT             string              `json:"gt"`
	Pred           *string             `json:"pred"`
	Status         string              `json:"status"`
	Scores         map[string]*float64 `json:"scores"`
	NPred          int                 `json:"n_pred"`
	NTruth         int                 `json:"n_gt"`
	Matched        [][3]json.Number    `json:"matched"`
	FalsePositives []int64             `json:"false_positives"`
	FalseNegatives []int64             `json:"false_negatives"`
	Matched75      [][2]int64          `json:"matched_at_0.75"`
	PredShape      []int               `json:"pred_shape"`
	TruthShape     []int               `json:"gt_shape"`
}

// shared is the folder beside the repository, "" if there is none.
func shared() string {
	dir, err := filepath.Abs(".")
	for err == nil && dir != filepath.Dir(dir) {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			s := filepath.Join(filepath.Dir(dir), "shared")
			s, err := filepath.EvalSymlinks(s) // paths in reports have links followed
			if err != nil {
				return ""
			}
			return s
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

func vectors(t testing.TB) []vector {
	t.Helper()
	var list []vector
	add := func(root, taskPattern string, taskOf func(string) string) {
		files, _ := filepath.Glob(filepath.Join(root, taskPattern, "expected.json"))
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Dir(file)
			name, _ := filepath.Rel(root, dir)
			v := vector{name: filepath.ToSlash(name), task: taskOf(dir), pred: filepath.Join(dir, "pred")}
			if err := json.Unmarshal(text, &v.want); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			list = append(list, v)
		}
	}
	itself := func(dir string) string { return dir }
	local, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	add(local, "*/*", itself)
	if s := shared(); s != "" {
		for id := range calculators {
			add(filepath.Join(s, "golden"), id+"/*", itself)
		}
		twoUp := func(dir string) string { return filepath.Dir(filepath.Dir(dir)) }
		add(filepath.Join(s, "real", "tasks"), "nuclei-*/runs/*", twoUp)
	}
	if len(list) == 0 {
		t.Fatal("no vectors")
	}
	slices.SortStableFunc(list, func(a, b vector) int { return strings.Compare(a.name, b.name) })
	return list
}

func scoreFolder(t testing.TB, taskDir, predDir string) *Report {
	t.Helper()
	task, err := biabench.OpenTask(taskDir, "")
	if err != nil {
		t.Fatal(err)
	}
	run, err := biabench.OpenRun(t.Context(), predDir)
	if errors.Is(err, fault.Missing) {
		run = &biabench.Run{Path: predDir} // an agent that left no folder
	} else if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	run.Dir = predDir // the vectors name the prediction folder itself
	r, err := Score(t.Context(), task, run, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestGolden(t *testing.T) {
	if shared() == "" {
		t.Log("the shared cases are absent: only testdata is checked")
	}
	for _, v := range vectors(t) {
		t.Run(v.name, func(t *testing.T) {
			r := scoreFolder(t, v.task, v.pred)
			switch want := v.want.ResultScore; {
			case want == nil != r.Result.None:
				t.Errorf("result: got %+v, want %v", r.Result, want)
			case want != nil && r.Result.Value != *want:
				t.Errorf("result: got %v, want %v", r.Result.Value, *want)
			}
			compareMetrics(t, r.Metrics, v.want)
			if slices.Contains(segmentations, r.TaskID) {
				compareObjects(t, r, v)
				checkLaws(t, r)
			}
		})
	}
}

// looseKeys are texts of which only the presence counts.
var looseKeys = []string{"error", "note", "reason"}

func compareMetrics(t *testing.T, got *Record, want expected) {
	t.Helper()
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	calltest.CompareJSON(t, "metrics", text, want.Metrics, slices.Concat(looseKeys, want.LooseKeys))
}

func compareObjects(t *testing.T, r *Report, v vector) {
	t.Helper()
	var objects *expectedObjects
	if len(v.want.Objects) > 0 {
		if err := json.Unmarshal(v.want.Objects, &objects); err != nil {
			t.Fatal(err)
		}
	}
	if objects == nil {
		return
	}
	groups := objects.Compartments
	if groups == nil {
		groups = map[string][]expectedImage{"": objects.Images}
	}
	n := 0
	for compartment, images := range groups {
		for _, want := range images {
			n++
			truth := filepath.Join(v.task, filepath.FromSlash(want.GT))
			i := slices.IndexFunc(r.Images, func(img Image) bool { return img.Compartment == compartment && img.Truth == truth })
			if i < 0 {
				t.Errorf("%s: no row for it", want.GT)
				continue
			}
			compareImage(t, r, i, want, filepath.Dir(v.pred))
		}
	}
	if n != len(r.Images) {
		t.Errorf("%d rows, want %d", len(r.Images), n)
	}
}

func compareImage(t *testing.T, r *Report, index int, want expectedImage, base string) {
	t.Helper()
	img := r.Images[index]
	if string(img.Status) != want.Status {
		t.Errorf("%s: status %s, want %s", want.GT, img.Status, want.Status)
	}
	wantPred := ""
	if want.Pred != nil {
		wantPred = filepath.Join(base, filepath.FromSlash(*want.Pred))
	}
	if img.Pred != wantPred {
		t.Errorf("%s: paired with %s, want %s", want.GT, img.Pred, wantPred)
	}
	if want.Status == "shape_mismatch" && (!slices.Equal(img.PredShape, want.PredShape) || !slices.Equal(img.TruthShape, want.TruthShape)) {
		t.Errorf("%s: shapes %v and %v, want %v and %v", want.GT, img.PredShape, img.TruthShape, want.PredShape, want.TruthShape)
	}
	if want.Status == "missing" && img.NTruth != want.NTruth {
		t.Errorf("%s: %d truth objects, want %d", want.GT, img.NTruth, want.NTruth)
	}
	if want.Status != "scored" {
		return
	}
	if img.NPred != want.NPred || img.NTruth != want.NTruth {
		t.Errorf("%s: %d and %d objects, want %d and %d", want.GT, img.NPred, img.NTruth, want.NPred, want.NTruth)
	}
	for name, got := range scoresByName(img.Scores) {
		w, ok := want.Scores[name]
		if !ok || (w == nil) != math.IsNaN(got) || w != nil && math.Abs(got-*w) > 1e-9 {
			t.Errorf("%s: %s is %v, want %v", want.GT, name, got, w)
		}
	}
	compareMarks(t, r, index, want)
}

func scoresByName(s report.Scores) map[string]float64 {
	return map[string]float64{
		"dice": s.Dice, "iou": s.IoU, "ap_at_0.5": s.AP50, "ap_at_0.75": s.AP75, "pq": s.PQ, "boundary_f1": s.BoundaryF1,
	}
}

// compareMarks holds the official marks of an image against the reference's objects.
func compareMarks(t *testing.T, r *Report, index int, want expectedImage) {
	t.Helper()
	var pairs, strong [][2]int64
	var ious []float64
	var fp, fn []int64
	for _, m := range r.Marks {
		if m.Image != index {
			continue
		}
		switch m.Kind {
		case report.TP, report.Weak:
			pairs, ious = append(pairs, [2]int64{m.Pred, m.Truth}), append(ious, m.IoU)
			if m.Kind == report.TP {
				strong = append(strong, [2]int64{m.Pred, m.Truth})
			}
		case report.FP:
			fp = append(fp, m.Pred)
		case report.FN:
			fn = append(fn, m.Truth)
		}
	}
	if !slices.Equal(fp, want.FalsePositives) || !slices.Equal(fn, want.FalseNegatives) || !slices.Equal(strong, want.Matched75) {
		t.Errorf("%s: FP %v FN %v at 0.75 %v, want %v, %v, %v", want.GT, fp, fn, strong, want.FalsePositives, want.FalseNegatives, want.Matched75)
	}
	if len(pairs) != len(want.Matched) {
		t.Errorf("%s: %d pairs, want %d", want.GT, len(pairs), len(want.Matched))
		return
	}
	for i, w := range want.Matched {
		pred, _ := w[0].Int64()
		truth, _ := w[1].Int64()
		iou, _ := w[2].Float64()
		if pairs[i] != [2]int64{pred, truth} || math.Abs(ious[i]-iou) > 1e-9 {
			t.Errorf("%s: pair %v with IoU %v, want %v", want.GT, pairs[i], ious[i], w)
		}
	}
}
