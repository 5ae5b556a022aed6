package track_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"coverslip/scoring/call/calltest"
	"coverslip/scoring/report"
	"coverslip/scoring/track"
)

const taskID = "phase-contrast-bacteria-tracking-toiam"

// expectedObjects is what the reference found (spec/scorers-segmentation-tracking.md 8).
type expectedObjects struct {
	Frames []struct {
		Frame   int
		Matched [][3]float64
		FN      []int64 `json:"false_negatives"`
		FP      []int64 `json:"false_positives"`
	}
	Edges struct {
		Missing, Spurious [][5]any
		WrongType         [][6]any `json:"wrong_type"`
	}
	Divisions struct {
		Found, Missed, Spurious [][3]any
	}
}

func TestGolden(t *testing.T) {
	for _, c := range calltest.Cases(t, taskID, "hela-tracking-*") {
		t.Run(c.Name, func(t *testing.T) {
			r := calltest.Run(t, track.Tracking, c.Task, c.Pred)
			calltest.Check(t, c, r)
			if !r.Result.None {
				calltest.CheckCosts(t, r, scoreFromMarks(r))
			}
			if len(c.Objects) > 0 {
				var want expectedObjects
				if err := json.Unmarshal(c.Objects, &want); err != nil {
					t.Fatal(err)
				}
				checkObjects(t, r, want)
			}
		})
	}
}

// scoreFromMarks recomputes the score from the official marks and the number of the truth's links.
func scoreFromMarks(r *report.Report) float64 {
	var iou, nodes, aogm float64
	for _, m := range r.Marks {
		if m.Diagnostic {
			continue
		}
		switch m.Kind {
		case report.TP, report.Weak:
			iou, nodes = iou+m.IoU, nodes+1
		case report.FN:
			nodes, aogm = nodes+1, aogm+10
		case report.FP, report.SpuriousLink, report.WrongClass:
			aogm++
		case report.MissedLink:
			aogm += 1.5
		}
	}
	links, _ := r.Metrics.Number("gt_edges")
	if nodes == 0 {
		return 0
	}
	most := 10*nodes + 1.5*links
	return 0.5*iou/nodes + 0.5*(1-min(aogm, most)/most)
}

func checkObjects(t *testing.T, r *report.Report, want expectedObjects) {
	t.Helper()
	for _, f := range want.Frames {
		var matched [][3]float64
		var fn, fp []int64
		for _, m := range r.Marks {
			if m.T != f.Frame || m.Diagnostic {
				continue
			}
			switch m.Kind {
			case report.TP, report.Weak:
				matched = append(matched, [3]float64{float64(m.Pred), float64(m.Truth), m.IoU})
			case report.FN:
				fn = append(fn, m.Truth)
			case report.FP:
				fp = append(fp, m.Pred)
			}
		}
		if fmt.Sprint(matched) != fmt.Sprint(f.Matched) || !slices.Equal(fn, f.FN) || !slices.Equal(fp, f.FP) {
			t.Errorf("frame %d: %v, missed %v, extra %v, want %v, %v, %v", f.Frame, matched, fn, fp, f.Matched, f.FN, f.FP)
		}
	}
	ends := func(kind report.Kind) (list []string) {
		for _, m := range r.Marks {
			if m.Kind == kind && !m.Diagnostic {
				list = append(list, fmt.Sprint(m.Others[0], m.T, cmp.Or(m.Truth, m.Pred)))
			}
		}
		slices.Sort(list)
		return list
	}
	wanted := func(edges [][5]any) (list []string) {
		for _, e := range edges {
			list = append(list, fmt.Sprint(e[1], e[2], e[3]))
		}
		slices.Sort(list)
		return list
	}
	var wrong [][5]any
	for _, e := range want.Edges.WrongType {
		wrong = append(wrong, [5]any(e[:5]))
	}
	for kind, edges := range map[report.Kind][][5]any{report.MissedLink: want.Edges.Missing, report.SpuriousLink: want.Edges.Spurious, report.WrongClass: wrong} {
		if got, want := ends(kind), wanted(edges); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", kind, got, want)
		}
	}
	divisions := func(kind report.Kind) (list []string) {
		for _, m := range r.Marks {
			if m.Kind == kind {
				list = append(list, fmt.Sprint(m.T, m.Truth+m.Pred))
			}
		}
		slices.Sort(list)
		return list
	}
	for kind, list := range map[report.Kind][][3]any{report.MissedDivide: want.Divisions.Missed, report.FalseDivide: want.Divisions.Spurious} {
		var texts []string
		for _, d := range list {
			texts = append(texts, fmt.Sprint(d[0], d[1]))
		}
		slices.Sort(texts)
		if got := divisions(kind); !reflect.DeepEqual(got, texts) {
			t.Errorf("%s: %v, want %v", kind, got, texts)
		}
	}
}
