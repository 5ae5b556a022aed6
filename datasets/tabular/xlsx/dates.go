package xlsx

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	firstDay1900 = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	firstDay1904 = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
)

const dayMillis = 24 * 60 * 60 * 1000

// dateText is the date, the time of day (for serial numbers below 1) or both of a serial number, rounded to milliseconds.
// It fails outside of the years 1 to 9999.
func dateText(serial float64, date1904 bool) (string, bool) {
	day := math.Floor(serial)
	if math.IsNaN(day) || math.Abs(day) > 4e6 {
		return "", false
	}
	millis := int64(math.RoundToEven(float64(serial-day) * 86400 * 1000))
	if serial >= 0 && serial < 1 && millis < dayMillis {
		return clock(millis), true
	}
	first := firstDay1904
	if !date1904 {
		first = firstDay1900
		if serial > 0 && serial < 60 { // 1900 had no 29 February, but the first spreadsheets thought so
			day++
		}
	}
	t := first.AddDate(0, 0, int(day)).Add(time.Duration(millis) * time.Millisecond)
	if t.Year() < 1 || t.Year() > 9999 {
		return "", false
	}
	return t.Format("2006-01-02 ") + clock(t.Sub(t.Truncate(24*time.Hour)).Milliseconds()), true
}

// clock is a time of day, with six decimals of a second where it has any.
func clock(millis int64) string {
	s := fmt.Sprintf("%02d:%02d:%02d", millis/3600000, millis/60000%60, millis/1000%60)
	if rest := millis % 1000; rest != 0 {
		s += fmt.Sprintf(".%06d", rest*1000)
	}
	return s
}

// durationText is hours, minutes and seconds of a number of days.
func durationText(days float64) string {
	sign := ""
	if days < 0 {
		sign, days = "-", -days
	}
	millis := math.RoundToEven(days * dayMillis)
	if !(millis < 1e15) {
		return sign + strconv.FormatFloat(days, 'g', -1, 64) + " days"
	}
	m := int64(millis)
	s := fmt.Sprintf("%s%d:%02d:%02d", sign, m/3600000, m/60000%60, m/1000%60)
	if rest := m % 1000; rest != 0 {
		s += fmt.Sprintf(".%03d", rest)
	}
	return s
}

var (
	isoDate     = regexp.MustCompile(`^(?:(\d{4})-(\d{2})-(\d{2}))?T?(?:(\d{2}):(\d{2})(?::(\d{2})(\.\d{1,3})?)?)?`)
	isoDuration = regexp.MustCompile(`^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?`)
)

// isoText reads the text of a cell of type d: a date, a time, both, or a duration, which has no text but a number of
// days. What stands behind it is not looked at.
func isoText(s string) (text string, days float64, ok bool) {
	m := isoDate.FindStringSubmatch(s)
	date, clockPart := m[1] != "", m[4] != ""
	if !date && !clockPart {
		d := isoDuration.FindStringSubmatch(s)
		if d == nil || d[1]+d[2]+d[3] == "" {
			return "", 0, false
		}
		hours, _ := strconv.ParseFloat("0"+d[1], 64)
		minutes, _ := strconv.ParseFloat("0"+d[2], 64)
		seconds, _ := strconv.ParseFloat("0"+d[3], 64)
		return "", (hours*3600 + minutes*60 + seconds) / 86400, true
	}
	if date {
		text = m[1] + "-" + m[2] + "-" + m[3]
		if _, err := time.Parse(time.DateOnly, text); err != nil || m[1] == "0000" {
			return "", 0, false
		}
	}
	if !clockPart {
		return text, 0, true
	}
	seconds := m[6]
	if seconds == "" {
		seconds = "00"
	}
	if m[4] > "23" || m[5] > "59" || seconds > "59" {
		return "", 0, false
	}
	if text != "" {
		text += " "
	}
	text += m[4] + ":" + m[5] + ":" + seconds
	if fraction := strings.TrimPrefix(m[7], "."); strings.Trim(fraction, "0") != "" {
		text += "." + (fraction + "000000")[:6]
	}
	return text, 0, true
}

// builtInDates are the numbers of the built-in formats that are dates or times; 46 is a duration.
var builtInDates = map[int]bool{14: true, 15: true, 16: true, 17: true, 18: true, 19: true, 20: true, 21: true, 22: true, 45: true, 46: true, 47: true}

const builtInDuration = 46

var durationFormat = regexp.MustCompile(`(?i)\[(hh?|mm?|ss?)\]`)

// formatLook tells a number format of dates, times or durations (spec/scorers-signals.md 3.2): the first section without
// quoted text and bracket groups, except those of elapsed time, has one of d m h y s that is not its first character and
// not behind a backslash.
func formatLook(format string) look {
	format, _, _ = strings.Cut(format, ";")
	var l look
	if durationFormat.MatchString(format) {
		l = lookDuration
	}
	kept := withoutGroups(format)
	previous := rune(0)
	for i, r := range kept {
		if i > 0 && previous != '\\' && strings.ContainsRune("dmhysDMHYS", r) {
			return l | lookDate
		}
		previous = r
	}
	return 0
}

// withoutGroups removes quoted text and bracket groups, except [h] [hh] [m] [mm] [s] [ss].
func withoutGroups(format string) string {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		end := -1
		switch format[i] {
		case '"':
			end = strings.IndexByte(format[i+1:], '"')
		case '[':
			end = strings.IndexByte(format[i+1:], ']')
			if end >= 0 {
				switch format[i+1 : i+1+end] {
				case "h", "hh", "m", "mm", "s", "ss":
					end = -1
				}
			}
		}
		if end < 0 {
			b.WriteByte(format[i])
			continue
		}
		i += end + 1
	}
	return b.String()
}
