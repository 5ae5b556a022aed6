package signal

import (
	"encoding/json"
	"math"
	"testing"

	"coverslip/scoring/report"
)

func TestKineticsGolden(t *testing.T) { golden(t, npcTask, compareKinetics) }

// compareKinetics holds the pairing of cells and of points against the reference's.
func compareKinetics(t *testing.T, v vector, r *report.Report) {
	var want struct {
		Cells []struct {
			Ref   string       `json:"ref_cell"`
			To    *string      `json:"matched_to"`
			Error *float64     `json:"onset_abs_error"`
			Pairs [][4]float64 `json:"innercore_pairs"`
			Left  int          `json:"innercore_unpaired_ref"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(v.want.Objects, &want); err != nil {
		t.Fatal(err)
	}
	if len(want.Cells) != len(r.Images) {
		t.Fatalf("%d rows, want %d", len(r.Images), len(want.Cells))
	}
	for i, w := range want.Cells {
		img := r.Images[i]
		if img.Name != w.Ref || (w.To == nil) != (img.Status == report.MissingAnswer) {
			t.Errorf("row %d: %s %s, want %s matched to %v", i, img.Name, img.Status, w.Ref, w.To)
		}
		if w.To == nil {
			continue
		}
		truth, answer := tableOf(t, img.Truth, func(c cellTable) bool { return c.sheet == w.Ref }), tableOf(t, img.Pred, func(c cellTable) bool { return c.key == *w.To })
		got := partnersOf(truth.series[innerCore], answer.series[innerCore])
		if w.Pairs == nil {
			continue
		}
		if len(got) != len(w.Pairs) || len(truth.series[innerCore])-len(got) != w.Left {
			t.Errorf("%s: %d pairs, want %d", w.Ref, len(got), len(w.Pairs))
			continue
		}
		for k, p := range w.Pairs {
			for j, g := range [4]float64{got[k][0].time, got[k][0].value, got[k][1].time, got[k][1].value} {
				if math.Abs(g-p[j]) > 1e-6 {
					t.Errorf("%s: pair %d is %v, want %v", w.Ref, k, got[k], p)
					break
				}
			}
		}
	}
}

// tableOf finds a table in a file.
func tableOf(t *testing.T, file string, is func(cellTable) bool) cellTable {
	t.Helper()
	tables, _, err := readBook(file)
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := readCSV(file); ok {
		tables = append(tables, c)
	}
	for _, c := range tables {
		c.key = sheetKey(c.sheet, stemOf(file))
		if is(c) {
			return c
		}
	}
	t.Fatalf("%s has no such table", file)
	return cellTable{}
}

func TestKeys(t *testing.T) {
	for _, c := range []struct{ text, cell, date string }{
		{"160701-Nup107-cell-1-t6", "cell1", "160701"}, {"Cell 007", "cell7", ""}, {"cell1234", "", ""}, {"cell  1", "", ""},
		{"xcell_12b", "cell12", ""}, {"cellcell3", "cell3", ""}, {"cell1234 cell5", "cell5", ""}, {"1607011", "", "160701"}, {"cell000", "cell0", ""},
		{"12345 678901", "", "678901"}, {"cell\u00a04", "cell4", ""}, {"cell\u0663", "cell3", ""},
	} {
		if got := cellID(c.text); got != c.cell {
			t.Errorf("cell of %q: %q, want %q", c.text, got, c.cell)
		}
		if got := dateIn(c.text); got != c.date {
			t.Errorf("date of %q: %q, want %q", c.text, got, c.date)
		}
	}
}
