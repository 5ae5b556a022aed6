package biabench

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// deliverables checks what a spec promises of its deliverables against what the task's scorer reads.
func (l *linter) deliverables(file string, text []byte, spec Spec) {
	want, scored := contracts[spec.TaskID]
	places := deliverablePlaces(file, text)
	if len(places) != len(spec.Deliverables) {
		return // both come from one text
	}
	edit := newEditor(text)
	for i, d := range spec.Deliverables {
		if !d.Multi && (d.Required || slices.Contains(want.alsoScored, d.ID)) && !saysOneFile(d) {
			l.cardinality(places[i], d, edit)
		}
	}
	for i, d := range spec.Deliverables {
		l.columns(places[i], d, want.columns[d.ID], edit)
	}
	switch {
	case scored:
		l.ids(file, spec, places, want.deliverables, edit)
	case len(spec.Deliverables) > 0:
		line, column := idPlace(top(file, text), "task_id")
		l.add(LintFinding{Code: LintNoScorer, Level: Info, File: file, Line: line, Column: column, Reference: true,
			Text: fmt.Sprintf("no scorer knows the task %q: its runs get a process score alone", spec.TaskID)})
	}
}

func deliverablePlaces(file string, text []byte) []place {
	all, ok := top(file, text).inner("deliverables")
	if !ok {
		return nil
	}
	list, _ := all.value.([]item)
	places := make([]place, len(list))
	for i, x := range list {
		places[i] = all.element(i, x)
	}
	return places
}

// idPlace is where a key's value stands.
func idPlace(p place, key string) (line, column int) {
	if v, ok := p.inner(key); ok {
		return v.line, v.column
	}
	return p.line, p.column
}

var (
	rowPhrase = regexp.MustCompile(`\bone row per \w+(?: \w+){0,2}`)
	oneFile   = regexp.MustCompile(`\b(?:single|aggregated|covering every|covering all|write one)\b` +
		`|\bone\b[^.]{0,45}\b(?:csv|table|file|txt|tiff?|ome-tiff|excel|stack|list|mosaic)\b` +
		`|\bthe (?:stitched|reconstructed) \w+`)
)

// saysOneFile tells whether a deliverable's text says that there is one file for all inputs. One row per something is no
// file.
func saysOneFile(d Deliverable) bool {
	text := d.Description
	if d.Format != nil {
		text = *d.Format + " " + text
	}
	return oneFile.MatchString(rowPhrase.ReplaceAllString(lower(text), " "))
}

func (l *linter) cardinality(p place, d Deliverable, edit editor) {
	f := LintFinding{Code: LintCardinality + ":" + d.ID, Level: Warning, File: p.file, Reference: true,
		Text: fmt.Sprintf("only the first file for %s is read, but its description does not say that there must be one file alone", d.ID),
		Fix:  "Say in the description that a single file covers every input"}
	f.Line, f.Column = idPlace(p, "description")
	if description, ok := p.inner("description"); ok {
		f.Edit = edit.prepend(description.item, "A single file covering every input. ")
	}
	l.add(f)
}

func (l *linter) columns(p place, d Deliverable, read []string, edit editor) {
	missing := slices.DeleteFunc(slices.Clone(read), func(c string) bool { return slices.Contains(d.Columns, c) })
	if len(missing) == 0 {
		return
	}
	f := LintFinding{Code: LintColumns + ":" + d.ID, Level: Warning, File: p.file, Reference: true,
		Text: fmt.Sprintf("the scorer reads column(s) of %s that required_columns does not ask for: %s", d.ID, strings.Join(missing, ", ")),
		Fix:  "Add them to required_columns, with this spelling"}
	f.Line, f.Column = idPlace(p, "id")
	if list, ok := p.inner("required_columns"); ok {
		f.Line, f.Column, f.Edit = list.line, list.column, edit.addToList(list.item, missing)
	} else if m, ok := p.value.(*mapping); ok {
		f.Edit = edit.addKey(m, "required_columns", "["+flowNames(missing)+"]")
	}
	l.add(f)
}

// ids finds deliverables that the scorer asks for and the spec does not declare.
func (l *linter) ids(file string, spec Spec, places []place, wanted []string, edit editor) {
	var declared, spare []string
	for _, d := range spec.Deliverables {
		declared = append(declared, d.ID)
		if !slices.Contains(wanted, d.ID) {
			spare = append(spare, d.ID)
		}
	}
	missing := slices.DeleteFunc(slices.Clone(wanted), func(id string) bool { return slices.Contains(declared, id) })
	if len(missing) == 0 {
		return
	}
	f := LintFinding{Code: LintIDs, Level: Error, File: file, Line: 1, Column: 1, Reference: true,
		Text: "the scorer asks for deliverable(s) that are not declared: " + strings.Join(missing, ", "),
		Fix:  "Declare them, or give the deliverable that is meant this id"}
	if len(places) > 0 {
		f.Line, f.Column = places[0].line, places[0].column
	}
	if len(missing) == 1 && len(spare) == 1 {
		if id, ok := places[slices.Index(declared, spare[0])].inner("id"); ok {
			f.Line, f.Column, f.Edit = id.line, id.column, edit.replace(id.item, yamlText(missing[0]))
		}
	}
	l.add(f)
}
