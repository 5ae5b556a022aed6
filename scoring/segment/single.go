package segment

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"coverslip/datasets/biabench"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// Single scores a task with one set of instance masks, in two or three dimensions
// (spec/scorers-segmentation-tracking.md 2.2). progress is told of every image; nil is allowed. The error is for a
// cancelled context; whatever is wrong with the inputs is in the report.
func Single(ctx context.Context, task *biabench.Task, run *biabench.Run, progress func(done, total int)) (*report.Report, error) {
	s := newScorer(ctx, task, run, progress)
	r, err := s.single()
	return s.finish(r, err)
}

func (s *scorer) single() (*report.Report, error) {
	refs, err := rasters(s.task.Truth)
	if err != nil {
		return nil, err
	}
	if len(refs) == 0 {
		return s.none("the evaluation folder holds no mask image (.tif, .tiff or .png)"), nil
	}
	d, err := s.resolve("segmentation_masks")
	if err != nil {
		return nil, err
	}
	g := &group{}
	if d.Err != "" {
		s.pair(g, nil, refs)
		return s.missing(d, g)
	}
	preds := slices.DeleteFunc(slices.Clone(d.Files), func(f string) bool { return !isRaster(f) })
	s.pair(g, preds, refs)
	switch {
	case len(preds) == 0:
		return s.zero("none of the answer's files is a mask image (.tif, .tiff or .png)", g)
	case len(g.pairing.Pairs) == 0:
		r, err := s.zero("no file name of the answer fits a file name of the truth", g)
		r.Metrics.Set("pred_count", len(preds)).Set("gt_count", len(refs))
		s.groupNotes(g)
		return r, err
	}
	return s.report, s.singleResult(g)
}

func (s *scorer) singleResult(g *group) error {
	named := s.namedMetric()
	primary, err := singleMetric(named, g)
	if err != nil {
		return err
	}
	s.report.Primary = primary
	if err := s.judge([]*group{g}, primary); err != nil {
		return err
	}
	record := g.fields(true)
	s.report.Metrics = record
	value, isNull, err := recordNumber(record, primary)
	if err != nil {
		return err
	}
	if isNull {
		s.report.Result = report.Result{None: true, Reason: primary + " has no value for this task"}
		record.Set("result_score", nil)
	} else {
		s.report.Result = report.Result{Value: numeric.Round4(value)}
		record.Set("result_score", s.report.Result.Value)
	}
	if primary != named {
		s.unknownMetricNote(named, primary+" is used")
	}
	s.metricNotes(primary)
	s.groupNotes(g)
	s.method([]*group{g})
	s.report.NeedsReview = review([]*group{g})
	return nil
}

// singleMetric is the field of the record that the result is taken from: the one that the rubric names, dice if it names
// none. run_metrics, which records here leave out, is a field of the reference's result, too, and no number.
func singleMetric(named any, g *group) (string, error) {
	if err := mustBeName(named); err != nil {
		return "", err
	}
	name, _ := named.(string)
	switch {
	case name == "run_metrics":
		return "", noNumber(name)
	case !slices.Contains(g.fields(true).Keys(), name): // which names the record has does not depend on its values
		return "dice", nil
	}
	return name, nil
}

// namedMetric is the rubric's primary_metric as it stands there, dice if it is absent.
func (s *scorer) namedMetric() any {
	if v, given := s.task.Rubric.Metric["primary_metric"]; given {
		return v
	}
	return "dice"
}

// mustBeName refuses a list and a mapping: the reference fails when it looks a field up by one, while any other value is a
// name that no field has.
func mustBeName(metric any) error {
	switch metric.(type) {
	case []any, map[string]any:
		return errors.New("the rubric's primary_metric must be the name of a field, found " + biabench.Describe(metric))
	}
	return nil
}

// recordNumber reads a field as the reference does: counts are numbers, truth values are 1 and 0, texts and lists are
// an error.
func recordNumber(r *report.Record, key string) (value float64, isNull bool, err error) {
	switch v := r.Get(key).(type) {
	case nil:
		return 0, true, nil
	case float64:
		return v, false, nil
	case int:
		return float64(v), false, nil
	case bool:
		if v {
			return 1, false, nil
		}
		return 0, false, nil
	}
	return 0, false, noNumber(key)
}

func noNumber(metric string) error {
	return fmt.Errorf("the rubric's primary_metric '%s' names a field that is no number", metric)
}
