package line_test

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
	"coverslip/scoring/call/calltest"
	"coverslip/scoring/line"
	"coverslip/scoring/report"
)

const (
	filamentSpec = "- {id: segmentation_masks, description: masks, filename_pattern: '*mask*.tif*', format: binary 2D TIFF, required: true, multi: true}\n"
	vesselSpec   = "- {id: vessel_masks, description: masks, filename_pattern: '*mask*.tif*', format: binary 3D TIFF, required: true, multi: true}\n"
)

// tubes draws random walks of discs or balls until a share of the array is foreground.
func tubes(z, y, x int, share float64, radius int, seed uint64) pixel.Array {
	r := rand.New(rand.NewPCG(seed, 1))
	v := make([]uint8, z*y*x)
	set := 0
	ball := func(cz, cy, cx float64) {
		for a := int(cz) - radius; a <= int(cz)+radius; a++ {
			for b := int(cy) - radius; b <= int(cy)+radius; b++ {
				for c := int(cx) - radius; c <= int(cx)+radius; c++ {
					dz, dy, dx := float64(a)-cz, float64(b)-cy, float64(c)-cx
					if z == 1 {
						dz = 0
					}
					if a < 0 || b < 0 || c < 0 || a >= z || b >= y || c >= x || dz*dz+dy*dy+dx*dx > float64(radius*radius) {
						continue
					}
					if i := (a*y+b)*x + c; v[i] == 0 {
						v[i] = 255
						set++
					}
				}
			}
		}
	}
	for float64(set) < share*float64(len(v)) {
		p := [3]float64{r.Float64() * float64(z), r.Float64() * float64(y), r.Float64() * float64(x)}
		a, b := r.Float64()*2*math.Pi, r.NormFloat64()*0.5
		if z == 1 {
			p[0], b = 0, 0
		}
		for range 400 {
			ball(p[0], p[1], p[2])
			p[0], p[1], p[2] = p[0]+math.Sin(b), p[1]+math.Cos(b)*math.Sin(a), p[2]+math.Cos(b)*math.Cos(a)
			a += 0.05 * r.NormFloat64()
		}
	}
	shape, axes := []int{z, y, x}, "ZYX"
	if z == 1 {
		shape, axes = shape[1:], "YX"
	}
	return pixel.Array{Shape: shape, Axes: axes, Type: pixel.Uint8, Values: v}
}

// shifted moves the array by some pixels along X.
func shifted(a pixel.Array, n int) pixel.Array {
	v := a.Values.([]uint8)
	out := make([]uint8, len(v))
	copy(out, v[n:])
	a.Values = out
	return a
}

func encode(t testing.TB, a pixel.Array) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := tiff.Encode(&b, a, tiff.EncodeOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// large are the tasks of one image that the benchmarks run: the answer is the truth, moved by a pixel.
var large = []struct {
	name, id, spec, truth, pred string
	shape                       [3]int
	share                       float64
	radius                      int
}{
	{"filaments2048", "sim-microtubules-segmentation", filamentSpec, "evaluation/report_1.binary.tiff", "pred/report_1_mask.tif", [3]int{1, 2048, 2048}, 0.15, 3},
	{"vessels128x512x512", "3d-light-sheet-brain-vessels", vesselSpec, "evaluation/Binary_a.tiff", "pred/a_mask.tif", [3]int{128, 512, 512}, 0.03, 5},
}

// BenchmarkScore scores a whole task of one image from its files. Goals: filaments within 0.06 s, vessels within 0.6 s and
// 250 MiB. copy-ratio is the time over that of copying both arrays.
func BenchmarkScore(b *testing.B) {
	for _, c := range large {
		b.Run(c.name, func(b *testing.B) {
			truth := tubes(c.shape[0], c.shape[1], c.shape[2], c.share, c.radius, 1)
			task := calltest.WriteTask(b, c.id, c.spec, "", map[string][]byte{c.truth: encode(b, truth), c.pred: encode(b, shifted(truth, 1))})
			n := len(truth.Values.([]uint8))
			truth = pixel.Array{}
			runtime.GC()
			calltest.Bench(b, calculators[c.id], task, 2*n)
		})
	}
}

// BenchmarkGains computes the exact gains of clDice for the worst 200 marks of the same tasks, which a report gets on request
// after the score.
func BenchmarkGains(b *testing.B) {
	for _, c := range large {
		b.Run(c.name, func(b *testing.B) {
			truth := tubes(c.shape[0], c.shape[1], c.shape[2], c.share, c.radius, 1)
			task := calltest.WriteTask(b, c.id, c.spec, "primary_metric: cl_dice", map[string][]byte{c.truth: encode(b, truth), c.pred: encode(b, shifted(truth, 1))})
			n := len(truth.Values.([]uint8))
			truth = pixel.Array{}
			r := calltest.RunTask(b, calculators[c.id], task, filepath.Join(task.Dir, "pred"))
			gains := func(ctx context.Context, _ *biabench.Task, _ *biabench.Run, _ func(done, total int)) (*report.Report, error) {
				return line.Gains(ctx, r, nil)
			}
			runtime.GC()
			calltest.Bench(b, gains, task, 2*n)
		})
	}
}
