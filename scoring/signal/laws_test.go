package signal

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/datasets/tabular"
	"coverslip/scoring/call/calltest"
	"coverslip/scoring/report"
)

// scoreLists scores an answer's rows against a truth's.
func scoreLists(t testing.TB, pred, truth []tabular.Localisation) *report.Report {
	task := localisationTask(t, nil, nil)
	writeList(t, filepath.Join(task.Dir, "pred", "a_LocalizationList.txt"), pred, 4)
	writeList(t, filepath.Join(task.Dir, "evaluation", "DNAPAINT_LocalizationList.txt"), truth, 4)
	return calltest.RunTask(t, Localisations, task, filepath.Join(task.Dir, "pred"))
}

func TestLocalisationLaws(t *testing.T) {
	pred, truth := randomLists(8, 12)
	jaccard := func(rows []tabular.Localisation) float64 {
		v, _ := scoreLists(t, rows, truth).Metrics.Number("jaccard")
		return v
	}
	if r := scoreLists(t, truth, truth); r.Result.Value != 1 {
		t.Errorf("the truth scores %v", r.Result.Value)
	}
	base := jaccard(pred)
	baseTP, _ := scoreLists(t, pred, truth).Metrics.Number("tp")
	rng := rand.New(rand.NewPCG(7, 7))
	for range 20 {
		i := rng.IntN(len(pred))
		without := scoreLists(t, slices.Delete(slices.Clone(pred), i, i+1), truth).Metrics
		tp, _ := without.Number("tp")
		// Where a second answer steps into the place of the first, one false one less is there.
		if got, _ := without.Number("jaccard"); tp < baseTP && got > base {
			t.Errorf("leaving out the match in line %d helps: %v to %v", i+1, base, got)
		}
		far := append(slices.Clone(pred), tabular.Localisation{Frame: pred[i].Frame, X: 9e5, Y: 9e5})
		if got := jaccard(far); got >= base {
			t.Errorf("a false localisation helps: %v to %v", base, got)
		}
	}
	shuffled := slices.Clone(pred)
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	if got := jaccard(shuffled); got != base {
		t.Errorf("the order of lines counts: %v and %v", base, got)
	}
}

// The figures follow from the marks alone.
func TestLocalisationsFromMarks(t *testing.T) {
	for _, v := range vectors(t, smlmTask) {
		r := calltest.Run(t, Localisations, v.dir, filepath.Join(v.dir, "pred"))
		if len(r.Images) == 0 || r.Result.None || r.Primary == "" {
			continue
		}
		c := comparison{}
		for _, m := range r.Marks {
			switch m.Kind {
			case report.TP:
				c.pairs = append(c.pairs, pair{found: m.Found, expected: m.Expected})
				c.tp++
			case report.FP, report.Duplicate:
				c.fp++
			case report.FN:
				c.fn++
			}
		}
		if err := c.measure(); err != nil {
			t.Fatal(err)
		}
		want := 0.7*c.metric("jaccard") + 0.3*atLeast0(c.r)
		checkExactCosts(t, v.name, r, want)
	}
}

// checkExactCosts holds the result and the sum of costs against a score recomputed from marks.
func checkExactCosts(t *testing.T, name string, r *report.Report, want float64) {
	t.Helper()
	total := 0.0
	for _, m := range r.Marks {
		if !m.Diagnostic {
			total += m.Cost
		}
	}
	if math.Abs(total-(1-want)) > 1e-9 || math.Abs(r.Result.Value-want) > 0.50001e-4 {
		t.Errorf("%s: from the marks %v, costs add up to %v, the result is %v", name, want, total, r.Result.Value)
	}
}

func TestKineticsFromMarks(t *testing.T) {
	for _, v := range vectors(t, npcTask) {
		r := calltest.Run(t, Kinetics, v.dir, filepath.Join(v.dir, "pred"))
		if r.Primary == "" || r.Result.None {
			continue
		}
		n, onsets, curves := float64(len(r.Images)), 0.0, 0.0
		for _, m := range r.Marks {
			onset := m.Key == r.Images[m.Image].Name
			switch {
			case m.Diagnostic:
			case m.Kind == report.Unmatched, m.Kind == report.MissingValue && onset:
				onsets += 20
			case onset:
				onsets += math.Abs(m.Found - m.Expected)
			default:
				curves += max(0, min(1, m.Found))
			}
		}
		want := 0.5*(1-min(onsets/n/20, 1)) + 0.5*curves/n
		checkExactCosts(t, v.name, r, want)
	}
}

