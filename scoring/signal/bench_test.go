package signal

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/datasets/tabular"
	"coverslip/scoring/call/calltest"
)

// deliverable is one entry of a spec.
func deliverable(id, pattern string, multi bool) string {
	return fmt.Sprintf("- id: %s\n  description: d\n  filename_pattern: '%s'\n  format: f\n  required: true\n  multi: %v\n", id, pattern, multi)
}

// randomLists makes a truth of n localisations in each of some frames, and an answer with jitter, gaps and extras.
func randomLists(frames, n int) (pred, truth []tabular.Localisation) {
	rng := rand.New(rand.NewPCG(5, 1723))
	side := math.Sqrt(float64(n)) * 6
	for f := range frames {
		for range n {
			l := tabular.Localisation{Frame: float64(f), X: rng.Float64() * side, Y: rng.Float64() * side, Intensity: 1000 + 3000*rng.Float64()}
			truth = append(truth, l)
			switch rng.IntN(10) {
			case 0:
				continue
			case 1:
				pred = append(pred, tabular.Localisation{Frame: l.Frame, X: rng.Float64() * side, Y: rng.Float64() * side})
			}
			l.X, l.Y, l.Intensity = l.X+0.3*rng.NormFloat64(), l.Y+0.3*rng.NormFloat64(), l.Intensity*(1+0.1*rng.NormFloat64())
			pred = append(pred, l)
		}
	}
	return pred, truth
}

func listText(rows []tabular.Localisation) []byte {
	var b strings.Builder
	b.WriteString("frame\tx\ty\tintensity\n")
	for _, l := range rows {
		fmt.Fprintf(&b, "%.0f\t%.4f\t%.4f\t%.2f\n", l.Frame, l.X, l.Y, l.Intensity)
	}
	return []byte(b.String())
}

func localisationTask(t testing.TB, pred, truth []byte) *biabench.Task {
	return calltest.WriteTask(t, smlmTask, deliverable("localization_list", "*LocalizationList*.txt", false), "",
		map[string][]byte{"pred/a_LocalizationList.txt": pred, "evaluation/DNAPAINT_LocalizationList.txt": truth})
}

// Goal: 200,000 localisations in 100 frames within 0.10 s.
func BenchmarkLocalisations(b *testing.B) {
	pred, truth := randomLists(100, 2000)
	p, t := listText(pred), listText(truth)
	calltest.Bench(b, Localisations, localisationTask(b, p, t), len(p)+len(t))
}

// randomPage is a sheet of curves with an onset.
func randomPage(rng *rand.Rand, name string, rows int) page {
	p := page{name: name, header: []string{"Time Point", "Time after anaphase onset (min)"}}
	for i := range 24 {
		kind := []string{"Volume_Nucleus", "SurfaceArea_Nucleus", "Normalized_total_Intensity_InnerCore", "Normalized_total_Intensity_NonCore"}[i%4]
		p.header = append(p.header, fmt.Sprintf("%s_%d", kind, i/4+1))
	}
	for r := range rows {
		row := []float64{float64(r), float64(r-20) / 2}
		for range 24 {
			row = append(row, 1/(1+math.Exp(-float64(r-60)/20))+0.02*rng.NormFloat64())
		}
		p.rows = append(p.rows, row)
	}
	return p
}

// Goal: 10 sheets of 290 rows and 26 columns, 10 predicted workbooks within 0.05 s.
func BenchmarkKinetics(b *testing.B) {
	rng := rand.New(rand.NewPCG(14, 290))
	files := map[string][]byte{}
	var pages []page
	for i := range 10 {
		name := fmt.Sprintf("160701-cell%d", i+1)
		pages = append(pages, randomPage(rng, name, 290))
		files["pred/"+name+".xlsx"] = workbook(b, []page{randomPage(rng, name, 290)})
	}
	files["evaluation/processed data NUP107.xlsx"] = workbook(b, pages)
	task := calltest.WriteTask(b, npcTask, deliverable("kinetics_per_cell", "*.xlsx", true), "", files)
	calltest.Bench(b, Kinetics, task, 20*290*26*8)
}

// Goal: 6 experiments, fields of 1024 x 1024 within 0.2 s.
func BenchmarkKymographs(b *testing.B) {
	rng := rand.New(rand.NewPCG(8, 1024))
	task := calltest.WriteTask(b, woundTask, deliverable("velocity_x", "*_mf_dxs.tif*", true)+deliverable("velocity_y", "*_mf_dys.tif*", true)+
		deliverable("speed_kymograph", "*speedKymograph.tif*", true), woundRubric, nil)
	const side = 1024
	for i := range 6 {
		writeExperiment(b, rng, task.Dir, fmt.Sprintf("exp%d_L%d", i, i), side, 0.2)
	}
	calltest.Bench(b, Kymographs, task, 6*(side*side*(4*8+1)))
}

const woundRubric = "kymograph_accuracy_weight: 0.5\n  spatial_pattern_weight: 0.25\n  velocity_direction_weight: 0.15\n  deliverable_completeness_weight: 0.1"

