package session

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster"
	"coverslip/scoring"
	"coverslip/scoring/baseline"
	"coverslip/scoring/report"
)

// ScoreText is what the score panel shows.
type ScoreText struct {
	Headline string // "0.780", "no score", "scoring"
	Verdict  string // "passes: at least 0.50", or why there is no score
	Lines    []report.Line
	Notes    []scoring.Note
}

// ScoreText puts the report of the selected run in words.
func (s *Session) ScoreText() ScoreText {
	r := s.runEntry()
	switch {
	case s.entry() == nil:
		return ScoreText{Verdict: "Nothing is open."}
	case s.Table() != nil:
		return ScoreText{Verdict: "A table without a task has no score."}
	case r == nil && s.entry().task == nil:
		return ScoreText{Verdict: "An image without a task has no score."}
	case r == nil:
		return ScoreText{Verdict: "Drop a run here, a folder or a zip, to score it."}
	case r.err != nil:
		return ScoreText{Headline: "failed", Verdict: r.err.Error()}
	case r.stopped:
		return ScoreText{Headline: "stopped", Verdict: "Scoring was stopped. Ctrl+R scores the run again."}
	case r.report == nil:
		return ScoreText{Headline: "scoring"}
	}
	t := ScoreText{Headline: scoreText(r.report.Result.Value), Lines: report.Explain(r.report), Notes: r.report.Notes}
	if band, ok := baseline.Of(r.report); ok && !r.report.Result.None {
		t.Lines = append(t.Lines, report.Line{Head: "Range", Text: bandText(band)})
	}
	t.Verdict = Verdict(r.report)
	if r.report.Result.None {
		t.Headline = "no score"
	}
	return t
}

// bandText says between what a score can lie, and why.
func bandText(b baseline.Band) string {
	floor, ceiling := report.Number(b.Floor), report.Number(b.Ceiling)
	if b.FloorWhy != "" {
		floor += " (" + b.FloorWhy + ")"
	}
	if b.CeilingWhy != "" {
		ceiling += " (" + b.CeilingWhy + ")"
	}
	return "from " + floor + " to " + ceiling
}

// Verdict says in a few words whether a run passes, or why it has no score.
func Verdict(r *scoring.Report) string {
	switch {
	case r.Result.None:
		return r.Result.Reason
	case r.Passed():
		return "passes, the threshold is " + report.Number(r.Threshold)
	}
	return "does not pass, the threshold is " + report.Number(r.Threshold)
}

// ChannelSwitch is a channel's name and whether it is shown.
type ChannelSwitch struct {
	Name string
	On   bool
}

// ChannelNames lists the channels of the image on screen, without looking at their pixels.
func (s *Session) ChannelNames() []ChannelSwitch {
	o := s.picked.opened
	if o == nil || o.Input == nil {
		return nil
	}
	names := make([]ChannelSwitch, o.Input.Stack.Shape.C)
	for c := range names {
		names[c] = ChannelSwitch{channelName(o.Input.Stack, c), !s.view.Tone(c).Off}
	}
	return names
}

func channelName(st *raster.Stack, c int) string {
	if st.RGB && c < 3 {
		return [...]string{"red", "green", "blue"}[c]
	}
	if c < len(st.Channels) && st.Channels[c].Name != "" {
		return st.Channels[c].Name
	}
	return "channel " + strconv.Itoa(c+1)
}

// TaskText describes the selected task in Markdown.
func (s *Session) TaskText() string {
	e := s.entry()
	if e == nil || e.task == nil {
		return ""
	}
	var b strings.Builder
	spec := e.task.Spec
	fmt.Fprintf(&b, "## %s\n\n%s\n\n", e.title, spec.TaskID)
	fmt.Fprintf(&b, "### Instructions, basic\n\n%s\n\n", strings.TrimSpace(spec.Basic))
	fmt.Fprintf(&b, "### Instructions, expert\n\n%s\n\n", strings.TrimSpace(spec.Expert))
	b.WriteString("### Deliverables\n\n")
	for _, d := range spec.Deliverables {
		writeDeliverable(&b, d)
	}
	fmt.Fprintf(&b, "\n### Score\n\nprimary metric %s, passes at %.2f\n\n", orText(e.task.Rubric.Primary, "not named"), e.task.Rubric.Threshold)
	if e.task.RubricErr != nil {
		fmt.Fprintf(&b, "The rubric was refused, so defaults count: %s\n", e.task.RubricErr)
	}
	return b.String()
}

