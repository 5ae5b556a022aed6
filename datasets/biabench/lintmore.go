package biabench

import (
	"fmt"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"
)

// rubric finds values of a rubric that its loader takes, but that do not what they seem to do.
func (l *linter) rubric(file string, text []byte, r Rubric, task string) {
	edit, root := newEditor(text), top(file, text)
	if p, ok := root.inner("checklist_filter"); ok {
		expected := ""
		if m, isMapping := p.value.(*mapping); !isMapping || m.set {
			expected = "a mapping"
		} else if words, ok := p.inner("include_keywords"); ok {
			if _, isList := words.value.([]item); !isList {
				p, expected = words, "a list of words"
			}
		}
		if expected != "" {
			l.add(LintFinding{Code: LintFilter, Level: Error, File: file, Line: p.line, Column: p.column,
				Text: fmt.Sprintf("%s is %s: the checklist cannot be read with it, so no run of this task can be evaluated", p.path, Describe(p.value)),
				Fix:  "Make it " + expected + ", or take the key away"})
		}
	}
	if p, ok := root.inner("metric_config", "result_pass_threshold"); ok {
		_, isNumber := pythonFloat(p.value)
		if !isNumber || len(r.Notes) > 0 {
			l.add(LintFinding{Code: LintThreshold, Level: Warning, File: file, Line: p.line, Column: p.column,
				Text: fmt.Sprintf("result_pass_threshold is %s: scores lie between 0 and 1", Describe(p.value)),
				Fix:  "Write a number from 0 to 1", Edit: edit.replace(p.item, KeyText(DefaultThreshold))})
		}
	}
	if p, ok := root.inner("task_id"); ok && p.value != any(task) {
		l.add(LintFinding{Code: LintName, Level: Warning, File: file, Line: p.line, Column: p.column,
			Text: fmt.Sprintf("the rubric is for the task %s, the spec is that of %s", KeyText(plain(p.value)), task),
			Fix:  "Check that both files are of one task", Edit: edit.replace(p.item, yamlText(task))})
	}
}

// repeatedKeys finds keys that are given twice: the last one wins, without a word.
func (l *linter) repeatedKeys() {
	for _, name := range l.yamlFiles() {
		file, text, err := l.read(name)
		if err != nil {
			continue
		}
		doc, err := parseNode(file, text)
		if err != nil || doc == nil {
			continue // said before
		}
		eachRepeat(doc, func(again, first *yaml.Node) {
			l.add(LintFinding{Code: LintTwice, Level: Warning, File: file, Line: again.Line, Column: again.Column,
				Text: fmt.Sprintf("the key %s is given in line %d already, whose value does not count", shorten(again.Value), first.Line),
				Fix:  "Take one of them away"})
		})
	}
}

func eachRepeat(n *yaml.Node, visit func(again, first *yaml.Node)) {
	if n.Kind == yaml.MappingNode {
		seen := map[string]*yaml.Node{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind != yaml.ScalarNode {
				continue
			}
			if first := seen[key.Value]; first != nil && first.Tag == key.Tag && !isMerge(key) {
				visit(key, first)
			}
			seen[key.Value] = key
		}
	}
	for _, inner := range n.Content {
		eachRepeat(inner, visit)
	}
}

// data looks at the folders beside the YAML files.
func (l *linter) data(spec Spec, file string) {
	add := func(level Level, path, text, fix string) {
		l.add(LintFinding{Code: LintData, Level: level, File: path, Text: text, Fix: fix})
	}
	if abs, err := filepath.Abs(l.dir); err == nil && filepath.Base(abs) != spec.TaskID {
		l.add(LintFinding{Code: LintName, Level: Info, File: file, Line: 1, Column: 1,
			Text: fmt.Sprintf("the folder is called %s, the task %s: tools look for tasks by the latter", filepath.Base(abs), spec.TaskID)})
	}
	input, truth := filepath.Join(l.dir, InputFolder), filepath.Join(l.dir, TruthFolder)
	switch files, err := ListFiles(input); {
	case !IsFolder(input):
		add(Info, input, "there is no folder of inputs here", "")
	case err != nil || len(files) == 0:
		add(Warning, input, "the folder of inputs holds no file", "Put the images there")
	}
	_, rubric, err := l.read(RubricFile)
	promised := false
	if err == nil {
		p, ok := top(RubricFile, rubric).inner("evaluation_metadata", "ground_truth_present")
		promised = ok && p.value == any(true)
	}
	switch {
	case IsFolder(truth) && !hasTruth(truth):
		add(Warning, truth, "the folder of the ground truth holds no data", "Put the ground truth there")
	case IsFolder(truth):
	case promised:
		add(Warning, truth, "the rubric says that there is ground truth, but the folder is not here", "Unpack the task's evaluation.zip")
	default:
		add(Info, truth, "there is no folder of ground truth here", "")
	}
}

// hasTruth tells whether a truth folder holds more than its contamination marker.
func hasTruth(dir string) bool {
	files, _ := ListFiles(dir)
	for _, f := range files {
		if name := filepath.Base(f); name != CanaryFile && !strings.HasPrefix(name, ".") {
			return true
		}
	}
	return false
}
