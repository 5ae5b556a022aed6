package scoring

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
	"coverslip/scoring/call/calltest"
	"coverslip/scoring/internal/yardstick"
)

// BenchmarkScore scores a whole task of one image from its files: resolve, screen, read, count, mark, boundary.
// peak-MiB is the highest heap in use, sampled each millisecond; copy-ratio the time over that of copying both arrays.
func BenchmarkScore(b *testing.B) {
	for _, c := range []struct {
		name, id, dims, file string
		shape                []int
		n                    int
	}{
		{"plane2048-2000", "he-nuinsseg-nuclear-segmentation", "2D", "a_1.tif", []int{2048, 2048}, 2000},
		{"volume64x512x512-500", "3d-fluo-cell-segmentation-lateral-line-idr0079", "3D", "a_seg.tif", []int{64, 512, 512}, 500},
	} {
		b.Run(c.name, func(b *testing.B) {
			pred, truth := discs(c.shape, c.n)
			dir := taskFolder(b, c.id, c.dims, map[string]raster.Array{c.file: truth}, map[string]raster.Array{c.file: pred})
			task, err := biabench.OpenTask(dir, "")
			if err != nil {
				b.Fatal(err)
			}
			run := &biabench.Run{Dir: filepath.Join(dir, "pred")}
			n := len(pred.Values.([]uint16))
			copied := yardstick.CopyTime(pred, truth)
			pred, truth = raster.Array{}, raster.Array{}
			score := func() {
				r, err := Score(b.Context(), task, run, nil)
				if err != nil || r.Result.None || r.Result.Value < 0.5 {
					b.Fatalf("%+v %v", r.Result, err)
				}
			}
			peak := calltest.PeakHeap(score)
			b.ReportAllocs()
			b.SetBytes(int64(4 * n))
			for b.Loop() {
				score()
			}
			b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(copied), "copy-ratio")
		})
	}
}

// discs draws n objects and an answer with each of them moved a little, some left out.
func discs(shape []int, n int) (pred, truth raster.Array) {
	r := rand.New(rand.NewPCG(8, 8))
	d, h, w := 1, shape[len(shape)-2], shape[len(shape)-1]
	if len(shape) == 3 {
		d = shape[0]
	}
	a, b := make([]uint16, d*h*w), make([]uint16, d*h*w)
	radius := 0.4 * math.Sqrt(float64(d*h*w)/float64(n))
	if d > 1 {
		radius = 0.5 * math.Cbrt(float64(d*h*w)/float64(n))
	}
	for id := 1; id <= n; id++ {
		z, y, x := r.IntN(d), r.IntN(h), r.IntN(w)
		disc(b, d, h, w, z, y, x, int(radius), uint16(id))
		if r.IntN(20) > 0 {
			disc(a, d, h, w, z, y+r.IntN(4), x+r.IntN(4), int(radius), uint16(id))
		}
	}
	of := func(v []uint16) raster.Array {
		return raster.Array{Shape: shape, Axes: "ZYX"[3-len(shape):], Type: pixel.Uint16, Values: v}
	}
	return of(a), of(b)
}

func disc(v []uint16, d, h, w, z, y, x, radius int, id uint16) {
	for zz := max(0, z-radius); zz < min(d, z+radius+1); zz++ {
		for yy := max(0, y-radius); yy < min(h, y+radius+1); yy++ {
			for xx := max(0, x-radius); xx < min(w, x+radius+1); xx++ {
				if (zz-z)*(zz-z)+(yy-y)*(yy-y)+(xx-x)*(xx-x) <= radius*radius {
					v[(zz*h+yy)*w+xx] = id
				}
			}
		}
	}
}

// taskFolder writes a task with its truth below evaluation/ and an answer below pred/. Names may hold folders.
func taskFolder(t testing.TB, id, dims string, truth, pred map[string]raster.Array) string {
	t.Helper()
	dir := t.TempDir()
	deliverables := `
- {id: segmentation_masks, description: masks, filename_pattern: '*.tif', format: uint16 TIF (instance labels), multi: true}`
	if id == "fluo-helacytonuc-cell-segmentation" {
		deliverables = `
- {id: nuclei_masks, description: masks, filename_pattern: '*nuclei*.tif*', format: uint8 TIF (instance labels), multi: true}
- {id: cytoplasm_masks, description: masks, filename_pattern: '*cytoplasm*.tif*', format: uint8 TIF (instance labels), multi: true}`
	}
	write(t, filepath.Join(dir, "task_spec.yaml"), "task_id: "+id+"\ninput: {spatial_dimensions: "+dims+
		"}\ntask_logic: {basic_instructions: a, expert_instructions: b}\ndeliverables:"+deliverables+"\n")
	write(t, filepath.Join(dir, "evaluation_rubric.yaml"), "metric_config: {primary_metric: dice}\n")
	for sub, files := range map[string]map[string]raster.Array{"evaluation": truth, "pred": pred} {
		for name, a := range files {
			writeTIFF(t, filepath.Join(dir, sub, name), a)
		}
	}
	return dir
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func writeTIFF(t testing.TB, path string, a raster.Array) {
	t.Helper()
	write(t, path, "")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := tiff.Encode(f, a, tiff.EncodeOptions{}); err != nil {
		t.Fatal(err)
	}
}
