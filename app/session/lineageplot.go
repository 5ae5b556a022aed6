package session

import (
	"math"

	"coverslip/scoring/report"
	"coverslip/viewer"
	"coverslip/viewer/chart"
	"coverslip/viewer/render"
)

// lineagePlot draws the tracks of both sides as a tree that follows the frame on screen.
func (s *Session) lineagePlot(x *report.Exhibit) Plot {
	forests := make([]chart.Forest, len(x.Tracks))
	for i, set := range x.Tracks {
		forests[i] = forestOf(set)
	}
	tree := chart.NewLineage(forests...)
	tree.Title = "Lineage"
	tree.Empty = "No tracks"
	return Plot{Name: "lineage", Chart: tree,
		Cursor: func(t int) float64 { return float64(t) },
		frame:  func(x float64) int { return int(math.Round(x)) },
		pick: func(h chart.Hit) {
			if h.Ref.Series < len(x.Tracks) {
				s.standAtTrack(x.Tracks[h.Ref.Series], h)
			}
		}}
}

func forestOf(set report.TrackSet) chart.Forest {
	f := chart.Forest{Name: "answer", Lives: make([]chart.Life, 0, len(set.Tracks))}
	if set.Side == report.TruthSide {
		f.Name = "truth"
	}
	for _, t := range set.Tracks {
		if len(t.Steps) > 0 {
			f.Lives = append(f.Lives, lifeOf(t))
		}
	}
	return f
}

// linkFaults are the marks that a lineage shows.
var linkFaults = map[report.Kind]chart.FaultKind{
	report.MissedDivide: chart.MissedDivision, report.FalseDivide: chart.FalseDivision, report.IDSwitch: chart.IDSwitch,
	report.MissedLink: chart.MissedLink, report.SpuriousLink: chart.FalseLink, report.WrongParent: chart.WrongParent,
}

// lifeOf is a track as a line of the tree: where frames are missing, which parts were judged as what, and faults.
func lifeOf(t report.Track) chart.Life {
	first, last := t.Steps[0], t.Steps[len(t.Steps)-1]
	life := chart.Life{ID: t.ID, Parent: t.Parent, Start: first.T, End: last.T}
	partners := map[report.ID]int{}
	for i, step := range t.Steps {
		if i > 0 && step.T > t.Steps[i-1].T+1 {
			life.Gaps = append(life.Gaps, chart.Range{From: t.Steps[i-1].T + 1, To: step.T - 1})
		}
		partners[step.Partner]++
		if style := StyleOf(step.Verdict); style != render.Plain {
			if n := len(life.Spans); n > 0 && life.Spans[n-1].Style == style && life.Spans[n-1].To+1 >= step.T {
				life.Spans[n-1].To = step.T
			} else {
				life.Spans = append(life.Spans, chart.Span{Range: chart.Range{From: step.T, To: step.T}, Style: style})
			}
		}
		if kind, ok := linkFaults[step.Link]; ok {
			life.Faults = append(life.Faults, chart.Fault{T: step.T, Kind: kind})
		} else if step.Link != "" {
			life.Faults = append(life.Faults, chart.Fault{T: step.T, Text: string(step.Link)})
		}
	}
	most := 0
	for _, step := range t.Steps { // in order of time, so that equals do not depend on chance
		if p := step.Partner; p != 0 && partners[p] > most {
			life.Partner, most = p, partners[p]
		}
	}
	return life
}

// standAtTrack goes to a track in the frame that was hit, or the nearest in which it is there.
func (s *Session) standAtTrack(set report.TrackSet, h chart.Hit) {
	id, t, ok := lifeAt(set, h)
	if !ok {
		return
	}
	var at *report.Step
	for i := range set.Tracks {
		track := &set.Tracks[i]
		if track.ID != id {
			continue
		}
		for k := range track.Steps {
			if step := &track.Steps[k]; at == nil || abs(step.T-t) < abs(at.T-t) {
				at = step
			}
		}
	}
	if at == nil {
		return
	}
	focus := viewer.Focus{Answer: id, Truth: at.Partner}
	if set.Side == report.TruthSide {
		focus = viewer.Focus{Answer: at.Partner, Truth: id}
	}
	s.standAt(*at, focus)
}

func abs(n int) int { return max(n, -n) }

// lifeAt is the track and the frame of a hit in its lineage.
func lifeAt(set report.TrackSet, h chart.Hit) (id report.ID, t int, ok bool) {
	n := 0
	for _, track := range set.Tracks {
		if len(track.Steps) == 0 {
			continue
		}
		if n == h.Ref.Index {
			return track.ID, int(math.Round(h.X)), true
		}
		n++
	}
	return 0, 0, false
}

// standAt goes to a place of the image on screen.
func (s *Session) standAt(at report.Step, focus viewer.Focus) {
	s.leave()
	s.errors.selected = -1
	s.picked.middle = false
	s.change(func(v *viewer.View) {
		*v = v.Centre(viewer.Point{Y: at.Y + 0.5, X: at.X + 0.5}, s.imageSize(), s.pictureSize())
		v.T, v.Z, v.Focus = at.T, int(math.Round(at.Z)), focus
		s.changed(Selection)
	})
}
