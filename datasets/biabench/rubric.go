package biabench

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// DefaultThreshold is the pass threshold of a rubric that names none.
const DefaultThreshold = 0.5

// Rubric is evaluation_rubric.yaml.
type Rubric struct {
	Metric     map[string]any // metric_config, free form; never nil
	MetricKeys []string       // its keys in file order
	// InnerKeys are the keys of each mapping directly within metric_config, by its own key, in file order: what Python
	// gets that goes through such a mapping where a list is meant.
	InnerKeys map[string][]string
	Threshold float64  // result_pass_threshold, 0.5 if absent
	Primary   string   // primary_metric
	Metrics   []string // names that the scorer is expected to report
	Notes     Notes    // what is odd but not refused
	Raw       string   // the file as it is, for display
}

// noRubric is what scoring goes on with where the rubric is missing or refused: every option at its default.
func noRubric() Rubric { return Rubric{Metric: map[string]any{}, Threshold: DefaultThreshold} }

// ReadRubric parses and checks an evaluation_rubric.yaml text (spec/contract.md 2). The Rubric is usable even when the
// error is not nil: scoring swallows a refused rubric and goes on with defaults.
func ReadRubric(file string, text []byte) (Rubric, error) {
	r := noRubric()
	r.Raw = string(text)
	root, err := parseYAML(file, text)
	if err != nil {
		return r, err
	}
	if falsy(root.value) { // the reference reads an empty document as an empty mapping
		root.value = &mapping{at: map[any]int{}}
	}
	top := place{file: file, item: root}
	if _, err := top.mapping(); err != nil {
		return r, err
	}
	config, err := top.member("metric_config")
	if err != nil {
		return r, err
	}
	m, err := config.mapping()
	if err != nil {
		return r, err
	}
	if filter, ok := top.optional("checklist_filter"); ok && !falsy(filter.value) {
		if _, err := filter.mapping(); err != nil {
			return r, err
		}
	}
	if err := checkMetadata(top); err != nil {
		return r, err
	}
	r.Metric, r.MetricKeys, r.InnerKeys = m.plain(), m.keys(), m.innerKeys()
	r.readMetric(config)
	return r, nil
}

// readMetric takes what every scorer reads from metric_config.
func (r *Rubric) readMetric(config place) {
	if p, ok := config.optional("result_pass_threshold"); ok {
		if t, ok := pythonFloat(p.value); ok {
			r.Threshold = t
			r.noteThreshold(p)
		} else {
			r.Notes.warn("%s, line %d: result_pass_threshold is %s, not a number; the default %g is used. "+
				"The reference evaluator stops here.", p.file, p.line, Describe(p.value), DefaultThreshold)
		}
	}
	if p, ok := config.optional("primary_metric"); ok {
		r.Primary, _ = p.value.(string)
	}
	if p, ok := config.optional("metrics"); ok {
		list, _ := p.value.([]item)
		for _, x := range list {
			r.Metrics = append(r.Metrics, KeyText(plain(x.value)))
		}
	}
}

// noteThreshold remarks on a threshold that all scores are on one side of: scores lie between 0 and 1.
func (r *Rubric) noteThreshold(p place) {
	passes := ""
	switch t := r.Threshold; {
	case math.IsNaN(t), t > 1:
		passes = "no score from 0 to 1 reaches it"
	case t < 0:
		passes = "every score passes"
	default:
		return
	}
	r.Notes.warn("%s, line %d: result_pass_threshold is %s, so that %s.", p.file, p.line, KeyText(r.Threshold), passes)
}

// checkMetadata checks evaluation_metadata, which describes the ground truth.
func checkMetadata(top place) error {
	meta, ok := top.optional("evaluation_metadata")
	if !ok || meta.value == nil {
		return nil
	}
	if _, err := meta.mapping(); err != nil {
		return err
	}
	err := meta.onlyKeys("structure", "folder", "ground_truth_present", "ground_truth_file", "ground_truth_format", "ground_truth_structure")
	if err != nil {
		return err
	}
	if _, err := meta.memberText("structure"); err != nil {
		return err
	}
	_, err = meta.boolean("ground_truth_present", true)
	return err
}

var pythonNumber = regexp.MustCompile(`^[-+]?(?:[0-9]+(?:_[0-9]+)*\.?(?:[0-9]+(?:_[0-9]+)*)?|\.[0-9]+(?:_[0-9]+)*)(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$`)

// pythonFloat is Python's float(): numbers, booleans, and texts that hold a number.
func pythonFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f, true
	case string:
		s := strings.ToLower(trim(v))
		switch strings.TrimLeft(s, "+-") {
		case "inf", "infinity", "nan":
		default:
			if !pythonNumber.MatchString(s) {
				return 0, false
			}
		}
		f, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
		// A number beyond float64 is infinite, as in Python.
		return f, err == nil || f > 1 || f < -1
	}
	return 0, false
}
