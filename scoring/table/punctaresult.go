package table

import (
	"math"
	"path/filepath"
	"strings"

	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// result fills the record of metrics.
func (p *puncta) result() error {
	value := numeric.Round4(p.total.Score)
	p.Report.Primary = "count agreement"
	p.Report.Result = report.Result{Value: value}
	mape, differences, meanDifference := p.meanErrors()
	agreement, err := p.agreement()
	if err != nil {
		return err
	}
	nuclei := new(report.Record)
	for _, name := range p.sortedConditions() {
		if c := p.conditions[name]; c.scored {
			nuclei.Set(name, numeric.Round4(c.mae))
		}
	}
	r := new(report.Record).Set("result_score", value).
		Set("result_score_ci_low", numeric.Round4(p.total.Low)).Set("result_score_ci_high", numeric.Round4(p.total.High)).
		Set("result_score_n_scored", p.total.NScored).Set("result_score_n_missing", p.total.NMissing).
		Set("missing_policy", numeric.ZeroScore).Set("per_nucleus_mape", numeric.Round4(p.nucleusMape())).
		Set("per_condition_nucleus_mae", nuclei).Set("mape", mape).Set("per_condition_mae", differences).
		Set("mean_condition_mae", meanDifference)
	for _, c := range []struct{ field, column string }{{"pearson_n_puncta", countColumn},
		{"pearson_gfp_mean_intensity", "GFP mean intensity per ROI"}, {"pearson_total_puncta_volume", "total GFP puncta volume um per ROI"}} {
		v, err := p.correlation(c.column)
		if err != nil {
			return err
		}
		r.Set(c.field, round4(v))
	}
	rank := p.rank()
	r.Set("per_nucleus_puncta_agreement", agreement).Set("condition_rank_correct", rank).Set("common_conditions", list(p.common)).
		Set("missing_pred_conditions", list(p.truthMean.without(p.predMean))).
		Set("extra_pred_conditions", list(p.predMean.without(p.truthMean))).
		Set("pred_condition_means", p.predMean.record(-1)).Set("gt_condition_means", p.truthMean.record(-1)).
		Set("key_match", keyMatch(p.predMean.order, p.truthMean.order, p.common))
	r.Set("evidence_for_vlm", p.evidence(r, rank))
	p.Report.Metrics = r
	return nil
}

// evidence repeats what the judge of the process gets to see.
func (p *puncta) evidence(r *report.Record, rank any) *report.Record {
	rel, err := filepath.Rel(p.Run.Dir, p.pred.path)
	if err != nil || strings.HasPrefix(rel, "..") {
		_, rel, _ = strings.Cut(p.Shown(p.pred.path), "/")
	}
	return new(report.Record).Set("result_score", r.Get("result_score")).Set("per_nucleus_mape", r.Get("per_nucleus_mape")).
		Set("per_condition_nucleus_mae", r.Get("per_condition_nucleus_mae")).Set("condition_mean_mape", r.Get("mape")).
		Set("pearson_n_puncta", r.Get("pearson_n_puncta")).
		Set("condition_rank_correct (1 if WT>3DBDmut>=C129A/H144A else 0)", rank).
		Set("pred_condition_means", p.predMean.record(3)).Set("gt_condition_means", p.truthMean.record(3)).
		Set("missing_pred_conditions", r.Get("missing_pred_conditions")).Set("extra_pred_conditions", r.Get("extra_pred_conditions")).
		Set("n_scored_conditions", p.total.NScored).Set("n_missing_conditions", p.total.NMissing).
		Set("missing_policy", numeric.ZeroScore).Set("deliverable_path", filepath.ToSlash(rel))
}

// record lists the means, rounded unless places is negative.
func (m means) record(places int) *report.Record {
	r := new(report.Record)
	for _, name := range m.order {
		v := m.value[name]
		if places >= 0 {
			v = numeric.Round(v, places)
		}
		r.Set(name, v)
	}
	return r
}

// nucleusMape is the mean relative error, a condition without measurable nuclei counting 1.
func (p *puncta) nucleusMape() float64 {
	var errors []float64
	missing := 0
	for _, name := range p.sortedConditions() {
		switch c := p.conditions[name]; {
		case c.scored:
			errors = append(errors, c.relative)
		case c.unmeasured:
			missing++
		}
	}
	for range missing {
		errors = append(errors, 1)
	}
	if len(errors) == 0 {
		return 1
	}
	return numeric.Mean(errors)
}

// meanErrors compare the means of the common conditions: relative, absolute by condition, and the mean of the latter.
func (p *puncta) meanErrors() (mape float64, differences *report.Record, mean float64) {
	var relative, absolute []float64
	differences = new(report.Record)
	for _, name := range p.common {
		truth := p.truthMean.value[name]
		d := math.Abs(p.predMean.value[name] - truth)
		if truth != 0 {
			relative = append(relative, d/math.Abs(truth))
		}
		absolute = append(absolute, numeric.Round4(d))
		differences.Set(name, numeric.Round4(d))
	}
	mape = 1
	if len(relative) > 0 {
		mape = numeric.Mean(relative)
	}
	return numeric.Round4(mape), differences, numeric.Round4(numeric.Mean(absolute))
}

// correlation is that of the condition means of a column.
func (p *puncta) correlation(column string) (*float64, error) {
	pred, truth := p.predMean, p.truthMean
	if column != countColumn {
		pred, truth = p.pred.means(column), p.truth.means(column)
	}
	var x, y []float64
	for _, name := range pred.common(truth) {
		x, y = append(x, truth.value[name]), append(y, pred.value[name])
	}
	return numeric.Pearson(x, y)
}

// agreement compares the counts of all pairs; nil for fewer than two.
func (p *puncta) agreement() (any, error) {
	if len(p.pairs) < 2 {
		return nil, nil
	}
	x, y, sum := make([]float64, len(p.pairs)), make([]float64, len(p.pairs)), 0.0
	for i, c := range p.pairs {
		x[i], y[i] = c.truth, c.pred
		q, err := numeric.Square(c.pred - c.truth)
		if err != nil {
			return nil, err
		}
		sum += q
	}
	r, err := numeric.Pearson(x, y)
	if err != nil {
		return nil, err
	}
	return new(report.Record).Set("per_nucleus_n_matched", len(p.pairs)).Set("per_nucleus_n_gt_unmatched", p.nMissed).
		Set("per_nucleus_n_pred_unmatched", p.nSurplus).Set("per_nucleus_pearson_n_puncta", round4(r)).
		Set("per_nucleus_rmse_n_puncta", numeric.Round4(math.Sqrt(sum/float64(len(p.pairs))))), nil
}

// rank tells whether the answer's means fall from the wild type over the DNA-binding mutant to the zinc-finger mutant:
// 1 or 0, nil where one of them is lacking.
func (p *puncta) rank() any {
	of := func(parts ...string) (float64, bool) {
		for _, part := range parts {
			for _, name := range p.predMean.order {
				if strings.Contains(name, part) {
					return p.predMean.value[name], true
				}
			}
		}
		return 0, false
	}
	wt, ok1 := of("wt")
	dbd, ok2 := of("3dbd")
	c, ok3 := of("c129a", "h144a")
	switch {
	case !ok1 || !ok2 || !ok3:
		return nil
	case wt > dbd && dbd >= c:
		return 1.0
	}
	return 0.0
}
