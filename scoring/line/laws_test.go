package line_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/raster/pixel"
	"coverslip/scoring/call/calltest"
	"coverslip/scoring/line"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

func random(r *rand.Rand, z, y, x int, share float64) *numeric.Mask {
	m := numeric.NewMask(z, y, x)
	for i := range z * y * x {
		if r.Float64() < share {
			m.Set(i/x/y, i/x%y, i%x)
		}
	}
	return m
}

// flood finds the sizes of the regions of one mask beyond another, and the skeleton pixels in each.
func flood(mask, other, skeleton *numeric.Mask) (list [][2]int) {
	seen := map[[3]int]bool{}
	for i := range mask.Z * mask.Y * mask.X {
		stack := [][3]int{{i / mask.X / mask.Y, i / mask.X % mask.Y, i % mask.X}}
		size, inLine := 0, 0
		for len(stack) > 0 {
			p := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[p] || !mask.At(p[0], p[1], p[2]) || other.At(p[0], p[1], p[2]) {
				continue
			}
			seen[p] = true
			size++
			if skeleton.At(p[0], p[1], p[2]) {
				inLine++
			}
			for d := range 27 {
				stack = append(stack, [3]int{p[0] + d/9 - 1, p[1] + d/3%3 - 1, p[2] + d%3 - 1})
			}
		}
		if size > 0 {
			list = append(list, [2]int{size, inLine})
		}
	}
	return list
}

func TestBeyondAgainstFlooding(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for i := range 40 {
		z, y, x := 1+i%4, 1+r.IntN(9), 1+r.IntN(90)
		a, b, c := random(r, z, y, x, []float64{0.1, 0.3, 0.6}[i%3]), random(r, z, y, x, 0.3), random(r, z, y, x, 0.3)
		want := flood(a, b, c)
		slices.SortStableFunc(want, func(p, q [2]int) int { return cmp.Compare(q[0], p[0]) })
		var got [][2]int
		for _, g := range line.Beyond(a, b, c) {
			got = append(got, [2]int{g.Pixels, g.Line})
		}
		if !slices.Equal(got, want) {
			t.Fatalf("case %d: %v, want %v", i, got, want)
		}
	}
}

// array is a mask as a label array of 0 and 1.
func array(m *numeric.Mask, axes string) pixel.Array {
	v := make([]uint8, m.Z*m.Y*m.X)
	for i := range v {
		if m.At(i/m.X/m.Y, i/m.X%m.Y, i%m.X) {
			v[i] = 1
		}
	}
	shape := []int{m.Z, m.Y, m.X}
	if axes == "YX" {
		shape = shape[1:]
	}
	return pixel.Array{Shape: shape, Axes: axes, Type: pixel.Uint8, Values: v}
}

// filament scores a plane against another.
func filament(t *testing.T, pred, truth *numeric.Mask, rubric string) *report.Report {
	t.Helper()
	task := calltest.WriteTask(t, "sim-microtubules-segmentation", filamentSpec, rubric, map[string][]byte{
		"pred/report_7_mask.tif": encode(t, array(pred, "YX")), "evaluation/report_7.binary.tif": encode(t, array(truth, "YX")),
	})
	return calltest.RunTask(t, line.Filaments, task, filepath.Join(task.Dir, "pred"))
}

func TestLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	truth := random(r, 1, 20, 30, 0.3)
	for _, metric := range []string{"dice", "iou", "precision", "recall", "cl_dice"} {
		if got := filament(t, truth, truth, "primary_metric: "+metric); got.Result.Value != 1 || len(got.Marks) != 0 {
			t.Errorf("the truth itself has a %s of %v and %d marks", metric, got.Result.Value, len(got.Marks))
		}
	}
	for _, metric := range []string{"dice", "iou"} {
		less, more := numeric.NewMask(1, 20, 30), truth.Clone()
		last, lastMore := 0.0, 1.0
		for i := range 600 { // row by row a right pixel more, then a wrong pixel more
			y, x := i/30, i%30
			if truth.At(0, y, x) {
				less.Set(0, y, x)
			} else {
				more.Set(0, y, x)
			}
			if i%90 != 89 {
				continue
			}
			if got := filament(t, less, truth, "primary_metric: "+metric).Result.Value; got < last {
				t.Errorf("%s falls from %v to %v with more right pixels", metric, last, got)
			} else {
				last = got
			}
			if got := filament(t, more, truth, "primary_metric: "+metric).Result.Value; got > lastMore {
				t.Errorf("%s rises from %v to %v with more wrong pixels", metric, lastMore, got)
			} else {
				lastMore = got
			}
		}
	}
}

