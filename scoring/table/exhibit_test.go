package table

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call/calltest"
	"coverslip/scoring/report"
)

func TestPlateShowsWellsWithImagesAndFaults(t *testing.T) {
	well := "well,cell_type,dose,mean_nuc_over_cyto_ratio\nA01,MCF7,0,0.5\nA02,MCF7,0,0.6\na3,MCF7,10,1.5\nA04,MCF7,10,1.4\nA04,MCF7,10,1.3\nB01,A549,10,-2\nZ9,MCF7,0,0.5\nB02,MCF7,x,1\n"
	task := calltest.WriteTask(t, translocationTask, "- {id: per_well_summary, description: d, filename_pattern: '*per_well_summary*.csv', format: f, required: true, multi: false}\n"+
		"- {id: per_cell_features, description: d, filename_pattern: '*per_cell_features*.csv', format: f, required: false, multi: false}\n", "", map[string][]byte{
		"pred/per_well_summary.csv":                     []byte(well),
		"input/v1/Channel 1-01-A-01-00.Bmp":             []byte("BM"),
		"input/v1/Channel 2-01-A-01-00.Bmp":             []byte("BM"),
		"input/v1/Channel 1-96-H-12-00.Bmp":             []byte("BM"),
		"input/BBBC014_v1_platemap_dosekey.csv":         []byte("Row,Col,Dose,CellType\nA,1,0,MCF7\nA,2,5,MCF7\nB,1,10,MCF7\n"),
		"input/v1/contents_BBBC014_v1_images_names.txt": []byte("x"),
	})
	x := look(t, Translocation, TranslocationExhibit, task, -1)
	wells := map[string]report.Well{}
	for _, w := range x.Plate.Wells {
		wells[w.Name] = w
	}
	for name, want := range map[string]struct {
		verdict report.Kind
		value   float64
		images  int
	}{
		"A01": {"", 0.5, 2}, "A02": {report.ValueError, 0.6, 0}, "A03": {"", 1.5, 0}, "A04": {report.Duplicate, 1.4, 0},
		"B01": {report.OutOfRange, -2, 0}, "B02": {report.Unparsed, math.NaN(), 0}, "H12": {report.MissingValue, math.NaN(), 1},
	} {
		w, ok := wells[name]
		if !ok || w.Verdict != want.verdict || w.Value != want.value && !math.IsNaN(want.value) || len(w.Images) != want.images || (w.Verdict == "") != (w.Text == "") {
			t.Errorf("well %s: %+v, want %+v", name, w, want)
		}
	}
	if len(wells) != 7 || len(x.Notes) != 1 || !strings.Contains(x.Notes[0].Text, "Z9") {
		t.Errorf("%d wells, notes %v", len(wells), x.Notes)
	}
	if x.Plate.Wells[4].Row != 1 || x.Plate.Wells[4].Column != 0 {
		t.Errorf("the wells are in no order: %+v", x.Plate.Wells[4])
	}
}

func TestGolgiFindsImagesOfCells(t *testing.T) {
	task := calltest.WriteTask(t, golgiTask, "- {id: per_cell_coefficients, description: d, filename_pattern: '*colocalization_results*.csv', format: f, required: true, multi: false}\n",
		"comparisons: [{left: Control, right: Stage 1, expect_significant: false, alpha: 0.05}]", map[string][]byte{
			"pred/colocalization_results.csv": []byte("condition,spearman,file\nControl,0.5,24h_3_6.tif\nControl,2,24h_3_7\nControl,0.4,nowhere\nStage 1,0.6,Stage 1/24h_3_6\n"),
			"input/Control/24h_3_6.tif":       []byte("II"), "input/Stage 1/24h_3_6.tif": []byte("II"),
		})
	x := look(t, Golgi, GolgiExhibit, task, 0)
	g := x.Groups[0].Groups
	if len(g) != 2 || len(g[0].Values) != 2 || g[0].IDs[1] != 3 || g[0].Images[1] != "" {
		t.Fatalf("groups %+v", g)
	}
	for i, folder := range []string{"Control", "Stage 1"} {
		if want := filepath.Join(task.Dir, "input", folder, "24h_3_6.tif"); g[i].Images[0] != want {
			t.Errorf("image %s, want %s", g[i].Images[0], want)
		}
	}
	if tests := x.Groups[0].Tests; len(tests) != 1 || tests[0].Row != 0 || !tests[0].Met || math.IsNaN(tests[0].P) || tests[0].Expected {
		t.Errorf("tests %+v", x.Groups[0].Tests)
	}
}

type exhibitor func(context.Context, *biabench.Task, *biabench.Run, *report.Report, int) (*report.Exhibit, error)

// look scores the run of a task and looks at a row.
func look(t *testing.T, calculate calltest.Calculator, show exhibitor, task *biabench.Task, row int) *report.Exhibit {
	t.Helper()
	run := &biabench.Run{Dir: filepath.Join(task.Dir, "pred")}
	x, err := show(t.Context(), task, run, calltest.RunTask(t, calculate, task, run.Dir), row)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
