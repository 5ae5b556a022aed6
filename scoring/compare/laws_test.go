package compare_test

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/scoring"
	"coverslip/scoring/call/calltest"
	"coverslip/scoring/compare"
	"coverslip/scoring/report"
)

// tasks lists the recorded cases by task id: those that the repository carries and the shared ones.
func tasks(t *testing.T) map[string][]string {
	t.Helper()
	patterns := []string{filepath.Join("..", "testdata", "*", "*", "expected.json"), filepath.Join("..", "*", "testdata", "*", "*", "expected.json")}
	if shared := calltest.Shared(); shared != "" {
		patterns = append(patterns, filepath.Join(shared, "golden", "*", "*", "expected.json"))
	} else {
		t.Log("the shared cases are absent: only testdata is checked")
	}
	cases := map[string][]string{}
	seen := map[string]bool{}
	for _, p := range patterns {
		files, err := filepath.Glob(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			dir := filepath.Dir(f)
			id := filepath.Base(filepath.Dir(dir))
			name := id + "/" + filepath.Base(dir)
			if _, err := os.Stat(filepath.Join(dir, biabench.SpecFile)); err == nil && !seen[name] && id[0] != '_' {
				seen[name] = true
				cases[id] = append(cases[id], dir)
			}
		}
	}
	if len(cases) != 16 {
		t.Fatalf("cases of %d tasks", len(cases))
	}
	return cases
}

// runsOf scores the answers of all cases of a task against the truth of one of them, and an empty folder.
func runsOf(t *testing.T, truth string, cases []string) (runs []*report.Report) {
	t.Helper()
	task, err := biabench.OpenTask(truth, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range append(slices.Clone(cases), "") {
		pred := filepath.Join(dir, "pred")
		if dir == "" {
			pred = t.TempDir()
		}
		r, err := scoring.Score(t.Context(), task, &biabench.Run{Dir: pred}, nil)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, r)
	}
	return runs
}

// Any two runs of any task are compared under the laws.
func TestLawsOfEveryTask(t *testing.T) {
	seen := map[compare.Class]int{}
	for id, cases := range tasks(t) {
		t.Run(id, func(t *testing.T) {
			runs := runsOf(t, cases[len(cases)-1], cases)
			if k := slices.IndexFunc(cases, func(dir string) bool { return filepath.Base(dir) == "typical" }); k >= 0 {
				runs = runsOf(t, cases[k], cases)
			}
			for _, a := range runs {
				for _, b := range runs {
					checkLaws(t, a, b, seen)
				}
			}
			checkHard(t, runs)
		})
	}
	for _, class := range compare.Classes {
		if seen[class] == 0 {
			t.Errorf("nothing is %s in any pair of runs", class)
		}
	}
}

func loss(r *report.Report) (sum float64) {
	for _, m := range r.Marks {
		if !m.Diagnostic {
			sum += m.Cost
		}
	}
	return sum
}

func checkLaws(t *testing.T, a, b *report.Report, seen map[compare.Class]int) {
	t.Helper()
	c, back := compare.Compare(a, b), compare.Compare(b, a)
	if want := loss(a) - loss(b); math.Abs(c.Gain-want) > 1e-9 {
		t.Errorf("gains add up to %v, the losses differ by %v", c.Gain, want)
	}
	judged := a.Primary != "" && b.Primary != "" && len(a.Marks) > 0 && len(b.Marks) > 0
	if c.Adds && judged && math.Abs(c.Gain-c.Difference) > 4.0001e-4 {
		t.Errorf("gains add up to %v, the results differ by %v", c.Gain, c.Difference)
	}
	if math.Abs(c.Gain+back.Gain) > 1e-9 || len(c.Changes) != len(back.Changes) {
		t.Errorf("the other way round: gain %v and %v, %d and %d changes", c.Gain, back.Gain, len(c.Changes), len(back.Changes))
	}
	rows, frames := 0.0, 0
	for _, r := range c.Rows {
		rows += r.Gain
	}
	for _, x := range c.Changes {
		seen[x.Class]++
		if x.Aspect == compare.Run {
			rows += x.Gain
		}
		frames = max(frames, x.Frame)
	}
	if math.Abs(rows-c.Gain) > 1e-9 {
		t.Errorf("rows add up to %v, want %v", rows, c.Gain)
	}
	mirror := map[compare.Class]compare.Class{compare.Gained: compare.Lost, compare.Improved: compare.Worsened, compare.Dropped: compare.Added,
		compare.Unchanged: compare.Unchanged, compare.Kept: compare.Kept}
	for aspect := compare.Object; aspect <= compare.Run; aspect++ {
		for class, other := range mirror {
			if n, m := c.Count(aspect, class), back.Count(aspect, other); n != m {
				t.Errorf("%d of aspect %s %s, the other way round %d %s", n, aspect, class, m, other)
			}
		}
	}
	checkOnce(t, a, b, &c)
	checkObjects(t, a, b, &c)
	if a == b {
		for _, x := range c.Changes {
			if x.Class != compare.Unchanged && x.Class != compare.Kept && !unplaced(a, x) || x.Gain != 0 && !unplaced(a, x) {
				t.Errorf("a run differs from itself: %+v", x)
			}
		}
	}
}

