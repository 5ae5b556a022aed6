package table

import (
	"bytes"
	"context"
	stdcsv "encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// exportedCosts adds up the official costs of an exported table of marks, by image.
func exportedCosts(t testing.TB, r *report.Report) (total float64, byImage map[string]float64) {
	t.Helper()
	var b bytes.Buffer
	if err := report.WriteMarks(&b, r); err != nil {
		t.Fatal(err)
	}
	rows, err := stdcsv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := func(name string) int { return slices.Index(rows[0], name) }
	byImage = map[string]float64{}
	for _, row := range rows[1:] {
		if row[column("diagnostic")] == "true" || row[column("cost")] == "" {
			continue
		}
		c, err := strconv.ParseFloat(row[column("cost")], 64)
		if err != nil {
			t.Fatal(err)
		}
		total += c
		byImage[row[column("image")]] += c
	}
	return total, byImage
}

// Scores that are sums over conditions, questions or comparisons are 1 less the costs in the exported table.
func TestScoresFromExportedMarks(t *testing.T) {
	for _, id := range []string{punctaTask, fociTask, golgiTask, translocationTask} {
		for _, dir := range goldenCases(t, id) {
			if !biabench.IsFolder(filepath.Join(dir, "pred")) || id != golgiTask && id != translocationTask && !biabench.IsFolder(filepath.Join(dir, "evaluation")) {
				continue
			}
			r := judge(t, dir)
			if r.Result.None {
				continue
			}
			total, byImage := exportedCosts(t, r.Report)
			want := 1 - total
			if id == translocationTask && r.Result.Reason == "" {
				want = 0
				for _, im := range r.Images { // each cell type is rounded before the mean is
					want += numeric.Round4(1-byImage[im.Name]*float64(len(r.Images))) / float64(len(r.Images))
				}
			}
			if math.Abs(want-r.Result.Value) > 5.0001e-5 {
				t.Errorf("%s/%s: %v from the marks, %v from the calculator", id, filepath.Base(dir), want, r.Result.Value)
			}
		}
	}
}

// The unrounded sum, to nine digits, of every recorded case that is judged.
func TestCostsAddUp(t *testing.T) {
	for id, bodies := range map[string]func(*call.Call) (body func() error, value func() float64){
		fociTask: func(c *call.Call) (func() error, func() float64) {
			f := &foci{Call: c}
			return f.score, func() float64 {
				sum := 0.0
				for _, a := range f.pairs {
					sum += a.score
				}
				return sum / float64(len(f.truth.names))
			}
		},
		golgiTask: func(c *call.Call) (func() error, func() float64) {
			g := &golgi{Call: c}
			return g.score, func() float64 {
				significance, _, direction := g.parts()
				if direction == nil {
					return significance
				}
				return g.wSignif*significance + g.wDirection**direction
			}
		},
		translocationTask: func(c *call.Call) (func() error, func() float64) {
			x := &translocation{Call: c}
			return x.score, func() float64 {
				sum := 0.0
				for _, kind := range x.types {
					sum += kind.score
				}
				return sum / float64(len(x.types))
			}
		},
	} {
		judged := 0
		for _, dir := range goldenCases(t, id) {
			if !biabench.IsFolder(filepath.Join(dir, "pred")) || id == fociTask && !biabench.IsFolder(filepath.Join(dir, "evaluation")) {
				continue
			}
			var value func() float64
			r := judgeWith(t, dir, func(c *call.Call) error {
				var body func() error
				body, value = bodies(c)
				return body()
			})
			if r.Result.None || r.Result.Reason != "" {
				continue
			}
			judged++
			if total, _ := exportedCosts(t, r); math.Abs(total-(1-value())) > 1e-9 {
				t.Errorf("%s: costs %v, loss %v", dir, total, 1-value())
			}
		}
		if judged == 0 {
			t.Errorf("%s: no case is judged", id)
		}
	}
}

// The same of made-up answers to the puncta task.
func TestPunctaCostsAddUp(t *testing.T) {
	for seed := range uint64(30) {
		r := random(seed)
		truth := nucleiOf(r, 40, 3)
		p := judgePuncta(t, csv(truthHeader, truth), csv(quantsHeader, disturb(r, truth, 0.4)))
		if total, _ := exportedCosts(t, p.Report); math.Abs(total-(1-p.total.Score)) > 1e-9 {
			t.Errorf("seed %d: costs %v, loss %v", seed, total, 1-p.total.Score)
		}
	}
}

func judgePuncta(t testing.TB, truth, pred string) *puncta {
	t.Helper()
	dir := taskFolder(t, punctaTask, map[string]string{"evaluation/cell_quants.csv": truth, "pred/cell_quants.csv": pred})
	p := &puncta{}
	judgeWith(t, dir, func(c *call.Call) error { p.Call = c; return p.score() })
	return p
}

func judgeMicroglia(t testing.TB, truth, pred string) *microglia {
	t.Helper()
	dir := taskFolder(t, microgliaTask, map[string]string{"evaluation/Replicate1annotation.csv": truth, "pred/cell_labels.csv": pred})
	m := &microglia{}
	judgeWith(t, dir, func(c *call.Call) error { m.Call = c; return m.score() })
	return m
}

func judgeWith(t testing.TB, dir string, body func(*call.Call) error) *report.Report {
	t.Helper()
	task, err := biabench.OpenTask(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	pred := filepath.Join(dir, "pred")
	r, err := call.Do(t.Context(), task, &biabench.Run{Path: pred, Dir: pred}, nil, body)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// disturb leaves rows out, changes counts and adds nuclei of images.
func disturb(r *rand.Rand, truth []string, share float64) []string {
	var pred []string
	for _, row := range truth {
		cells := strings.Split(row, ",")[:6]
		switch v := r.Float64(); {
		case v < share/3:
			continue
		case v < 2*share/3:
			cells[5] = strconv.Itoa(r.IntN(9))
		case v < share:
			pred = append(pred, strings.Join([]string{cells[0], cells[1], "1e4", fmt.Sprint(r.IntN(100)), "5", strconv.Itoa(r.IntN(4))}, ","))
		}
		pred = append(pred, strings.Join(cells, ","))
	}
	r.Shuffle(len(pred), func(i, j int) { pred[i], pred[j] = pred[j], pred[i] })
	return pred
}

func TestPunctaLaws(t *testing.T) {
	for seed := range uint64(20) {
		r := random(100 + seed)
		truth := nucleiOf(r, 30, 2)
		text := csv(truthHeader, truth)
		if p := judgePuncta(t, text, text); p.Report.Result.Value != 1 {
			t.Fatalf("the truth itself scores %v", p.Report.Result.Value)
		}
		pred := disturb(r, truth, 0.3)
		base := judgePuncta(t, text, csv(quantsHeader, pred)).total.Score
		// A nucleus far from all, and one of an unknown image.
		for _, extra := range []string{constructs[0] + "," + constructs[0] + ".sld - Position 0.tif,9e5,9e5,9e5,3", constructs[1] + ",elsewhere.tif,0,0,0,2"} {
			if more := judgePuncta(t, text, csv(quantsHeader, append(slices.Clone(pred), extra))).total.Score; more > base+1e-12 {
				t.Errorf("seed %d: a false nucleus raises the score from %v to %v", seed, base, more)
			}
		}
		// A nucleus of the truth, handed back as it is, is left out.
		for i, row := range pred {
			if slices.ContainsFunc(truth, func(s string) bool { return strings.HasPrefix(s, row+",") }) {
				if less := judgePuncta(t, text, csv(quantsHeader, slices.Delete(slices.Clone(pred), i, i+1))).total.Score; less > base+1e-12 {
					t.Errorf("seed %d: leaving out %q raises the score from %v to %v", seed, row, base, less)
				}
				break
			}
		}
		// The order of the rows does not matter where no two distances are the same.
		slices.Reverse(pred)
		if turned := judgePuncta(t, text, csv(quantsHeader, pred)).total.Score; math.Abs(turned-base) > 1e-12 {
			t.Errorf("seed %d: %v in reverse order, %v before", seed, turned, base)
		}
	}
}

// mistaken is an answer with jitter, misses, extras and confused or unknown labels.
func mistaken(r *rand.Rand, truth []string) (pred []string) {
	for _, row := range truth {
		c := strings.Split(row, ",")
		y, _ := strconv.ParseFloat(c[2], 64)
		x, _ := strconv.ParseFloat(c[3], 64)
		label := c[4]
		switch r.IntN(10) {
		case 0:
			continue
		case 1:
			label = classNames[r.IntN(nClasses)]
		case 2:
			label = "odd"
		case 3:
			pred = append(pred, fmt.Sprintf("%s,%.2f,%.2f,%s", c[1], 5000+r.Float64()*100, x, classNames[r.IntN(nClasses)]))
		}
		pred = append(pred, fmt.Sprintf("%s,%.2f,%.2f,%s", c[1], y+r.Float64()*4, x+r.Float64()*4, label))
	}
	return pred
}

// Each mark's cost is what the score gains when the answer is changed as the mark says.
func TestMicrogliaCostsAreGains(t *testing.T) {
	r := random(3)
	truth := cellsOf(r, 5, 8, 600)
	pred := mistaken(r, truth)
	text := csv(annotationHeader, truth)
	m := judgeMicroglia(t, text, csv(labelsHeader, pred))
	base, tried := m.total(m.tally, m.course), map[report.Kind]int{}
	for _, mark := range m.Report.Marks {
		changed := slices.Clone(pred)
		tried[mark.Kind]++
		switch mark.Kind {
		case report.TP:
			if mark.Cost != 0 {
				t.Errorf("a good pair costs %v", mark.Cost)
			}
			continue
		case report.FP:
			changed = slices.Delete(changed, int(mark.Pred)-1, int(mark.Pred))
		case report.FN:
			c := strings.Split(truth[mark.Truth-1], ",")
			changed = append(changed, strings.Join(c[1:], ","))
		case report.WrongClass:
			right := strings.Split(truth[mark.Truth-1], ",")[4]
			c := strings.Split(changed[mark.Pred-1], ",")
			changed[mark.Pred-1] = strings.Join(append(c[:3], right), ",")
		}
		after := judgeMicroglia(t, text, csv(labelsHeader, changed))
		if gain := after.total(after.tally, after.course) - base; math.Abs(gain-mark.Cost) > 1e-12 {
			t.Errorf("%s: cost %v, gain %v", mark.Text, mark.Cost, gain)
		}
	}
	for _, k := range []report.Kind{report.FP, report.FN, report.WrongClass} {
		if tried[k] == 0 {
			t.Errorf("no mark of kind %q was tried", k)
		}
	}
}

func TestMicrogliaLaws(t *testing.T) {
	for seed := range uint64(20) {
		r := random(200 + seed)
		truth := cellsOf(r, 6, 12, 500)
		var exact []string
		for _, row := range truth {
			exact = append(exact, strings.Join(strings.Split(row, ",")[1:], ","))
		}
		text := csv(annotationHeader, truth)
		if m := judgeMicroglia(t, text, csv(labelsHeader, exact)); m.Report.Result.Value != 1 {
			t.Fatalf("the truth itself scores %v", m.Report.Result.Value)
		}
		pred := mistaken(r, truth)
		m := judgeMicroglia(t, text, csv(labelsHeader, pred))
		base := m.total(m.tally, m.course)
		extra := append(slices.Clone(pred), "2,90000,90000,")
		if after := judgeMicroglia(t, text, csv(labelsHeader, extra)); after.total(after.tally, after.course) > base {
			t.Error("a false cell without a class helps")
		}
		for i, row := range pred { // a cell found exactly, left out
			if slices.Contains(exact, row) {
				if after := judgeMicroglia(t, text, csv(labelsHeader, slices.Delete(slices.Clone(pred), i, i+1))); after.total(after.tally, after.course) > base+1e-12 {
					t.Errorf("seed %d: leaving out %q helps", seed, row)
				}
				break
			}
		}
		r.Shuffle(len(pred), func(i, j int) { pred[i], pred[j] = pred[j], pred[i] })
		if after := judgeMicroglia(t, text, csv(labelsHeader, pred)); math.Abs(after.total(after.tally, after.course)-base) > 1e-12 {
			t.Errorf("seed %d: the order of rows counts", seed)
		}
		swapped := judgeMicroglia(t, text, csv("frame,x,y,predicted_phenotype", exact))
		if !strings.Contains(notesText(swapped.Report), "after exchanging x and y") {
			t.Errorf("exchanged axes are not seen: %v", notesText(swapped.Report))
		}
	}
}

func notesText(r *report.Report) string {
	var parts []string
	for _, n := range r.Notes {
		parts = append(parts, n.File+": "+n.Text+". "+n.Fix)
	}
	return strings.Join(parts, "\n")
}

// A report does not depend on the number of processors.
func TestSameOnAnyNumberOfProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for id := range calculators {
		dir := goldenCases(t, id)[0]
		var first judged
		for i, n := range []int{1, 2, 8} {
			runtime.GOMAXPROCS(n)
			r := judge(t, dir)
			if i == 0 {
				first = r
				continue
			}
			a, errA := json.Marshal(r.Metrics)
			b, errB := json.Marshal(first.Metrics)
			if errA != nil || errB != nil || !bytes.Equal(a, b) || fmt.Sprint(r.Marks) != fmt.Sprint(first.Marks) || !reflect.DeepEqual(r.Notes, first.Notes) {
				t.Errorf("%s: another report with %d processors", id, n)
			}
		}
	}
}

// A cancelled call gives no report.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for id := range calculators {
		dir := goldenCases(t, id)[0]
		task, err := biabench.OpenTask(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		r, err := call.Do(ctx, task, &biabench.Run{Dir: filepath.Join(dir, "pred")}, nil, func(c *call.Call) error { return calculators[id](c).body() })
		if r != nil || err == nil {
			t.Errorf("%s: %v %v", id, r, err)
		}
	}
}

func TestFociLaws(t *testing.T) {
	r := random(9)
	for range 20 {
		truth := []string{"Length,Start normalized,Length,Start normalized"}
		var pred []string
		for range 20 {
			a, b := r.Float64(), r.Float64()
			truth = append(truth, fmt.Sprintf("1,%v,1,%v", a, b))
			pred = append(pred, fmt.Sprintf("siControl,%v", a), fmt.Sprintf("si53BP1,%v", b))
		}
		score := func(rows []string) float64 {
			dir := taskFolder(t, fociTask, map[string]string{"evaluation/coloc_results.csv": csv("siControl,,si53BP1,", truth),
				"pred/coloc_results.csv": csv("condition,start_normalized", rows)})
			return judge(t, dir).Result.Value
		}
		if s := score(pred); s != 1 {
			t.Fatalf("the truth itself scores %v", s)
		}
		one := slices.DeleteFunc(slices.Clone(pred), func(s string) bool { return strings.HasPrefix(s, "si5") })
		if s := score(one); s != 0.5 {
			t.Errorf("half the conditions score %v", s)
		}
		slices.Reverse(pred)
		if s := score(pred); s != 1 {
			t.Errorf("in another order the truth scores %v", s)
		}
	}
}

// Tables of golgi and translocation have no truth: the order of their rows changes nothing.
func TestOrderOfRowsChangesNothing(t *testing.T) {
	r := random(11)
	for _, id := range []string{golgiTask, translocationTask} {
		moved := 0
		for _, dir := range goldenCases(t, id) {
			if !biabench.IsFolder(filepath.Join(dir, "pred")) {
				continue
			}
			before := judge(t, dir)
			other := t.TempDir()
			if err := os.CopyFS(other, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			files, _ := filepath.Glob(filepath.Join(other, "pred", "*.csv"))
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
				rows := lines[1:]
				r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
				moved += len(rows)
				if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if after := judge(t, other).Result; after.Value != before.Result.Value || after.None != before.Result.None {
				t.Errorf("%s: %+v in another order, %+v before", dir, after, before.Result)
			}
		}
		if moved == 0 {
			t.Errorf("%s: nothing was moved", id)
		}
	}
}
