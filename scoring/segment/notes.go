package segment

import (
	"fmt"
	"path/filepath"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/scoring/report"
)

// finish turns what a calculator left into the report: an error that is no cancellation means that the reference fails,
// too, and gives none.
func (s *scorer) finish(r *report.Report, err error) (*report.Report, error) {
	if ctxErr := s.ctx.Err(); ctxErr != nil {
		return nil, ctxErr
	}
	if err != nil {
		r = s.crashed(err)
	}
	s.thresholdNote()
	s.deliverableNotes()
	return r, nil
}

func (s *scorer) note(level report.Level, file, text, fix string) {
	s.report.Notes = append(s.report.Notes, report.Note{Level: level, File: file, Text: text, Fix: fix})
}

// thresholdNote remarks on a setting of the rubric that the reference reads and does not use.
func (s *scorer) thresholdNote() {
	if t, ok := asNumber(s.task.Rubric.Metric["iou_threshold"]); ok && t != 0.5 {
		s.note(report.Info, "", "The rubric's iou_threshold of "+report.Number(t)+" has no effect: 0.5 and 0.75 are fixed", "")
	}
}

func asNumber(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int:
		return float64(n), true
	case int64:
		return float64(n), true
	}
	return 0, false
}

// deliverableNotes remark on files that were turned down or not looked at.
func (s *scorer) deliverableNotes() {
	for _, f := range s.resolution.Rejected {
		s.note(report.Warning, s.shown(f.File), "Not taken for "+f.Deliverable+": "+f.Reason, "")
	}
	for _, d := range s.resolution.Deliverables {
		if d.Note != "" {
			s.note(report.Warning, "", d.Note, "")
		}
		if len(d.Surplus) > 0 {
			s.note(report.Info, s.shown(d.Surplus[0]), fmt.Sprintf("The deliverable %s takes one file, %s not scored",
				d.Deliverable.ID, quantity(len(d.Surplus), "other file was", "other files were")), "")
		}
	}
}

// metricNotes remark on what the metric does not see.
func (s *scorer) metricNotes(used string) {
	switch {
	case used == "dice" || used == "iou":
		s.note(report.Info, "", "Instances do not count for this score: "+used+" compares foreground pixels (value > 0), so that splitting or merging objects changes nothing", "")
	case used == "boundary_f1":
		s.note(report.Info, "", "'boundary_f1' cannot be split over objects: the cost of a mark is what the score would gain if that object alone were right, a loss where it is negative", "")
	case !splits(used):
		s.note(report.Info, "", "'"+used+"' cannot be split over objects: the marks have no cost", "")
	}
}

// unknownMetricNote warns of a primary_metric that names nothing to take the result from.
func (s *scorer) unknownMetricNote(named any, instead string) {
	s.note(report.Warning, "", "The rubric's primary_metric is "+biabench.Describe(named)+", which is no result of this scorer: "+instead,
		"Correct primary_metric in evaluation_rubric.yaml")
}

// groupNotes remark on the pairing of files and on the images of one group.
func (s *scorer) groupNotes(g *group) {
	where := ""
	if g.compartment != "" {
		where = " (" + g.compartment + ")"
	}
	s.pairingNotes(g.pairing, where, g.failed != "")
	s.statusNotes(g, where)
	s.valueNotes(g)
	s.emptyNotes(g, where)
	s.fileNotes(g)
}

func (s *scorer) pairingNotes(p biabench.Pairing, where string, failed bool) {
	switch {
	case failed:
		s.note(report.Warning, "", "No file name of the answer fits a file name of the truth"+where+": nothing was compared",
			"Name each mask after its input image")
	case p.LowConfidence:
		s.note(report.Warning, "", "Files were paired by their order alone, since no name fits"+where+": check that each answer shows its image",
			"Name each mask after its input image")
	case p.Method == "index":
		s.note(report.Info, "", "Files were paired by the number in their names"+where, "")
	}
	if n := len(p.Surplus); n > 0 && !failed {
		s.note(report.Info, s.shown(p.Surplus[0]), quantity(n, "file was", "files were")+" not scored, having no partner in the truth"+where+"; this costs nothing", "")
	}
}

