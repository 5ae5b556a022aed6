package checklist

import (
	"regexp"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/tabular/python"
	"coverslip/scoring/report"
)

// DeclaredMetrics are the names that a rubric says the scorer reports, trimmed, blanks dropped. A rubric that cannot be
// read declares nothing.
func DeclaredMetrics(rubric []byte) []string {
	top, err := rubricTop("", rubric)
	if err != nil {
		return nil
	}
	var names []string
	for _, v := range top.Mapping("metric_config").List("metrics") {
		if name := python.Trim(biabench.KeyText(v)); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// Coverage compares declared metrics with those that are there (spec/checklist.md 5). It is audit alone. Mind that an
// agent can make a metric count as computed by writing a field of its name into run_metrics.json.
func Coverage(declared, produced []string) *report.Record {
	have := map[string]bool{}
	for _, name := range produced {
		have[plainName(name)] = true
	}
	missing := []string{}
	for _, name := range declared {
		if !have[plainName(name)] {
			missing = append(missing, name)
		}
	}
	return new(report.Record).Set("total", len(declared)).Set("computed", len(declared)-len(missing)).
		Set("not_computed", len(missing)).Set("missing", missing)
}

var spelling = regexp.MustCompile(`[^a-z0-9]+`)

// plainName makes names equal that differ in letter case and punctuation alone.
func plainName(name string) string {
	return strings.Trim(spelling.ReplaceAllString(python.Lower(name), " "), " ")
}
