package track

import (
	"cmp"
	"slices"
	"sort"

	"coverslip/scoring/report"
)

// gravity orders what can be wrong with the links of one cell: the last one shown stands.
var gravity = []report.Kind{"", report.MissedLink, report.SpuriousLink, report.WrongClass, report.WrongParent, report.IDSwitch, report.FalseDivide, report.MissedDivide}

// judgeLinks joins the marks on links and divisions to the step that they begin at. Marks of links stand where the link arrives,
// those of divisions on the mother's last cell.
func (c *chart) judgeLinks(rep *report.Report, set *report.TrackSet) {
	for i := range rep.Marks {
		m := &rep.Marks[i]
		if !slices.Contains(gravity, m.Kind) || m.Kind == "" || !c.owns(m.Kind) {
			continue
		}
		own := m.Truth
		if c.side == report.AnswerSide {
			own = m.Pred
		}
		var step *report.Step
		switch m.Kind {
		case report.MissedDivide, report.FalseDivide:
			step = lastStep(set, own, m.T)
		case report.IDSwitch: // along one track of the answer
			step = lastStep(set, own, m.T-1)
		default:
			if len(m.Others) > 0 {
				step = lastStep(set, m.Others[0], m.T-1)
			}
		}
		if step != nil && slices.Index(gravity, m.Kind) > slices.Index(gravity, step.Link) {
			step.Link = m.Kind
		}
	}
}

// owns tells on which side a kind of error is drawn: what is missed on the truth's tracks, what is too much on the answer's.
func (c *chart) owns(kind report.Kind) bool {
	switch kind {
	case report.SpuriousLink, report.IDSwitch, report.FalseDivide:
		return c.side == report.AnswerSide
	}
	return c.side == report.TruthSide
}

// lastStep is the last step of a track up to a frame, nil for none.
func lastStep(set *report.TrackSet, id int64, frame int) *report.Step {
	k, ok := slices.BinarySearchFunc(set.Tracks, id, func(t report.Track, id int64) int { return cmp.Compare(t.ID, id) })
	if !ok {
		return nil
	}
	steps := set.Tracks[k].Steps
	n := sort.Search(len(steps), func(i int) bool { return steps[i].T > frame })
	if n == 0 {
		return nil
	}
	return &steps[n-1]
}
