package numeric

import "strconv"

// Round rounds to so many decimals as CPython's round does: the exact binary value, ties to even. NaN and infinities stay.
func Round(v float64, decimals int) float64 { return reread(v, 'f', decimals) }

// RoundSignificant rounds to so many significant digits in the same way.
func RoundSignificant(v float64, figures int) float64 { return reread(v, 'e', figures-1) }

func reread(v float64, format byte, precision int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, format, precision, 64), 64)
	if err != nil {
		return v
	}
	return r
}
