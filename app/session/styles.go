package session

import (
	"coverslip/scoring"
	"coverslip/scoring/report"
	"coverslip/viewer/render"
)

// StylesOf turns the marks of one report row into styles of its label layers: here scores meet pixels. In a movie only the marks of
// frame t count, since a label is a track there. Objects of a split or merge that are no good match get the double line, since that is
// what went wrong with them.
func StylesOf(r *scoring.Report, row, t int) Styles {
	st := Styles{Answer: map[int64]render.Style{}, Truth: map[int64]render.Style{}}
	if r == nil || row < 0 {
		return st
	}
	if r.Images[row].Status != report.Scored {
		st.Unjudged = true
		return st
	}
	marks := marksOf(r, row, t)
	for _, m := range marks {
		switch m.Kind {
		case report.TP:
			st.Answer[m.Pred] = render.Match
		case report.Weak:
			st.Answer[m.Pred] = render.WeakLink
		case report.FP:
			st.Answer[m.Pred] = render.Extra
		case report.FN:
			st.Truth[m.Truth] = render.Missed
		}
	}
	for _, m := range marks {
		switch m.Kind {
		case report.Split:
			for _, id := range m.Others {
				st.double(id)
			}
		case report.Merge:
			st.double(m.Pred)
		}
	}
	return st
}

// marksOf are the marks of a row, in a movie those of one frame. Marks of a stack have no frames: all of them lie at 0.
func marksOf(r *scoring.Report, row, t int) []*scoring.Mark {
	var all, here []*scoring.Mark
	movie := false
	for i := range r.Marks {
		m := &r.Marks[i]
		if m.Image != row {
			continue
		}
		movie = movie || m.T > 0
		all = append(all, m)
		if m.T == t {
			here = append(here, m)
		}
	}
	if movie {
		return here
	}
	return all
}

func (st Styles) double(answer int64) {
	if st.Answer[answer] != render.Match {
		st.Answer[answer] = render.Double
	}
}
