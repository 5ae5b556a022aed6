package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The benchmarks of whole processes. `make bench` builds the workbench and names it in COVERSLIP_WINDOW.

func builtWindow(b *testing.B) string {
	binary := os.Getenv("COVERSLIP_WINDOW")
	if binary == "" {
		b.Skip("COVERSLIP_WINDOW does not name a built workbench; `make bench` does that")
	}
	return binary
}

// BenchmarkProcessScore is `coverslip score` of a tiny task, the whole process.
func BenchmarkProcessScore(b *testing.B) {
	binary := builtWindow(b)
	dir := filepath.Join("scoring", "testdata", "he-nuinsseg-nuclear-segmentation", "index-match")
	var took []float64
	for b.Loop() {
		begin := time.Now()
		if out, err := exec.Command(binary, "score", dir, filepath.Join(dir, "pred"), "--json").CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		took = append(took, float64(time.Since(begin).Microseconds())/1000)
	}
	b.ReportMetric(median(took), "median-ms")
}

// BenchmarkWindowReady is the time from the start of the process to the first picture of the demo on screen.
func BenchmarkWindowReady(b *testing.B) {
	binary := builtWindow(b)
	env := demoHome(b, binary)
	var took []float64
	for b.Loop() {
		var ms float64
		line := lastLine(b, env, binary, "ready", "--demo", "--window-size", "1280x800", "--screenshot", filepath.Join(b.TempDir(), "shot.png"), "--quit")
		if _, err := fmt.Sscanf(line, "ready %f ms", &ms); err != nil {
			b.Fatalf("%q: %v", line, err)
		}
		took = append(took, ms)
	}
	b.ReportMetric(median(took), "median-ms")
}

// BenchmarkNextSlice is the time from the key to the end of the frame that shows the next slice of the demo stack.
func BenchmarkNextSlice(b *testing.B) {
	binary := builtWindow(b)
	env := demoHome(b, binary)
	const task = "3d-fluo-cell-segmentation-lateral-line-idr0079"
	demo, err := filepath.Glob(filepath.Join(b.TempDir(), "..", "*", "cache", "coverslip", "demo-*"))
	if err != nil || len(demo) == 0 {
		b.Fatalf("no demo: %v", err)
	}
	for b.Loop() {
		var n int
		var p50, p99, ours50, ours99 float64
		line := lastLine(b, env, binary, "slices", filepath.Join(demo[0], "tasks", task), filepath.Join(demo[0], "runs", task, "careful"),
			"--window-size", "1280x800", "--measure", "60", "--quit")
		if _, err := fmt.Sscanf(line, "slices %d, key to frame p50 %f ms p99 %f ms, of which our drawing p50 %f ms p99 %f ms", &n, &p50, &p99, &ours50, &ours99); err != nil {
			b.Fatalf("%q: %v", line, err)
		}
		b.ReportMetric(p50, "p50-ms")
		b.ReportMetric(p99, "p99-ms")
		b.ReportMetric(ours50, "our-p50-ms")
		b.ReportMetric(ours99, "our-p99-ms")
	}
}

// demoHome is an environment whose cache holds the demo already.
func demoHome(b *testing.B, binary string) []string {
	env := homeless(b)
	c := exec.Command(binary, "demo")
	c.Env = env
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return env
}

// lastLine runs the workbench on a display of its own to its end and gives the line of its log that begins so.
func lastLine(b *testing.B, env []string, binary, begin string, args ...string) string {
	b.Helper()
	c := exec.Command(binary, args...)
	c.Env = append(slices.Clone(env), "DISPLAY="+startXvfb(b, b.Context()))
	var log bytes.Buffer
	c.Stderr = &log
	if err := c.Run(); err != nil {
		b.Fatalf("%v: %s", err, log.String())
	}
	for _, line := range strings.Split(log.String(), "\n") {
		if strings.HasPrefix(line, begin) {
			return line
		}
	}
	b.Fatalf("no line %q in %s", begin, log.String())
	return ""
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}