func writeDeliverable(b *strings.Builder, d biabench.Deliverable) {
	facts := []string{"optional", "one file"}
	if d.Required {
		facts[0] = "required"
	}
	if d.Multi {
		facts[1] = "any number of files"
	}
	if d.Format != nil {
		facts = append(facts, *d.Format)
	}
	if len(d.Columns) > 0 {
		facts = append(facts, "columns "+strings.Join(d.Columns, ", "))
	}
	fmt.Fprintf(b, "- **%s** `%s`: %s. %s\n", d.ID, d.Pattern, strings.Join(facts, ", "), strings.TrimSpace(d.Description))
}

func orText(text, instead string) string {
	if text == "" {
		return instead
	}
	return text
}

// FileText describes the files of the current image and what became of the run's files, in Markdown.
func (s *Session) FileText() string {
	if t := s.Table(); t != nil {
		return tableText(t)
	}
	var b strings.Builder
	if o := s.picked.opened; o != nil {
		writeLayer(&b, "Image", o.Input)
		writeLayer(&b, "Answer", o.Answer)
		writeLayer(&b, "Truth", o.Truth)
		if c := o.Pixel(); c.X > 0 {
			fmt.Fprintf(&b, "\nPixel size %.4g x %.4g µm%s, from %s.\n", c.Y, c.X, zText(c), c.Source)
		} else {
			b.WriteString("\nNo pixel size is known, so there is no scale bar.\n")
		}
		used, limit := s.CacheUse()
		fmt.Fprintf(&b, "\nPlanes in memory: %d of at most %d MiB.\n", used>>20, limit>>20)
	}
	if r := s.runEntry(); r != nil {
		writeResolution(&b, r)
	}
	return b.String()
}

func zText(c raster.Calibration) string {
	if c.Z <= 0 {
		return ""
	}
	return fmt.Sprintf(", z step %.4g µm", c.Z)
}

func writeLayer(b *strings.Builder, what string, l *Layer) {
	if l == nil {
		return
	}
	fmt.Fprintf(b, "### %s\n\n%s\n\n", what, filepath.Base(l.Path))
	fmt.Fprintf(b, "- %s, %s, %s\n", l.File.Format, l.Stack.Type, shapeText(l.Stack.Shape))
	if l.large() {
		fmt.Fprintf(b, "- shown as means of %d x %d pixels, and sharp where it is enlarged\n", l.step, l.step)
	}
	if l.Stack.Axes != "" {
		fmt.Fprintf(b, "- axes in the file: %s\n", l.Stack.Axes)
	}
	if l.File.ScoringErr != nil {
		fmt.Fprintf(b, "- the reference reader cannot read it: %s\n", l.File.ScoringErr)
	}
	for _, fact := range l.File.Facts() {
		fmt.Fprintf(b, "- %s: %s, from %s\n", fact.Name, fact.Value, fact.Source)
	}
	for _, n := range l.File.Notes {
		fmt.Fprintf(b, "- %s\n", n)
	}
	b.WriteString("\n")
}

// shapeText names the axes that are longer than one: "z 64, y 256, x 256".
func shapeText(sh raster.Shape) string {
	var parts []string
	for _, a := range []struct {
		name string
		n    int
	}{{"t", sh.T}, {"z", sh.Z}, {"c", sh.C}} {
		if a.n > 1 {
			parts = append(parts, fmt.Sprintf("%s %d", a.name, a.n))
		}
	}
	return strings.Join(append(parts, fmt.Sprintf("y %d", sh.Y), fmt.Sprintf("x %d", sh.X)), ", ")
}

func writeResolution(b *strings.Builder, r *runEntry) {
	fmt.Fprintf(b, "\n### Files of the run\n\n%s\n\n", r.run.Dir)
	name := func(path string) string {
		if rel, err := filepath.Rel(r.run.Dir, path); err == nil {
			return filepath.ToSlash(rel)
		}
		return filepath.Base(path)
	}
	for _, d := range r.resolution.Deliverables {
		fmt.Fprintf(b, "- **%s**: %s\n", d.Deliverable.ID, resolvedText(d))
		for _, f := range d.Files[:min(len(d.Files), listed)] {
			fmt.Fprintf(b, "  - kept %s\n", name(f))
		}
		if more := len(d.Files) - listed; more > 0 {
			fmt.Fprintf(b, "  - and %d more\n", more)
		}
		for _, f := range d.Surplus {
			fmt.Fprintf(b, "  - not used, one file is asked for: %s\n", name(f))
		}
	}
	for _, f := range r.resolution.Rejected {
		fmt.Fprintf(b, "- turned down for %s: %s: %s\n", f.Deliverable, name(f.File), f.Reason)
	}
}

// listed is how many files of a deliverable are named one by one.
const listed = 20

func resolvedText(d biabench.Resolved) string {
	if d.Err != "" {
		return d.Err
	}
	if len(d.Files) == 0 {
		return "none, and it is optional"
	}
	if len(d.Files) == 1 {
		return "one file"
	}
	return fmt.Sprintf("%d files", len(d.Files))
}
