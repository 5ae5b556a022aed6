package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"coverslip/scoring/compare"
	"coverslip/scoring/report"
)

// writeComparisonJSON writes one object: task_id, runs, comparisons (each of the first run with another one) and
// hard_for_everyone. Things that are alike in both runs and cost the same are counted, not listed.
func writeComparisonJSON(w io.Writer, runs []scored, comparisons []compare.Comparison, hard []compare.Hard) error {
	out := new(report.Record).Set("task_id", runs[0].report.TaskID)
	var list []*report.Record
	for i, s := range runs {
		list = append(list, new(report.Record).Set("name", runName(i)).Set("path", filepath.Clean(s.run.Path)).
			Set("result_score", resultOf(s.report)).Set("passed", s.report.Passed()))
	}
	out.Set("runs", list)
	pairs := []*report.Record{}
	for i := range comparisons {
		pairs = append(pairs, comparisonRecord(&comparisons[i], runName(i+1), runs[0].report, runs[i+1].report))
	}
	all := []*report.Record{}
	for _, h := range hard {
		all = append(all, new(report.Record).Set("image", h.Row).Set("compartment", h.Compartment).Set("t", h.Frame).Set("aspect", h.Aspect.String()).
			Set("truth_id", h.Truth).Set("key", h.Key).Set("missed", h.Missed).Set("wrong", h.Wrong).Set("mean_cost", h.Cost))
	}
	text, err := json.MarshalIndent(out.Set("comparisons", pairs).Set("hard_for_everyone", all), "", " ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// resultOf is a result, nil for none.
func resultOf(r *report.Report) any {
	if r.Result.None {
		return nil
	}
	return r.Result.Value
}

func comparisonRecord(c *compare.Comparison, other string, a, b *report.Report) *report.Record {
	tallies, rows, metrics, changes := []*report.Record{}, []*report.Record{}, []*report.Record{}, []*report.Record{}
	for _, x := range c.Tallies() {
		tallies = append(tallies, new(report.Record).Set("aspect", x.Aspect.String()).Set("class", string(x.Class)).Set("n", x.N).Set("gain", x.Gain))
	}
	for _, r := range c.Rows {
		rows = append(rows, countsRecord(new(report.Record).Set("image", r.Name).Set("compartment", r.Compartment).
			Set("status_a", string(r.A.Status)).Set("status_b", string(r.B.Status)).Set("a", r.A.Value).Set("b", r.B.Value), r.Gain, r.Counts))
	}
	frames := []*report.Record{}
	for _, f := range c.Frames {
		frames = append(frames, countsRecord(new(report.Record).Set("image", c.Rows[f.Row].Name).Set("t", f.Frame), f.Gain, f.Counts))
	}
	for _, m := range c.Metrics {
		metrics = append(metrics, new(report.Record).Set("path", m.Path).Set("a", m.A).Set("b", m.B).Set("difference", m.B-m.A))
	}
	for _, x := range c.Changes {
		if (x.Class != compare.Unchanged && x.Class != compare.Kept) || math.Abs(x.Gain) > 1e-12 {
			changes = append(changes, changeRecord(c, x, a, b))
		}
	}
	return new(report.Record).Set("a", runName(0)).Set("b", other).Set("difference", c.Difference).Set("gain", c.Gain).Set("gains_add_up", c.Adds).
		Set("tallies", tallies).Set("images", rows).Set("frames", frames).Set("metrics", metrics).Set("changes", changes)
}

func countsRecord(r *report.Record, gain float64, n compare.Counts) *report.Record {
	return r.Set("gain", gain).Set("gained", n.Gained).Set("lost", n.Lost).Set("improved", n.Improved).Set("worsened", n.Worsened).
		Set("unchanged", n.Unchanged).Set("no_longer_invented", n.Dropped).Set("newly_invented", n.Added).Set("invented_by_both", n.Kept)
}

// changeRecord is one change, with the place that the mark of the second run has, or else that of the first.
func changeRecord(c *compare.Comparison, x compare.Change, a, b *report.Report) *report.Record {
	r := new(report.Record).Set("class", string(x.Class)).Set("aspect", x.Aspect.String()).Set("image", nil).Set("compartment", "")
	if x.Row >= 0 {
		r.Set("image", c.Rows[x.Row].Name).Set("compartment", c.Rows[x.Row].Compartment)
	}
	r.Set("t", x.Frame).Set("truth_id", x.Truth).Set("key", x.Key).Set("by", string(x.By)).Set("gain", x.Gain)
	sideRecord(r, "a", x.A, a)
	sideRecord(r, "b", x.B, b)
	return r
}

func sideRecord(r *report.Record, name string, s compare.Side, of *report.Report) {
	r.Set("state_"+name, string(s.State)).Set("cost_"+name, s.Cost)
	if s.Mark >= 0 {
		m := of.Marks[s.Mark]
		r.Set("pred_id_"+name, m.Pred).Set("iou_"+name, m.IoU).Set("z", m.Z).Set("y", m.Y).Set("x", m.X).Set("text_"+name, m.Text)
	}
}
