package call

import (
	"strconv"
	"strings"
)

// Quantity reads "1 cell", "214 cells".
func Quantity(n int, one, many string) string { return strconv.Itoa(n) + " " + Plural(n, one, many) }

// Plural is one or many.
func Plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Shape reads "64 x 72".
func Shape(shape []int) string {
	if len(shape) == 0 {
		return "a single value"
	}
	parts := make([]string, len(shape))
	for i, n := range shape {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, " x ")
}
