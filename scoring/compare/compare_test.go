package compare_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"coverslip/scoring/compare"
	"coverslip/scoring/report"
)

// one is a report of one scored image with the given marks; two runs of it have one truth.
func one(marks ...report.Mark) *report.Report {
	return &report.Report{TaskID: "t", Images: []report.Image{{Name: "kidney", Truth: "kidney.tif", Status: report.Scored}}, Marks: marks}
}

func object(kind report.Kind, pred, truth report.ID, iou, cost float64) report.Mark {
	return report.Mark{Kind: kind, Pred: pred, Truth: truth, IoU: iou, Cost: cost}
}

// extra is an object of the answer alone, in a square.
func extra(pred report.ID, y, x, side int, cost float64) report.Mark {
	return report.Mark{Kind: report.FP, Pred: pred, Box: report.Box{Y0: y, X0: x, Z1: 1, Y1: y + side, X1: x + side}, Area: side * side, Cost: cost}
}

func at(m report.Mark, frame int) report.Mark { m.T = frame; return m }

func region(kind report.Kind, y, x, side, pixels int) report.Mark {
	m := extra(0, y, x, side, float64(pixels)/1000)
	m.Kind, m.Area, m.Wrong = kind, pixels, pixels
	return m
}

func dot(pred report.ID, y, x float64) report.Mark {
	return report.Mark{Kind: report.FP, Pred: pred, Y: y, X: x, Box: report.Box{Y0: int(y), X0: int(x), Z1: 1, Y1: int(y) + 1, X1: int(x) + 1}, Cost: 0.01}
}

func key(kind report.Kind, name string, cost float64) report.Mark {
	return report.Mark{Kind: kind, Key: name, Cost: cost}
}

func link(kind report.Kind, from, to report.ID, frame int) report.Mark {
	return report.Mark{Kind: kind, Truth: to, Others: []report.ID{from}, T: frame, Cost: 0.01}
}

func diagnostic(m report.Mark) report.Mark { m.Diagnostic = true; return m }

func off(truth report.ID, distance float64) report.Mark {
	return report.Mark{Kind: report.TP, Truth: truth, Pred: truth, Found: distance, Diagnostic: true}
}

func counts(truth report.ID, found, expected, cost float64) report.Mark {
	return report.Mark{Kind: report.CountError, Truth: truth, Pred: 1, Found: found, Expected: expected, Cost: cost}
}

type marks []report.Mark

