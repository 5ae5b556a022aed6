package line_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
	"coverslip/scoring/call/calltest"
	"coverslip/scoring/line"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// study is a task of several images whose answers can be changed.
type study struct {
	id, spec, metric string
	pred, truth      map[string]*numeric.Mask
}

// newStudy draws lines and spoils them: shifts, gaps and extra pieces.
func newStudy(metric string, volumes bool, size [3]int, seed uint64) study {
	s := study{"sim-microtubules-segmentation", filamentSpec, metric, map[string]*numeric.Mask{}, map[string]*numeric.Mask{}}
	if volumes {
		s.id, s.spec = "3d-light-sheet-brain-vessels", vesselSpec
	}
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range 2 {
		truth := tubes(size[0], size[1], size[2], 0.2, 2, seed+uint64(i))
		pred := shifted(truth, i)
		v := pred.Values.([]uint8)
		for range 12 {
			at, value := r.IntN(len(v)), uint8(255*r.IntN(2))
			for k := at; k < min(len(v), at+6); k++ {
				v[k] = value
			}
		}
		name := fmt.Sprint(i + 1)
		s.truth[name], s.pred[name] = masked(truth), masked(pred)
	}
	s.truth["9"] = s.truth["1"] // without an answer
	return s
}

func masked(a pixel.Array) *numeric.Mask {
	_, m, err := line.Binary(context.Background(), a, len(a.Shape) == 3)
	if err != nil {
		panic(err)
	}
	return m
}

// score scores the study and gives the mean without rounding too.
func (s study) score(t testing.TB) (*report.Report, float64) {
	t.Helper()
	files := map[string][]byte{}
	axes, truth, pred := "YX", "evaluation/report_%s.binary.tif", "pred/report_%s_mask.tif"
	if s.spec == vesselSpec {
		axes, truth, pred = "ZYX", "evaluation/Binary_%s.tif", "pred/%s_mask.tif"
	}
	for name, m := range s.truth {
		files[fmt.Sprintf(truth, name)] = encode(t, array(m, axes))
	}
	for name, m := range s.pred {
		files[fmt.Sprintf(pred, name)] = encode(t, array(m, axes))
	}
	task := calltest.WriteTask(t, s.id, s.spec, "primary_metric: "+s.metric, files)
	r := calltest.RunTask(t, calculators[s.id], task, filepath.Join(task.Dir, "pred"))
	sum, n := 0.0, 0.0
	for _, img := range r.Images {
		if !math.IsNaN(img.Value) {
			sum, n = sum+img.Value, n+1
		}
	}
	return r, sum / n
}

// fixed is the study with the region of a mark as the truth has it, found by flooding.
func (s study) fixed(t testing.TB, r *report.Report, m report.Mark) study {
	t.Helper()
	name := strings.TrimPrefix(r.Images[m.Image].Name, "report_")
	pred, truth := s.pred[name], s.truth[name]
	s.pred = maps.Clone(s.pred)
	if m.Kind == report.Whole {
		s.pred[name] = truth
		return s
	}
	mask, other := truth, pred
	if m.Kind == report.ExtraPixels {
		mask, other = pred, truth
	}
	for _, region := range floods(mask, other) {
		if centre(region) != [3]float64{m.Z, m.Y, m.X} || len(region) != m.Area {
			continue
		}
		change := map[[3]int]bool{}
		for _, p := range region {
			change[p] = true
		}
		s.pred[name] = numeric.NewMask(pred.Z, pred.Y, pred.X)
		for i := range pred.Z * pred.Y * pred.X {
			z, y, x := i/pred.X/pred.Y, i/pred.X%pred.Y, i%pred.X
			if pred.At(z, y, x) != change[[3]int{z, y, x}] {
				s.pred[name].Set(z, y, x)
			}
		}
		return s
	}
	t.Fatalf("no region for %+v", m)
	return s
}

func centre(region [][3]int) (c [3]float64) {
	var sum [3]int
	for _, p := range region {
		for k := range p {
			sum[k] += p[k]
		}
	}
	n := float64(len(region))
	return [3]float64{float64(sum[0]) / n, float64(sum[1]) / n, float64(2*sum[2]) / (2 * n)}
}

// floods lists the pixels of the regions of one mask beyond another.
func floods(mask, other *numeric.Mask) (list [][][3]int) {
	seen := map[[3]int]bool{}
	for i := range mask.Z * mask.Y * mask.X {
		var region [][3]int
		stack := [][3]int{{i / mask.X / mask.Y, i / mask.X % mask.Y, i % mask.X}}
		for len(stack) > 0 {
			p := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[p] || !mask.At(p[0], p[1], p[2]) || other.At(p[0], p[1], p[2]) {
				continue
			}
			seen[p] = true
			region = append(region, p)
			for d := range 27 {
				stack = append(stack, [3]int{p[0] + d/9 - 1, p[1] + d/3%3 - 1, p[2] + d%3 - 1})
			}
		}
		if len(region) > 0 {
			list = append(list, region)
		}
	}
	return list
}

