package checklist

import (
	"slices"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/fault"
	"coverslip/datasets/tabular/python"
)

// Filter says which items apply to a task. The zero Filter is that of a task without one: the items for all tasks.
type Filter struct {
	Keywords []string
	Level    string // visualization level; anything but "advanced", case and blanks ignored, is basic
}

// ReadFilter takes the filter from the text of a rubric (spec/checklist.md 2). It is stricter than the reader of rubrics
// in some and laxer in others, as in the reference: a rubric that is refused there may still have a filter.
func ReadFilter(name string, rubric []byte) (Filter, error) {
	top, err := rubricTop(name, rubric)
	if err != nil {
		return Filter{}, err
	}
	var f Filter
	level, _ := top.Get("visualization_level")
	if v, given := top.Get("checklist_filter"); given {
		m, ok := v.(*biabench.Mapping)
		if !ok {
			return f, refused(name, "checklist_filter", v, "a mapping (key: value)")
		}
		if own, given := m.Get("visualization_level"); given {
			level = own
		}
		if v, given := m.Get("include_keywords"); given {
			list, ok := v.([]any)
			if !ok {
				return f, refused(name, "checklist_filter.include_keywords", v, "a list of words")
			}
			for _, word := range list {
				f.Keywords = append(f.Keywords, biabench.KeyText(word))
			}
		}
	}
	if !biabench.Falsy(level) {
		f.Level = biabench.KeyText(level)
	}
	return f, nil
}

// rubricTop reads a rubric's outermost mapping; an empty document is an empty mapping.
func rubricTop(name string, rubric []byte) (*biabench.Mapping, error) {
	root, err := biabench.ParseYAML(name, rubric)
	if err != nil || biabench.Falsy(root) {
		return nil, err
	}
	top, ok := root.(*biabench.Mapping)
	if !ok {
		return nil, refused(name, "", root, "a mapping (key: value)")
	}
	return top, nil
}

func refused(file, key string, found any, expected string) error {
	e := &fault.Error{Kind: fault.Malformed, File: file, Found: describe(found), Expected: expected}
	if key != "" {
		e.At = "key " + key
	}
	return e
}

// advanced tells the level that lets the advanced visualization items through.
func (f Filter) advanced() bool { return python.Lower(python.Trim(f.Level)) == "advanced" }

// Select gives the yes/no items that a filter lets through, in file order.
func Select(items []Item, f Filter) []Item {
	var keywords []string
	for _, k := range f.Keywords {
		keywords = append(keywords, python.Lower(k))
	}
	var chosen []Item
	for _, item := range items {
		if item.Type != YesNo || (item.Subsection == "visualization_advanced" && !f.advanced()) {
			continue
		}
		where := python.Lower(item.Section + " " + item.Subsection)
		named := func(keyword string) bool { return strings.Contains(where, keyword) }
		if (len(keywords) == 0 && item.Scope == "all") || slices.ContainsFunc(keywords, named) {
			chosen = append(chosen, item)
		}
	}
	return chosen
}
