package track_test

import (
	"path/filepath"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster/pixel"
	"coverslip/scoring/call/calltest"
	"coverslip/scoring/report"
	"coverslip/scoring/track"
)

// Goal: a movie of 800 frames of 512 x 512 with 220 cells each within 1 s.
func BenchmarkTrackingExhibit(b *testing.B) {
	truth, rows := colony(800, 512, 220, 0, 1)
	pred, _ := colony(800, 512, 220, 0.1, 2)
	task := calltest.WriteTask(b, taskID, deliverables, "", files(b, truth, pred, rows, rows))
	truth, pred = pixel.Array{}, pixel.Array{}
	run := &biabench.Run{Dir: filepath.Join(task.Dir, "pred")}
	rep := calltest.RunTask(b, track.Tracking, task, run.Dir)
	b.ReportAllocs()
	for b.Loop() {
		x, err := track.TrackingExhibit(b.Context(), task, run, rep, 0)
		if err != nil || len(x.Tracks) != 2 || len(x.Tracks[report.TruthSide].Tracks) < 220 {
			b.Fatal(err)
		}
	}
}
