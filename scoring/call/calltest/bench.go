package calltest

import (
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"coverslip/datasets/biabench"
)

// Bench scores the run of a task again and again. It reports peak-MiB, the highest heap in use in a run of its own, sampled
// each millisecond, and copy-ratio, the time over that of copying the given number of bytes, which the inputs have in memory.
func Bench(b *testing.B, calculate Calculator, task *biabench.Task, size int) {
	copied := copyTime(size)
	once := func() {
		r := RunTask(b, calculate, task, filepath.Join(task.Dir, "pred"))
		if r.Result.None || r.Result.Value < 0.3 {
			b.Fatalf("%+v", r.Result)
		}
	}
	peak := PeakHeap(once)
	b.ReportAllocs()
	b.SetBytes(int64(size))
	for b.Loop() {
		once()
	}
	b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(copied), "copy-ratio")
}

// copyTime is the time of copying size bytes in memory, the best of five; of more than 64 MiB a part is copied.
func copyTime(size int) time.Duration {
	part := min(size, 64<<20)
	from, to := make([]byte, part), make([]byte, part)
	copy(to, from) // touches the pages
	best := time.Hour
	for range 5 {
		start := time.Now()
		copy(to, from)
		best = min(best, time.Since(start))
	}
	return max(1, time.Duration(float64(best)*float64(size)/float64(part)))
}

// PeakHeap is the highest heap in use in a run that begins without the garbage of others. Runs that are timed are not
// watched: a look at the heap stops the program.
func PeakHeap(run func()) uint64 {
	runtime.GC()
	stop, peak := make(chan bool), make(chan uint64)
	go watchHeap(stop, peak)
	run()
	stop <- true
	return <-peak
}

// watchHeap samples the heap until told to stop.
func watchHeap(stop chan bool, peak chan uint64) {
	var most uint64
	var m runtime.MemStats
	for {
		select {
		case <-stop:
			peak <- most
			return
		case <-time.After(time.Millisecond):
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
		}
	}
}
