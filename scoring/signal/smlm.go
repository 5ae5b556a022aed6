package signal

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"sync"

	"coverslip/datasets/biabench"
	"coverslip/datasets/tabular"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// Localisations scores a list of localised molecules against the truth's, frame by frame (spec/scorers-signals.md 2).
// Frames count from 0, x and y are in pixels. progress is told of the frames; nil is allowed. The error is for a
// cancelled context; whatever is wrong with the inputs is in the report.
func Localisations(ctx context.Context, task *biabench.Task, run *biabench.Run, progress func(done, total int)) (*report.Report, error) {
	return score(ctx, task, run, progress, (*scorer).localisations)
}

func (s *scorer) localisations() error {
	threshold, err := s.config.float("distance_threshold_px", 1)
	if err != nil {
		return err
	}
	d, err := s.Deliverable("localization_list")
	if err != nil {
		return err
	}
	truths := s.localisationTruths()
	if d.Err != "" {
		s.Missing(d, truths[:min(1, len(truths))]...)
		return nil
	}
	if len(truths) == 0 {
		s.Zero("the evaluation folder holds no localisation list (*LocalizationList*.txt)")
		return nil
	}
	if len(d.Files) == 0 {
		return fmt.Errorf("the spec does not require the deliverable '%s', and the reference fails without it", d.Deliverable.ID)
	}
	pred, truth, err := readLists(d.Files[0], truths[0])
	if err != nil {
		return err
	}
	c := &comparison{pred: pred, truth: truth, threshold: threshold}
	if err := c.match(s.Ctx, s.Progress); err != nil {
		return err
	}
	measured := make(chan error, 1)
	go func() { measured <- c.measure() }()
	p, planErr := s.plan(c)
	if planErr == nil {
		s.Report.Marks = c.rowMarks(s, p.costs)
	}
	if err := cmp.Or(<-measured, planErr); err != nil {
		return err
	}
	if len(truths) > 1 {
		s.Warn(s.ShownTruth(truths[0]), "The truth folder holds several localisation lists: the first by path is used", "")
	}
	return s.localisationReport(c, p)
}

// localisationTruths are the files that may be the truth; the first counts.
func (s *scorer) localisationTruths() []string {
	if files := filesBelow(s.Task.Truth, matches("*LocalizationList*.txt")); len(files) > 0 {
		return files
	}
	return filesBelow(s.Task.Truth, func(name string) bool {
		return strings.HasSuffix(name, ".txt") && strings.Contains(strings.ToLower(name), "localization")
	})
}

// list is a localisation list as the reference reads it.
type list struct {
	file    string
	rows    []tabular.Localisation
	skipped tabular.Skips
	mark    bool // begins with a byte-order mark
}

// readLists reads both files at once.
func readLists(pred, truth string) (p, t list, err error) {
	var wg sync.WaitGroup
	var errs [2]error
	for i, one := range []struct {
		file string
		to   *list
	}{{pred, &p}, {truth, &t}} {
		wg.Go(func() { *one.to, errs[i] = readList(one.file) })
	}
	wg.Wait()
	for i, file := range []string{pred, truth} {
		if errs[i] != nil {
			return p, t, fmt.Errorf("%s: %w", filepath.Base(file), errs[i])
		}
	}
	return p, t, nil
}

func readList(file string) (list, error) {
	raw, err := tabular.ReadRaw(file)
	if err != nil {
		return list{}, err
	}
	l := list{file: file, mark: strings.HasPrefix(raw, "\uFEFF")}
	l.rows, l.skipped, err = tabular.ParseLocalisations(raw)
	return l, err
}

// plan is what the rubric asks for: the weights of the composite score, the metric that is the result, and what a row
// costs then.
type plan struct {
	weights
	primary, used string // as named, and as taken
	costs         costs
}

func (s *scorer) plan(c *comparison) (p plan, err error) {
	if p.weights, err = s.localisationWeights(); err != nil {
		return p, err
	}
	p.primary, _ = s.config.text("primary_metric", composite)
	p.used = composite
	if _, ok := c.metrics()[p.primary]; ok {
		p.used = p.primary
	}
	p.costs = c.costs(p.counted(c), p.scale())
	return p, nil
}

// composite is the name of the score that weighs localisation and intensities.
const composite = "composite_score"

