package table

import (
	"context"
	"errors"
	"math"
	"slices"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// Translocation scores a dose-response of nuclear over cytoplasmic intensity (spec/scorers-tables.md 5). There is no truth.
// progress may be nil. The error is for a cancelled context; whatever is wrong with the inputs is in the report.
func Translocation(ctx context.Context, task *biabench.Task, answer *biabench.Run, progress func(done, total int)) (*report.Report, error) {
	return run(ctx, task, answer, progress, func(c *call.Call) error { return (&translocation{Call: c}).score() })
}

// translocation is one call of the calculator.
type translocation struct {
	*call.Call
	wellFile, cellFile string // cellFile is "" for none
	wells, cells       *doses
	cellErr            error // why the table of cells counts as empty
	tolerance          float64
	types              []*cellType
}

func (t *translocation) score() error {
	var err error
	if t.wellFile, err = deliverable(t.Call, "per_well_summary"); err != nil || t.wellFile == "" {
		return err
	}
	if t.wells, err = readDoses(t.wellFile, "mean_nuc_over_cyto_ratio"); err != nil {
		t.Zero("the table of wells cannot be read: " + call.Reason(err))
		whole(t.Call, "per_well_summary")
		return nil
	}
	if len(t.wells.list) == 0 {
		t.Zero("no row of the table of wells has numbers in dose and mean_nuc_over_cyto_ratio").Set("summary_csv", t.Shown(t.wellFile))
		whole(t.Call, "per_well_summary")
		t.headerNotes()
		return nil
	}
	d, err := t.Deliverable("per_cell_features")
	if err != nil {
		return err
	}
	t.cells = &doses{at: map[string]*doseSet{}}
	if len(d.Files) > 0 {
		t.cellFile = d.Files[0]
		cells, err := readDoses(t.cellFile, "nuc_over_cyto_ratio")
		if t.cellErr = err; err == nil {
			t.cells = cells
		}
	}
	if t.tolerance, err = t.Number("replicate_cv_tolerance", 0.15); err != nil {
		return err
	}
	for i, set := range t.wells.list {
		if err := t.Ctx.Err(); err != nil {
			return err
		}
		t.Progress(i, len(t.wells.list))
		c, err := t.judge(set)
		if err != nil {
			return err
		}
		t.types = append(t.types, c)
	}
	t.Progress(len(t.wells.list), len(t.wells.list))
	t.annotate()
	t.result()
	t.method()
	t.notes()
	return nil
}

// The three questions, by the names that the reference gives them.
const (
	doseResponse = "dose_response_score"
	consistency  = "replicate_consistency_score"
	treatment    = "control_vs_treated_score"
)

// cellType is a cell type with its three sub-scores; the raw values are nil where a question cannot be answered.
type cellType struct {
	*doseSet
	response, spearman, pearson *float64
	consistent, meanCV          *float64
	effect, p                   *float64
	control, treated            float64 // doses; NaN without two of them
	fromCells                   bool    // the test used cells, not wells
	unanswered                  []string
	score                       float64 // mean of the three, unrounded
	cvs                         map[float64]float64
}

func (t *translocation) judge(set *doseSet) (*cellType, error) {
	c := &cellType{doseSet: set, control: math.NaN(), treated: math.NaN(), cvs: map[float64]float64{}}
	if err := c.judgeResponse(); err != nil {
		return nil, err
	}
	if err := c.judgeReplicates(t.tolerance); err != nil {
		return nil, err
	}
	c.judgeTreatment(t.cells.at[set.name])
	sum := 0.0
	for _, part := range c.parts() {
		if part.value == nil {
			c.unanswered = append(c.unanswered, part.name)
		} else {
			sum += *part.value
		}
	}
	c.score = sum / 3
	return c, nil
}

// part is a sub-score, nil if it cannot be computed.
type part struct {
	name  string
	value *float64
}

func (c *cellType) parts() []part {
	return []part{{doseResponse, c.response}, {consistency, c.consistent}, {treatment, c.effect}}
}

// judgeResponse asks whether the mean ratio rises with the dose.
func (c *cellType) judgeResponse() error {
	x := c.sorted()
	y := make([]float64, len(x))
	for i, d := range x {
		y[i] = numeric.Mean(c.values[d])
	}
	if len(x) < 2 || !slices.ContainsFunc(y, func(v float64) bool { return v != y[0] }) {
		return nil
	}
	rho := numeric.Spearman(x, y)
	if math.IsNaN(rho) {
		return nil
	}
	var err error
	if c.pearson, err = numeric.Pearson(x, y); err != nil {
		return err
	}
	c.spearman, c.response = &rho, ptr(max(0, rho))
	return nil
}

// judgeReplicates asks how far the wells of one dose scatter.
func (c *cellType) judgeReplicates(tolerance float64) error {
	var all []float64
	for _, d := range c.order {
		wells := c.values[d]
		mean := numeric.Mean(wells)
		if len(wells) < 2 || mean == 0 {
			continue
		}
		sd, err := numeric.SampleSD(wells)
		if err != nil {
			return err
		}
		c.cvs[d] = sd / math.Abs(mean)
		all = append(all, c.cvs[d])
	}
	if len(all) == 0 {
		return nil
	}
	mean := numeric.Mean(all)
	c.meanCV = &mean
	c.consistent = ptr(numeric.Clip((1-mean)/max(1-tolerance, 1e-9), 0, 1))
	return nil
}

// judgeTreatment asks whether the highest dose lies above the control.
func (c *cellType) judgeTreatment(cells *doseSet) {
	x := c.sorted()
	if len(x) < 2 {
		return
	}
	control, treated := x[0], x[len(x)-1]
	if _, ok := c.values[0]; ok {
		control = 0
	}
	if control == treated {
		return
	}
	c.control, c.treated = control, treated
	a, b := c.values[control], c.values[treated]
	if cells != nil && len(cells.values[control]) > 0 && len(cells.values[treated]) > 0 {
		a, b, c.fromCells = cells.values[control], cells.values[treated], true
	}
	if len(a) < 2 || len(b) < 2 {
		return
	}
	p := numeric.Clip(numeric.WelchLess(a, b), 0, 1)
	if math.IsNaN(p) {
		return
	}
	c.p, c.effect = &p, ptr(numeric.Clip(1-p, 0, 1))
}

// result fills the record of metrics.
func (t *translocation) result() {
	sum := 0.0
	types := new(report.Record)
	for _, c := range t.types {
		rounded := numeric.Round4(c.score)
		sum += rounded
		r := new(report.Record).Set(doseResponse, orZero(c.response)).
			Set("dose_response_spearman_r", round4(c.spearman)).Set("dose_response_pearson_r", round4(c.pearson)).
			Set(consistency, orZero(c.consistent)).Set("replicate_mean_cv", round4(c.meanCV)).
			Set(treatment, orZero(c.effect)).Set("control_vs_treated_p", nil).
			Set("sub_scores_not_computable", list(c.unanswered)).Set("cell_type_score", rounded)
		if c.p != nil {
			r.Set("control_vs_treated_p", numeric.RoundSignificant(*c.p, 6))
		}
		types.Set(c.name, r)
	}
	value := numeric.Round4(sum / float64(len(t.types)))
	t.Report.Primary = "dose response"
	t.Report.Result = report.Result{Value: value}
	t.Report.Metrics = new(report.Record).Set("result_score", value).Set("per_cell_type", types).
		Set("n_cell_types_scored", len(t.types)).Set("summary_csv", t.Shown(t.wellFile)).Set("per_cell_csv", nil)
	if t.cellFile != "" {
		t.Report.Metrics.Set("per_cell_csv", t.Shown(t.cellFile))
	}
}

func orZero(v *float64) float64 {
	if v == nil {
		return 0
	}
	return numeric.Round4(*v)
}

// errLongRow is why a table with a row longer than its header is not read at all.
var errLongRow = errors.New("a row has more cells than the header")
