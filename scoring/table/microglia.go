package table

import (
	"context"
	"path/filepath"
	"slices"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// Microglia scores cells with places and classes over time (spec/scorers-tables.md 6). progress may be nil. The error is
// for a cancelled context; whatever is wrong with the inputs is in the report.
func Microglia(ctx context.Context, task *biabench.Task, answer *biabench.Run, progress func(done, total int)) (*report.Report, error) {
	return run(ctx, task, answer, progress, func(c *call.Call) error { return (&microglia{Call: c}).score() })
}

// microglia is one call of the calculator.
type microglia struct {
	*call.Call
	predPath, truthPath string
	pred, truth         *cellList
	threshold           float64  // pixels
	frames              []*frame // of either side, by number
	tally               tally
	course              course
}

// defaultDistance is how far apart a pair may be, in pixels, where the rubric says nothing.
const defaultDistance = 15

func (m *microglia) score() error {
	m.Report.Gains = true
	m.truthPath = annotationOf(m.Task.Truth)
	if m.truthPath == "" {
		m.None("the evaluation folder holds no Replicate1annotation.csv")
		return nil
	}
	var err error
	if m.predPath, err = deliverable(m.Call, "cell_labels"); err != nil || m.predPath == "" {
		return err
	}
	if m.pred, err = readCells(m.predPath); err == nil {
		m.truth, err = readAnnotation(m.truthPath)
	}
	switch {
	case err != nil:
		m.Zero("a table cannot be read: " + call.Reason(err))
		whole(m.Call, "cell_labels")
		return nil
	case len(m.pred.cells) == 0:
		m.Zero("no row of the table has a frame, x and y").Set("pred_csv", m.Shown(m.predPath))
		whole(m.Call, "cell_labels")
		m.columnNotes()
		return nil
	case len(m.truth.cells) == 0:
		m.Zero("no row of the annotation has a frame and a place").Set("gt_csv", m.ShownTruth(m.truthPath))
		whole(m.Call, "Replicate1annotation.csv")
		return nil
	}
	if m.threshold, err = m.Number("distance_threshold_px", defaultDistance); err != nil {
		return err
	}
	m.frames = framesOf(m.pred, m.truth)
	if err := m.match(); err != nil {
		return err
	}
	if m.course, err = courseOf(m.frames, -1, [nClasses]int{}); err != nil {
		return err
	}
	if err := m.annotate(); err != nil {
		return err
	}
	m.result()
	m.method()
	m.notes()
	return nil
}

// annotationOf finds the table of the truth, directly in its folder.
func annotationOf(dir string) string {
	glob := biabench.CompileGlob("*nnotation*.csv")
	other := ""
	for _, f := range downward(dir) {
		if filepath.Dir(f) != filepath.Clean(dir) {
			break
		}
		switch name := filepath.Base(f); {
		case name == "Replicate1annotation.csv":
			return f
		case other == "" && glob.Match(name):
			other = f
		}
	}
	return other
}

// frame are the cells of one time point.
type frame struct {
	number      float64
	pred, truth []int // cells, in file order
	pairs       []numeric.Pair
	loosePred   []int         // unpaired
	looseTruth  []int         //
	predKnown   [nClasses]int // cells by class
	truthKnown  [nClasses]int
}

// framesOf groups the cells of both sides.
func framesOf(pred, truth *cellList) []*frame {
	at := map[float64]*frame{}
	var frames []*frame
	of := func(number float64) *frame {
		f, ok := at[number]
		if !ok {
			f = &frame{number: number}
			at[number] = f
			frames = append(frames, f)
		}
		return f
	}
	for i, c := range pred.cells {
		f := of(c.frame)
		f.pred = append(f.pred, i)
		if c.class >= 0 {
			f.predKnown[c.class]++
		}
	}
	for i, c := range truth.cells {
		f := of(c.frame)
		f.truth = append(f.truth, i)
		if c.class >= 0 {
			f.truthKnown[c.class]++
		}
	}
	slices.SortFunc(frames, func(a, b *frame) int {
		if a.number < b.number {
			return -1
		}
		return 1
	})
	return frames
}

// match pairs the cells of each frame and counts.
func (m *microglia) match() error {
	for i, f := range m.frames {
		if err := m.Ctx.Err(); err != nil {
			return err
		}
		m.Progress(i, len(m.frames))
		f.pairs = numeric.GreedySquared(m.pred.points(f.pred), m.truth.points(f.truth), float64(m.threshold*m.threshold))
		predTaken, truthTaken := make([]bool, len(f.pred)), make([]bool, len(f.truth))
		for k := range f.pairs {
			p := &f.pairs[k]
			predTaken[p.Pred], truthTaken[p.Truth] = true, true
			p.Pred, p.Truth = f.pred[p.Pred], f.truth[p.Truth]
			m.tally.pair(m.pred.cells[p.Pred].class, m.truth.cells[p.Truth].class, 1)
		}
		f.loosePred, f.looseTruth = keep(f.pred, predTaken), keep(f.truth, truthTaken)
		m.tally.fp += len(f.loosePred)
		m.tally.fn += len(f.looseTruth)
	}
	m.Progress(len(m.frames), len(m.frames))
	return nil
}

func keep(list []int, taken []bool) []int {
	var left []int
	for i, v := range list {
		if !taken[i] {
			left = append(left, v)
		}
	}
	return left
}

// result fills the record of metrics.
func (m *microglia) result() {
	macro, accuracy := m.tally.classification()
	value := numeric.Round4(m.total(m.tally, m.course))
	m.Report.Primary = "localisation, classes and course"
	m.Report.Result = report.Result{Value: value}
	r := new(report.Record).Set("result_score", value).Set("localization_f1", numeric.Round4(m.tally.localisation())).
		Set("per_class_f1", nil)
	if macro != nil {
		classes := new(report.Record)
		for k, name := range classNames {
			classes.Set(name, numeric.Round4(m.tally.classes[k].f1()))
		}
		r.Set("per_class_f1", classes)
	}
	m.Report.Metrics = r.Set("classification_macro_f1", round4(macro)).Set("classification_accuracy", round4(accuracy)).
		Set("trend_correlation_score", round4(m.course.score)).Set("trend_mean_pearson_r", round4(m.course.mean)).
		Set("distance_threshold_px", m.threshold).Set("n_pred_cells", len(m.pred.cells)).Set("n_gt_cells", len(m.truth.cells)).
		Set("n_matched", m.tally.tp).Set("pred_csv", m.Shown(m.predPath)).Set("gt_csv", m.ShownTruth(m.truthPath))
}
