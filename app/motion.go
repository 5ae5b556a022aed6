package app

import (
	"fmt"
	"time"
)

// pace is how fast the window plays and blinks, and what happens at the end of a film.
type pace struct {
	play, blink int // indices into playSpeeds and blinkSpeeds
	loop        loopMode
	backwards   bool // on the way back of a film that goes back and forth
}

var (
	playSpeeds  = []int{1, 2, 5, 10, 15, 20, 30}       // frames a second
	blinkSpeeds = []float64{0.5, 1, 1.5, 2.5, 4, 6, 8} // changes a second
)

// loopMode is what happens at the end of a film.
type loopMode uint8

const (
	around loopMode = iota // on from the beginning
	forthAndBack
	once
	loopModes
)

var loopWords = [loopModes]string{"around", "forth and back", "once"}

func newPace() pace { return pace{play: 3, blink: 3} }

func (p pace) playEvery() time.Duration { return time.Second / time.Duration(playSpeeds[p.play]) }
func (p pace) blinkEvery() time.Duration {
	return time.Duration(float64(time.Second) / blinkSpeeds[p.blink])
}

// stepPlay plays faster or slower from now on.
func (w *Workbench) stepPlay(by int) {
	w.pace.play = max(0, min(w.pace.play+by, len(playSpeeds)-1))
	if w.play.Running() {
		w.play.Start(w.pace.playEvery(), w.playStep)
	}
	w.status.Tell("info", fmt.Sprintf("Playing %d frames a second, %s", playSpeeds[w.pace.play], loopWords[w.pace.loop]))
}

// stepBlink blinks faster or slower from now on.
func (w *Workbench) stepBlink(by int) {
	w.pace.blink = max(0, min(w.pace.blink+by, len(blinkSpeeds)-1))
	if w.blink.Running() {
		w.blink.Start(w.pace.blinkEvery(), w.session.BlinkStep)
	}
	w.status.Tell("info", fmt.Sprintf("Blinking %g times a second", blinkSpeeds[w.pace.blink]))
}

// nextLoop chooses what happens at the end of a film.
func (w *Workbench) nextLoop() {
	w.pace.loop, w.pace.backwards = (w.pace.loop+1)%loopModes, false
	w.stepPlay(0)
}

// togglePlay plays through time, or through slices where there is one time.
func (w *Workbench) togglePlay() {
	axis := byte('z')
	if w.session.Shape().T > 1 {
		axis = 't'
	}
	w.playAlong(axis)
}

// playAlong plays along an axis, or stops if it does so already.
func (w *Workbench) playAlong(axis byte) {
	if w.play.Running() && w.playAxis == axis {
		w.stopPlay()
		return
	}
	w.playAxis = axis
	w.pace.backwards = false
	w.play.Start(w.pace.playEvery(), w.playStep)
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
	at, n, set := view.Z, shape.Z, s.SetZ
	if w.playAxis == 't' && shape.T > 1 {
		at, n, set = view.T, shape.T, s.SetT
	}
	if n < 2 {
		return
	}
	next, goOn := w.pace.next(at, n)
	set(next)
	if !goOn {
		w.stopPlay()
	}
}

// next is the step after at of n; goOn is false where the film ends with it.
func (p *pace) next(at, n int) (next int, goOn bool) {
	switch p.loop {
	case once:
		next = (at + 1) % n // from the end it plays once more
		return next, next < n-1
	case forthAndBack:
		if at >= n-1 {
			p.backwards = true
		} else if at <= 0 {
			p.backwards = false
		}
		if p.backwards {
			return at - 1, true
		}
		return at + 1, true
	}
	return (at + 1) % n, true
}

// blinkOn compares answer and truth by turns until blinkOff. From the menu, a second time ends it.
func (w *Workbench) blinkOn() {
	if w.blink.Running() {
		w.blinkOff()
		return
	}
	w.session.SetBlink(true)
	w.blink.Start(w.pace.blinkEvery(), w.session.BlinkStep)
}

func (w *Workbench) blinkOff() {
	w.blink.Stop()
	w.session.SetBlink(false)
}
