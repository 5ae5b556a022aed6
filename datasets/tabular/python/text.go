package python

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsSpace tells white space: Unicode's, and the four separators U+001C to U+001F. Neither the byte-order mark U+FEFF nor
// the zero-width space U+200B is white space.
func IsSpace(r rune) bool { return unicode.IsSpace(r) || (r >= 0x1c && r <= 0x1f) }

// Trim removes white space on both sides, as str.strip does.
func Trim(s string) string {
	if bare(s) {
		return s
	}
	return strings.TrimFunc(s, IsSpace)
}

// bare tells a text that begins and ends with printable ASCII, so that there is nothing to trim: nearly every cell of a
// table.
func bare(s string) bool {
	return len(s) > 0 && s[0] > ' ' && s[0] < utf8.RuneSelf && s[len(s)-1] > ' ' && s[len(s)-1] < utf8.RuneSelf
}

// Fields splits at runs of white space, as str.split does without an argument.
func Fields(s string) []string { return strings.FieldsFunc(s, IsSpace) }

// Lower is the full lower-case mapping: a capital I with a dot becomes two characters, and a capital sigma at the end of
// a word becomes a final one.
func Lower(s string) string {
	if !strings.ContainsAny(s, "İΣ") {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for i, r := range s {
		switch r {
		case 'İ':
			b.WriteString("i\u0307")
		case 'Σ':
			if afterLetter(s[:i]) && !beforeLetter(s[i+len("Σ"):]) {
				b.WriteRune('ς')
			} else {
				b.WriteRune('σ')
			}
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// afterLetter tells whether s ends in a letter that has a case, marks and the like not counted.
func afterLetter(s string) bool {
	for s != "" {
		r, size := utf8.DecodeLastRuneInString(s)
		if s = s[:len(s)-size]; !caseIgnorable(r) {
			return cased(r)
		}
	}
	return false
}

// beforeLetter tells whether s starts with a letter that has a case, marks and the like not counted.
func beforeLetter(s string) bool {
	for _, r := range s {
		if !caseIgnorable(r) {
			return cased(r)
		}
	}
	return false
}

func cased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

func caseIgnorable(r rune) bool {
	return strings.ContainsRune("'.:^`·\u2018\u2019\u2024\u2027", r) || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}

// Decode is UTF-8 decoding that drops what does not decode. A byte-order mark stays.
func Decode(raw string) string {
	if utf8.ValidString(raw) {
		return raw
	}
	var b strings.Builder
	b.Grow(len(raw))
	start := 0
	for i := 0; i < len(raw); {
		if raw[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(raw[i:])
		if r == utf8.RuneError && size == 1 {
			b.WriteString(raw[start:i])
			start = i + 1
		}
		i += size
	}
	b.WriteString(raw[start:])
	return b.String()
}

// Newlines turns CR LF and lone CR into LF, as text files are read.
func Newlines(s string) string {
	first := strings.IndexByte(s, '\r')
	if first < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for first >= 0 {
		b.WriteString(s[:first])
		b.WriteByte('\n')
		s = s[first+1:]
		s = strings.TrimPrefix(s, "\n")
		first = strings.IndexByte(s, '\r')
	}
	b.WriteString(s)
	return b.String()
}

// Lines splits at every Unicode line break, as str.splitlines does: LF, CR, CR LF, vertical tab, form feed, U+001C to
// U+001E, U+0085, U+2028, U+2029. A break at the very end makes no further line.
func Lines(s string) []string {
	lines := make([]string, 0, strings.Count(s, "\n")+1)
	for line := range LinesSeq(s) {
		lines = append(lines, line)
	}
	return lines
}

// LinesSeq goes through the lines of Lines one by one.
func LinesSeq(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s != "" {
			var line string
			if line, s = CutLine(s); !yield(line) {
				return
			}
		}
	}
}

// CutLine is the first line of Lines and the text that follows its line break.
func CutLine(s string) (line, rest string) {
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= ' ' && r < utf8.RuneSelf {
			i++
			continue
		}
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		if next := i + size; IsLineBreak(r) {
			if r == '\r' && next < len(s) && s[next] == '\n' {
				next++
			}
			return s[:i], s[next:]
		}
		i += size
	}
	return s, ""
}

// IsLineBreak tells the characters at which Lines splits.
func IsLineBreak(r rune) bool {
	return (r >= '\n' && r <= '\r') || (r >= 0x1c && r <= 0x1e) || r == 0x85 || r == 0x2028 || r == 0x2029
}
