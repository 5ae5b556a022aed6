package checklist

import (
	"fmt"
	"math"
	"math/big"

	"coverslip/datasets/biabench"
	"coverslip/datasets/tabular/python"
)

// Settings are the weights and the pass rule of a checklist file.
type Settings struct {
	Levels    []string // severities with a weight: the three known ones, then others in file order
	Weights   map[string]int64
	Threshold float64
	AutoFail  bool // a failed critical item fails the whole list

	// Problems are values at which the reference stops and for which a default is used here.
	Problems []string
}

// defaultSettings are what the reference uses where there is no file. Mind that they fail a list automatically, which the
// benchmark's own file does not.
func defaultSettings() Settings {
	return Settings{Levels: []string{"critical", "major", "minor"}, Threshold: 0.75, AutoFail: true,
		Weights: map[string]int64{"critical": 3, "major": 2, "minor": 1}}
}

// None is the checklist of a benchmark that has no checklist file: no items, and the default settings.
func None() *Checklist { return &Checklist{Settings: defaultSettings()} }

// read takes the settings from a checklist file (spec/checklist.md 4).
func (s *Settings) read(m *biabench.Mapping) {
	if levels := m.Mapping("severity_levels"); levels != nil {
		for _, name := range levels.Keys {
			if v, ok := levels.Mapping(name).Get("weight"); ok {
				s.weigh(name, v)
			}
		}
	}
	scoring := m.Mapping("scoring")
	if v, ok := scoring.Get("pass_threshold"); ok {
		if t, ok := biabench.Number(v); ok {
			s.Threshold = t
		} else {
			s.problem("scoring.pass_threshold is %s, not a number; %g is used", describe(v), s.Threshold)
		}
	}
	if v, ok := scoring.Get("critical_auto_fail"); ok {
		s.AutoFail = !biabench.Falsy(v)
	}
}

func (s *Settings) problem(format string, args ...any) {
	s.Problems = append(s.Problems, fmt.Sprintf(format, args...)+"; the reference evaluator stops here")
}

// weigh sets the weight of a severity.
func (s *Settings) weigh(name string, v any) {
	w, ok := whole(v)
	if !ok {
		s.problem("the weight of severity %s is %s, not a number", name, describe(v))
		return
	}
	if _, known := s.Weights[name]; !known {
		s.Levels = append(s.Levels, name)
	}
	s.Weights[name] = w
}

// whole is Python's int() within the range of int64.
func whole(v any) (int64, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case int64:
		return v, true
	case float64:
		if math.Abs(v) < 1<<53 { // false for NaN
			return int64(math.Trunc(v)), true
		}
	case string:
		if n, ok := python.Int(v); ok && n.IsInt64() {
			return n.Int64(), true
		}
	case *big.Int:
		if v.IsInt64() {
			return v.Int64(), true
		}
	}
	return 0, false
}

// weight is that of an item's severity.
func (s *Settings) weight(severity string) int64 {
	if w, ok := s.Weights[severity]; ok {
		return w
	}
	return 1
}
