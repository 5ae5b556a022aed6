//go:build !headless

package main

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	fyneapp "fyne.io/fyne/v2/app"

	"coverslip/app"
	"coverslip/app/cli"
	"coverslip/datasets/fault"
)

// appID names the preferences of the workbench; FyneApp.toml has the same.
const appID = "org.coverslip.Coverslip"

var started = time.Now()

// memoryGrowth is how many percent of the memory in use may be waste before it is collected. The caches of planes are most of what is in
// use, and browsing a large stack makes waste fast.
const memoryGrowth = 40

// openWindow runs the workbench until its window closes.
func openWindow(w cli.Window) error {
	o := app.Options{
		Paths: w.Paths, Demo: w.Demo, View: w.View, Width: w.Width, Height: w.Height,
		End:        func(err error) { os.Exit(cli.Program{Out: os.Stdout, Err: os.Stderr}.Ended(err)) },
		Screenshot: w.Screenshot, Quit: w.Quit, Measure: w.Measure, Hold: w.Hold, Ready: os.Stderr, Start: started,
	}
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		if w.Screenshot != "" && w.Quit {
			return app.Draw(context.Background(), o)
		}
		return &fault.Error{Kind: fault.Missing, Found: "no display to open a window on", Expected: "DISPLAY or WAYLAND_DISPLAY to be set",
			Fix: "The commands (`coverslip help`) work without one"}
	}
	debug.SetGCPercent(memoryGrowth)
	return app.Run(fyneapp.NewWithID(appID), o)
}
