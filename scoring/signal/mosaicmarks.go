package signal

import (
	"fmt"
	"math"
	"strings"

	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// answerText is what is wrong with the answer's image, "" for nothing.
func (t *stitching) answerText() string {
	switch {
	case t.answerErr != nil:
		return call.Reason(t.answerErr)
	case t.answer.profiles == nil:
		return "the band has no rows"
	}
	return ""
}

// mosaicMarks writes a mark for the size of the mosaic, one for each channel's profile, one for each mean that the rubric
// asks for, and as diagnostics the features whose populations stand the wrong way round.
func (s *scorer) mosaicMarks(j *mosaicJudgement) {
	img := report.Image{Name: stemOf(j.files.image), Pred: j.files.image, Truth: j.files.truth, Status: report.Scored, Value: math.NaN()}
	alignmentWeight := 1.0
	if t := j.stitching; t != nil {
		alignmentWeight = j.rubric.alignment
		img.Value, img.TruthShape = t.quality(), t.truth.shape
		if t.answer != nil {
			img.PredShape = t.answer.shape
		} else {
			img.Status, img.Reason = report.Unreadable, t.answerText()
		}
		s.shapeMark(t, j.rubric.stitching/2)
		s.profileMarks(t, j.rubric.stitching/2)
	}
	s.Report.Images = []report.Image{img}
	for _, w := range j.wanted {
		m := report.Mark{Kind: report.ValueError, Key: w.channel + " " + w.feature + " " + w.population, Cost: alignmentWeight * (1 - w.score) / float64(len(j.wanted))}
		if w.reason != "" {
			m.Kind, m.Text = report.MissingValue, "The mean of "+m.Key+" counts 0: "+w.reason
		} else {
			m.Found, m.Expected = w.answer, w.truth
			m.Text = fmt.Sprintf("The mean of %s is %s, expected %s: off by %s %%", m.Key, report.Number(w.answer), report.Number(w.truth), report.Number(100*w.error))
		}
		if nothing(m.Cost) {
			m.Kind = report.TP
		}
		s.mark(m)
	}
	for _, d := range j.directions {
		if !d.correct {
			s.mark(report.Mark{Kind: report.ValueError, Key: d.feature.channel + " " + d.feature.name, Diagnostic: true, Found: d.answer, Expected: d.truth,
				Text: fmt.Sprintf("MCF7 - WBC of %s %s is %s where the truth has %s", d.feature.channel, d.feature.name, report.Number(d.answer), report.Number(d.truth))})
		}
	}
}

func (s *scorer) shapeMark(t *stitching, weight float64) {
	m := report.Mark{Kind: report.ValueError, Key: "size", Cost: weight * (1 - t.shape), Box: report.Box{Z1: t.truth.z, Y1: t.truth.y, X1: t.truth.x}}
	switch {
	case t.answer == nil:
		m.Kind, m.Text = report.Unparsed, "The mosaic cannot be read: "+t.answerText()
	case !t.fits:
		m.Text = fmt.Sprintf("The mosaic is read as %d channels and %d planes, expected are %d and %d", t.answer.c, t.answer.z, t.channels, t.planes)
	default:
		m.Found, m.Expected = float64(t.deviation), 0
		m.Text = fmt.Sprintf("The mosaic is %d x %d pixels, the truth %d x %d: together off by %d", t.answer.x, t.answer.y, t.truth.x, t.truth.y, t.deviation)
	}
	if nothing(m.Cost) {
		m.Kind = report.TP
	}
	s.mark(m)
}

// profileMarks names the channels; their place is the truth's band.
func (s *scorer) profileMarks(t *stitching, weight float64) {
	for c, r := range t.correlations {
		m := report.Mark{Kind: report.ValueError, Key: fmt.Sprintf("channel %d", c), Expected: 1, Cost: weight * (1 - atLeast0(r)) / float64(len(t.correlations)),
			Y: float64(t.truth.y0+t.truth.y1-1) / 2, X: float64(t.truth.x-1) / 2, Box: report.Box{Z1: t.truth.z, Y0: t.truth.y0, Y1: max(t.truth.y0, t.truth.y1), X1: t.truth.x}}
		switch {
		case !math.IsNaN(r):
			m.Found, m.Text = r, fmt.Sprintf("The profile of channel %d correlates with the truth's with r %s", c, report.Number(r))
		case t.answer == nil || c >= len(t.answer.profiles):
			m.Kind, m.Text = report.MissingValue, fmt.Sprintf("Channel %d has no profile in the answer", c)
		default:
			m.Text = fmt.Sprintf("The profile of channel %d has no correlation: one side is constant", c)
		}
		if nothing(m.Cost) {
			m.Kind = report.TP
		}
		s.mark(m)
	}
}

func (s *scorer) mosaicMethod(j *mosaicJudgement) {
	n := report.Number
	if t := j.stitching; t != nil {
		s.Say("Size", fmt.Sprintf("1 - (difference in width + difference in height) / (2 x %s px), 0 if channels or planes are not %d and %d; here %s",
			n(t.tolerance), t.channels, t.planes, n(t.shape)))
		s.Say("Profile", fmt.Sprintf("mean over channels of Pearson's r (not below 0) of the mean of rows %d to %d along x, over all planes; here %s", t.truth.y0, t.truth.y1-1, n(t.profile)))
		s.Say("Stitching", fmt.Sprintf("0.5 x %s + 0.5 x %s = %s", n(t.shape), n(t.profile), n(t.quality())))
	}
	s.Say("Means", fmt.Sprintf("mean of 1 - relative error (not below 0) of %s = %s", call.Quantity(len(j.wanted), "mean that the rubric asks for", "means that the rubric asks for"), n(j.alignment)))
	if t := j.stitching; t != nil {
		s.Say("Formula", fmt.Sprintf("%s x %s + %s x %s = %s", n(j.rubric.stitching), n(t.quality()), n(j.rubric.alignment), n(j.alignment), n(j.value)))
	} else {
		s.Say("Formula", "the means alone, since the truth has no mosaic that can be read")
	}
	s.Say("Not counted", "rows outside the band; the order of planes; scale and offset of intensities; other features; which population has more of a feature")
}

func (s *scorer) mosaicNotes(j *mosaicJudgement) {
	s.summaryNotes(j)
	t := j.stitching
	if t == nil {
		s.Report.NeedsReview = "the stitching could not be judged"
		s.Warn("", "The stitching is not judged: the truth has no mosaic that can be read, the means alone count", "Unpack the task's evaluation data")
		return
	}
	if t.answer == nil {
		return
	}
	file := s.Shown(j.files.image)
	a := t.answer
	for _, text := range a.notes {
		s.Info(file, text)
	}
	if len(t.truth.notes) > 0 {
		s.Info(s.ShownTruth(j.files.truth), strings.Join(t.truth.notes, "; "))
	}
	switch named := strings.ContainsAny(a.axes, "C"); {
	case a.pages == 1 && len(a.shape) > 2 && t.planes > 1 && !strings.HasSuffix(a.axes, "S") && t.answer.c > 1:
		s.Warn(file, "All planes lie behind a single page (axes "+a.axes+"): the scorer sees the first plane alone", "Write one page per plane, with axes ZCYX")
	case !named && a.pages > 1 && a.c > 1 && !strings.Contains(a.axes[max(0, len(a.axes)-3):], "S"):
		s.Warn(file, "The axes have no names (read as "+a.axes+"): every channel gets the mean of all pages", "Write the axes as ZCYX")
	}
	if !t.fits && a.c*a.z == t.channels*t.planes {
		s.Warn(file, fmt.Sprintf("The file holds %d planes as expected, but read as %d channels and %d planes", a.c*a.z, a.c, a.z), "Write the axes as ZCYX")
	}
	s.orderNote(t, file)
}

func (s *scorer) summaryNotes(j *mosaicJudgement) {
	file := s.Shown(j.files.summary)
	if j.summary.mark {
		s.Warn(file, "The table begins with a byte-order mark, which hides its first column", "Save it as UTF-8 without a mark")
	}
	if len(j.summary.columns) > 0 {
		s.Warn(file, "The table has no column "+strings.Join(j.summary.columns, ", "), "Write one row per population, channel and feature, with columns population, channel, feature, mean")
	} else if j.summary.dropped > 0 {
		s.Info(file, fmt.Sprintf("%d of %s not used: an unknown channel, feature or population, or no number", j.summary.dropped, call.Quantity(j.summary.rows, "row is", "rows are")))
	}
	if j.derived {
		s.Warn(s.Shown(j.files.cells), "The means are derived from the table of cells, since the summary has none for both populations", "")
	}
}

// orderNote tells when the answer's channels fit the truth's better in another order.
func (s *scorer) orderNote(t *stitching, file string) {
	n := len(t.correlations)
	if n < 2 || n > 6 || len(t.answer.profiles) < n || len(t.truth.profiles) < n {
		return
	}
	r := make([][]float64, n) // of answer channel a against truth channel b
	for a := range n {
		for b := range n {
			r[a] = append(r[a], atLeast0(profileCorrelation(t.answer.profiles[a], t.truth.profiles[b])))
		}
	}
	best, order := t.profile, []int(nil)
	permutations(n, func(p []int) {
		sum := 0.0
		for b, a := range p {
			sum += r[a][b]
		}
		if mean := sum / float64(n); mean > best+0.01 {
			best, order = mean, append([]int(nil), p...)
		}
	})
	if order != nil {
		s.Warn(file, fmt.Sprintf("The profiles fit better with the channels in the order %v: %s instead of %s", order, report.Number(numeric.Round4(best)), report.Number(t.profile)),
			"Keep the input's order of channels")
	}
}

// permutations calls visit with each order of 0 to n-1.
func permutations(n int, visit func([]int)) {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	var place func(k int)
	place = func(k int) {
		if k == n {
			visit(p)
			return
		}
		for i := k; i < n; i++ {
			p[k], p[i] = p[i], p[k]
			place(k + 1)
			p[k], p[i] = p[i], p[k]
		}
	}
	place(0)
}
