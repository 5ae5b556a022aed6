package session

import (
	"context"
	"errors"

	"coverslip/datasets/raster"
	"coverslip/viewer"
)

// Picture says what a scene shows of the files of a picture.
type Picture struct {
	T, Z       int
	Styles     Styles // may be empty
	Projection viewer.Projection
	Sections   bool         // with the sections through Cross
	Cross      viewer.Point // the zero Point is the middle
	Against    *Against     // another run to compare with, nil for none
}

// Against is another run's answer to the same image.
type Against struct {
	Source        Source // its answer and the truth, without an input
	Styles        func(t int) Styles
	Title, Facing string // of the other run, and of the one that it is compared with
}

// reader gets planes that were not prepared before.
type reader struct {
	plane    func(layer *Layer, t, z, c int) (raster.Plane, error)
	open     func(Source) (*Opened, error)
	prepared bool // nothing is to be read

	done, total int // planes of projections and sections
	progress    func(done, total int)
}

// step counts planes.
func (r *reader) step(n int) {
	r.done += n
	if r.progress != nil {
		r.progress(min(r.done, r.total), r.total)
	}
}

// fatal tells errors that end a picture rather than cost one plane.
func fatal(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errNotPrepared)
}
