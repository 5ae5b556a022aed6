package biabench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"strings"
	"unicode/utf8"

	"coverslip/datasets/fault"

	"gopkg.in/yaml.v3"
)

// Limits that keep hostile YAML from taking the machine; real files stay below a hundredth of each.
const (
	maxYAMLBytes = 16 << 20
	maxYAMLDepth = 400
	maxYAMLItems = 1 << 20 // with every alias written out
)

// item is a YAML value: nil, bool, int64, *big.Int, float64, string, Date, []byte, []item or *mapping.
type item struct {
	value  any
	line   int // from 1
	column int // in characters, from 1
}

// mapping is a YAML mapping in file order. A key given twice keeps its first place and its last value, as in Python.
type mapping struct {
	entries []entry
	at      map[any]int
	set     bool // a !!set, which the reference does not take for a mapping
}

type entry struct {
	key       any
	keyLine   int
	keyColumn int
	item
}

func (m *mapping) put(e entry) {
	k := hashKey(e.key)
	if i, ok := m.at[k]; ok {
		m.entries[i].item, m.entries[i].keyLine, m.entries[i].keyColumn = e.item, e.keyLine, e.keyColumn
		return
	}
	m.at[k] = len(m.entries)
	m.entries = append(m.entries, e)
}

func (m *mapping) get(key string) (entry, bool) {
	i, ok := m.at[key]
	if !ok {
		return entry{}, false
	}
	return m.entries[i], true
}

// hashKey makes keys equal that are equal in Python: 1, 1.0 and true.
func hashKey(key any) any {
	switch k := key.(type) {
	case bool:
		if k {
			return int64(1)
		}
		return int64(0)
	case float64:
		if n := int64(k); float64(n) == k {
			return n
		}
	case *big.Int:
		return "int " + k.String()
	case []byte:
		return "bytes " + string(k)
	}
	return key
}

// parseYAML reads one YAML 1.1 document with the reference's rules. An empty text is nil.
func parseYAML(file string, text []byte) (item, error) {
	if len(text) > maxYAMLBytes {
		return item{}, &fault.Error{Kind: fault.TooLarge, File: file, Found: fmt.Sprintf("%d bytes", len(text)),
			Expected: fmt.Sprintf("at most %d", maxYAMLBytes)}
	}
	if i := invalidUTF8(text); i >= 0 {
		return item{}, &fault.Error{Kind: fault.Malformed, File: file, At: fmt.Sprintf("line %d", 1+bytes.Count(text[:i], []byte("\n"))),
			Found: "bytes that are not UTF-8", Fix: "Save the file as UTF-8"}
	}
	doc, err := parseNode(file, text)
	if err != nil || doc == nil {
		return item{}, err
	}
	c := composer{file: file, done: map[*yaml.Node]built{}, open: map[*yaml.Node]bool{}, anchors: map[string]*yaml.Node{}}
	root, err := c.build(doc.Content[0], 0)
	return root.item, err
}

func invalidUTF8(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// parseNode is the syntax alone. nil means that there is no document.
func parseNode(file string, text []byte) (doc *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil { // the library gives up on some broken texts this way
			doc, err = nil, notYAML(file, fmt.Errorf("%v", p))
		}
	}()
	d := yaml.NewDecoder(bytes.NewReader(text))
	doc = new(yaml.Node)
	if err := d.Decode(doc); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, notYAML(file, err)
	}
	var second yaml.Node
	if err := d.Decode(&second); err == nil {
		return nil, &fault.Error{Kind: fault.Malformed, File: file, At: fmt.Sprintf("line %d", second.Line),
			Found: "a second YAML document", Expected: "one document", Fix: "Remove the line that holds only ---"}
	} else if !errors.Is(err, io.EOF) {
		return nil, notYAML(file, err)
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	if line := strayTab(doc, string(text)); line > 0 {
		return nil, &fault.Error{Kind: fault.Malformed, File: file, At: fmt.Sprintf("line %d", line),
			Found: "a tab character", Expected: "blanks", Fix: "Replace tabs outside of quotes by blanks"}
	}
	return doc, nil
}

var libraryLine = regexp.MustCompile(`line ([0-9]+): `)

// notYAML puts the YAML library's complaint into our form.
func notYAML(file string, err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	e := &fault.Error{Kind: fault.Malformed, File: file, Expected: "YAML", Err: err,
		Fix: "Check indentation, quotes and colons there"}
	if g := libraryLine.FindStringSubmatch(text); g != nil {
		e.At = "line " + g[1]
		text = strings.Replace(text, g[0], "", 1)
	}
	e.Found = "text that is not YAML (" + text + ")"
	return e
}

// built is a finished value with the number of items it stands for when aliases are written out.
type built struct {
	item
	size int
}

// composer turns syntax nodes into values. An anchored node is built once and shared, so aliases cost nothing here;
// the size that they stand for is bounded, since whoever walks the value pays for it.
type composer struct {
	file    string
	done    map[*yaml.Node]built
	open    map[*yaml.Node]bool // being built: meeting it again is a loop
	anchors map[string]*yaml.Node
}

func (c *composer) refuse(line int, found string) error {
	return &fault.Error{Kind: fault.Malformed, File: c.file, At: fmt.Sprintf("line %d", line), Found: found}
}

