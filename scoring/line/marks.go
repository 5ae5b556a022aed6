package line

import (
	"fmt"
	"math"
	"slices"

	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// shown is how many regions of one kind are marked one by one in an image, the largest ones; the rest share a mark.
const shown = 1000

// annotate lists the images and their marks: first what concerns an image as a whole, then missed regions, then extra
// ones, the largest first.
func (s *scorer) annotate() {
	s.Report.Gains = slices.Contains(gainful, s.primary)
	s.Report.Estimated = s.primary == "cl_dice"
	counted := 0
	for i := range s.rows {
		if _, ok := s.rows[i].value(s.primary); ok {
			counted++
		}
	}
	for i := range s.rows {
		r := &s.rows[i]
		image := report.Image{Name: r.title(), Pred: r.pred, Truth: r.truth, Status: r.status, Reason: r.reason, Value: math.NaN(),
			PredShape: r.predShape, TruthShape: r.truthShape, PredPixels: r.figures.Pred, TruthPixels: r.figures.Truth, Both: r.figures.Both,
			Scores: report.Scores{AP50: math.NaN(), AP75: math.NaN(), PQ: math.NaN(), BoundaryF1: math.NaN(), Dice: math.NaN(), IoU: math.NaN()}}
		value, ok := r.value(s.primary)
		if ok {
			image.Value, image.Scores.Dice, image.Scores.IoU = value, r.measures["dice"], r.measures["iou"]
		}
		s.Report.Images = append(s.Report.Images, image)
		scale := 0.0
		switch {
		case ok:
			scale = 1 / float64(counted)
		case counted == 0: // nothing is left to average: the score is 0 for all rows together
			s.mark(report.Mark{Kind: report.Whole, Image: i, Cost: s.uncounted(r), Text: "Counts in no mean, and no other image does: " + s.why(r)})
		}
		s.imageMarks(i, r, scale)
	}
}

// uncounted is the cost of an image where no image counts. If it were right, it alone would count.
func (s *scorer) uncounted(r *row) float64 {
	switch {
	case !s.Report.Gains:
		return 1 / float64(len(s.rows))
	case r.status == report.ShapeMismatch:
		return 1
	}
	return 0
}

func (s *scorer) mark(m report.Mark) { s.Report.Marks = append(s.Report.Marks, m) }

func (s *scorer) why(r *row) string {
	if r.reason != "" {
		return r.reason
	}
	return s.primary + " has no value"
}

// imageMarks marks one image; scale is its weight in the mean.
func (s *scorer) imageMarks(i int, r *row, scale float64) {
	if r.status != report.Scored {
		if r.measures != nil {
			s.mark(report.Mark{Kind: report.Whole, Image: i, Cost: scale, Text: "Image counts 0: " + r.reason})
		}
		return
	}
	s.regionMarks(i, r, r.missed, false, scale)
	s.regionMarks(i, r, r.extra, true, scale)
}

// regionMarks marks the regions of one kind.
func (s *scorer) regionMarks(image int, r *row, regions []Region, extra bool, scale float64) {
	rest := report.Mark{Kind: report.MissedPixels, Image: image}
	if extra {
		rest.Kind = report.ExtraPixels
	}
	charge := func(g Region) float64 { return scale * r.figures.share(s.primary, g, extra) }
	together := Region{}
	for k, g := range regions {
		if k >= shown {
			together.Pixels += g.Pixels
			together.Line += g.Line
			continue
		}
		m := report.Mark{Kind: rest.Kind, Image: image, Z: g.Z, Y: g.Y, X: g.X, Box: g.Box, Area: g.Pixels, Wrong: g.Pixels, Cost: charge(g)}
		m.Text = s.regionText(g, extra)
		s.mark(m)
	}
	if n := len(regions) - shown; n > 0 {
		rest.Area, rest.Wrong, rest.Cost = together.Pixels, together.Pixels, charge(together)
		rest.Box = regions[shown].Box
		rest.Z, rest.Y, rest.X = regions[shown].Z, regions[shown].Y, regions[shown].X
		rest.Text = fmt.Sprintf("%s together: %s, the largest is shown", call.Quantity(n, "smaller region", "smaller regions"), call.Quantity(rest.Wrong, s.pixel, s.many))
		s.mark(rest)
	}
}

func (s *scorer) regionText(g Region, extra bool) string {
	text := "Missed " + s.one
	if extra {
		text = "Extra " + s.one
	}
	if g.Line == 0 {
		text = "Missed edge of a " + s.one
		if extra {
			text = "Extra edge of a " + s.one
		}
	}
	text += ": " + call.Quantity(g.Pixels, s.pixel, s.many)
	if g.Line > 0 {
		text += fmt.Sprintf(", %d on its centre line", g.Line)
	}
	return text
}
