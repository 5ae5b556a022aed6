package point

import (
	"context"
	"math"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// CountingExhibit reads the points of one image of a report of Counting again: X along columns, Y along rows, in pixels, ids and
// verdicts as in the marks. The whole run (row -1) has nothing that lies over one image. The error is for a cancelled context.
func CountingExhibit(ctx context.Context, task *biabench.Task, run *biabench.Run, rep *report.Report, row int) (*report.Exhibit, error) {
	return call.Show(ctx, task, run, rep, row, showImage)
}

func showImage(s *call.Showing) error {
	image, ok := s.Image()
	if !ok {
		return nil
	}
	radius, err := s.Number("distance_threshold_px", defaultThreshold)
	if err != nil {
		radius = defaultThreshold
	}
	for _, side := range call.Sides {
		file := image.Pred
		if side == report.TruthSide {
			file = image.Truth
		}
		if file == "" {
			s.Remark("", "The answer has no table of this image")
			continue
		}
		t, err := readTable(file)
		if err != nil {
			s.Unread(side, file, err)
			continue
		}
		set := report.PointSet{Side: side, Radius: radius, Points: make([]report.Point, 0, len(t.points))}
		judged := s.Of.Judged(side, s.Row)
		for i, p := range t.points {
			if !finite([]Point{p}) {
				continue
			}
			id := report.ID(i + 1)
			v := judged.Of(id)
			set.Points = append(set.Points, report.Point{ID: id, Partner: v.Partner, Y: p.Y, X: p.X, Class: -1, Value: math.NaN(), Verdict: v.Kind})
		}
		s.Undrawn(side, file, len(t.points)-len(set.Points))
		s.Out.Points = append(s.Out.Points, set)
	}
	return nil
}
