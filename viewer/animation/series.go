package animation

import (
	"fmt"
	"image"
	"image/png"
	"io"
	"iter"
	"time"
)

// Film writes pictures as one animated GIF. An error among them ends it.
func Film(w io.Writer, delay time.Duration, pictures iter.Seq2[*image.RGBA, error]) error {
	gif := NewWriter(w, delay)
	for im, err := range pictures {
		if err != nil {
			return err
		}
		if err := gif.Add(im); err != nil {
			return err
		}
	}
	return gif.Close()
}

// FrameName is the name of the file of picture n of a series, counted from 0.
func FrameName(stem string, n int) string { return fmt.Sprintf("%s_%04d.png", stem, n) }

// Frames writes pictures as PNG files that count up, by a function that fills the file at a path. Those that were written before an error
// stay.
func Frames(stem string, pictures iter.Seq2[*image.RGBA, error], write func(path string, fill func(io.Writer) error) error) error {
	n := 0
	for im, err := range pictures {
		if err == nil {
			err = write(FrameName(stem, n), func(w io.Writer) error { return png.Encode(w, im) })
		}
		if err != nil {
			return err
		}
		n++
	}
	return nil
}
