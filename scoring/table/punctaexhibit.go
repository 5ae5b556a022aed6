package table

import (
	"context"
	"math"
	"slices"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// PunctaExhibit reads the nuclei of one image of a report of Puncta again: points in voxels with their number of puncta, ids and
// verdicts as in the marks, the radius of pairing in voxels of equal edges as the scorer has it. The whole run (row -1) has the
// counts of all nuclei by condition, the counts of the pairs, and the error of each condition over its mean. The error is for a
// cancelled context.
func PunctaExhibit(ctx context.Context, task *biabench.Task, run *biabench.Run, rep *report.Report, row int) (*report.Exhibit, error) {
	return call.Show(ctx, task, run, rep, row, showPuncta)
}

func showPuncta(s *call.Showing) error {
	files := [2]string{report.AnswerSide: s.Answer("cell_quants")}
	var err error
	if files[report.TruthSide], err = quantsOf(s.Task.Truth); err != nil || files[report.TruthSide] == "" {
		s.Remark("", "The truth has no cell_quants.csv")
	}
	var tables [2]*quants
	for _, side := range call.Sides {
		if files[side] == "" {
			continue
		}
		if tables[side], err = readQuants(files[side]); err != nil {
			s.Unread(side, files[side], err)
			tables[side] = nil
		}
	}
	image, one := s.Image()
	known := func(q *quants) bool {
		return q != nil && slices.ContainsFunc(q.groups, func(g *group) bool { return ofRow(g, image) })
	}
	if !one || !known(tables[report.AnswerSide]) && !known(tables[report.TruthSide]) {
		showConditions(s, tables)
		return nil
	}
	radius := 0.0
	if micrometres, err := s.Number("nucleus_match_threshold_um", 0); err == nil && tables[report.TruthSide] != nil {
		if r := inVoxels(micrometres, tables[report.TruthSide].voxel()); finiteNumber(r) {
			radius = r
		}
	}
	for _, side := range call.Sides {
		if q := tables[side]; q != nil {
			set, lost := q.shown(side, s, image)
			set.Radius = radius
			s.Undrawn(side, files[side], lost)
			if len(set.Points) == 0 && side == report.AnswerSide {
				s.Remark(s.Shown(files[side]), "The answer has no nucleus here")
			}
			s.Out.Points = append(s.Out.Points, set)
		}
	}
	return nil
}

func finiteNumber(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// shown are the nuclei of an image, or of all images of a condition where the row stands for one; lost are those without a place.
func (q *quants) shown(side report.Side, s *call.Showing, image report.Image) (set report.PointSet, lost int) {
	judged := s.Of.Judged(side, s.Row)
	set = report.PointSet{Side: side, Value: "puncta"}
	for _, g := range q.groups {
		if !ofRow(g, image) && !slices.ContainsFunc(g.rows, func(row int) bool { return judged.Of(q.id(row)).Kind != "" }) {
			continue
		}
		for i, row := range g.rows {
			at := g.points[i]
			if !finiteNumber(at[0]) || !finiteNumber(at[1]) || !finiteNumber(at[2]) {
				lost++
				continue
			}
			v := judged.Of(q.id(row))
			p := report.Point{ID: q.id(row), Partner: v.Partner, Z: at[2], Y: at[1], X: at[0], Class: -1, Value: g.counts[i], Verdict: v.Kind}
			if !finiteNumber(p.Value) {
				p.Value = math.NaN()
			}
			set.Points = append(set.Points, p)
		}
	}
	return set, lost
}

// ofRow tells whether a group is what a row of the report stands for: an image of a condition, or a condition.
func ofRow(g *group, image report.Image) bool {
	if image.Compartment == "" || image.Compartment == image.Name {
		return g.condition == image.Name || g.condition == "" && g.image == canonicalImage(image.Name)
	}
	return g.condition == image.Compartment && g.image == canonicalImage(image.Name)
}

// showConditions draws the counts by condition.
func showConditions(s *call.Showing, tables [2]*quants) {
	groups := report.Groups{Name: "puncta", Value: "puncta per nucleus"}
	counts := map[[2]int64]float64{} // by side and id
	for _, side := range call.Sides {
		q := tables[side]
		if q == nil {
			continue
		}
		at := map[string]int{}
		for _, g := range q.groups {
			k, known := at[g.condition]
			if !known {
				k = len(groups.Groups)
				at[g.condition] = k
				groups.Groups = append(groups.Groups, report.Group{Name: g.condition, Side: side})
			}
			for i, row := range g.rows {
				counts[[2]int64{int64(side), q.id(row)}] = g.counts[i]
				if finiteNumber(g.counts[i]) {
					groups.Groups[k].Values, groups.Groups[k].IDs = append(groups.Groups[k].Values, g.counts[i]), append(groups.Groups[k].IDs, q.id(row))
				}
			}
		}
	}
	slices.SortStableFunc(groups.Groups, compareGroups)
	s.Out.Groups = append(s.Out.Groups, groups)
	s.Out.Graphs = append(s.Out.Graphs, pairedCounts(s.Of, counts))
	if tables[report.TruthSide] != nil {
		s.Out.Graphs = append(s.Out.Graphs, conditionErrors(s.Of, tables[report.TruthSide]))
	}
}

// compareGroups puts groups of one name beside each other, the answer first.
func compareGroups(a, b report.Group) int {
	switch {
	case a.Name < b.Name:
		return -1
	case a.Name > b.Name:
		return 1
	}
	return int(a.Side) - int(b.Side)
}

// pairedCounts holds the counts of paired nuclei against each other.
func pairedCounts(rep *report.Report, counts map[[2]int64]float64) report.Graph {
	c := report.Curve{Name: "paired nuclei", Loose: true}
	for _, m := range rep.Marks {
		if m.Pred == 0 || m.Truth == 0 {
			continue
		}
		a, ok1 := counts[[2]int64{int64(report.AnswerSide), m.Pred}]
		t, ok2 := counts[[2]int64{int64(report.TruthSide), m.Truth}]
		if ok1 && ok2 {
			c.X, c.Y, c.IDs = append(c.X, t), append(c.Y, a), append(c.IDs, m.Pred)
		}
	}
	return report.Graph{Name: "counts", Title: "Puncta of the paired nuclei", XName: "puncta in the truth", YName: "puncta in the answer", Equal: true,
		Curves: []report.Curve{c}}
}

// conditionErrors holds the mean error of each condition against its mean, which it must stay below to earn anything.
func conditionErrors(rep *report.Report, truth *quants) report.Graph {
	g := report.Graph{Name: "errors", Title: "Error of the conditions", XName: "mean puncta per nucleus in the truth",
		YName: "mean error per nucleus, in puncta", Equal: true}
	sums, nuclei := map[string]float64{}, map[string]int{}
	for _, m := range rep.Marks {
		if condition := rep.ImageOf(m).Compartment; !m.Diagnostic && m.Key == "" && condition != "" {
			sums[condition] += math.Abs(m.Found - m.Expected)
			if m.Truth != 0 {
				nuclei[condition]++
			}
		}
	}
	means := truth.means(countColumn)
	for _, name := range slices.Sorted(slices.Values(means.order)) {
		if x, y := means.value[name], sums[name]/float64(nuclei[name]); finiteNumber(x) && finiteNumber(y) {
			g.Curves = append(g.Curves, report.Curve{Name: name, X: []float64{x}, Y: []float64{y}, Loose: true})
		}
	}
	return g
}
