package session

import (
	"maps"
	"strings"

	"coverslip/datasets/fault"
)

// axesKey is what a reassignment of axes is remembered by: the task, or the file where there is none.
func (s *Session) axesKey() string {
	if e := s.entry(); e != nil && e.task != nil {
		return e.task.Spec.TaskID
	}
	if im := s.current(); im != nil {
		return im.Input
	}
	return ""
}

// Axes are the axes of the input on screen: as they are read now, and as the file says. Both are "" where there is no input.
func (s *Session) Axes() (now, file string) {
	o := s.picked.opened
	if o == nil || o.Input == nil {
		return "", ""
	}
	if len(o.Input.File.Series) > 0 {
		file = o.Input.File.Series[0].Axes
	}
	if now = o.Source.Axes; now == "" {
		now = o.Input.Stack.Axes
	}
	return now, file
}

// SetAxes reads the inputs of this task, or this file, with other axes: one letter of T Z C Y X S (and M, P) for each axis of the
// file; "" goes back to the file's own. Nothing in the file changes, and scores do not either.
func (s *Session) SetAxes(letters string) error {
	letters = strings.ToUpper(strings.TrimSpace(letters))
	o := s.picked.opened
	if o == nil || o.Input == nil {
		return &fault.Error{Kind: fault.Missing, Found: "no image on screen", Fix: "Open an image first"}
	}
	src := o.Source
	src.Axes = letters
	if letters != "" {
		probe, err := s.loader.Open(s.ctx, src)
		if err != nil {
			return err
		}
		bad := probe.Input == nil
		notes := probe.Notes
		probe.Release()
		if bad && len(notes) > 0 {
			return &fault.Error{Kind: fault.Inconsistent, File: src.Input, At: "axes " + letters, Found: notes[0]}
		}
	}
	s.batch(func() {
		if letters == "" {
			delete(s.axes, s.axesKey())
		} else {
			s.axes[s.axesKey()] = letters
		}
		s.openImage()
	})
	return nil
}

// AxesMemory is what was reassigned, by task or file, for the next start.
func (s *Session) AxesMemory() map[string]string { return maps.Clone(s.axes) }

// SetAxesMemory takes over what an earlier session remembered.
func (s *Session) SetAxesMemory(memory map[string]string) { maps.Copy(s.axes, memory) }