// Each mark's cost is what the score gains when the answer is changed as the mark says and scored again.
func TestCostsAreGains(t *testing.T) {
	for _, c := range []struct {
		metric  string
		volumes bool
		size    [3]int
	}{{"cl_dice", false, [3]int{1, 50, 70}}, {"cl_dice", true, [3]int{9, 20, 30}}, {"volumetric_similarity", true, [3]int{6, 12, 20}}} {
		s := newStudy(c.metric, c.volumes, c.size, 5)
		r, base := s.score(t)
		if !r.Gains || r.Estimated || r.Primary != c.metric {
			t.Fatalf("%s: gains %v, estimated %v", r.Primary, r.Gains, r.Estimated)
		}
		tried := map[report.Kind]int{}
		for _, m := range r.Marks {
			if tried[m.Kind]++; tried[m.Kind] > 25 {
				continue
			}
			if _, after := s.fixed(t, r, m).score(t); math.Abs(after-base-m.Cost) > 1e-12 {
				t.Errorf("%s, %s, %+v: cost %v, gain %v", c.metric, m.Text, m.Box, m.Cost, after-base)
			}
		}
		for _, k := range []report.Kind{report.MissedPixels, report.ExtraPixels, report.Whole} {
			if tried[k] == 0 {
				t.Errorf("%s: no mark of kind %q was tried", c.metric, k)
			}
		}
	}
}

// Beyond what comes with the score the costs are estimates, and the exact gains of the worst 200 come on request, the same
// on any number of processors.
func TestGainsOnRequest(t *testing.T) {
	s := newStudy("cl_dice", false, [3]int{1, 540, 520}, 6)
	r, base := s.score(t)
	if !r.Estimated || !r.Gains {
		t.Fatalf("gains %v, estimated %v", r.Gains, r.Estimated)
	}
	var first *report.Report
	for _, n := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(n)
		got, err := line.Gains(t.Context(), r, nil)
		runtime.GOMAXPROCS(before)
		if err != nil || got.Estimated || !r.Estimated {
			t.Fatalf("%v, estimated %v", err, got.Estimated)
		}
		if first == nil {
			first = got
		} else if !reflect.DeepEqual(got.Marks, first.Marks) || !reflect.DeepEqual(got.Notes, first.Notes) {
			t.Errorf("%d goroutines give other gains", n)
		}
	}
	with, tried := 0, 0
	for i, m := range first.Marks {
		if m.Kind == report.Whole || m.Cost == 0 {
			continue
		}
		with++
		if m.Cost != r.Marks[i].Cost && tried < 6 { // the estimate was wrong
			tried++
			if _, after := s.fixed(t, first, m).score(t); math.Abs(after-base-m.Cost) > 1e-12 {
				t.Errorf("%s: cost %v, gain %v", m.Text, m.Cost, after-base)
			}
		}
	}
	if with > 200 || with < 50 || tried == 0 || len(first.Marks) < 250 {
		t.Errorf("%d of %d marks have a gain, %d were tried", with, len(first.Marks), tried)
	}
	if !slices.ContainsFunc(first.Notes, func(n report.Note) bool { return strings.Contains(n.Text, "the 200 regions that promise most") }) {
		t.Errorf("no note says of which marks: %v", first.Notes)
	}
	if again, err := line.Gains(t.Context(), first, nil); err != nil || again != first {
		t.Errorf("exact gains are computed again: %v", err)
	}
}

// Masks that have changed since are noticed.
func TestGainsOfOtherMasks(t *testing.T) {
	s := newStudy("cl_dice", false, [3]int{1, 540, 520}, 7)
	r, _ := s.score(t)
	other := encode(t, array(numeric.NewMask(1, 540, 520), "YX"))
	task := calltest.WriteTask(t, s.id, s.spec, "", map[string][]byte{"pred/report_1_mask.tif": other})
	for i := range r.Images {
		if biabench.Stem(r.Images[i].Pred) == "report_1_mask" {
			r.Images[i].Pred = filepath.Join(task.Dir, "pred", "report_1_mask.tif")
		}
	}
	if _, err := line.Gains(t.Context(), r, nil); !errors.Is(err, fault.Inconsistent) {
		t.Errorf("got %v", err)
	}
}
