package signal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster/parallel"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

const (
	kineticsScore = "kinetics_quality_score"
	innerCore     = "normalized_total_innercore"
)

// Kinetics scores curves over time in the sheets of workbooks, one cell a sheet, against the truth's workbook
// (spec/scorers-signals.md 3): the frame of anaphase onset and the correlation of curves. Times are in minutes. progress is
// told of the cells; nil is allowed. The error is for a cancelled context; whatever is wrong with the inputs is in the report.
func Kinetics(ctx context.Context, task *biabench.Task, run *biabench.Run, progress func(done, total int)) (*report.Report, error) {
	return score(ctx, task, run, progress, (*scorer).kinetics)
}

func (s *scorer) kinetics() error {
	candidates := filesBelow(s.Task.Truth, matches("*.xlsx"))
	if len(candidates) == 0 {
		s.None("the evaluation folder holds no workbook (.xlsx)")
		return nil
	}
	truthFile := candidates[0]
	answerBooks, texts, err := s.answerTables()
	if err != nil {
		return err
	}
	all, err := readBooks(s.Ctx, append([]string{truthFile}, answerBooks...))
	if err != nil {
		return err
	}
	truths := all.tables[0]
	if all.errs[0] != nil {
		return all.errs[0]
	}
	if len(truths) == 0 {
		s.Zero("the truth's workbook has no sheet with times and measured columns", truthFile).Set("gt_xlsx", s.ShownTruth(truthFile))
		return nil
	}
	var sheets []string
	for i := range truths {
		truths[i].key = stemKey(truths[i].sheet, lower(truths[i].sheet))
		sheets = append(sheets, truths[i].sheet)
	}
	d, err := s.Deliverable("kinetics_per_cell")
	if err != nil {
		return err
	}
	if d.Err != "" {
		s.Missing(d, truthFile)
		return nil
	}
	c, err := s.collect(all.behindFirst(), texts)
	if err != nil {
		return err
	}
	s.collectedNotes(c)
	if len(c.tables) == 0 {
		s.Zero("no table of the answer has a column '"+timeHeader+"' and one of "+strings.Join(slices.Sorted(slices.Values(seriesNames[:])), ", "), truthFile).
			Set("key_match", keyMatch(nil, sheets, nil))
		return nil
	}
	pairs := pairCells(truths, &c)
	if !slices.ContainsFunc(pairs, func(p cellPair) bool { return p.answer != nil }) {
		s.Zero("no cell of the answer has the name of a cell of the truth", truthFile).
			Set("ref_cells", slices.Sorted(slices.Values(sheets))).Set("pred_cells", slices.Sorted(slices.Values(c.keys))).
			Set("key_match", keyMatch(c.keys, sheets, nil))
		return nil
	}
	return s.judgeCells(pairs, &c, sheets)
}

func (s *scorer) judgeCells(pairs []cellPair, c *collected, sheets []string) error {
	var done atomic.Int64
	if err := parallel.Each(s.Ctx, len(pairs), func(i int) error {
		defer func() { s.Progress(int(done.Add(1)), len(pairs)) }()
		return pairs[i].compare()
	}); err != nil {
		return err
	}
	return s.kineticsReport(pairs, c, sheets)
}

// kineticsFigures are what the score is made of (spec/scorers-signals.md 3.7).
type kineticsFigures struct {
	primary, series               string // as given, and the series that counts
	tolerance                     float64
	component, mae, accuracy, all float64
	result                        float64
}

func (s *scorer) kineticsFigures(pairs []cellPair) (f kineticsFigures, err error) {
	if f.tolerance, err = s.config.float("anaphase_tolerance_frames", 20); err != nil {
		return f, err
	}
	var ok bool
	if f.primary, ok = s.config.text("primary_metric", kineticsScore); !ok {
		return f, errors.New("the rubric's primary_metric is no text")
	}
	f.series = innerCore
	if name := strings.ReplaceAll(strings.ReplaceAll(f.primary, "pearson_", ""), "mae_", ""); slices.Contains(seriesNames[:], name) {
		f.series = name
	}
	sum, errors := 0.0, 0.0
	for _, p := range pairs {
		if r := p.r(f.series); !math.IsNaN(r) {
			sum += max(0, min(1, r))
		}
		errors += p.charged(f.tolerance)
	}
	n := float64(len(pairs))
	f.component, f.mae = sum/n, errors/n
	if f.tolerance > 0 {
		f.accuracy = 1 - min(f.mae/f.tolerance, 1)
	}
	f.all = float64(0.5*f.accuracy) + float64(0.5*f.component)
	f.result = f.component
	if f.primary == kineticsScore {
		f.result = f.all
	}
	return f, nil
}

