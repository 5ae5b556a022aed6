package biabench

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// Edit is a suggested change of a text file: the stretch from one place up to another is replaced by Text. Lines count from
// 1, columns from 1 in characters. Where both places are one, Text is put in there.
type Edit struct {
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
	Text      string `json:"text"`
}

// Apply gives the text with the change made. An edit of a place that is not there changes nothing.
func (e Edit) Apply(text string) string {
	from, ok1 := offset(text, e.Line, e.Column)
	to, ok2 := offset(text, e.EndLine, e.EndColumn)
	if !ok1 || !ok2 || to < from {
		return text
	}
	return text[:from] + e.Text + text[to:]
}

// offset is the byte that a place begins at.
func offset(text string, line, column int) (at int, ok bool) {
	for ; line > 1; line-- {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return 0, false
		}
		at += n + 1
	}
	for ; column > 1; column-- {
		if at == len(text) || text[at] == '\n' {
			return 0, false
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at, line == 1 && column == 1
}

// editor makes edits of a YAML text. Where it cannot tell a stretch for certain it makes none.
type editor struct{ lines []string }

func newEditor(text []byte) editor { return editor{strings.Split(string(text), "\n")} }

// rest is the line from a value's first character on.
func (e editor) rest(x item) string {
	if x.line < 1 || x.line > len(e.lines) {
		return ""
	}
	r := []rune(strings.TrimSuffix(e.lines[x.line-1], "\r"))
	if x.column < 1 || x.column > len(r) {
		return ""
	}
	return string(r[x.column-1:])
}

// insert puts text in at a place.
func insert(line, column int, text string) *Edit { return &Edit{line, column, line, column, text} }

// replace changes a scalar that stands on one line.
func (e editor) replace(x item, text string) *Edit {
	rest := e.rest(x)
	length := scalarLength(rest)
	if length == 0 {
		return nil
	}
	return &Edit{x.line, x.column, x.line, x.column + length, text}
}

// scalarLength is how many characters of a line belong to the scalar at its beginning; 0 where that cannot be told.
func scalarLength(rest string) int {
	if rest == "" || strings.ContainsRune("|>&!*[{-", rune(rest[0])) {
		return 0
	}
	if quote := rest[:1]; quote == `"` || quote == "'" {
		end := strings.Index(rest[1:], quote)
		if end < 0 || strings.ContainsRune(rest[1:1+end], '\\') || strings.HasPrefix(rest[end+2:], quote) {
			return 0
		}
		return utf8.RuneCountInString(rest[:end+2])
	}
	end := len(rest)
	for _, stop := range []string{" #", ",", "}", "]"} {
		if i := strings.Index(rest, stop); i >= 0 {
			end = min(end, i)
		}
	}
	return utf8.RuneCountInString(strings.TrimRight(rest[:end], " "))
}

// prepend puts text before a scalar's own, whatever its style and length.
func (e editor) prepend(x item, text string) *Edit {
	rest := e.rest(x)
	switch {
	case rest == "" || strings.ContainsRune("&!*[{", rune(rest[0])):
		return nil
	case rest[0] == '"' || rest[0] == '\'':
		return insert(x.line, x.column+1, text)
	case rest[0] == '|' || rest[0] == '>':
		return e.intoBlock(x.line, rest, text)
	}
	return insert(x.line, x.column, text)
}

// intoBlock puts a line of text before the first one of a block scalar. One that states its own indentation is left alone.
func (e editor) intoBlock(line int, header, text string) *Edit {
	if line >= len(e.lines) || strings.ContainsAny(header, "123456789") {
		return nil
	}
	first := e.lines[line]
	indent := len(first) - len(strings.TrimLeft(first, " "))
	if indent == len(first) || indent == 0 {
		return nil
	}
	return insert(line+1, 1, first[:indent]+strings.TrimRight(text, " ")+"\n")
}

// addToList adds names to a list of scalars.
func (e editor) addToList(x item, names []string) *Edit {
	list, _ := x.value.([]item)
	switch rest := e.rest(x); {
	case strings.HasPrefix(rest, "["):
		text := flowNames(names)
		if len(list) > 0 {
			text += ", "
		}
		return insert(x.line, x.column+1, text)
	case strings.HasPrefix(rest, "- ") && len(list) > 0:
		indent := strings.Repeat(" ", x.column-1)
		if e.lines[x.line-1][:x.column-1] != indent {
			return nil
		}
		var text strings.Builder
		for _, name := range names {
			text.WriteString(indent + "- " + yamlText(name) + "\n")
		}
		return insert(x.line, 1, text.String())
	}
	return nil
}

// addKey adds `key: value` to a mapping, in front of one of its keys.
func (e editor) addKey(m *mapping, key, value string) *Edit {
	for i, x := range m.entries {
		if x.keyLine < 1 || x.keyLine > len(e.lines) || x.keyColumn < 1 {
			continue
		}
		before := []rune(e.lines[x.keyLine-1])
		if len(before) < x.keyColumn {
			continue
		}
		indent := string(before[:x.keyColumn-1])
		switch {
		case strings.Trim(indent, " ") == "" && i > 0:
			return insert(x.keyLine, 1, indent+key+": "+value+"\n")
		case strings.HasSuffix(strings.TrimRight(indent, " "), "{"):
			return insert(x.keyLine, x.keyColumn, key+": "+value+", ")
		}
	}
	return nil
}

func flowNames(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = yamlText(n)
	}
	return strings.Join(quoted, ", ")
}

// yamlText writes a text so that YAML reads it as that text, in quotes where it must.
func yamlText(s string) string {
	if v, err := plainScalar(s); err == nil && v == any(s) && s == trim(s) && !strings.ContainsAny(s, ":#,[]{}&*!|>'\"%@`\\\n") {
		return s
	}
	text, _ := json.Marshal(s)
	return string(text)
}

// nearest is the name with the fewest differences from a text, the first where several have as few.
func nearest(text string, names []string) string {
	return slices.MinFunc(names, func(a, b string) int { return distance(text, a) - distance(text, b) })
}

// distance counts the letters to change, add or remove (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := corner
			if a[i] != b[j] {
				cost++
			}
			corner = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
