package table

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/tabular/python"
	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// The plate of the task: rows A to H, columns 1 to 12.
const (
	plateRows    = 8
	plateColumns = 12
)

// TranslocationExhibit reads the wells of a report of Translocation again: the whole plate, where each well has its ratio, dose,
// cell type, images of the input and what the report says of its row; and for the cell type of the row, or all of them, the ratio
// over the dose and the values that the control is compared with. There is no truth. The error is for a cancelled context.
func TranslocationExhibit(ctx context.Context, task *biabench.Task, run *biabench.Run, rep *report.Report, row int) (*report.Exhibit, error) {
	return call.Show(ctx, task, run, rep, row, showTranslocation)
}

func showTranslocation(s *call.Showing) error {
	wells := &doses{at: map[string]*doseSet{}}
	if file := s.Answer("per_well_summary"); file != "" {
		read, err := readDoses(file, "mean_nuc_over_cyto_ratio")
		if err != nil {
			s.Unread(report.AnswerSide, file, err)
		} else if wells = read; len(wells.list) == 0 {
			s.Remark(s.Shown(file), "No row of the table has numbers in dose and mean_nuc_over_cyto_ratio")
		}
	}
	cells := &doses{at: map[string]*doseSet{}}
	if d, err := s.Deliverable("per_cell_features"); err == nil && len(d.Files) > 0 {
		if read, err := readDoses(d.Files[0], "nuc_over_cyto_ratio"); err == nil {
			cells = read
		}
	}
	s.Out.Plate = plateOf(s, wells)
	image, one := s.Image()
	for _, set := range wells.list {
		if one && set.name != image.Name && wells.at[image.Name] != nil {
			continue
		}
		s.Out.Graphs = append(s.Out.Graphs, wells.response(set))
		if g, ok := treated(wells, cells, set); ok {
			s.Out.Groups = append(s.Out.Groups, g)
		}
	}
	return nil
}

// response is the ratio over the dose: every well, and the mean of each dose with its standard deviation.
func (t *doses) response(set *doseSet) report.Graph {
	replicates := report.Curve{Name: "wells", Loose: true}
	means := report.Curve{Name: "mean and standard deviation"}
	for _, d := range set.sorted() {
		values := set.values[d]
		for i, v := range values {
			replicates.X, replicates.Y, replicates.IDs = append(replicates.X, d), append(replicates.Y, v), append(replicates.IDs, t.id(set.rows[d][i]))
		}
		sd := 0.0
		if len(values) > 1 {
			if v, err := numeric.SampleSD(values); err == nil {
				sd = v
			}
		}
		means.X, means.Y, means.Error = append(means.X, d), append(means.Y, numeric.Mean(values)), append(means.Error, sd)
	}
	return report.Graph{Name: set.name, Title: "Dose response of " + set.name, XName: "dose", YName: "intensity of nucleus / cytoplasm", XLog: true,
		Curves: []report.Curve{replicates, means}}
}

// treated are the values of the control and of the highest dose that the report tests: cells where both doses have some, else wells.
func treated(wells, cells *doses, set *doseSet) (report.Groups, bool) {
	c := &cellType{doseSet: set, control: math.NaN(), treated: math.NaN()}
	c.judgeTreatment(cells.at[set.name])
	if math.IsNaN(c.control) {
		return report.Groups{}, false
	}
	from, source, what := wells, set, "well"
	if c.fromCells {
		from, source, what = cells, cells.at[set.name], "cell"
	}
	g := report.Groups{Name: set.name, Value: "intensity of nucleus / cytoplasm per " + what}
	for _, dose := range []float64{c.control, c.treated} {
		one := report.Group{Name: "dose " + number(dose), Values: source.values[dose]}
		for _, row := range source.rows[dose] {
			one.IDs = append(one.IDs, from.id(row))
		}
		g.Groups = append(g.Groups, one)
	}
	test := report.Comparison{Row: -1, Left: g.Groups[0].Name, Right: g.Groups[1].Name, P: math.NaN(), Expected: true,
		Text: "the highest dose is expected above the control (Welch's test, one-sided)"}
	if c.p != nil {
		test.P, test.Met = *c.p, *c.p < 0.05
	}
	g.Tests = []report.Comparison{test}
	return g, true
}

// plateOf lays the wells of the answer, of the plate map and of the input's images on the plate.
func plateOf(s *call.Showing, wells *doses) *report.Plate {
	b := &plateBuilder{at: map[[2]int]*report.Well{}}
	b.addImages(s.Task.Inputs)
	b.addMap(filepath.Join(s.Task.Dir, biabench.InputFolder))
	verdicts := map[report.ID]report.Mark{}
	for _, m := range s.Of.Marks {
		if m.Diagnostic && m.Pred != 0 {
			if _, twice := verdicts[m.Pred]; !twice {
				verdicts[m.Pred] = m
			}
		}
	}
	off := b.addWells(wells, verdicts)
	b.addGaps(wells, verdicts)
	if len(off) > 0 {
		s.Remark(s.Shown(wells.path), call.Quantity(len(off), "row names", "rows name")+" no well of the plate and "+call.Plural(len(off), "is", "are")+" not on it: "+namesOf(off[:min(5, len(off))]))
	}
	p := &report.Plate{Rows: plateRows, Columns: plateColumns, Value: "intensity of nucleus / cytoplasm"}
	for _, w := range b.at {
		p.Wells = append(p.Wells, *w)
	}
	slices.SortFunc(p.Wells, func(a, b report.Well) int { return cmp.Or(a.Row-b.Row, a.Column-b.Column) })
	return p
}

