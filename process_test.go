package main

import (
	"bytes"
	"encoding/binary"
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

// BenchmarkHeldKey holds a key through 1,000 slices of 1024 x 1024 and back in the real window, as fast as no hand can, and reports what
// was drawn.
func BenchmarkHeldKey(b *testing.B) {
	binary := builtWindow(b)
	stack := filepath.Join(b.TempDir(), "stack.tif")
	if err := os.WriteFile(stack, stackHeader(1000, 1024, 1024), 0o644); err != nil {
		b.Fatal(err)
	}
	if err := os.Truncate(stack, 1<<10+1000*1024*1024); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		var n, wrong, more int
		var frames, ui float64
		line := lastLine(b, homeless(b), binary, "held", stack, "--window-size", "1280x800", "--hold", "10000", "--quit")
		if _, err := fmt.Sscanf(line, "held through %d slices, %f frames a second, %d wrong, a key took the UI at most %f ms, memory %d MiB", &n, &frames, &wrong, &ui, &more); err != nil {
			b.Fatalf("%q: %v", line, err)
		}
		b.ReportMetric(frames, "frames/s")
		b.ReportMetric(float64(wrong), "wrong")
		b.ReportMetric(ui, "ui-ms")
		b.ReportMetric(float64(more), "MiB-more")
	}
}

// stackHeader is the first kilobyte of an ImageJ stack of n slices of uint8, whose pixels follow it slice by slice.
func stackHeader(n, h, w int) []byte {
	le := binary.LittleEndian
	text := fmt.Sprintf("ImageJ=1.53\nimages=%d\nslices=%d\n\x00", n, n)
	const textAt, pixelsAt = 256, 1 << 10
	b := append([]byte("II*\x00"), 8, 0, 0, 0)
	entries := [][3]int{{256, 1, w}, {257, 1, h}, {258, 1, 8}, {259, 1, 1}, {262, 1, 1}, {270, len(text), textAt}, {273, 1, pixelsAt}, {277, 1, 1}, {278, 1, h}, {279, 1, h * w}}
	b = le.AppendUint16(b, uint16(len(entries)))
	for _, e := range entries {
		kind := uint16(4)
		if e[0] == 270 {
			kind = 2
		}
		b = le.AppendUint16(b, uint16(e[0]))
		b = le.AppendUint16(b, kind)
		b = le.AppendUint32(b, uint32(e[1]))
		b = le.AppendUint32(b, uint32(e[2]))
	}
	b = le.AppendUint32(b, 0)
	b = append(b, make([]byte, textAt-len(b))...)
	b = append(b, text...)
	return append(b, make([]byte, pixelsAt-len(b))...)
}
