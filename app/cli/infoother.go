package cli

import (
	"context"
	"path/filepath"

	"coverslip/datasets"
	"coverslip/datasets/biabench"
	"coverslip/datasets/tabular"
	"coverslip/scoring/report"
)

// describeTask adds what a task asks for and what is there of it. The truth is counted, never shown.
func describeTask(rec *report.Record, path string) error {
	t, err := biabench.OpenTask(path, "")
	if err != nil {
		return err
	}
	rec.Set("task_id", t.Spec.TaskID).Set("inputs", len(t.Inputs)).Set("truth", t.Truth != "")
	var deliverables []string
	for _, d := range t.Spec.Deliverables {
		deliverables = append(deliverables, d.ID+" "+d.Pattern)
	}
	rec.Set("deliverables", deliverables).Set("primary_metric", t.Rubric.Primary).Set("threshold", t.Rubric.Threshold)
	return addNotes(rec, t.Notes)
}

func describeRoot(rec *report.Record, path string) error {
	dirs, err := datasets.TasksBelow(path)
	if err != nil {
		return err
	}
	var names []string
	for _, d := range dirs {
		names = append(names, filepath.Base(d))
	}
	rec.Set("tasks", names)
	return nil
}

func describeRun(ctx context.Context, rec *report.Record, path string) error {
	r, err := biabench.OpenRun(ctx, path)
	if err != nil {
		return err
	}
	defer r.Close()
	files, err := biabench.ListFiles(r.Dir)
	if err != nil {
		return err
	}
	rec.Set("name", r.Name).Set("task_id", orNull(r.TaskID)).Set("agent", orNull(r.Agent)).Set("files", len(files))
	return addNotes(rec, r.Notes)
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func addNotes(rec *report.Record, notes biabench.Notes) error {
	var texts []string
	for _, n := range notes {
		texts = append(texts, n.Text)
	}
	if len(texts) > 0 {
		rec.Set("notes", texts)
	}
	return nil
}

// describeTable adds how a table is written and, as notes, what a strict reader makes of it.
func describeTable(rec *report.Record, path string) error {
	t, err := tabular.Open(path)
	if err != nil {
		return err
	}
	rec.Set("format", t.Format)
	if t.Encoding != "" {
		rec.Set("encoding", t.Encoding).Set("separator", separatorText(t.Separator))
	}
	var sheets []*report.Record
	for _, s := range t.Sheets {
		sheet := new(report.Record).Set("name", s.Name).Set("rows", s.Rows()).Set("columns", columnNames(s))
		if s.Hidden {
			sheet.Set("hidden", true)
		}
		sheets = append(sheets, sheet)
	}
	rec.Set("sheets", sheets)
	var texts []string
	for _, n := range t.Notes {
		texts = append(texts, n.String())
	}
	if len(texts) > 0 {
		rec.Set("notes", texts)
	}
	return nil
}

func separatorText(separator string) string {
	switch separator {
	case "":
		return "none"
	case "\t":
		return "tab"
	case " ":
		return "white space"
	}
	return separator
}

func columnNames(s *tabular.Sheet) []string {
	names := make([]string, s.Columns())
	for c := range names {
		names[c], _ = s.Column(c)
	}
	return names
}