func TestOneChange(t *testing.T) {
	for _, c := range []struct {
		name   string
		a, b   marks
		aspect compare.Aspect
		class  compare.Class
		by     compare.By
		gain   float64
	}{
		{"missed, then found", marks{object(report.FN, 0, 3, 0, 0.1)}, marks{object(report.TP, 9, 3, 0.8, 0.02)}, compare.Object, compare.Gained, "", 0.08},
		{"found, then missed", marks{object(report.Weak, 9, 3, 0.6, 0.02)}, marks{object(report.FN, 0, 3, 0, 0.1)}, compare.Object, compare.Lost, "", -0.08},
		{"a better outline", marks{object(report.Weak, 9, 3, 0.6, 0.04)}, marks{object(report.TP, 2, 3, 0.8, 0.02)}, compare.Object, compare.Improved, compare.ByIoU, 0.02},
		{"a worse outline that costs less", marks{object(report.TP, 9, 3, 0.9, 0.04)}, marks{object(report.TP, 2, 3, 0.8, 0.02)}, compare.Object, compare.Worsened, compare.ByIoU, 0.02},
		{"missed by both", marks{object(report.FN, 0, 3, 0, 0.1)}, marks{object(report.FN, 0, 3, 0, 0.05)}, compare.Object, compare.Unchanged, "", 0.05},
		{"a nearer point", marks{off(3, 4)}, marks{off(3, 1)}, compare.Object, compare.Improved, compare.ByDistance, 0},
		{"a farther point", marks{off(3, 1)}, marks{off(3, 4)}, compare.Object, compare.Worsened, compare.ByDistance, 0},
		{"a count nearer to the truth's", marks{counts(3, 9, 4, 0.1)}, marks{counts(3, 3, 4, 0.2)}, compare.Object, compare.Improved, compare.ByError, -0.1},
		{"a count put right", marks{counts(3, 9, 4, 0.1)}, marks{{Kind: report.TP, Truth: 3, Found: 4, Expected: 4}}, compare.Object, compare.Improved, "", 0.1},
		{"a class put right", marks{object(report.WrongClass, 1, 3, 0, 0.1)}, marks{object(report.TP, 1, 3, 0, 0)}, compare.Object, compare.Improved, "", 0.1},
		{"found, of another class", marks{object(report.FN, 0, 3, 0, 0.1)}, marks{object(report.WrongClass, 1, 3, 0, 0.1)}, compare.Object, compare.Gained, "", 0},
		{"a curve that fits better", marks{key(report.ValueError, "cell 1", 0.3)}, marks{key(report.ValueError, "cell 1", 0.1)}, compare.Value, compare.Improved, compare.ByCost, 0.2},
		{"a value that is there now", marks{key(report.MissingValue, "dose", 0.3)}, marks{key(report.ValueError, "dose", 0.1)}, compare.Value, compare.Gained, "", 0.2},
		{"a count that is right now and has no mark", marks{key(report.CountError, "kidney", 0.3)}, nil, compare.Value, compare.Improved, "", 0.3},
		{"a link found", marks{link(report.MissedLink, 1, 1, 4)}, nil, compare.Link, compare.Gained, "", 0.01},
		{"a link lost", nil, marks{link(report.MissedLink, 1, 1, 4)}, compare.Link, compare.Lost, "", -0.01},
		{"a link of the wrong kind put right", marks{link(report.WrongClass, 1, 2, 4)}, nil, compare.Link, compare.Improved, "", 0.01},
		{"a link there, of the wrong kind", marks{link(report.MissedLink, 1, 2, 4)}, marks{link(report.WrongClass, 1, 2, 4)}, compare.Link, compare.Gained, "", 0},
		{"no longer split", marks{diagnostic(object(report.Split, 0, 3, 0.4, 0.1))}, nil, compare.Split, compare.Improved, "", 0},
		{"merged now", nil, marks{{Kind: report.Merge, Pred: 8, Others: []report.ID{3, 4}, Diagnostic: true}}, compare.Merge, compare.Worsened, "", 0},
		{"a division found", marks{diagnostic(object(report.MissedDivide, 0, 3, 0, 0))}, nil, compare.Division, compare.Gained, "", 0},
		{"an extra object in one place", marks{extra(5, 10, 10, 8, 0.1)}, marks{extra(7, 11, 11, 8, 0.02)}, compare.Object, compare.Kept, "", 0.08},
		{"an extra object gone", marks{extra(5, 10, 10, 8, 0.1)}, nil, compare.Object, compare.Dropped, "", 0.1},
		{"an extra object added", nil, marks{extra(5, 10, 10, 8, 0.1)}, compare.Object, compare.Added, "", -0.1},
		{"extra points in one place", marks{dot(5, 10.2, 10)}, marks{dot(6, 12, 13.1)}, compare.Object, compare.Kept, "", 0},
		{"a region that is smaller", marks{region(report.MissedPixels, 5, 5, 10, 90)}, marks{region(report.MissedPixels, 5, 6, 10, 40)}, compare.Region, compare.Improved, compare.ByPixels, 0.05},
		{"a region found", marks{region(report.MissedPixels, 5, 5, 10, 90)}, nil, compare.Region, compare.Gained, "", 0.09},
		{"an extra region gone", marks{region(report.ExtraPixels, 5, 5, 10, 90)}, nil, compare.Region, compare.Dropped, "", 0.09},
		{"a well twice", nil, marks{diagnostic(key(report.Duplicate, "A01", 0))}, compare.Remark, compare.Worsened, "", 0},
	} {
		got := compare.Compare(one(c.a...), one(c.b...))
		if len(got.Changes) != 1 {
			t.Errorf("%s: %d changes, want 1: %+v", c.name, len(got.Changes), got.Changes)
			continue
		}
		x := got.Changes[0]
		if x.Aspect != c.aspect || x.Class != c.class || x.By != c.by || math.Abs(x.Gain-c.gain) > 1e-12 {
			t.Errorf("%s: %s %s by %q, gain %v; want %s %s by %q, gain %v", c.name, x.Aspect, x.Class, x.By, x.Gain, c.aspect, c.class, c.by, c.gain)
		}
	}
}

