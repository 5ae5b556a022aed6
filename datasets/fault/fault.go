// Package fault holds the errors that readers, loaders and scorers report to a person.
//
// An Error says where (file, page, line, key or label), what was found, what was expected and what to do next. It
// unwraps to one of five kinds, so that callers can choose an exit code or a colour without reading the text.
package fault

import (
	"errors"
	"strings"
)

// The kinds. Every Error unwraps to exactly one of them.
var (
	// Malformed: the file contradicts its own format.
	Malformed = errors.New("malformed")
	// Unsupported: a valid file that this program cannot read.
	Unsupported = errors.New("unsupported")
	// Inconsistent: readable, but not what the task asks for.
	Inconsistent = errors.New("inconsistent with the task")
	// TooLarge: reading it would take more memory than the limit allows.
	TooLarge = errors.New("too large")
	// Missing: something that should be there is not.
	Missing = errors.New("missing")
)

// Error is one thing that is wrong, in words a person can act on. All fields but Kind may be empty.
type Error struct {
	Kind     error  // one of the kinds above
	File     string // path as the user knows it
	At       string // "page 3", "line 12", "key deliverables[0].id", "label 17"
	Found    string
	Expected string
	Fix      string // what to do next, a full sentence without the stop
	Err      error  // the cause, if another error lies below
}

// Error reads "FILE, AT: found FOUND; expected EXPECTED. FIX." with the empty parts left out.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.At != "" {
		if e.File != "" {
			b.WriteString(", ")
		}
		b.WriteString(e.At)
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	b.WriteString(e.Reason())
	return b.String()
}

// Reason is the text without the place, for tables that have a column for the file.
func (e *Error) Reason() string {
	var b strings.Builder
	switch {
	case e.Found != "" && e.Expected != "":
		b.WriteString("found " + e.Found + "; expected " + e.Expected)
	case e.Found != "":
		b.WriteString(e.Found)
	case e.Expected != "":
		b.WriteString("expected " + e.Expected)
	case e.Err != nil:
		b.WriteString(e.Err.Error())
	default:
		b.WriteString(e.Kind.Error())
	}
	if e.Fix != "" {
		b.WriteString(". " + e.Fix)
	}
	return b.String()
}

// Unwrap gives the kind and the cause, so errors.Is works with both.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// KindOf returns the kind of the first Error in err's tree, or nil.
func KindOf(err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return nil
}
