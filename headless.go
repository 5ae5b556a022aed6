//go:build headless

package main

import "coverslip/app/cli"

// openWindow is missing in this build: it has the command line only.
var openWindow func(cli.Window) error
