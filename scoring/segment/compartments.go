package segment

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// Compartments scores a task with one set of instance masks per compartment of the cell
// (spec/scorers-segmentation-tracking.md 2.3): the mean of the compartments that have a truth. progress and the error
// are as for Single.
func Compartments(ctx context.Context, task *biabench.Task, run *biabench.Run, progress func(done, total int)) (*report.Report, error) {
	s := newScorer(ctx, task, run, progress)
	r, err := s.compartments()
	return s.finish(r, err)
}

func (s *scorer) compartments() (*report.Report, error) {
	names, err := s.compartmentNames()
	if err != nil {
		return nil, err
	}
	records := new(report.Record)
	var judged []*group
	for _, name := range names {
		g, files, err := s.compartment(name)
		switch {
		case err != nil:
			return nil, err
		case files.Err != "":
			return s.missing(files, slices.DeleteFunc([]*group{g}, func(g *group) bool { return len(g.works) == 0 })...)
		case len(g.works) == 0:
			note := "the evaluation folder holds no truth for the compartment '" + name + "'"
			records.Set(name, new(report.Record).Set("result_score", nil).Set("note", note))
			s.note(report.Info, "", "No truth for the compartment "+name+": it does not take part in the score", "")
			continue
		case len(g.pairing.Pairs) == 0:
			g.fail("no file name of the answer fits a file name of the truth")
		}
		records.Set(name, new(report.Record)) // keeps the rubric's order
		judged = append(judged, g)
	}
	if len(judged) == 0 {
		r := s.none("the evaluation folder holds no truth masks for any compartment")
		r.Metrics.Set("compartments", records)
		return r, nil
	}
	return s.report, s.compartmentsResult(judged, records)
}

// compartmentNames are the rubric's, nuclei and cytoplasm by default: the entries of a list, or the keys of a mapping, which
// is what going through one gives in Python. A name given twice is one compartment and counts once: the reference's record
// holds compartments by name, and its mean goes over that record (spec/scorers-segmentation-tracking.md 2.3).
func (s *scorer) compartmentNames() ([]string, error) {
	value, given := s.task.Rubric.Metric["compartments"]
	if !given {
		return []string{"nuclei", "cytoplasm"}, nil
	}
	var entries []string
	switch v := value.(type) {
	case []any:
		for _, entry := range v {
			switch entry.(type) {
			case []any, map[string]any, []byte:
				return nil, errors.New("each of the rubric's compartments must be a name, found " + biabench.Describe(entry))
			}
			entries = append(entries, biabench.KeyText(entry))
		}
	case map[string]any:
		entries = s.task.Rubric.InnerKeys["compartments"]
	default:
		return nil, errors.New("the rubric's compartments must be a list of names, found " + biabench.Describe(value))
	}
	var names []string
	for _, name := range entries {
		if slices.Contains(names, name) {
			s.note(report.Warning, "", "The rubric names the compartment "+name+" more than once: it counts once", "Correct compartments in evaluation_rubric.yaml")
			continue
		}
		names = append(names, name)
	}
	return names, nil
}

// compartment pairs the files of one compartment. A group without rows has no truth.
func (s *scorer) compartment(name string) (*group, biabench.Resolved, error) {
	g := &group{compartment: name}
	files, err := s.resolve(name + "_masks")
	if err != nil {
		return nil, files, err
	}
	dir := filepath.Join(s.task.Truth, name+"_masks")
	if !biabench.IsFolder(dir) {
		return g, files, nil
	}
	all, err := biabench.ListFiles(dir)
	if err != nil {
		return nil, files, err
	}
	if !slices.ContainsFunc(all, func(f string) bool { return strings.HasSuffix(f, ".tif") }) {
		return g, files, nil
	}
	s.pair(g, files.Files, slices.DeleteFunc(all, func(f string) bool { return !isRaster(f) }))
	return g, files, nil
}

// compartmentsResult averages the compartments. A primary_metric that is no number of the record counts 0 in each.
func (s *scorer) compartmentsResult(judged []*group, records *report.Record) error {
	named := s.namedMetric()
	primary := biabench.KeyText(named)
	s.report.Primary = primary
	if err := s.judge(judged, primary); err != nil {
		return err
	}
	var values []float64
	unknown := false
	for _, g := range judged {
		record := new(report.Record).Set("error", g.failed)
		value := 0.0
		if g.failed == "" {
			if err := mustBeName(named); err != nil {
				return err
			}
			record = g.fields(false)
			v, isNull, err := recordNumber(record, primary)
			if err == nil && !isNull {
				value = v
			}
			unknown = unknown || err != nil || isNull
		}
		records.Set(g.compartment, record)
		values = append(values, value)
	}
	s.report.Result = report.Result{Value: numeric.Round4(numeric.Mean(values))}
	s.report.Metrics = new(report.Record).Set("result_score", s.report.Result.Value).
		Set("compartments", records).Set("primary_metric", named)
	if unknown {
		s.unknownMetricNote(named, "each compartment counts 0")
	}
	s.metricNotes(primary)
	for _, g := range judged {
		s.groupNotes(g)
	}
	s.sharedFileNote(judged)
	s.method(judged)
	s.report.NeedsReview = review(judged)
	return nil
}
