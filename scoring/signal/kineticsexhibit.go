package signal

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/tabular"
	"coverslip/datasets/tabular/python"
	"coverslip/datasets/tabular/xlsx"
	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// seriesTitles are the measured series as people know them, in the order of seriesNames.
var seriesTitles = [len(seriesNames)]struct{ short, title, unit string }{
	{"volume", "Volume of the nucleus", "µm³"}, {"surface", "Surface of the nucleus", "µm²"},
	{"inner core", "Nup107 in the inner core", "normalised intensity"}, {"non-core", "Nup107 outside the core", "normalised intensity"}}

// shownFirst is the order in which the series are looked at: the inner core counts.
var shownFirst = [len(seriesNames)]int{2, 3, 0, 1}

// KineticsExhibit reads the sheets of one cell of a report of Kinetics again: a graph for each measured series, with the curves
// of both daughters over the minutes after the onset of anaphase. Minutes are tied to the frames of the movie by the truth's
// onset; the answer's onset is marked. The whole run (row -1) has a graph of all onsets and one of the
// inner core for each cell. The error is for a cancelled context.
func KineticsExhibit(ctx context.Context, task *biabench.Task, run *biabench.Run, rep *report.Report, row int) (*report.Exhibit, error) {
	return call.Show(ctx, task, run, rep, row, showKinetics)
}

func showKinetics(s *call.Showing) error {
	pairs, err := cellsToShow(s)
	if err != nil {
		return err
	}
	image, one := s.Image()
	k := slices.IndexFunc(pairs, func(p cellPair) bool { return p.truth.sheet == image.Name })
	if !one || k < 0 {
		return showCells(s, pairs)
	}
	return showCell(s, pairs[k])
}

// cellsToShow pairs the cells as the scorer does. An answer that cannot be read gives pairs of the truth alone.
func cellsToShow(s *call.Showing) ([]cellPair, error) {
	candidates := filesBelow(s.Task.Truth, matches("*.xlsx"))
	if len(candidates) == 0 {
		s.Remark("", "The truth has no workbook (.xlsx)")
		return nil, nil
	}
	scratch := &scorer{Call: s.Call}
	workbooks, texts, err := scratch.answerTables()
	if err != nil {
		s.Remark("", "The answer cannot be read: "+call.Reason(err))
	}
	all, err := readBooks(s.Ctx, append(candidates[:1:1], workbooks...))
	if err != nil {
		return nil, err
	}
	if all.errs[0] != nil {
		return nil, all.errs[0]
	}
	truths := all.tables[0]
	for i := range truths {
		truths[i].key = stemKey(truths[i].sheet, lower(truths[i].sheet))
	}
	c := collected{}
	if len(s.Answers("kinetics_per_cell")) > 0 {
		if c, err = scratch.collect(all.behindFirst(), texts); err != nil {
			s.Remark("", "The answer cannot be read: "+call.Reason(err))
			c = collected{}
		}
	}
	return pairCells(truths, &c), nil
}

// showCells draws the onsets of all cells, then the curves of each in the series that counts.
func showCells(s *call.Showing, pairs []cellPair) error {
	s.Out.Graphs = append(s.Out.Graphs, onsets(pairs))
	for _, p := range pairs {
		truth, answer, err := bothColumns(s, p)
		if err != nil {
			return err
		}
		g := onsetAxis(p, truth, answer)
		series := seriesTitles[shownFirst[0]]
		g.Name, g.Title, g.YName = p.truth.sheet, series.title+", "+p.truth.sheet, series.unit
		g.Curves = append(answer.curves(shownFirst[0], report.AnswerSide), truth.curves(shownFirst[0], report.TruthSide)...)
		s.Out.Graphs = append(s.Out.Graphs, g)
	}
	return nil
}

// bothColumns reads a pair's tables. An answer that cannot be read leaves a note.
func bothColumns(s *call.Showing, p cellPair) (truth, answer columns, err error) {
	if truth, err = cellColumns(*p.truth); err != nil || p.answer == nil {
		return truth, answer, err
	}
	answer, err = cellColumns(*p.answer)
	if err != nil {
		s.Unread(report.AnswerSide, p.answer.file, err)
	}
	return truth, answer, nil
}

// showCell draws the curves of one cell.
func showCell(s *call.Showing, p cellPair) error {
	truth, answer, err := bothColumns(s, p)
	if err != nil {
		return err
	}
	if p.answer == nil {
		s.Remark("", "The answer has no table of this cell")
	}
	for _, k := range shownFirst {
		g := onsetAxis(p, truth, answer)
		g.Name, g.Title, g.YName = seriesTitles[k].short, seriesTitles[k].title, seriesTitles[k].unit
		g.Curves = append(answer.curves(k, report.AnswerSide), truth.curves(k, report.TruthSide)...)
		if len(g.Curves) > 0 {
			s.Out.Graphs = append(s.Out.Graphs, g)
		}
	}
	return nil
}

// columns are a cell's table column by column.
type columns struct {
	times  []float64
	frames []float64 // NaN where the table gives none
	series [len(seriesNames)][]namedColumn
}

type namedColumn struct {
	name   string
	values []float64 // of each time, NaN for none
}

