package segment

import (
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
	"coverslip/scoring/report"
)

// picture reads a label image: one line per row, a digit or letter per pixel, '.' is background.
func picture(text string) raster.Array {
	lines := strings.Fields(text)
	var v []uint8
	for _, line := range lines {
		for _, c := range line {
			switch {
			case c == '.':
				v = append(v, 0)
			case c >= 'a':
				v = append(v, uint8(c-'a'+10))
			default:
				v = append(v, uint8(c-'0'))
			}
		}
	}
	return raster.Array{Shape: []int{len(lines), len(lines[0])}, Axes: "YX", Type: pixel.Uint8, Values: v}
}

// Each case is drawn: answer, truth, and the marks as "kind pred>truth wrong", in order.
func TestKinds(t *testing.T) {
	for _, c := range []struct{ name, pred, truth, want string }{
		{"matched", "11..", "11..", "TP 1>1 0"},
		{"three quarters is strong", "1111", "222.", "TP 1>2 1"},
		{"weak", "111..", "22...", "weak match 1>2 1"},
		{"exactly half is a pair", "11..", "2...", "weak match 1>2 1"},
		{"exactly half, neither inside the other", "111.", ".222", "weak match 1>2 2"},
		{"below half", "111..", "2....", "FP 1>0 2; FN 0>2 0"},
		{"missed and extra", "1..", "..2", "FP 1>0 1; FN 0>2 1"},
		{"two halves: the low answer id is paired", "12", "33", "FP 2>0 0; split 0>3 0; weak match 1>3 0"},
		{"split in three", "112233", "777777", "FP 1>0 0; FP 2>0 0; FP 3>0 0; FN 0>7 0; split 0>7 0"},
		{"one over two", "111111", "222333", "merge 1>0 0; weak match 1>2 0; FN 0>3 0"},
		{"a sliver of a neighbour is no split", "11111122222222", "777777778888..", "TP 1>7 0; weak match 2>8 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, marks, _ := fast(t, picture(c.pred), picture(c.truth))
			if got := markText(marks); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func markText(marks []report.Mark) string {
	var parts []string
	for _, m := range marks {
		wrong := m.Wrong
		if m.Diagnostic {
			wrong = 0 // set when costs are
		}
		parts = append(parts, string(m.Kind)+" "+itoa(m.Pred)+">"+itoa(m.Truth)+" "+itoa(int64(wrong)))
	}
	return strings.Join(parts, "; ")
}

// Values that are foreground without being an instance, and ids without area.
func TestOddValues(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	row := func(v ...float64) raster.Array {
		return raster.Array{Shape: []int{1, len(v)}, Axes: "YX", Type: pixel.Float64, Values: v}
	}
	for _, c := range []struct {
		name        string
		pred, truth raster.Array
		want        string
	}{
		{"a fraction is foreground, no instance", row(0.5, 0.5, 0), row(0, 1, 1), "loose answer 0>0 1; FN 0>1 1"},
		{"both loose", row(0.5, 0), row(0.25, 0.25), "loose truth 0>0 1; loose answer 0>0 0"},
		{"2.7 is instance 2", row(2.7, 2), row(5, 5), "TP 2>5 0"},
		{"negative ids have no area", row(-3, -3, 1), row(0, 0, 1), "FP -3>0 0; TP 1>1 0"},
		{"NaN is one more id", row(nan, nan, 1), row(0, 0, 1), "FP -9223372036854775808>0 0; TP 1>1 0"},
		{"infinity is foreground of that id", row(inf, nan, 1), row(0, 0, 1), "FP -9223372036854775808>0 1; TP 1>1 0"},
		{"-0.5 is nothing", row(-0.5, 1), row(0, 1), "TP 1>1 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, marks, _ := fast(t, c.pred, c.truth)
			if got := markText(marks); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// A diagnostic mark shows its objects together: their box, their area, and what their official marks cost.
func TestDiagnosticMarks(t *testing.T) {
	pred, truth := picture("1111111. ........ .......2"), picture("233344.. 233344.. 2.......")
	_, marks, c := fast(t, pred, truth)
	v := verdict{marks: marks, counts: count(marks, c.Pred.Foreground, c.Truth.Foreground)}
	v.image.Status, v.image.Scores = report.Scored, v.counts.scores()
	v.charge("dice", 0.5)
	var merge report.Mark
	sum := 0.0
	for _, m := range v.marks {
		if m.Kind == report.Merge {
			merge = m
		} else {
			sum += m.Cost
		}
	}
	// Answer 1 has 7 pixels, 1 of them wrong; truths 3 and 4 (2 is too small a part) have 6 and 4, half of them wrong.
	if merge.Wrong != 6 || math.Abs(merge.Cost-0.5*6/21) > 1e-12 || merge.Area != 7+3+2 ||
		merge.Box != (report.Box{Z1: 1, Y1: 2, X1: 7}) || len(merge.Others) != 2 || merge.Others[0] != 3 || merge.X != 3 {
		t.Errorf("got %+v", merge)
	}
	if want := 0.5 * (1 - v.image.Scores.Dice); math.Abs(sum-want) > 1e-12 {
		t.Errorf("costs add up to %v, want %v", sum, want)
	}
	if want := "Merged objects: answer 1 covers truths 3 and 4 (diagnostic)"; merge.Text != want {
		t.Errorf("got %q, want %q", merge.Text, want)
	}
}

func TestPairBoxAndNegativeArea(t *testing.T) {
	_, marks, _ := fast(t, picture(".11. .11."), picture("22.. 22.2"))
	if len(marks) != 2 || marks[0].Kind != report.FP {
		t.Fatalf("got %+v", marks)
	}
	_, marks, _ = fast(t, picture(".111. .111."), picture("1111. 1111."))
	if m := marks[0]; m.Box != (report.Box{Z1: 1, Y1: 2, X1: 4}) || m.Area != 8 || m.X != 1.5 || m.Y != 0.5 {
		t.Errorf("the box holds both objects, the centroid is the truth's: %+v", m)
	}
	_, _, c := fast(t, raster.Array{Shape: []int{1, 2}, Type: pixel.Int16, Values: []int16{-4, -4}}, raster.Array{Shape: []int{1, 2}, Type: pixel.Int16, Values: []int16{0, 1}})
	if o := c.Pred.Objects[0]; o.Area != 0 || o.Pixels != 2 || o.Outside != 0 {
		t.Errorf("a negative id has no area: %+v", o)
	}
}

func TestColourIsReduced(t *testing.T) {
	rgb := raster.Array{Shape: []int{2, 2, 3}, Axes: "YXS", Type: pixel.Uint8, Values: []uint8{
		1, 0, 9, 1, 7, 9, 2, 8, 9, 2, 0, 7, // 2, 3, 2 distinct values
	}}
	got := reduceColour(rgb)
	if v := got.Values.([]uint8); len(got.Shape) != 2 || string(v) != string([]uint8{0, 7, 8, 0}) || got.Axes != "YX" {
		t.Errorf("got %+v", got)
	}
	tie := raster.Array{Shape: []int{1, 2, 3}, Axes: "YXS", Type: pixel.Uint8, Values: []uint8{1, 5, 0, 2, 6, 0}}
	if v := reduceColour(tie).Values.([]uint8); v[0] != 1 {
		t.Errorf("the first of equals must be taken, got %v", v)
	}
	for _, a := range []raster.Array{
		{Shape: []int{1, 2, 2}, Type: pixel.Uint8, Values: []uint8{1, 2, 3, 4}},
		{Shape: []int{1, 1, 3}, Type: pixel.Uint16, Values: []uint16{1, 2, 3}},
	} {
		if got := reduceColour(a); len(got.Shape) != 3 {
			t.Errorf("an array of shape %v and type %v must pass unchanged", a.Shape, a.Type)
		}
	}
}

func TestBlobs(t *testing.T) {
	for _, c := range []struct {
		picture string
		want    int
	}{
		{"...", 0}, {"1.1", 2}, {"11 11", 1}, {"1. .1", 1}, {"1.1 111", 1}, {"1..1 .... 1.11", 4}, {"1.1.1 1.1.1 11111", 1}, {"12", 1},
	} {
		if got := countBlobs(picture(c.picture)); got != c.want {
			t.Errorf("%q: %d regions, want %d", c.picture, got, c.want)
		}
	}
	v := []uint8{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0} // two planes of 3 x 3
	stack := raster.Array{Shape: []int{2, 3, 3}, Axes: "ZYX", Type: pixel.Uint8, Values: v}
	if got := countBlobs(stack); got != 2 {
		t.Errorf("stack: %d regions, want 2", got)
	}
	v[9+4] = 1
	if got := countBlobs(stack); got != 1 {
		t.Errorf("stack with a bridge: %d regions, want 1", got)
	}
}

// A panic in a part of the work reaches the caller, whose recovery then counts; lost in a goroutine it would end the program.
func TestPanicsReachTheCaller(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	short := raster.Array{Shape: []int{1024, 1024}, Axes: "YX", Type: pixel.Uint16, Values: make([]uint16, 5)}
	for name, work := range map[string]func(){
		"Count":      func() { Count(t.Context(), short, short, 4) },
		"BoundaryF1": func() { BoundaryF1(t.Context(), short, short, 4) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			work()
		}()
	}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