// What does not belong together is not paired.
func TestTwoChanges(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b marks
	}{
		{"other ids", marks{object(report.FN, 0, 3, 0, 0)}, marks{object(report.FN, 0, 4, 0, 0)}},
		{"other frames", marks{at(object(report.FN, 0, 3, 0, 0), 1)}, marks{at(object(report.FN, 0, 3, 0, 0), 2)}},
		{"a cell and the link to it", marks{object(report.FN, 0, 3, 0, 0)}, marks{link(report.MissedLink, 1, 3, 0)}},
		{"links from two tracks", marks{link(report.MissedLink, 1, 3, 0)}, marks{link(report.MissedLink, 2, 3, 0)}},
		{"an extra object and one of twice its side", marks{extra(5, 10, 10, 8, 0)}, marks{extra(7, 10, 10, 16, 0)}},
		{"extra objects apart by half a side", marks{extra(5, 10, 10, 8, 0)}, marks{extra(7, 10, 14, 8, 0)}},
		{"extra objects in other frames", marks{at(extra(5, 10, 10, 8, 0), 1)}, marks{extra(7, 10, 10, 8, 0)}},
		{"points six pixels apart", marks{dot(5, 10, 10)}, marks{dot(7, 10, 16)}},
		{"regions of one pixel apart by one", marks{region(report.MissedPixels, 5, 5, 1, 1)}, marks{region(report.MissedPixels, 5, 6, 1, 1)}},
		{"a missed and an extra region", marks{region(report.MissedPixels, 5, 5, 10, 90)}, marks{region(report.ExtraPixels, 5, 5, 10, 90)}},
		{"smaller regions together", marks{region(report.MissedPixels, 5, 5, 2, 90)}, marks{region(report.MissedPixels, 5, 5, 2, 90)}},
		{"values of two keys", marks{key(report.ValueError, "a", 0)}, marks{key(report.ValueError, "b", 0)}},
	} {
		if got := compare.Compare(one(c.a...), one(c.b...)); len(got.Changes) != 2 {
			t.Errorf("%s: %d changes, want 2: %+v", c.name, len(got.Changes), got.Changes)
		}
	}
}

// An image that one run lacks: the objects that the other finds in it are gained, and the image holds what that brings.
func TestRowJudgedAsAWhole(t *testing.T) {
	a := one(report.Mark{Kind: report.Whole, Cost: 0.5})
	a.Images[0].Status = report.MissingAnswer
	b := one(object(report.TP, 1, 1, 0.9, 0.02), object(report.FN, 0, 2, 0, 0.1), extra(9, 0, 0, 4, 0.03))
	c := compare.Compare(a, b)
	want := map[string]float64{"object gained": 0, "object unchanged": 0, "object newly invented": 0, "whole row gained": 0.35}
	for _, x := range c.Changes {
		name := x.Aspect.String() + " " + string(x.Class)
		if gain, known := want[name]; !known || math.Abs(x.Gain-gain) > 1e-12 {
			t.Errorf("%s: gain %v, want %v", name, x.Gain, gain)
		}
	}
	if len(c.Changes) != len(want) || math.Abs(c.Gain-0.35) > 1e-12 || math.Abs(c.Rows[0].Gain-0.35) > 1e-12 {
		t.Errorf("%d changes, gain %v, of the row %v", len(c.Changes), c.Gain, c.Rows[0].Gain)
	}
}

// Where the reports share no row the whole run holds the difference.
func TestRunWithoutAnswer(t *testing.T) {
	a := &report.Report{Images: []report.Image{{Name: "cell_quants", Status: report.MissingAnswer}}, Marks: []report.Mark{{Kind: report.Whole, Key: "cell_quants", Cost: 1}}}
	b := one(object(report.TP, 1, 1, 0.9, 0.02), object(report.TP, 2, 2, 0.9, 0.1))
	b.Images = append(b.Images, report.Image{Name: "liver", Status: report.Scored})
	b.Marks[1].Image = 1
	b.Marks = append(b.Marks, extra(3, 1, 1, 4, 0.05))
	c := compare.Compare(a, b)
	if n := len(compare.HardFor(a, b)); n != 0 {
		t.Errorf("%d things are hard where one run has all", n)
	}
	if c.Count(compare.Object, compare.Gained) != 2 || c.Count(compare.Value, compare.Gained) != 1 || c.Count(compare.Run, compare.Improved) != 1 || math.Abs(c.Gain-0.83) > 1e-12 || math.Abs(c.Changes[0].Gain-0.83) > 1e-12 {
		t.Errorf("%+v, gain %v", c.Tallies(), c.Gain)
	}
}

