package scoring

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call/calltest"
	"coverslip/scoring/report"
)

// laws say how the marks of each task account for what the score lacks, with the rubric that the task comes with: their
// costs add up to it, or each costs what the score would gain if it alone were put right.
var laws = map[string]struct {
	gains bool
	steps int // how often the reference rounds on the way to the result
}{
	"he-nuinsseg-nuclear-segmentation":               {steps: 1},
	"3d-fluo-cell-segmentation-lateral-line-idr0079": {steps: 1},
	"fluo-helacytonuc-cell-segmentation":             {steps: 2},
	"fluo-cell-counting-2d-cellfmcount":              {steps: 1},
	"phase-contrast-bacteria-tracking-toiam":         {steps: 1},
	"sim-microtubules-segmentation":                  {steps: 1},
	"3d-light-sheet-brain-vessels":                   {steps: 1},
	"smlm-localization-dnapaint":                     {steps: 1},
	"5D-npc-assembly-kinetics-idr0115":               {steps: 1},
	"confocal-mosaic-4channel-stitching-ctc-model":   {steps: 1},
	"wound-healing-speed-kymograph-gigadb100118":     {steps: 1},
	"3d-confocal-puncta-quantification-sbiad1556":    {steps: 1},
	"fluo-dna-repair-foci-colocalization-sbsst227":   {steps: 1},
	"fluo-coronavirus-golgi-colocalization":          {steps: 1},
	"cytoplasm-nucleus-translocation-bbbc014":        {steps: 2},
	"microglia-phenotype-progression-bbbc054":        {gains: true},
}

// recorded lists the recorded cases of a task, its own package's and the shared ones.
func recorded(t *testing.T, id string) (dirs []string) {
	t.Helper()
	patterns := []string{filepath.Join("testdata", id, "*", "expected.json"), filepath.Join("*", "testdata", id, "*", "expected.json")}
	if shared := calltest.Shared(); shared != "" {
		patterns = append(patterns, filepath.Join(shared, "golden", id, "*", "expected.json"))
	}
	for _, p := range patterns {
		files, err := filepath.Glob(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			dirs = append(dirs, filepath.Dir(f))
		}
	}
	if len(dirs) == 0 {
		t.Fatal("no cases of " + id)
	}
	return dirs
}

