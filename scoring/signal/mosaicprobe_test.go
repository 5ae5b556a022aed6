package signal

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/tiff"
	"coverslip/datasets/tabular/python"
)

// volume is a stack of planes, Z C Y X, in whole numbers.
type volume struct {
	z, c, y, x int
	at         func(z, c, y, x int) float64
}

func readVolume(t testing.TB, file string) volume {
	t.Helper()
	a, err := raster.ReadArray(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	values := toFloats(a.Values)
	v := volume{z: a.Shape[0], c: a.Shape[1], y: a.Shape[2], x: a.Shape[3]}
	v.at = func(z, c, y, x int) float64 { return values[((z*v.c+c)*v.y+y)*v.x+x] }
	return v
}

// write stores a volume with named axes; planes alone have no z.
func (v volume) write(t testing.TB, file string, flat bool) {
	t.Helper()
	values := make([]uint16, 0, v.z*v.c*v.y*v.x)
	for z := range v.z {
		for c := range v.c {
			for y := range v.y {
				for x := range v.x {
					values = append(values, uint16(v.at(z, c, y, x)))
				}
			}
		}
	}
	a := raster.Array{Shape: []int{v.z, v.c, v.y, v.x}, Axes: "ZCYX", Type: raster.Uint16, Values: values}
	if flat {
		a.Shape, a.Axes = a.Shape[1:], "CYX"
	}
	var b bytes.Buffer
	if err := tiff.Encode(&b, a, tiff.EncodeOptions{}); err != nil {
		t.Fatal(err)
	}
	writeFile(t, file, b.Bytes())
}

// writeMosaicProbe edits the truth's stack, or the perfect summary.
func writeMosaicProbe(t *testing.T, p probe, task, out string) {
	old := readVolume(t, filepath.Join(task, "evaluation", "day15_stitched_mosaic.lsm"))
	v := old
	n := p.whole()
	switch p.name {
	case "crop_right_px":
		v.x -= n
	case "crop_right_and_bottom_px":
		v.x, v.y = v.x-n, v.y-n
	case "roll_x_px":
		v.at = func(z, c, y, x int) float64 { return old.at(z, c, y, (x-n+old.x)%old.x) }
	case "roll_y_px":
		v.at = func(z, c, y, x int) float64 { return old.at(z, c, (y-n+old.y)%old.y, x) }
	case "channel_order":
		order := p.value.([]any)
		v.at = func(z, c, y, x int) float64 { return old.at(z, int(order[c].(float64)), y, x) }
	case "z_slices":
		v.z = n
		if p.text() == "max_projection" {
			v.z = 1
			v.at = func(_, c, y, x int) float64 {
				most := 0.0
				for z := range old.z {
					most = max(most, old.at(z, c, y, x))
				}
				return most
			}
		}
	case "z_order_reversed":
		v.at = func(z, c, y, x int) float64 { return old.at(old.z-1-z, c, y, x) }
	case "channels":
		v.c = n
	case "intensity":
		v.at = func(z, c, y, x int) float64 {
			switch s := old.at(z, c, y, x); p.text() {
			case "inverted":
				return 255 - s
			case "halved":
				return float64(int(s) / 2)
			}
			return 7
		}
	case "flip_x":
		v.at = func(z, c, y, x int) float64 { return old.at(z, c, y, old.x-1-x) }
	case "means_times", "scored_features_reported", "populations_swapped":
	default:
		t.Fatalf("unknown probe %s", p.name)
	}
	v.write(t, filepath.Join(out, "stitched.tif"), p.text() == "max_projection")
	writeSummaryProbe(t, p, filepath.Join(task, "pred", "summary_statistics.csv"), filepath.Join(out, "summary_statistics.csv"))
}

func writeSummaryProbe(t *testing.T, p probe, file, out string) {
	table, err := readTable(file)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(strings.Join(table.names, ",") + "\n")
	scored := []string{"Bodipy Sigma", "DAPI r", "CD45 rf"}
	for _, row := range table.rows {
		row = append([]string(nil), row...)
		switch p.name {
		case "means_times":
			v, _ := python.Float(row[3])
			row[3] = exactText(v * p.number())
		case "scored_features_reported":
			if !strings.Contains(strings.Join(scored[:p.whole()], ";"), row[1]+" "+row[2]) || p.whole() == 0 {
				continue
			}
		case "populations_swapped":
			row[0] = map[string]string{"WBC": "MCF7", "MCF7": "WBC"}[row[0]]
		}
		fmt.Fprintln(&b, strings.Join(row, ","))
	}
	writeFile(t, out, []byte(b.String()))
}
