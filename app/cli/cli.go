// Package cli is the command line: text in; JSON, text or PNG out. Data goes to stdout, talk to stderr.
//
// Exit codes: 0 done, 1 done with warnings that matter (score withheld, deliverable missing, run of another task), 2 wrong usage,
// 3 malformed submission or task, 4 data missing, 5 internal.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"coverslip/datasets/fault"
)

// Exit codes.
const (
	Done      = 0
	Withheld  = 1
	Usage     = 2
	BadInput  = 3
	NotThere  = 4
	Internal  = 5
	Cancelled = 130 // as shells report an interrupt
)

// Window says what the workbench should open and how. The hidden flags behind the last ones serve tests and pictures.
type Window struct {
	Paths         []string
	Demo          bool
	View          string // a View text to show first
	Width, Height int
	Screenshot    string // write a PNG of the window once the first picture is on screen
	Quit          bool   // and leave then
	Hold          int    // step through so many slices as a held key does and print what was drawn
	Measure       int    // step through so many slices and print how long they took
}

// Program is what a build of Coverslip brings along.
type Program struct {
	Out, Err io.Writer
	Open     func(Window) error // nil in the build without a window
}

// errWithheld ends a command that did its work but has a warning that matters; its text was printed already.
var errWithheld = errors.New("done with warnings")

// usageError is a wrong call.
type usageError struct{ error }

// Main runs the command line and returns the exit code.
func (p Program) Main(ctx context.Context, args []string) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(p.Err, "coverslip: internal error: %v\nPlease report this with the command that led to it.\n", r)
			code = Internal
		}
	}()
	root := p.root()
	root.SetArgs(args)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	return p.Ended(root.ExecuteContext(ctx))
}

// Ended says on stderr what went wrong, if anything, and gives the exit code for it.
func (p Program) Ended(err error) int {
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(p.Err, "coverslip: stopped")
	case err != nil && !errors.Is(err, errWithheld) && !errors.Is(err, errFindings):
		fmt.Fprintf(p.Err, "coverslip: %v\n", err)
	}
	return codeOf(err)
}

func codeOf(err error) int {
	var usage usageError
	switch {
	case err == nil:
		return Done
	case errors.Is(err, errFindings):
		return BadInput
	case errors.Is(err, errWithheld):
		return Withheld
	case errors.As(err, &usage):
		return Usage
	case errors.Is(err, context.Canceled):
		return Cancelled
	case errors.Is(err, fault.Missing), errors.Is(err, fs.ErrNotExist):
		return NotThere
	case fault.KindOf(err) != nil:
		return BadInput
	}
	return Internal
}

func (p Program) root() *cobra.Command {
	var w Window
	var size string
	root := &cobra.Command{
		Use:   "coverslip [PATH...]",
		Short: "See what an AI agent did to a bioimage, beside the truth and the score",
		Long: "Without a command, opens the workbench: on the given task folders, run folders or zips and images.\n" +
			"With a command, does the same without a window.",
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := readSize(size, &w); err != nil {
				return err
			}
			return p.window(w, args)
		},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	f := root.Flags()
	f.BoolVar(&w.Demo, "demo", false, "open the bundled demo")
	f.StringVar(&w.View, "view", "", "the view to show first, as text")
	f.StringVar(&size, "window-size", "", "")
	f.StringVar(&w.Screenshot, "screenshot", "", "")
	f.BoolVar(&w.Quit, "quit", false, "")
	f.IntVar(&w.Measure, "measure", 0, "")
	f.IntVar(&w.Hold, "hold", 0, "")
	for _, hidden := range []string{"window-size", "screenshot", "quit", "measure", "hold"} {
		f.MarkHidden(hidden)
	}
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Say what a command does",
		RunE: func(cmd *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usageError{fmt.Errorf("there is no command %s; `coverslip help` lists them", strings.Join(args, " "))}
			}
			return c.Help()
		},
	})
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(p.score(), p.compare(), p.check(), p.info(), p.render(), p.board(), p.pack(), p.demo())
	return root
}

func readSize(text string, w *Window) error {
	if text == "" {
		return nil
	}
	if n, err := fmt.Sscanf(text, "%dx%d", &w.Width, &w.Height); n != 2 || err != nil || w.Width < 1 || w.Height < 1 {
		return usageError{fmt.Errorf("--window-size %s: expected WIDTHxHEIGHT, like 1400x900", text)}
	}
	return nil
}

// window opens the workbench. A first argument that is no path is most likely a mistyped command.
func (p Program) window(w Window, paths []string) error {
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			return usageError{fmt.Errorf("%s is neither a command nor a file or folder here; `coverslip help` lists the commands", path)}
		}
	}
	if p.Open == nil {
		return usageError{errors.New("this build has no window. Use a command (`coverslip help` lists them), or build the workbench with `make build`")}
	}
	w.Paths = paths
	return p.Open(w)
}

// between counts arguments and answers in plain words.
func between(low, high int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < low || (high >= 0 && len(args) > high) {
			return usageError{fmt.Errorf("usage: %s", cmd.UseLine())}
		}
		return nil
	}
}
