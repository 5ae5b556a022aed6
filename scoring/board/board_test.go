package board

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/biabench"
)

// vectors runs check on the cases of testdata/<name>.json and, where the shared golden folder lies beside the repository,
// on those of its file of that name. Adding a case needs no Go code.
func vectors[C any](t *testing.T, name string, check func(t *testing.T, c C)) {
	t.Helper()
	for _, root := range []string{"testdata", filepath.Join(shared(), "golden", "_contract")} {
		text, err := os.ReadFile(filepath.Join(root, name+".json"))
		if err != nil && root != "testdata" {
			t.Log("the shared cases are absent: only testdata is checked")
			continue
		}
		var file struct{ Cases []json.RawMessage }
		if err == nil {
			err = json.Unmarshal(text, &file)
		}
		if err != nil || len(file.Cases) == 0 {
			t.Fatalf("%s: %d cases, %v", name, len(file.Cases), err)
		}
		for _, raw := range file.Cases {
			var head struct{ Name string }
			var c C
			if err := json.Unmarshal(raw, &head); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(raw, &c); err != nil {
				t.Fatal(err)
			}
			t.Run(filepath.Base(root)+"/"+head.Name, func(t *testing.T) { check(t, c) })
		}
	}
}

// shared is the folder of that name beside the repository; it may not exist.
func shared() string { return filepath.Join("..", "..", "..", "shared") }

// sameJSON compares a value's JSON with another: fields, their order, and numbers within 1e-12.
func sameJSON(t *testing.T, got any, want json.RawMessage) {
	t.Helper()
	var b bytes.Buffer
	if err := WriteJSON(&b, got); err != nil {
		t.Fatal(err)
	}
	a, w := tokens(t, b.Bytes()), tokens(t, want)
	if len(a) != len(w) {
		t.Fatalf("got  %s\nwant %s", b.Bytes(), want)
	}
	for i := range a {
		x, isNumber := a[i].(float64)
		y, alike := w[i].(float64)
		if isNumber != alike || (isNumber && math.Abs(x-y) > 1e-12) || (!isNumber && a[i] != w[i]) {
			t.Fatalf("%v, want %v, in\n%s\nwant %s", a[i], w[i], b.Bytes(), want)
		}
	}
}

func tokens(t *testing.T, text []byte) (list []json.Token) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		token, err := d.Token()
		if err != nil {
			return list
		}
		list = append(list, token)
	}
}

func TestLocal(t *testing.T) {
	type record struct {
		Agent   string `json:"agent_name"`
		Task    string `json:"task_id"`
		Valid   bool
		Score   *float64
		Process *float64 `json:"checklist_score"`
		Result  *float64 `json:"result_score"`
		Passed  *bool
	}
	type vector struct {
		Records  []record
		Expected json.RawMessage
	}
	vectors(t, "local_leaderboard", func(t *testing.T, c vector) {
		var runs []Run
		for _, r := range c.Records {
			runs = append(runs, Run{Agent: r.Agent, Task: r.Task, Valid: r.Valid, Score: r.Score, Process: r.Process, Result: r.Result, Passed: r.Passed})
		}
		sameJSON(t, Local(runs), c.Expected)
		rand.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
		sameJSON(t, Local(runs), c.Expected) // the order of runs plays no part
	})
	if b := Local([]Run{{Agent: "a"}}); b.Total != 0 || len(b.Agents) != 0 {
		t.Errorf("a run without a task counts: %+v", b)
	}
}

func TestCheck(t *testing.T) {
	type vector struct {
		Stem  string `json:"file_stem"`
		Tasks []string
		Entry json.RawMessage
		Codes []string
	}
	vectors(t, "entry_check", func(t *testing.T, c vector) {
		raw, err := object(c.Entry)
		if err != nil {
			t.Fatal(err)
		}
		codes := []string{}
		for _, p := range Check(raw, c.Stem, c.Tasks) {
			codes = append(codes, p.Code)
			if p.Text == "" || p.Path == "" {
				t.Errorf("a problem without a place or a text: %+v", p)
			}
		}
		if !slices.Equal(codes, c.Codes) {
			t.Errorf("codes %q, want %q", codes, c.Codes)
		}
	})
}

func TestAggregate(t *testing.T) {
	type vector struct {
		Tasks    []string
		Entry    Entry
		Expected json.RawMessage
	}
	vectors(t, "entry_aggregate", func(t *testing.T, c vector) {
		row := Aggregate(c.Entry, c.Tasks)
		sameJSON(t, row, c.Expected)
		for i := range c.Entry.Tasks { // the order of runs within a task changes the list of outcomes alone
			slices.Reverse(c.Entry.Tasks[i].Runs)
		}
		again := Aggregate(c.Entry, c.Tasks)
		for i := range again.Tasks {
			slices.Reverse(again.Tasks[i].Outcomes)
		}
		if !reflect.DeepEqual(row, again) {
			t.Errorf("another order gives %+v, want %+v", again, row)
		}
	})
}

