package table

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// MicrogliaExhibit reads the cells of a report of Microglia again: those of one frame, or for the whole run (row -1) of all frames,
// with their classes, ids and verdicts as in the marks; and how number and shares of the classes go over time. A matched cell of
// another class has the verdict WrongClass on both sides. The error is for a cancelled context.
func MicrogliaExhibit(ctx context.Context, task *biabench.Task, run *biabench.Run, rep *report.Report, row int) (*report.Exhibit, error) {
	return call.Show(ctx, task, run, rep, row, showMicroglia)
}

func showMicroglia(s *call.Showing) error {
	radius, err := s.Number("distance_threshold_px", defaultDistance)
	if err != nil {
		radius = defaultDistance
	}
	files := [2]string{report.AnswerSide: s.Answer("cell_labels"), report.TruthSide: annotationOf(s.Task.Truth)}
	if files[report.TruthSide] == "" {
		s.Remark("", "The truth has no Replicate1annotation.csv")
	}
	readers := [2]func(string) (*cellList, error){readCells, readAnnotation}
	var lists [2]*cellList
	var errs [2]error
	var wg sync.WaitGroup
	for _, side := range call.Sides {
		if files[side] != "" {
			wg.Go(func() { lists[side], errs[side] = readers[side](files[side]) })
		}
	}
	wg.Wait()
	for _, side := range call.Sides {
		if errs[side] != nil {
			s.Unread(side, files[side], errs[side])
			lists[side] = nil
		}
		if l := lists[side]; l != nil {
			if side == report.AnswerSide && len(l.cells) == 0 {
				s.Remark(s.Shown(files[side]), "No row of the table has a frame, x and y")
			}
			set, lost := l.shown(side, s)
			set.Radius = radius
			s.Undrawn(side, files[side], lost)
			s.Out.Points = append(s.Out.Points, set)
		}
	}
	s.Out.Graphs = append(s.Out.Graphs, shareGraphs(lists)...)
	if len(s.Out.Points) == 2 {
		s.Out.Tables = append(s.Out.Tables, confusion(s.Out.Points[report.AnswerSide], s.Out.Points[report.TruthSide]))
	}
	return nil
}

// confusion counts the matched cells by their classes; those of the truth without a known class are not judged.
func confusion(answer, truth report.PointSet) report.Crosstab {
	t := report.Crosstab{Name: "classes of the matched cells", Truth: truth.Classes, Answer: append(slices.Clone(answer.Classes), "no known class")}
	for range t.Truth {
		t.Numbers = append(t.Numbers, make([]int, len(t.Answer)))
	}
	class := make(map[report.ID]int, len(answer.Points))
	for _, p := range answer.Points {
		class[p.ID] = p.Class
	}
	for _, p := range truth.Points {
		k, there := class[p.Partner]
		if p.Partner == 0 || !there || p.Class < 0 {
			continue
		}
		if k < 0 {
			k = nClasses
		}
		t.Numbers[p.Class][k]++
	}
	return t
}

// shown are the cells of the row that is looked at; lost are those without a place.
func (l *cellList) shown(side report.Side, s *call.Showing) (set report.PointSet, lost int) {
	judged := s.Of.Judged(side, s.Row)
	only, one := frameOfRow(s)
	set = report.PointSet{Side: side, Classes: slices.Clone(classNames[:]), Points: make([]report.Point, 0, len(l.cells))}
	for _, c := range l.cells {
		if one && c.frame != only {
			continue
		}
		if math.IsNaN(c.x+c.y) || math.IsInf(c.x+c.y, 0) {
			lost++
			continue
		}
		v := judged.Of(l.id(c.row))
		set.Points = append(set.Points, report.Point{ID: l.id(c.row), Partner: v.Partner, T: int(place(c.frame)), Y: c.y, X: c.x,
			Class: c.class, Value: math.NaN(), Verdict: v.Kind})
	}
	return set, lost
}

// frameOfRow is the frame that the row stands for; none for the whole run, and for rows that stand for a file.
func frameOfRow(s *call.Showing) (frame float64, one bool) {
	image, ok := s.Image()
	if !ok {
		return 0, false
	}
	n, err := fmt.Sscanf(image.Name, "frame %g", &frame)
	return frame, n == 1 && err == nil
}

// shareGraphs are the number of cells and the share of each class over the frames, the latter as the score compares it: among
// the cells of known class.
func shareGraphs(lists [2]*cellList) []report.Graph {
	number := report.Graph{Name: "cells", Title: "Cells per frame", XName: "frame", YName: "number", FrameStep: 1}
	shares := make([]report.Graph, nClasses)
	for k, name := range classNames {
		shares[k] = report.Graph{Name: name, Title: "Share of " + name + " cells", XName: "frame", YName: "share of the cells", FrameStep: 1}
	}
	for _, side := range call.Sides {
		l := lists[side]
		if l == nil || len(l.cells) == 0 {
			continue
		}
		type counts struct {
			all   int
			known [nClasses]int
		}
		at := map[float64]*counts{}
		var frames []float64
		for _, c := range l.cells {
			n := at[c.frame]
			if n == nil {
				n = &counts{}
				at[c.frame], frames = n, append(frames, c.frame)
			}
			n.all++
			if c.class >= 0 {
				n.known[c.class]++
			}
		}
		slices.Sort(frames)
		curve := func(value func(n *counts) float64) report.Curve {
			c := report.Curve{Name: sideName(side), Side: side}
			for _, f := range frames {
				c.X, c.Y = append(c.X, f), append(c.Y, value(at[f]))
			}
			return c
		}
		number.Curves = append(number.Curves, curve(func(n *counts) float64 { return float64(n.all) }))
		for k := range shares {
			shares[k].Curves = append(shares[k].Curves, curve(func(n *counts) float64 {
				return float64(n.known[k]) / float64(n.known[0]+n.known[1]+n.known[2]) // NaN without a known class
			}))
		}
	}
	if len(number.Curves) == 0 {
		return nil
	}
	return append([]report.Graph{number}, shares...)
}

func sideName(side report.Side) string {
	if side == report.TruthSide {
		return "truth"
	}
	return "answer"
}
