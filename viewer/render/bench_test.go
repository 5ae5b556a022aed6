package render

import (
	"fmt"
	"image"
	"slices"
	"testing"
	"time"

	"coverslip/viewer"
)

// The promises: BenchmarkComposeFull2048 at most 12 ms and 12 copies, BenchmarkComposeWindow at most 4 ms,
// BenchmarkPrepareLabels at most 25 ms. "copies" is the time over that of copying the same bytes, measured in the same run.

func judgedView(w, h int) viewer.View {
	return viewer.View{Zoom: 1, At: viewer.Point{Y: float64(h) / 2, X: float64(w) / 2}, Errors: true, Bar: true,
		Answer: viewer.LabelLayer{Style: viewer.Outline}}
}

func BenchmarkComposeFull2048(b *testing.B) {
	s := newTissue(2048, 45).scene()
	benchCompose(b, s, judgedView(2048, 2048), 2048, 2048, 2048*2048*(2+4))
}

// BenchmarkComposeStrip is a strip of 128 rows in one goroutine, short enough to be measured undisturbed on a busy machine;
// "full-ms" is what that makes for 2048 rows and two goroutines.
func BenchmarkComposeStrip(b *testing.B) {
	const rows = 128
	s := newTissue(2048, 45).scene()
	for _, c := range []struct{ name, view string }{{"image", ""}, {"judged", "errors=on answer=outline"}, {"both", "answer=outline truth=outline"}, {"fill", "answer=fill"}} {
		b.Run(c.name, func(b *testing.B) {
			v, err := viewer.Parse("zoom=1 at=1024,1024 " + c.view)
			if err != nil {
				b.Fatal(err)
			}
			dst := image.NewRGBA(image.Rect(0, 0, 2048, rows))
			best := time.Hour
			for b.Loop() {
				start := time.Now()
				compose(dst, s, v, 1)
				best = min(best, time.Since(start))
			}
			b.ReportMetric(best.Seconds()*1000*2048/rows/2, "full-ms")
		})
	}
}

func BenchmarkComposeWindow(b *testing.B) {
	s := newTissue(2048, 45).scene()
	for _, zoom := range []float64{0, 0.7, 1, 1.2, 2.5, 8} {
		b.Run(fmt.Sprintf("zoom=%v", zoom), func(b *testing.B) {
			v := judgedView(1400, 900)
			v.Zoom, v.At = zoom, viewer.Point{Y: 1024, X: 1024}
			benchCompose(b, s, v, 1400, 900, 0)
		})
	}
}

func BenchmarkComposeLayers(b *testing.B) {
	s := newTissue(2048, 45).scene()
	cases := map[string]string{"image": "", "fill": "answer=fill", "both": "answer=outline truth=outline", "focus": "errors=on focus=a40,t40"}
	for _, name := range []string{"image", "fill", "both", "focus"} {
		b.Run(name, func(b *testing.B) {
			v, err := viewer.Parse("zoom=1 at=1024,1024 " + cases[name])
			if err != nil {
				b.Fatal(err)
			}
			benchCompose(b, s, v, 1400, 900, 0)
		})
	}
}

func BenchmarkComposeThreeChannels(b *testing.B) {
	t := newTissue(2048, 45)
	s := t.scene()
	s.Channels = append(s.Channels, s.Channels[0], s.Channels[0])
	for _, zoom := range []float64{0, 1, 3} {
		b.Run(fmt.Sprintf("zoom=%v", zoom), func(b *testing.B) {
			v := judgedView(1400, 900)
			v.Zoom = zoom
			benchCompose(b, s, v, 1400, 900, 0)
		})
	}
}

// benchCompose reports the best and the median time of a frame in ms, and the best as a multiple of the best time of
// copying that many bytes (the plane's and the picture's), taken turn by turn. The best is what the code can do; the
// median also feels what else the machine is doing.
func benchCompose(b *testing.B, s *Scene, v viewer.View, w, h, bytes int) {
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	Compose(dst, s, v)
	frames := make([]float64, 0, 1<<16)
	copies := time.Hour.Seconds()
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		Compose(dst, s, v)
		if len(frames) < cap(frames) {
			frames = append(frames, time.Since(start).Seconds()*1000)
		}
		if bytes > 0 && len(frames)%8 == 1 {
			b.StopTimer()
			copies = min(copies, copyTime(bytes))
			b.StartTimer()
		}
	}
	slices.Sort(frames)
	b.ReportMetric(frames[0], "best-ms")
	b.ReportMetric(frames[len(frames)/2], "median-ms")
	if bytes > 0 {
		b.ReportMetric(frames[0]/copies, "copies")
	}
}

// copyTime is the best time in ms of copying that many bytes.
func copyTime(bytes int) float64 {
	from, to := make([]byte, bytes), make([]byte, bytes)
	for i := range from {
		from[i] = byte(i)
	}
	best := time.Hour
	for range 5 {
		start := time.Now()
		copy(to, from)
		best = min(best, time.Since(start))
	}
	return best.Seconds() * 1000
}

func BenchmarkPrepareLabels(b *testing.B) {
	for _, side := range []int{512, 2048} {
		b.Run(fmt.Sprint(side), func(b *testing.B) {
			p := newTissue(side, 45).truth()
			for b.Loop() {
				PrepareLabels(p, nil)
			}
			ms := b.Elapsed().Seconds() * 1000 / float64(b.N)
			b.ReportMetric(ms, "ms/plane")
			b.ReportMetric(ms/copyTime(2*side*side), "copies")
		})
	}
}

func BenchmarkPrepareChannel(b *testing.B) {
	for _, side := range []int{512, 2048} {
		b.Run(fmt.Sprint(side), func(b *testing.B) {
			p := newTissue(side, 45).plane()
			for b.Loop() {
				PrepareChannel(p)
			}
			ms := b.Elapsed().Seconds() * 1000 / float64(b.N)
			b.ReportMetric(ms, "ms/plane")
			b.ReportMetric(ms/copyTime(2*side*side), "copies")
		})
	}
}
