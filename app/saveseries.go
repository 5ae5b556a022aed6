package app

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"iter"
	"strings"

	"coverslip/app/session"
	"coverslip/datasets/atomic"
	"coverslip/viewer/animation"
)

// savedKind is what the save dialog writes.
type savedKind int

const (
	onePicture savedKind = iota
	film                 // all frames as an animated GIF
	eachFrame            // all frames, a PNG each
)

// savedKinds are the choices of the dialog: a single plane has no series.
func (w *Workbench) savedKinds() []string {
	kinds := []string{"this picture, PNG"}
	if s := w.session.WholeSeries(); s.Len() > 1 {
		what := "slices"
		if s.Time {
			what = "frames"
		}
		kinds = append(kinds, fmt.Sprintf("all %d %s, animated GIF", s.Len(), what), fmt.Sprintf("all %d %s, one PNG each", s.Len(), what))
	}
	return kinds
}

// saveFilm writes the series as an animated GIF, at the speed of play, whole or not at all.
func (w *Workbench) saveFilm(path string, times int) {
	delay := w.pace.playEvery()
	w.saveSeries(path, w.session.WholeSeries(), times, func(pictures iter.Seq2[*image.RGBA, error]) error {
		return atomic.Write(path, func(out io.Writer) error { return animation.Film(out, delay, pictures) })
	})
}

// saveFrames writes the series as files that count up from the first. Each is written whole or not at all; those that were written before
// an error or before the user stopped it stay.
func (w *Workbench) saveFrames(first string, times int) {
	stem := strings.TrimSuffix(first, animation.FrameName("", 0))
	w.saveSeries(first, w.session.WholeSeries(), times, func(pictures iter.Seq2[*image.RGBA, error]) error {
		return animation.Frames(stem, pictures, atomic.Write)
	})
}

// writeOne writes a single picture.
func writeOne(path string) func(iter.Seq2[*image.RGBA, error]) error {
	return func(pictures iter.Seq2[*image.RGBA, error]) error {
		for im, err := range pictures {
			if err == nil {
				err = atomic.Write(path, func(out io.Writer) error { return png.Encode(out, im) })
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// saveSeries draws a series with so many times the pixels of the screen along each side and says what came of it.
func (w *Workbench) saveSeries(path string, series session.Series, times int, save func(iter.Seq2[*image.RGBA, error]) error) {
	what := "The picture"
	if series.Len() > 1 {
		what = "The series"
	}
	err := w.session.DrawSeries(series, times, save, func(err error) {
		switch {
		case errors.Is(err, context.Canceled):
			w.status.Tell("info", "Saving was stopped.")
		case err != nil:
			w.complain(what+" cannot be saved", err)
		case series.Len() == 1:
			w.status.Tell("info", "Saved "+path)
		default:
			w.status.Tell("info", fmt.Sprintf("Saved %d pictures: %s", series.Len(), path))
		}
	})
	if err != nil {
		w.complain(what+" cannot be saved", err)
	}
}