// unplaced tells a change of a mark that has no place of its own.
func unplaced(r *report.Report, c compare.Change) bool {
	m := r.Marks[max(c.A.Mark, c.B.Mark)]
	return m.Box.X1 <= m.Box.X0 || m.Area > (m.Box.Z1-m.Box.Z0)*(m.Box.Y1-m.Box.Y0)*(m.Box.X1-m.Box.X0)
}

// checkOnce holds that every official mark of both runs is in one change.
func checkOnce(t *testing.T, a, b *report.Report, c *compare.Comparison) {
	t.Helper()
	in := [2][]int{make([]int, len(a.Marks)), make([]int, len(b.Marks))}
	for _, x := range c.Changes {
		for k, s := range []compare.Side{x.A, x.B} {
			if s.Mark >= 0 {
				in[k][s.Mark]++
			}
		}
	}
	for k, r := range []*report.Report{a, b} {
		for i, n := range in[k] {
			if n > 1 || n == 0 && !r.Marks[i].Diagnostic {
				t.Errorf("a mark is in %d changes: %+v", n, r.Marks[i])
			}
		}
	}
}

// checkObjects counts the objects that both runs judge anew, from the verdicts on the truth's ids.
func checkObjects(t *testing.T, a, b *report.Report, c *compare.Comparison) {
	t.Helper()
	type object struct {
		row, name string
		frame     int
		id        report.ID
	}
	found := func(r *report.Report) map[object]bool {
		list := map[object]bool{}
		for _, m := range r.Marks {
			im := r.ImageOf(m)
			o := object{im.Compartment, im.Name, m.T, m.Truth}
			switch m.Kind {
			case report.TP, report.Weak, report.CountError, report.WrongClass:
				if m.Truth != 0 && len(m.Others) == 0 {
					list[o] = true
				}
			case report.FN:
				list[o] = false
			}
		}
		return list
	}
	inA, inB := found(a), found(b)
	gained, lost := 0, 0
	for o, is := range inB {
		if was, judged := inA[o]; judged && is && !was {
			gained++
		} else if judged && was && !is {
			lost++
		}
	}
	objects := func(class compare.Class) (n int) {
		for _, x := range c.Changes {
			if x.Aspect == compare.Object && x.Class == class && x.A.Mark >= 0 && x.B.Mark >= 0 {
				n++
			}
		}
		return n
	}
	if g, l := objects(compare.Gained), objects(compare.Lost); g != gained || l != lost {
		t.Errorf("%d objects gained and %d lost, counted anew %d and %d", g, l, gained, lost)
	}
}

// checkHard holds what is hard for two runs against their comparison.
func checkHard(t *testing.T, runs []*report.Report) {
	t.Helper()
	for _, a := range runs {
		for _, b := range runs {
			both := 0
			c := compare.Compare(a, b)
			for _, x := range c.Changes {
				bad := func(s compare.Side) bool { return s.State == compare.Missed || s.State == compare.Wrong }
				if bad(x.A) && bad(x.B) && x.Aspect != compare.Remark {
					both++
				}
			}
			if got := len(compare.HardFor(a, b)); got != both {
				t.Errorf("%d things are hard for both, %d bad in both", got, both)
			}
		}
	}
	for n := 2; n <= len(runs); n++ {
		list := compare.HardFor(runs[:n]...)
		for _, h := range list {
			if h.Missed+h.Wrong != n {
				t.Errorf("%d runs: %+v", n, h)
			}
		}
		if again := compare.HardFor(runs[:n]...); !reflect.DeepEqual(list, again) {
			t.Errorf("%d runs: another list the second time", n)
		}
	}
}
