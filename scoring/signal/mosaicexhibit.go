package signal

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// MosaicExhibit reads the files of a report of Mosaic again: a graph for each channel's profile along x in the middle band, the
// answer's stretched to the truth's width as the scorer compares them; the relative errors of the means that the rubric asks
// for; and from the table of cells the cells that have a place, in pixels of the mosaic, and the values of each feature by
// population. The error is for a cancelled context.
func MosaicExhibit(ctx context.Context, task *biabench.Task, run *biabench.Run, rep *report.Report, row int) (*report.Exhibit, error) {
	return call.Show(ctx, task, run, rep, row, func(s *call.Showing) error {
		showFeatures(s)
		showCellTable(s)
		return showProfiles(s)
	})
}

// showFeatures draws the errors of the means, as the marks have them.
func showFeatures(s *call.Showing) {
	errors := report.Groups{Name: "feature errors", Value: "relative error of the mean"}
	for _, m := range s.Of.Marks {
		parts := strings.Fields(m.Key)
		if m.Diagnostic || len(parts) != 3 || m.Kind == report.MissingValue || m.Expected == 0 {
			continue
		}
		errors.Groups = append(errors.Groups, report.Group{Name: m.Key, Values: []float64{math.Abs(m.Found-m.Expected) / math.Abs(m.Expected)}})
	}
	if len(errors.Groups) > 0 {
		s.Out.Groups = append(s.Out.Groups, errors)
	}
}

// showProfiles draws the profiles of both mosaics.
func showProfiles(s *call.Showing) error {
	rubric, err := (&scorer{Call: s.Call, config: config{s.Task.Rubric.Metric}}).mosaicRubric()
	if err != nil {
		return err
	}
	var stacks [2]*stack
	files := [2]string{report.AnswerSide: s.Answer("stitched_image"), report.TruthSide: truthMosaic(s.Task.Truth)}
	if files[report.TruthSide] == "" {
		s.Remark("", "The truth has no mosaic")
	}
	for _, side := range call.Sides {
		if files[side] == "" {
			continue
		}
		one, err := readStack(s.Ctx, files[side], rubric.band)
		if err := s.Ctx.Err(); err != nil {
			return err
		}
		if err != nil {
			s.Unread(side, files[side], err)
			continue
		}
		stacks[side] = &one
	}
	for c := range rubric.channels {
		if g := profileGraph(c, stacks); len(g.Curves) > 0 {
			s.Out.Graphs = append(s.Out.Graphs, g)
		}
	}
	return nil
}

// truthMosaic is the image of the truth that counts, "" for none.
func truthMosaic(dir string) string {
	images := filesBelow(dir, func(name string) bool {
		return slices.Contains([]string{".lsm", ".tif", ".tiff"}, strings.ToLower(filepath.Ext(name)))
	})
	if len(images) == 0 {
		return ""
	}
	return images[0]
}

// profileGraph holds the profiles of a channel over each other.
func profileGraph(c int, stacks [2]*stack) report.Graph {
	name := fmt.Sprintf("profile %d", c)
	g := report.Graph{Name: name, Title: fmt.Sprintf("Band in the middle, channel %d", c), XName: "x (pixels)", YName: "mean intensity"}
	width := 0
	for _, side := range []report.Side{report.TruthSide, report.AnswerSide} {
		s := stacks[side]
		if s == nil || c >= len(s.profiles) {
			continue
		}
		profile := s.profiles[c]
		if width == 0 {
			width = len(profile)
		}
		if len(profile) != width && len(profile) > 1 && width > 1 {
			profile = stretch(profile, width)
		}
		curve := report.Curve{Name: sideName(side), Side: side, X: make([]float64, len(profile)), Y: profile}
		for i := range curve.X {
			curve.X[i] = float64(i)
		}
		g.Curves = append(g.Curves, curve)
	}
	slices.Reverse(g.Curves) // the answer first
	return g
}

// Names of columns that may hold the place of a cell, in lower case, in the order in which they are asked.
var (
	xColumns = []string{"x", "centroid_x", "x_px", "center_x", "col", "column"}
	yColumns = []string{"y", "centroid_y", "y_px", "center_y", "row"}
	zColumns = []string{"z", "centroid_z", "z_slice"}
)

// showCellTable shows the answer's table of cells, if there is one.
func showCellTable(s *call.Showing) {
	d, err := s.Deliverable("per_cell_features")
	if err != nil || d.Err != "" || len(d.Files) == 0 {
		return // it is optional
	}
	whole, err := readTable(d.Files[0])
	if err != nil {
		s.Unread(report.AnswerSide, d.Files[0], err)
		return
	}
	t := whole.lowered()
	populations := make([]string, len(t.rows))
	for i, row := range t.rows {
		for _, name := range classColumns {
			if populations[i] = populationIn(t.cell(row, t.column(name))); populations[i] != "" {
				break
			}
		}
	}
	cellPlaces(s, t, populations, d.Files[0])
	for i, name := range t.names {
		f, ok := columnFeature(name)
		if !ok || t.column(name) != i || slices.Contains(classColumns, name) {
			continue
		}
		s.Out.Groups = append(s.Out.Groups, featureValues(t, i, f, populations))
	}
}

// cellPlaces shows the cells that have a place in the mosaic.
func cellPlaces(s *call.Showing, t table, populations []string, file string) {
	x, y, z := t.first(xColumns), t.first(yColumns), t.first(zColumns)
	if x < 0 || y < 0 {
		return
	}
	set := report.PointSet{Classes: []string{populationWBC, populationMCF7}, Points: make([]report.Point, 0, len(t.rows))}
	for i, row := range t.rows {
		p := report.Point{ID: report.ID(i + 1), Y: t.number(row, y), X: t.number(row, x), Value: math.NaN(), Class: slices.Index(set.Classes, populations[i])}
		if !finite(p.Y) || !finite(p.X) {
			continue
		}
		if v := t.number(row, z); z >= 0 && finite(v) {
			p.Z = v
		}
		set.Points = append(set.Points, p)
	}
	s.Undrawn(report.AnswerSide, file, len(t.rows)-len(set.Points))
	s.Out.Points = append(s.Out.Points, set)
}

// first is the column of the first of some names that is there, -1 for none.
func (t table) first(names []string) int {
	for _, name := range names {
		if k := t.column(name); k >= 0 {
			return k
		}
	}
	return -1
}

// featureValues are the values of a column by population.
func featureValues(t table, column int, f feature, populations []string) report.Groups {
	g := report.Groups{Name: f.channel + " " + f.name, Value: t.names[column]}
	for _, population := range []string{populationWBC, populationMCF7} {
		one := report.Group{Name: population}
		for i, row := range t.rows {
			if v := t.number(row, column); populations[i] == population && finite(v) {
				one.Values, one.IDs = append(one.Values, v), append(one.IDs, report.ID(i+1))
			}
		}
		g.Groups = append(g.Groups, one)
	}
	return g
}
