package app

import "time"

const (
	playEvery  = 100 * time.Millisecond
	blinkEvery = 400 * time.Millisecond
)

// togglePlay plays through time, or through slices where there is one time.
func (w *Workbench) togglePlay() {
	axis := byte('z')
	if w.session.Shape().T > 1 {
		axis = 't'
	}
	w.playAlong(axis)
}

// playAlong plays along an axis, around the end, or stops if it does so already.
func (w *Workbench) playAlong(axis byte) {
	if w.play.Running() && w.playAxis == axis {
		w.stopPlay()
		return
	}
	w.playAxis = axis
	w.play.Start(playEvery, w.playStep)
	w.showPlay()
}

func (w *Workbench) stopPlay() {
	w.play.Stop()
	w.showPlay()
}

func (w *Workbench) showPlay() {
	w.axes.z.Playing(w.play.Running() && w.playAxis == 'z')
	w.axes.t.Playing(w.play.Running() && w.playAxis == 't')
}

// playStep goes one step on, unless the last one is still being read: then the film waits rather than jumps.
func (w *Workbench) playStep() {
	s := w.session
	if s.Loading() {
		return
	}
	shape, view := s.Shape(), s.View()
	if w.playAxis == 't' && shape.T > 1 {
		s.SetT((view.T + 1) % shape.T)
	} else if shape.Z > 1 {
		s.SetZ((view.Z + 1) % shape.Z)
	}
}

// blinkOn compares answer and truth by turns until blinkOff. From the menu, a second time ends it.
func (w *Workbench) blinkOn() {
	if w.blink.Running() {
		w.blinkOff()
		return
	}
	w.session.SetBlink(true)
	w.blink.Start(blinkEvery, w.session.BlinkStep)
}

func (w *Workbench) blinkOff() {
	w.blink.Stop()
	w.session.SetBlink(false)
}
