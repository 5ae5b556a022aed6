package biabench

import (
	"regexp"
	"strconv"
	"time"
	"unicode/utf8"
)

var (
	calendarDay = regexp.MustCompile(`^(\d{4})(?:-(\d\d)-(\d\d)|(\d\d)(\d\d))`)
	weekDay     = regexp.MustCompile(`^(\d{4})(?:-W(\d\d)(?:-([1-7]))?|W(\d\d)([1-7])?)`)
	clockTime   = regexp.MustCompile(`^(\d\d)(?:(?::(\d\d)(?::(\d\d)(?:[.,]\d+)?)?)|(?:(\d\d)(?:(\d\d)(?:[.,]\d+)?)?))?` +
		`(?:[-+](\d\d)(?:(?::(\d\d)(?::(\d\d)(?:[.,]\d+)?)?)|(?:(\d\d)(?:(\d\d)(?:[.,]\d+)?)?))?)?$`)
)

// isTimestamp tells the ISO 8601 texts that Python's datetime.fromisoformat takes: a date, and if there is more, any one
// character and a time of day, with or without an offset.
func isTimestamp(text string) bool {
	rest, ok := afterDate(text)
	if !ok || rest == "" {
		return ok
	}
	_, size := utf8.DecodeRuneInString(rest)
	g := clockTime.FindStringSubmatch(rest[size:])
	if g == nil {
		return false
	}
	limits := []int{0, 23, 59, 59, 59, 59, 23, 59, 59, 59, 59}
	for i := 1; i < len(g); i++ {
		if n, _ := strconv.Atoi(g[i]); n > limits[i] {
			return false
		}
	}
	return true
}

// afterDate checks the date at the beginning and gives what follows it.
func afterDate(text string) (rest string, ok bool) {
	if g := calendarDay.FindStringSubmatch(text); g != nil {
		month, day := g[2]+g[4], g[3]+g[5]
		_, err := time.Parse("20060102", g[1]+month+day)
		return text[len(g[0]):], err == nil && g[1] != "0000"
	}
	if g := weekDay.FindStringSubmatch(text); g != nil {
		year, _ := strconv.Atoi(g[1])
		week, _ := strconv.Atoi(g[2] + g[4])
		_, last := time.Date(year, 12, 28, 0, 0, 0, 0, time.UTC).ISOWeek() // always in the last week of its year
		return text[len(g[0]):], year > 0 && week >= 1 && week <= last
	}
	return "", false
}

// IsDate tells the ISO 8601 texts that Python's date.fromisoformat takes: 2026-01-31, 20260131, 2026-W05-6.
func IsDate(text string) bool {
	rest, ok := afterDate(text)
	return ok && rest == ""
}
