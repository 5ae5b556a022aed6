package signal

import (
	"bytes"
	"math"
	"path/filepath"
	"testing"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/tiff"
)

func (f field) write(t testing.TB, file string) {
	t.Helper()
	var b bytes.Buffer
	a := raster.Array{Shape: f.shape, Axes: "YX", Type: raster.Float64, Values: f.values}
	if err := tiff.Encode(&b, a, tiff.EncodeOptions{}); err != nil {
		t.Fatal(err)
	}
	writeFile(t, file, b.Bytes())
}

// made fills a field by row and column.
func made(h, w int, at func(y, x int) float64) field {
	f := field{shape: []int{h, w}, values: make([]float64, h*w)}
	for i := range f.values {
		f.values[i] = at(i/w, i%w)
	}
	return f
}

// writeKymographProbe edits all arrays of the truth.
func writeKymographProbe(t *testing.T, p probe, task, out string) {
	truth := indexFiles(filesBelow(filepath.Join(task, "evaluation"), matches("*.tif*")))
	folders, _ := filepath.Glob(filepath.Join(task, "evaluation", "*"))
	missing := map[string]bool{}
	if p.name == "last_k_experiments_missing" {
		for _, f := range folders[len(folders)-p.whole():] {
			missing[f] = true
		}
	}
	for _, key := range truth.experiments(kymographKind) {
		file := truth[kymographKind][key]
		if missing[filepath.Dir(file)] {
			continue
		}
		editKymograph(t, p, loadField(t.Context(), file)).write(t, filepath.Join(out, filepath.Base(file)))
		if p.name == "files" {
			continue
		}
		x, y := truth[xKind][key], truth[yKind][key]
		vx, vy := editVelocity(t, p, loadField(t.Context(), x), loadField(t.Context(), y))
		vx.write(t, filepath.Join(out, filepath.Base(x)))
		vy.write(t, filepath.Join(out, filepath.Base(y)))
	}
}

func editKymograph(t *testing.T, p probe, k field) field {
	h, w, n := k.shape[0], k.shape[1], p.whole()
	switch p.name {
	case "kymograph_roll_columns":
		return made(h, w, func(y, x int) float64 { return k.at(y, (x-n%w+w)%w) })
	case "kymograph_roll_bands":
		return made(h, w, func(y, x int) float64 { return k.at((y-n%h+h)%h, x) })
	case "kymograph_first_k_bands":
		return made(min(n, h), w, k.at)
	case "unchanged", "velocity", "files", "last_k_experiments_missing":
		return k
	case "kymograph":
	default:
		t.Fatalf("unknown probe %s", p.name)
	}
	switch p.text() {
	case "time_reversed":
		return made(h, w, func(y, x int) float64 { return k.at(y, w-1-x) })
	case "bands_reversed":
		return made(h, w, func(y, x int) float64 { return k.at(h-1-y, x) })
	case "transposed":
		return made(w, h, func(y, x int) float64 { return k.at(x, y) })
	case "negated":
		return made(h, w, func(y, x int) float64 { return -k.at(y, x) })
	case "times_3_plus_5":
		return made(h, w, func(y, x int) float64 { return k.at(y, x)*3 + 5 })
	case "constant":
		return made(h, w, func(int, int) float64 { return 9 })
	case "first_column_only":
		return made(h, w, func(y, _ int) float64 { return k.at(y, 0) })
	case "columns_doubled":
		return made(h, 2*w, func(y, x int) float64 { return k.at(y, x/2) })
	case "one_nan":
		return made(h, w, func(y, x int) float64 {
			if y*w+x == 5 {
				return math.NaN()
			}
			return k.at(y, x)
		})
	}
	t.Fatalf("unknown edit %s", p.text())
	return k
}

func editVelocity(t *testing.T, p probe, vx, vy field) (field, field) {
	if p.name != "velocity" {
		return vx, vy
	}
	edits := map[string]func(x, y float64) (float64, float64){
		"negated":    func(x, y float64) (float64, float64) { return -x, -y },
		"times_10":   func(x, y float64) (float64, float64) { return x * 10, y * 10 },
		"zero":       func(x, y float64) (float64, float64) { return 0, 0 },
		"swapped":    func(x, y float64) (float64, float64) { return y, x },
		"rotated_90": func(x, y float64) (float64, float64) { return -y, x },
		"rotated_45": func(x, y float64) (float64, float64) { return (x - y) / math.Sqrt2, (x + y) / math.Sqrt2 },
		"x_only":     func(x, y float64) (float64, float64) { return x, 0 },
		"plus_5_px":  func(x, y float64) (float64, float64) { return x + 5, y + 5 },
	}
	edit, ok := edits[p.text()]
	if !ok {
		t.Fatalf("unknown edit %s", p.text())
	}
	h, w := vx.shape[0], vx.shape[1]
	x := made(h, w, func(i, j int) float64 { v, _ := edit(vx.at(i, j), vy.at(i, j)); return v })
	y := made(h, w, func(i, j int) float64 { _, v := edit(vx.at(i, j), vy.at(i, j)); return v })
	return x, y
}
