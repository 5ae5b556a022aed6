package biabench

import (
	"fmt"
	"math/big"
	"strings"

	"coverslip/datasets/fault"
)

// place is a value of a YAML file together with the way to it, for messages.
type place struct {
	file string
	path string // "deliverables[0].id"; "" is the whole file
	item
}

// refuse says what is wrong with the value here.
func (p place) refuse(found, expected string) error {
	at := ""
	if p.path != "" {
		at = "key " + p.path
	}
	if p.line > 0 {
		at = strings.TrimPrefix(at+fmt.Sprintf(", line %d", p.line), ", ")
	}
	return &fault.Error{Kind: fault.Malformed, File: p.file, At: at, Found: found, Expected: expected}
}

// mapping requires a mapping.
func (p place) mapping() (*mapping, error) {
	m, ok := p.value.(*mapping)
	if !ok || m.set {
		return nil, p.refuse(Describe(p.value), "a mapping (key: value)")
	}
	return m, nil
}

// member gives the value of a key, which must be there. p must hold a mapping.
func (p place) member(key string) (place, error) {
	child, ok := p.optional(key)
	if !ok {
		child.line = p.line
		return child, child.refuse("nothing", "this key, which is required")
	}
	return child, nil
}

// optional gives the value of a key if it is there. p must hold a mapping.
func (p place) optional(key string) (place, bool) {
	child := place{file: p.file, path: strings.TrimPrefix(p.path+"."+key, ".")}
	e, ok := p.value.(*mapping).get(key)
	child.item = e.item
	return child, ok
}

// element is one entry of a list.
func (p place) element(i int, x item) place {
	return place{file: p.file, path: fmt.Sprintf("%s[%d]", p.path, i), item: x}
}

// text requires a text that is not blank.
func (p place) text() (string, error) {
	s, ok := p.value.(string)
	if !ok {
		return "", p.refuse(Describe(p.value), "text (put it in quotes if it looks like something else)")
	}
	if trim(s) == "" {
		return "", p.refuse("blank text", "some text")
	}
	return s, nil
}

// memberText is a required text that is not blank.
func (p place) memberText(key string) (string, error) {
	child, err := p.member(key)
	if err != nil {
		return "", err
	}
	return child.text()
}

// boolean gives a key's true or false, or the default where the key is absent.
func (p place) boolean(key string, absent bool) (bool, error) {
	child, ok := p.optional(key)
	if !ok {
		return absent, nil
	}
	b, ok := child.value.(bool)
	if !ok {
		return false, child.refuse(Describe(child.value), "true or false, without quotes")
	}
	return b, nil
}

// onlyKeys refuses a mapping with other keys than these.
func (p place) onlyKeys(known ...string) error {
	m := p.value.(*mapping)
next:
	for _, e := range m.entries {
		for _, k := range known {
			if e.key == k {
				continue next
			}
		}
		child := place{file: p.file, path: strings.TrimPrefix(p.path+"."+KeyText(e.key), "."), item: item{line: e.keyLine}}
		return child.refuse("a key that is not known here", "only "+strings.Join(known, ", "))
	}
	return nil
}

// falsy is Python's notion of an empty value.
func falsy(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case int64:
		return v == 0
	case float64:
		return v == 0
	case string:
		return v == ""
	case []byte:
		return len(v) == 0
	case []item:
		return len(v) == 0
	case *mapping:
		return len(v.entries) == 0
	}
	return false
}

// Describe names a value of a YAML file for a message, as it was read or in Go's free form (Rubric.Metric).
func Describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing (null)"
	case bool:
		return fmt.Sprintf("the value %t (yes, no, on and off count as such too)", v)
	case int64, float64, *big.Int:
		return "the number " + shorten(KeyText(v))
	case Date:
		return "the date " + string(v)
	case string:
		return fmt.Sprintf("the text %q", shorten(v))
	case []item, []any:
		return "a list"
	case *mapping:
		if v.set {
			return "a set"
		}
		return "a mapping"
	case map[string]any:
		return "a mapping"
	}
	return "binary data"
}
