package biabench

import (
	"os"
	"strings"
	"unicode"
)

// The reference is written in Python. These are its rules for blanks, letter case and digits where Go's differ.

// isSpace tells Python's white space: Unicode's, and the four separators U+001C to U+001F.
func isSpace(r rune) bool { return unicode.IsSpace(r) || (r >= 0x1c && r <= 0x1f) }

// trim removes white space on both sides.
func trim(s string) string { return strings.TrimFunc(s, isSpace) }

// lower is the full lower-case mapping: a capital I with a dot becomes two characters.
func lower(s string) string { return strings.ToLower(strings.ReplaceAll(s, "İ", "i\u0307")) }

// isWordy tells letters and numbers of any script.
func isWordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// digitValue is 0 to 9 for a decimal digit of any script, else -1.
func digitValue(r rune) int {
	if r >= '0' && r <= '9' {
		return int(r - '0')
	}
	if r < 0x80 || !unicode.IsDigit(r) {
		return -1
	}
	// Decimal digits come in runs of ten, zero first.
	for _, g := range unicode.Digit.R16 {
		if r >= rune(g.Lo) && r <= rune(g.Hi) {
			return int(r-rune(g.Lo)) % 10
		}
	}
	for _, g := range unicode.Digit.R32 {
		if r >= rune(g.Lo) && r <= rune(g.Hi) {
			return int(r-rune(g.Lo)) % 10
		}
	}
	return -1
}

// baseName is the last component of a path, trailing slashes ignored. A backslash separates on Windows only: elsewhere it
// is a character like any other.
func baseName(path string) string { return lastComponent(path, os.IsPathSeparator) }

func lastComponent(path string, separates func(uint8) bool) string {
	end := len(path)
	for end > 0 && separates(path[end-1]) {
		end--
	}
	start := end
	for start > 0 && !separates(path[start-1]) {
		start--
	}
	return path[start:end]
}

// splitSuffix cuts a file name before its last dot, unless that dot is its first or last character.
func splitSuffix(name string) (stem, suffix string) {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 || i == len(name)-1 {
		return name, ""
	}
	return name[:i], name[i:]
}

// Stem is the name of a file without folders and without its last suffix.
func Stem(path string) string {
	stem, _ := splitSuffix(baseName(path))
	return stem
}

// Suffix is the last suffix of a file's name, its dot included, in the letters it has; "" if there is none.
func Suffix(path string) string {
	_, suffix := splitSuffix(baseName(path))
	return suffix
}

// shorten cuts a text for a message.
func shorten(s string) string {
	const most = 60
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
