package signal

import (
	"context"
	"fmt"
	"math"
	"path/filepath"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster/parallel"
	"coverslip/datasets/tabular"
	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

func (s *scorer) localisationMethod(c *comparison, w weights, used string, intensity float64) {
	n := report.Number
	s.Say("Matching", "frame by frame, each localisation of the answer asks for the nearest one of the truth; the closest within "+n(c.threshold)+
		" px get it, there is no second choice")
	s.Say("Counts", fmt.Sprintf("%d matched, %d of the answer left over, %d of the truth missed", c.tp, c.fp, c.fn))
	if used != composite {
		s.Say("Formula", localisationFormulas[used])
		s.Say("Not counted", "intensities; distances within "+n(c.threshold)+" px")
		return
	}
	metric := w.metric
	if _, known := localisationFormulas[metric]; !known {
		metric = "jaccard"
	}
	s.Say("Localisation", localisationFormulas[metric]+" = "+n(c.metric(metric)))
	text := "Pearson's r of the intensities of the matched pairs, "
	switch {
	case math.IsNaN(c.r):
		text += "which has no value here: " + n(w.missing) + " instead"
	case w.normalisation == "symmetric":
		text += fmt.Sprintf("(r + 1) / 2 = (%s + 1) / 2 = %s", n(c.r), n(intensity))
	default:
		text += fmt.Sprintf("max(0, r) = %s", n(intensity))
	}
	s.Say("Intensity", text)
	s.Say("Formula", fmt.Sprintf("%s x %s + %s x %s = %s", n(w.localisation), n(c.metric(metric)), n(w.intensities), n(intensity), n(s.Report.Result.Value)))
	s.Say("Not counted", "distances within "+n(c.threshold)+" px; scale and offset of the intensities; any column behind the fourth")
}

var localisationFormulas = map[string]string{
	"jaccard":   "jaccard = matched / (matched + left over + missed)",
	"precision": "precision = matched / localisations of the answer",
	"recall":    "recall = matched / localisations of the truth",
	"f1":        "f1 = harmonic mean of precision and recall",
}

func (s *scorer) localisationNotes(c *comparison, wanted, used string) {
	if wanted != used {
		s.Warn("", "The rubric's primary_metric '"+wanted+"' is no result of this scorer, composite_score is used", "Correct primary_metric in evaluation_rubric.yaml")
	}
	file := s.Shown(c.pred.file)
	if d, err := s.Deliverable("localization_list"); err == nil && !matchesPattern(d.Deliverable.Pattern, s.Run.Dir, c.pred.file) {
		s.Warn(file, "No file fits the name "+d.Deliverable.Pattern+": the first text file by path is read instead", "Name the list as the task asks")
	}
	s.listNotes(c.pred, file)
	if n := c.truth.skipped.Count; n > 1 {
		s.Info(s.ShownTruth(c.truth.file), call.Quantity(n, "line", "lines")+" of the truth could not be read")
	}
	s.intensityNotes(c, file)
	s.offsetNote(c, file)
	if c.metric("jaccard") < 0.9 {
		s.remedyNotes(c, file)
	}
	if n := len(c.pairs); (n == 2 || n == 3) && !math.IsNaN(c.r) {
		s.Info("", fmt.Sprintf("The correlation of intensities rests on %d pairs: it says nothing", n))
	}
}

// matchesPattern tells a file that fits a pattern by name or by path, as candidates are found.
func matchesPattern(pattern, dir, file string) bool {
	glob := biabench.CompileGlob(lower(pattern))
	rel, err := filepath.Rel(dir, file)
	return glob.Match(lower(filepath.Base(file))) || err == nil && glob.Match(lower(filepath.ToSlash(rel)))
}

// listNotes remark on lines that were not read.
func (s *scorer) listNotes(l list, file string) {
	if l.mark {
		s.Warn(file, "The file begins with a byte-order mark: the first line is not read", "Save it as UTF-8 without a mark")
	}
	if n := l.skipped.Count; n > 1 || n == 1 && l.skipped.First[0].Line > 1 {
		first := l.skipped.First[0]
		if first.Line == 1 && len(l.skipped.First) > 1 && !l.mark {
			first = l.skipped.First[1]
		}
		s.Warn(file, fmt.Sprintf("%s not read; for instance line %d: %s", call.Quantity(n, "line is", "lines are"), first.Line, first.Why),
			"Write frame, x, y and intensity with decimal points, separated by tabs, commas or blanks")
	}
	if len(l.rows) == 0 {
		s.Warn(file, "No line of the answer's list could be read", "Write frame, x, y and intensity in each line")
	}
}

func (s *scorer) intensityNotes(c *comparison, file string) {
	empty, odd := len(c.pred.rows) > 0, 0
	for i := range c.pred.rows {
		l := &c.pred.rows[i]
		empty = empty && l.Intensity == 0
		if !finite(l.Intensity) {
			odd++
		}
	}
	switch {
	case empty:
		s.Warn(file, "The answer has no intensities: the fourth column is missing or cannot be read", "Write the intensity as fourth column")
	case odd > 0 && math.IsNaN(c.r) && len(c.pairs) > 1:
		s.Warn(file, call.Quantity(odd, "intensity is", "intensities are")+" not finite: one of them among the pairs takes the whole correlation", "Leave out or correct these rows")
	}
}

// offsetNote remarks on a constant shift.
func (s *scorer) offsetNote(c *comparison, file string) {
	if len(c.pairs) < 10 {
		return
	}
	mx, my := c.offX, c.offY
	if max(math.Abs(mx), math.Abs(my)) >= 0.25 {
		s.Warn(file, fmt.Sprintf("The matched localisations lie off by a constant: median %+.2f px in x and %+.2f px in y", mx, my),
			"Check whether pixel centres are at whole or at half numbers, and whether coordinates begin at 0 or 1")
	}
}

// remedies are slips that destroy a score, and what undoes them.
var remedies = []struct {
	what, fix string
	apply     func(tabular.Localisation) tabular.Localisation
}{
	{"one is taken from each frame number", "Count frames from 0", shifted(-1, 0, 0)},
	{"one is added to each frame number", "Count frames from 0", shifted(1, 0, 0)},
	{"x and y change places", "Write x (column) before y (row)", func(l tabular.Localisation) tabular.Localisation {
		l.X, l.Y = l.Y, l.X
		return l
	}},
	{"one pixel is taken from x and y", "Count pixels from 0", shifted(0, -1, -1)},
	{"half a pixel is taken from x and y", "Give the centre of the first pixel as 0", shifted(0, -0.5, -0.5)},
	{"half a pixel is added to x and y", "Give the centre of the first pixel as 0", shifted(0, 0.5, 0.5)},
}

func shifted(frame, x, y float64) func(tabular.Localisation) tabular.Localisation {
	return func(l tabular.Localisation) tabular.Localisation {
		l.Frame, l.X, l.Y = l.Frame+frame, l.X+x, l.Y+y
		return l
	}
}

// remedySample is about how many rows of the answer the remedies are tried on.
const remedySample = 5000

// remedyNotes tell when a common slip explains what is missing: matches before and after its remedy, in the first frames
// of long lists.
func (s *scorer) remedyNotes(c *comparison, file string) {
	pred, truth := c.sample()
	before := matchCount(s.Ctx, pred, truth, c.threshold)
	changed := make([]tabular.Localisation, len(pred))
	for _, r := range remedies {
		for i, l := range pred {
			changed[i] = r.apply(l)
		}
		after := matchCount(s.Ctx, changed, truth, c.threshold)
		if after >= 10 && float64(after) > 1.5*float64(before) && after > min(len(pred), len(truth))/3 {
			part := ""
			if len(pred) < len(c.pred.rows) {
				part = " (in the first frames)"
			}
			s.Warn(file, fmt.Sprintf("Matches rise from %d to %d when %s%s", before, after, r.what, part), r.fix)
		}
	}
}

// sample is the rows of the first frames of both lists, and of one frame more of the truth.
func (c *comparison) sample() (pred, truth []tabular.Localisation) {
	for _, f := range c.frames {
		if len(pred) >= remedySample || len(truth) >= 4*remedySample {
			break
		}
		for _, i := range f.pred {
			pred = append(pred, c.pred.rows[i])
		}
		for _, i := range f.truth {
			truth = append(truth, c.truth.rows[i])
		}
	}
	return pred, truth
}

func matchCount(ctx context.Context, pred, truth []tabular.Localisation, threshold float64) int {
	frames := framesOf(pred, truth)
	counts := make([]int, len(frames))
	err := parallel.Each(ctx, len(frames), func(i int) (err error) {
		counts[i], err = frames[i].pairCount(pred, truth, threshold)
		return err
	})
	if err != nil {
		return 0
	}
	n := 0
	for _, k := range counts {
		n += k
	}
	return n
}
