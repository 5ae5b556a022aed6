//go:build !headless

package main

import (
	"os"
	"time"

	fyneapp "fyne.io/fyne/v2/app"

	"coverslip/app"
	"coverslip/app/cli"
)

// appID names the preferences of the workbench; FyneApp.toml has the same.
const appID = "org.coverslip.Coverslip"

var started = time.Now()

// openWindow runs the workbench until its window closes.
func openWindow(w cli.Window) error {
	return app.Run(fyneapp.NewWithID(appID), app.Options{
		Paths: w.Paths, Demo: w.Demo, View: w.View, Width: w.Width, Height: w.Height,
		Screenshot: w.Screenshot, Quit: w.Quit, Measure: w.Measure, Ready: os.Stderr, Start: started,
	})
}