// Volumes too: the truth itself scores 1, mirroring both sides changes no figure that is made of voxels, and it does not
// matter which value foreground has.
func TestVesselLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	truth, pred := random(r, 5, 14, 20, 0.3), random(r, 5, 14, 20, 0.3)
	score := func(pred, truth *numeric.Mask, metric string, value uint8) float64 {
		a := array(pred, "ZYX")
		for i, v := range a.Values.([]uint8) {
			a.Values.([]uint8)[i] = v * value
		}
		task := calltest.WriteTask(t, "3d-light-sheet-brain-vessels", vesselSpec, "primary_metric: "+metric, map[string][]byte{
			"pred/a_mask.tif": encode(t, a), "evaluation/Binary_a.tif": encode(t, array(truth, "ZYX"))})
		return calltest.RunTask(t, line.Vessels, task, filepath.Join(task.Dir, "pred")).Images[0].Value
	}
	mirrored := func(m *numeric.Mask) *numeric.Mask {
		out := numeric.NewMask(m.Z, m.Y, m.X)
		for i := range m.Z * m.Y * m.X {
			if z, y, x := i/m.X/m.Y, i/m.X%m.Y, i%m.X; m.At(z, y, x) {
				out.Set(m.Z-1-z, y, m.X-1-x)
			}
		}
		return out
	}
	for _, metric := range []string{"dice", "iou", "precision", "recall", "volumetric_similarity", "cl_dice"} {
		if got := score(truth, truth, metric, 1); got != 1 {
			t.Errorf("the truth itself has a %s of %v", metric, got)
		}
		base := score(pred, truth, metric, 1)
		if got := score(pred, truth, metric, 255); got != base {
			t.Errorf("%s is %v with foreground of 255, %v with 1", metric, got, base)
		}
		// Thinning goes direction by direction, so that a mirrored line may lie elsewhere.
		if got := score(mirrored(pred), mirrored(truth), metric, 1); got != base && metric != "cl_dice" {
			t.Errorf("%s is %v mirrored, %v before", metric, got, base)
		}
	}
}

func TestCostsAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	for _, metric := range []string{"dice", "iou", "precision", "recall"} {
		pred, truth := random(r, 1, 90, 100, 0.4), random(r, 1, 90, 100, 0.3) // more regions than are marked one by one
		got := filament(t, pred, truth, "primary_metric: "+metric)
		calltest.CheckCosts(t, got, got.Images[0].Value)
		if len(got.Marks) == 0 || len(got.Method) == 0 || got.Primary != metric {
			t.Errorf("%s: %d marks, method %v, primary %s", metric, len(got.Marks), got.Method, got.Primary)
		}
	}
}

func TestGoroutinesAndFileOrderChangeNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	files := map[string][]byte{}
	for i := range 5 {
		files[fmt.Sprintf("pred/report_%d_mask.tif", i)] = encode(t, array(random(r, 1, 60, 70, 0.4), "YX"))
		files[fmt.Sprintf("evaluation/report_%d.binary.tiff", i)] = encode(t, array(random(r, 1, 60, 70, 0.4), "YX"))
	}
	task := calltest.WriteTask(t, "sim-microtubules-segmentation", filamentSpec, "primary_metric: dice", files)
	var first *report.Report
	for _, n := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(n)
		got := calltest.RunTask(t, line.Filaments, task, filepath.Join(task.Dir, "pred"))
		runtime.GOMAXPROCS(before)
		for i := range got.Images { // NaN is not equal to itself
			got.Images[i].Scores = report.Scores{}
		}
		if first == nil {
			first = got
		} else if !reflect.DeepEqual(got, first) {
			t.Errorf("%d goroutines give another report", n)
		}
	}
}

func TestExits(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	plane, volume := encode(t, array(random(r, 1, 9, 9, 0.4), "YX")), encode(t, array(random(r, 5, 9, 9, 0.4), "ZYX"))
	four := encode(t, pixel.Array{Shape: []int{2, 2, 5, 6}, Axes: "TZYX", Type: pixel.Uint8, Values: make([]uint8, 120)})
	for _, c := range []struct {
		name, id, rubric string
		files            map[string][]byte
		none             bool
		value            float64
	}{
		{"no truth before no answer", "sim-microtubules-segmentation", "", map[string][]byte{"evaluation/report_1.tif": plane}, true, 0},
		{"no answer", "sim-microtubules-segmentation", "", map[string][]byte{"evaluation/report_1.binary.tif": plane}, false, 0},
		{"no pair: zeros matter", "sim-microtubules-segmentation", "", map[string][]byte{"evaluation/report_01.binary.tif": plane, "pred/report_1_mask.tif": plane}, false, 0},
		{"four axes", "sim-microtubules-segmentation", "", map[string][]byte{"evaluation/report_1.binary.tif": four, "pred/report_1_mask.tif": four}, true, 0},
		{"a list for a metric", "sim-microtubules-segmentation", "primary_metric: [dice]", map[string][]byte{"evaluation/report_1.binary.tif": plane, "pred/report_1_mask.tif": plane}, true, 0},
		{"an unknown metric", "sim-microtubules-segmentation", "primary_metric: t_prec", map[string][]byte{"evaluation/report_1.binary.tif": plane, "pred/Report_1_mask.tif": plane}, false, 1},
		{"an id of one character", "3d-light-sheet-brain-vessels", "", map[string][]byte{"evaluation/Binary_.tif": volume, "pred/x_mask.tif": volume}, false, 1},
		{"copies of the truth", "3d-light-sheet-brain-vessels", "", map[string][]byte{"evaluation/Binary_a.tif": volume, "pred/binary-a_mask.tif": volume}, false, 0},
		{"the longest id", "3d-light-sheet-brain-vessels", "primary_metric: volumetric_similarity", map[string][]byte{
			"evaluation/Binary_a1.tif": volume, "evaluation/Binary_a12.tif": volume, "pred/a12_mask.tif": volume, "pred/A1_mask.tif": volume}, false, 1},
	} {
		spec := filamentSpec
		if strings.HasPrefix(c.id, "3d") {
			spec = vesselSpec
		}
		task := calltest.WriteTask(t, c.id, spec, c.rubric, c.files)
		got := calltest.RunTask(t, calculators[c.id], task, filepath.Join(task.Dir, "pred"))
		if got.Result.None != c.none || got.Result.Value != c.value {
			t.Errorf("%s: %+v", c.name, got.Result)
		}
	}
}
