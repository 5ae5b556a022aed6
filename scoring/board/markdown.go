package board

import (
	"fmt"
	"io"
	"strings"
)

// Cells is a table as text, its head first: what a page, a terminal and a window show.
type Cells [][]string

// WriteMarkdown writes a table.
func (c Cells) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	for i, row := range c {
		b.WriteString("|")
		for _, cell := range row {
			b.WriteString(" " + strings.NewReplacer("|", `\|`, "\n", " ").Replace(cell) + " |")
		}
		b.WriteString("\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Table is the overall table of a local board: scores with four decimals, rates in percent.
func (b LocalBoard) Table() Cells {
	t := localHead()
	for i, r := range b.Agents {
		t = append(t, r.cells(i+1))
	}
	return t
}

// TaskTable is the table of one task.
func (b LocalBoard) TaskTable(task string) Cells {
	t := localHead()
	for i, r := range b.Tasks[task].Agents {
		t = append(t, AgentRow(r).cells(i+1))
	}
	return t
}

func localHead() Cells {
	return Cells{{"Rank", "Agent", "Overall", "Checklist", "Result", "Pass rate", "Valid rate", "Runs"}}
}

func (r AgentRow) cells(rank int) []string {
	percent := func(n Number) string { return fmt.Sprintf("%.2f%%", float64(n)*100) }
	overall, process, passed := notAvailable, notAvailable, notAvailable
	if r.Scored > 0 {
		overall, passed = shown(&r.Mean, 4), percent(r.PassRate)
	}
	if r.Judged > 0 {
		process = shown(&r.Process, 4)
	}
	return []string{fmt.Sprint(rank), r.Agent, overall, process, shown(r.Result, 4), passed, percent(r.ValidRate), fmt.Sprint(r.Runs)}
}

// notAvailable stands where there is no figure, which is not the same as 0.
const notAvailable = "N/A"

// shown is a figure with so many decimals.
func shown(n *Number, decimals int) string {
	if n == nil {
		return notAvailable
	}
	return fmt.Sprintf("%.*f", decimals, float64(*n))
}

// WriteMarkdown writes the board: the overall table, and one for each task.
func (b LocalBoard) WriteMarkdown(w io.Writer) error {
	fmt.Fprintf(w, "# Leaderboard\n\n%d submissions, %d valid. Means are over runs.\n\n", b.Total, b.Valid)
	if err := b.Table().WriteMarkdown(w); err != nil {
		return err
	}
	for _, task := range b.Tasks.Names() {
		fmt.Fprintf(w, "\n## %s\n\n", task)
		if err := b.TaskTable(task).WriteMarkdown(w); err != nil {
			return err
		}
	}
	return nil
}

// Table is the table of a published board.
func (b Board) Table() Cells {
	t := Cells{{"#", "Agent", "Model", "Instruction", "Source", "Outcome", "Process", "Tokens in / out (k)", "$ / run", "Time (min)", "Runs"}}
	for i, r := range b.Rows {
		t = append(t, []string{fmt.Sprint(i + 1), r.Harness, r.Model, r.Instruction, r.Source, shown(r.Outcome, 3), shown(r.Process, 3),
			shown(r.InputTokens, 0) + " / " + shown(r.OutputTokens, 1), shown(r.CostPerRun, 2), shown(r.WallMinutes, 1),
			fmt.Sprintf("%d/%d", r.Scored, r.Runs)})
	}
	return t
}

// WriteMarkdown writes the board's one table.
func (b Board) WriteMarkdown(w io.Writer) error { return b.Table().WriteMarkdown(w) }
