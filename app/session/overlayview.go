package session

import (
	"slices"

	"coverslip/scoring/report"
	"coverslip/viewer"
)

// ToggleMask shows or hides the verdict of every foreground pixel.
func (s *Session) ToggleMask() { s.change(func(v *viewer.View) { v.Mask = !v.Mask }) }

// ToggleOnly leaves of labels, points and tracks the focused object alone, or shows all again.
func (s *Session) ToggleOnly() { s.change(func(v *viewer.View) { v.Only = !v.Only }) }

// ToggleRadius shows or hides the circles within which points count as matched.
func (s *Session) ToggleRadius() { s.change(func(v *viewer.View) { v.HideRadius = !v.HideRadius }) }

// HasPoints, HasTracks and HasArrows tell what lies over the row on screen.
func (s *Session) HasPoints() bool { return len(s.exhibits.points) > 0 }
func (s *Session) HasTracks() bool { return len(s.exhibits.tracks) > 0 }
func (s *Session) HasArrows() bool { return len(s.exhibits.arrows) > 0 }

// SetColour chooses what the colours of points and tracks mean.
func (s *Session) SetColour(c viewer.Colour) { s.change(func(v *viewer.View) { v.Colour = c }) }

// CycleColour goes to the next meaning of colours that points and tracks have.
func (s *Session) CycleColour() {
	has := s.Colours()
	if len(has) == 0 {
		return
	}
	at := slices.Index(has, s.view.Colour)
	s.SetColour(has[(at+1)%len(has)])
}

// Colours are the meanings that colours can have for what lies over the row on screen.
func (s *Session) Colours() []viewer.Colour {
	x := s.exhibits.shown
	if x == nil || len(x.Points)+len(x.Tracks) == 0 {
		return nil
	}
	has := []viewer.Colour{viewer.ByVerdict}
	add := func(c viewer.Colour, on bool) {
		if on && !slices.Contains(has, c) {
			has = append(has, c)
		}
	}
	for _, set := range x.Points {
		add(viewer.ByClass, len(set.Classes) > 0)
		add(viewer.ByValue, set.Value != "")
	}
	add(viewer.ByFrame, s.picked.shape.T > 1)
	add(viewer.ByDepth, s.picked.shape.Z > 1)
	add(viewer.ByTrack, len(x.Tracks) > 0)
	add(viewer.ByLineage, len(x.Tracks) > 0)
	return has
}

// SetTail sets how many frames a track's tail goes back, 0 for none.
func (s *Session) SetTail(frames int) {
	s.change(func(v *viewer.View) {
		if v.Tail = frames; frames <= 0 {
			v.Tail = viewer.NoTail
		}
		*v = v.Normal()
	})
}

// StepTail makes tails longer or shorter by n frames.
func (s *Session) StepTail(n int) { s.SetTail(max(0, s.view.TailFrames()+n)) }

// StepArrows spaces the arrows of a vector field by n device pixels more.
func (s *Session) StepArrows(n int) {
	s.change(func(v *viewer.View) {
		v.Arrows = max(viewer.MinArrows, v.ArrowStep()+n)
		*v = v.Normal()
	})
}

// Kinship goes from the track in focus to its mother, by = -1, or to its first daughter, by = 1, in the frame of the division.
func (s *Session) Kinship(by int) {
	x := s.exhibits.shown
	if x == nil {
		return
	}
	for _, set := range x.Tracks {
		id := s.view.Focus.Answer
		if set.Side == report.TruthSide {
			id = s.view.Focus.Truth
		}
		if relative, ok := kin(set, id, by); ok {
			s.standAtStep(set.Side, relative, by)
			return
		}
	}
}

// kin is a track's mother or first daughter.
func kin(set report.TrackSet, id report.ID, by int) (report.Track, bool) {
	own := slices.IndexFunc(set.Tracks, func(t report.Track) bool { return t.ID == id })
	if id == 0 || own < 0 {
		return report.Track{}, false
	}
	at := slices.IndexFunc(set.Tracks, func(t report.Track) bool {
		if by < 0 {
			return set.Tracks[own].Parent != 0 && t.ID == set.Tracks[own].Parent
		}
		return t.Parent == id
	})
	if at < 0 || len(set.Tracks[at].Steps) == 0 {
		return report.Track{}, false
	}
	return set.Tracks[at], true
}

// standAtStep goes to the last frame of a mother, or to the first of a daughter.
func (s *Session) standAtStep(side report.Side, t report.Track, by int) {
	step := t.Steps[0]
	if by < 0 {
		step = t.Steps[len(t.Steps)-1]
	}
	focus := viewer.Focus{Answer: t.ID, Truth: step.Partner}
	if side == report.TruthSide {
		focus = viewer.Focus{Answer: step.Partner, Truth: t.ID}
	}
	s.standAt(step, focus)
}
