package chart

import (
	"fmt"
	"image"
	"io"
	"slices"
	"testing"
	"time"

	"coverslip/viewer/render"
)

// The promises: every chart of the gallery at 640 x 400 in at most 10 ms, a lineage of 20,000 lives at 500 x 900 in at most 25 ms a frame at
// any zoom, laid out in at most 100 ms.

// timed reports the median and the shortest time as well, which say more than the mean on a busy machine.
func timed(b *testing.B, do func()) {
	var times []time.Duration
	for b.Loop() {
		start := time.Now()
		do()
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2].Seconds()*1e3, "median-ms")
	b.ReportMetric(times[0].Seconds()*1e3, "best-ms")
}

func BenchmarkDraw(b *testing.B) {
	for _, k := range gallery() {
		b.Run(k.name, func(b *testing.B) {
			m := image.NewRGBA(image.Rect(0, 0, 640, 400))
			timed(b, func() { k.chart.Draw(m, Options{}) })
		})
	}
}

func BenchmarkDrawScale2(b *testing.B) {
	for _, k := range gallery() {
		b.Run(k.name, func(b *testing.B) {
			m := image.NewRGBA(image.Rect(0, 0, 1280, 800))
			timed(b, func() { k.chart.Draw(m, Options{Scale: 2}) })
		})
	}
}

func BenchmarkScatter50000(b *testing.B) {
	c := XY{Series: []Series{{X: normal(1, 50000, 0, 1), Y: normal(2, 50000, 0, 1)}}}
	m := image.NewRGBA(image.Rect(0, 0, 640, 400))
	timed(b, func() { c.Draw(m, Options{}) })
}

// thousands is a lineage of n lives over 800 frames, with errors.
func thousands(n int) []Forest {
	var lives []Life
	for seed := uint64(0); len(lives) < n; seed++ {
		more := grow(1, 8, 100+seed)
		for i := range more {
			more[i].ID += int64(len(lives))
			more[i].Partner = more[i].ID
			if more[i].Parent != 0 {
				more[i].Parent += int64(len(lives))
			}
			more[i].Start, more[i].End = 2*more[i].Start, 2*more[i].End
			switch i % 9 {
			case 1:
				more[i].Style = render.Extra
			case 2:
				more[i].Faults = []Fault{{T: more[i].End, Kind: FaultKind(1 + i%6)}}
			case 3:
				more[i].Gaps = []Range{{more[i].Start + 4, more[i].Start + 9}}
			}
		}
		lives = append(lives, more...)
	}
	return []Forest{{Name: "answer", Lives: lives[:n/2]}, {Name: "truth", Lives: lives[:n/2]}}
}

func BenchmarkLineage(b *testing.B) {
	l := NewLineage(thousands(20000)...)
	cursor := 300.0
	for _, upright := range []bool{false, true} {
		for _, zoom := range []float64{1, 4, 16, 64, 512} {
			b.Run(fmt.Sprintf("upright=%v/zoom=%v", upright, zoom), func(b *testing.B) {
				m := image.NewRGBA(image.Rect(0, 0, 500, 900))
				c := l
				c.Upright = upright
				c.Camera = c.Whole().Zoom(min(zoom, 8), zoom, 300, 4000)
				timed(b, func() { c.Draw(m, Options{Cursor: &cursor}) })
			})
		}
	}
}

func BenchmarkLineageLayout(b *testing.B) {
	f := thousands(20000)
	timed(b, func() { NewLineage(f...) })
}

func BenchmarkLineageAt(b *testing.B) {
	l := NewLineage(thousands(20000)...)
	timed(b, func() { l.At(500, 900, Options{}, 400, 250) })
}

func BenchmarkSVG(b *testing.B) {
	for b.Loop() {
		if err := kinetics().SVG(io.Discard, 640, 400); err != nil {
			b.Fatal(err)
		}
	}
}
