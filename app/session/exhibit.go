package session

import (
	"context"
	"fmt"
	"math"

	"coverslip/datasets/biabench"
	"coverslip/datasets/fault"
	"coverslip/datasets/raster"
	"coverslip/scoring"
	"coverslip/scoring/report"
	"coverslip/viewer/render"
)

// exhibitKey says whose exhibit it is.
type exhibitKey struct {
	report *scoring.Report
	row    int
}

// exhibits is what was judged of the row on screen beside label images: points, tracks, fields, curves.
type exhibits struct {
	key    exhibitKey // of what is there or on its way
	cancel context.CancelFunc
	shown  *report.Exhibit
	points []*render.Points
	tracks []*render.Tracks
	arrows []*render.Arrows
	pairs  []Plot       // scalar images of both sides with their difference
	blank  raster.Shape // large enough for all points and tracks
}

// prepared is an exhibit ready to draw.
type prepared struct {
	exhibit *report.Exhibit
	points  []*render.Points
	tracks  []*render.Tracks
	arrows  []*render.Arrows
	pairs   []Plot
	blank   raster.Shape
	errs    []error
}

// Exhibit is what was judged of the row on screen, nil before it has been read.
func (s *Session) Exhibit() *report.Exhibit { return s.exhibits.shown }

// exhibit reads what was judged of the row on screen, unless it is there or on its way.
func (s *Session) exhibit() {
	key := exhibitKey{s.Report(), s.currentPart().Row}
	if key == s.exhibits.key {
		return
	}
	if s.exhibits.cancel != nil {
		s.exhibits.cancel()
	}
	s.exhibits = exhibits{key: key}
	s.changed(Exhibits)
	if key.report == nil || !scoring.HasExhibit(key.report.TaskID) {
		return
	}
	task, run := s.entry().task, s.runEntry().run
	var p prepared
	j := s.start("Reading what was judged", func(ctx context.Context, progress func(done, total int)) (err error) {
		p, err = s.loader.exhibit(ctx, task, run, key)
		return err
	}, func(err error) {
		if key != s.exhibits.key {
			return
		}
		s.exhibits.cancel = nil
		if err != nil {
			s.complain(err)
			return
		}
		s.takeExhibit(p)
	})
	s.exhibits.cancel = j.cancel
}

func (s *Session) takeExhibit(p prepared) {
	s.batch(func() {
		x := &s.exhibits
		x.shown, x.points, x.tracks, x.arrows, x.pairs, x.blank = p.exhibit, p.points, p.tracks, p.arrows, p.pairs, p.blank
		for _, n := range p.exhibit.Notes {
			s.say("warning", noteText(n))
		}
		for _, err := range p.errs {
			s.complain(err)
		}
		s.layOverlays(s.picked.scene)
		s.changed(Exhibits | SceneChanged)
		s.load() // a row without files has a picture now
	})
}

func noteText(n report.Note) string {
	text := n.Text
	if n.File != "" {
		text = n.File + ": " + text
	}
	if n.Fix != "" {
		text += " " + n.Fix
	}
	return text
}

// layOverlays lays points, tracks and fields over a scene of the row that they belong to.
func (s *Session) layOverlays(scene *render.Scene) {
	if scene == nil || s.exhibits.key != (exhibitKey{s.Report(), s.currentPart().Row}) {
		return
	}
	scene.Points, scene.Tracks, scene.Arrows = s.exhibits.points, s.exhibits.tracks, s.exhibits.arrows
}

// exhibit reads and prepares what was judged of one row; it may run on any goroutine.
func (l *Loader) exhibit(ctx context.Context, task *biabench.Task, run *biabench.Run, key exhibitKey) (prepared, error) {
	x, err := scoring.Exhibit(ctx, task, run, key.report, key.row)
	if err != nil {
		return prepared{}, err
	}
	p := prepared{exhibit: x, blank: raster.Shape{T: 1, Z: 1, Y: 0, X: 0}}
	for _, set := range x.Points {
		p.points = append(p.points, render.NewPoints(set.Side == report.TruthSide, set.Radius, p.pointsOf(set)))
	}
	for _, set := range x.Tracks {
		p.tracks = append(p.tracks, render.NewTracks(set.Side == report.TruthSide, p.tracksOf(set)))
		p.blank.T = max(p.blank.T, set.Frames)
	}
	for _, f := range x.Fields {
		arrows, err := l.arrows(ctx, f)
		if err != nil {
			if ctx.Err() != nil {
				return prepared{}, err
			}
			p.errs = append(p.errs, err)
			continue
		}
		p.arrows = append(p.arrows, arrows)
	}
	for _, pair := range x.Pairs {
		plots, errs := l.pairPlots(ctx, pair)
		if err := ctx.Err(); err != nil {
			return prepared{}, err
		}
		p.pairs, p.errs = append(p.pairs, plots...), append(p.errs, errs...)
	}
	if p.blank.Y == 0 {
		p.blank = raster.Shape{}
	}
	return p, nil
}

