package compare

import (
	"strconv"
	"strings"

	"coverslip/scoring/report"
)

// Aspect is the kind of thing that is compared.
type Aspect uint8

const (
	Object   Aspect = iota // cell, nucleus, point, localisation
	Region                 // a piece of a mask: missed by the answer, or extra
	Value                  // what a key names: a count, a curve, a channel, a condition, a comparison
	Link                   // from one frame to the next
	Division               // of a mother into daughters
	Parent                 // whose daughter a track is
	Identity               // which track of the truth an answer's track follows
	Split                  // one object of the truth under several of the answer
	Merge                  // one object of the answer over several of the truth
	Loose                  // foreground that belongs to no object
	Remark                 // what no official score knows: a row left out, a well twice, an unknown condition
	Whole                  // an image or other row that one of the runs was judged on as a whole
	Run                    // rows that the two reports do not share, all together
)

var aspectNames = [...]string{"object", "region", "value", "link", "division", "parent", "identity", "split", "merge", "loose pixels", "remark", "whole row", "whole run"}

// String is the aspect's name.
func (a Aspect) String() string { return aspectNames[a] }

// MarshalText writes the aspect's name.
func (a Aspect) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// subject is what a mark is about, by a name that all runs of a task share.
type subject struct {
	row         int32
	key         int32 // place in the index's list of keys
	turn        int32 // which of several of one name
	aspect      Aspect
	frame       int64
	truth, from report.ID
}

// way says how a mark is compared.
type way uint8

const (
	aside   way = iota // not at all
	byName             // with the mark of the same subject
	byPlace            // with the nearest of its like
)

// subjectOf names what a mark is about; the row is left to the caller.
func (x *index) subjectOf(m *report.Mark) (subject, way) {
	s := subject{frame: int64(m.T), truth: m.Truth}
	if m.Key != "" {
		return x.keyed(m)
	}
	switch m.Kind {
	case report.FP, report.Duplicate, report.OutOfRange:
		s.aspect = Object
		return s, byPlace
	case report.MissedPixels, report.ExtraPixels:
		s.aspect = Region
		return s, byPlace
	case report.SpuriousLink:
		s.aspect = Link
		return s, byPlace
	case report.FalseDivide:
		s.aspect = Division
		return s, byPlace
	case report.Merge: // the answer's ids differ from run to run, those of the truth below it do not
		s.aspect, s.key = Merge, x.key(joined(m.Others))
		return s, byName
	case report.LooseTruth, report.LooseAnswer:
		s.aspect, s.key = Loose, x.key(string(m.Kind))
		return s, byName
	case report.Whole:
		s.aspect = Whole
		return s, byName
	}
	if m.Truth == 0 {
		return subject{aspect: Remark, key: x.key(string(m.Kind))}, byName
	}
	s.aspect = aspectOf(m)
	if s.aspect == Link || s.aspect == Identity {
		s.from = first(m.Others)
	}
	return s, byName
}

// keyed names what a key stands for. Its frame plays no part: a key is unique in its row. A diagnostic mark with a place is one of
// a list of the worst cells, which says nothing on the cells that are not in it.
func (x *index) keyed(m *report.Mark) (subject, way) {
	switch {
	case !m.Diagnostic:
		return subject{aspect: Value, key: x.key(m.Key)}, byName
	case m.Kind == report.ValueError && m.Box != (report.Box{}):
		return subject{}, aside
	}
	return subject{aspect: Remark, key: x.key(string(m.Kind) + ": " + m.Key)}, byName
}

func aspectOf(m *report.Mark) Aspect {
	switch m.Kind {
	case report.MissedLink:
		return Link
	case report.WrongClass:
		if len(m.Others) > 0 { // a link of the wrong kind
			return Link
		}
	case report.MissedDivide:
		return Division
	case report.WrongParent:
		return Parent
	case report.IDSwitch:
		return Identity
	case report.Split:
		return Split
	}
	return Object
}

func first(ids []report.ID) report.ID {
	if len(ids) > 0 {
		return ids[0]
	}
	return 0
}

func joined(ids []report.ID) string {
	var b strings.Builder
	for i, id := range ids {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.FormatInt(id, 10))
	}
	return b.String()
}

// stateOf reads a mark of the truth's things.
func stateOf(m *report.Mark) State {
	switch m.Kind {
	case report.TP, report.Weak:
		return Found
	case report.FN, report.MissingValue, report.Unmatched, report.Unparsed, report.MissedLink, report.MissedDivide, report.MissedPixels, report.Whole:
		if m.Diagnostic && m.Key != "" {
			return Wrong
		}
		return Missed
	}
	return Wrong
}

// invents tells a mark of what only the answer has.
func invents(m *report.Mark) bool {
	switch m.Kind {
	case report.FP, report.Duplicate, report.OutOfRange, report.ExtraPixels, report.SpuriousLink, report.FalseDivide:
		return true
	}
	return false
}

// cost is what a mark costs officially.
func cost(m *report.Mark) float64 {
	if m.Diagnostic {
		return 0
	}
	return m.Cost
}
