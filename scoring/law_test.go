package scoring

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"testing"

	"coverslip/scoring/report"
)

// checkLaws recomputes every score from the exported table of marks and the images' foreground counts alone.
func checkLaws(t *testing.T, r *Report) {
	t.Helper()
	table := exportedMarks(t, r)
	total := 0.0
	for i, img := range r.Images {
		rows := table[img.Compartment+"/"+img.Name]
		wrong := 0
		for _, m := range rows {
			if m.Kind != report.Whole || img.Status != report.Scored {
				wrong += m.Wrong
			}
			total += m.Cost
			if m.Kind == report.Whole && img.Status == report.Scored && r.Primary != "" && scoresByName(img.Scores)[r.Primary] != 0 {
				t.Errorf("image %d: a mark of the whole image beside a score of %v", i, scoresByName(img.Scores)[r.Primary])
			}
		}
		if want := img.PredPixels + img.TruthPixels - 2*img.Both; wrong != want {
			t.Errorf("image %d: wrong pixels add up to %d, want %d", i, wrong, want)
		}
		if img.Status == report.Scored {
			checkRecomputed(t, img, rows, wrong)
		}
	}
	switch r.Primary {
	case "dice", "iou", "ap_at_0.5", "ap_at_0.75", "pq":
		if want := 1 - unrounded(r); math.Abs(total-want) > 1e-9 {
			t.Errorf("costs add up to %v, want %v", total, want)
		}
	case "":
		if len(r.Images) > 0 && !r.Result.None && math.Abs(total-1) > 1e-9 {
			t.Errorf("costs of a run without a judgement add up to %v, want 1", total)
		}
	}
}

// exportedMarks writes the marks as CSV and reads the official ones back, by image.
func exportedMarks(t *testing.T, r *Report) map[string][]Mark {
	t.Helper()
	var b bytes.Buffer
	if err := report.WriteMarks(&b, r); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || !slices.Equal(rows[0], report.MarkColumns) || len(rows)-1 != len(r.Marks) {
		t.Fatalf("the table cannot be read back: %v", err)
	}
	table := map[string][]Mark{}
	for _, row := range rows[1:] {
		if row[11] == "true" {
			continue
		}
		pred, _ := strconv.ParseInt(row[3], 10, 64)
		iou, err1 := strconv.ParseFloat(row[8], 64)
		wrong, err2 := strconv.Atoi(row[9])
		cost, err3 := strconv.ParseFloat(row[10], 64)
		if err := cmp.Or(err1, err2, err3); err != nil {
			t.Fatal(err)
		}
		key := row[2] + "/" + row[1]
		table[key] = append(table[key], Mark{Kind: Kind(row[0]), Pred: pred, IoU: iou, Wrong: wrong, Cost: cost})
	}
	return table
}

// checkRecomputed derives one image's scores from its marks by the definitions.
func checkRecomputed(t *testing.T, img Image, marks []Mark, wrong int) {
	t.Helper()
	n := map[Kind]float64{}
	sum := 0.0
	slices.SortFunc(marks, func(a, b Mark) int { return cmp.Compare(a.Pred, b.Pred) })
	for _, m := range marks {
		n[m.Kind]++
		if m.Kind == report.TP || m.Kind == report.Weak {
			sum += m.IoU
		}
	}
	tp, strong, single := n[report.TP]+n[report.Weak], n[report.TP], n[report.FP]+n[report.FN]
	dice, iou, ap50, ap75, pq := 0.0, 0.0, 1.0, 1.0, 0.0
	if all := float64(img.PredPixels + img.TruthPixels); all > 0 {
		dice = 1 - float64(wrong)/all
		iou = 1 - float64(wrong)/((all+float64(wrong))/2)
	}
	if tp+single > 0 {
		ap50, ap75 = tp/(tp+single), strong/(strong+single+2*n[report.Weak])
		pq = sum / (tp + single/2)
	}
	for name, want := range map[string]float64{"dice": dice, "iou": iou, "ap_at_0.5": ap50, "ap_at_0.75": ap75, "pq": pq} {
		if got := scoresByName(img.Scores)[name]; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %s is %v, from the marks %v", img.Name, name, got, want)
		}
	}
}

// unrounded is the mean of the primary metric over the rows of each compartment, then over compartments.
func unrounded(r *Report) float64 {
	sums, counts := map[string]float64{}, map[string]float64{}
	for _, img := range r.Images {
		sums[img.Compartment] += scoresByName(img.Scores)[r.Primary]
		counts[img.Compartment]++
	}
	total := 0.0
	for c, s := range sums {
		total += s / counts[c]
	}
	return total / float64(len(sums))
}