// writeExperiment writes truth, mask and a noisy answer of one experiment.
func writeExperiment(t testing.TB, rng *rand.Rand, dir, key string, side int, noise float64) {
	edge := func(x int) float64 { return float64(side)/2 + float64(side)/20*math.Sin(float64(x)/float64(side)*20) }
	mask := made(side, side, func(y, x int) float64 {
		if float64(y) > edge(x) {
			return 1
		}
		return 0
	})
	mask.write(t, filepath.Join(dir, "input", key, key+"_roi.tif"))
	k := made(23, 40, func(y, x int) float64 { return 20 - 0.6*float64(y) + 0.1*float64(x) + rng.NormFloat64() })
	vx := made(side, side, func(int, int) float64 { return rng.NormFloat64() })
	vy := made(side, side, func(int, int) float64 { return -2 + rng.NormFloat64() })
	add := func(f field) field {
		return made(f.shape[0], f.shape[1], func(y, x int) float64 { return f.at(y, x) + noise*rng.NormFloat64() })
	}
	for _, file := range []struct {
		kind string
		field
	}{{"_speedKymograph.tif", k}, {"_mf_dxs.tif", vx}, {"_mf_dys.tif", vy}} { // in order, so that the seed makes the same files
		file.write(t, filepath.Join(dir, "evaluation", key, key+file.kind))
		add(file.field).write(t, filepath.Join(dir, "pred", key+file.kind))
	}
}

// Goal: two stacks of 3 x 4 x 7500 x 7500 within 0.10 s and 100 MiB: the bands alone are read.
func BenchmarkMosaic(b *testing.B) {
	const side, band = 7500, 100
	task := mosaicTaskOf(b)
	rng := rand.New(rand.NewPCG(15, side))
	rawMosaic(b, filepath.Join(task.Dir, "evaluation", "mosaic.tif"), side, side, rng.IntN)
	rng = rand.New(rand.NewPCG(15, side))
	rawMosaic(b, filepath.Join(task.Dir, "pred", "stitched.tif"), side, side, func(n int) int { return rng.IntN(n) * 9 / 10 })
	calltest.Bench(b, Mosaic, task, 2*12*side*band*2)
}

// mosaicTaskOf is a task with tables and no images.
func mosaicTaskOf(t testing.TB) *biabench.Task {
	table, summary := "Feature,WBC_Mean,WBC_SD,MCF7_Mean,MCF7_SD,D\n", "population,channel,feature,mean,sd,n\n"
	for i, f := range []string{"Bodipy Sigma", "DAPI r", "CD45 rf"} {
		table += fmt.Sprintf("%s,%d,1,%d,1,%d\n", f, i+2, 3*i+4, i+1)
		channel, name, _ := strings.Cut(f, " ")
		summary += fmt.Sprintf("WBC,%s,%s,%d,1,9\nMCF7,%s,%s,%d,1,9\n", channel, name, i+2, channel, name, 3*i+4)
	}
	return calltest.WriteTask(t, mosaicTask, deliverable("stitched_image", "*stitch*.tif*", false)+deliverable("summary_statistics", "*summary*statistic*.csv", false)+
		strings.Replace(deliverable("per_cell_features", "*feature*.csv", false), "true", "false", 1), "",
		map[string][]byte{"evaluation/reference_table_1.csv": []byte(table), "pred/summary_statistics.csv": []byte(summary)})
}

// rawMosaic writes 3 pages of 4 planar samples without compression; only the band in the middle is stored, the rest is a
// hole in the file.
func rawMosaic(t testing.TB, file string, h, w int, value func(n int) int) {
	t.Helper()
	note := fmt.Sprintf(`{"shape": [3, 4, %d, %d], "axes": "ZCYX"}`, h, w)
	plane := int64(h * w * 2)
	const head = 4096
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	write := func(b []byte, at int64) {
		if _, err := out.WriteAt(b, at); err != nil {
			t.Fatal(err)
		}
	}
	le := binary.LittleEndian
	write(append([]byte("II*\x00"), le.AppendUint32(nil, 8)...), 0)
	write([]byte(note), 2048)
	for page := range 3 {
		data := head + int64(page)*4*plane
		arrays := make([]byte, 0, 64)
		for s := range 4 {
			arrays = le.AppendUint32(arrays, uint32(data+int64(s)*plane))
		}
		for range 4 {
			arrays = le.AppendUint32(arrays, uint32(plane))
		}
		for range 4 {
			arrays = le.AppendUint16(arrays, 16)
		}
		ifd, store := int64(8+page*256), int64(1024+page*64)
		write(arrays, store)
		entries := [][4]uint32{{256, 4, 1, uint32(w)}, {257, 4, 1, uint32(h)}, {258, 3, 4, uint32(store + 32)}, {259, 3, 1, 1}, {262, 3, 1, 1},
			{273, 4, 4, uint32(store)}, {277, 3, 1, 4}, {278, 4, 1, uint32(h)}, {279, 4, 4, uint32(store + 16)}, {284, 3, 1, 2}}
		if page == 0 {
			entries = append(entries[:5:5], append([][4]uint32{{270, 2, uint32(len(note) + 1), 2048}}, entries[5:]...)...)
		}
		b := le.AppendUint16(nil, uint16(len(entries)))
		for _, e := range entries {
			b = le.AppendUint16(le.AppendUint16(b, uint16(e[0])), uint16(e[1]))
			b = le.AppendUint32(le.AppendUint32(b, e[2]), e[3])
		}
		next := uint32(ifd + 256)
		if page == 2 {
			next = 0
		}
		write(le.AppendUint32(b, next), ifd)
		y0, y1 := bandRows(h, 100)
		for s := range 4 {
			row := make([]byte, 0, (y1-y0)*w*2)
			for range (y1 - y0) * w {
				row = le.AppendUint16(row, uint16(value(1000)))
			}
			write(row, data+int64(s)*plane+int64(y0*w*2))
		}
	}
	if err := out.Truncate(head + 12*plane); err != nil {
		t.Fatal(err)
	}
}
