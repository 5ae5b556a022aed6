package scoring

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"coverslip/scoring/report"
)

func TestPlotsOfAllTasks(t *testing.T) {
	seen := map[string]bool{}
	cases := exhibitCases(t)
	for _, v := range vectors(t) {
		if slices.Contains(instanceTasks, filepath.Base(filepath.Dir(v.task))) {
			cases = append(cases, v)
		}
	}
	for _, c := range cases {
		rep := scoreFolder(t, c.task, c.pred)
		x := Plots(rep)
		checkForm(t, -1, x)
		for _, g := range x.Groups {
			if len(g.Groups) > 0 {
				seen[rep.TaskID] = true
			}
			for _, one := range g.Groups {
				checkRows(t, rep, one.Rows, len(one.Values))
			}
			if g.Name == "rows" {
				checkScores(t, rep, g)
			}
		}
		for _, g := range x.Graphs {
			for _, one := range g.Curves {
				checkRows(t, rep, one.Rows, len(one.X))
			}
			if g.Name == "average precision" {
				checkPrecision(t, c.name, rep, g)
			}
		}
	}
	for id := range exhibitors {
		if !seen[id] {
			t.Errorf("%s has no plot", id)
		}
	}
}

func checkRows(t *testing.T, rep *Report, rows []int, n int) {
	t.Helper()
	if rows != nil && len(rows) != n || slices.ContainsFunc(rows, func(r int) bool { return r < 0 || r >= len(rep.Images) }) {
		t.Errorf("rows %v of %d values in a report of %d", rows, n, len(rep.Images))
	}
}

func checkScores(t *testing.T, rep *Report, g report.Groups) {
	t.Helper()
	for _, one := range g.Groups {
		for i, row := range one.Rows {
			if v := one.Values[i]; v != rep.Images[row].Value || i > 0 && v < one.Values[i-1] {
				t.Errorf("value %v of row %d, which has %v", v, row, rep.Images[row].Value)
			}
		}
	}
}

// checkPrecision holds the curve against the reports' own figures at 0.5 and 0.75.
func checkPrecision(t *testing.T, name string, rep *Report, g report.Graph) {
	t.Helper()
	for _, c := range g.Curves {
		sum50, sum75, n := 0.0, 0.0, 0.0
		for _, m := range rep.Images {
			if (m.Compartment == c.Name || m.Compartment == "" && c.Name == "all") && !math.IsNaN(m.Scores.AP50) {
				sum50, sum75, n = sum50+m.Scores.AP50, sum75+m.Scores.AP75, n+1
			}
		}
		if math.Abs(c.Y[0]-sum50/n) > 1e-9 || math.Abs(c.Y[25]-sum75/n) > 1e-9 {
			t.Errorf("%s: %v at 0.5 and %v at 0.75, the report has %v and %v", name, c.Y[0], c.Y[25], sum50/n, sum75/n)
		}
		for i := 1; i < len(c.Y); i++ {
			if c.Y[i] > c.Y[i-1] {
				t.Errorf("%s: the precision rises with the threshold", name)
			}
		}
	}
}