// What one run invents in a row of its own is its own.
func TestRowOfOneRunAlone(t *testing.T) {
	a, b := one(object(report.TP, 1, 1, 0.9, 0.02)), one(object(report.TP, 1, 1, 0.9, 0.02), extra(3, 1, 1, 4, 0.05))
	b.Images = append(b.Images, report.Image{Name: "liver", Status: report.Scored})
	b.Marks[1].Image = 1
	c := compare.Compare(a, b)
	if c.Count(compare.Run, compare.Worsened) != 0 || math.Abs(c.Rows[1].Gain+0.05) > 1e-12 {
		t.Errorf("%+v, rows %+v", c.Tallies(), c.Rows)
	}
}

func TestRowsAreAligned(t *testing.T) {
	image := func(name, compartment, truth string) report.Image {
		return report.Image{Name: name, Compartment: compartment, Truth: truth, Status: report.Scored}
	}
	for _, c := range []struct {
		name string
		a, b []report.Image
		want string // the rows as pairs of image numbers
	}{
		{"by name", []report.Image{image("a", "", ""), image("b", "", "")}, []report.Image{image("b", "", ""), image("a", "", "")}, "0-1 1-0"},
		{"compartments apart", []report.Image{image("a", "nuclei", ""), image("a", "cytoplasm", "")}, []report.Image{image("a", "cytoplasm", ""), image("a", "nuclei", "")}, "0-1 1-0"},
		{"one name twice", []report.Image{image("a", "", ""), image("a", "", "")}, []report.Image{image("a", "", ""), image("a", "", "")}, "0-0 1-1"},
		{"by the truth's file", []report.Image{image("r1", "", "x.tif"), image("r2", "", "y.tif")}, []report.Image{image("y", "", "y.tif"), image("x", "", "x.tif")}, "0-1 1-0"},
		{"single rows", []report.Image{image("mosaic_a", "", "")}, []report.Image{image("mosaic_b", "", "")}, "0-0"},
		{"one file of truth for all", []report.Image{image("a", "", "t.csv"), image("b", "", "t.csv")}, []report.Image{image("b", "", "t.csv"), image("c", "", "t.csv")}, "0--1 1-0 -1-1"},
	} {
		got := ""
		for _, r := range compare.Compare(&report.Report{Images: c.a}, &report.Report{Images: c.b}).Rows {
			got += fmt.Sprintf(" %d-%d", r.A.Image, r.B.Image)
		}
		if got != " "+c.want {
			t.Errorf("%s: rows %s, want %s", c.name, got, c.want)
		}
	}
}

