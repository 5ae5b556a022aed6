package app

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"iter"
	"path/filepath"
	"strings"

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

// frameName is the name of a frame's file, without its suffix.
func frameName(stem string, n int) string { return fmt.Sprintf("%s_%04d", stem, n) }

// saveFilm writes the series as an animated GIF, at the speed of play, whole or not at all.
func (w *Workbench) saveFilm(path string) {
	w.saveSeries(path, func(pictures iter.Seq2[*image.RGBA, error]) error {
		return atomic.Write(path, func(out io.Writer) error {
			gif := animation.NewWriter(out, w.pace.playEvery())
			for im, err := range pictures {
				if err != nil {
					return err
				}
				if err := gif.Add(im); err != nil {
					return err
				}
			}
			return gif.Close()
		})
	})
}

// saveFrames writes the series as files that count up from the first. Each is written whole or not at all; those that were written before
// an error or before the user stopped it stay.
func (w *Workbench) saveFrames(first string) {
	stem := strings.TrimSuffix(filepath.Base(first), "_0000.png")
	w.saveSeries(first, func(pictures iter.Seq2[*image.RGBA, error]) error {
		n := 0
		for im, err := range pictures {
			if err != nil {
				return err
			}
			file := filepath.Join(filepath.Dir(first), frameName(stem, n)+".png")
			if err := atomic.Write(file, func(out io.Writer) error { return png.Encode(out, im) }); err != nil {
				return err
			}
			n++
		}
		return nil
	})
}

func (w *Workbench) saveSeries(path string, save func(iter.Seq2[*image.RGBA, error]) error) {
	series := w.session.WholeSeries()
	err := w.session.DrawSeries(series, save, func(err error) {
		switch {
		case errors.Is(err, context.Canceled):
			w.status.Tell("info", "Saving was stopped.")
		case err != nil:
			w.complain("The series cannot be saved", err)
		default:
			w.status.Tell("info", fmt.Sprintf("Saved %d pictures: %s", series.Len(), path))
		}
	})
	if err != nil {
		w.complain("The series cannot be saved", err)
	}
}
