package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// asideRun is a run of the demo's nuclei whose masks lie where no scorer looks.
func asideRun(t *testing.T) (task, run string) {
	t.Helper()
	layout, err := writtenDemo()
	if err != nil {
		t.Fatal(err)
	}
	task, run = layout.Tasks[0], t.TempDir()
	if err := os.CopyFS(filepath.Join(run, "supporting"), os.DirFS(layout.Runs[task][0])); err != nil {
		t.Fatal(err)
	}
	return task, run
}

// whatIfText is what the score panel says below the official lines.
func (w *testBench) whatIfText() string {
	var b strings.Builder
	lines, wanted := w.session.WhatIf()
	for _, l := range lines {
		b.WriteString(l.Text + "\n")
	}
	if len(w.score.whatIf()) != len(lines) && !wanted {
		w.t.Error("the panel does not show all of it")
	}
	return b.String()
}

func TestStoryWhatASlipCost(t *testing.T) {
	w := newTestBench(t)
	task, run := asideRun(t)
	w.open(Options{Paths: []string{task, run}})
	w.settle()
	official := *w.session.Report()
	if _, wanted := w.session.WhatIf(); !wanted || official.Result.Value != 0 {
		t.Fatalf("nothing invites to ask, score %v", official.Result)
	}
	w.press("U")
	if w.session.CanTryRemedies() || !strings.Contains(w.whatIfText(), "Trying") {
		t.Errorf("while it runs the panel says %q", w.whatIfText())
	}
	w.settle()
	if text := w.whatIfText(); !strings.Contains(text, "If the files lay beside the folder supporting, not in it: 0.897 (now 0.000), unofficial") {
		t.Errorf("the panel says %q", text)
	}
	if now := w.session.Report(); now.Result != official.Result || w.session.ScoreText().Headline != "0.000" || len(now.Marks) != len(official.Marks) {
		t.Errorf("the official score became %v", now.Result)
	}
	w.press("Ctrl+R")
	w.settle()
	if text := w.whatIfText(); text != "" {
		t.Errorf("after scoring again it still says %q", text)
	}
}

func TestStoryStopTryingRemedies(t *testing.T) {
	w := newTestBench(t)
	task, run := asideRun(t)
	w.open(Options{Paths: []string{task, run}})
	w.settle()
	w.press("U")
	w.press("Escape")
	w.settle()
	if _, wanted := w.session.WhatIf(); !wanted || len(w.session.MessageList()) > 1 {
		t.Errorf("it cannot be asked for again; messages %v", w.session.MessageList())
	}
	if w.session.Report().Result.Value != 0 {
		t.Error("the score has changed")
	}
}
