package track_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
	"coverslip/scoring/call/calltest"
	"coverslip/scoring/track"
)

const deliverables = "- {id: segmentation_masks, description: masks, filename_pattern: '*_RES.ome.tif*', format: label stack, required: true, multi: false}\n" +
	"- {id: tracking_lineage, description: lineage, filename_pattern: '*track*.txt', format: text, required: true, multi: false}\n"

// colony draws rods on a grid of places that drift a little; every tenth divides in the middle of the movie. wrong is
// the share of cells that are left out or shifted.
func colony(frames, size, cells int, wrong float64, seed uint64) (pixel.Array, string) {
	r := rand.New(rand.NewPCG(seed, 2))
	v := make([]uint16, frames*size*size)
	side := 1
	for side*side < cells {
		side++
	}
	pitch := size / side
	var lineage strings.Builder
	for c := range cells {
		y0, x0 := c/side*pitch+pitch/4, c%side*pitch+pitch/4
		id, half := c+1, frames/2
		divides := c%10 == 0
		if divides {
			fmt.Fprintf(&lineage, "%d 0 %d 0\n%d %d %d %d\n%d %d %d %d\n", id, half-1, cells+2*id, half, frames-1, id, cells+2*id+1, half, frames-1, id)
		} else {
			fmt.Fprintf(&lineage, "%d 0 %d 0\n", id, frames-1)
		}
		for t := range frames {
			dy, dx := (t/7)%3, (t/5)%3
			if r.Float64() < wrong {
				if r.IntN(2) == 0 {
					continue
				}
				dy += 2
			}
			for y := range pitch / 2 {
				for x := range pitch / 2 {
					label := id
					if divides && t >= half {
						if label = cells + 2*id; x >= pitch/4 {
							label++
						}
					}
					if yy, xx := y0+dy+y, x0+dx+x; yy < size && xx < size {
						v[(t*size+yy)*size+xx] = uint16(label)
					}
				}
			}
		}
	}
	return pixel.Array{Shape: []int{frames, size, size}, Axes: "TYX", Type: pixel.Uint16, Values: v}, lineage.String()
}

func encode(t testing.TB, a pixel.Array) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := tiff.Encode(&b, a, tiff.EncodeOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// files are the files of a task whose truth and answer are given.
func files(t testing.TB, truth, pred pixel.Array, truthRows, predRows string) map[string][]byte {
	return map[string][]byte{
		"evaluation/00_GT.ome.tif": encode(t, truth), "evaluation/man_track.txt": []byte(truthRows),
		"pred/00_RES.ome.tif": encode(t, pred), "pred/res_track.txt": []byte(predRows),
	}
}

// BenchmarkTracking scores a movie of 800 frames of 512 x 512 with 220 cells each from its files.
func BenchmarkTracking(b *testing.B) {
	truth, rows := colony(800, 512, 220, 0, 1)
	pred, _ := colony(800, 512, 220, 0.1, 2)
	size := 2 * 2 * len(truth.Values.([]uint16))
	task := calltest.WriteTask(b, taskID, deliverables, "", files(b, truth, pred, rows, rows))
	truth, pred = pixel.Array{}, pixel.Array{}
	calltest.Bench(b, track.Tracking, task, size)
}
