package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"coverslip/app/session"
	"coverslip/scoring/compare"
	"coverslip/scoring/report"
)

func (p Program) compare() *cobra.Command {
	var truth string
	var asJSON bool
	c := &cobra.Command{
		Use:   "compare TASK_DIR RUN_A RUN_B [RUN...]",
		Short: "Say what a run finds that another misses, object by object",
		Long: "Scores several runs of a task and compares the first with each of the others: which objects of the truth are gained and lost,\n" +
			"which are found better or worse, what each run invents, and what that does to the score; by image and by metric.\n" +
			"Then lists what is hard for everyone: what none of the runs has right.",
		Args: between(3, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.compareRuns(cmd.Context(), args[0], args[1:], truth, asJSON)
		},
	}
	c.Flags().StringVar(&truth, "gt", "", "folder of the truth, instead of TASK_DIR/evaluation")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, with all changes")
	return c
}

func (p Program) compareRuns(ctx context.Context, taskDir string, dirs []string, truth string, asJSON bool) error {
	var runs []scored
	var reports []*report.Report
	defer func() {
		for _, s := range runs {
			s.run.Close()
		}
	}()
	for _, dir := range dirs {
		s, err := scoreRun(ctx, taskDir, dir, truth, p.Err)
		if err != nil {
			return err
		}
		runs, reports = append(runs, s), append(reports, s.report)
	}
	var comparisons []compare.Comparison
	for _, r := range reports[1:] {
		comparisons = append(comparisons, compare.Compare(reports[0], r))
	}
	write := writeComparisonText
	if asJSON {
		write = writeComparisonJSON
	}
	err := write(p.Out, runs, comparisons, compare.HardFor(reports...))
	for i, s := range runs {
		err = errors.Join(err, s.withheld(talkOf{p.Err, runName(i)}))
	}
	return err
}

// runName is the letter that a run goes by, its number beyond the alphabet.
func runName(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return fmt.Sprintf("run %d", i+1)
}

// talkOf says which run is spoken of.
type talkOf struct {
	io.Writer
	name string
}

func (t talkOf) Write(b []byte) (int, error) {
	text := strings.TrimPrefix(string(b), "coverslip: ")
	if _, err := fmt.Fprintf(t.Writer, "coverslip: %s: %s", t.name, text); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Most of what the text names; --json has all.
const (
	changesShown = 10
	rowsShown    = 20
	metricsShown = 20
	leastShown   = 0.000005 // of a gain
)

func writeComparisonText(w io.Writer, runs []scored, comparisons []compare.Comparison, hard []compare.Hard) error {
	fmt.Fprintf(w, "%s\n\n", session.TitleOf(runs[0].report.TaskID))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, s := range runs {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", runName(i), resultText(s.report), session.Verdict(s.report), filepath.Clean(s.run.Path))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for i := range comparisons {
		c := &comparisons[i]
		other := runName(i + 1)
		fmt.Fprintf(w, "\nA -> %s: %s\n", other, differenceText(c))
		writeTallies(w, c)
		writeRows(w, c, other)
		writeChanges(w, c, runs[0].report, runs[i+1].report)
		writeMetrics(w, c, other)
	}
	return writeHard(w, runs, hard)
}

func resultText(r *report.Report) string {
	if r.Result.None {
		return "no score"
	}
	return fmt.Sprintf("%.4f", r.Result.Value)
}

func differenceText(c *compare.Comparison) string {
	switch {
	case math.IsNaN(c.Difference):
		return "a run has no score, so there is no difference"
	case c.Adds:
		return fmt.Sprintf("%+.4f, which the gains below add up to", c.Difference)
	}
	return fmt.Sprintf("%+.4f; the gains below are those of each thing alone and do not add up to it", c.Difference)
}

// writeTallies is a table of what became of how many things.
func writeTallies(w io.Writer, c *compare.Comparison) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, x := range c.Tallies() {
		name := x.Aspect.String()
		if x.Aspect == compare.Run {
			name = "rows that only one of them has"
		}
		fmt.Fprintf(t, "  %s\t%s\t%d\t%s\n", name, x.Class, x.N, gainText(x.Gain))
	}
	t.Flush()
}

// gainText is a gain with its sign; nothing for 0.
func gainText(v float64) string {
	if math.Abs(v) < leastShown {
		return ""
	}
	return fmt.Sprintf("%+.5f", v)
}