func (c *composer) build(n *yaml.Node, depth int) (built, error) {
	line := n.Line
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if b, ok := c.done[n]; ok {
		return b, nil
	}
	if c.open[n] {
		return built{}, c.refuse(line, "a value that holds itself")
	}
	if depth > maxYAMLDepth {
		return built{}, c.refuse(line, fmt.Sprintf("values nested more than %d deep", maxYAMLDepth))
	}
	if other := c.anchors[n.Anchor]; n.Anchor != "" && other != nil && other != n {
		return built{}, c.refuse(n.Line, fmt.Sprintf("the anchor &%s of line %d again", n.Anchor, other.Line))
	}
	c.anchors[n.Anchor] = n
	c.open[n] = true
	defer delete(c.open, n)
	b := built{item: item{line: n.Line, column: n.Column}, size: 1}
	var err error
	switch n.Kind {
	case yaml.ScalarNode:
		b.value, err = c.scalar(n)
	case yaml.SequenceNode:
		b.value, b.size, err = c.sequence(n, depth)
	default:
		b.value, b.size, err = c.mapping(n, depth)
	}
	if err == nil && b.size > maxYAMLItems {
		err = c.refuse(line, fmt.Sprintf("aliases that stand for more than %d values", maxYAMLItems))
	}
	if err == nil && n.Anchor != "" {
		c.done[n] = b
	}
	return b, err
}

func (c *composer) scalar(n *yaml.Node) (value any, err error) {
	const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		value, err = taggedScalar(n.Tag, n.Value)
	case n.Style&quoted != 0:
		value = n.Value
	case n.Value == "<<":
		err = errors.New("a merge sign << where a value belongs; put it in quotes")
	default:
		value, err = plainScalar(n.Value)
	}
	if err != nil {
		return nil, c.refuse(n.Line, err.Error())
	}
	return value, nil
}

func (c *composer) sequence(n *yaml.Node, depth int) (any, int, error) {
	pairs := n.Tag == "!!omap" || n.Tag == "!!pairs"
	if n.Tag != "!!seq" && !pairs {
		return nil, 0, c.refuse(n.Line, "a list with the tag "+n.Tag+", which means nothing here")
	}
	list, size := make([]item, 0, len(n.Content)), 1
	for _, child := range n.Content {
		b, err := c.build(child, depth+1)
		if err != nil {
			return nil, 0, err
		}
		if m, ok := b.value.(*mapping); pairs && (!ok || len(m.entries) != 1) {
			return nil, 0, c.refuse(child.Line, "an entry of an ordered list that is not one key with one value")
		}
		list, size = append(list, b.item), min(size+b.size, maxYAMLItems+1)
	}
	return list, size, nil
}

func (c *composer) mapping(n *yaml.Node, depth int) (any, int, error) {
	if n.Tag != "!!map" && n.Tag != "!!set" {
		return nil, 0, c.refuse(n.Line, "a mapping with the tag "+n.Tag+", which means nothing here")
	}
	m := &mapping{at: map[any]int{}, set: n.Tag == "!!set"}
	size := 1
	// Merged keys come first, so that the mapping's own win.
	for i := 0; i+1 < len(n.Content); i += 2 {
		if isMerge(n.Content[i]) {
			added, err := c.merge(m, n.Content[i+1], depth)
			if err != nil {
				return nil, 0, err
			}
			size = min(size+added, maxYAMLItems+1)
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if isMerge(n.Content[i]) {
			continue
		}
		key, err := c.key(n.Content[i], depth+1)
		if err != nil {
			return nil, 0, err
		}
		b, err := c.build(n.Content[i+1], depth+1)
		if err != nil {
			return nil, 0, err
		}
		m.put(entry{key, n.Content[i].Line, n.Content[i].Column, b.item})
		size = min(size+1+b.size, maxYAMLItems+1)
	}
	return m, size, nil
}

func isMerge(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n.Kind == yaml.ScalarNode && n.Tag == "!!merge"
}

// key builds a mapping's key: any scalar.
func (c *composer) key(n *yaml.Node, depth int) (any, error) {
	if n.Kind == yaml.ScalarNode && n.Style == 0 && n.Value == "=" {
		return "=", nil
	}
	b, err := c.build(n, depth)
	if err != nil {
		return nil, err
	}
	switch b.value.(type) {
	case []item, *mapping:
		return nil, c.refuse(n.Line, "a list or mapping as a key")
	}
	return b.value, nil
}

// merge puts the entries of `<<: *other` or `<<: [*first, *second]` into m; of several, the earlier wins.
func (c *composer) merge(m *mapping, n *yaml.Node, depth int) (size int, err error) {
	b, err := c.build(n, depth+1)
	if err != nil {
		return 0, err
	}
	sources := []item{b.item}
	if list, ok := b.value.([]item); ok {
		sources = list
	}
	for i := len(sources) - 1; i >= 0; i-- {
		from, ok := sources[i].value.(*mapping)
		if !ok {
			return 0, c.refuse(n.Line, "a merge << of something that is no mapping")
		}
		for _, e := range from.entries {
			m.put(e)
		}
	}
	return b.size, nil
}

// plain turns a value into Go's free form: nil, bool, int64, *big.Int, float64, string, Date, []byte, []any and
// map[string]any, keys as Python writes them.
func plain(v any) any {
	switch v := v.(type) {
	case []item:
		list := make([]any, len(v))
		for i, x := range v {
			list[i] = plain(x.value)
		}
		return list
	case *mapping:
		return v.plain()
	}
	return v
}

func (m *mapping) plain() map[string]any {
	out := make(map[string]any, len(m.entries))
	for _, e := range m.entries {
		out[KeyText(e.key)] = plain(e.value)
	}
	return out
}

// innerKeys lists the keys of each mapping that m holds, by its key in m.
func (m *mapping) innerKeys() map[string][]string {
	inner := map[string][]string{}
	for _, e := range m.entries {
		if v, ok := e.value.(*mapping); ok {
			inner[KeyText(e.key)] = v.keys()
		}
	}
	return inner
}

// keys lists the keys in file order, as Python writes them.
func (m *mapping) keys() []string {
	keys := make([]string, len(m.entries))
	for i, e := range m.entries {
		keys[i] = KeyText(e.key)
	}
	return keys
}
