package render

import (
	"fmt"
	"image"
	"math"
	"testing"
	"time"

	"coverslip/viewer"
)

// The promises at 1400 x 900 device pixels, the image included: 5,000 tracks with tails of 30 frames at most 8 ms, 200,000
// localisations at most 15 ms, four channels with label outlines and errors at most 6 ms.

const benchW, benchH = 1400, 900

// benchScene is an image with nothing over it.
func benchScene() *Scene {
	s := newTissue(2048, 45).scene()
	s.Answer, s.Truth = nil, nil
	return s
}

// walks are tracks over the picture, with steps of a few pixels.
func walks(n, frames int) []Track {
	rnd := noise(8)
	tracks := make([]Track, n)
	for i := range tracks {
		y, x, turn := rnd.unit()*benchH, rnd.unit()*benchW, rnd.unit()*6
		tracks[i].ID = int64(i + 1)
		for t := range frames {
			tracks[i].Steps = append(tracks[i].Steps, Step{T: t, Y: y, X: x, Style: Style(1 + i%5)})
			turn += rnd.unit() - 0.5
			y, x = y+3*math.Sin(turn), x+3*math.Cos(turn)
		}
	}
	return tracks
}

func localisations(n int) []Point {
	rnd := noise(9)
	points := make([]Point, n)
	for i := range points {
		points[i] = Point{ID: int64(i + 1), Y: rnd.unit() * benchH, X: rnd.unit() * benchW, Class: -1, Value: rnd.unit(), Style: Style(1 + i%5)}
	}
	return points
}

func benchView(b *testing.B, text string) viewer.View {
	b.Helper()
	v, err := viewer.Parse("zoom=1 at=450,700 " + text)
	if err != nil {
		b.Fatal(err)
	}
	return v
}

func BenchmarkOverlayTracks(b *testing.B) {
	s := benchScene()
	s.T = 40
	s.Tracks = []*Tracks{NewTracks(false, walks(5000, 60))}
	for _, c := range []struct{ name, view string }{{"image", "answer=hidden"}, {"tails", "answer=outline tail=30"}, {"errors", "errors=on tail=30"}} {
		b.Run(c.name, func(b *testing.B) { benchCompose(b, s, benchView(b, c.view), benchW, benchH, 0) })
	}
}

func BenchmarkOverlayPoints(b *testing.B) {
	s := benchScene()
	s.Points = []*Points{NewPoints(false, 1, localisations(200_000))}
	for _, c := range []struct{ name, view string }{{"plain", "answer=outline"}, {"value", "answer=outline colour=value"}, {"errors", "errors=on"}} {
		b.Run(c.name, func(b *testing.B) { benchCompose(b, s, benchView(b, c.view), benchW, benchH, 0) })
	}
	s.Points = []*Points{NewPoints(false, 4, localisations(5000))}
	b.Run("shapes", func(b *testing.B) { benchCompose(b, s, benchView(b, "errors=on"), benchW, benchH, 0) })
}

// BenchmarkOverlayStrip is a strip of 100 rows in one goroutine, short enough to be measured undisturbed on a busy machine;
// "full-ms" is what that makes for 900 rows and two goroutines.
func BenchmarkOverlayStrip(b *testing.B) {
	const rows = 100
	tracks, points, four := benchScene(), benchScene(), fourChannels()
	tracks.T, tracks.Tracks = 40, []*Tracks{NewTracks(false, walks(5000, 60))}
	points.Points = []*Points{NewPoints(false, 1, localisations(200_000))}
	for _, c := range []struct {
		name, view string
		s          *Scene
	}{{"tails", "answer=outline tail=30", tracks}, {"points", "answer=outline", points}, {"values", "answer=outline colour=value", points},
		{"four", "answer=outline errors=on", four}} {
		b.Run(c.name, func(b *testing.B) {
			v, dst := benchView(b, c.view), image.NewRGBA(image.Rect(0, 0, benchW, rows))
			best := time.Hour
			for b.Loop() {
				start := time.Now()
				compose(dst, c.s, v, 1)
				best = min(best, time.Since(start))
			}
			b.ReportMetric(best.Seconds()*1000*benchH/rows/2, "full-ms")
		})
	}
}

func BenchmarkOverlayArrows(b *testing.B) {
	s := benchScene()
	s.Arrows = []*Arrows{whirl(2048, 0.3, false), whirl(2048, 0, true)}
	benchCompose(b, s, benchView(b, "answer=outline truth=outline errors=on"), benchW, benchH, 0)
}

func BenchmarkOverlayMask(b *testing.B) {
	s := newTissue(2048, 45).scene()
	benchCompose(b, s, benchView(b, "mask=on"), benchW, benchH, 0)
}

func fourChannels() *Scene {
	s := newTissue(2048, 45).scene()
	for len(s.Channels) < 4 {
		s.Channels = append(s.Channels, s.Channels[0])
	}
	return s
}

func BenchmarkComposeFourChannels(b *testing.B) {
	s := fourChannels()
	for _, zoom := range []float64{0, 1, 3} {
		b.Run(fmt.Sprintf("zoom=%v", zoom), func(b *testing.B) {
			v := judgedView(benchW, benchH)
			v.Zoom = zoom
			benchCompose(b, s, v, benchW, benchH, 0)
		})
	}
}

func BenchmarkPreparePoints(b *testing.B) {
	points := localisations(200_000)
	for b.Loop() {
		NewPoints(false, 1, points)
	}
}

func BenchmarkPrepareTracks(b *testing.B) {
	tracks := walks(5000, 60)
	for b.Loop() {
		NewTracks(false, tracks)
	}
}
