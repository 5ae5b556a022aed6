package line

import (
	"fmt"
	"path/filepath"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// formulas say what each metric is, in words; %s is the word for pixels.
var formulas = map[string]string{
	"dice":                  "dice = 2 x overlap / (answer + truth), in foreground %s (value > 0)",
	"iou":                   "iou = overlap / (in answer or truth), in foreground %s (value > 0)",
	"precision":             "precision = overlap / answer, in foreground %s (value > 0)",
	"recall":                "recall = overlap / truth, in foreground %s (value > 0)",
	"volumetric_similarity": "volumetric_similarity = 1 - |answer - truth| / (answer + truth), in foreground %s (value > 0)",
	"cl_dice":               "cl_dice = harmonic mean of the share of the answer's centre lines inside the truth and of the truth's inside the answer, in %s",
}

var notCounted = map[string]string{
	"dice":                  "whether a line is broken or joined, as long as the same pixels are foreground",
	"iou":                   "whether a line is broken or joined, as long as the same pixels are foreground",
	"precision":             "what the answer misses",
	"recall":                "what the answer has too much",
	"volumetric_similarity": "where the foreground lies: only its amount counts",
	"cl_dice":               "how thick the lines are",
}

// method tells how the result came about.
func (s *scorer) method() {
	s.Say("Formula", fmt.Sprintf(formulas[s.primary], s.many))
	if worst := s.worst(); worst != nil {
		s.Say("Lowest image", worst.title()+": "+worst.sum(s.primary))
	}
	counted, zeros := 0, 0
	for i := range s.rows {
		if _, ok := s.rows[i].value(s.primary); ok {
			counted++
			if s.rows[i].status != report.Scored {
				zeros++
			}
		}
	}
	text := "mean over " + call.Quantity(counted, "image", "images") + " = " + report.Number(s.Report.Result.Value)
	if counted == 0 {
		text = "0: no image has a value"
	} else if zeros > 0 {
		text += fmt.Sprintf("; %d of them could not be compared and %s 0", zeros, call.Plural(zeros, "counts", "count"))
	}
	s.Say("Mean", text+", rounded to four decimals")
	s.Say("Not counted", notCounted[s.primary]+"; images of another size than the truth; surplus files of the answer")
}

// worst is the compared image of the lowest value, the first of equals.
func (s *scorer) worst() *row {
	var worst *row
	lowest := 0.0
	for i := range s.rows {
		r := &s.rows[i]
		if v, ok := r.value(s.primary); ok && r.status == report.Scored && (worst == nil || v < lowest) {
			worst, lowest = r, v
		}
	}
	return worst
}

// sum writes out one image's figure with its numbers.
func (r *row) sum(metric string) string {
	f, result := r.figures, " = "+report.Number(r.measures[metric])
	switch metric {
	case "dice":
		return fmt.Sprintf("2 x %d / (%d + %d)", f.Both, f.Pred, f.Truth) + result
	case "iou":
		return fmt.Sprintf("%d / %d", f.Both, f.Pred+f.Truth-f.Both) + result
	case "precision":
		return fmt.Sprintf("%d / %d", f.Both, f.Pred) + result
	case "recall":
		return fmt.Sprintf("%d / %d", f.Both, f.Truth) + result
	case "volumetric_similarity":
		return fmt.Sprintf("answer %d, truth %d", f.Pred, f.Truth) + result
	}
	return fmt.Sprintf("%d of %d centre line pixels of the answer, %d of %d of the truth", f.PredLineIn, f.PredLine, f.TruthLineIn, f.TruthLine) + result
}

func (s *scorer) pairingNotes() {
	if n := len(s.pairing.skipped); n > 0 {
		s.Warn(s.Shown(s.pairing.skipped[0]), call.Quantity(n, "file is", "files are")+" named like a copy of the truth (Binary ...) and ignored", "Name each mask after its input image")
	}
	if n := len(s.pairing.surplus); n > 0 {
		s.Info(s.Shown(s.pairing.surplus[0]), call.Quantity(n, "file has", "files have")+" no image in the truth, or one that is taken already; this costs nothing")
	}
	if len(s.pairing.pairs) == 0 {
		s.Warn("", "No file name of the answer fits a file name of the truth: nothing was compared", "Name each mask after its input image")
	}
}

func (s *scorer) notes(wanted any) {
	if name, ok := wanted.(string); !ok || name != s.primary {
		s.Warn("", "The rubric's primary_metric is "+biabench.Describe(wanted)+", which this scorer does not take: "+s.primary+" is used", "Correct primary_metric in evaluation_rubric.yaml")
	}
	switch s.primary {
	case "cl_dice":
		s.Info("", estimateNote)
	case "volumetric_similarity":
		s.Info("", "'volumetric_similarity' compares amounts only: the cost of a mark is what the score would gain if that region alone were right, a loss where it is negative")
	}
	odd := 0
	for i := range s.rows {
		s.rowNotes(&s.rows[i])
		if s.rows[i].status != report.Scored {
			odd++
		}
	}
	s.Review(odd, len(s.rows), "could not be compared")
}

// rowNotes remark on one image.
func (s *scorer) rowNotes(r *row) {
	file := ""
	if r.pred != "" {
		file = s.Shown(r.pred)
	}
	switch {
	case r.truthGone:
		s.Warn("truth "+filepath.Base(r.truth), "Counts in no mean: "+r.reason, "")
	case r.status == report.MissingAnswer:
		s.Warn("", "Image "+r.title()+" counts 0: "+r.reason, "Name the mask after its input image")
	case r.status == report.Unreadable:
		s.Warn(file, "Image "+r.title()+" counts 0: "+r.reason, "")
	case r.status == report.ShapeMismatch:
		s.Warn(file, "Left out of every mean, neither lost nor won: "+r.reason+s.shapeHint(r), "Write masks of the size of the input")
	case r.figures.Pred == 0 && r.figures.Truth == 0:
		s.Warn(file, "Answer and truth are both empty: left out of the mean of dice, while cl_dice counts 0", "")
	case r.figures.Pred == 0:
		s.Warn(file, "The answer is empty", "")
	case r.figures.Both == 0:
		s.Warn(file, "Answer and truth share no "+s.pixel, "Check that the answer belongs to this image")
	case r.figures.Pred > 9*(r.figures.Truth+1) && r.figures.TruthLineIn == r.figures.TruthLine:
		s.Warn(file, "Nearly all is foreground: are mask and background exchanged?", "Write 0 for the background")
	}
	for _, text := range r.predNotes {
		s.Info(file, text)
	}
	for _, text := range r.truthNotes {
		s.Info("truth "+filepath.Base(r.truth), text)
	}
}

// shapeHint says what a difference of shapes may come from.
func (s *scorer) shapeHint(r *row) string {
	p, t := r.predShape, r.truthShape
	switch {
	case len(p) == 1 && p[0] == 0:
		return "; the answer's file holds no image"
	case len(p) == len(t) && len(p) >= 2 && p[len(p)-1] == t[len(t)-2] && p[len(p)-2] == t[len(t)-1]:
		return "; rows and columns are exchanged"
	case len(p) < len(t):
		return "; an axis is missing"
	case !s.volumes && len(p) == 2:
		return "; of a stack only the first place of the last axis is taken"
	}
	return ""
}
