package point_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"coverslip/scoring/call/calltest"
	"coverslip/scoring/point"
	"coverslip/scoring/report"
)

const deliverables = "- {id: centroids_per_image, description: points, filename_pattern: '*.csv', format: CSV with header, required: true, multi: true, required_columns: [X, Y]}\n"

// plain pairs points as the rule is written: every answer point looks at its nearest truth point.
func plain(pred, truth []point.Point, threshold float64) (matches []point.Match) {
	looks := make([]point.Match, len(pred))
	for i, p := range pred {
		looks[i] = point.Match{Pred: i, Truth: -1, Distance: math.Inf(1)}
		for k, q := range truth {
			dx, dy := p.X-q.X, p.Y-q.Y
			if d := math.Sqrt(dx*dx + dy*dy); d < looks[i].Distance {
				looks[i].Truth, looks[i].Distance = k, d
			}
		}
	}
	slices.SortStableFunc(looks, func(a, b point.Match) int { return cmp.Compare(a.Distance, b.Distance) })
	taken := map[int]bool{}
	for _, l := range looks {
		if l.Truth >= 0 && l.Distance <= threshold && !taken[l.Truth] {
			taken[l.Truth] = true
			matches = append(matches, l)
		}
	}
	slices.SortFunc(matches, func(a, b point.Match) int { return a.Pred - b.Pred })
	return matches
}

func points(r *rand.Rand, n, size int) []point.Point {
	list := make([]point.Point, n)
	for i := range list {
		list[i] = point.Point{X: float64(r.IntN(4*size)) / 4, Y: float64(r.IntN(4*size)) / 4}
	}
	return list
}

func TestPairAgainstThePlainRule(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	for i := range 300 {
		pred, truth := points(r, r.IntN(40), 1+i%60), points(r, r.IntN(40), 1+i%60)
		threshold := []float64{0, 0.25, 3, 10, math.Inf(1), -1}[i%6]
		got, _, err := point.Pair(pred, truth, threshold)
		if want := plain(pred, truth, threshold); err != nil || !slices.Equal(got, want) {
			t.Fatalf("case %d: %v (%v), want %v", i, got, err, want)
		}
	}
}

func FuzzPair(f *testing.F) {
	f.Add([]byte("\x01\x02\x03\x04"), []byte("\x01\x02\x09\x09"), 2.0)
	f.Add([]byte("\x05\x05\x05\x05"), []byte("\x05\x04\x05\x06"), 1.0)
	f.Fuzz(func(t *testing.T, a, b []byte, threshold float64) {
		read := func(text []byte) (list []point.Point) {
			for i := 0; i+1 < min(len(text), 200); i += 2 {
				list = append(list, point.Point{X: float64(text[i]), Y: float64(text[i+1])})
			}
			return list
		}
		pred, truth := read(a), read(b)
		got, _, err := point.Pair(pred, truth, threshold)
		if want := plain(pred, truth, threshold); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v (%v), want %v", got, err, want)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"X,Y\n1,2\n", "\ufeffX,Y\r1;2", "y , col,x\n\"1\",2,3\n", "1,2\n\n3,nan", "a\nb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		list, err := point.Parse(raw)
		if err == nil && len(list) > len(raw) {
			t.Errorf("%d points from %d bytes", len(list), len(raw))
		}
	})
}

func table(list []point.Point) []byte {
	var b strings.Builder
	b.WriteString("X,Y\n")
	for _, p := range list {
		fmt.Fprintf(&b, "%v,%v\n", p.X, p.Y)
	}
	return []byte(b.String())
}

// score scores answers against truths, both by stem.
func score(t *testing.T, pred, truth map[string][]point.Point) *report.Report {
	t.Helper()
	files := map[string][]byte{}
	for name, list := range pred {
		files["pred/"+name+".csv"] = table(list)
	}
	for name, list := range truth {
		files["evaluation/"+name+".csv"] = table(list)
	}
	task := calltest.WriteTask(t, taskID, deliverables, "", files)
	return calltest.RunTask(t, point.Counting, task, filepath.Join(task.Dir, "pred"))
}

func TestLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	truth := map[string][]point.Point{"0": nil}
	for i := range 5 {
		truth[fmt.Sprint("img", i+1)] = points(r, 1+r.IntN(30), 200)
	}
	if got := score(t, truth, truth); got.Result.Value != 1 || len(got.Marks) == 0 {
		t.Errorf("the truth itself scores %v", got.Result.Value)
	}
	pred := map[string][]point.Point{}
	for name, list := range truth {
		pred[name] = list
	}
	last := 1.0
	for range 10 { // what is left out never helps
		list := pred["img2"]
		if len(list) > 0 {
			pred["img2"] = list[1:]
		}
		got := score(t, pred, truth).Result.Value
		if got > last {
			t.Errorf("with a cell less the score rises from %v to %v", last, got)
		}
		last = got
	}
	pred["img2"] = truth["img2"]
	last = 1.0
	for range 10 { // what is made up never helps
		pred["img1"] = append(slices.Clone(pred["img1"]), point.Point{X: 5, Y: 5})
		got := score(t, pred, truth).Result.Value
		if got > last {
			t.Errorf("with a false cell the score rises from %v to %v", last, got)
		}
		last = got
	}
	before := score(t, pred, truth)
	delete(pred, "0")
	if after := score(t, pred, truth); after.Result.Value >= before.Result.Value {
		t.Error("leaving out a blank image helps")
	}
}

