package tabular

import "slices"

// Level is how much a note matters.
type Level uint8

const (
	// Info: worth knowing; the scorer reads what is shown.
	Info Level = iota
	// Warning: the scorer reads something else than what is shown, or the file is not what it seems.
	Warning
)

// Note is one thing about a table that its reader should know. Text says what differs and what follows from it, Fix what
// to do; both are sentences without the stop.
type Note struct {
	Level Level
	Sheet string // of a workbook; empty for the whole file
	Topic string // a few words, for a list or a badge: "byte-order mark"
	Text  string
	Fix   string
}

// String is the note as one line.
func (n Note) String() string {
	s := n.Text
	if n.Sheet != "" {
		s = "Sheet " + n.Sheet + ": " + s
	}
	if n.Fix != "" {
		s += ". " + n.Fix
	}
	return s
}

type notes []Note

func (n *notes) info(topic, text, fix string) {
	*n = append(*n, Note{Topic: topic, Text: text, Fix: fix})
}

func (n *notes) warn(topic, text, fix string) {
	*n = append(*n, Note{Level: Warning, Topic: topic, Text: text, Fix: fix})
}

// worstFirst puts the warnings before the rest.
func (n notes) worstFirst() []Note {
	slices.SortStableFunc(n, func(a, b Note) int { return int(b.Level) - int(a.Level) })
	return n
}
