package scoring

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coverslip/scoring/report"
)

// judged is one image as the exported table has it: its counts row and its official marks.
type judged struct {
	compartment        string
	status             report.Status
	pred, truth, both  int
	marks              []Mark
	wrong              int // of the marks together
	cost               float64
	scores             map[string]float64 // recomputed
	hasWhole, hasCount bool
}

// checkLaws recomputes every score from the exported table alone and holds the report against it.
func checkLaws(t *testing.T, r *Report) {
	t.Helper()
	images := readTable(t, r)
	total := 0.0
	for i, img := range r.Images {
		j := &images[i]
		j.recompute()
		total += j.cost
		if want := j.pred + j.truth - 2*j.both; j.wrong != want || !j.hasCount {
			t.Errorf("image %d: wrong pixels add up to %d, want %d", i, j.wrong, want)
		}
		if j.status == report.Scored && j.hasWhole && r.Primary != "" && j.scores[r.Primary] != 0 {
			t.Errorf("image %d: a mark of the whole image beside a score of %v", i, j.scores[r.Primary])
		}
		for name, want := range j.scores {
			if got := scoresByName(img.Scores)[name]; math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: %s is %v, from the table %v", img.Name, name, got, want)
			}
		}
	}
	means := meansOf(images)
	checkRecord(t, r, means)
	switch decomposable := []string{"dice", "iou", "ap_at_0.5", "ap_at_0.75", "pq"}; {
	case slices.Contains(decomposable, r.Primary):
		mean := 0.0
		for _, m := range means {
			mean += m[r.Primary] / float64(len(means))
		}
		if math.Abs(total-(1-mean)) > 1e-9 {
			t.Errorf("costs add up to %v, want %v", total, 1-mean)
		}
		if math.Abs(r.Result.Value-mean) > 1.00001e-4 { // rounded once for a compartment and once for all
			t.Errorf("the result is %v, from the table %v", r.Result.Value, mean)
		}
	case r.Result.Reason != "":
		if len(r.Images) > 0 && !r.Result.None && math.Abs(total-1) > 1e-9 {
			t.Errorf("costs of a run without a judgement add up to %v, want 1", total)
		}
	}
}

// readTable exports the marks, reads every cell of them back, and gathers the official ones by image.
func readTable(t *testing.T, r *Report) []judged {
	t.Helper()
	var b bytes.Buffer
	if err := report.WriteMarks(&b, r); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 1+len(r.Marks)+len(r.Images) || !slices.Equal(rows[0], report.MarkColumns) {
		t.Fatalf("the table cannot be read back: %d rows, %v", len(rows), err)
	}
	images := make([]judged, len(r.Images))
	for i, row := range rows[1:] {
		cell := map[string]string{}
		for k, column := range rows[0] {
			cell[column] = row[k]
		}
		j := &images[number(t, cell["image_index"])]
		if Kind(cell["kind"]) == report.Counts {
			j.compartment, j.status, j.hasCount = cell["compartment"], report.Status(cell["status"]), true
			j.pred, j.truth, j.both = number(t, cell["pred_pixels"]), number(t, cell["truth_pixels"]), number(t, cell["both_pixels"])
			continue
		}
		m := markOf(t, cell)
		if want := r.Marks[i]; !reflect.DeepEqual(m, want) {
			t.Errorf("read back %+v, want %+v", m, want)
		}
		if !m.Diagnostic {
			j.marks = append(j.marks, m)
		}
	}
	return images
}

// markOf reads a row of the table.
func markOf(t *testing.T, cell map[string]string) Mark {
	t.Helper()
	n := func(column string) int { return number(t, cell[column]) }
	f := func(column string) float64 {
		v, err := strconv.ParseFloat(cell[column], 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	id := func(text string) int64 {
		v, err := strconv.ParseInt(cmp.Or(text, "0"), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	var others []report.ID
	for _, text := range strings.Fields(cell["others"]) {
		others = append(others, id(text))
	}
	return Mark{Kind: Kind(cell["kind"]), Image: n("image_index"), Pred: id(cell["pred_id"]), Truth: id(cell["truth_id"]), Others: others,
		T: n("t"), Z: f("z"), Y: f("y"), X: f("x"), Area: n("area"), IoU: f("iou"), Wrong: n("wrong_pixels"), Cost: f("cost"),
		Box:        report.Box{Z0: n("z0"), Y0: n("y0"), X0: n("x0"), Z1: n("z1"), Y1: n("y1"), X1: n("x1")},
		Diagnostic: cell["diagnostic"] == "true", Text: cell["text"], Key: cell["key"]}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// recompute derives the scores of an image from its rows by the definitions. One that was not compared scores 0.
func (j *judged) recompute() {
	n := map[Kind]float64{}
	sum := 0.0
	slices.SortFunc(j.marks, func(a, b Mark) int { return cmp.Compare(a.Pred, b.Pred) })
	for _, m := range j.marks {
		n[m.Kind]++
		j.cost += m.Cost
		if m.Kind != report.Whole || j.status != report.Scored {
			j.wrong += m.Wrong
		}
		if m.Kind == report.TP || m.Kind == report.Weak {
			sum += m.IoU
		}
	}
	j.hasWhole = n[report.Whole] > 0
	j.scores = map[string]float64{"dice": 0, "iou": 0, "ap_at_0.5": 0, "ap_at_0.75": 0, "pq": 0}
	if j.status != report.Scored {
		return
	}
	if all := float64(j.pred + j.truth); all > 0 {
		j.scores["dice"] = 2 * float64(j.both) / all
		j.scores["iou"] = float64(j.both) / (all - float64(j.both))
	}
	tp, strong, single := n[report.TP]+n[report.Weak], n[report.TP], n[report.FP]+n[report.FN]
	j.scores["ap_at_0.5"], j.scores["ap_at_0.75"] = 1, 1
	if tp+single > 0 {
		j.scores["ap_at_0.5"], j.scores["ap_at_0.75"] = tp/(tp+single), strong/(strong+single+2*n[report.Weak])
		j.scores["pq"] = sum / (tp + single/2)
	}
}

// meansOf averages each score over the images of each compartment.
func meansOf(images []judged) map[string]map[string]float64 {
	counts := map[string]float64{}
	for _, j := range images {
		counts[j.compartment]++
	}
	means := map[string]map[string]float64{}
	for _, j := range images {
		if means[j.compartment] == nil {
			means[j.compartment] = map[string]float64{}
		}
		for name, v := range j.scores {
			means[j.compartment][name] += v / counts[j.compartment]
		}
	}
	return means
}

// checkRecord holds the means of the record against those of the table.
func checkRecord(t *testing.T, r *Report, means map[string]map[string]float64) {
	t.Helper()
	for compartment, scores := range means {
		record := r.Metrics
		if compartment != "" {
			all, _ := r.Metrics.Get("compartments").(*Record)
			record, _ = all.Get(compartment).(*Record)
		}
		for name, want := range scores {
			if got, ok := record.Number(name); ok && math.Abs(got-want) > 0.5001e-4 {
				t.Errorf("%s %s is %v in the record, from the table %v", compartment, name, got, want)
			}
		}
	}
}