func TestKymographsFromMarks(t *testing.T) {
	for _, v := range vectors(t, woundTask) {
		r := calltest.Run(t, Kymographs, v.dir, filepath.Join(v.dir, "pred"))
		if r.Primary == "" || r.Result.None {
			continue
		}
		value := 0.0
		for _, img := range r.Images {
			value += img.Value / float64(len(r.Images))
		}
		checkExactCosts(t, v.name, r, value)
	}
}

func TestMosaicFromMarks(t *testing.T) {
	for _, v := range vectors(t, mosaicTask) {
		r := calltest.Run(t, Mosaic, v.dir, filepath.Join(v.dir, "pred"))
		if r.Primary == "" || r.Result.None || math.IsNaN(r.Images[0].Value) {
			continue
		}
		means, n := 0.0, 0
		for _, m := range r.Marks {
			if len(m.Key) > 7 && m.Key[:7] != "channel" && !m.Diagnostic {
				n++
				if m.Kind != report.MissingValue {
					means += atLeast0(1 - math.Abs(m.Found-m.Expected)/math.Abs(m.Expected))
				}
			}
		}
		checkExactCosts(t, v.name, r, 0.7*r.Images[0].Value+0.3*means/float64(n))
	}
}

// Neither the number of processors nor the order in which files were written changes anything in a report.
func TestSameOnAnyNumberOfProcessors(t *testing.T) {
	for task, calculate := range calculators {
		for _, v := range vectors(t, task) {
			var first []byte
			for _, n := range []int{1, 2, 8} {
				before := runtime.GOMAXPROCS(n)
				r := calltest.Run(t, calculate, v.dir, filepath.Join(v.dir, "pred"))
				runtime.GOMAXPROCS(before)
				text := asText(t, r)
				if first == nil {
					first = text
				} else if string(first) != string(text) {
					t.Errorf("%s: another report with %d processors", v.name, n)
				}
			}
		}
	}
}

func asText(t *testing.T, r *report.Report) []byte {
	t.Helper()
	record, err := json.Marshal(r.Metrics)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Appendf(record, "%+v %+v %+v %+v", r.Result, r.Marks, r.Notes, r.Method)
}

// Leaving files out never helps, and the truth itself scores 1.
func TestKymographLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	dir := t.TempDir()
	task := calltest.WriteTask(t, woundTask, deliverable("velocity_x", "*_mf_dxs.tif*", true)+deliverable("velocity_y", "*_mf_dys.tif*", true)+
		deliverable("speed_kymograph", "*speedKymograph.tif*", true), woundRubric, nil)
	for i := range 3 {
		writeExperiment(t, rng, task.Dir, fmt.Sprintf("exp_L%d", i), 40, 3)
	}
	run := func(pred string) float64 { return calltest.RunTask(t, Kymographs, task, pred).Result.Value }
	truth := filepath.Join(dir, "truth")
	for _, f := range filesBelow(task.Truth, matches("*.tif")) {
		copyFile(t, f, filepath.Join(truth, filepath.Base(f)))
	}
	if got := run(truth); got != 1 {
		t.Errorf("the truth scores %v", got)
	}
	pred := filepath.Join(task.Dir, "pred")
	base := run(pred)
	files := filesBelow(pred, matches("*.tif"))
	for k := range files {
		part := filepath.Join(dir, fmt.Sprint(k))
		for i, f := range files {
			if i != k {
				copyFile(t, f, filepath.Join(part, filepath.Base(f)))
			}
		}
		if got := run(part); got > base {
			t.Errorf("leaving out %s helps: %v to %v", filepath.Base(files[k]), base, got)
		}
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, to, b)
}