// cellColumns reads a cell's table again, without throwing the daughters together.
func cellColumns(t cellTable) (c columns, err error) {
	g, err := gridOf(t)
	if err != nil {
		return c, err
	}
	header := make([]string, len(g.header))
	for i, h := range g.header {
		header[i] = lower(python.Trim(h))
	}
	time := slices.Index(header, timeHeader)
	if time < 0 {
		time = slices.IndexFunc(header, func(h string) bool { return strings.Contains(h, "anaphase") && strings.Contains(h, "time") })
	}
	if time < 0 {
		return c, fmt.Errorf("the table has no column of times")
	}
	frame := frameColumn(header, time)
	places, _ := measuredColumns(header)
	for k := range places {
		for _, at := range places[k] {
			c.series[k] = append(c.series[k], namedColumn{name: python.Trim(g.header[at])})
		}
	}
	for r := range g.rows {
		row := g.row(r)
		t := at(row, time)
		if math.IsNaN(t) {
			continue
		}
		c.times, c.frames = append(c.times, t), append(c.frames, math.NaN())
		if frame >= 0 {
			c.frames[len(c.frames)-1] = at(row, frame)
		}
		for k := range places {
			for i, place := range places[k] {
				c.series[k][i].values = append(c.series[k][i].values, at(row, place))
			}
		}
	}
	return c, nil
}

// gridOf opens a cell's sheet or text.
func gridOf(t cellTable) (grid, error) {
	if !strings.EqualFold(filepath.Ext(t.file), ".xlsx") {
		raw, err := tabular.ReadRaw(t.file)
		if err != nil {
			return grid{}, err
		}
		records, err := tabular.ParseCSV(tabular.StrictText(raw))
		if err != nil || len(records) == 0 {
			return grid{}, fmt.Errorf("the table holds no rows: %w", err)
		}
		return textGrid(records), nil
	}
	book, err := xlsx.Open(t.file)
	if err != nil {
		return grid{}, err
	}
	sheets, err := book.Strict()
	if err != nil {
		return grid{}, err
	}
	for _, s := range sheets {
		if s.Name == t.sheet && s.Err == nil && s.Rows() > 0 {
			return sheetGrid(s), nil
		}
	}
	return grid{}, fmt.Errorf("the workbook has no sheet %s", t.sheet)
}

func textGrid(records tabular.Records) grid {
	return grid{header: records[0], rows: len(records) - 1, row: func(row int) []float64 {
		var out []float64
		for _, cell := range records[row+1] {
			out = append(out, finiteOrNaN(cell))
		}
		return out
	}}
}

// curves are those of a series, one for each daughter.
func (c columns) curves(k int, side report.Side) (out []report.Curve) {
	for i, column := range c.series[k] {
		name := sideName(side)
		if len(c.series[k]) > 1 {
			name = fmt.Sprintf("%s, daughter %d", name, i+1)
		}
		out = append(out, report.Curve{Name: name, Side: side, X: c.times, Y: column.values})
	}
	return out
}

// perFrameMinutes is how many minutes a frame lasts by a table: the median step; NaN if it does not tell.
func (c columns) perFrameMinutes() float64 {
	var steps []float64
	for i := 1; i < len(c.times); i++ {
		if d := (c.times[i] - c.times[i-1]) / (c.frames[i] - c.frames[i-1]); finite(d) && d > 0 {
			steps = append(steps, d)
		}
	}
	if len(steps) == 0 {
		return math.NaN()
	}
	slices.Sort(steps)
	return steps[len(steps)/2]
}

// halfMinute is how long a frame of the task's movies lasts, where the tables do not tell.
const halfMinute = 0.5

// onsetAxis begins a graph over the minutes after the truth's onset, or the answer's where the truth has none. Of the answer's
// own minutes 0 is its own onset; where that lies on this axis is marked.
func onsetAxis(p cellPair, truth, answer columns) report.Graph {
	g := report.Graph{XName: "time after the onset of anaphase (min)", FrameStep: halfMinute}
	if step := truth.perFrameMinutes(); finite(step) {
		g.FrameStep = step
	} else if step := answer.perFrameMinutes(); finite(step) {
		g.FrameStep = step
	}
	onset, other := p.truth.onset, math.NaN()
	if p.answer != nil {
		other = p.answer.onset
	}
	switch {
	case finite(onset):
		g.FrameAt0 = onset
		g.Places = append(g.Places, report.Place{Name: "onset, truth", Side: report.TruthSide, X: 0})
		if finite(other) {
			g.Places = append(g.Places, report.Place{Name: "onset, answer", Side: report.AnswerSide, X: (other - onset) * g.FrameStep})
		}
	case finite(other):
		g.FrameAt0 = other
		g.Places = append(g.Places, report.Place{Name: "onset, answer", Side: report.AnswerSide, X: 0})
	default:
		g.FrameStep = 0
	}
	return g
}

// onsets holds the frames of the onsets of all cells against each other.
func onsets(pairs []cellPair) report.Graph {
	g := report.Graph{Name: "onset", Title: "Onset of anaphase in all cells", XName: "frame in the truth", YName: "frame in the answer", Equal: true}
	c := report.Curve{Name: "cells", Loose: true}
	for _, p := range pairs {
		if p.answer != nil && finite(p.truth.onset) && finite(p.answer.onset) {
			c.X, c.Y = append(c.X, p.truth.onset), append(c.Y, p.answer.onset)
		}
	}
	g.Curves = []report.Curve{c}
	return g
}
