package segment

import "coverslip/scoring/report"

// side is one image of a pair, seen against the other.
type side struct {
	single, several report.Kind // of an object without a partner, and of one with parts in the other image
	objects, others []Object    // of this image and of the other
	partners        [][]partner // of each object
	id              func(*report.Mark) *report.ID
	words           sideWords
}

// sideWords are what texts say of a single object.
type sideWords struct{ head, counts, here, there, meets string }

// sides are the truth and the answer, in this order.
func (a *annotator) sides() [2]side {
	truth, pred := a.census.Truth.Objects, a.census.Pred.Objects
	return [2]side{
		{report.FN, report.Split, truth, pred, a.ofTruth, func(m *report.Mark) *report.ID { return &m.Truth },
			sideWords{"Missed", "a missed", "truth", "answer", "overlaps it"}},
		{report.FP, report.Merge, pred, truth, a.ofPred, func(m *report.Mark) *report.ID { return &m.Pred },
			sideWords{"Extra", "an extra", "answer", "truth", "lies there"}},
	}
}
