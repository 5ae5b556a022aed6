package session

import (
	"coverslip/viewer"
)

// maxVisits bounds the way back.
const maxVisits = 200

// visit is a place that the user has stood at.
type visit struct {
	task, run int
	view      viewer.View
	mark      int // that was selected, -1 none
}

// visits is the way back and forward through visited places, as a browser has it.
type visits struct {
	back, forward []visit
	replaying     bool
}

// here is the present place.
func (s *Session) here() visit {
	return visit{s.task, s.Run(), s.view, s.errors.selected}
}

// leave remembers the present place before the user jumps elsewhere. Small steps (a slice, a pan) are no jumps.
func (s *Session) leave() {
	v := &s.visits
	if v.replaying || s.picked.scene == nil {
		return
	}
	at := s.here()
	if n := len(v.back); n == 0 || !v.back[n-1].same(at) {
		v.back = append(v.back, at)
	}
	if len(v.back) > maxVisits {
		v.back = v.back[1:]
	}
	v.forward = nil
}

func (v visit) same(w visit) bool {
	return v.task == w.task && v.run == w.run && v.mark == w.mark && v.view.Equal(w.view)
}

// CanGoBack and CanGoForward tell whether there is a place to go to.
func (s *Session) CanGoBack() bool    { return len(s.visits.back) > 0 }
func (s *Session) CanGoForward() bool { return len(s.visits.forward) > 0 }

// GoBack stands where the user stood before the last jump.
func (s *Session) GoBack() { s.retrace(&s.visits.back, &s.visits.forward) }

// GoForward undoes a step back.
func (s *Session) GoForward() { s.retrace(&s.visits.forward, &s.visits.back) }

func (s *Session) retrace(from, to *[]visit) {
	n := len(*from)
	if n == 0 {
		return
	}
	at := (*from)[n-1]
	*from = (*from)[:n-1]
	*to = append(*to, s.here())
	s.visits.replaying = true
	defer func() { s.visits.replaying = false }()
	s.batch(func() { s.stand(at) })
}

// stand goes to a visited place. What has been closed or renamed since is left out.
func (s *Session) stand(at visit) {
	s.SelectTask(at.task)
	s.SelectRun(at.run)
	if s.SetView(at.view) != nil {
		return
	}
	s.errors.selected = -1
	if r := s.Report(); r != nil && at.mark >= 0 && at.mark < len(r.Marks) {
		s.errors.selected = at.mark
	}
	s.changed(Selection | ViewChanged)
}
