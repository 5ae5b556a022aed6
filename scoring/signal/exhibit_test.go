package signal

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster"
	"coverslip/scoring/call/calltest"
	"coverslip/scoring/report"
)

// Goal: 200,000 localisations in 100 frames within 0.5 s.
func BenchmarkLocalisationsExhibit(b *testing.B) {
	pred, truth := randomLists(100, 2000)
	task := localisationTask(b, listText(pred), listText(truth))
	run := &biabench.Run{Dir: filepath.Join(task.Dir, "pred")}
	rep := calltest.RunTask(b, Localisations, task, run.Dir)
	for b.Loop() {
		x, err := LocalisationsExhibit(b.Context(), task, run, rep, 0)
		if err != nil || len(x.Points) != 2 || len(x.Points[1].Points) != len(truth) {
			b.Fatal(err)
		}
	}
}

// TestLocalisationLiesOnItsSpot holds the truth's localisations against the movie: the brightness around them is centred on them
// where whole numbers are centres of pixels.
func TestLocalisationLiesOnItsSpot(t *testing.T) {
	shared := calltest.Shared()
	if shared == "" {
		t.Skip("the shared cases are absent")
	}
	dir := filepath.Join(shared, "golden", smlmTask, "perfect")
	task, err := biabench.OpenTask(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	run := &biabench.Run{Dir: filepath.Join(dir, "pred")}
	x, err := LocalisationsExhibit(t.Context(), task, run, calltest.RunTask(t, Localisations, task, run.Dir), 0)
	if err != nil {
		t.Fatal(err)
	}
	movie, err := raster.ReadArray(t.Context(), task.Inputs[0])
	if err != nil {
		t.Fatal(err)
	}
	values, shape := toFloats(movie.Values), movie.Shape
	var dy, dx []float64
	for _, p := range x.Points[1].Points {
		if p.T >= shape[0] {
			continue
		}
		if y, x, ok := brightness(values[p.T*shape[1]*shape[2]:(p.T+1)*shape[1]*shape[2]], shape[2], p); ok {
			dy, dx = append(dy, y), append(dx, x)
		}
	}
	if len(dy) == 0 {
		t.Skip("no localisation lies in the movie")
	}
	slices.Sort(dy)
	slices.Sort(dx)
	if y, x := dy[len(dy)/2], dx[len(dx)/2]; math.Abs(y) > 0.2 || math.Abs(x) > 0.2 {
		t.Errorf("spots lie %.2f, %.2f pixels (y, x) from their localisations", y, x)
	}
}

// brightness is where the light around a point is centred, seen from the point.
func brightness(plane []float64, width int, p report.Point) (dy, dx float64, ok bool) {
	const reach = 4
	y0, x0 := int(math.Round(p.Y)), int(math.Round(p.X))
	height := len(plane) / width
	if y0 < reach || x0 < reach || y0 >= height-reach || x0 >= width-reach {
		return 0, 0, false
	}
	floor := math.Inf(1)
	for y := y0 - reach; y <= y0+reach; y++ {
		for x := x0 - reach; x <= x0+reach; x++ {
			floor = min(floor, plane[y*width+x])
		}
	}
	var sum, sumY, sumX float64
	for y := y0 - reach; y <= y0+reach; y++ {
		for x := x0 - reach; x <= x0+reach; x++ {
			v := plane[y*width+x] - floor
			v *= v // the spot outshines the ground
			sum, sumY, sumX = sum+v, sumY+v*float64(y), sumX+v*float64(x)
		}
	}
	return sumY/sum - p.Y, sumX/sum - p.X, sum > 0
}

// TestMosaicCellsLieInTheMosaic gives the cells of a table their places, also where names are in upper case.
func TestMosaicCellsLieInTheMosaic(t *testing.T) {
	task := mosaicTaskOf(t)
	task.Rubric.Metric = map[string]any{"expected_channels": 0}
	text := "cell_id,cell_type,X,Y,Z,Bodipy_Sigma\n1,WBC,10.5,20,1,3\n2,MCF7,30,40,2,4\n3,thing,1,,0,5\n"
	if err := os.WriteFile(filepath.Join(task.Dir, "pred", "cells_features.csv"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	x, err := MosaicExhibit(t.Context(), task, &biabench.Run{Dir: filepath.Join(task.Dir, "pred")}, &report.Report{}, -1)
	if err != nil || len(x.Points) != 1 || len(x.Points[0].Points) != 2 {
		t.Fatalf("%+v %v", x, err)
	}
	a, b := x.Points[0].Points[0], x.Points[0].Points[1]
	if a.X != 10.5 || a.Y != 20 || a.Z != 1 || x.Points[0].Classes[a.Class] != populationWBC || x.Points[0].Classes[b.Class] != populationMCF7 || b.ID != 2 {
		t.Errorf("%+v %+v", a, b)
	}
	if g := x.Groups[len(x.Groups)-1]; len(g.Groups) != 2 || g.Groups[1].Values[0] != 4 || g.Groups[1].IDs[0] != 2 {
		t.Errorf("%+v", g)
	}
}

// TestOnsetTiesMinutesToFrames holds the axis of a cell against its table: the truth's onset is minute 0.
func TestOnsetTiesMinutesToFrames(t *testing.T) {
	p := cellPair{truth: &cellTable{curves: curves{onset: 40}}, answer: &cellTable{curves: curves{onset: 44}}}
	truth := columns{times: []float64{-0.5, 0, 0.5}, frames: []float64{39, 40, 41}}
	g := onsetAxis(p, truth, columns{})
	if g.FrameAt0 != 40 || g.FrameStep != 0.5 || len(g.Places) != 2 || g.Places[1].X != 2 || g.Places[1].Side != report.AnswerSide {
		t.Errorf("%+v", g)
	}
	if frame := g.FrameAt0 + g.Places[1].X/g.FrameStep; frame != 44 {
		t.Errorf("the answer's onset is at frame %v", frame)
	}
	p.truth.onset, p.answer.onset = math.NaN(), math.NaN()
	if g := onsetAxis(p, truth, columns{}); g.FrameStep != 0 || len(g.Places) != 0 {
		t.Errorf("without an onset: %+v", g)
	}
}

// TestKymographAxes holds distance and time against the task's calibration: bands of 15 µm in whole pixels.
func TestKymographAxes(t *testing.T) {
	e := experimentFiles{input: inputGrid{y: 1024, x: 1024, pixel: 1.24, frame: 14.5}}
	if p := e.axes(); math.Abs(p.YStep-13*1.24) > 1e-9 || p.XStep != 14.5 {
		t.Errorf("%+v", p)
	}
	if p := (experimentFiles{}).axes(); p.YStep != 1 || p.XStep != 1 {
		t.Errorf("%+v", p)
	}
	for _, c := range []struct {
		input, elements int
		want            float64
	}{{1024, 1024, 1}, {1024, 1020, 1}, {1024, 128, 8}} {
		if got := gridStep(c.input, c.elements); got != c.want {
			t.Errorf("%d pixels in %d elements: %v", c.input, c.elements, got)
		}
	}
}