type plateBuilder struct{ at map[[2]int]*report.Well }

// well is the well at a place, both counted from 0.
func (b *plateBuilder) well(row, column int) *report.Well {
	w := b.at[[2]int{row, column}]
	if w == nil {
		w = &report.Well{Row: row, Column: column, Name: fmt.Sprintf("%c%02d", 'A'+row, column+1), Dose: math.NaN(), Value: math.NaN()}
		b.at[[2]int{row, column}] = w
	}
	return w
}

// wellImage is the name of an image: channel, running number of the well, row, column, field.
var wellImage = regexp.MustCompile(`(?i)^channel \d+-\d+-([A-H])-(\d\d)-\d+\.bmp$`)

func (b *plateBuilder) addImages(files []string) {
	for _, file := range files {
		if parts := wellImage.FindStringSubmatch(filepath.Base(file)); parts != nil {
			if row, column, ok := wellPlace(parts[1] + parts[2]); ok {
				w := b.well(row, column)
				w.Images = append(w.Images, file)
			}
		}
	}
}

// addMap reads the plate map (Row, Col, Dose, CellType), where the input has one.
func (b *plateBuilder) addMap(folder string) {
	glob := biabench.CompileGlob("*platemap_dosekey*.csv")
	for _, file := range downward(folder) {
		if !glob.Match(python.Lower(filepath.Base(file))) {
			continue
		}
		t := readSheet(file)
		columns := t.columns(lowered, true)
		row, ok1 := find(columns, "row")
		column, ok2 := find(columns, "col", "column")
		dose, _ := find(columns, "dose")
		kind, _ := find(columns, "celltype", "cell_type")
		if t.err != nil || !ok1 || !ok2 {
			return
		}
		for i := range t.Len() {
			if r, c, ok := wellPlace(mapRow(t.text(i, row)) + t.text(i, column)); ok {
				w := b.well(r, c)
				w.Group = t.text(i, kind)
				if v, ok := finite(t.text(i, dose)); ok {
					w.Dose = v
				}
			}
		}
		return
	}
}

// mapRow is the letter of a plate's row, which may be written as a number from 1.
func mapRow(text string) string {
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= plateRows {
		return string(rune('A' + n - 1))
	}
	return text
}

// addWells adds the rows of the answer and lists the names that are no wells. Of two rows of a well the first one's ratio stands.
func (b *plateBuilder) addWells(t *doses, verdicts map[report.ID]report.Mark) (off []string) {
	if t.Dict == nil {
		return nil
	}
	column, ok := find(t.columns(python.Trim, true), "well")
	if !ok {
		return nil
	}
	for _, set := range t.list {
		for _, d := range set.order {
			for i, row := range set.rows[d] {
				name := t.text(row, column)
				r, c, ok := wellPlace(name)
				if !ok {
					off = append(off, name)
					continue
				}
				w := b.well(r, c)
				if m, judged := verdicts[t.id(row)]; judged {
					w.Verdict, w.Text = m.Kind, m.Text
				}
				if w.ID != 0 {
					continue
				}
				if w.Verdict == "" && !math.IsNaN(w.Dose) && w.Dose != d {
					w.Verdict, w.Text = report.ValueError, "The answer gives dose "+number(d)+", the plate map "+number(w.Dose)
				}
				if w.Verdict == "" && w.Group != "" && !strings.EqualFold(w.Group, set.name) {
					w.Verdict, w.Text = report.WrongClass, "The answer calls the cells "+set.name+", the plate map "+w.Group
				}
				w.ID, w.Group, w.Dose, w.Value = t.id(row), set.name, d, set.values[d][i]
			}
		}
	}
	return off
}

// addGaps judges the wells that the answer says nothing of: rows without numbers, and wells without a row.
func (b *plateBuilder) addGaps(t *doses, verdicts map[report.ID]report.Mark) {
	if t.Dict == nil {
		return
	}
	if column, ok := find(t.columns(python.Trim, true), "well"); ok {
		for _, row := range t.skipped {
			if r, c, ok := wellPlace(t.text(row, column)); ok && b.well(r, c).ID == 0 {
				w := b.well(r, c)
				w.ID, w.Verdict, w.Text = t.id(row), report.Unparsed, verdicts[t.id(row)].Text
			}
		}
	}
	for _, w := range b.at {
		if w.ID == 0 {
			w.Verdict, w.Text = report.MissingValue, "The answer has no row for this well"
		}
	}
}

// wellPlace is the place of a well by its name, both counted from 0.
func wellPlace(name string) (row, column int, ok bool) {
	parts := wellName.FindStringSubmatch(name)
	if parts == nil {
		return 0, 0, false
	}
	n, err := strconv.Atoi(parts[2])
	return int(strings.ToUpper(parts[1])[0] - 'A'), n - 1, err == nil
}
