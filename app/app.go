// Package app is the workbench: the window, its panels, menus and keys. It shows a session and calls its methods; it decides
// nothing about scores, pixels or files itself.
//
// One table of actions (actions.go) makes the menus, the key bindings and the key sheet. One observer (Workbench.changed)
// tells the panels what changed; each panel names in a small interface what it needs of the session. Nothing here may take
// longer than 8 ms: reading, scoring and encoding happen in the session's jobs or on goroutines that report back by post.
package app

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/software"

	"coverslip/datasets/atomic"
)

// Options say what the window opens with. The fields after Demo are for tests and measurements.
type Options struct {
	Paths []string // task folders, runs, images
	Demo  bool     // open the demo
	View  string   // a View text to show first

	Width, Height int         // of the window in dp; 0: as last time
	Screenshot    string      // write the window as PNG to this file once all is loaded
	Quit          bool        // and then end
	End           func(error) // ends the program, with what went wrong if anything
	Hold          int         // step through so many slices as a held key does and tell on Ready what was drawn
	Measure       int         // step through so many slices and tell on Ready how long they took
	Ready         io.Writer   // gets a line "ready" with the milliseconds since Start when the first picture is on screen
	Start         time.Time
}

// Preferences hold the state of the window, nothing of the user's data.
const (
	prefRecent    = "recent"
	prefFolder    = "folder"
	prefWidth     = "width"
	prefHeight    = "height"
	prefLeft      = "left column"
	prefRight     = "right column"
	prefSplit     = "score panel"
	prefSave      = "save folder"
	prefAxes      = "axes"      // by task or file, as JSON
	prefBookmarks = "bookmarks" // of all tasks, as JSON
)

const (
	defaultWidth, defaultHeight = 1360, 850
	leastWidth, leastHeight     = 900, 560
)

// storing is how long the toolkit may take to write the preferences that changed last, some of them late.
const storing = 400 * time.Millisecond

// Run opens the window and ends the program when it is closed, through Options.End. The toolkit is not asked to end: now and then it then
// waits for itself, or sends on a channel that it has closed.
func Run(a fyne.App, o Options) error {
	w := newWorkbench(a, o, fyne.Do)
	var failed error
	w.leave = func() {
		w.window.Hide()
		time.AfterFunc(storing, func() {
			w.post(func() {
				w.session.Close()
				o.End(failed)
			})
		})
	}
	w.window.Show()
	w.open(o)
	if o.Screenshot != "" {
		w.whenIdle(func() {
			failed = w.writeScreenshot(o.Screenshot)
			w.quitIf(o.Quit)
		})
	}
	if o.Hold > 0 {
		w.whenIdle(func() { w.hold(o.Hold, o.Ready, func() { w.quitIf(o.Quit) }) })
	}
	if o.Measure > 0 {
		w.whenIdle(func() { w.measure(o.Measure, o.Ready, func() { w.quitIf(o.Quit) }) })
	}
	a.Run()
	w.session.Close()
	return failed
}

func (w *Workbench) open(o Options) {
	if o.Demo {
		w.session.OpenDemo()
	}
	if len(o.Paths) > 0 {
		w.session.Open(o.Paths...)
	}
}

// composed is told of each frame that showed a scene, and of each listing of a table; the first one makes the window ready.
func (w *Workbench) composed(time.Duration) {
	if w.ready == nil {
		return
	}
	out := w.ready
	w.ready = nil
	w.post(func() { fmt.Fprintf(out, "ready %d ms\n", time.Since(w.start).Milliseconds()) })
}

// restFor is how long the window must have had nothing to do to count as idle.
const restFor = 400 * time.Millisecond

// whenIdle runs f once when all work is done and the window has come to rest.
func (w *Workbench) whenIdle(f func()) {
	idle := newPulse(w.post)
	quietSince := time.Now()
	idle.Start(50*time.Millisecond, func() {
		if len(w.session.JobList()) > 0 || w.session.Loading() || w.cells.Busy() {
			quietSince = time.Now()
		}
		if time.Since(quietSince) >= restFor {
			idle.Stop()
			f()
		}
	})
}

func (w *Workbench) quitIf(asked bool) {
	if asked {
		w.quit()
	}
}

func (w *Workbench) writeScreenshot(path string) error {
	return atomic.Write(path, func(f io.Writer) error { return png.Encode(f, w.capture()) })
}

// capture is the window as it is on screen. Some software GL drivers give back only black; then the window is drawn anew in
// software, without its menu bar.
func (w *Workbench) capture() image.Image {
	if im := w.window.Canvas().Capture(); !isBlank(im) {
		return im
	}
	keep := canvas.NewRectangle(color.Transparent) // a canvas shrinks its content to the least size, unless that is this
	keep.SetMinSize(w.window.Content().Size())
	c := software.NewCanvas()
	c.SetPadded(false)
	c.SetContent(container.NewStack(keep, w.window.Content()))
	return c.Capture()
}

// isBlank tells whether nearly all pixels of a coarse grid are black. No part of the window is.
func isBlank(im image.Image) bool {
	b := im.Bounds()
	black, all := 0, 0
	for y := b.Min.Y; y < b.Max.Y; y += 7 {
		for x := b.Min.X; x < b.Max.X; x += 7 {
			all++
			if r, g, b, _ := im.At(x, y).RGBA(); r|g|b == 0 {
				black++
			}
		}
	}
	return black*100 >= all*95
}

func (w *Workbench) restoreSizes(o Options) {
	p := w.app.Preferences()
	width, height := float32(o.Width), float32(o.Height)
	if width <= 0 || height <= 0 {
		width, height = float32(p.FloatWithFallback(prefWidth, defaultWidth)), float32(p.FloatWithFallback(prefHeight, defaultHeight))
	}
	w.sides.left, w.sides.right = float32(p.FloatWithFallback(prefLeft, defaultLeft)), float32(p.FloatWithFallback(prefRight, defaultRight))
	w.right.SetOffset(p.FloatWithFallback(prefSplit, defaultSplit))
	w.window.Resize(fyne.NewSize(max(width, leastWidth), max(height, leastHeight)))
}

func (w *Workbench) storeSizes() {
	p, size := w.app.Preferences(), w.window.Canvas().Size()
	p.SetFloat(prefWidth, float64(size.Width))
	p.SetFloat(prefHeight, float64(size.Height))
	p.SetFloat(prefLeft, float64(w.sides.left))
	p.SetFloat(prefRight, float64(w.sides.right))
	p.SetFloat(prefSplit, w.right.Offset)
}

func (w *Workbench) storeRecent() {
	w.app.Preferences().SetStringList(prefRecent, w.session.Recent())
}

func (w *Workbench) rememberFolder(dir string) { w.app.Preferences().SetString(prefFolder, dir) }
