package scoring

import (
	"cmp"
	"slices"

	"coverslip/scoring/report"
)

// measuresByRow holds pairs of figures of the reference's record against each other, where its rows have them: those of binary
// masks.
func measuresByRow(rep *Report) (graphs []report.Graph) {
	rows := recordRows(rep)
	if rows == nil {
		return nil
	}
	for _, pair := range []struct{ name, title, x, y, xName, yName string }{
		{"precision", "Precision and recall", "recall", "precision", "recall", "precision"},
		{"centre lines", "Dice of the lines and of the pixels", "dice", "cl_dice", "Dice", "clDice"},
		{"line precision", "Precision and recall of the lines", "t_sens", "t_prec", "recall of the centre line", "precision of the centre line"},
	} {
		c := report.Curve{Name: "all", Loose: true}
		for row, r := range rows {
			x, ok1 := r.Number(pair.x)
			y, ok2 := r.Number(pair.y)
			if ok1 && ok2 {
				c.X, c.Y, c.Rows = append(c.X, x), append(c.Y, y), append(c.Rows, row)
			}
		}
		if len(c.X) > 0 {
			graphs = append(graphs, report.Graph{Name: pair.name, Title: pair.title, XName: pair.xName, YName: pair.yName, Equal: true, Curves: []report.Curve{c}})
		}
	}
	return graphs
}

// recordRows are the records of the rows, as many as the report has; nil where there are none such.
func recordRows(rep *Report) []*Record {
	for _, key := range []string{"per_image", "per_volume"} {
		if rows, ok := rep.Metrics.Get(key).([]*Record); ok && len(rows) == len(rep.Images) && len(rows) > 0 {
			return rows
		}
	}
	return nil
}

// part is a quantity that a task compares in each row, beside the row's value.
type part struct {
	name, value string
	of          func(rep *Report, row int) (v float64, ok bool)
}

// marked is a value of the mark in a row whose key is the row's name with an ending; marks on something that is not there have
// none.
func marked(ending string, value func(m Mark) float64) func(*Report, int) (float64, bool) {
	return func(rep *Report, row int) (float64, bool) {
		for _, m := range rep.Marks {
			if m.Image == row && !m.Diagnostic && m.Key == rep.Images[row].Name+ending {
				return value(m), m.Kind != report.MissingValue && m.Kind != report.Unmatched
			}
		}
		return 0, false
	}
}

func found(m Mark) float64 { return m.Found }

// inRecord is a number of the record that a field of the metrics holds under the row's name; with no name of its own it is what
// stands under the row's.
func inRecord(field, name string) func(*Report, int) (float64, bool) {
	return func(rep *Report, row int) (float64, bool) {
		all, ok := rep.Metrics.Get(field).(*Record)
		if !ok {
			return 0, false
		}
		if name == "" {
			return all.Number(rep.Images[row].Name)
		}
		one, ok := all.Get(rep.Images[row].Name).(*Record)
		if !ok {
			return 0, false
		}
		return one.Number(name)
	}
}

// parts by task id.
var parts = map[string][]part{
	"wound-healing-speed-kymograph-gigadb100118": {
		{"correlation", "r of the speed kymograph", inRecord("per_experiment", "pearson")},
		{"error", "root mean square error / mean speed of the truth", inRecord("per_experiment", "nrmse")},
		{"pattern", "share of the columns that are faster at the edge", inRecord("per_experiment", "spatial_pattern_fraction")},
		{"direction", "flow toward the gap as a share of the truth's", inRecord("direction_detail", "")},
	},
	"5D-npc-assembly-kinetics-idr0115": {
		{"onset error", "onset in the answer - onset in the truth (frames)", marked("", func(m Mark) float64 { return m.Found - m.Expected })},
		{"inner core", "r of the inner core", inRecord("per_cell", "pearson_normalized_total_innercore")},
		{"non-core", "r outside the core", inRecord("per_cell", "pearson_normalized_total_noncore")},
	},
	"cytoplasm-nucleus-translocation-bbbc014": {
		{"dose response", "dose response score", marked(" dose_response_score", found)},
		{"replicates", "replicate consistency score", marked(" replicate_consistency_score", found)},
		{"treatment", "control against treated score", marked(" control_vs_treated_score", found)},
	},
}

// partsByRow are the parts of the rows that have them.
func partsByRow(rep *Report) (out []report.Groups) {
	for _, p := range parts[rep.TaskID] {
		groups := byCompartment(rep, func(row int, _ Image) (float64, bool) { return p.of(rep, row) })
		if len(groups) > 0 {
			out = append(out, report.Groups{Name: p.name, Value: p.value, Groups: groups})
		}
	}
	if classes, ok := rep.Metrics.Get("per_class_f1").(*Record); ok {
		g := report.Groups{Name: "classes", Value: "F1 of a class among the matched cells"}
		for _, name := range classes.Keys() {
			if v, ok := classes.Number(name); ok {
				g.Groups = append(g.Groups, report.Group{Name: name, Values: []float64{v}})
			}
		}
		slices.SortStableFunc(g.Groups, func(a, b report.Group) int { return cmp.Compare(a.Name, b.Name) })
		out = append(out, g)
	}
	return out
}