// r is the correlation of a series, NaN where there is none.
func (p cellPair) r(series string) float64 {
	if a, ok := p.series[series]; ok {
		return a.r
	}
	return math.NaN()
}

// charged is the onset error that the cell answers for: the tolerance where it is unknown.
func (p cellPair) charged(tolerance float64) float64 {
	if math.IsNaN(p.error) {
		return tolerance
	}
	return p.error
}

func (s *scorer) kineticsReport(pairs []cellPair, c *collected, sheets []string) error {
	f, err := s.kineticsFigures(pairs)
	if err != nil {
		return err
	}
	round := numeric.Round4
	var matched []string
	evaluable, within := 0, 0
	perCell := new(report.Record)
	for _, p := range pairs {
		if p.answer == nil {
			continue
		}
		matched = append(matched, p.truth.sheet)
		perCell.Set(p.truth.sheet, p.record())
		if !math.IsNaN(p.error) {
			evaluable++
			if p.error <= 2 {
				within++
			}
		}
	}
	accuracy := math.NaN()
	if evaluable > 0 {
		accuracy = round(float64(within) / float64(evaluable))
	}
	book := pairs[0].truth.file
	r := new(report.Record).Set("result_score", round(f.result)).Set("primary_metric", f.primary).
		Set(kineticsScore, round(f.all)).Set("anaphase_accuracy_score", round(f.accuracy)).
		Set("anaphase_detection_mae", round(f.mae)).Set("pearson_"+f.series, round(f.component)).
		Set("n_cells_paired", len(matched)).Set("n_cells_ref", len(pairs)).Set("n_cells_pred", len(c.keys)).
		Set("gt_xlsx", s.ShownTruth(book)).Set("per_cell", perCell).Set("anaphase_detection_accuracy", null(accuracy)).
		Set("anaphase_within_2_count", within).Set("anaphase_n_evaluable", evaluable).Set("key_match", keyMatch(c.keys, sheets, matched))
	for _, name := range seriesNames {
		var rs, maes []float64
		for _, p := range pairs {
			if a, ok := p.series[name]; ok && !math.IsNaN(a.r) {
				rs = append(rs, a.r)
			}
			if a, ok := p.series[name]; ok && !math.IsNaN(a.mae) {
				maes = append(maes, a.mae)
			}
		}
		r.Set("mean_pearson_"+name, meanOrNull(rs)).Set("mean_mae_"+name, meanOrNull(maes))
	}
	s.Report.Metrics = r
	s.kineticsMarks(pairs, c, f)
	s.result(f.result, round(f.result), f.primary)
	s.kineticsMethod(pairs, f)
	s.kineticsNotes(pairs, c, f)
	return s.closing()
}

func meanOrNull(values []float64) any {
	if len(values) == 0 {
		return nil
	}
	return numeric.Round4(numeric.Mean(values))
}

// record is the entry of a paired cell. Frames and their errors are not rounded.
func (p cellPair) record() *report.Record {
	r := new(report.Record).Set("matched_to", p.answer.key).Set("anaphase_frame_ref", null(p.truth.onset)).
		Set("anaphase_frame_pred", null(p.answer.onset)).Set("anaphase_abs_error", null(p.error)).Set("anaphase_within_2", nil)
	if !math.IsNaN(p.error) {
		r.Set("anaphase_within_2", p.error <= 2)
	}
	for _, name := range seriesNames {
		a := p.series[name]
		r.Set("pearson_"+name, null(numeric.Round4(a.r))).Set("mae_"+name, null(numeric.Round4(a.mae))).Set("n_overlap_"+name, a.n)
	}
	return r
}