// pointsOf turns judged points, which count pixels, into those of a picture, in which a pixel's centre lies at a half.
func (p *prepared) pointsOf(set report.PointSet) []render.Point {
	points := make([]render.Point, len(set.Points))
	for i, q := range set.Points {
		points[i] = render.Point{ID: q.ID, T: q.T, Z: q.Z + 0.5, Y: q.Y + 0.5, X: q.X + 0.5, Class: q.Class, Value: q.Value, Style: StyleOf(q.Verdict)}
		p.cover(q.T, q.Z, q.Y, q.X)
	}
	return points
}

func (p *prepared) tracksOf(set report.TrackSet) []render.Track {
	tracks := make([]render.Track, len(set.Tracks))
	for i, t := range set.Tracks {
		steps := make([]render.Step, len(t.Steps))
		for k, q := range t.Steps {
			verdict := q.Verdict
			if q.Link != "" {
				verdict = q.Link
			}
			steps[k] = render.Step{T: q.T, Z: q.Z + 0.5, Y: q.Y + 0.5, X: q.X + 0.5, Style: StyleOf(verdict)}
			p.cover(q.T, q.Z, q.Y, q.X)
		}
		tracks[i] = render.Track{ID: t.ID, Parent: t.Parent, Steps: steps}
	}
	return tracks
}

// cover makes the blank picture large enough for a place. Places that no picture can have do not count.
func (p *prepared) cover(t int, z, y, x float64) {
	const side, margin, depth = 20000, 16, 10000
	fits := func(v float64, most int) int {
		if math.IsNaN(v) || v < 0 || v > float64(most) {
			return 0
		}
		return int(v) + 1
	}
	if ny, nx := fits(y, side), fits(x, side); ny > 0 && nx > 0 {
		p.blank.Y, p.blank.X = max(p.blank.Y, ny+margin), max(p.blank.X, nx+margin)
		p.blank.Z = max(p.blank.Z, fits(z, depth))
		p.blank.T = max(p.blank.T, fits(float64(t), depth*10))
	}
}

// StyleOf is how the picture tells a verdict. A contour is that of a match.
func StyleOf(k report.Kind) render.Style {
	switch k {
	case report.TP, contour:
		return render.Match
	case report.Weak, report.WrongClass:
		return render.WeakLink
	case report.FP, report.SpuriousLink, report.FalseDivide, report.Duplicate, report.ExtraPixels, report.OutOfRange, report.LooseAnswer:
		return render.Extra
	case report.FN, report.MissedLink, report.MissedDivide, report.MissedPixels, report.LooseTruth:
		return render.Missed
	case report.Split, report.Merge, report.IDSwitch, report.WrongParent, report.CountError, report.ValueError:
		return render.Double
	}
	return render.Plain
}

// arrows reads the two components of a vector field.
func (l *Loader) arrows(ctx context.Context, f report.Field) (*render.Arrows, error) {
	dy, err := l.component(ctx, f.DY)
	if err != nil {
		return nil, err
	}
	dx, err := l.component(ctx, f.DX)
	if err != nil {
		return nil, err
	}
	if dy.H != dx.H || dy.W != dx.W {
		return nil, &fault.Error{Kind: fault.Inconsistent, File: f.DX, Found: fmt.Sprintf("%d x %d", dx.H, dx.W), Expected: fmt.Sprintf("%d x %d like %s", dy.H, dy.W, f.DY)}
	}
	return render.NewArrows(f.Side == report.TruthSide, dy.H, dy.W, f.StepY, f.StepX, samplesOf(dy), samplesOf(dx)), nil
}

func (l *Loader) component(ctx context.Context, path string) (raster.Plane, error) {
	file, err := raster.Open(ctx, path)
	if err != nil {
		return raster.Plane{}, err
	}
	defer file.Close()
	stack, err := file.Stack(l.planes, raster.Layout{})
	if err != nil {
		return raster.Plane{}, err
	}
	return stack.Plane(ctx, 0, 0, 0)
}

func samplesOf(p raster.Plane) []float32 {
	out := make([]float32, p.H*p.W)
	for i := range out {
		out[i] = float32(p.At(i/p.W, i%p.W))
	}
	return out
}
