package board

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Problem is one thing that keeps an entry off the board.
type Problem struct {
	Code string // of the checks beyond the form; "form" of the form
	Path string // place in the entry: tasks.TASK.runs[0].outcome; "" is the whole
	Text string
}

// String reads "PATH: TEXT".
func (p Problem) String() string {
	if p.Path == "" {
		return p.Text
	}
	return p.Path + ": " + p.Text
}

// Form is the code of a problem with keys, kinds or ranges.
const Form = "form"

// rule checks one value and says what was expected instead, "" where it is right.
type rule func(v any) (expected string)

// field is one key of an object.
type field struct {
	key      string
	required bool
	rule     rule    // for a plain value
	inner    []field // for an object
}

// The form of an entry (spec/contract.md 8.2), without its tasks. No object may have other keys.
var entryForm = []field{
	{"schema_version", true, oneOf(SchemaVersion), nil},
	{"id", true, matching(idForm, "3 to 80 of a-z, 0-9, point, dash and underscore, the first a letter or digit"), nil},
	{"source", true, oneOf("paper", "community"), nil},
	{"submitted", true, matching(dayForm, "a date as 2026-01-31"), nil},
	{"submitter", true, nil, []field{{"name", true, text(1), nil}, {"contact", true, text(3), nil}, {"affiliation", false, orNull(text(0)), nil}}},
	{"agent", true, nil, []field{{"name", true, text(1), nil}, {"version", true, text(1), nil}, {"adapter", false, orNull(text(0)), nil},
		{"class", false, orNull(oneOf("general", "biology")), nil}, {"url", false, orNull(address), nil}}},
	{"model", true, nil, []field{{"name", true, text(1), nil}, {"identifier", true, text(1), nil}, {"provider", false, orNull(text(0)), nil}}},
	{"settings", true, nil, []field{{"dataset_revision", true, text(1), nil}, {"instruction_level", true, oneOf("brief", "detailed"), nil},
		{"repeats", true, whole(1), nil}, {"judge_model", true, orNull(text(1)), nil}, {"evaluator_commit", false, orNull(text(0)), nil},
		{"cost_provenance", false, orNull(oneOf("billed", "list_price")), nil}, {"hardware", false, orNull(text(0)), nil}}},
	{"artifacts", true, nil, []field{{"url", true, orNull(address), nil}, {"notes", false, orNull(text(0)), nil}}},
	{"tasks", true, anything, nil},
}

// runForm is the form of one run.
var runForm = []field{
	{"run_id", true, text(1), nil},
	{"status", true, oneOf(Delivered, NoDeliverable, Crash, Refused), nil},
	{"outcome", true, orNull(number(0, 1)), nil},
	{"process", false, orNull(number(0, 1)), nil},
	{"wall_min", false, orNull(number(0, math.Inf(1))), nil},
	{"input_tokens", false, orNull(whole(0)), nil},
	{"output_tokens", false, orNull(whole(0)), nil},
	{"cost_usd", false, orNull(number(0, math.Inf(1))), nil},
}

var (
	idForm  = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{2,79}$`)
	dayForm = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	webForm = regexp.MustCompile(`^https?://`)
)

// form collects problems.
type form []Problem

func (f *form) add(path, text string, args ...any) {
	*f = append(*f, Problem{Form, strings.TrimPrefix(path, "."), fmt.Sprintf(text, args...)})
}

// checkForm checks the keys of an entry, their kinds and their ranges, each problem with its path. tasks are the ids that
// must be there, and no others.
func checkForm(entry map[string]any, tasks []string) []Problem {
	var f form
	f.object("", entry, entryForm)
	block, ok := entry["tasks"].(map[string]any)
	if !ok {
		if v, given := entry["tasks"]; given {
			f.add("tasks", "expected an object of tasks, found %s", kindOf(v))
		}
		return f
	}
	for _, id := range tasks {
		if v, given := block[id]; given {
			f.task("tasks."+id, v)
		} else {
			f.add("tasks."+id, "this task is missing")
		}
	}
	for _, id := range slices.Sorted(maps.Keys(block)) {
		if !slices.Contains(tasks, id) {
			f.add("tasks."+id, "no task of the benchmark has this id")
		}
	}
	return f
}

