package python

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxIntDigits is the longest text that int() converts.
const maxIntDigits = 4300

// Float reads a number as float() does: white space around it, a sign, digits of any script with an optional point and
// exponent, single underscores between digits, and nan, inf, infinity in any case. Too large a number is infinite. The
// separators U+001C to U+001F are no white space here; trim first where the reference does.
func Float(s string) (float64, bool) {
	if v, length := Decimal(s); length > 0 && length == len(s) {
		return v, true
	}
	return slowFloat(s)
}

// slowFloat is Float for all texts; Decimal spares the usual ones the way through it.
func slowFloat(s string) (float64, bool) {
	s, ok := numeral(s)
	if !ok {
		return 0, false
	}
	unsigned := s
	if s[0] == '+' || s[0] == '-' {
		unsigned = s[1:]
	}
	if !decimal(unsigned) {
		return notFinite(s, unsigned)
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}

// Finite is Float without NaN and infinities.
func Finite(s string) (float64, bool) {
	v, ok := Float(s)
	if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}

// Int reads a whole number as int() does: as Float, but only a sign, digits and underscores, at most 4300 digits.
func Int(s string) (*big.Int, bool) {
	s, ok := numeral(s)
	if !ok {
		return nil, false
	}
	digits := strings.TrimPrefix(s, "+")
	if digits == s {
		digits = strings.TrimPrefix(s, "-")
	}
	if digits == "" || len(digits) > maxIntDigits || skipDigits(digits) != "" {
		return nil, false
	}
	return new(big.Int).SetString(s, 10)
}

// numeral trims, turns digits of other scripts into 0 to 9 and takes out the underscores between digits.
func numeral(s string) (string, bool) {
	if !bare(s) {
		s = strings.TrimFunc(s, unicode.IsSpace)
	}
	plain := s != ""
	for i := 0; i < len(s); i++ {
		if s[i] == '_' || s[i] >= utf8.RuneSelf {
			plain = false
			break
		}
	}
	if plain || s == "" {
		return s, plain
	}
	ascii := make([]byte, 0, len(s))
	for _, r := range s {
		if d := Digit(r); d >= 0 {
			ascii = append(ascii, byte('0'+d))
		} else if r < utf8.RuneSelf {
			ascii = append(ascii, byte(r))
		} else {
			return "", false
		}
	}
	kept := ascii[:0:len(ascii)]
	for i, c := range ascii {
		if c != '_' {
			kept = append(kept, c)
			continue
		}
		// kept runs behind ascii, but the byte before an underscore is always its last.
		if len(kept) == 0 || !isDigit(kept[len(kept)-1]) || i+1 == len(ascii) || !isDigit(ascii[i+1]) {
			return "", false
		}
	}
	return string(kept), true
}

// decimal tells digits with at most one point and an optional exponent.
func decimal(s string) bool {
	rest := skipDigits(s)
	digits := len(s) - len(rest)
	if strings.HasPrefix(rest, ".") {
		after := skipDigits(rest[1:])
		digits += len(rest) - 1 - len(after)
		rest = after
	}
	if digits == 0 {
		return false
	}
	if rest == "" {
		return true
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return false
	}
	rest = rest[1:]
	if rest != "" && (rest[0] == '+' || rest[0] == '-') {
		rest = rest[1:]
	}
	return rest != "" && skipDigits(rest) == ""
}

func notFinite(s, unsigned string) (float64, bool) {
	switch {
	case strings.EqualFold(unsigned, "nan"):
		return math.NaN(), true
	case strings.EqualFold(unsigned, "inf"), strings.EqualFold(unsigned, "infinity"):
		if s[0] == '-' {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	}
	return 0, false
}

func skipDigits(s string) string {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return s[i:]
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// Digit is 0 to 9 for a decimal digit of any script, else -1.
func Digit(r rune) int {
	if r >= '0' && r <= '9' {
		return int(r - '0')
	}
	if r < utf8.RuneSelf || !unicode.IsDigit(r) {
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

// FormatFloat writes a number as str() and repr() do: the shortest text that reads back as the same number, with a point
// or an exponent in it.
func FormatFloat(v float64) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
