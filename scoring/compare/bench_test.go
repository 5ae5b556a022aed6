package compare_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"coverslip/scoring/compare"
	"coverslip/scoring/report"
)

// crowd is a run that judges n objects of the truth in ten images and invents one for every five: points, or boxes.
func crowd(seed uint64, n int, points bool) *report.Report {
	r := rand.New(rand.NewPCG(seed, 1))
	out := &report.Report{Metrics: new(report.Record).Set("dice", 0.5)}
	for i := range 10 {
		out.Images = append(out.Images, report.Image{Name: "image " + strconv.Itoa(i), Status: report.Scored})
	}
	for i := range n {
		m := report.Mark{Kind: report.TP, Image: i % 10, Truth: report.ID(i + 1), Pred: report.ID(i + 1), IoU: 0.5 + r.Float64()/2, Cost: r.Float64() / float64(n)}
		if r.IntN(4) == 0 {
			m.Kind, m.Pred, m.IoU = report.FN, 0, 0
		}
		out.Marks = append(out.Marks, m)
	}
	same := rand.New(rand.NewPCG(7, 7))
	for i := range n / 5 {
		y, x, side := same.IntN(2000), same.IntN(2000), 6+same.IntN(30)
		if points {
			side = 1
		}
		y, x = y+r.IntN(3), x+r.IntN(3)
		out.Marks = append(out.Marks, report.Mark{Kind: report.FP, Image: i % 10, Pred: report.ID(n + i), Y: float64(y), X: float64(x),
			Box: report.Box{Y0: y, X0: x, Z1: 1, Y1: y + side, X1: x + side}, Cost: 1 / float64(n)})
	}
	return out
}

// BenchmarkCompare compares two runs. Promised: 1,000 objects in 50 ms, 100,000 in 1 s.
func BenchmarkCompare(b *testing.B) {
	for _, points := range []bool{false, true} {
		for _, n := range []int{1000, 100_000} {
			b.Run(fmt.Sprintf("%d-objects-points-%v", n, points), func(b *testing.B) {
				x, y := crowd(1, n, points), crowd(2, n, points)
				b.ReportAllocs()
				for b.Loop() {
					if c := compare.Compare(x, y); c.Count(compare.Object, compare.Kept) < n/10 {
						b.Fatalf("%+v", c.Tallies())
					}
				}
			})
		}
	}
}

// BenchmarkHardFor lists what is hard for five runs of 100,000 objects.
func BenchmarkHardFor(b *testing.B) {
	var runs []*report.Report
	for seed := range uint64(5) {
		runs = append(runs, crowd(seed, 100_000, false))
	}
	for b.Loop() {
		if len(compare.HardFor(runs...)) == 0 {
			b.Fatal("nothing is hard")
		}
	}
}

// Many answers on one spot, and huge coordinates, take no longer.
func TestCrowdedSpots(t *testing.T) {
	a, b := one(), one()
	for i := range 20_000 {
		a.Marks = append(a.Marks, dot(report.ID(i+1), 5, 5))
		b.Marks = append(b.Marks, dot(report.ID(i+1), 5, 5), extra(report.ID(i), 1<<40, 1<<40, 3, 0))
	}
	start := time.Now()
	c := compare.Compare(a, b)
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	if n := c.Count(compare.Object, compare.Kept); n == 0 {
		t.Error("nothing is invented by both")
	}
}