// The truth itself scores 1, its sheets may come as one workbook or as one each, and leaving one out never helps.
func TestKineticsLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 11))
	var truth, pred []page
	for i := range 4 {
		name := fmt.Sprintf("160701-cell%d", i+1)
		truth, pred = append(truth, randomPage(rng, name, 60)), append(pred, randomPage(rng, name, 60))
	}
	score := func(pages []page, apart bool) float64 {
		files := map[string][]byte{"evaluation/processed data NUP107.xlsx": workbook(t, truth), "pred/answer.xlsx": workbook(t, pages)}
		if apart {
			delete(files, "pred/answer.xlsx")
			for _, p := range pages {
				files["pred/"+p.name+".xlsx"] = workbook(t, []page{p})
			}
		}
		task := calltest.WriteTask(t, npcTask, deliverable("kinetics_per_cell", "*.xlsx", true), "", files)
		return calltest.RunTask(t, Kinetics, task, filepath.Join(task.Dir, "pred")).Result.Value
	}
	if together, apart := score(truth, false), score(truth, true); together != 1 || apart != 1 {
		t.Errorf("the truth scores %v in one workbook, %v in several", together, apart)
	}
	base := score(pred, true)
	for i := range pred {
		if got := score(slices.Delete(slices.Clone(pred), i, i+1), true); got > base {
			t.Errorf("leaving out %s helps: %v to %v", pred[i].name, base, got)
		}
	}
	more := append(slices.Clone(pred), randomPage(rng, "unknown", 60))
	if got := score(more, true); got > base {
		t.Errorf("a cell that is not in the truth helps: %v to %v", base, got)
	}
}

// The truth itself scores 1, and neither leaving out a mean nor cutting the mosaic helps.
func TestMosaicLaws(t *testing.T) {
	const h, w = 130, 90
	summary := func(leaveOut int) string {
		lines := []string{"population,channel,feature,mean,sd,n"}
		for i, f := range []string{"Bodipy,Sigma", "DAPI,r", "CD45,rf"} {
			if i != leaveOut {
				lines = append(lines, fmt.Sprintf("WBC,%s,%d,1,9", f, i+2), fmt.Sprintf("MCF7,%s,%d,1,9", f, 3*i+4))
			}
		}
		return strings.Join(lines, "\n") + "\n"
	}
	score := func(height, width, leaveOut int) float64 {
		task := mosaicTaskOf(t)
		pixels := func() func(int) int { return rand.New(rand.NewPCG(15, 4)).IntN }
		rawMosaic(t, filepath.Join(task.Dir, "evaluation", "mosaic.tif"), h, w, pixels())
		rawMosaic(t, filepath.Join(task.Dir, "pred", "stitched.tif"), height, width, pixels())
		writeFile(t, filepath.Join(task.Dir, "pred", "summary_statistics.csv"), []byte(summary(leaveOut)))
		return calltest.RunTask(t, Mosaic, task, filepath.Join(task.Dir, "pred")).Result.Value
	}
	if got := score(h, w, -1); got != 1 {
		t.Errorf("the truth scores %v", got)
	}
	for leaveOut := range 3 {
		if got := score(h, w, leaveOut); got >= 1 {
			t.Errorf("without the means of feature %d the score is %v", leaveOut, got)
		}
	}
	last := 1.0
	for cut := 1; cut < 30; cut += 7 {
		got := score(h-cut, w-cut, -1)
		if got > last {
			t.Errorf("cut by %d pixels the score rises from %v to %v", cut, last, got)
		}
		last = got
	}
}

// A truth folder is needed by all calculators but the mosaic's, whose score is then 0.
func TestMosaicWithoutTruth(t *testing.T) {
	task := mosaicTaskOf(t)
	rawMosaic(t, filepath.Join(task.Dir, "pred", "stitched.tif"), 20, 30, rand.New(rand.NewPCG(1, 1)).IntN)
	task.Truth = ""
	r := calltest.RunTask(t, Mosaic, task, filepath.Join(task.Dir, "pred"))
	if r.Result.None || r.Result.Value != 0 || r.Metrics.Get("error") == nil {
		t.Errorf("got %+v, %v", r.Result, r.Metrics.Keys())
	}
	checkCosts(t, r)
}

// A calculator stops when it is told to.
func TestCancelled(t *testing.T) {
	for id, calculate := range calculators {
		v := vectors(t, id)[0]
		task, err := biabench.OpenTask(v.dir, "")
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := contextEnded()
		defer stop()
		if r, err := calculate(ctx, task, &biabench.Run{Dir: filepath.Join(v.dir, "pred")}, nil); err == nil || r != nil {
			t.Errorf("%s: got a report of a cancelled run", id)
		}
	}
}
