package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"coverslip/datasets/biabench"
	"coverslip/datasets/fault"
)

// errFindings ends a check that found errors; they were printed already.
var errFindings = errors.New("errors were found")

func (p Program) check() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "check TASK_DIR...",
		Short: "Find what is wrong in the files of a task, with the line and what to do",
		Long: "Checks task_spec.yaml, evaluation_rubric.yaml, the other YAML files and the data folders of tasks; a folder of task\n" +
			"folders stands for all of them. It finds what the benchmark's own checker reports, and more. Nothing is changed.\n\n" +
			"Exit code 3: there are errors, 1: there are warnings, 0: at most remarks.",
		Args: between(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dirs, err := taskDirs(args)
			if err != nil {
				return err
			}
			var all []biabench.LintFinding
			for _, dir := range dirs {
				if err := cmd.Context().Err(); err != nil {
					return err
				}
				all = append(all, biabench.Lint(dir, nil)...)
			}
			if err := writeFindings(p.Out, all, asJSON); err != nil {
				return err
			}
			fmt.Fprintln(p.Err, counted(all, len(dirs)))
			return verdictOf(all)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per finding and line")
	return c
}

// taskDirs lists the task folders that paths stand for.
func taskDirs(paths []string) ([]string, error) {
	var dirs []string
	for _, path := range paths {
		if filepath.Base(path) == biabench.SpecFile && isRegular(path) {
			path = filepath.Dir(path)
		}
		if isRegular(filepath.Join(path, biabench.SpecFile)) {
			dirs = append(dirs, path)
			continue
		}
		below, err := os.ReadDir(path)
		if err != nil {
			return nil, &fault.Error{Kind: fault.Missing, File: path, Found: "no folder of that name", Expected: "a task folder", Err: err}
		}
		n := len(dirs)
		for _, e := range below {
			if dir := filepath.Join(path, e.Name()); isRegular(filepath.Join(dir, biabench.SpecFile)) {
				dirs = append(dirs, dir)
			}
		}
		if len(dirs) > n {
			continue
		}
		if !isRegular(filepath.Join(path, biabench.RubricFile)) {
			return nil, &fault.Error{Kind: fault.Missing, File: path, Found: "no " + biabench.SpecFile + " in this folder, so it is not a task"}
		}
		dirs = append(dirs, path) // a task whose spec is gone
	}
	return dirs, nil
}

func writeFindings(w io.Writer, all []biabench.LintFinding, asJSON bool) error {
	for _, f := range all {
		if asJSON {
			text, err := json.Marshal(f)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "%s\n", text); err != nil {
				return err
			}
			continue
		}
		place := f.File
		if f.Line > 0 {
			place += fmt.Sprintf(":%d", f.Line)
			if f.Column > 0 {
				place += fmt.Sprintf(":%d", f.Column)
			}
		}
		fmt.Fprintf(w, "%s: %s: %s [%s]\n", place, f.Level, f.Text, f.Code)
		if f.Fix != "" {
			fmt.Fprintf(w, "    %s.\n", f.Fix)
		}
		if f.Edit != nil {
			fmt.Fprintf(w, "    Suggested at %d:%d: %q\n", f.Edit.Line, f.Edit.Column, f.Edit.Text)
		}
	}
	return nil
}

// counted sums findings up in a line.
func counted(all []biabench.LintFinding, tasks int) string {
	n := map[biabench.Level]int{}
	for _, f := range all {
		n[f.Level]++
	}
	return fmt.Sprintf("%d task(s): %d error(s), %d warning(s), %d remark(s)", tasks, n[biabench.Error], n[biabench.Warning], n[biabench.Info])
}

func verdictOf(all []biabench.LintFinding) error {
	switch biabench.Worst(all) {
	case biabench.Error:
		return errFindings
	case biabench.Warning:
		return errWithheld
	}
	return nil
}
