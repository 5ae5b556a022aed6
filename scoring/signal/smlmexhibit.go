package signal

import (
	"context"
	"math"
	"slices"
	"sync"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// LocalisationsExhibit reads both lists of a report of Localisations again: points by frame with their intensities, ids and
// verdicts as in the marks, and the graphs that tell of systematic errors. Whole numbers of x and y are centres of pixels, as
// fits of spots give them; the frames count from 0. The error is for a cancelled context.
func LocalisationsExhibit(ctx context.Context, task *biabench.Task, run *biabench.Run, rep *report.Report, row int) (*report.Exhibit, error) {
	return call.Show(ctx, task, run, rep, row, showLocalisations)
}

func showLocalisations(s *call.Showing) error {
	radius, err := config{s.Task.Rubric.Metric}.float("distance_threshold_px", 1)
	if err != nil || !finite(radius) {
		radius = 1
	}
	files := [2]string{report.AnswerSide: s.Answer("localization_list")}
	if truths := (&scorer{Call: s.Call}).localisationTruths(); len(truths) > 0 {
		files[report.TruthSide] = truths[0]
	} else {
		s.Remark("", "The truth has no localisation list")
	}
	var sets [2]report.PointSet
	var lost [2]int
	var errs [2]error
	var wg sync.WaitGroup
	for _, side := range call.Sides {
		if files[side] == "" {
			continue
		}
		wg.Go(func() {
			var l list
			if l, errs[side] = readList(files[side]); errs[side] == nil {
				sets[side], lost[side] = localisationPoints(l, side, s.Of.Judged(side, s.Row))
				sets[side].Radius = radius
			}
		})
	}
	wg.Wait()
	for _, side := range call.Sides {
		switch {
		case files[side] == "":
		case errs[side] != nil:
			s.Unread(side, files[side], errs[side])
		default:
			s.Undrawn(side, files[side], lost[side])
			if side == report.AnswerSide && len(sets[side].Points) == 0 {
				s.Remark(s.Shown(files[side]), "No line of the list is a localisation")
			}
			s.Out.Points = append(s.Out.Points, sets[side])
		}
	}
	s.Out.Graphs = append(s.Out.Graphs, perFrame("localisations", "Localisations per frame", s.Out.Points))
	if g := offsets(sets); len(g.Curves) > 0 {
		s.Out.Graphs = append(s.Out.Graphs, g, intensities(sets))
	}
	return nil
}

// localisationPoints are the rows of a list with the verdicts on them; lost are those without a place.
func localisationPoints(l list, side report.Side, judged report.Judged) (set report.PointSet, lost int) {
	set = report.PointSet{Side: side, Value: "intensity", Points: make([]report.Point, 0, len(l.rows))}
	for i := range l.rows {
		r := &l.rows[i]
		if !finite(r.X) || !finite(r.Y) {
			lost++
			continue
		}
		v := judged.Of(report.ID(r.Line))
		p := report.Point{ID: report.ID(r.Line), Partner: v.Partner, T: frameIndex(r.Frame), Y: r.Y, X: r.X, Class: -1, Value: r.Intensity, Verdict: v.Kind}
		if !finite(p.Value) {
			p.Value = math.NaN()
		}
		set.Points = append(set.Points, p)
	}
	return set, lost
}

// longestMovie is up to how many frames a count of 0 is drawn for frames that hold nothing.
const longestMovie = 1 << 20

// perFrame counts the points of each side over the frames.
func perFrame(name, title string, sets []report.PointSet) report.Graph {
	g := report.Graph{Name: name, Title: title, XName: "frame", YName: "number", FrameStep: 1}
	first, last := math.MaxInt, math.MinInt
	for _, set := range sets {
		for i := range set.Points {
			first, last = min(first, set.Points[i].T), max(last, set.Points[i].T)
		}
	}
	for _, set := range sets {
		counts := map[int]int{}
		for i := range set.Points {
			counts[set.Points[i].T]++
		}
		var frames []int
		if last-first < longestMovie && first <= last {
			for t := first; t <= last; t++ {
				frames = append(frames, t)
			}
		} else {
			for t := range counts {
				frames = append(frames, t)
			}
			slices.Sort(frames)
		}
		c := report.Curve{Name: sideName(set.Side), Side: set.Side}
		for _, t := range frames {
			c.X, c.Y = append(c.X, float64(t)), append(c.Y, float64(counts[t]))
		}
		g.Curves = append(g.Curves, c)
	}
	return g
}

func sideName(side report.Side) string {
	if side == report.TruthSide {
		return "truth"
	}
	return "answer"
}

// offsets shows where each matched answer lies as seen from its truth: a constant shift betrays another convention of pixels.
func offsets(sets [2]report.PointSet) report.Graph {
	g := report.Graph{Name: "offset", Title: "Answer seen from its truth", XName: "x of the answer - x of the truth (pixels)",
		YName: "y of the answer - y of the truth (pixels)"}
	c := report.Curve{Name: "matched", Loose: true}
	var dx, dy []float64
	eachPair(sets, func(a, t *report.Point) {
		c.X, c.Y, c.IDs = append(c.X, a.X-t.X), append(c.Y, a.Y-t.Y), append(c.IDs, a.ID)
	})
	if len(c.X) == 0 {
		return g
	}
	dx, dy = slices.Clone(c.X), slices.Clone(c.Y)
	slices.Sort(dx)
	slices.Sort(dy)
	middle := report.Curve{Name: "median", Loose: true, X: []float64{dx[len(dx)/2]}, Y: []float64{dy[len(dy)/2]}}
	g.Curves = []report.Curve{c, middle}
	return g
}

// intensities holds the intensities of the matched against each other.
func intensities(sets [2]report.PointSet) report.Graph {
	c := report.Curve{Name: "matched", Loose: true}
	eachPair(sets, func(a, t *report.Point) {
		c.X, c.Y, c.IDs = append(c.X, t.Value), append(c.Y, a.Value), append(c.IDs, a.ID)
	})
	return report.Graph{Name: "intensity", Title: "Intensities of the matched", XName: "intensity in the truth", YName: "intensity in the answer",
		Curves: []report.Curve{c}}
}

// eachPair calls visit with each answer that is matched and its truth. Ids are lines of the files, by rising number.
func eachPair(sets [2]report.PointSet, visit func(answer, truth *report.Point)) {
	truths := sets[report.TruthSide].Points
	if len(truths) == 0 {
		return
	}
	place := make([]int32, truths[len(truths)-1].ID+1)
	for i := range truths {
		place[truths[i].ID] = int32(i) + 1
	}
	for i := range sets[report.AnswerSide].Points {
		a := &sets[report.AnswerSide].Points[i]
		if a.Verdict == report.TP && a.Partner > 0 && int(a.Partner) < len(place) && place[a.Partner] > 0 {
			visit(a, &truths[place[a.Partner]-1])
		}
	}
}
