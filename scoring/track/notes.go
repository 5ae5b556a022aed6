package track

import (
	"fmt"
	"path/filepath"
	"sort"

	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// method tells how the result came about.
func (s *tracking) method(c *comparison) {
	fn, fp := c.truthNodes-c.matched, c.predNodes-c.matched
	n := report.Number
	s.Say("Formula", "0.5 x SEG + 0.5 x TRA = 0.5 x "+n(c.seg())+" + 0.5 x "+n(c.tra())+" = "+n(c.score())+", rounded to four decimals")
	s.Say("SEG", fmt.Sprintf("sum of IoU over matched cells / cells of the truth = %s / %d = %s; a match needs an IoU of at least %s, the best come first",
		n(c.iou), c.truthNodes, n(c.seg()), n(s.threshold)))
	s.Say("TRA", fmt.Sprintf("1 - %s / %s = %s: the cost of mending the answer over that of drawing the truth anew", n(min(c.aogm, c.aogm0)), n(c.aogm0), n(c.tra())))
	s.Say("Mending", fmt.Sprintf("%d x %s missed, %d x %s extra, %d x %s missing links, %d x %s spurious links, %d x %s wrong kinds of link = %s",
		weightFN, call.Quantity(fn, "cell", "cells"), weightFP, call.Quantity(fp, "cell", "cells"), c.nAdded, n(weightAdded), c.nDeleted, n(weightDeleted), c.nChanged, n(weightChanged), n(c.aogm)))
	s.Say("Anew", fmt.Sprintf("%d x %s + %s x %s = %s", weightFN, call.Quantity(c.truthNodes, "cell", "cells"), n(weightAdded), call.Quantity(c.truth.edges, "link", "links"), n(c.aogm0)))
	s.Say("Not counted", "divisions as such (DIV), whole tracks (CT), splits, merges and identity switches: they show in cells and links only")
}

func (s *tracking) notes(c *comparison) {
	file := s.Shown(s.predMasks)
	for _, text := range s.pred.Notes {
		s.Info(file, text)
	}
	for _, text := range s.truth.Notes {
		s.Info("truth "+filepath.Base(s.truthMasks), text)
	}
	if c.aogm > c.aogm0 {
		s.Warn("", "Mending the answer would cost more than drawing the truth anew, so that TRA is 0; the costs of cells and links are scaled to fit", "")
	}
	s.frameNotes(file)
	s.labelNotes(file, c)
	s.lineageNotes()
	s.shiftNote(file, c)
}

// frameNotes remark on the number of frames.
func (s *tracking) frameNotes(file string) {
	p, t := s.pred.Frames, s.truth.Frames
	if p != t {
		s.Report.NeedsReview = fmt.Sprintf("the answer has %s, the truth %d", call.Quantity(p, "frame", "frames"), t)
	}
	switch {
	case p < t && s.pred.Copies > 0:
		s.Warn(file, fmt.Sprintf("The file holds %d separate series, most likely because its frames were appended one call at a time: the first, of %s, is all that is seen",
			s.pred.Copies+1, call.Quantity(p, "frame", "frames")), "Write the whole stack in one call")
	case p < t:
		s.Warn(file, fmt.Sprintf("The answer has %s, the truth %d: in the others all cells are missed", call.Quantity(p, "frame", "frames"), t), "Write one frame for each frame of the input")
	case p > t:
		s.Warn(file, fmt.Sprintf("The answer has %s, the truth %d: all cells in the surplus frames are extra", call.Quantity(p, "frame", "frames"), t), "Write one frame for each frame of the input")
	}
}

// labelNotes remark on labels and rows that do not belong together.
func (s *tracking) labelNotes(file string, c *comparison) {
	rowless, negative := map[int64]bool{}, false
	seen := map[int64]bool{}
	for _, frame := range c.pred.frames {
		for i := range frame {
			label := frame[i].label
			negative = negative || label < 0
			if _, known := c.pred.byID[label]; known {
				seen[label] = true
			} else if label > 0 {
				rowless[label] = true
			}
		}
	}
	if negative {
		s.Warn(file, "Labels are negative: every value but 0 is a cell, a background of -1 too", "Write 0 for the background")
	}
	if n := len(rowless); n > 0 {
		s.Warn(s.Shown(s.predLineage), fmt.Sprintf("%s of the masks %s no row in the lineage (the first is %d): %s cells have no links",
			call.Quantity(n, "label", "labels"), call.Plural(n, "has", "have"), least(rowless), call.Plural(n, "its", "their")), "Write a row for every track")
	}
	empty := 0
	for id := range c.pred.byID {
		if !seen[id] {
			empty++
		}
	}
	if empty > 0 {
		s.Warn(s.Shown(s.predLineage), fmt.Sprintf("%s no pixel in the masks", call.Quantity(empty, "row of the lineage has", "rows of the lineage have")), "Label the cells with their track's id")
	}
}

func least(set map[int64]bool) int64 {
	keys := make([]int64, 0, len(set))
	for k := range set {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })
	return keys[0]
}

// lineageNotes remark on lines of the answer's lineage that were left out.
func (s *tracking) lineageNotes() {
	if s.skips.Count == 0 {
		return
	}
	text := call.Quantity(s.skips.Count, "line of the lineage was", "lines of the lineage were") + " left out"
	if len(s.skips.First) > 0 {
		text += fmt.Sprintf(", the first is line %d: %s", s.skips.First[0].Line, s.skips.First[0].Why)
	}
	s.Warn(s.Shown(s.predLineage), text, "Each line needs track, first frame, last frame and parent")
}

const shiftSamples = 24

// shiftNote tries the answer one frame earlier and later where few cells match: frames counted from 1, say.
func (s *tracking) shiftNote(file string, c *comparison) {
	if n := min(c.truthNodes, c.predNodes); n == 0 || 2*c.matched >= n || len(s.frames) < 3 {
		return
	}
	b := &bench{counter: counter{threshold: s.threshold}}
	step := max(1, len(s.frames)/shiftSamples)
	var pairs [3]int
	for t := 1; t+1 < len(s.frames); t += step {
		for k := range pairs {
			f, err := b.take(s.Ctx, s.pred, s.truth, t+k-1, t)
			if err != nil {
				return
			}
			for i := range f.truth {
				if f.truth[i].partner >= 0 {
					pairs[k]++
				}
			}
		}
	}
	for k, way := range map[int]string{0: "later", 2: "earlier"} {
		if pairs[k] > 2*pairs[1]+5 && pairs[k] > pairs[2-k] {
			s.Warn(file, fmt.Sprintf("Matches rise from %d to %d in the frames looked at when the answer is taken one frame %s", pairs[1], pairs[k], way),
				"Frames count from 0, the first of the input")
		}
	}
}
