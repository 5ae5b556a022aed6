package signal

import (
	"context"
	"math"
	"path/filepath"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster"
	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

const speedUnit = "µm/h"

// The width of a distance band by the task's method, in micrometres, and the limits of its colour scale.
const (
	bandWidth  = 15
	usualSpeed = 30
)

// KymographsExhibit reads the files of one experiment of a report of Kymographs again: the velocity fields of both sides over the
// input's pixels, the pair of speed kymographs (rows: distance from the wound's edge, columns: time) with the column where the
// truth ends, mean speed over distance and over time, and how the flow at the edge points. The whole run (row -1) has the kymographs of all experiments. The
// error is for a cancelled context.
func KymographsExhibit(ctx context.Context, task *biabench.Task, run *biabench.Run, rep *report.Report, row int) (*report.Exhibit, error) {
	return call.Show(ctx, task, run, rep, row, showKymographs)
}

func showKymographs(s *call.Showing) error {
	truth, answer := indexFiles(filesBelow(s.Task.Truth, matches("*.tif*"))), indexed{}
	for _, part := range []struct{ id, kind string }{{"speed_kymograph", kymographKind}, {"velocity_x", xKind}, {"velocity_y", yKind}} {
		answer[part.kind] = indexFiles(s.Answers(part.id))[part.kind]
	}
	image, one := s.Image()
	if !one {
		for _, key := range truth.experiments(kymographKind) {
			showExperiment(s, experimentFiles{key, truth, answer, gridOfInput(s.Ctx, s.Task, key)}, false)
		}
		return nil
	}
	key := image.Name
	if image.Truth != "" { // of an answer without any kymograph, rows are named after the truth's files
		if k, kind, ok := fileKey(image.Truth); ok && kind == kymographKind {
			key = k
		}
	}
	e := experimentFiles{key, truth, answer, gridOfInput(s.Ctx, s.Task, key)}
	showExperiment(s, e, true)
	showFlow(s, e, report.AnswerSide, answer)
	showFlow(s, e, report.TruthSide, truth)
	showDirections(s, e)
	return nil
}

// experimentFiles are what is there of one experiment.
type experimentFiles struct {
	key           string
	truth, answer indexed
	input         inputGrid
}

// inputGrid is what the input's movie says of its pixels and its times.
type inputGrid struct {
	y, x  int     // pixels, 0: unknown
	pixel float64 // micrometres, 0: unknown
	frame float64 // minutes, 0: unknown
}

// gridOfInput reads the header of the movie of an experiment, else of its mask.
func gridOfInput(ctx context.Context, task *biabench.Task, key string) (g inputGrid) {
	folder := filepath.Join(task.Dir, biabench.InputFolder)
	for _, ending := range []string{"_image_stack", "_" + maskKind} {
		files := filesBelow(folder, func(name string) bool { return lower(stemOf(name)) == key+ending })
		for _, file := range files {
			shape, calibration := headerOf(ctx, file)
			if n := len(shape); n >= 2 {
				return inputGrid{shape[n-2], shape[n-1], calibration.X, calibration.T / 60}
			}
		}
	}
	return g
}

// headerOf is the shape of a file's first series without axes of length 1; nil if it cannot be read.
func headerOf(ctx context.Context, file string) (shape []int, c raster.Calibration) {
	f, err := raster.Open(ctx, file)
	if err != nil {
		return nil, c
	}
	defer f.Close()
	if len(f.Series) == 0 {
		return nil, c
	}
	for _, n := range f.Series[0].Shape {
		if n != 1 {
			shape = append(shape, n)
		}
	}
	return shape, f.Calibration
}

// showExperiment shows the pair of kymographs, and the means along both axes.
func showExperiment(s *call.Showing, e experimentFiles, withMeans bool) {
	fields := [2]field{loadField(s.Ctx, e.answer[kymographKind][e.key]), loadField(s.Ctx, e.truth[kymographKind][e.key])}
	files := [2]string{}
	for _, side := range call.Sides {
		switch f := &fields[side]; {
		case f.file == "" && side == report.AnswerSide:
			s.Remark("", "The answer has no speed kymograph of "+e.key)
		case f.file == "":
			s.Remark("", "The truth has no speed kymograph of "+e.key)
		case f.err != nil:
			s.Unread(side, f.file, f.err)
		case !f.plane():
			s.Remark(f.name(), "The speed kymograph of "+e.key+" is no plane, its shape is "+call.Shape(f.shape))
		default:
			files[side] = f.file
		}
	}
	if files[0] == "" && files[1] == "" {
		return
	}
	axes := e.axes()
	pair := axes
	pair.Name, pair.Answer, pair.Truth = "speed kymograph", files[report.AnswerSide], files[report.TruthSide]
	if !withMeans {
		pair.Name += " " + e.key
	}
	if t := fields[report.TruthSide]; files[report.TruthSide] != "" && usual(t) {
		pair.Hi = usualSpeed
	}
	if a, t := fields[report.AnswerSide], fields[report.TruthSide]; files[0] != "" && files[1] != "" && a.shape[1] != t.shape[1] {
		name, side := "the truth ends here", report.TruthSide
		if a.shape[1] < t.shape[1] {
			name, side = "the answer ends here", report.AnswerSide
		}
		pair.Places = []report.Place{{Name: name, Side: side, X: float64(min(a.shape[1], t.shape[1])) * axes.XStep}}
	}
	s.Out.Pairs = append(s.Out.Pairs, pair)
	if withMeans {
		s.Out.Graphs = append(s.Out.Graphs, speedGraphs(fields, files, axes)...)
	}
}

// axes say how far apart the rows and columns of a kymograph are, as far as the input tells.
func (e experimentFiles) axes() report.Pair {
	p := report.Pair{Unit: speedUnit, YName: "distance band from the wound's edge", XName: "frame", YStep: 1, XStep: 1}
	if px := e.input.pixel; px > 0 {
		p.YName, p.YStep = "distance from the wound's edge (µm)", math.Ceil(bandWidth/px)*px
	}
	if e.input.frame > 0 {
		p.XName, p.XStep = "time (min)", e.input.frame
	}
	return p
}

// usual tells a kymograph for which the task's own limits of colour serve.
func usual(f field) bool {
	most := 0.0
	for _, v := range f.values {
		if finite(v) {
			most = max(most, v)
		}
	}
	return most > usualSpeed/4 && most < 3*usualSpeed
}

// speedGraphs are the mean speeds of the bands over all times, and of the times over all bands; NaN values are left out.
func speedGraphs(fields [2]field, files [2]string, axes report.Pair) []report.Graph {
	distance := report.Graph{Name: "speed by distance", Title: "Mean speed by distance from the wound's edge", XName: axes.YName, YName: "mean speed (" + speedUnit + ")"}
	time := report.Graph{Name: "speed by time", Title: "Mean speed over time", XName: axes.XName, YName: distance.YName, FrameStep: axes.XStep}
	columns := math.MaxInt // that both have: means over distance speak of the same times
	for _, side := range call.Sides {
		if files[side] != "" {
			columns = min(columns, fields[side].shape[1])
		}
	}
	for _, side := range call.Sides {
		if files[side] == "" {
			continue
		}
		f := fields[side]
		byBand, byTime := report.Curve{Name: sideName(side), Side: side}, report.Curve{Name: sideName(side), Side: side}
		for y := range f.shape[0] {
			byBand.X = append(byBand.X, (float64(y)+0.5)*axes.YStep)
			byBand.Y = append(byBand.Y, finiteMean(columns, func(x int) float64 { return f.at(y, x) }))
		}
		for x := range f.shape[1] {
			byTime.X = append(byTime.X, float64(x)*axes.XStep)
			byTime.Y = append(byTime.Y, finiteMean(f.shape[0], func(y int) float64 { return f.at(y, x) }))
		}
		distance.Curves, time.Curves = append(distance.Curves, byBand), append(time.Curves, byTime)
	}
	return []report.Graph{distance, time}
}

// finiteMean is the mean of n values without those that are not finite; NaN for none.
func finiteMean(n int, value func(i int) float64) float64 {
	sum, count := 0.0, 0
	for i := range n {
		if v := value(i); finite(v) {
			sum, count = sum+v, count+1
		}
	}
	return sum / float64(count)
}
