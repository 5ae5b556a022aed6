package tabular

import (
	"math/big"

	"coverslip/datasets/tabular/python"
)

// Float reads a number as the reference's float() does (spec/scorers-tables.md 1.6, plain): NaN and infinities are values.
func Float(s string) (float64, bool) { return python.Float(s) }

// Finite is Float for readers that take NaN and infinities for unreadable.
func Finite(s string) (float64, bool) { return python.Finite(s) }

// Int reads a whole number as the reference's int() does.
func Int(s string) (*big.Int, bool) { return python.Int(s) }
