package biabench

import (
	"encoding/base64"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Date is a YAML date or time, which the reference does not take for text. It holds the text as Python writes it.
type Date string

// The plain scalars of YAML 1.1 (yaml.org/type), as far as the reference's reader follows them: exponents need a sign,
// y and n are text, and so is 0o17.
var (
	yamlFloat = regexp.MustCompile(`^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?` +
		`|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
	yamlInt = regexp.MustCompile(`^[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)$`)
	yamlDay = regexp.MustCompile(`^([0-9]{4})-([0-9]{2})-([0-9]{2})$`)
	// Groups: year, month, day, hour, minute, second, fraction, zone.
	yamlTime = regexp.MustCompile(`^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[Tt]|[ \t]+)([0-9]{1,2}):([0-9]{2}):([0-9]{2})` +
		`(?:\.([0-9]*))?(?:[ \t]*(Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?$`)
)

// plainScalar gives an unquoted scalar its value: nil, bool, int64, *big.Int, float64, Date or string.
func plainScalar(s string) (any, error) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return nil, nil
	case "=":
		return nil, fmt.Errorf("a lone = sign, which YAML reserves; put it in quotes")
	}
	if b, ok := yamlBool(s); ok {
		return b, nil
	}
	if s[0] >= '0' && s[0] <= '9' || strings.IndexByte("+-.", s[0]) >= 0 {
		return plainNumber(s)
	}
	return s, nil
}

func plainNumber(s string) (any, error) {
	switch {
	case yamlFloat.MatchString(s):
		return floatScalar(s)
	case yamlInt.MatchString(s):
		return intScalar(s)
	case yamlDay.MatchString(s), yamlTime.MatchString(s):
		return dateScalar(s)
	}
	return s, nil
}

func yamlBool(s string) (value, ok bool) {
	if len(s) > 5 {
		return false, false
	}
	l := strings.ToLower(s)
	// yes, Yes and YES are booleans; yEs is text.
	if s != l && s != strings.ToUpper(s) && s != strings.ToUpper(l[:1])+l[1:] {
		return false, false
	}
	switch l {
	case "yes", "true", "on":
		return true, true
	case "no", "false", "off":
		return false, true
	}
	return false, false
}

// signed cuts the sign and the underscores off a number.
func signed(s string) (digits string, negative bool) {
	s = strings.ReplaceAll(s, "_", "")
	negative = strings.HasPrefix(s, "-")
	return strings.TrimLeft(s, "+-"), negative
}

// intScalar reads 12, -1_000, 0x1F, 017, 0b11 and 1:30 (which is 90).
func intScalar(s string) (any, error) {
	digits, negative := signed(s)
	n := new(big.Int)
	ok := true
	switch {
	case strings.Contains(digits, ":"):
		for part := range strings.SplitSeq(digits, ":") {
			p, good := new(big.Int).SetString(part, 10)
			ok = ok && good
			if good {
				n.Add(n.Mul(n, big.NewInt(60)), p)
			}
		}
	case digits == "0":
	case strings.HasPrefix(digits, "0b"), strings.HasPrefix(digits, "0x"):
		base := map[byte]int{'b': 2, 'x': 16}[digits[1]]
		_, ok = n.SetString(digits[2:], base)
	case strings.HasPrefix(digits, "0"):
		_, ok = n.SetString(digits, 8)
	default:
		_, ok = n.SetString(digits, 10)
	}
	if !ok {
		return nil, fmt.Errorf("%q, which is not a whole number", shorten(s))
	}
	if negative {
		n.Neg(n)
	}
	if n.IsInt64() {
		return n.Int64(), nil
	}
	return n, nil
}

// floatScalar reads 1.5, 1.0e+3, .inf, .nan and 1:30.5 (which is 90.5).
func floatScalar(s string) (any, error) {
	digits, negative := signed(strings.ToLower(s))
	sign := 1.0
	if negative {
		sign = -1
	}
	switch {
	case digits == ".inf":
		return sign * math.Inf(1), nil
	case digits == ".nan":
		return math.NaN(), nil
	}
	value := 0.0
	for part := range strings.SplitSeq(digits, ":") {
		f, err := strconv.ParseFloat(part, 64)
		if err != nil && !math.IsInf(f, 0) {
			return nil, fmt.Errorf("%q, which is not a number", shorten(s))
		}
		value = float64(value*60) + f
	}
	return sign * value, nil
}

// dateScalar checks a date and writes it as Python does: 2026-01-31, 2026-01-31 10:00:00+02:00.
func dateScalar(s string) (any, error) {
	wrong := fmt.Errorf("%q, which is not a date of the calendar", shorten(s))
	if yamlDay.MatchString(s) {
		if _, err := time.Parse("2006-01-02", s); err != nil || strings.HasPrefix(s, "0000") {
			return nil, wrong
		}
		return Date(s), nil
	}
	g := yamlTime.FindStringSubmatch(s)
	if g == nil {
		return nil, wrong
	}
	var n [6]int
	for i := range n {
		n[i], _ = strconv.Atoi(g[i+1])
	}
	t := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, time.UTC)
	if n[0] == 0 || t.Month() != time.Month(n[1]) || t.Day() != n[2] || t.Hour() != n[3] || t.Minute() != n[4] || t.Second() != n[5] {
		return nil, wrong
	}
	text := t.Format("2006-01-02 15:04:05")
	if micro := (g[7] + "000000")[:6]; micro != "000000" {
		text += "." + micro
	}
	if zone := g[8]; zone == "Z" {
		text += "+00:00"
	} else if zone != "" {
		hour, minute, _ := strings.Cut(zone[1:], ":")
		h, _ := strconv.Atoi(hour)
		m, _ := strconv.Atoi(minute)
		if h*60+m >= 24*60 {
			return nil, wrong
		}
		text += fmt.Sprintf("%c%02d:%02d", zone[0], h, m)
	}
	return Date(text), nil
}

// taggedScalar gives a scalar with a tag of its own, like !!int "7", its value.
func taggedScalar(tag, s string) (any, error) {
	switch tag {
	case "!!str":
		return s, nil
	case "!!null":
		return nil, nil
	case "!!bool":
		switch strings.ToLower(s) {
		case "yes", "true", "on":
			return true, nil
		case "no", "false", "off":
			return false, nil
		}
	case "!!int":
		if yamlInt.MatchString(s) {
			return intScalar(s)
		}
	case "!!float":
		if yamlFloat.MatchString(s) || yamlInt.MatchString(s) {
			return floatScalar(s)
		}
	case "!!timestamp":
		return dateScalar(s)
	case "!!binary":
		compact := strings.Join(strings.Fields(s), "")
		if b, err := base64.StdEncoding.DecodeString(compact); err == nil {
			return b, nil
		}
	}
	return nil, fmt.Errorf("%q with the tag %s, which do not go together", shorten(s), tag)
}
