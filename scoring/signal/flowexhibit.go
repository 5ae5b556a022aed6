package signal

import (
	"math"
	"path/filepath"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// showFlow shows the velocity field of one side, which belongs to the first pair of frames.
func showFlow(s *call.Showing, e experimentFiles, side report.Side, files indexed) {
	out := report.Field{Side: side, DX: files[xKind][e.key], DY: files[yKind][e.key], Unit: speedUnit, Name: "velocity", StepY: 1, StepX: 1}
	var shapes [2][]int
	for i, file := range []string{out.DY, out.DX} {
		what := partNames[1-i] // dy is velocity y
		if file == "" {
			s.Remark("", "The "+sideName(side)+" has no "+what+" of "+e.key)
			return
		}
		if shapes[i], _ = headerOf(s.Ctx, file); len(shapes[i]) != 2 {
			s.Remark(filepath.Base(file), "The "+what+" of "+e.key+" cannot be shown: it is no plane")
			return
		}
	}
	if shapes[0][0] != shapes[1][0] || shapes[0][1] != shapes[1][1] {
		s.Remark(filepath.Base(out.DX), "The velocities of "+e.key+" cannot be shown: velocity x is "+call.Shape(shapes[1])+", velocity y "+call.Shape(shapes[0]))
		return
	}
	if e.input.y > 0 && e.input.x > 0 {
		out.StepY, out.StepX = gridStep(e.input.y, shapes[0][0]), gridStep(e.input.x, shapes[0][1])
	}
	s.Out.Fields = append(s.Out.Fields, out)
}

// gridStep is how many pixels of an input's axis an element of a field stands for: 1 for fields cropped or padded by a few.
func gridStep(input, elements int) float64 {
	step := float64(input) / float64(elements)
	if math.Abs(step-1) < 0.05 {
		return 1
	}
	return step
}

// bins is how many classes the cosines from -1 to 1 are counted in.
const bins = 40

// showDirections draws how often the flow of each side points which way at the edge of the wound, as the score averages it: 1 is
// straight toward the gap, -1 straight away. There is nothing to draw without a mask of the cell sheet.
func showDirections(s *call.Showing, e experimentFiles) {
	masks := indexFiles(filesBelow(filepath.Join(s.Task.Dir, biabench.InputFolder), matches("*_roi.tif*")))
	mask := loadMask(s.Ctx, masks[maskKind][e.key])
	if !mask.plane() {
		return
	}
	g := report.Graph{Name: "direction", Title: "Direction of the flow at the wound's edge", XName: "cosine of velocity and the way to the gap", YName: "share of the pixels"}
	for side, files := range [2]indexed{report.AnswerSide: e.answer, report.TruthSide: e.truth} {
		vx, vy := loadField(s.Ctx, files[xKind][e.key]), loadField(s.Ctx, files[yKind][e.key])
		if !vx.plane() || !vy.plane() {
			continue
		}
		r, ok := regionOf(mask, min(mask.shape[0], vx.shape[0], vy.shape[0]), min(mask.shape[1], vx.shape[1], vy.shape[1]))
		if !ok {
			continue
		}
		if cosines := r.cosines(vx, vy); len(cosines) > 0 {
			g.Curves = append(g.Curves, shares(cosines, report.Side(side)))
		}
	}
	if len(g.Curves) > 0 {
		s.Out.Graphs = append(s.Out.Graphs, g)
	}
}

// shares is a histogram of cosines, at the middles of its classes.
func shares(cosines []float64, side report.Side) report.Curve {
	c := report.Curve{Name: sideName(side), Side: side, X: make([]float64, bins), Y: make([]float64, bins)}
	for i := range c.X {
		c.X[i] = -1 + (float64(i)+0.5)*2/bins
	}
	for _, v := range cosines {
		c.Y[max(0, min(bins-1, int(math.Floor((v+1)/2*bins))))] += 1 / float64(len(cosines))
	}
	return c
}