// statusNotes count the images that score 0 without being compared.
func (s *scorer) statusNotes(g *group, where string) {
	for _, status := range []struct {
		is   report.Status
		text string
	}{
		{report.MissingAnswer, "without an answer"}, {report.Unreadable, "not readable"}, {report.ShapeMismatch, "of another size than the truth"},
	} {
		n, first := 0, verdict{}
		for _, v := range g.rows {
			if v.image.Status == status.is {
				if n == 0 {
					first = v
				}
				n++
			}
		}
		if n == 0 || g.failed != "" {
			continue
		}
		text := quantity(n, "image", "images") + " " + status.text + where + plural(n, " counts 0: ", " count 0: ") + first.image.Name
		if status.is != report.MissingAnswer {
			text += " (" + first.image.Reason + ")"
		}
		if n > 1 {
			text += " and others"
		}
		s.note(report.Warning, "", text, "")
	}
}

// valueNotes remark on label values that the reference reads in an unexpected way.
func (s *scorer) valueNotes(g *group) {
	for _, v := range g.rows {
		file := s.shown(v.image.Pred)
		f := v.findings
		if f.truncated {
			s.note(report.Warning, file, "Labels have fractions: they are foreground if above 0, and their ids are cut to whole numbers", "Write whole numbers as labels")
		}
		if f.wild {
			s.note(report.Warning, file, "Labels are not finite or too large: all of these count as one object without area", "Write whole numbers as labels")
		}
		if f.negative {
			s.note(report.Warning, file, "Labels are negative (or beyond 2^63): each is an extra object without area", "Use labels from 1 upward")
		}
		if f.blobs > 1 {
			s.note(report.Warning, file, fmt.Sprintf("One id covers %d separate regions: is this a binary mask? It counts as one object", f.blobs), "Give each object its own label")
		}
	}
}

// emptyNotes remark on empty truths and on answers that miss the truth altogether.
func (s *scorer) emptyNotes(g *group, where string) {
	matched, objects := 0, 0
	for _, v := range g.rows {
		img := v.image
		if img.Status != report.Scored {
			continue
		}
		matched += v.counts.tp + v.counts.weak
		objects += min(img.NPred, img.NTruth)
		switch {
		case img.TruthPixels == 0 && img.PredPixels == 0:
			s.note(report.Warning, "", "Image "+img.Name+where+": truth and answer are both empty; dice, IoU and PQ give 0 for this, AP gives 1", "")
		case img.TruthPixels == 0:
			s.note(report.Warning, "", "Image "+img.Name+where+": the truth is empty, so that any answer scores 0", "")
		case img.PredPixels == 0:
			s.note(report.Warning, "", "Image "+img.Name+where+": the answer is empty", "")
		case img.Both == 0:
			s.note(report.Warning, "", "Image "+img.Name+where+": answer and truth share no pixel", "Check that the answer belongs to this image")
		}
	}
	if objects > 0 && matched == 0 && g.failed == "" {
		s.note(report.Warning, "", "Nothing matched"+where+": no object of the answer overlaps one of the truth by half", "Check that files and labels belong to these images")
	}
}

// fileNotes pass on what the reader remarked, one note per remark.
func (s *scorer) fileNotes(g *group) {
	files := map[string][]string{}
	var order []string
	collect := func(file string, notes []string) {
		for _, text := range notes {
			if files[text] == nil {
				order = append(order, text)
			}
			files[text] = append(files[text], file)
		}
	}
	for _, v := range g.rows {
		if v.image.Pred != "" {
			collect(s.shown(v.image.Pred), v.findings.predNotes)
		}
		collect("truth "+filepath.Base(v.image.Truth), v.findings.truthNotes)
	}
	for _, text := range order {
		list := files[text]
		if len(list) > 1 {
			s.note(report.Info, list[0], fmt.Sprintf("%s (and %s)", strings.TrimSuffix(text, "."), quantity(len(list)-1, "other file", "other files")), "")
			continue
		}
		s.note(report.Info, list[0], text, "")
	}
}

// sharedFileNote warns when one file answers for two compartments: then one of them was most likely not delivered.
func (s *scorer) sharedFileNote(groups []*group) {
	owner := map[string]string{}
	for _, g := range groups {
		for _, p := range g.pairing.Pairs {
			if other, ok := owner[p.Pred]; ok && other != g.compartment {
				s.note(report.Warning, s.shown(p.Pred), "The same file answers for "+other+" and for "+g.compartment+
					": most likely the files of one of them are missing or named alike", "Write one file per compartment, with its name in the file name only")
				return
			}
			owner[p.Pred] = g.compartment
		}
	}
}
