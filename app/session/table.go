package session

import (
	"fmt"
	"path/filepath"
	"strings"

	"coverslip/datasets/tabular"
)

// addTable adds a table of its own; one that is open already is read anew.
func (s *Session) addTable(t *tabular.Table) int {
	s.recall(t.Path)
	for i, e := range s.tasks {
		if e.table != nil && e.table.Path == t.Path {
			e.table, e.sheet = t, 0
			return i
		}
	}
	s.tasks = append(s.tasks, &entry{title: filepath.Base(t.Path), table: t, run: -1})
	return len(s.tasks) - 1
}

// Table is the table to show instead of a picture, nil for none.
func (s *Session) Table() *tabular.Table {
	if e := s.entry(); e != nil {
		return e.table
	}
	return nil
}

// Sheet is the sheet of the table that is shown; an empty one where the table has none.
func (s *Session) Sheet() int {
	if e := s.entry(); e != nil {
		return e.sheet
	}
	return 0
}

// SelectSheet shows another sheet.
func (s *Session) SelectSheet(i int) {
	if t := s.Table(); t != nil && i >= 0 && i < len(t.Sheets) {
		s.entry().sheet = i
		s.changed(Tasks | SceneChanged)
	}
}

// tableText describes a table in Markdown: how it is written and where a strict reader differs.
func tableText(t *tabular.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### Table\n\n%s\n\n- %s", filepath.Base(t.Path), t.Format)
	if t.Encoding != "" {
		fmt.Fprintf(&b, ", %s", t.Encoding)
	}
	b.WriteString("\n")
	for _, s := range t.Sheets {
		hidden := ""
		if s.Hidden {
			hidden = ", hidden"
		}
		fmt.Fprintf(&b, "- %s: %d rows, %d columns%s\n", s.Name, s.Rows(), s.Columns(), hidden)
	}
	for _, n := range t.Notes {
		fmt.Fprintf(&b, "\n%s\n", n.String())
	}
	return b.String()
}
