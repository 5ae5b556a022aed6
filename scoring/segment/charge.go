package segment

import (
	"slices"

	"coverslip/scoring/report"
)

// charge sets the cost of each mark: scale times its share of 1 - metric. A 0 that no object answers for (an empty pair)
// goes to a mark of the whole image. A diagnostic mark shows what the official marks of its objects cost together.
func (v *verdict) charge(metric string, scale float64) {
	defer v.chargeDiagnostics()
	v.image.Value = score(v.image.Scores, metric)
	if metric == "boundary_f1" { // the gains in this image are there
		for i := range v.marks {
			v.marks[i].Cost *= scale
		}
		return
	}
	if !splits(metric) {
		return
	}
	rest := 1 - score(v.image.Scores, metric)
	for i := range v.marks {
		if m := &v.marks[i]; !m.Diagnostic && m.Kind != report.Whole {
			share := v.counts.share(metric, *m)
			m.Cost = scale * share
			rest -= share
		}
	}
	if v.image.Status != report.Scored {
		v.marks[0].Cost = scale
	} else if rest == 1 {
		v.marks = append(v.marks, v.emptyMark(metric, scale))
		sortMarks(v.marks)
	}
}

// chargeDiagnostics sums for each diagnostic mark the official marks of its objects, each once.
func (v *verdict) chargeDiagnostics() {
	ofPred, ofTruth := map[report.ID]int{}, map[report.ID]int{}
	for i, m := range v.marks {
		if !m.Diagnostic {
			ofPred[m.Pred], ofTruth[m.Truth] = i, i
		}
	}
	for i := range v.marks {
		d := &v.marks[i]
		if !d.Diagnostic {
			continue
		}
		preds, truths := d.Others, []report.ID{d.Truth}
		if d.Kind == report.Merge {
			preds, truths = []report.ID{d.Pred}, d.Others
		}
		var concerned []int
		for _, id := range preds {
			concerned = append(concerned, ofPred[id])
		}
		for _, id := range truths {
			concerned = append(concerned, ofTruth[id])
		}
		slices.Sort(concerned)
		d.Wrong, d.Cost = 0, 0
		for _, k := range slices.Compact(concerned) {
			d.Wrong += v.marks[k].Wrong
			d.Cost += v.marks[k].Cost
		}
	}
}

func (v *verdict) emptyMark(metric string, cost float64) report.Mark {
	m := report.Mark{Kind: report.Whole, Box: wholeBox(v.image.TruthShape), Cost: cost}
	m.Z, m.Y, m.X = centre(m.Box)
	m.Text = "Image counts 0: answer and truth are both empty, and " + metric + " gives 0 for such a pair"
	if v.image.PredPixels+v.image.TruthPixels > 0 || v.image.NPred+v.image.NTruth > 0 {
		m.Text = "Image counts 0: there is nothing that " + metric + " could count"
	}
	return m
}