// writeRows is a table of the images, those that differ most first.
func writeRows(w io.Writer, c *compare.Comparison, other string) {
	rows := slices.Clone(c.Rows)
	slices.SortStableFunc(rows, func(x, y compare.Row) int { return cmp.Compare(math.Abs(y.Gain), math.Abs(x.Gain)) })
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "\n  row\tA\t%s\tgain\tgained\tlost\timproved\tworsened\tno longer invented\tnewly invented\n", other)
	for _, r := range rows[:min(rowsShown, len(rows))] {
		n := r.Counts
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\n", rowTitle(r.Compartment, r.Name), sideText(r.A), sideText(r.B), gainText(r.Gain),
			n.Gained, n.Lost, n.Improved, n.Worsened, n.Dropped, n.Added)
	}
	t.Flush()
	if rest := len(rows) - rowsShown; rest > 0 {
		fmt.Fprintf(w, "  and %d more\n", rest)
	}
}

func rowTitle(compartment, name string) string { return strings.TrimSpace(compartment + " " + name) }

// sideText is a run's value of a row, or why it has none.
func sideText(s compare.RowSide) string {
	switch {
	case s.Image < 0:
		return "no such row"
	case s.Status != report.Scored:
		return string(s.Status)
	case math.IsNaN(s.Value):
		return "-"
	}
	return report.Number(s.Value)
}

// writeChanges names the changes that gain or lose most, and where they are.
func writeChanges(w io.Writer, c *compare.Comparison, a, b *report.Report) {
	var list []compare.Change
	for _, x := range c.Changes {
		if math.Abs(x.Gain) >= leastShown && x.Class != compare.Unchanged && x.Aspect != compare.Run {
			list = append(list, x)
		}
	}
	slices.SortStableFunc(list, func(x, y compare.Change) int { return cmp.Compare(math.Abs(y.Gain), math.Abs(x.Gain)) })
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "\n  largest changes\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, x := range list[:min(changesShown, len(list))] {
		row := c.Rows[x.Row]
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", gainText(x.Gain), rowTitle(row.Compartment, row.Name), x.Class, strings.Join(textsOf(x, a, b), " -> "))
	}
	t.Flush()
}

// textsOf are what the two reports say of a thing.
func textsOf(x compare.Change, a, b *report.Report) (texts []string) {
	if x.A.Mark >= 0 {
		texts = append(texts, a.Marks[x.A.Mark].Text)
	}
	if x.B.Mark >= 0 {
		texts = append(texts, b.Marks[x.B.Mark].Text)
	}
	return texts
}

// writeMetrics is a table of the numbers that differ.
func writeMetrics(w io.Writer, c *compare.Comparison, other string) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "\n  metric\tA\t%s\t%s - A\n", other, other)
	n := 0
	for _, m := range c.Metrics {
		if m.A == m.B || math.IsNaN(m.A) && math.IsNaN(m.B) {
			continue
		}
		if n++; n <= metricsShown {
			fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", m.Path, numberText(m.A), numberText(m.B), signedText(m.B-m.A))
		}
	}
	if n == 0 {
		fmt.Fprintf(w, "\n  no metric differs\n")
		return
	}
	t.Flush()
	if n > metricsShown {
		fmt.Fprintf(w, "  and %d more\n", n-metricsShown)
	}
}

func numberText(v float64) string {
	switch {
	case math.IsNaN(v):
		return "-"
	case v != 0 && math.Abs(v) < 0.0001: // a p-value
		return fmt.Sprintf("%.3g", v)
	}
	return report.Number(v)
}

func signedText(v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case v > 0:
		return "+" + numberText(v)
	}
	return numberText(v)
}

// writeHard names what none of the runs has right, the costliest first.
func writeHard(w io.Writer, runs []scored, hard []compare.Hard) error {
	if len(hard) == 0 {
		_, err := fmt.Fprintf(w, "\nhard for everyone: nothing; whatever a run misses or has wrong, another has right\n")
		return err
	}
	fmt.Fprintf(w, "\nhard for everyone: %d\n", len(hard))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, h := range hard[:min(changesShown, len(hard))] {
		text := ""
		for k, i := range h.Marks {
			if i >= 0 {
				text = runs[k].report.Marks[i].Text
				break
			}
		}
		fmt.Fprintf(t, "  %.5f\t%s\tmissed by %d, wrong in %d\t%s\n", h.Cost, rowTitle(h.Compartment, h.Row), h.Missed, h.Wrong, text)
	}
	return t.Flush()
}
