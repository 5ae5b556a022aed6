package report

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestRecordKeepsItsOrder(t *testing.T) {
	r := new(Record).Set("z", 1).Set("a", 0.5).Set("n", nil).Set("nan", math.NaN()).Set("inf", math.Inf(-1)).
		Set("list", []string{}).Set("b", true).Set("sub", new(Record).Set("y", "text").Set("x", []*Record{new(Record)}))
	r.Set("z", 2)
	text, err := json.Marshal(r)
	want := `{"z":2,"a":0.5,"n":null,"nan":null,"inf":null,"list":[],"b":true,"sub":{"y":"text","x":[{}]}}`
	if err != nil || string(text) != want {
		t.Errorf("got %s (%v), want %s", text, err, want)
	}
	if _, ok := r.Number("n"); ok {
		t.Error("null is no number")
	}
	if v, ok := r.Number("z"); !ok || v != 2 {
		t.Error("a count is a number")
	}
	if (*Record)(nil).Get("a") != nil {
		t.Error("a missing record has no fields")
	}
}

func TestPassedNeedsAResult(t *testing.T) {
	for _, c := range []struct {
		r    Report
		want bool
	}{
		{Report{Result: Result{Value: 0.5}, Threshold: 0.5}, true},
		{Report{Result: Result{Value: 0.4999}, Threshold: 0.5}, false},
		{Report{Result: Result{None: true}, Threshold: 0}, false},
		{Report{Result: Result{}, Threshold: 0}, true},
	} {
		if got := c.r.Passed(); got != c.want {
			t.Errorf("%+v: %v", c.r, got)
		}
	}
}

func TestWriteMarks(t *testing.T) {
	r := &Report{
		Images: []Image{{Name: "a, b", Compartment: "nuclei", Status: Unreadable, PredPixels: 30, TruthPixels: 20, Both: 10}},
		Marks: []Mark{
			{Kind: FN, Truth: 7, Y: 1.5, X: 1.0 / 3, Wrong: 12, Cost: 1e-7, Text: `said "gone"`, T: 3, Box: Box{1, 2, 3, 4, 5, 6}, Area: 40},
			{Kind: Split, Truth: math.MinInt64, Others: []ID{1, -2}, IoU: math.NaN(), Diagnostic: true},
			{Kind: ValueError, Image: -1, Key: "well A01", Found: 0.5},
		},
	}
	var b strings.Builder
	if err := WriteMarks(&b, r); err != nil {
		t.Fatal(err)
	}
	want := `kind,image,compartment,pred_id,truth_id,z,y,x,iou,wrong_pixels,cost,diagnostic,text,` +
		`t,z0,y0,x0,z1,y1,x1,area,others,key,found,expected,image_index,status,pred_pixels,truth_pixels,both_pixels
FN,"a, b",nuclei,,7,0,1.5,0.3333333333333333,0,12,1e-07,false,"said ""gone""",3,1,2,3,4,5,6,40,,,,,0,,,,
split,"a, b",nuclei,,-9223372036854775808,0,0,0,,0,0,true,,0,0,0,0,0,0,0,0,1 -2,,,,0,,,,
value error,,,,,0,0,0,0,0,0,false,,0,0,0,0,0,0,0,0,,well A01,0.5,0,,,,,
counts,"a, b",nuclei,,,,,,,,,true,,,,,,,,,,,,,,0,unreadable,30,20,10
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		name string
		r    Report
		want string
	}{
		{"none", Report{Result: Result{None: true, Reason: "there is no truth"}, Threshold: 0.5},
			"Score: none: there is no truth|Threshold: a run passes from 0.5; without a score it neither passes nor fails"},
		{"zero with a reason", Report{Result: Result{Reason: "nothing delivered"}, Threshold: 0.5},
			"Score: 0: nothing delivered|Threshold: does not pass, 0 is below 0.5"},
		{"threshold that is no number", Report{Result: Result{Value: 1}, Threshold: math.NaN()},
			"Score: 1|Threshold: does not pass: the threshold is not a number"},
		{"threshold out of reach", Report{Result: Result{Value: 1}, Threshold: math.Inf(1)}, "Score: 1|Threshold: does not pass, 1 is below infinity"},
		{"nested", Report{Primary: "dice", Result: Result{Value: 0.75}, Threshold: 0.7, Method: []Line{{"Formula", "f"}},
			Metrics: new(Record).Set("result_score", 0.75).Set("compartments", new(Record).
				Set("nuclei", new(Record).Set("dice", 0.75).Set("n", 3).Set("pq", nil)))},
			"Score: 0.75, from dice|Formula: f|Threshold: passes, 0.75 reaches 0.7|Beside: nuclei dice 0.75"},
	} {
		var lines []string
		for _, l := range Explain(&c.r) {
			lines = append(lines, l.String())
		}
		if got := strings.Join(lines, "|"); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestExplainSaysWhichKindOfErrorTookWhat(t *testing.T) {
	r := &Report{Primary: "dice", Result: Result{Value: 0.8}, Marks: []Mark{
		{Kind: FN, Cost: 0.1}, {Kind: FN, Cost: 0.05}, {Kind: TP, Cost: 0.05}, {Kind: Merge, Cost: 0.3, Diagnostic: true}}}
	for _, l := range Explain(r) {
		if l.Head == "Lost" {
			if want := "missed objects 0.15, contours of good matches 0.05"; l.Text != want {
				t.Errorf("%q, want %q", l.Text, want)
			}
			return
		}
	}
	t.Error("no line says what was lost")
}
