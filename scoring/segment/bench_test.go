package segment

import (
	"math/rand/v2"
	"testing"
	"time"

	"coverslip/datasets/raster"
	"coverslip/scoring/internal/yardstick"
)

// The promises: a 2048 x 2048 pair with 2,000 instances within 60 ms and a 64 x 512 x 512 pair with 500 cells within
// 350 ms, reading included (BenchmarkScore in package scoring). Here is the kernel alone: count, match, mark, boundary.
// copy-ratio is the time over that of copying both arrays in memory, in the same run.
func BenchmarkKernel(b *testing.B) {
	for _, c := range []struct {
		name  string
		shape []int
		n     int
	}{{"plane2048-2000", []int{2048, 2048}, 2000}, {"volume64x512x512-500", []int{64, 512, 512}, 500}} {
		b.Run(c.name, func(b *testing.B) {
			pred, truth := cells(rand.New(rand.NewPCG(9, 9)), c.shape, c.n)
			b.ReportAllocs()
			b.SetBytes(int64(2 * (len(pred.Values.([]uint16)) + len(truth.Values.([]uint16)))))
			for b.Loop() {
				fastAll(b, pred, truth)
			}
			perOp := b.Elapsed() / time.Duration(b.N)
			b.ReportMetric(float64(perOp)/float64(yardstick.CopyTime(pred, truth)), "copy-ratio")
		})
	}
}

func fastAll(b *testing.B, pred, truth raster.Array) {
	census, err := Count(b.Context(), pred, truth, 0)
	if err != nil {
		b.Fatal(err)
	}
	marks := Annotate(census, Noun{})
	count(marks, census.Pred.Foreground, census.Truth.Foreground).scores()
	if len(pred.Shape) == 2 {
		if _, err := BoundaryF1(b.Context(), pred, truth, 0); err != nil {
			b.Fatal(err)
		}
	}
}