func TestMetrics(t *testing.T) {
	record := func() *report.Record { return new(report.Record) }
	a, b := one(), one()
	a.Metrics = record().Set("dice", 0.5).Set("n", 3).Set("name", "x").Set("skipped", nil).Set("shape", []any{4, 5}).
		Set("compartments", record().Set("nuclei", record().Set("dice", 0.25))).
		Set("per_image", []*report.Record{record().Set("dice", 0.5).Set("stem", "k1"), record().Set("dice", 1.0).Set("stem", "k2")})
	b.Metrics = record().Set("dice", 0.75).Set("extra", math.NaN()).Set("pq", 0.5).
		Set("per_image", []*report.Record{record().Set("dice", 0.75).Set("stem", "k2")})
	got := map[string][2]float64{}
	for _, m := range compare.Compare(a, b).Metrics {
		got[m.Path] = [2]float64{zero(m.A), zero(m.B)}
	}
	want := map[string][2]float64{"dice": {0.5, 0.75}, "n": {3, -1}, "shape[0]": {4, -1}, "shape[1]": {5, -1}, "compartments.nuclei.dice": {0.25, -1},
		"per_image[k1].dice": {0.5, -1}, "per_image[k2].dice": {1, 0.75}, "pq": {-1, 0.5}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// zero writes -1 for no number.
func zero(v float64) float64 {
	if math.IsNaN(v) {
		return -1
	}
	return v
}

func TestHardForEveryone(t *testing.T) {
	missing := one(report.Mark{Kind: report.Whole, Cost: 1})
	a := one(object(report.FN, 0, 1, 0, 0.1), object(report.FN, 0, 2, 0, 0.3), object(report.WrongClass, 4, 3, 0, 0.2), object(report.Weak, 5, 4, 0.5, 0.1), region(report.MissedPixels, 5, 5, 10, 90))
	b := one(object(report.TP, 1, 1, 0.9, 0), object(report.FN, 0, 2, 0, 0.1), object(report.FN, 0, 3, 0, 0.2), object(report.FN, 0, 4, 0, 0.1), region(report.MissedPixels, 5, 6, 10, 40), extra(3, 1, 1, 2, 0.1))
	for _, runs := range [][]*report.Report{{a, b}, {b, a}, {a, b, missing}, {missing, a, b}} {
		got := map[string]string{}
		for _, h := range compare.HardFor(runs...) {
			got[fmt.Sprintf("%s%d", h.Aspect, h.Truth)] = fmt.Sprint(h.Missed, h.Wrong)
			if len(h.Marks) != len(runs) {
				t.Errorf("%d marks of %d runs", len(h.Marks), len(runs))
			}
		}
		n := len(runs)
		want := map[string]string{"object2": fmt.Sprint(n, 0), "object3": fmt.Sprint(n-1, 1), "region0": fmt.Sprint(n, 0)}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d runs: %v, want %v", n, got, want)
		}
	}
	if hard := compare.HardFor(a, b); hard[0].Truth != 2 && hard[0].Truth != 3 || math.Abs(hard[0].Cost-0.2) > 1e-12 {
		t.Errorf("the costliest is %+v", hard[0])
	}
	if got := len(compare.HardFor(missing, missing)); got != 1 {
		t.Errorf("%d things are hard where all runs lack the image, want the image", got)
	}
	if compare.HardFor() != nil {
		t.Error("something is hard for nobody")
	}
}

// A name that a report uses several times stands for as many things.
func TestOneNameSeveralTimes(t *testing.T) {
	row := diagnostic(key(report.OutOfRange, "Control", 0))
	c := compare.Compare(one(row, row, row), one(row))
	if c.Count(compare.Remark, compare.Unchanged) != 1 || c.Count(compare.Remark, compare.Improved) != 2 {
		t.Errorf("%+v", c.Tallies())
	}
}

// A cell without a table is one mark in one run, an onset and a curve in the other.
func TestRowWithoutPartner(t *testing.T) {
	a := one(key(report.Unmatched, "cell 1", 0.25))
	b := one(key(report.ValueError, "cell 1", 0.02), key(report.ValueError, "cell 1, curve", 0.03))
	c := compare.Compare(a, b)
	if len(c.Changes) != 2 || c.Count(compare.Value, compare.Gained) != 2 || math.Abs(c.Changes[0].Gain-0.2) > 1e-12 || c.Changes[1].Gain != 0 {
		t.Errorf("%+v", c.Changes)
	}
}

func TestFrames(t *testing.T) {
	a := one(at(object(report.FN, 0, 1, 0, 0.1), 4), at(extra(5, 10, 10, 8, 0.05), 2))
	b := one(at(object(report.TP, 3, 1, 0.9, 0), 4))
	c := compare.Compare(a, b)
	want := []compare.Frame{{Row: 0, Frame: 2, Gain: 0.05, Counts: compare.Counts{Dropped: 1}}, {Row: 0, Frame: 4, Gain: 0.1, Counts: compare.Counts{Gained: 1}}}
	if !reflect.DeepEqual(c.Frames, want) || c.Changes[0].Frame != 2 {
		t.Errorf("%+v, want %+v", c.Frames, want)
	}
	if c := compare.Compare(one(object(report.FN, 0, 1, 0, 0.1)), one()); c.Frames != nil {
		t.Errorf("a single frame is listed: %+v", c.Frames)
	}
}
