package table

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The ids of the tasks, short.
const (
	punctaTask        = "3d-confocal-puncta-quantification-sbiad1556"
	fociTask          = "fluo-dna-repair-foci-colocalization-sbsst227"
	golgiTask         = "fluo-coronavirus-golgi-colocalization"
	translocationTask = "cytoplasm-nucleus-translocation-bbbc014"
	microgliaTask     = "microglia-phenotype-progression-bbbc054"
)

// taskFolder writes a task like those of the vectors with its truth and an answer: files by path below the folder.
func taskFolder(t testing.TB, id string, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	models, _ := filepath.Glob(filepath.Join("testdata", id, "*", "task_spec.yaml"))
	if len(models) == 0 {
		t.Fatal("no model of " + id)
	}
	for _, name := range []string{"task_spec.yaml", "evaluation_rubric.yaml"} {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(models[0]), name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), string(text))
	}
	for _, sub := range []string{"evaluation", "pred"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 17)) }

// csv joins a header and rows.
func csv(header string, rows []string) string { return header + "\n" + strings.Join(rows, "\n") + "\n" }

const (
	quantsHeader = "condition,Image name,z,y,x,number of GFP puncta"
	truthHeader  = quantsHeader + ",ROI volume pix,ROI volume um"
)

var constructs = []string{"08172023_ZR_WT", "08172023_ZR_3DBDmut", "08172023_ZRC129A_H144A_fix"}

// nucleiOf draws nuclei on a coarse lattice, so that none is near another: n of each condition in so many images.
func nucleiOf(r *rand.Rand, n, images int) (truth []string) {
	for _, c := range constructs {
		for i := range n {
			image, at := i%images, i/images
			count := 0
			if r.IntN(100) < 60 {
				count = r.IntN(9)
			}
			truth = append(truth, fmt.Sprintf("%s,%s/%s.sld - Position %d.tif_trimmed.tif,%.3f,%.3f,%.3f,%d,1000,0.845", c, c, c, image,
				r.Float64()*4+float64(at%7)*130, r.Float64()*4+float64(at/7%30)*130, r.Float64()*4+float64(at/210)*130, count))
		}
	}
	return truth
}

// cellsOf draws an annotation: index, frame, row, column, label.
func cellsOf(r *rand.Rand, frames, perFrame int, spread float64) []string {
	var rows []string
	for f := range frames {
		for range perFrame {
			rows = append(rows, fmt.Sprintf("%d,%d,%.2f,%.2f,%s", len(rows), f, r.Float64()*spread, r.Float64()*spread, classNames[weighted(r, f, frames)]))
		}
	}
	return rows
}

// weighted draws a class whose share changes with the frame.
func weighted(r *rand.Rand, frame, frames int) int {
	p := float64(frame) / float64(max(1, frames-1))
	switch v := r.Float64(); {
	case v < 0.2+0.5*p:
		return 0
	case v < 0.5+0.3*p:
		return 1
	}
	return 2
}

const (
	annotationHeader = "index,axis-0,axis-1,axis-2,label"
	labelsHeader     = "frame,y,x,predicted_phenotype"
)
