package point

import (
	"fmt"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// method tells how the result came about.
func (s *counting) method(f figures) {
	typical := report.Number(s.typical)
	s.Say("Formula", "an image's score = 1 - |answer - truth| / truth for too few cells, 1 - |answer - truth| / max(truth, typical count) for too many, at least 0")
	s.Say("Typical count", typical+", the upper median of the truth's counts that are not 0")
	if worst := s.worst(); worst != nil {
		s.Say("Lowest image", fmt.Sprintf("%s: %s in the answer, %d in the truth = %s", biabench.Stem(worst.truth.file),
			call.Quantity(len(worst.pred.points), "cell", "cells"), len(worst.truth.points), report.Number(worst.score)))
	}
	text := "mean over " + call.Quantity(len(s.rows), "image", "images") + " = " + report.Number(f.score)
	if f.missing > 0 {
		text += fmt.Sprintf("; %d of them without a table %s 0", f.missing, call.Plural(f.missing, "counts", "count"))
	}
	s.Say("Mean", text+", rounded to four decimals")
	s.Say("Interval", fmt.Sprintf("%s to %s: the middle 95 %% of 1000 means of images drawn again", report.Number(f.low), report.Number(f.high)))
	s.Say("Not counted", "where the points lie: all could be misplaced without a loss; tables without an image")
}

// worst is the paired image of the lowest score, the first of equals.
func (s *counting) worst() *row {
	var worst *row
	for i := range s.rows {
		if r := &s.rows[i]; !r.missing() && (worst == nil || r.score < worst.score) {
			worst = r
		}
	}
	return worst
}

func (s *counting) reservedNote() {
	if n := len(s.reserved); n > 0 {
		s.Info(s.Shown(s.reserved[0]), call.Quantity(n, "table", "tables")+" left out by name: those beginning with summary, metrics or report belong to no image")
	}
}

func (s *counting) notes(f figures) {
	s.Info("", fmt.Sprintf("The score counts cells and does not look where they are: F1 within %s pixels is %s", report.Number(s.threshold), report.Number(f.f1)))
	if n := len(s.extra); n > 0 {
		s.Info(s.Shown(s.extra[0].file), call.Quantity(n, "table has", "tables have")+" no image in the truth, or one that is taken already; this costs nothing")
	}
	s.missingNote(f)
	s.Review(f.missing, len(s.rows), "have no table")
	for i := range s.rows {
		s.tableNotes(&s.rows[i])
	}
	s.swappedNote(f)
}

func (s *counting) missingNote(f figures) {
	var blank []string
	for i := range s.rows {
		if r := &s.rows[i]; r.missing() && len(r.truth.points) == 0 {
			blank = append(blank, biabench.Stem(r.truth.file))
		}
	}
	if f.missing > 0 {
		s.Warn("", call.Quantity(f.missing, "image has", "images have")+" no table and "+call.Plural(f.missing, "counts", "count")+" 0; in count_mape each is counted twice",
			"Write a table for every image")
	}
	if len(blank) > 0 {
		s.Warn("", call.Quantity(len(blank), "blank image", "blank images")+" without a table: "+strings.Join(blank, ", ")+
			". A table with a header and no rows would have earned 1; an empty file does not count as a table", "Write a table with the header alone for an image without cells")
	}
}

// tableNotes remark on one answer table.
func (s *counting) tableNotes(r *row) {
	if r.missing() {
		return
	}
	file := s.Shown(r.pred.file)
	if p, t := biabench.Stem(r.pred.file), biabench.Stem(r.truth.file); p != t && withoutFirstWord(p) != t {
		s.Warn(file, "Paired with the image "+t+" because its name ends so", "Name each table after its image")
	}
	if r.pred.skipped > 0 {
		s.Warn(file, call.Quantity(r.pred.skipped, "row has", "rows have")+" no two numbers and "+call.Plural(r.pred.skipped, "is", "are")+" not counted", "Write numbers with a decimal point")
	}
	if !r.pred.named && len(r.pred.points) > 0 {
		s.Info(file, "No header names x and y: the first column is taken as x, the second as y")
	}
}

// swappedNote tries x for y: if far more points match then, the columns are most likely swapped.
func (s *counting) swappedNote(f figures) {
	swapped := 0
	for i := range s.rows {
		r := &s.rows[i]
		turned := make([]Point, len(r.pred.points))
		for k, p := range r.pred.points {
			turned[k] = Point{p.Y, p.X}
		}
		matches, _, err := Pair(turned, r.truth.points, s.threshold)
		if err != nil {
			return
		}
		swapped += len(matches)
	}
	if swapped > 2*f.tp+5 {
		s.Warn("", fmt.Sprintf("Matches rise from %d to %d when x and y are exchanged: the columns are most likely swapped", f.tp, swapped),
			"X is the column, Y the row")
	}
}
