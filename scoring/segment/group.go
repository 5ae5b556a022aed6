package segment

import (
	"path/filepath"

	"coverslip/datasets/biabench"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// group is the images of one compartment ("" where a task has one).
type group struct {
	compartment string
	pairing     biabench.Pairing
	works       []work
	rows        []verdict
	failed      string // why the whole group counts 0, "" if its rows were averaged
}

// fail makes the whole group count 0.
func (g *group) fail(why string) {
	g.failed = why
	for i := range g.works {
		g.works[i].why = why
	}
}

// fields gives the record of a group: means over its rows, rounded, and what became of its images.
func (g *group) fields(mismatches bool) *report.Record {
	r := new(report.Record)
	for _, name := range metricNames {
		if mean, ok := g.mean(name); ok {
			r.Set(name, numeric.Round4(mean))
		} else {
			r.Set(name, nil)
		}
	}
	missing, mismatched, skipped := 0, 0, []string{}
	for _, v := range g.rows {
		switch v.image.Status {
		case report.MissingAnswer:
			missing++
		case report.ShapeMismatch:
			mismatched++
		case report.Unreadable:
			skipped = append(skipped, filepath.Base(v.image.Pred))
		}
	}
	r.Set("matched_images", len(g.pairing.Pairs)).Set("scored_images", len(g.rows)).Set("missing_prediction_images", missing)
	if mismatches {
		r.Set("shape_mismatch_images", mismatched)
	}
	return r.Set("skipped_images", skipped).Set("match_method", g.pairing.Method).
		Set("match_low_confidence", g.pairing.LowConfidence)
}

// mean averages a score over the rows, that of the boundary over those that have one; false if there is none.
func (g *group) mean(metric string) (float64, bool) {
	var values []float64
	for _, v := range g.rows {
		value := score(v.image.Scores, metric)
		if metric != "boundary_f1" || value == value {
			values = append(values, value)
		}
	}
	return numeric.Mean(values), len(values) > 0
}
