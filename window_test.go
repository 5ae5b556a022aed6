package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"coverslip/datasets/demo"
)

// TestRealWindow drives the built workbench under Xvfb as a person would: it waits for the first picture, presses keys, looks at
// screenshots, and reads the log for widgets touched off the UI goroutine. `make smoke` builds both binaries and names them.
func TestRealWindow(t *testing.T) {
	for _, env := range []string{"COVERSLIP_WINDOW", "COVERSLIP_CHECKED"} {
		t.Run(env, func(t *testing.T) {
			binary := os.Getenv(env)
			if binary == "" {
				t.Skipf("%s does not name a built workbench; `make smoke` does that", env)
			}
			for _, tool := range []string{"Xvfb", "xdotool", "import"} {
				if _, err := exec.LookPath(tool); err != nil {
					t.Fatalf("%s is not installed; `make test` installs it where it can", tool)
				}
			}
			home := homeless(t)
			walkThroughTheDemo(t, startDesk(t, binary, home, "--demo", "--window-size", "1280x800"))
			walkThroughAStack(t, startDesk(t, binary, home, append(stackOfTheDemo(t), "--window-size", "1280x800")...))
		})
	}
}

func walkThroughTheDemo(t *testing.T, d *desk) {
	first := d.screenshot()
	if n := colours(first); n < 1000 {
		t.Fatalf("the first picture has %d colours: there is no image on screen", n)
	}
	d.key("w")
	worst := d.change(first, "W did not move to the worst error")
	d.key("n")
	next := d.change(worst, "N did not move to the next error")
	d.key("g")
	truth := d.change(next, "G did not show the truth")
	d.key("shift+slash")
	sheet := d.change(truth, "? did not show the keys")
	d.key("Escape")
	d.change(sheet, "Escape did not close the key sheet")
	d.key("ctrl+q")
	if err := d.wait(); err != nil {
		t.Errorf("the window did not close in order: %v", err)
	}
	if log := d.log(); strings.Contains(log, "Error in Fyne call thread") {
		t.Errorf("a widget was touched off the UI goroutine:\n%s", log)
	}
}

// walkThroughAStack scrubs, plays, zooms, compares, looks at sections, a projection and a plot, and quits.
func walkThroughAStack(t *testing.T, d *desk) {
	last := d.screenshot()
	step := func(key, what string) {
		t.Helper()
		d.key(key)
		last = d.change(last, what)
	}
	step("period", ". did not go to the next slice")
	step("shift+period", "Shift+. did not go ten slices on")
	step("k", "K did not play")
	step("k", "K did not stop")
	step("plus", "+ did not zoom in")
	step("l", "L did not set answer and truth side by side")
	step("l", "L did not draw a curtain")
	step("l", "L did not show the sections")
	step("ctrl+shift+1", "Ctrl+Shift+1 did not give the picture back")
	step("j", "J did not project the slices")
	step("ctrl+4", "Ctrl+4 did not show the plots")
	d.key("ctrl+q")
	if err := d.wait(); err != nil {
		t.Errorf("the window did not close in order: %v", err)
	}
	if log := d.log(); strings.Contains(log, "Error in Fyne call thread") {
		t.Errorf("a widget was touched off the UI goroutine:\n%s", log)
	}
}

// stackOfTheDemo writes the demo's stack and gives its task and its best run.
func stackOfTheDemo(t *testing.T) []string {
	layout, err := demo.WriteTasks(context.Background(), filepath.Join(t.TempDir(), "demo"), nil, demo.First()[1])
	if err != nil {
		t.Fatal(err)
	}
	return []string{layout.Tasks[0], layout.Runs[layout.Tasks[0]][0]}
}

// desk is a display of its own with the workbench on it.
type desk struct {
	t       testing.TB
	display string
	program *exec.Cmd
	done    chan error

	mu   sync.Mutex
	text bytes.Buffer
}

// startDesk starts Xvfb and the workbench and returns when the first picture is on screen.
func startDesk(t testing.TB, binary string, env []string, args ...string) *desk {
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	t.Cleanup(cancel)
	d := &desk{t: t, done: make(chan error, 1), display: startXvfb(t, ctx)}
	d.program = exec.CommandContext(ctx, binary, args...)
	d.program.Env = append(slices.Clone(env), "DISPLAY="+d.display)
	out, err := d.program.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.program.Start(); err != nil {
		t.Fatal(err)
	}
	ready := make(chan string, 1)
	go d.listen(bufio.NewScanner(out), ready)
	select {
	case line := <-ready:
		t.Log(line)
	case <-time.After(60 * time.Second):
		t.Fatalf("no picture after a minute; the log:\n%s", d.log())
	}
	return d
}

// homeless is an environment in which the program finds no settings and no demo of the user's.
func homeless(t testing.TB) []string {
	home := t.TempDir()
	return append(os.Environ(), "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"), "LANG=en_US.UTF-8")
}

func startXvfb(t testing.TB, ctx context.Context) string {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	x := exec.CommandContext(ctx, "Xvfb", "-displayfd", "3", "-screen", "0", "1400x900x24", "-nolisten", "tcp")
	x.ExtraFiles = []*os.File{w}
	if err := x.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	t.Cleanup(func() { x.Process.Kill(); x.Wait() })
	var number int
	if _, err := fmt.Fscan(r, &number); err != nil {
		t.Fatalf("Xvfb gave no display number: %v", err)
	}
	return fmt.Sprintf(":%d", number)
}

func (d *desk) listen(lines *bufio.Scanner, ready chan<- string) {
	for lines.Scan() {
		d.mu.Lock()
		d.text.WriteString(lines.Text() + "\n")
		d.mu.Unlock()
		if strings.HasPrefix(lines.Text(), "ready") {
			ready <- lines.Text()
		}
	}
	d.done <- d.program.Wait()
}

func (d *desk) log() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.String()
}

func (d *desk) wait() error {
	select {
	case err := <-d.done:
		return err
	case <-time.After(15 * time.Second):
		d.program.Process.Kill()
		return fmt.Errorf("still running after 15 seconds")
	}
}

func (d *desk) run(name string, args ...string) []byte {
	d.t.Helper()
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), "DISPLAY="+d.display)
	out, err := c.Output()
	if err != nil {
		d.t.Fatalf("%s: %v", c, err)
	}
	return out
}

func (d *desk) key(name string) { d.run("xdotool", "key", name) }

func (d *desk) screenshot() image.Image {
	d.t.Helper()
	picture, err := png.Decode(bytes.NewReader(d.run("import", "-window", "root", "png:-")))
	if err != nil {
		d.t.Fatal(err)
	}
	return picture
}

// change waits until the screen differs clearly from what it was.
func (d *desk) change(before image.Image, complaint string) image.Image {
	d.t.Helper()
	for range 50 {
		now := d.screenshot()
		if differing(before, now) > 500 {
			time.Sleep(200 * time.Millisecond) // let it come to rest
			return d.screenshot()
		}
		time.Sleep(100 * time.Millisecond)
	}
	d.t.Fatal(complaint)
	return nil
}

func differing(a, b image.Image) int {
	n := 0
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				n++
			}
		}
	}
	return n
}

func colours(p image.Image) int {
	seen := map[[3]uint32]bool{}
	for y := p.Bounds().Min.Y; y < p.Bounds().Max.Y; y += 2 {
		for x := p.Bounds().Min.X; x < p.Bounds().Max.X; x += 2 {
			r, g, b, _ := p.At(x, y).RGBA()
			seen[[3]uint32{r, g, b}] = true
		}
	}
	return len(seen)
}
