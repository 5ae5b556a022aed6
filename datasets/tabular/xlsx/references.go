package xlsx

import (
	"coverslip/datasets/tabular/python"
	"math"
	"regexp"
	"strconv"
)

var areaPattern = regexp.MustCompile(`^\$?([A-Za-z]{1,3})?\$?(\d+)?(:\$?([A-Za-z]{1,3})?\$?(\d+)?)?$`)

// parseArea reads A1:C5, A1, A:C or 1:5. What is not stated is 0.
func parseArea(ref string) (area, bool) {
	m := areaPattern.FindStringSubmatch(ref)
	if m == nil {
		return area{}, false
	}
	given := func(s ...string) int {
		n := 0
		for _, x := range s {
			if x != "" {
				n++
			}
		}
		return n
	}
	if columns, rows := given(m[1], m[4]), given(m[2], m[5]); m[3] != "" && !(columns != 1 && rows != 1 && columns+rows > 0) {
		return area{}, false
	}
	a := area{rowNumber(m[2]), columnNumber(m[1]), rowNumber(m[5]), columnNumber(m[4])}
	if m[4] == "" {
		a.column2 = a.column1
	}
	if m[5] == "" {
		a.row2 = a.row1
	}
	return a, true
}

func rowNumber(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil && digits != "" || n > maxRowNumber {
		return maxRowNumber
	}
	return n
}

// columnNumber is 1 for A, 27 for AA; 0 for what names no column.
func columnNumber(letters string) int {
	n := 0
	for _, c := range []byte(letters) {
		c |= 0x20
		if c < 'a' || c > 'z' || n > maxColumnNumber {
			return 0
		}
		n = n*26 + int(c-'a') + 1
	}
	if n > maxColumnNumber {
		return 0
	}
	return n
}

// wholeNumber reads an attribute that int() or, being whole, float() accepts.
func wholeNumber(s string) (int, bool) {
	if n, err := strconv.Atoi(s); err == nil {
		return n, true
	}
	if v, ok := python.Float(s); ok && v == math.Trunc(v) && math.Abs(v) <= maxRowNumber {
		return int(v), true
	}
	return 0, false
}

// columnOf is the column and the row of a reference such as B7, column 0 for what is none.
func columnOf(reference []byte) (column, row int) {
	n, i := 0, 0
	for ; i < len(reference); i++ {
		c := reference[i] | 0x20
		if c < 'a' || c > 'z' {
			break
		}
		if n = n*26 + int(c-'a') + 1; n > maxColumnNumber {
			return 0, 0
		}
	}
	if i == len(reference) {
		return 0, 0
	}
	for ; i < len(reference); i++ {
		if reference[i] < '0' || reference[i] > '9' {
			return 0, 0
		}
		row = min(row*10+int(reference[i]-'0'), maxRowNumber)
	}
	return n, row
}
