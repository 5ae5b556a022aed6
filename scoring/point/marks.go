package point

import (
	"fmt"
	"math"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// annotate lists the images and their marks: the count of each image, which costs, then its points as diagnostics.
func (s *counting) annotate() {
	for i := range s.rows {
		r := &s.rows[i]
		image := report.Image{Name: biabench.Stem(r.truth.file), Pred: r.pred.file, Truth: r.truth.file, Status: report.Scored,
			Value: r.score, NPred: len(r.pred.points), NTruth: len(r.truth.points)}
		if r.missing() {
			image.Status, image.Reason = report.MissingAnswer, "no file of the answer pairs with it"
		}
		s.Report.Images = append(s.Report.Images, image)
		s.countMark(i, r)
		s.pointMarks(i, r)
	}
}

// countMark charges an image with its share of 1 - score.
func (s *counting) countMark(image int, r *row) {
	cost := (1 - r.score) / float64(len(s.rows))
	p, g := len(r.pred.points), len(r.truth.points)
	m := report.Mark{Kind: report.CountError, Image: image, Found: float64(p), Expected: float64(g), Cost: cost, Key: biabench.Stem(r.truth.file)}
	switch {
	case r.missing():
		m.Kind = report.Whole
		m.Text = "Image counts 0: no table of the answer belongs to it, the truth has " + call.Quantity(g, "cell", "cells")
	case p == g:
		return
	case p < g:
		m.Text = fmt.Sprintf("Too few cells: %d instead of %d, %s missing", p, g, percent(r.error))
	case float64(g) < s.typical:
		m.Text = fmt.Sprintf("Too many cells: %d instead of %d, %d too many for a typical count of %d", p, g, p-g, int(s.typical))
	default:
		m.Text = fmt.Sprintf("Too many cells: %d instead of %d, %s too many", p, g, percent(r.error))
	}
	s.Report.Marks = append(s.Report.Marks, m)
}

func percent(v float64) string { return report.Number(math.Round(v*1000)/10) + " %" }

// pointMarks marks the points of one image, truth points first, then the answer's extra ones. Ids are the places of the
// points in their tables, the first being 1.
func (s *counting) pointMarks(image int, r *row) {
	ofTruth := make([]int, len(r.truth.points))
	matched := make([]bool, len(r.pred.points))
	for k, m := range r.matches {
		ofTruth[m.Truth] = k + 1
		matched[m.Pred] = true
	}
	for i, p := range r.truth.points {
		m := s.at(report.FN, image, p)
		m.Truth = report.ID(i + 1)
		m.Text = "Missed cell"
		if k := ofTruth[i]; k > 0 {
			found := r.matches[k-1]
			m.Kind, m.Pred = report.TP, report.ID(found.Pred+1)
			m.Found = found.Distance
			m.Text = "Found cell, " + pixels(found.Distance) + " off"
		}
		s.Report.Marks = append(s.Report.Marks, m)
	}
	for i, p := range r.pred.points {
		if matched[i] {
			continue
		}
		m := s.at(report.FP, image, p)
		m.Pred = report.ID(i + 1)
		m.Text = "Extra cell: no cell of the truth within " + report.Number(s.threshold) + " pixels"
		if r.looks != nil && r.looks[i].Truth >= 0 {
			m.Kind, m.Found = report.Duplicate, r.looks[i].Distance
			m.Others = []report.ID{report.ID(r.looks[i].Truth + 1)}
			m.Text = "Second point on a cell: its nearest cell, " + pixels(m.Found) + " off, is taken by a nearer point"
		}
		if !finite([]Point{p}) {
			m.Kind, m.Text = report.OutOfRange, "Extra cell: its coordinates are no finite numbers"
		}
		s.Report.Marks = append(s.Report.Marks, m)
	}
}

func pixels(d float64) string { return fmt.Sprintf("%.1f pixels", d) }

// at begins the mark of a point: the official score does not know where a point lies.
func (s *counting) at(kind report.Kind, image int, p Point) report.Mark {
	m := report.Mark{Kind: kind, Image: image, Diagnostic: true}
	const limit = 1 << 30
	if math.Abs(p.X) < limit && math.Abs(p.Y) < limit {
		y, x := int(math.Floor(p.Y+0.5)), int(math.Floor(p.X+0.5))
		m.Y, m.X, m.Box = p.Y, p.X, report.Box{Y0: y, X0: x, Z1: 1, Y1: y + 1, X1: x + 1}
	}
	return m
}
