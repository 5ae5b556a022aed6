package table

import (
	"context"
	"slices"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// FociExhibit reads the onsets of a report of Foci again: the values by condition and side, and for the condition of the row, or
// all of them, the shares of events begun with the place where the two are furthest apart. The error is for a cancelled context.
func FociExhibit(ctx context.Context, task *biabench.Task, run *biabench.Run, rep *report.Report, row int) (*report.Exhibit, error) {
	return call.Show(ctx, task, run, rep, row, showFoci)
}

func showFoci(s *call.Showing) error {
	f, err := fociToShow(s)
	if err != nil {
		return err
	}
	f.align()
	image, one := s.Image()
	one = one && slices.Contains(f.truth.names, image.Name)
	groups := report.Groups{Name: "starts", Value: "start of colocalisation / length of S phase"}
	for _, ref := range f.truth.names {
		k := slices.IndexFunc(f.pairs, func(a aligned) bool { return a.ref == ref })
		if k >= 0 {
			groups.Groups = append(groups.Groups, f.pred.group(f.pairs[k].pred, ref, report.AnswerSide))
		}
		groups.Groups = append(groups.Groups, f.truth.group(ref, ref, report.TruthSide))
		if !one || ref == image.Name {
			var got []float64
			if k >= 0 {
				got = f.pairs[k].got
			} else {
				s.Remark("", "The answer has no condition that goes with "+quoted(ref))
			}
			s.Out.Graphs = append(s.Out.Graphs, cumulative(ref, got, f.truth.values[ref]))
		}
	}
	for _, name := range f.unused { // shown, though nothing is compared with them
		groups.Groups = append(groups.Groups, f.pred.group(name, name, report.AnswerSide))
	}
	s.Out.Groups = append(s.Out.Groups, groups)
	return nil
}

// fociToShow reads both tables. An answer that cannot be read has no condition.
func fociToShow(s *call.Showing) (*foci, error) {
	none := func() *onsets { return &onsets{values: map[string][]float64{}, rows: map[string][]int{}} }
	f := &foci{Call: s.Call, truth: none(), pred: none()}
	if f.truthPath = onsetTable(s.Task.Truth); f.truthPath == "" {
		s.Remark("", "The truth has no table coloc_results.csv")
	} else {
		reference := readSheet(f.truthPath)
		if reference.err != nil {
			s.Unread(report.TruthSide, f.truthPath, reference.err)
		} else {
			f.truth = blocks(reference.records)
		}
	}
	if f.predPath = s.Answer("coloc_results"); f.predPath == "" {
		return f, nil
	}
	answer := readSheet(f.predPath)
	if answer.err != nil {
		s.Unread(report.AnswerSide, f.predPath, answer.err)
		return f, nil
	}
	f.pred = readOnsets(answer)
	if len(f.pred.names) == 0 {
		s.Remark(s.Shown(f.predPath), "The table has no row with a condition and a start")
	}
	return f, nil
}

// group are the values of a condition under the name that is shown, with their rows where they have some.
func (o *onsets) group(condition, name string, side report.Side) report.Group {
	g := report.Group{Name: name, Side: side, Values: o.values[condition]}
	for _, row := range o.rows[condition] {
		g.IDs = append(g.IDs, o.id(row))
	}
	return g
}

// cumulative draws the shares of events begun, and the place of the largest gap.
func cumulative(condition string, got, truth []float64) report.Graph {
	g := report.Graph{Name: condition, Title: "Events begun in " + condition, XName: "start / length of S phase", YName: "share of events begun"}
	for _, side := range call.Sides {
		values := got
		if side == report.TruthSide {
			values = truth
		}
		if len(values) > 0 {
			g.Curves = append(g.Curves, steps(values, side))
		}
	}
	if len(got) >= 2 && len(truth) >= 2 {
		ks := numeric.KolmogorovSmirnov(truth, got)
		g.Places = append(g.Places, report.Place{Name: "largest gap, " + report.Number(ks.Statistic), X: ks.At})
	}
	return g
}

// steps is the share of values up to X: it leaps at each value, so that the gap of two curves is where it is measured.
func steps(values []float64, side report.Side) report.Curve {
	c := report.Curve{Name: sideName(side), Side: side}
	sorted := slices.Sorted(slices.Values(values))
	n := float64(len(sorted))
	for i, v := range sorted {
		if i == 0 || v != sorted[i-1] {
			c.X, c.Y = append(c.X, v), append(c.Y, float64(i)/n)
		}
		if i+1 == len(sorted) || v != sorted[i+1] {
			c.X, c.Y = append(c.X, v), append(c.Y, float64(i+1)/n)
		}
	}
	return c
}
