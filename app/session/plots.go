package session

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"coverslip/scoring"
	"coverslip/scoring/report"
	"coverslip/viewer"
	"coverslip/viewer/chart"
	"coverslip/viewer/render"
)

// Plot is one chart of what is open. Its data lead to places in the images.
type Plot struct {
	Name  string // short, unique among the plots of a row, as View.Chart has it
	Chart chart.Chart
	// Cursor is where the frame on screen lies on the x axis, or the slice where Slices is set; nil where x is neither.
	Cursor func(at int) float64
	Slices bool
	// frame is the inverse of Cursor.
	frame func(x float64) int
	pick  func(chart.Hit)
}

// plotKey says what plots were made of.
type plotKey struct {
	report  *scoring.Report
	exhibit *report.Exhibit
	row     int
}

// Plots are the charts of the report and of the row on screen, most telling first.
func (s *Session) Plots() []Plot {
	key := plotKey{s.Report(), s.exhibits.shown, s.currentPart().Row}
	if key != s.plotKey {
		s.plotKey, s.plots = key, nil
		if key.exhibit != nil {
			s.plots = append(s.exhibitPlots(key.exhibit, key.row), s.exhibits.pairs...)
		}
		if key.report != nil {
			s.plots = append(s.plots, s.reportPlots(key.report)...)
		}
		unique(s.plots)
	}
	return s.plots
}

// unique tells plots of one name apart: those of the row come before those of the whole run.
func unique(plots []Plot) {
	seen := map[string]int{}
	for i := range plots {
		name := plots[i].Name
		if seen[name]++; seen[name] > 1 {
			plots[i].Name = name + ", whole run"
			if seen[name] > 2 {
				plots[i].Name = fmt.Sprintf("%s %d", name, seen[name])
			}
		}
	}
}

// PlotNamed finds a plot by its name.
func (s *Session) PlotNamed(name string) (Plot, bool) {
	for _, p := range s.Plots() {
		if p.Name == name {
			return p, true
		}
	}
	return Plot{}, false
}

// SetChart shows a plot beside the picture by name, "" none.
func (s *Session) SetChart(name string) { s.change(func(v *viewer.View) { v.Chart = name }) }

// PickDatum goes to what a datum of a plot stands for.
func (s *Session) PickDatum(p Plot, h chart.Hit) {
	if p.pick != nil {
		s.batch(func() { p.pick(h) })
	}
}

// PickTime goes to the frame at a place on the x axis of a plot, if that is a time.
func (s *Session) PickTime(p Plot, x float64) {
	if p.frame == nil || math.IsNaN(x) {
		return
	}
	if p.Slices {
		s.SetZ(p.frame(x))
	} else {
		s.SetT(p.frame(x))
	}
}

// exhibitPlots are the charts of one row.
func (s *Session) exhibitPlots(x *report.Exhibit, row int) []Plot {
	var plots []Plot
	if len(x.Tracks) > 0 {
		plots = append(plots, s.lineagePlot(x))
	}
	if x.Plate != nil {
		plots = append(plots, s.platePlot(x.Plate, row))
	}
	for i := range x.Graphs {
		plots = append(plots, s.graphPlot(&x.Graphs[i], row))
	}
	for i := range x.Groups {
		plots = append(plots, s.groupsPlot(&x.Groups[i], row))
	}
	for i := range x.Tables {
		plots = append(plots, crosstabPlot(&x.Tables[i]))
	}
	return plots
}

// crosstabPlot draws what the truth calls things against what the answer calls them.
func crosstabPlot(t *report.Crosstab) Plot {
	c := chart.HeatMap{Title: t.Name, Rows: len(t.Truth), Columns: len(t.Answer), X: chart.Axis{Name: "answer", Names: t.Answer},
		Y: chart.Axis{Name: "truth", Names: t.Truth}, Value: chart.Axis{Name: "pairs", Whole: true}, Numbers: true, Empty: "No pairs"}
	for _, row := range t.Numbers {
		for _, n := range row {
			c.Values = append(c.Values, float64(n))
		}
	}
	return Plot{Name: t.Name, Chart: c}
}

func lookOf(side report.Side, first bool) chart.Look {
	switch {
	case !first:
		return chart.Look{}
	case side == report.TruthSide:
		return chart.TruthLook
	}
	return chart.AnswerLook
}

// graphPlot draws curves. Where each side has one, they look as the sides do everywhere.
func (s *Session) graphPlot(g *report.Graph, row int) Plot {
	count := map[report.Side]int{}
	for _, c := range g.Curves {
		count[c.Side]++
	}
	xy := chart.XY{Title: g.Title, X: chart.Axis{Name: g.XName}, Y: chart.Axis{Name: g.YName}, Identity: g.Equal, Empty: "Nothing to draw"}
	if g.XLog {
		xy.X.Scale = chart.Symlog
	}
	for _, c := range g.Curves {
		series := chart.Series{Name: c.Name, X: c.X, Y: c.Y, Mode: chart.Lines, Look: lookOf(c.Side, count[c.Side] == 1)}
		if c.Loose {
			series.Mode = chart.Points
		}
		if c.Error != nil {
			series.Low, series.High = make([]float64, len(c.Y)), make([]float64, len(c.Y))
			for i, e := range c.Error {
				series.Low[i], series.High[i] = c.Y[i]-e, c.Y[i]+e
			}
		}
		xy.Series = append(xy.Series, series)
	}
	for _, p := range g.Places {
		xy.Lines = append(xy.Lines, chart.Line{Name: p.Name, At: p.X, Vertical: true, Look: lookOf(p.Side, true)})
	}
	plot := Plot{Name: g.Name, Chart: xy, pick: func(h chart.Hit) {
		if h.Ref.Series < len(g.Curves) {
			c := g.Curves[h.Ref.Series]
			if !s.pickID(row, c.Side, c.IDs, h.Ref.Index) {
				s.pickRow(c.Rows, h.Ref.Index)
			}
		}
	}}
	if g.Slices {
		plot.Slices = true
		plot.Cursor = func(z int) float64 { return float64(z) }
		plot.frame = func(x float64) int { return int(math.Round(x)) }
	}
	if g.FrameStep != 0 {
		plot.Cursor = func(t int) float64 { return (float64(t) - g.FrameAt0) * g.FrameStep }
		plot.frame = func(x float64) int { return int(math.Round(g.FrameAt0 + x/g.FrameStep)) }
	}
	return plot
}

