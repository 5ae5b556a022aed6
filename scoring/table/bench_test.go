package table

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coverslip/datasets/biabench"
)

// Both benchmarks score a task from its files: resolve, read, pair, mark, and all notes. copy-ratio is the time over that
// of reading the same files and copying their bytes.

// BenchmarkPuncta has 5,000 nuclei a condition in three conditions, nine images each, and 15,000 fragments a condition.
func BenchmarkPuncta(b *testing.B) {
	r := random(1)
	var truth, pred []string
	for _, c := range constructs {
		for i := range 5000 {
			image := fmt.Sprintf("%s,%s/%s.sld - Position %d.tif_trimmed.tif", c, c, c, i%9)
			z, y, x := r.Float64()*40, r.Float64()*1072, r.Float64()*1072
			truth = append(truth, fmt.Sprintf("%s,%.3f,%.3f,%.3f,%d,1000,0.845", image, z, y, x, max(0, r.IntN(12)-6)))
			for range 3 {
				pred = append(pred, fmt.Sprintf("%s,%.3f,%.3f,%.3f,%d", image, z+r.Float64()*2, y+r.Float64()*30, x+r.Float64()*30, max(0, r.IntN(12)-6)))
			}
		}
	}
	benchmark(b, taskFolder(b, punctaTask, map[string]string{"evaluation/cell_quants.csv": csv(truthHeader, truth), "pred/cell_quants.csv": csv(quantsHeader, pred)}))
}

// BenchmarkMicroglia has 60 frames of 1,000 cells.
func BenchmarkMicroglia(b *testing.B) {
	r := random(2)
	truth := cellsOf(r, 60, 1000, 1200)
	benchmark(b, taskFolder(b, microgliaTask, map[string]string{"evaluation/Replicate1annotation.csv": csv(annotationHeader, truth),
		"pred/cell_labels.csv": csv(labelsHeader, jittered(r, truth))}))
}

// BenchmarkTranslocation has 96 wells of 300 cells.
func BenchmarkTranslocation(b *testing.B) {
	r := random(3)
	var wells, cells []string
	for i := range 96 {
		dose, kind := float64(i%12)*10, []string{"MCF7", "A549"}[i/48]
		wells = append(wells, fmt.Sprintf("%c%02d,%s,%g,%.4f", 'A'+i/12, i%12+1, kind, dose, 1+dose/100+r.Float64()*0.1))
		for range 300 {
			cells = append(cells, fmt.Sprintf("%c%02d,%s,%g,1,1,%.4f", 'A'+i/12, i%12+1, kind, dose, 1+dose/100+r.Float64()))
		}
	}
	benchmark(b, taskFolder(b, translocationTask, map[string]string{
		"pred/per_well_summary.csv":  csv("well,cell_type,dose,mean_nuc_over_cyto_ratio", wells),
		"pred/per_cell_features.csv": csv("well,cell_type,dose,nuc_intensity,cyto_intensity,nuc_over_cyto_ratio", cells)}))
}

// jittered is an answer with small shifts, misses, extras and confused labels.
func jittered(r *rand.Rand, truth []string) (pred []string) {
	for _, row := range truth {
		c := strings.Split(row, ",")
		var y, x float64
		fmt.Sscan(c[2], &y)
		fmt.Sscan(c[3], &x)
		label := c[4]
		if r.IntN(5) == 0 {
			label = classNames[r.IntN(nClasses)]
		}
		if r.IntN(10) > 0 {
			pred = append(pred, fmt.Sprintf("%s,%.2f,%.2f,%s", c[1], y+r.Float64()*8-4, x+r.Float64()*8-4, label))
		}
		if r.IntN(10) == 0 {
			pred = append(pred, fmt.Sprintf("%s,%.2f,%.2f,%s", c[1], r.Float64()*1200, r.Float64()*1200, label))
		}
	}
	return pred
}

func benchmark(b *testing.B, dir string) {
	task, err := biabench.OpenTask(dir, "")
	if err != nil {
		b.Fatal(err)
	}
	pred := filepath.Join(dir, "pred")
	copied := copyTime(b, dir)
	b.ReportAllocs()
	for b.Loop() {
		if r := judgeTask(b, task, pred); r.Result.None || r.Result.Reason != "" || len(r.Marks) == 0 {
			b.Fatalf("%+v", r.Result)
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(copied), "copy-ratio")
}

func copyTime(b *testing.B, dir string) time.Duration {
	best := time.Hour
	for range 5 {
		start := time.Now()
		for _, sub := range []string{"evaluation", "pred"} {
			files, err := biabench.ListFiles(filepath.Join(dir, sub))
			if err != nil {
				b.Fatal(err)
			}
			for _, f := range files {
				text, err := os.ReadFile(f)
				if err != nil {
					b.Fatal(err)
				}
				copy(make([]byte, len(text)), text)
			}
		}
		best = min(best, time.Since(start))
	}
	return best
}
