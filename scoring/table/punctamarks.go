package table

import (
	"math"
	"strconv"

	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// annotate lists the images and marks their nuclei, then the conditions whose loss no nucleus answers for.
func (p *puncta) annotate() {
	p.Report.Images = make([]report.Image, 0, len(p.images))
	p.Report.Marks = make([]report.Mark, 0, len(p.pairs)+p.nMissed+p.nSurplus)
	for i, n := range p.images {
		p.Report.Images = append(p.Report.Images, p.image(n))
		c, share := p.conditions[n.condition], p.share(n.condition)
		for _, pair := range n.pairs {
			p.mark(p.pairMark(i, n, pair), share)
		}
		for _, k := range n.missed {
			p.mark(p.missedMark(i, n, k, c), share)
		}
		for _, k := range n.surplus {
			p.mark(p.surplusMark(i, n, k, c), share)
		}
	}
	for _, name := range p.sortedConditions() {
		if c := p.conditions[name]; c.unmeasured || c.scored && !finiteSum(c) {
			p.Report.Images = append(p.Report.Images, report.Image{Name: name, Compartment: name, Truth: p.truth.path, Status: report.MissingAnswer})
			text := "Condition " + quoted(name) + " counts 0: no nucleus of the truth has a place and a count"
			if c.scored {
				text = "Condition " + quoted(name) + " counts 0: its error is no number, since a count or the mean of the truth is none"
			}
			p.mark(report.Mark{Kind: report.MissingValue, Image: len(p.Report.Images) - 1, Key: name, Text: text, Cost: 1}, p.weight())
		}
	}
}

func (p *puncta) mark(m report.Mark, share float64) {
	m.Cost = cost(m.Cost * share)
	p.Report.Marks = append(p.Report.Marks, m)
}

// weight is what a condition counts in the result.
func (p *puncta) weight() float64 { return 1 / float64(max(1, len(p.total.PerItem))) }

// finiteSum tells a condition whose loss can be split over its nuclei.
func finiteSum(c *condition) bool { return !math.IsNaN(c.relative) && !math.IsInf(c.relative, 0) }

// share is what one punctum too many or too few costs in a condition. Beyond an error as large as the mean nothing more
// can be lost: there the puncta share the whole of it.
func (p *puncta) share(name string) float64 {
	c := p.conditions[name]
	if total := c.errors + c.surplus; c.scored && finiteSum(c) && total > 0 {
		return (1 - c.score) / total * p.weight()
	}
	return 0
}

func (p *puncta) image(n *nuclei) report.Image {
	im := report.Image{Name: n.name, Compartment: n.condition, Status: report.Scored, Value: math.NaN()}
	if n.pred != nil {
		im.Pred, im.NPred = p.pred.path, len(n.pred.rows)
	}
	if n.truth != nil {
		im.Truth, im.NTruth = p.truth.path, len(n.truth.rows)
	}
	switch {
	case n.pred == nil:
		im.Status, im.Reason = report.MissingAnswer, "the answer has no nucleus of this image"
	case n.truth == nil:
		im.Reason = "the truth has no such image; every punctum here is one too many"
		if c := p.conditions[n.condition]; !c.scored {
			im.Reason = "the truth has no such condition; nothing here counts"
		}
	}
	if n.truth != nil {
		im.Value = n.score(p.conditions[n.condition])
	}
	return im
}

// score is the condition's formula for one image alone.
func (n *nuclei) score(c *condition) float64 {
	sum := 0.0
	for _, pair := range n.pairs {
		sum += math.Abs(n.pred.counts[pair.Pred] - n.truth.counts[pair.Truth])
	}
	for _, i := range n.missed {
		sum += math.Abs(n.truth.counts[i])
	}
	for _, i := range n.surplus {
		sum += math.Abs(n.pred.counts[i])
	}
	if !c.scored {
		return math.NaN()
	}
	return numeric.Clip(1-sum/float64(len(n.truth.rows))/math.Abs(c.mean), 0, 1)
}

// nucleusMark marks a nucleus at a place. Coordinates are x, y, z.
func nucleusMark(kind report.Kind, image int, at numeric.Point) report.Mark {
	m := report.Mark{Kind: kind, Image: image, X: place(at[0]), Y: place(at[1]), Z: place(at[2])}
	x, y, z := int(m.X), int(m.Y), int(m.Z)
	m.Box = report.Box{Z0: z, Y0: y, X0: x, Z1: z + 1, Y1: y + 1, X1: x + 1}
	return m
}

func (p *puncta) pairMark(image int, n *nuclei, pair numeric.Pair) report.Mark {
	found, expected := n.pred.counts[pair.Pred], n.truth.counts[pair.Truth]
	m := nucleusMark(report.TP, image, n.truth.points[pair.Truth])
	m.Pred, m.Truth = p.pred.id(n.pred.rows[pair.Pred]), p.truth.id(n.truth.rows[pair.Truth])
	m.Found, m.Expected = found, expected
	if found == expected {
		m.Text = "Nucleus with " + puncta1(found) + ", as in the truth"
		return m
	}
	m.Kind, m.Cost = report.CountError, math.Abs(found-expected)
	m.Text = "Nucleus with " + puncta1(found) + " instead of " + report.Number(expected) + ", " + report.Number(pair.Cost) + " voxels from the truth's"
	return m
}

func (p *puncta) missedMark(image int, n *nuclei, i int, c *condition) report.Mark {
	count := n.truth.counts[i]
	m := nucleusMark(report.FN, image, n.truth.points[i])
	m.Truth, m.Expected, m.Cost = p.truth.id(n.truth.rows[i]), count, math.Abs(count)
	m.Text = "Missed nucleus with " + puncta1(count)
	if n.pred == nil {
		m.Text += ": the answer has no nucleus of this image"
	}
	return m
}

func (p *puncta) surplusMark(image int, n *nuclei, i int, c *condition) report.Mark {
	count := n.pred.counts[i]
	m := nucleusMark(report.FP, image, n.pred.points[i])
	m.Pred, m.Found, m.Cost = p.pred.id(n.pred.rows[i]), count, math.Abs(count)
	m.Text = "Extra nucleus with " + puncta1(count)
	switch {
	case !c.scored:
		m.Text += " of a condition that is not scored: costs nothing"
	case n.truth == nil:
		m.Text += ": the truth has no such image"
	}
	return m
}

// puncta1 reads "1 punctum", "3 puncta".
func puncta1(n float64) string {
	if n == math.Trunc(n) && math.Abs(n) < 1e9 {
		return call.Quantity(int(n), "punctum", "puncta")
	}
	return strconv.FormatFloat(n, 'g', 6, 64) + " puncta"
}
