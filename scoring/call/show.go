package call

import (
	"context"
	"fmt"

	"coverslip/datasets/biabench"
	"coverslip/scoring/report"
)

// Showing is one look at a row of a report: the files are read again by the calculator's own readers, and what the report says
// of their objects is joined to them. The Call's own Report is scratch paper.
type Showing struct {
	*Call
	Of  *report.Report
	Row int // of Of, -1: the whole run
	Out *report.Exhibit
}

// Show makes a look and finishes its exhibit. The error is for a cancelled context alone: any other error of the body becomes a
// note beside what was filled in before.
func Show(ctx context.Context, task *biabench.Task, run *biabench.Run, rep *report.Report, row int, body func(*Showing) error) (*report.Exhibit, error) {
	s := &Showing{Call: New(ctx, task, run, nil), Of: rep, Row: row, Out: &report.Exhibit{}}
	err := body(s)
	if ctxErr := ctx.Err(); ctxErr != nil {
		return nil, ctxErr
	}
	if err != nil {
		s.Remark("", "Not all can be shown: "+Reason(err))
	}
	return s.Out, nil
}

// Image is the row that is looked at; false for the whole run.
func (s *Showing) Image() (report.Image, bool) {
	if s.Row < 0 || s.Row >= len(s.Of.Images) {
		return report.Image{}, false
	}
	return s.Of.Images[s.Row], true
}

// Sides are both, the answer first.
var Sides = []report.Side{report.AnswerSide, report.TruthSide}

// Answers are the files of a deliverable; a note says why there are none.
func (s *Showing) Answers(id string) []string {
	d, err := s.Deliverable(id)
	switch {
	case err != nil:
		s.Remark("", "The answer cannot be shown: "+Reason(err))
	case d.Err != "":
		s.Remark("", "The answer lacks the deliverable '"+id+"': "+d.Err)
	case len(d.Files) == 0:
		s.Remark("", "The answer lacks the deliverable '"+id+"'")
	}
	return d.Files
}

// Answer is the first file of a deliverable, "" for none; a note says why.
func (s *Showing) Answer(id string) string {
	if files := s.Answers(id); len(files) > 0 {
		return files[0]
	}
	return ""
}

// Remark adds a note on a file.
func (s *Showing) Remark(file, text string) { s.Out.Warn(file, text) }

// Unread adds the note that a file cannot be read.
func (s *Showing) Unread(side report.Side, file string, err error) {
	if side == report.TruthSide {
		s.Remark(s.ShownTruth(file), "The truth cannot be read: "+Reason(err))
		return
	}
	s.Remark(s.Shown(file), "The answer cannot be read: "+Reason(err))
}

// Undrawn adds the note that some points have no place.
func (s *Showing) Undrawn(side report.Side, file string, n int) {
	if n == 0 {
		return
	}
	shown := s.Shown
	if side == report.TruthSide {
		shown = s.ShownTruth
	}
	s.Remark(shown(file), fmt.Sprintf("%s not shown: the coordinates are no finite numbers", Quantity(n, "point is", "points are")))
}