func TestPublish(t *testing.T) {
	type vector struct {
		Entries  []Entry
		Expected struct {
			Updated string
			N       int `json:"n_entries"`
			Order   [][2]any
		}
	}
	vectors(t, "board", func(t *testing.T, c vector) {
		b := Publish(c.Entries, biabench.TaskIDs())
		var order [][2]any
		for _, r := range b.Rows {
			outcome := any(nil)
			if r.Outcome != nil {
				outcome = float64(*r.Outcome)
			}
			order = append(order, [2]any{r.ID, outcome})
		}
		if !reflect.DeepEqual(order, c.Expected.Order) || *b.Updated != c.Expected.Updated || b.N != c.Expected.N {
			t.Errorf("%v %s %d, want %+v", order, *b.Updated, b.N, c.Expected)
		}
	})
}

func TestEvaluatedRun(t *testing.T) {
	type record struct {
		Label   string   `json:"failure_label"`
		Result  *float64 `json:"result_score"`
		Process *float64 `json:"checklist_score"`
		Seconds *float64 `json:"duration_seconds"`
		Input   *Count   `json:"input_tokens"`
		Output  *Count   `json:"output_tokens"`
		Cached  *Count   `json:"cached_tokens"`
		Cost    *float64 `json:"cost_usd"`
		Model   string
	}
	type vector struct {
		Record   record
		Expected json.RawMessage
	}
	vectors(t, "entry_run", func(t *testing.T, c vector) {
		r := c.Record
		run, derived, err := Evaluated{RunID: "run_1", Label: r.Label, Result: r.Result, Process: r.Process, Seconds: r.Seconds,
			InputTokens: r.Input, OutputTokens: r.Output, CachedTokens: r.Cached, CostUSD: r.Cost, Model: r.Model}.Run()
		var want struct{ Error bool }
		if json.Unmarshal(c.Expected, &want); want.Error || err != nil {
			if want.Error != (err != nil) {
				t.Errorf("error %v, want one: %v", err, want.Error)
			}
			return
		}
		sameJSON(t, struct {
			EntryRun
			Derived bool `json:"derived_cost"`
		}{run, derived}, c.Expected)
	})
}

// TestPublishedBoard: the benchmark's own board reads and writes to the same bytes, its order is ours, and the entries that
// are there give their rows exactly.
func TestPublishedBoard(t *testing.T) {
	dir := filepath.Join(shared(), "biabench", "leaderboard")
	text, err := os.ReadFile(filepath.Join(dir, "leaderboard.json"))
	if err != nil {
		t.Skip("the published board is not beside the repository")
	}
	var published Board
	if err := json.Unmarshal(text, &published); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteJSON(&b, published); err != nil || !bytes.Equal(b.Bytes(), text) {
		t.Errorf("written again it differs, %v", err)
	}
	if !slices.Equal(published.Tasks, biabench.TaskIDs()) || published.N != len(published.Rows) {
		t.Errorf("%d rows, tasks %q", len(published.Rows), published.Tasks)
	}
	files, err := Entries([]string{filepath.Join(dir, "entries")}, biabench.TaskIDs())
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	for _, f := range files {
		if len(f.Problems) > 0 {
			t.Errorf("%s: %v", f.Path, f.Problems)
		}
		i := slices.IndexFunc(published.Rows, func(r Row) bool { return r.ID == f.Entry.ID })
		if i < 0 || !reflect.DeepEqual(Aggregate(f.Entry, biabench.TaskIDs()), published.Rows[i]) {
			t.Errorf("%s: another row than the published one", f.Path)
		}
	}
	for _, r := range published.Rows {
		var means []float64
		for _, f := range r.Tasks {
			means = appendNumber(means, f.Outcome)
		}
		if got := meanOf(means, 3); *got != *r.Outcome || *rounded(deviation(means), 3) != *r.Deviation || len(means) != r.TasksScored {
			t.Errorf("%s: outcome %v over %d tasks, want %v", r.ID, *got, len(means), *r.Outcome)
		}
	}
}

// TestWriteJSON: Python's numbers and escapes.
func TestWriteJSON(t *testing.T) {
	var b bytes.Buffer
	name := "é𝄞<&>\u2028\x7f"
	if err := WriteJSON(&b, TaskFigures{{Task: name, Outcomes: []Number{1, 0.5, 1e-5, Number(math.NaN())}}}); err != nil {
		t.Fatal(err)
	}
	want := "{\n " + `"\u00e9\ud834\udd1e<&>\u2028\u007f": {`
	if got := b.String(); !strings.HasPrefix(got, want) || !strings.Contains(strings.Join(strings.Fields(got), ""), "[1.0,0.5,1e-05,null]") {
		t.Errorf("%s", got)
	}
}

// TestExact against values that plain sums miss.
func TestExact(t *testing.T) {
	if got := mean([]float64{0.1, 0.2, 0.3}); got != 0.2 {
		t.Errorf("mean %v", got)
	}
	if got := mean([]float64{1e100, 1, -1e100}); got != 1.0/3 {
		t.Errorf("mean %v", got)
	}
	if got := deviation([]float64{0.1, 0.1, 0.1}); got != 0 {
		t.Errorf("deviation %v", got)
	}
	if got := deviation([]float64{1, 2, 3, 4}); got != math.Sqrt(1.25) {
		t.Errorf("deviation %v", got)
	}
	if median([]float64{3, 1, 2}) != 2 || median([]float64{4, 1, 3, 2}) != 2.5 {
		t.Error("median")
	}
}
