package session

import (
	"math"
	"testing"

	"coverslip/datasets/raster"
	"coverslip/scoring/report"
	"coverslip/viewer"
	"coverslip/viewer/render"
)

func TestInterpolatedBetweenPixelCentres(t *testing.T) {
	p := raster.Plane{H: 2, W: 3, Values: []uint8{0, 10, 20, 100, 110, 120}}
	for at, want := range map[viewer.Point]float64{
		{Y: 0.5, X: 0.5}: 0, {Y: 0.5, X: 1}: 5, {Y: 1, X: 1.5}: 60, {Y: 1.5, X: 2.5}: 120, {Y: 1.9, X: 2.9}: 120, {Y: 0, X: 0}: 0,
	} {
		if got := interpolated(&render.Channel{Plane: p}, p.H, p.W, at); got != want {
			t.Errorf("%v: %g, expected %g", at, got, want)
		}
	}
	for _, at := range []viewer.Point{{Y: -0.1, X: 1}, {Y: 2, X: 1}, {Y: 1, X: 3}} {
		if !math.IsNaN(interpolated(&render.Channel{Plane: p}, p.H, p.W, at)) {
			t.Errorf("%v lies outside", at)
		}
	}
}

func TestProfileFollowsTheLine(t *testing.T) {
	o := openDemo(t, 0)
	if _, ok := o.Profile(); ok || o.LineText() != "" {
		t.Fatal("a profile without a line")
	}
	o.SetLine(viewer.Segment{From: viewer.Point{Y: 100.5, X: 20.5}, To: viewer.Point{Y: 100.5, X: 60.5}})
	p, ok := o.Profile()
	if !ok || len(p.At) != 41 || len(p.Channels) != 3 {
		t.Fatalf("%v, %d samples of %d channels", ok, len(p.At), len(p.Channels))
	}
	c := o.picked.opened.Pixel()
	if p.Unit != "µm" || math.Abs(p.At[40]-40*c.X) > 1e-9 {
		t.Errorf("ends at %g %s with pixels of %g µm", p.At[40], p.Unit, c.X)
	}
	for i, v := range p.Channels[1].Values {
		if want := o.Scene().Channels[1].Plane.At(100, 20+i); v != want {
			t.Fatalf("sample %d: %g, the pixel is %g", i, v, want)
		}
	}
}

func TestMeasuredObjectAgreesWithTheReport(t *testing.T) {
	o := openDemo(t, 0)
	for i, m := range o.Report().Marks {
		if m.Kind != report.FN || i > 400 {
			continue
		}
		o.batch(func() { o.goTo(m) })
		o.settle(t)
		list := o.MeasureFocus()
		if len(list) != 1 || list[0].Side != "truth" || list[0].ID != m.Truth {
			t.Fatalf("%+v", list)
		}
		got := list[0]
		if got.Area != m.Area || math.Abs(got.Y-m.Y) > 1e-6 || math.Abs(got.X-m.X) > 1e-6 {
			t.Errorf("area %d at %g, %g; the mark has %d at %g, %g", got.Area, got.Y, got.X, m.Area, m.Y, m.X)
		}
		for _, ch := range got.Channels {
			if !(ch.Min <= ch.Mean && ch.Mean <= ch.Max && ch.SD >= 0) {
				t.Errorf("%+v", ch)
			}
		}
	}
}