// counted is the localisation metric that the rows are charged by.
func (p plan) counted(c *comparison) string {
	if p.used != composite {
		return p.used
	}
	if _, known := c.metrics()[p.metric]; known {
		return p.metric
	}
	return "jaccard"
}

// scale is its weight in the result.
func (p plan) scale() float64 {
	if p.used != composite {
		return 1
	}
	return p.localisation
}

// localisationReport derives the figures from the marks' counts and writes the record.
func (s *scorer) localisationReport(c *comparison, p plan) error {
	intensity, err := p.intensity(c.r)
	if err != nil {
		return err
	}
	weighed := max(p.low, min(p.high, float64(p.localisation*c.metric(p.metric))+float64(p.intensities*intensity)))
	value := weighed
	if v, ok := c.metrics()[p.primary]; ok {
		value = v
	}
	round := numeric.Round4
	r := new(report.Record).Set("result_score", round(value)).Set("primary_metric", s.primaryName(composite)).
		Set(composite, round(weighed)).Set("intensity_normalized", round(intensity))
	for _, name := range metricNames {
		r.Set(name, round(c.metric(name)))
	}
	r.Set("rmse_x", round(c.rmseX)).Set("rmse_y", round(c.rmseY)).Set("mean_lateral_distance", round(c.lateral)).
		Set("intensity_pearson_r", null(round(c.r))).Set("tp", c.tp).Set("fp", c.fp).Set("fn", c.fn).Set("distance_threshold_px", c.threshold).
		Set("pred_file", s.Shown(c.pred.file)).Set("gt_file", s.ShownTruth(c.truth.file))
	s.Report.Metrics = r
	s.Report.Images = []report.Image{{Name: biabench.Stem(c.truth.file), Pred: c.pred.file, Truth: c.truth.file, Status: report.Scored,
		Value: value, NPred: len(c.pred.rows), NTruth: len(c.truth.rows)}}
	s.localisationMarks(c, p, intensity)
	s.result(value, round(value), p.used)
	s.localisationMethod(c, p.weights, p.used, intensity)
	s.localisationNotes(c, p.primary, p.used)
	return s.closing()
}

// primaryName is primary_metric as the record repeats it.
func (s *scorer) primaryName(fallback string) any {
	if v, ok := s.config.values["primary_metric"]; ok {
		return v
	}
	return fallback
}

// weights are the rubric's composite_score.
type weights struct {
	localisation, intensities float64
	metric, normalisation     string
	missing, low, high        float64
}

func (s *scorer) localisationWeights() (w weights, err error) {
	inner := config{}
	if v := s.config.values["composite_score"]; !falsy(v) {
		m, ok := v.(map[string]any)
		if !ok {
			return w, fmt.Errorf("the rubric's composite_score is no map of weights")
		}
		inner.values = m
	}
	w.low, w.high = 0, 1
	for _, f := range []struct {
		key      string
		fallback float64
		to       *float64
	}{{"localization_weight", 0.7, &w.localisation}, {"intensity_weight", 0.3, &w.intensities}, {"intensity_missing_value", 0, &w.missing}} {
		if *f.to, err = inner.float(f.key, f.fallback); err != nil {
			return w, err
		}
	}
	if v, ok := inner.values["final_range"]; ok {
		limits, isList := v.([]any)
		if !isList || len(limits) < 2 {
			return w, fmt.Errorf("the rubric's final_range is no pair of numbers")
		}
		if w.low, err = toFloat("final_range", limits[0]); err != nil {
			return w, err
		}
		if w.high, err = toFloat("final_range", limits[1]); err != nil {
			return w, err
		}
	}
	w.metric, _ = inner.text("localization_metric", "jaccard")
	w.normalisation, _ = inner.text("intensity_normalization", "clipped")
	return w, nil
}

// intensity turns the correlation of intensities into a component.
func (w weights) intensity(r float64) (float64, error) {
	switch {
	case math.IsNaN(r):
		return w.missing, nil
	case w.normalisation == "clipped":
		return atLeast0(r), nil
	case w.normalisation == "symmetric":
		return (r + 1) / 2, nil
	}
	return 0, fmt.Errorf("the rubric's intensity_normalization '%s' is neither clipped nor symmetric", w.normalisation)
}
