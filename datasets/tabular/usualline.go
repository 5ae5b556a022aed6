package tabular

import (
	"math"

	"coverslip/datasets/tabular/python"
)

// usualLine reads the line that a text begins with if it has the form that nearly all lines of long lists have: three or
// four plain numbers between commas, tabs or blanks, with blanks before them at most, then possibly further cells in ASCII,
// then LF, CR LF or the end. The length counts the line break too; it is 0 for all other lines, which say the same or
// something else only by the rules of localisation.
func usualLine(s string) (l Localisation, length int) {
	frame, at := python.Decimal(s)
	if at == 0 || at == len(s) {
		return l, 0
	}
	separator := s[at]
	if separator != ',' && separator != '\t' && separator != ' ' {
		return l, 0
	}
	l.Frame = math.Trunc(frame) + 0 // no negative zero
	if l.X, at = nextNumber(s, at, separator); at == 0 {
		return l, 0
	}
	if l.Y, at = nextNumber(s, at, separator); at == 0 {
		return l, 0
	}
	if at < len(s) && s[at] == separator {
		if l.Intensity, at = nextNumber(s, at, separator); at == 0 {
			return l, 0
		}
		if at < len(s) && s[at] == separator {
			at = skipCells(s, at, separator)
		}
	}
	return l, lineEnd(s, at)
}

// nextNumber reads the number behind the separator that should be at a place, and gives the place behind it, or 0.
func nextNumber(s string, at int, separator byte) (float64, int) {
	if at >= len(s) || s[at] != separator {
		return 0, 0
	}
	for at++; at < len(s) && s[at] == ' '; at++ {
	}
	v, length := python.Decimal(s[at:])
	if length == 0 {
		return 0, 0
	}
	return v, at + length
}

// skipCells is the place of the first byte that is no ASCII of a cell, nor a separator of the same or a lower rank: a
// comma anywhere in a line would make another separator of it, and so would a tab among blanks.
func skipCells(s string, at int, separator byte) int {
	for ; at < len(s); at++ {
		c := s[at]
		if c > '~' || c < ' ' && (c != '\t' || separator == ' ') || c == ',' && separator != ',' {
			break
		}
	}
	return at
}

// lineEnd is the place behind the line break at a place, 0 if there is none; the text may end there instead.
func lineEnd(s string, at int) int {
	switch {
	case at == len(s):
		return at
	case s[at] == '\n':
		return at + 1
	case s[at] == '\r' && at+1 < len(s) && s[at+1] == '\n':
		return at + 2
	}
	return 0
}