func scoreCase(t *testing.T, dir string) *Report {
	t.Helper()
	task, err := biabench.OpenTask(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Score(t.Context(), task, &biabench.Run{Dir: filepath.Join(dir, "pred")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The result of every task is 1 less the costs in the exported table, but for the reference's rounding, or its report says
// that costs are gains. That gains are what they say is shown by the calculators' own tests, which put marks right in the
// input; that sums hold to nine digits likewise, where the result before it is rounded is at hand.
func TestLedgerOfEveryTask(t *testing.T) {
	for id := range calculators {
		law, known := laws[id]
		if !known {
			t.Errorf("%s: no law", id)
			continue
		}
		charged := 0
		for _, dir := range recorded(t, id) {
			r := scoreCase(t, dir)
			if r.Result.None || len(r.Marks) == 0 {
				continue
			}
			total := exportedCost(t, r)
			if total > 0 {
				charged++
			}
			switch judged := r.Result.Reason == ""; {
			case judged && r.Gains != law.gains:
				t.Errorf("%s: gains is %v", dir, r.Gains)
			case !r.Gains && math.Abs(1-total-r.Result.Value) > 0.50001e-4*float64(law.steps):
				t.Errorf("%s: %v from the exported marks, the result is %v", dir, 1-total, r.Result.Value)
			}
		}
		if charged == 0 {
			t.Errorf("%s: no mark costs anything", id)
		}
	}
}

// The same with other rubrics than the tasks come with: other metrics, weights that do not add up to 1, other limits.
func TestLedgerWithOtherRubrics(t *testing.T) {
	weights := func(localisation, intensity float64, more ...any) map[string]any {
		m := map[string]any{"localization_weight": localisation, "intensity_weight": intensity}
		for i := 0; i < len(more); i += 2 {
			m[more[i].(string)] = more[i+1]
		}
		return m
	}
	for id, settings := range map[string][]map[string]any{
		"smlm-localization-dnapaint": {{"primary_metric": "precision"}, {"primary_metric": "recall"}, {"primary_metric": "f1"}, {"primary_metric": "jaccard"},
			{"distance_threshold_px": 0.3}, {"composite_score": weights(0.5, 0.2)}, {"composite_score": weights(0.9, 0.6, "final_range", []any{0.1, 0.8})},
			{"composite_score": weights(0.4, 0.6, "intensity_normalization", "symmetric", "localization_metric", "recall")}},
		"5D-npc-assembly-kinetics-idr0115": {{"primary_metric": "pearson_volume_nucleus"}, {"primary_metric": "mae_normalized_total_noncore"},
			{"anaphase_tolerance_frames": 2}, {"anaphase_tolerance_frames": 500}},
		"confocal-mosaic-4channel-stitching-ctc-model": {{"stitching_quality_weight": 0.9}, {"pixel_tolerance": 1}},
		"wound-healing-speed-kymograph-gigadb100118":   {{"kymograph_accuracy_weight": 0.9}, {"velocity_direction_weight": 0}},
		"fluo-coronavirus-golgi-colocalization":        {{"significance_weight": 0.4, "direction_weight": 0.2}},
		"cytoplasm-nucleus-translocation-bbbc014":      {{"replicate_cv_tolerance": 0.9}},
		"phase-contrast-bacteria-tracking-toiam":       {{"iou_threshold": 0.9}, {"iou_threshold": 0.1}},
		"fluo-cell-counting-2d-cellfmcount":            {{"distance_threshold_px": 1}},
		"3d-confocal-puncta-quantification-sbiad1556":  {{"matching_distance_px": 3}},
		"he-nuinsseg-nuclear-segmentation":             {{"primary_metric": "iou"}, {"primary_metric": "ap_at_0.5"}, {"primary_metric": "ap_at_0.75"}, {"primary_metric": "pq"}, {"iou_threshold": 0.8}},
		"sim-microtubules-segmentation":                {{"primary_metric": "iou"}, {"primary_metric": "precision"}, {"primary_metric": "recall"}},
		"3d-light-sheet-brain-vessels":                 {{"primary_metric": "iou"}, {"primary_metric": "precision"}, {"primary_metric": "recall"}},
	} {
		for _, setting := range settings {
			for _, dir := range recorded(t, id) {
				task, err := biabench.OpenTask(dir, "")
				if err != nil {
					t.Fatal(err)
				}
				if task.Rubric.Metric == nil {
					continue
				}
				maps.Copy(task.Rubric.Metric, setting)
				r, err := Score(t.Context(), task, &biabench.Run{Dir: filepath.Join(dir, "pred")}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if r.Result.None || len(r.Marks) == 0 {
					continue
				}
				if total := exportedCost(t, r); r.Gains || math.Abs(1-total-r.Result.Value) > 0.50001e-4*float64(laws[id].steps) {
					t.Errorf("%s with %v: %v from the exported marks, the result is %v", dir, setting, 1-total, r.Result.Value)
				}
			}
		}
	}
}

// exportedCost adds up the official costs of the exported table.
func exportedCost(t *testing.T, r *Report) (total float64) {
	t.Helper()
	var b bytes.Buffer
	if err := report.WriteMarks(&b, r); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	cost, diagnostic := slices.Index(rows[0], "cost"), slices.Index(rows[0], "diagnostic")
	for _, row := range rows[1 : 1+len(r.Marks)] {
		if row[diagnostic] == "true" {
			continue
		}
		c, err := strconv.ParseFloat(row[cost], 64)
		if err != nil {
			t.Fatal(err)
		}
		total += c
	}
	return total
}

// Every task's report is the same to the last bit on 1, 2 and 8 processors.
func TestEveryTaskOnAnyNumberOfProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for id := range calculators {
		dirs := recorded(t, id)
		for _, dir := range dirs[max(0, len(dirs)-2):] {
			var first string
			for _, n := range []int{1, 2, 8} {
				runtime.GOMAXPROCS(n)
				r := scoreCase(t, dir)
				metrics, err := json.Marshal(r.Metrics)
				if err != nil {
					t.Fatal(err)
				}
				r.Metrics = nil
				text := fmt.Sprintf("%s %+v", metrics, *r)
				if first == "" {
					first = text
				} else if text != first {
					t.Errorf("%s: another report with %d processors", dir, n)
				}
			}
		}
	}
}

// What boundary_f1 gains from putting an object right holds for the score of several images, too, of which one has no answer.
func TestBoundaryGainsOfSeveralImages(t *testing.T) {
	truth, pred := files{}, files{}
	for i := range 3 {
		a, b := discs([]int{70 + i, 80}, 4+i)
		truth[fmt.Sprintf("s_%d.tif", i)], pred[fmt.Sprintf("s_%d.tif", i)] = b, a
	}
	_, truth["s_9.tif"] = discs([]int{50, 50}, 3)
	score := func(pred files) (*Report, float64) {
		dir := taskFolder(t, nuclei, "2D", truth, pred)
		write(t, filepath.Join(dir, "evaluation_rubric.yaml"), "metric_config: {primary_metric: boundary_f1}\n")
		r := scoreFolder(t, dir, filepath.Join(dir, "pred"))
		sum, n := 0.0, 0.0
		for _, img := range r.Images {
			if f := img.Scores.BoundaryF1; f == f {
				sum, n = sum+f, n+1
			}
		}
		return r, sum / n
	}
	r, base := score(pred)
	if !r.Gains || r.Primary != "boundary_f1" {
		t.Fatalf("%s: gains %v", r.Primary, r.Gains)
	}
	for _, m := range r.Marks {
		if m.Diagnostic {
			continue
		}
		name := r.Images[m.Image].Name + ".tif"
		fixed := maps.Clone(pred)
		if fixed[name] = truth[name]; m.Kind != report.Whole {
			v := slices.Clone(pred[name].Values.([]uint16))
			for i, id := range truth[name].Values.([]uint16) {
				if m.Pred != 0 && int64(v[i]) == m.Pred {
					v[i] = 0
				}
				if m.Truth != 0 && int64(id) == m.Truth {
					v[i] = 999
				}
			}
			a := pred[name]
			a.Values = v
			fixed[name] = a
		}
		if _, after := score(fixed); math.Abs(after-base-m.Cost) > 1e-12 {
			t.Errorf("%s, %s: cost %v, gain %v", name, m.Text, m.Cost, after-base)
		}
	}
}
