package scoring

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/datasets/demo"
)

// demoScores are the scores of the demo's agents, best first, in the order of its layout. A tie is meant: the counting
// task compares numbers alone, so an answer with X and Y exchanged scores as the right one does.
var demoScores = map[string][3]float64{
	"he-nuinsseg-nuclear-segmentation":               {0.90, 0.89, 0.56},
	"3d-fluo-cell-segmentation-lateral-line-idr0079": {0.95, 0.95, 0.56},
	"phase-contrast-bacteria-tracking-toiam":         {0.92, 0.62, 0.00},
	"fluo-cell-counting-2d-cellfmcount":              {1.00, 1.00, 0.84},
	"smlm-localization-dnapaint":                     {0.93, 0.43, 0.33},
	"cytoplasm-nucleus-translocation-bbbc014":        {1.00, 0.81, 0.00},
	"microglia-phenotype-progression-bbbc054":        {0.96, 0.81, 0.65},
	"wound-healing-speed-kymograph-gigadb100118":     {0.96, 0.32, 0.17},
	"5D-npc-assembly-kinetics-idr0115":               {0.97, 0.56, 0.30},
	"confocal-mosaic-4channel-stitching-ctc-model":   {0.99, 0.56, 0.29},
	"sim-microtubules-segmentation":                  {0.89, 0.52, 0.00},
	"3d-light-sheet-brain-vessels":                   {0.90, 0.65, 0.06},
	"3d-confocal-puncta-quantification-sbiad1556":    {0.87, 0.30, 0.00},
	"fluo-dna-repair-foci-colocalization-sbsst227":   {0.83, 0.42, 0.00},
	"fluo-coronavirus-golgi-colocalization":          {1.00, 0.38, 0.00},
	"fluo-helacytonuc-cell-segmentation":             {0.96, 0.74, 0.26},
}

// TestDemoScores: each agent of the demo has the score that its faults are meant to cost.
func TestDemoScores(t *testing.T) {
	if testing.Short() {
		t.Skip("writes the whole demo")
	}
	ctx := context.Background()
	layout, err := demo.Write(ctx, filepath.Join(t.TempDir(), "demo"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range layout.Tasks {
		task, id := open(t, dir), filepath.Base(dir)
		last := 1.0
		for k, path := range layout.Runs[dir] {
			run, err := biabench.OpenRun(ctx, path)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Score(ctx, task, run, nil)
			run.Close()
			if err != nil || r.Result.None {
				t.Errorf("%s, %s: no score, %v", id, filepath.Base(path), err)
				continue
			}
			got, want := r.Result.Value, demoScores[id][k]
			t.Logf("%-50s %-14s %.4f", id, filepath.Base(path), got)
			if math.Abs(got-want) > 0.0051 {
				t.Errorf("%s, %s: score %.4f, want %.2f", id, filepath.Base(path), got, want)
			}
			if got > last {
				t.Errorf("%s: %s is better than the agent before it", id, filepath.Base(path))
			}
			last = got
		}
		if last > 0.57 && id != microgliaTask && id != countingTask {
			t.Errorf("%s: the worst agent still scores %.2f", id, last)
		}
	}
}

const (
	microgliaTask = "microglia-phenotype-progression-bbbc054"
	countingTask  = "fluo-cell-counting-2d-cellfmcount"
)