// kineticsMarks writes two marks for each cell of the truth, one for the onset and one for the curve, one for a cell
// without an answer, and a diagnostic one for each table of the answer that serves no cell.
func (s *scorer) kineticsMarks(pairs []cellPair, c *collected, f kineticsFigures) {
	n := float64(len(pairs))
	onsetWeight, curveWeight := 0.0, 1.0
	if f.primary == kineticsScore {
		onsetWeight, curveWeight = 0.5, 0.5
	}
	total := 0.0
	for _, p := range pairs {
		total += p.charged(f.tolerance)
	}
	used := map[*cellTable]bool{}
	for i, p := range pairs {
		onset := onsetWeight / n
		if f.tolerance > 0 {
			onset = onsetWeight * p.charged(f.tolerance) / (n * f.tolerance)
			if f.mae > f.tolerance { // the mean is cut at the tolerance: each cell answers for its part of the sum
				onset = onsetWeight * p.charged(f.tolerance) / total
			}
		}
		good := 0.0
		if r := p.r(f.series); !math.IsNaN(r) {
			good = max(0, min(1, r))
		}
		curve := curveWeight * (1 - good) / n
		s.Report.Images = append(s.Report.Images, p.image(1-n*(onset+curve)))
		if p.answer == nil {
			s.mark(report.Mark{Kind: report.Unmatched, Image: i, Key: p.truth.sheet, Cost: onset + curve,
				Text: "No table of the answer has the name of cell " + p.truth.sheet})
			continue
		}
		used[p.answer] = true
		if onsetWeight > 0 {
			s.mark(p.onsetMark(i, onset))
		}
		s.mark(p.curveMark(i, f.series, curve))
	}
	for k := range c.tables {
		if t := &c.tables[k]; !used[t] {
			s.mark(report.Mark{Kind: report.Unmatched, Key: t.key, Diagnostic: true,
				Text: "The answer's table " + t.key + " serves no cell of the truth; this costs nothing"})
		}
	}
}

func (p cellPair) image(value float64) report.Image {
	img := report.Image{Name: p.truth.sheet, Truth: p.truth.file, Status: report.MissingAnswer, Reason: "no table of the answer has its name", Value: value,
		NTruth: len(p.truth.series[innerCore])}
	if p.answer != nil {
		img.Pred, img.Status, img.Reason, img.NPred = p.answer.file, report.Scored, "", len(p.answer.series[innerCore])
	}
	return img
}

// onsetMark judges the frame of the onset. T is that of the truth.
func (p cellPair) onsetMark(image int, cost float64) report.Mark {
	m := report.Mark{Kind: report.ValueError, Image: image, Key: p.truth.sheet, Cost: cost}
	if !math.IsNaN(p.truth.onset) {
		m.T, m.Expected = frameIndex(p.truth.onset), p.truth.onset
	}
	if !math.IsNaN(p.answer.onset) {
		m.Found = p.answer.onset
	}
	switch {
	case math.IsNaN(p.truth.onset):
		m.Kind, m.Text = report.MissingValue, "The truth gives no frame for the onset of "+p.truth.sheet+": it counts as off by the tolerance"
	case math.IsNaN(p.answer.onset) && !p.answer.hasFrame:
		m.Kind, m.Text = report.MissingValue, "Onset unknown: the answer's table has no column of frames (Time Point, frame)"
	case math.IsNaN(p.answer.onset):
		m.Kind, m.Text = report.MissingValue, "Onset unknown: no row of the answer with a frame lies within half a minute of time 0"
	default:
		if p.error == 0 {
			m.Kind = report.TP
		}
		m.Text = fmt.Sprintf("Onset at frame %s, expected %s: off by %s", report.Number(p.answer.onset), report.Number(p.truth.onset), report.Number(p.error))
	}
	return m
}

// curveMark judges the correlation of the series that counts.
func (p cellPair) curveMark(image int, series string, cost float64) report.Mark {
	a := p.series[series]
	m := report.Mark{Kind: report.ValueError, Image: image, Key: p.truth.sheet + ", " + series, Expected: 1, Cost: cost}
	switch {
	case len(p.answer.series[series]) == 0:
		m.Kind, m.Text = report.MissingValue, "The answer has no values of "+series
	case len(p.truth.series[series]) == 0:
		m.Kind, m.Text = report.MissingValue, "The truth has no values of "+series
	case math.IsNaN(a.r):
		m.Text = fmt.Sprintf("The curves of %s have no correlation: %d points of them meet in time, or one side is constant", series, a.n)
	default:
		m.Found = a.r
		if nothing(cost) {
			m.Kind = report.TP
		}
		m.Text = fmt.Sprintf("The curves of %s correlate with r %s over %d points, %d of the truth without a partner", series, report.Number(a.r), a.n, a.left)
	}
	return m
}
