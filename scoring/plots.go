package scoring

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"coverslip/scoring/report"
)

// Plots are the graphs and groups of values that follow from a report alone, for any task: how the rows compare, what took how much
// from the score, how many objects there are, how well the matched ones fit. No file is read.
func Plots(rep *Report) *report.Exhibit {
	x := &report.Exhibit{}
	if rep == nil {
		return x
	}
	for _, g := range []report.Groups{scoresByRow(rep), lossByKind(rep), overlaps(rep), distances(rep), foundByRow(rep)} {
		if len(g.Groups) > 0 {
			x.Groups = append(x.Groups, g)
		}
	}
	x.Groups = append(x.Groups, partsByRow(rep)...)
	for _, g := range []report.Graph{countsByRow(rep), pixelsByRow(rep), precisions(rep), scoresOverFrames(rep)} {
		if len(g.Curves) > 0 {
			x.Graphs = append(x.Graphs, g)
		}
	}
	x.Graphs = append(x.Graphs, measuresByRow(rep)...)
	return x
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// byCompartment gathers a value of each row, of rows of a compartment together; ok is false for rows that have none.
func byCompartment(rep *Report, value func(row int, m Image) (v float64, ok bool)) (groups []report.Group) {
	at := map[string]int{}
	for row, m := range rep.Images {
		v, ok := value(row, m)
		if !ok || !finite(v) {
			continue
		}
		k, known := at[m.Compartment]
		if !known {
			k = len(groups)
			at[m.Compartment] = k
			groups = append(groups, report.Group{Name: cmp.Or(m.Compartment, "all")})
		}
		groups[k].Values, groups[k].Rows = append(groups[k].Values, v), append(groups[k].Rows, row)
	}
	return groups
}

// scoresByRow are the values of the rows, from the lowest to the highest.
func scoresByRow(rep *Report) report.Groups {
	g := report.Groups{Name: "rows", Value: cmp.Or(rep.Primary, "score")}
	if len(rep.Images) < 2 {
		return g
	}
	g.Groups = byCompartment(rep, func(_ int, m Image) (float64, bool) { return m.Value, true })
	for i := range g.Groups {
		one := &g.Groups[i]
		slices.SortStableFunc(one.Rows, func(a, b int) int { return cmp.Compare(rep.Images[a].Value, rep.Images[b].Value) })
		slices.Sort(one.Values)
	}
	return g
}

// lossByKind is what each kind of error took from the full score, the most first; what fixing one would gain does not add up.
func lossByKind(rep *Report) report.Groups {
	g := report.Groups{Name: "lost", Value: "lost from the full score"}
	if rep.Gains {
		return g
	}
	sums := map[Kind]float64{}
	for _, m := range rep.Marks {
		if !m.Diagnostic {
			sums[m.Kind] += m.Cost
		}
	}
	for kind, v := range sums {
		if v > 1e-12 && finite(v) {
			g.Groups = append(g.Groups, report.Group{Name: string(kind), Values: []float64{v}})
		}
	}
	slices.SortFunc(g.Groups, func(a, b report.Group) int {
		return cmp.Or(cmp.Compare(b.Values[0], a.Values[0]), strings.Compare(a.Name, b.Name))
	})
	return g
}

// overlaps are the IoUs of the matched objects.
func overlaps(rep *Report) report.Groups {
	g := report.Groups{Name: "overlap", Value: "IoU of a matched object"}
	eachMatched(rep, func(m *Mark) (float64, bool) { return m.IoU, m.IoU > 0 }, &g)
	return g
}

// distances are how far the matched points lie from their truth, where the marks tell.
func distances(rep *Report) report.Groups {
	g := report.Groups{Name: "distance", Value: "distance of a matched point (pixels)"}
	if rep.TaskID == "fluo-cell-counting-2d-cellfmcount" {
		eachMatched(rep, func(m *Mark) (float64, bool) { return m.Found, m.Kind == report.TP }, &g)
	}
	return g
}

// eachMatched gathers a value of the marks on matched objects by compartment.
func eachMatched(rep *Report, value func(m *Mark) (float64, bool), g *report.Groups) {
	at := map[string]int{}
	for i := range rep.Marks {
		m := &rep.Marks[i]
		if m.Pred == 0 || m.Truth == 0 || m.Kind != report.TP && m.Kind != report.Weak {
			continue
		}
		v, ok := value(m)
		if !ok || !finite(v) {
			continue
		}
		name := cmp.Or(rep.ImageOf(*m).Compartment, "all")
		k, known := at[name]
		if !known {
			k = len(g.Groups)
			at[name] = k
			g.Groups = append(g.Groups, report.Group{Name: name, Side: report.TruthSide})
		}
		one := &g.Groups[k]
		one.Values, one.IDs, one.Rows = append(one.Values, v), append(one.IDs, m.Truth), append(one.Rows, m.Image)
	}
}

// foundByRow is the share of the truth's objects that have a partner, in each row.
func foundByRow(rep *Report) report.Groups {
	g := report.Groups{Name: "found", Value: "share of the truth's objects that were found"}
	if len(rep.Images) < 2 {
		return g
	}
	found := make([]int, len(rep.Images))
	any := false
	for i := range rep.Marks {
		m := &rep.Marks[i]
		if m.Truth != 0 && m.Pred != 0 && m.Image < len(found) && slices.Contains(pairKinds, m.Kind) {
			found[m.Image]++
			any = true
		}
	}
	if !any {
		return g
	}
	g.Groups = byCompartment(rep, func(row int, m Image) (float64, bool) { return float64(found[row]) / float64(m.NTruth), m.NTruth > 0 })
	return g
}

// pairKinds are the kinds of marks on an object of each side that belong together.
var pairKinds = []Kind{report.TP, report.Weak, report.WrongClass, report.CountError}

// scatter holds two values of each row against each other.
func scatter(rep *Report, g report.Graph, value func(m Image) (x, y float64, ok bool)) report.Graph {
	at := map[string]int{}
	for row, m := range rep.Images {
		x, y, ok := value(m)
		if !ok || !finite(x) || !finite(y) {
			continue
		}
		k, known := at[m.Compartment]
		if !known {
			k = len(g.Curves)
			at[m.Compartment] = k
			g.Curves = append(g.Curves, report.Curve{Name: cmp.Or(m.Compartment, "all"), Loose: true})
		}
		c := &g.Curves[k]
		c.X, c.Y, c.Rows = append(c.X, x), append(c.Y, y), append(c.Rows, row)
	}
	return g
}

// countsByRow holds the numbers of objects against each other.
func countsByRow(rep *Report) report.Graph {
	g := report.Graph{Name: "counts", Title: "Number of objects", XName: "in the truth", YName: "in the answer", Equal: true}
	if len(rep.Images) < 2 || rep.TaskID == "5D-npc-assembly-kinetics-idr0115" || // which counts the points of curves
		!slices.ContainsFunc(rep.Images, func(m Image) bool { return m.NTruth > 0 }) {
		return g
	}
	return scatter(rep, g, func(m Image) (float64, float64, bool) { return float64(m.NTruth), float64(m.NPred), true })
}

// pixelsByRow holds the sizes of the foreground against each other.
func pixelsByRow(rep *Report) report.Graph {
	g := report.Graph{Name: "foreground", Title: "Size of the foreground", XName: "pixels in the truth", YName: "pixels in the answer", Equal: true}
	return scatter(rep, g, func(m Image) (float64, float64, bool) {
		return float64(m.TruthPixels), float64(m.PredPixels), m.Status == report.Scored && m.TruthPixels+m.PredPixels > 0
	})
}

// instanceTasks are those whose rows have instances with an average precision.
var instanceTasks = []string{"he-nuinsseg-nuclear-segmentation", "3d-fluo-cell-segmentation-lateral-line-idr0079", "fluo-helacytonuc-cell-segmentation"}

// precisions is the average precision over the IoU that a match must reach, from 0.5 up, where a match is unique: the mean over the
// rows of matches / (matches + missed + extra), as the report's own figures at 0.5 and 0.75.
func precisions(rep *Report) report.Graph {
	g := report.Graph{Name: "average precision", Title: "Average precision", XName: "IoU that a match must reach", YName: "average precision"}
	if !slices.Contains(instanceTasks, rep.TaskID) {
		return g
	}
	const steps = 50
	matched := make([][steps + 1]int, len(rep.Images))
	for i := range rep.Marks {
		m := &rep.Marks[i]
		if m.Pred != 0 && m.Truth != 0 && (m.Kind == report.TP || m.Kind == report.Weak) && m.Image < len(matched) {
			for k := 0; k <= steps && m.IoU >= threshold(k); k++ {
				matched[m.Image][k]++
			}
		}
	}
	at, rows := map[string]int{}, map[string]int{}
	for i, m := range rep.Images {
		if math.IsNaN(m.Scores.AP50) {
			continue
		}
		k, known := at[m.Compartment]
		if !known {
			k = len(g.Curves)
			at[m.Compartment] = k
			c := report.Curve{Name: cmp.Or(m.Compartment, "all"), Y: make([]float64, steps+1)}
			for s := range steps + 1 {
				c.X = append(c.X, threshold(s))
			}
			g.Curves = append(g.Curves, c)
		}
		rows[m.Compartment]++
		if m.Status != report.Scored {
			continue
		}
		for s := range steps + 1 {
			if tp := matched[i][s]; m.NPred+m.NTruth > 0 {
				g.Curves[k].Y[s] += float64(tp) / float64(m.NPred+m.NTruth-tp)
			} else {
				g.Curves[k].Y[s] += m.Scores.AP50
			}
		}
	}
	for compartment, k := range at {
		for s := range g.Curves[k].Y {
			g.Curves[k].Y[s] /= float64(rows[compartment])
		}
	}
	return g
}

// threshold is the IoU of a step, from 0.5 to 1 by hundredths.
func threshold(step int) float64 { return float64(50+step) / 100 }

// scoresOverFrames are the values of rows that are frames.
func scoresOverFrames(rep *Report) report.Graph {
	g := report.Graph{Name: "score by frame", Title: "Cells found by frame", XName: "frame", YName: "F1", FrameStep: 1}
	c := report.Curve{Name: "F1"}
	for row, m := range rep.Images {
		var frame float64
		if n, err := fmt.Sscanf(m.Name, "frame %g", &frame); n != 1 || err != nil {
			return g
		}
		c.X, c.Y, c.Rows = append(c.X, frame), append(c.Y, m.Value), append(c.Rows, row)
	}
	if len(c.X) > 0 {
		g.Curves = []report.Curve{c}
	}
	return g
}