// Neither mirrored images nor the order of lines changes what is counted and matched.
func TestFlipsAndOrderChangeNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	truth, pred := map[string][]point.Point{}, map[string][]point.Point{}
	flip := func(lists map[string][]point.Point, shuffle bool) map[string][]point.Point {
		out := map[string][]point.Point{}
		for name, list := range lists {
			for _, p := range list {
				out[name] = append(out[name], point.Point{X: 60 - p.X, Y: p.Y})
			}
			if shuffle {
				r.Shuffle(len(list), func(i, j int) { out[name][i], out[name][j] = out[name][j], out[name][i] })
			}
		}
		return out
	}
	for i := range 4 {
		name := fmt.Sprint("a", i)
		truth[name], pred[name] = points(r, 25, 60), points(r, 5+r.IntN(30), 60)
	}
	before, after := score(t, pred, truth), score(t, flip(pred, true), flip(truth, false))
	if after.Result != before.Result {
		t.Errorf("%+v after mirroring, %+v before", after.Result, before.Result)
	}
	for i, img := range before.Images {
		if got := after.Images[i]; got.NPred != img.NPred || got.Value != img.Value {
			t.Errorf("%s: %+v after mirroring, %+v before", img.Name, got, img)
		}
	}
}

func TestGoroutinesChangeNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 6))
	truth, pred := map[string][]point.Point{}, map[string][]point.Point{}
	for i := range 9 {
		truth[fmt.Sprint("a", i)], pred[fmt.Sprint("a", i)] = points(r, 20, 60), points(r, 22, 60)
	}
	files := map[string][]byte{}
	for name := range truth {
		files["pred/"+name+".csv"], files["evaluation/"+name+".csv"] = table(pred[name]), table(truth[name])
	}
	task := calltest.WriteTask(t, taskID, deliverables, "distance_threshold_px: '7'", files)
	var first *report.Report
	for _, n := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(n)
		got := calltest.RunTask(t, point.Counting, task, filepath.Join(task.Dir, "pred"))
		runtime.GOMAXPROCS(before)
		if first == nil {
			first = got
		} else if !reflect.DeepEqual(got, first) {
			t.Errorf("%d goroutines give another report", n)
		}
	}
	if v, _ := first.Metrics.Number("distance_threshold_px"); v != 7 {
		t.Errorf("the threshold is %v, want 7", v)
	}
}

// Exits in the order of 4.1.
func TestExits(t *testing.T) {
	cell := []point.Point{{X: 1, Y: 2}}
	for _, c := range []struct {
		name        string
		pred, truth map[string][]point.Point
		rubric      string
		none        bool
	}{
		{"reserved names before a missing truth", map[string][]point.Point{"Summary_1": cell}, nil, "", false},
		{"no truth", map[string][]point.Point{"a": cell}, nil, "", true},
		{"no pair", map[string][]point.Point{"a": cell}, map[string][]point.Point{"b": cell}, "", false},
		{"a threshold that is no number", map[string][]point.Point{"a": cell}, map[string][]point.Point{"a": cell}, "distance_threshold_px: null", true},
		{"not finite", map[string][]point.Point{"a": {{X: math.NaN(), Y: 1}}}, map[string][]point.Point{"a": cell}, "", true},
		{"nothing delivered", nil, nil, "", false},
	} {
		files := map[string][]byte{}
		for name, list := range c.pred {
			files["pred/"+name+".csv"] = table(list)
		}
		for name, list := range c.truth {
			files["evaluation/"+name+".csv"] = table(list)
		}
		task := calltest.WriteTask(t, taskID, deliverables, c.rubric, files)
		r := calltest.RunTask(t, point.Counting, task, filepath.Join(task.Dir, "pred"))
		if r.Result.None != c.none || r.Result.Value != 0 || r.Result.Reason == "" {
			t.Errorf("%s: %+v", c.name, r.Result)
		}
	}
}

func TestSwappedColumnsAreNoticed(t *testing.T) {
	truth := points(rand.New(rand.NewPCG(2, 2)), 30, 500)
	var turned []point.Point
	for _, p := range truth {
		turned = append(turned, point.Point{X: p.Y, Y: p.X})
	}
	r := score(t, map[string][]point.Point{"a": turned}, map[string][]point.Point{"a": truth})
	if !slices.ContainsFunc(r.Notes, func(n report.Note) bool { return strings.Contains(n.Text, "exchanged") }) {
		t.Errorf("no note among %v", r.Notes)
	}
}

// BenchmarkPoints scores 2,000 against 2,000 points.
func BenchmarkPoints(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	truth := table(points(r, 2000, 1600))
	task := calltest.WriteTask(b, taskID, deliverables, "", map[string][]byte{"pred/a.csv": table(points(r, 2000, 1600)), "evaluation/a.csv": truth})
	calltest.Bench(b, point.Counting, task, 2*len(truth))
}
