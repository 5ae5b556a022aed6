package tabular

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"coverslip/datasets/tabular/python"
)

// Encodings as Dialect names them.
const (
	UTF8     = "utf-8"
	UTF8Mark = "utf-8-sig" // with a byte-order mark
	UTF16    = "utf-16"
	Latin1   = "latin1"
	CP1252   = "cp1252" // Latin-1 as Windows has it, with dashes and curly quotes
)

// decodeForDisplay guesses the encoding of a file and gives its text without a byte-order mark, line breaks as LF.
func decodeForDisplay(raw string) (text, encoding string) {
	switch {
	case strings.HasPrefix(raw, "\ufeff"):
		raw = raw[len("\ufeff"):]
		if utf8.ValidString(raw) {
			return python.Newlines(raw), UTF8Mark
		}
		return python.Newlines(strings.ToValidUTF8(raw, "\ufffd")), UTF8Mark
	case strings.HasPrefix(raw, "\xff\xfe"):
		return python.Newlines(fromUTF16(raw[2:], false)), UTF16
	case strings.HasPrefix(raw, "\xfe\xff"):
		return python.Newlines(fromUTF16(raw[2:], true)), UTF16
	}
	if big, ok := looksLikeUTF16(raw); ok {
		return python.Newlines(fromUTF16(raw, big)), UTF16
	}
	if utf8.ValidString(raw) {
		return python.Newlines(raw), UTF8
	}
	text, encoding = fromLatin1(raw)
	return python.Newlines(text), encoding
}

func fromUTF16(raw string, big bool) string {
	units := make([]uint16, 0, len(raw)/2)
	for i := 0; i+1 < len(raw); i += 2 {
		lo, hi := raw[i], raw[i+1]
		if big {
			lo, hi = hi, lo
		}
		units = append(units, uint16(hi)<<8|uint16(lo))
	}
	return string(utf16.Decode(units))
}

// looksLikeUTF16 recognises Latin text in UTF-16 without a mark: NUL in nearly every second byte.
func looksLikeUTF16(raw string) (big, ok bool) {
	sample := raw[:min(len(raw), 4096)&^1]
	if len(sample) < 8 {
		return false, false
	}
	var zeros [2]int
	for i := range len(sample) {
		if sample[i] == 0 {
			zeros[i&1]++
		}
	}
	most := len(sample) / 2 * 9 / 10
	switch {
	case zeros[1] >= most && zeros[0] == 0:
		return false, true
	case zeros[0] >= most && zeros[1] == 0:
		return true, true
	}
	return false, false
}

// windows holds the characters that Windows has for 0x80 to 0x9F; zero where it has none.
var windows = [32]rune{'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ'}

func fromLatin1(raw string) (text, encoding string) {
	var b strings.Builder
	b.Grow(len(raw) + len(raw)/8)
	encoding = Latin1
	for i := range len(raw) {
		r := rune(raw[i])
		if r >= 0x80 && r < 0xa0 && windows[r-0x80] != 0 {
			r, encoding = windows[r-0x80], CP1252
		}
		b.WriteRune(r)
	}
	return b.String(), encoding
}

// looksBinary tells control characters that no table has. NUL alone does not count.
func looksBinary(text string) bool {
	sample := text[:min(len(text), 16<<10)]
	controls := 0
	for i := range len(sample) {
		if c := sample[i]; c != 0 && (c < '\t' || c > '\r' && c < 0x1c || c == 0x7f) {
			controls++
		}
	}
	return controls > 0 && controls*50 > len(sample)
}
