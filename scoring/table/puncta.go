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

// Puncta scores a table of puncta per nucleus (spec/scorers-tables.md 2). progress may be nil. The error is for a cancelled
// context; whatever is wrong with the inputs is in the report.
func Puncta(ctx context.Context, task *biabench.Task, answer *biabench.Run, progress func(done, total int)) (*report.Report, error) {
	return run(ctx, task, answer, progress, func(c *call.Call) error { return (&puncta{Call: c}).score() })
}

// puncta is one call of the calculator.
type puncta struct {
	*call.Call
	pred, truth       *quants
	predMean          means // of the count column
	truthMean         means
	common            []string // conditions that both have, sorted
	micrometres       float64
	threshold         float64 // in voxels, infinite for no limit
	images            []*nuclei
	conditions        map[string]*condition
	pairs             []countPair // of all images, as they were taken
	nMissed, nSurplus int
	total             numeric.ItemScore
}

const countColumn = "number of GFP puncta"

func (p *puncta) score() error {
	file, err := deliverable(p.Call, "cell_quants")
	if err != nil || file == "" {
		return err
	}
	reference, err := quantsOf(p.Task.Truth)
	if err != nil {
		return err
	}
	if reference == "" {
		p.Zero("the evaluation folder holds no table cell_quants.csv")
		whole(p.Call, "cell_quants.csv")
		return nil
	}
	if p.pred, err = readQuants(file); err != nil {
		return err
	}
	if p.truth, err = readQuants(reference); err != nil {
		return err
	}
	p.predMean, p.truthMean = p.pred.means(countColumn), p.truth.means(countColumn)
	p.common = p.predMean.common(p.truthMean)
	if len(p.common) == 0 {
		p.nothingInCommon()
		return nil
	}
	if _, given := p.Task.Rubric.Metric["nucleus_match_threshold_um"]; !given {
		return errors.New("the rubric gives no nucleus_match_threshold_um")
	}
	if p.micrometres, err = p.Number("nucleus_match_threshold_um", 0); err != nil {
		return err
	}
	p.threshold = inVoxels(p.micrometres, p.truth.voxel())
	if err := p.match(); err != nil {
		return err
	}
	p.aggregate()
	p.annotate()
	if err := p.result(); err != nil {
		return err
	}
	p.method()
	p.notes()
	return nil
}

// nothingInCommon ends with the two lists of conditions.
func (p *puncta) nothingInCommon() {
	pred, truth := slices.Sorted(slices.Values(p.predMean.order)), slices.Sorted(slices.Values(p.truthMean.order))
	p.Zero("no condition of the answer is one of the truth").Set("pred_conditions", list(pred)).Set("gt_conditions", list(truth)).
		Set("key_match", keyMatch(pred, truth, nil))
	unmatched(p.Call, truth, "condition")
	if len(truth) == 0 {
		whole(p.Call, "cell_quants.csv")
	}
	p.headerNotes()
	if len(pred) > 0 {
		p.Warn(p.Shown(p.pred.path), "The conditions are named "+namesOf(pred)+", the truth has "+namesOf(truth),
			"Use the names of the input folders as conditions")
	}
}

// inVoxels turns the pairing distance into voxels; there is no limit without a usable voxel size.
func inVoxels(micrometres, voxel float64) float64 {
	if !(micrometres > 0) || voxel == 0 {
		return math.Inf(1)
	}
	return micrometres / voxel
}

// condition adds up what the nuclei of a condition are wrong by.
type condition struct {
	name       string
	ofPairs    float64 // puncta that differ in pairs
	ofMissed   float64 // puncta of missed nuclei
	errors     float64 // the two together, in the order of the reference
	n          int     // nuclei of the truth that have a place and a count
	surplus    float64 // puncta of nuclei that the truth does not have
	mean       float64 // of the truth, in its table's rows
	mae        float64
	relative   float64
	score      float64
	scored     bool // false: no nucleus to compare, or a mean of 0
	unmeasured bool // a mean, but no nucleus that has a place: counts 0
}

func (p *puncta) condition(name string) *condition {
	c, ok := p.conditions[name]
	if !ok {
		c = &condition{name: name}
		p.conditions[name] = c
	}
	return c
}

// aggregate scores the conditions of the truth and averages them.
func (p *puncta) aggregate() {
	var scores []float64
	missing := 0
	for _, name := range p.sortedConditions() {
		c := p.condition(name)
		c.mean = p.truthMean.value[name]
		switch {
		case c.mean == 0:
			continue
		case c.n == 0:
			c.unmeasured = true
			missing++
			continue
		}
		c.scored = true
		c.mae = (c.errors + c.surplus) / float64(c.n)
		c.relative = c.mae / math.Abs(c.mean)
		if !math.IsNaN(c.relative) && !math.IsInf(c.relative, 0) {
			c.score = numeric.Clip(1-c.relative, 0, 1)
		}
		scores = append(scores, c.score)
	}
	p.total = numeric.AggregatePerItem(scores, missing, numeric.ZeroScore, 0)
}

// sortedConditions are those of the truth.
func (p *puncta) sortedConditions() []string { return slices.Sorted(slices.Values(p.truthMean.order)) }
