package report

import "slices"

// Verdict is what a report says of one object: the kind of its mark, and the object of the other side that it is matched with.
type Verdict struct {
	Kind    Kind
	Partner ID // 0: none
}

// Judged are the verdicts on the objects of one side by id. The zero value knows of none.
type Judged struct {
	dense []Verdict // by id, where ids are places in a table
	rest  map[ID]Verdict
}

// judging are the kinds of marks that judge an object, as opposed to a row, a link or a value.
var judging = []Kind{TP, Weak, FP, FN, WrongClass, CountError, Duplicate, OutOfRange}

// Judged collects the verdicts on the objects of one side in one row of the report, in all rows for -1. Of several marks on an
// object the first counts. It serves reports whose ids are unique within what is asked for.
func (r *Report) Judged(side Side, row int) Judged {
	least, last, n := ID(1), ID(0), 0
	r.eachJudged(side, row, func(id ID, _ Verdict) { least, last, n = min(least, id), max(last, id), n+1 })
	var j Judged
	if least > 0 && last < ID(4*n+1024) {
		j.dense = make([]Verdict, last+1)
		r.eachJudged(side, row, func(id ID, v Verdict) {
			if j.dense[id].Kind == "" {
				j.dense[id] = v
			}
		})
		return j
	}
	j.rest = make(map[ID]Verdict, n)
	r.eachJudged(side, row, func(id ID, v Verdict) {
		if _, known := j.rest[id]; !known {
			j.rest[id] = v
		}
	})
	return j
}

func (r *Report) eachJudged(side Side, row int, visit func(ID, Verdict)) {
	for i := range r.Marks {
		m := &r.Marks[i]
		if row >= 0 && m.Image != row || !slices.Contains(judging, m.Kind) {
			continue
		}
		id, partner := m.Pred, m.Truth
		if side == TruthSide {
			id, partner = partner, id
		}
		if id != 0 {
			visit(id, Verdict{m.Kind, partner})
		}
	}
}

// Of is the verdict on an object; the zero Verdict where there is none.
func (j Judged) Of(id ID) Verdict {
	if id > 0 && id < ID(len(j.dense)) {
		return j.dense[id]
	}
	return j.rest[id]
}
