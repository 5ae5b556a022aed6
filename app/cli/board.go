package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"coverslip/datasets/biabench"
	"coverslip/datasets/fault"
	"coverslip/scoring/board"
)

// boards are the leaderboards that a call asks for; nil is one that it does not.
type boards struct {
	local     *board.LocalBoard
	published *board.Board
}

func (p Program) board() *cobra.Command {
	var asJSON, asMarkdown bool
	var out string
	c := &cobra.Command{
		Use:   "board EVAL|ENTRY.json|ENTRIES...",
		Short: "Build leaderboards: of evaluated submissions, of published entries, or of both",
		Long: "EVAL is a folder that `score --all` has filled: its runs are pooled by agent. An entry is one configuration of the published\n" +
			"board as a JSON file; a folder of them stands for all. Entries are checked first, and one that fails keeps the board from\n" +
			"being built. With --json the board is the file that the benchmark itself builds, to the byte.",
		Args: between(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON && asMarkdown {
				return usageError{errors.New("--json and --markdown do not go together")}
			}
			b, entries, err := p.buildBoards(args)
			if err != nil {
				return err
			}
			return p.write(out, entries, func(w io.Writer) error {
				switch {
				case asJSON:
					return b.writeJSON(w)
				case asMarkdown:
					return b.writeMarkdown(w)
				}
				return b.writeText(w)
			})
		},
	}
	f := c.Flags()
	f.BoolVar(&asJSON, "json", false, "print JSON, as the benchmark's own tools do")
	f.BoolVar(&asMarkdown, "markdown", false, "print Markdown tables")
	f.StringVarP(&out, "output", "o", "", "file to write; - or none writes to stdout")
	return c
}

// buildBoards reads what the paths hold, and says which of them are entries.
func (p Program) buildBoards(paths []string) (b boards, entries []string, err error) {
	var runs []board.Run
	for _, path := range paths {
		if isEntries(path) {
			entries = append(entries, path)
			continue
		}
		c, err := board.Collect(path)
		if err != nil {
			return b, nil, err
		}
		for _, note := range c.Notes {
			fmt.Fprintf(p.Err, "coverslip: %s\n", note)
		}
		runs = append(runs, c.Runs...)
	}
	if runs != nil {
		local := board.Local(runs)
		b.local = &local
	}
	if entries != nil {
		b.published, err = p.publish(entries)
	}
	return b, entries, err
}

// isEntries tells the file of an entry, and a folder of such files. A folder of evaluations holds a list of results, which is
// none.
func isEntries(path string) bool {
	if !biabench.IsFolder(path) {
		return strings.EqualFold(filepath.Ext(path), ".json")
	}
	found, _ := filepath.Glob(filepath.Join(path, "*.json"))
	for _, name := range found {
		fields, err := biabench.ReadJSONObject(name)
		if _, is := fields["submitter"]; err == nil && is {
			return true
		}
	}
	return false
}

// publish checks entries and builds their board. Every problem is told.
func (p Program) publish(paths []string) (*board.Board, error) {
	tasks := biabench.TaskIDs()
	files, err := board.Entries(paths, tasks)
	if err != nil {
		return nil, err
	}
	var entries []board.Entry
	var bad []string
	for _, f := range files {
		for _, problem := range f.Problems {
			fmt.Fprintf(p.Err, "coverslip: %s: %s\n", f.Path, problem)
		}
		if len(f.Problems) > 0 {
			bad = append(bad, f.Path)
		}
		entries = append(entries, f.Entry)
	}
	if len(bad) > 0 {
		return nil, &fault.Error{Kind: fault.Malformed, File: bad[0], Found: fmt.Sprintf("%d of %d entries that cannot be published", len(bad), len(files)),
			Fix: "Correct what is listed above; the board is built of all entries or of none"}
	}
	b := board.Publish(entries, tasks)
	return &b, nil
}

// writeJSON writes one board as the benchmark does; two are the fields of an object.
func (b boards) writeJSON(w io.Writer) error {
	switch {
	case b.published == nil:
		return writeLocal(w, b.local)
	case b.local == nil:
		return board.WriteJSON(w, b.published)
	}
	return board.WriteJSON(w, struct {
		Local     *board.LocalBoard `json:"local"`
		Published *board.Board      `json:"published"`
	}{b.local, b.published})
}

func writeLocal(w io.Writer, local *board.LocalBoard) error {
	text, err := json.Marshal(local)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", out.Bytes())
	return err
}

func (b boards) writeMarkdown(w io.Writer) error {
	if b.local != nil {
		if err := b.local.WriteMarkdown(w); err != nil {
			return err
		}
	}
	if b.published == nil {
		return nil
	}
	if b.local != nil {
		fmt.Fprint(w, "\n## Published entries\n\nReported by those who submitted them.\n\n")
	}
	return b.published.WriteMarkdown(w)
}

func (b boards) writeText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if b.local != nil {
		fmt.Fprintf(t, "Local runs: %d submissions, %d valid; means are over runs\n", b.local.Total, b.local.Valid)
		writeCells(t, b.local.Table())
		for _, task := range b.local.Tasks.Names() {
			fmt.Fprintf(t, "\n%s\n", task)
			writeCells(t, b.local.TaskTable(task))
		}
	}
	if b.published != nil {
		if b.local != nil {
			fmt.Fprintln(t)
		}
		fmt.Fprintf(t, "Published entries, as reported by those who submitted them; means are over tasks\n")
		writeCells(t, b.published.Table())
	}
	return t.Flush()
}

func writeCells(w io.Writer, cells board.Cells) {
	for _, row := range cells {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
}
