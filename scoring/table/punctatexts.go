package table

import (
	"fmt"
	"math"
	"strings"

	"coverslip/datasets/tabular/python"
	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// method tells how the result came about.
func (p *puncta) method() {
	p.Say("Formula", "per condition 1 - (wrong puncta / nuclei of the truth) / mean puncta of the truth, not below 0; then the mean over the conditions")
	for _, name := range p.sortedConditions() {
		switch c := p.conditions[name]; {
		case c.scored:
			p.Say("Condition", fmt.Sprintf("%s: (%s in pairs + %s of missed nuclei + %s of extra nuclei) / %s = %s; / mean %s = %s; score %s", name,
				report.Number(c.ofPairs), report.Number(c.ofMissed), report.Number(c.surplus), call.Quantity(c.n, "nucleus", "nuclei"),
				report.Number(c.mae), report.Number(math.Abs(c.mean)), report.Number(c.relative), report.Number(c.score)))
		case c.unmeasured:
			p.Say("Condition", name+": no nucleus of the truth has a place and a count, score 0")
		default:
			p.Say("Condition", name+": left out, the truth has no puncta there")
		}
	}
	p.Say("Mean", fmt.Sprintf("over %s = %s, rounded to four decimals", call.Quantity(len(p.total.PerItem), "condition", "conditions"), report.Number(p.total.Score)))
	p.Say("Interval", fmt.Sprintf("%s to %s, 95 %% of 1000 resamples of the conditions", report.Number(p.total.Low), report.Number(p.total.High)))
	if math.IsInf(p.threshold, 1) {
		p.Say("Pairing", "nuclei of one image by rising distance, one to one, without a limit")
	} else {
		p.Say("Pairing", fmt.Sprintf("nuclei of one image by rising distance, one to one, up to %s µm = %s voxels, the same along x, y and z",
			report.Number(p.micrometres), report.Number(p.threshold)))
	}
	p.Say("Not counted", "intensities and volumes; nuclei without puncta that are missed or extra")
}

// notes remark on what bit in this run.
func (p *puncta) notes() {
	p.headerNotes()
	p.rowNotes()
	p.imageNotes()
	if len(p.truthMean.without(p.predMean)) > 0 {
		p.Warn("", "The answer has no condition "+namesOf(p.truthMean.without(p.predMean))+": all its puncta count as missed", "Measure the images of every condition")
	}
	if extra := p.predMean.without(p.truthMean); len(extra) > 0 {
		p.Info(p.Shown(p.pred.path), "The truth has no condition "+namesOf(extra)+": its rows count nothing")
	}
	if math.IsInf(p.threshold, 1) {
		p.Info(p.ShownTruth(p.truth.path), "There is no usable voxel size or distance: nuclei were paired without a limit")
	}
	for _, name := range p.sortedConditions() {
		if c := p.conditions[name]; c.scored && c.relative > 1 {
			p.Info("", fmt.Sprintf("Condition %s counts 0: its error is %s times its mean, and anything beyond 1 costs no more; the costs of its nuclei are scaled to that",
				quoted(name), report.Number(c.relative)))
		}
	}
}

// headerNotes remark on columns that the reader does not see although the gate let them pass.
func (p *puncta) headerNotes() {
	for _, want := range []string{"condition", "Image name", "z", "y", "x", countColumn} {
		if p.pred.Has(want) {
			continue
		}
		for _, name := range p.pred.Names {
			if lowered(name) == python.Lower(want) {
				p.Warn(p.Shown(p.pred.path), "The column "+quoted(name)+" is not read: the scorer looks for "+quoted(want)+", letter case and blanks included", "Rename the column")
				break
			}
		}
	}
}

func (p *puncta) rowNotes() {
	if n := len(p.pred.skipped); n > 0 {
		p.Warn(p.Shown(p.pred.path), fmt.Sprintf("%s no number in x, y, z or the count and cannot be paired, the first is row %d",
			call.Quantity(n, "row has", "rows have"), p.pred.id(p.pred.skipped[0])+1), "Write plain numbers with a decimal point")
	}
	for _, name := range p.common {
		if v := p.predMean.value[name]; math.IsNaN(v) || math.IsInf(v, 0) {
			p.Warn(p.Shown(p.pred.path), "A count of condition "+quoted(name)+" is NaN or infinite: this alone makes the condition count 0", "Leave such nuclei out or count them as 0")
		}
	}
}

// imageNotes remark on images whose names or places do not fit.
func (p *puncta) imageNotes() {
	var stray, lone, apart []string
	for _, n := range p.images {
		switch {
		case n.truth == nil && p.conditions[n.condition].scored:
			stray = append(stray, n.name)
		case n.truth != nil && n.pred == nil && p.pred.hasCondition(n.condition):
			lone = append(lone, n.name)
		case n.truth != nil && n.pred != nil && len(n.pairs) == 0 && len(n.truth.rows) > 2 && len(n.pred.rows) > 2:
			apart = append(apart, n.name)
		}
	}
	if len(stray) > 0 {
		p.Warn(p.Shown(p.pred.path), fmt.Sprintf("%s no image of the truth, such as %s. This costs twice: their nuclei are extra, those of the truth are missed",
			call.Quantity(len(stray), "image name is", "image names are"), quoted(stray[0])), "Write the names of the input files")
	}
	if len(lone) > 0 {
		p.Info("", fmt.Sprintf("%s no nucleus in the answer, such as %s", call.Quantity(len(lone), "image of the truth has", "images of the truth have"), quoted(lone[0])))
	}
	if len(apart) > 0 {
		p.Warn("", fmt.Sprintf("In %s no nucleus of the answer is near one of the truth, such as in %s", call.Quantity(len(apart), "image", "images"), quoted(apart[0])),
			"Give z, y and x in voxels of the trimmed stack, not in micrometres, and do not exchange axes")
	}
}

func (q *quants) hasCondition(name string) bool {
	for _, g := range q.groups {
		if g.condition == name {
			return true
		}
	}
	return false
}

// namesOf reads "“a”, “b” and 3 more".
func namesOf(names []string) string {
	const shown = 6
	var parts []string
	for _, n := range names[:min(shown, len(names))] {
		parts = append(parts, quoted(n))
	}
	text := strings.Join(parts, ", ")
	if more := len(names) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