// object checks a closed object.
func (f *form) object(path string, v any, fields []field) {
	o, ok := v.(map[string]any)
	if !ok {
		f.add(path, "expected an object, found %s", kindOf(v))
		return
	}
	for _, x := range fields {
		v, given := o[x.key]
		below := path + "." + x.key
		switch {
		case !given && x.required:
			f.add(below, "this key is missing")
		case !given:
		case x.inner != nil:
			f.object(below, v, x.inner)
		default:
			if expected := x.rule(v); expected != "" {
				f.add(below, "expected %s, found %s", expected, kindOf(v))
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(o)) {
		if !slices.ContainsFunc(fields, func(x field) bool { return x.key == key }) {
			f.add(path+"."+key, "no such key is known here")
		}
	}
}

func (f *form) task(path string, v any) {
	f.object(path, v, []field{{"runs", true, anything, nil}})
	o, _ := v.(map[string]any)
	runs, isList := o["runs"].([]any)
	if v, given := o["runs"]; given && (!isList || len(runs) == 0) {
		f.add(path+".runs", "expected a list of one run or more, found %s", kindOf(v))
	}
	for i, run := range runs {
		f.object(path+".runs["+strconv.Itoa(i)+"]", run, runForm)
	}
}

func anything(any) string { return "" }

func orNull(r rule) rule {
	return func(v any) string {
		if v == nil {
			return ""
		}
		if expected := r(v); expected != "" {
			return expected + " or null"
		}
		return ""
	}
}

func oneOf(allowed ...string) rule {
	return func(v any) string {
		if s, ok := v.(string); ok && slices.Contains(allowed, s) {
			return ""
		}
		return `"` + strings.Join(allowed, `" or "`) + `"`
	}
}

// text is text of so many characters or more.
func text(least int) rule {
	return func(v any) string {
		s, ok := v.(string)
		switch {
		case ok && utf8.RuneCountInString(s) >= least:
			return ""
		case least > 1:
			return fmt.Sprintf("text of %d characters or more", least)
		case least == 1:
			return "text that is not empty"
		}
		return "text"
	}
}

func matching(pattern *regexp.Regexp, expected string) rule {
	return func(v any) string {
		if s, ok := v.(string); ok && pattern.MatchString(s) {
			return ""
		}
		return expected
	}
}

func address(v any) string {
	return matching(webForm, "an address that begins with http:// or https://")(v)
}

// number is a number within bounds. A boolean is none here.
func number(low, high float64) rule {
	return func(v any) string {
		if n, ok := v.(json.Number); ok {
			if f, err := n.Float64(); err == nil && f >= low && f <= high {
				return ""
			}
		}
		if math.IsInf(high, 1) {
			return fmt.Sprintf("a number that is not below %g", low)
		}
		return fmt.Sprintf("a number from %g to %g", low, high)
	}
}

// whole is a whole number; 3.0 is one.
func whole(low int64) rule {
	return func(v any) string {
		n, _ := v.(json.Number)
		if r, ok := new(big.Rat).SetString(bounded(n)); ok && r.IsInt() && r.Num().IsInt64() && r.Num().Int64() >= low {
			return ""
		}
		return fmt.Sprintf("a whole number, %d or more", low)
	}
}

// bounded keeps exponents away that would take memory without end.
func bounded(n json.Number) string {
	if f, err := n.Float64(); err != nil || math.Abs(f) > 1e18 || len(n) > 40 {
		return ""
	}
	return n.String()
}

// kindOf names a JSON value for a message.
func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return "the number " + v.String()
	case string:
		if r := []rune(v); len(r) > 60 {
			v = string(r[:60]) + "…"
		}
		return strconv.Quote(v)
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	}
	return "an object"
}
