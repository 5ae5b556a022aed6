package biabench

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"coverslip/datasets/fault"
)

// LintFinding is something in a task's own files that its author should know.
type LintFinding struct {
	Code   string `json:"code"` // one of the codes below; of a deliverable with ":" and its id behind
	Level  Level  `json:"level"`
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`   // from 1; 0: the file as a whole
	Column int    `json:"column,omitempty"` // from 1, in characters
	Text   string `json:"text"`
	Fix    string `json:"fix,omitempty"`  // what to do, one sentence
	Edit   *Edit  `json:"edit,omitempty"` // a change that does it; nil where there is not one for certain

	// Reference tells that the benchmark's own checker reports it, too.
	Reference bool `json:"reference"`
}

// Codes of lint findings, those of the reference's checker first (spec/contract.md 9.1).
const (
	LintSpec        = "spec_refused"
	LintRubric      = "rubric_refused"
	LintPrimary     = "primary_metric"
	LintLevel       = "visualization_level"
	LintUnreadable  = "yaml_unreadable"
	LintCardinality = "cardinality" // of a deliverable
	LintColumns     = "columns"     // of a deliverable
	LintIDs         = "deliverable_ids"
	LintNoScorer    = "no_scorer"

	LintFilter    = "checklist_filter"
	LintThreshold = "threshold"
	LintTwice     = "key_twice"
	LintName      = "task_id"
	LintData      = "data"
)

// linter collects the findings on one task folder.
type linter struct {
	dir     string
	unsaved map[string][]byte // texts that count instead of the files, by name
	found   []LintFinding
}

// Lint finds what is wrong, or not as it seems, in the YAML files and the folders of a task: everything that the reference's
// checker reports, in its order, and then what else is known to go wrong. unsaved holds texts, by file name, that count
// instead of the files on disk, so that an editor can look before it saves.
func Lint(dir string, unsaved map[string][]byte) []LintFinding {
	l := &linter{dir: dir, unsaved: unsaved}
	file, text, err := l.read(SpecFile)
	var spec Spec
	if err == nil {
		spec, err = ReadSpec(file, text)
	}
	if err != nil {
		l.refused(LintSpec, file, err)
		return l.found
	}
	rubricFile, rubricText, err := l.read(RubricFile)
	rubric := noRubric()
	if err == nil {
		rubric, err = ReadRubric(rubricFile, rubricText)
	}
	if err != nil {
		l.refused(LintRubric, rubricFile, err)
	} else {
		l.primary(spec.TaskID, rubricFile, rubricText)
	}
	l.levels()
	l.deliverables(file, text, spec)
	if err == nil {
		l.rubric(rubricFile, rubricText, rubric, spec.TaskID)
	}
	l.repeatedKeys()
	l.data(spec, file)
	return l.found
}

// read gives a file's text, the unsaved one if there is one.
func (l *linter) read(name string) (file string, text []byte, err error) {
	file = filepath.Join(l.dir, name)
	if text, ok := l.unsaved[name]; ok {
		return file, text, nil
	}
	text, err = readText(file)
	return file, text, err
}

func (l *linter) add(f LintFinding) { l.found = append(l.found, f) }

var lineOf = regexp.MustCompile(`line ([0-9]+)`)

// refused tells of a file that the loader does not take.
func (l *linter) refused(code, file string, err error) {
	f := LintFinding{Code: code, Level: Error, File: file, Text: err.Error(), Reference: true}
	var e *fault.Error
	if errors.As(err, &e) {
		f.Text, f.Fix = strings.TrimSpace(strings.TrimPrefix(e.At+": "+e.Reason(), ": ")), e.Fix
		if e.Fix != "" {
			f.Text = strings.TrimSuffix(f.Text, ". "+e.Fix)
		}
		if g := lineOf.FindStringSubmatch(e.At); g != nil {
			f.Line, _ = strconv.Atoi(g[1])
		}
	}
	l.add(f)
}

// top reads a file that is known to hold a mapping.
func top(file string, text []byte) place {
	root, err := parseYAML(file, text)
	if err != nil {
		return place{file: file}
	}
	return place{file: file, item: root}
}

// inner goes down a way of keys through mappings.
func (p place) inner(keys ...string) (place, bool) {
	for _, key := range keys {
		m, ok := p.value.(*mapping)
		if !ok || m.set {
			return p, false
		}
		if p, ok = p.optional(key); !ok {
			return p, false
		}
	}
	return p, true
}

// primary finds a primary_metric that the task's scorer cannot give, for which it takes another one without a word.
func (l *linter) primary(task, file string, text []byte) {
	known := contracts[task].metrics
	p, ok := top(file, text).inner("metric_config", "primary_metric")
	if !ok || known == nil || falsy(p.value) {
		return
	}
	name, isText := p.value.(string)
	if isText && slices.Contains(known, name) {
		return
	}
	best := nearest(lower(KeyText(plain(p.value))), known)
	l.add(LintFinding{Code: LintPrimary, Level: Error, File: file, Line: p.line, Column: p.column, Reference: true,
		Text: fmt.Sprintf("the scorer of this task has no metric %q and silently scores another one", KeyText(plain(p.value))),
		Fix:  "Name one of " + strings.Join(known, ", "), Edit: newEditor(text).replace(p.item, yamlText(best))})
}

// levels looks at every visualization_level of every YAML file directly in the task folder.
func (l *linter) levels() {
	for _, name := range l.yamlFiles() {
		file, text, err := l.read(name)
		var root item
		if err == nil {
			root, err = parseYAML(file, text)
		}
		if err != nil {
			l.refused(LintUnreadable, file, err)
			continue
		}
		edit := newEditor(text)
		eachLevel(root, func(x item) {
			value := lower(trim(KeyText(plain(x.value))))
			if value == "basic" || value == "advanced" {
				return
			}
			best := "basic"
			if value != "" && distance(value, "advanced") < len("advanced")/2 {
				best = "advanced"
			}
			l.add(LintFinding{Code: LintLevel, Level: Warning, File: file, Line: x.line, Column: x.column, Reference: true,
				Text: fmt.Sprintf("visualization_level is %s and counts as basic", Describe(x.value)),
				Fix:  "Write basic or advanced", Edit: edit.replace(x, best)})
		})
	}
}

// yamlFiles lists the YAML files directly in the folder, and unsaved ones, by name.
func (l *linter) yamlFiles() []string {
	var names []string
	entries, _ := os.ReadDir(l.dir) // that it cannot be read was said of the spec
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".yaml") && isFile(filepath.Join(l.dir, e.Name())) {
			names = append(names, e.Name())
		}
	}
	for name := range l.unsaved {
		if strings.HasSuffix(name, ".yaml") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// eachLevel visits the values of all keys visualization_level, at any depth, in file order.
func eachLevel(x item, visit func(item)) {
	switch v := x.value.(type) {
	case []item:
		for _, inner := range v {
			eachLevel(inner, visit)
		}
	case *mapping:
		for _, e := range v.entries {
			if e.key == "visualization_level" {
				visit(e.item)
			}
			eachLevel(e.item, visit)
		}
	}
}

// Worst is the gravest level among findings, "" if there are none.
func Worst(findings []LintFinding) Level {
	if len(findings) == 0 {
		return ""
	}
	rank := []Level{Info, Warning, Error}
	return slices.MaxFunc(findings, func(a, b LintFinding) int {
		return cmp.Compare(slices.Index(rank, a.Level), slices.Index(rank, b.Level))
	}).Level
}
