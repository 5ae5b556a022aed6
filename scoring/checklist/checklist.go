// Package checklist is the process side of the benchmark (spec/checklist.md): the checklist file and its items, which of
// them a task's rubric selects, the list of answers and its score, and what is judged of a run beside both: whether the
// declared metrics were delivered, whether the agent claimed success, and the label of how a run ended.
package checklist

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"unicode"

	"coverslip/datasets/biabench"
	"coverslip/datasets/fault"
	"coverslip/datasets/tabular/python"
)

// FileName is what the benchmark calls the file.
const FileName = "Checklist.yaml"

// Types of items. Only yes/no items get into results.
const (
	YesNo   = "yes_no"
	Metric  = "metric"
	Counter = "counter"
)

// Item is one entry of the checklist file.
type Item struct {
	ID, Text, Type      string
	Section, Subsection string
	Scope               string // of a task-specific item its subsection, else "all"
	NeedsTruth          bool
	Evidence            string
	Severity            string
	Hint                string // for a judge; "" if none
}

// Checklist is a checklist file as read.
type Checklist struct {
	Items    []Item // in file order
	Settings Settings
	Sum      string // SHA-256 of the file in hexadecimal digits
}

// Open reads a checklist file.
func Open(path string) (*Checklist, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return None(), &fault.Error{Kind: fault.Missing, File: path, Found: "no file that can be read", Expected: "a checklist", Err: err}
	}
	return Read(path, text)
}

// Read reads a checklist file's text. The name is for messages. Where the error is not nil the settings are those that
// the reference goes on with.
func Read(name string, text []byte) (*Checklist, error) {
	c := &Checklist{Settings: defaultSettings(), Sum: fmt.Sprintf("%x", sha256.Sum256(text))}
	root, err := biabench.ParseYAML(name, text)
	if err != nil {
		return c, err
	}
	m, ok := root.(*biabench.Mapping)
	if !ok {
		return c, &fault.Error{Kind: fault.Malformed, File: name, Found: describe(root), Expected: "a mapping (key: value)"}
	}
	c.Settings.read(m)
	counters := m.Mapping("performance_counters")
	c.addKeys(counters, Item{Type: Counter, Section: "performance_counters", Subsection: "performance_counters", Scope: "all"})
	c.addSection(m, "task_specific", "metrics", Metric)
	c.addSection(m, "general_evaluation", "counters", Counter)
	return c, nil
}

func describe(v any) string {
	switch v.(type) {
	case []any:
		return "a list"
	default:
		return biabench.Describe(v)
	}
}

// addSection adds the items of a section: in each subsection its checklist, then its metrics or counters.
func (c *Checklist) addSection(m *biabench.Mapping, section, older, olderType string) {
	s := m.Mapping(section)
	if s == nil {
		return
	}
	for _, name := range s.Keys {
		sub := s.Mapping(name)
		if sub == nil {
			continue
		}
		like := Item{Section: section, Subsection: name, Scope: "all"}
		if section == "task_specific" {
			like.Scope = name
		}
		for _, entry := range sub.List("checklist") {
			if e, ok := entry.(*biabench.Mapping); ok {
				c.addEntry(e, like)
			}
		}
		like.Type = olderType
		c.addKeys(sub.Mapping(older), like)
	}
}

// addEntry adds a yes/no item.
func (c *Checklist) addEntry(e *biabench.Mapping, like Item) {
	like.Type, like.Severity = YesNo, "minor"
	if v, _ := e.Get("text"); v != nil {
		like.Text = biabench.KeyText(v)
	}
	if v, _ := e.Get("severity"); v != nil {
		like.Severity = biabench.KeyText(v)
	}
	if hint, _ := e.Get("vlm_hint"); hint != nil {
		if text, ok := hint.(string); ok && python.Trim(text) != "" {
			like.Hint = text
		}
	}
	c.add(like)
}

// addKeys adds the items of an old form, whose keys are the texts.
func (c *Checklist) addKeys(m *biabench.Mapping, like Item) {
	if m == nil {
		return
	}
	like.Severity = "minor"
	for _, key := range m.Keys {
		like.Text = capitalised(strings.ReplaceAll(key, "_", " "))
		c.add(like)
	}
}

func (c *Checklist) add(item Item) {
	item.ID = fmt.Sprintf("chk_%04d_%s", len(c.Items)+1, slug(item.Text))
	item.Evidence = "run_artifacts_and_logs"
	if item.Type == Metric {
		item.NeedsTruth, item.Evidence = true, "gt_and_predictions"
	}
	c.Items = append(c.Items, item)
}

var notPlain = regexp.MustCompile(`[^a-z0-9]+`)

// slug makes a text part of an id.
func slug(text string) string {
	s := strings.Trim(notPlain.ReplaceAllString(python.Lower(text), "_"), "_")
	const longest = 80
	if len(s) > longest {
		s = strings.TrimRight(s[:longest], "_")
	}
	if s == "" {
		return "item"
	}
	return s
}

// capitalised is Python's title: a letter after anything but a letter is a capital, every other one is not.
func capitalised(text string) string {
	var b strings.Builder
	inWord := false
	for _, r := range text {
		switch letter := unicode.IsLetter(r); {
		case letter && inWord:
			b.WriteRune(unicode.ToLower(r))
		case letter:
			b.WriteRune(unicode.ToTitle(r))
		default:
			b.WriteRune(r)
		}
		inWord = unicode.IsLetter(r)
	}
	return b.String()
}