func (s *Session) groupsPlot(g *report.Groups, row int) Plot {
	c := chart.Groups{Title: g.Name, Y: chart.Axis{Name: g.Value}, Empty: "No values"}
	sides := map[report.Side]bool{}
	for _, group := range g.Groups {
		sides[group.Side] = true
	}
	for _, group := range g.Groups {
		c.Groups = append(c.Groups, chart.Group{Name: group.Name, Values: group.Values, Look: lookOf(group.Side, len(sides) > 1)})
	}
	index := func(name string) int {
		return slices.IndexFunc(g.Groups, func(h report.Group) bool { return h.Name == name })
	}
	for _, t := range g.Tests {
		left, right := index(t.Left), index(t.Right)
		if left < 0 || right < 0 {
			continue
		}
		text := t.Text
		if !math.IsNaN(t.P) {
			text = "p = " + strconv.FormatFloat(t.P, 'g', 3, 64)
			c.Brackets = append(c.Brackets, chart.Bracket{Left: left, Right: right, Text: text, Doubt: !t.Met})
		}
	}
	return Plot{Name: g.Name, Chart: c, pick: func(h chart.Hit) {
		if h.Ref.Series < len(g.Groups) {
			group := g.Groups[h.Ref.Series]
			if !s.pickID(row, group.Side, group.IDs, h.Ref.Index) && !s.pickRow(group.Rows, h.Ref.Index) {
				s.pickImage(group.Images, h.Ref.Index)
			}
		}
	}}
}

func (s *Session) platePlot(p *report.Plate, row int) Plot {
	c := chart.Plate{Title: "Plate", Rows: p.Rows, Columns: p.Columns, Value: chart.Axis{Name: p.Value}, Empty: "No wells",
		Verdicts: map[render.Style]string{render.Extra: "not on the plate map", render.Missed: "missing", render.Double: "value in doubt"}}
	for _, w := range p.Wells {
		text := w.Text
		if w.Group != "" {
			text = w.Group + " " + text
		}
		label := ""
		if !math.IsNaN(w.Dose) {
			label = strconv.FormatFloat(w.Dose, 'g', 3, 64)
		}
		c.Wells = append(c.Wells, chart.Well{Row: w.Row, Column: w.Column, Name: w.Name, Value: w.Value, Label: label, Style: StyleOf(w.Verdict), Text: text})
	}
	return Plot{Name: "plate", Chart: c, pick: func(h chart.Hit) {
		if h.Ref.Index >= len(p.Wells) {
			return
		}
		w := p.Wells[h.Ref.Index]
		if !s.pickID(row, report.AnswerSide, []report.ID{w.ID}, 0) {
			s.openWell(w)
		}
	}}
}

// openWell shows the images of a well.
func (s *Session) openWell(w report.Well) {
	for i := range w.Images {
		if s.pickImage(w.Images, i) {
			return
		}
	}
}

// pickID goes to the mark of a datum that carries an id; false if there is none.
func (s *Session) pickID(row int, side report.Side, ids []report.ID, i int) bool {
	if i < 0 || i >= len(ids) || ids[i] == 0 || s.Report() == nil {
		return false
	}
	for k, m := range s.Report().Marks {
		if (row < 0 || m.Image == row) && (side == report.AnswerSide && m.Pred == ids[i] || side == report.TruthSide && m.Truth == ids[i]) {
			s.selectMark(k)
			return true
		}
	}
	return false
}

// pickRow goes to the image of a row of the report; false if the datum has none.
func (s *Session) pickRow(rows []int, i int) bool {
	if i < 0 || i >= len(rows) {
		return false
	}
	image, part, ok := s.rowImage(rows[i])
	if ok {
		s.SelectImage(image)
		s.SelectPart(part)
	}
	return ok
}

// pickImage goes to the image whose input file it is; false if there is none.
func (s *Session) pickImage(paths []string, i int) bool {
	if i < 0 || i >= len(paths) || paths[i] == "" {
		return false
	}
	at := slices.IndexFunc(s.images(), func(im Image) bool { return im.Input == paths[i] })
	if at >= 0 {
		s.SelectImage(at)
	}
	return at >= 0
}

// selectMark stands at a mark, in the errors table if it is there.
func (s *Session) selectMark(k int) {
	if at := slices.Index(s.errors.rows, k); at >= 0 {
		s.SelectError(at)
		return
	}
	s.leave()
	s.errors.selected = -1
	s.goTo(s.Report().Marks[k])
	s.changed(Selection)
}
