// Coverslip lays an agent's answer over a bioimage, beside the truth, and says which objects cost the score.
//
// Without an argument, or with paths, it opens the workbench; with a command it does its work without a window
// (package app/cli has the contract). The build tag headless leaves the window out.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"coverslip/app/cli"
)

func main() {
	signal.Ignore(syscall.SIGPIPE) // a closed pipe is an error of the write, so that what was unpacked is removed
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	p := cli.Program{Out: os.Stdout, Err: os.Stderr, Open: openWindow}
	code := p.Main(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}
