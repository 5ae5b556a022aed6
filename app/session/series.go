package session

import (
	"context"
	"errors"
	"fmt"
	"image"
	"iter"

	"coverslip/datasets/fault"
	"coverslip/viewer"
	"coverslip/viewer/render"
)

// Series is the frames or slices From to To, both ends included, drawn as the view shows one of them.
type Series struct {
	Time     bool // frames; else slices
	From, To int
}

// WholeSeries is all frames of the image on screen, or all its slices where it has one frame.
func (s *Session) WholeSeries() Series {
	if shape := s.picked.shape; shape.T <= 1 {
		return Series{To: max(shape.Z-1, 0)}
	}
	return Series{Time: true, To: s.picked.shape.T - 1}
}

// ThisPlane is the frame or slice that is asked for now alone.
func (s *Session) ThisPlane() Series {
	if s.WholeSeries().Time {
		return Series{Time: true, From: s.view.T, To: s.view.T}
	}
	return Series{From: s.view.Z, To: s.view.Z}
}

// DrawSeries draws a series as the window shows it, with so many times the pixels along each side (see CopyImageAt). Save takes the pictures in order, on a goroutine of its own; each is reused for the
// next one, and an error among them ends the series. Done is called on the owner's goroutine with the error of save.
func (s *Session) DrawSeries(series Series, times int, save func(pictures iter.Seq2[*image.RGBA, error]) error, done func(error)) error {
	src, ok := s.source()
	if !ok || s.picked.scene == nil {
		return &fault.Error{Kind: fault.Missing, Found: "no picture on screen", Fix: "Open an image first"}
	}
	if last := s.lastOf(series); series.From < 0 || series.To > last || series.From > series.To {
		return &fault.Error{Kind: fault.Missing, At: "series", Found: fmt.Sprintf("%d to %d", series.From, series.To), Expected: fmt.Sprintf("within 0 to %d", last)}
	}
	v, err := s.finer(times)
	if err != nil {
		return err
	}
	key, x := s.key(src), s.exhibits
	title := "Saving the series"
	if series.Len() == 1 {
		title = "Saving the picture"
	}
	s.start(title, func(ctx context.Context, progress func(done, total int)) error {
		return save(func(yield func(*image.RGBA, error) bool) {
			err := s.loader.drawSeries(ctx, key, v, x, series, func(n int, im *image.RGBA) bool {
				progress(n, series.Len())
				return yield(im, nil)
			})
			if err != nil {
				yield(nil, err)
			}
		})
	}, done)
	return nil
}

// Len is the number of pictures.
func (r Series) Len() int { return r.To - r.From + 1 }

func (s *Session) lastOf(series Series) int {
	if series.Time {
		return s.picked.shape.T - 1
	}
	return s.picked.shape.Z - 1
}

// drawSeries runs on any goroutine, until take has enough. A plane that cannot be read ends it, since a film with a gap would mislead.
func (l *Loader) drawSeries(ctx context.Context, key sceneKey, v viewer.View, x exhibits, series Series, take func(n int, im *image.RGBA) bool) error {
	o, err := l.Open(ctx, key.src)
	if err != nil {
		return err
	}
	defer o.Release()
	dst := image.NewRGBA(image.Rectangle{Max: v.Size})
	key.middle = false
	for at := series.From; at <= series.To; at++ {
		if series.Time {
			key.t, v.T = at, at
		} else {
			key.z, v.Z = at, at
		}
		scene, errs := l.Picture(ctx, o, key.inside(o.Shape).picture(), nil)
		if err := errors.Join(append(errs, ctx.Err())...); err != nil {
			return err
		}
		if scene, err = l.sharpened(ctx, o, scene, v); err != nil {
			return err
		}
		scene.Points, scene.Tracks, scene.Arrows = x.points, x.tracks, x.arrows
		render.Compose(dst, scene, v)
		if !take(at-series.From, dst) {
			return nil
		}
	}
	return nil
}
