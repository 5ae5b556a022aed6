package xlsx

import (
	"coverslip/datasets/fault"
	"coverslip/datasets/tabular/python"
	"fmt"
	"math"
	"math/big"
	"strings"
)

var zero = new(big.Int)

func (r *rowReader) setText(c *stored, form form, text string) error {
	c.form, c.bits = form, uint64(len(r.texts))
	r.texts = append(r.texts, text)
	return r.takeText(len(text) + 16)
}

// setValue turns the text of a value into what its type says.
func (r *rowReader) setValue(c *stored, kind string) error {
	switch kind {
	case "n":
		return r.setNumber(c)
	case "s":
		if n, ok := smallInt(r.value); ok && n >= 0 && n < int64(len(r.shared)) {
			c.form, c.bits = formShared, uint64(n)
			return nil
		}
		n, ok := python.Int(string(r.value))
		if !ok || !n.IsInt64() || n.Sign() < 0 || n.Int64() >= int64(len(r.shared)) {
			r.sized = true // as above
			return &fault.Error{Kind: fault.Malformed, At: fmt.Sprintf("%s, row %d", r.name, r.row), Found: fmt.Sprintf("shared string %s of %d", shorten(r.value), len(r.shared)),
				Expected: "the number of a string that is there", Fix: "Save the workbook again in a spreadsheet program"}
		}
		c.form, c.bits = formShared, n.Uint64()
	case "b":
		n, ok := python.Int(string(r.value))
		if !ok {
			return r.bad(c, "a boolean")
		}
		c.form, c.bits = formBool, uint64(min(n.CmpAbs(zero), 1))
	case "e":
		return r.setText(c, formFault, string(r.value))
	case "d":
		text, days, ok := isoText(string(r.value))
		if !ok {
			return r.bad(c, "a date")
		}
		r.dates++
		if text == "" {
			c.form, c.bits, c.look = formFloat, math.Float64bits(days), lookDate|lookElapsed
			return nil
		}
		return r.setText(c, formISO, text)
	default:
		return r.setText(c, formText, string(r.value))
	}
	return nil
}

// setNumber keeps whole numbers apart from those with a point or an exponent, as the reference does.
func (r *rowReader) setNumber(c *stored) error {
	v := r.value
	if n, ok := smallInt(v); ok {
		c.form, c.bits = formInt, uint64(n)
	} else if hasPointOrExponent(v) {
		f, ok := python.Float(string(v))
		if !ok {
			return r.bad(c, "a number")
		}
		c.form, c.bits = formFloat, math.Float64bits(f)
	} else {
		n, ok := python.Int(string(v))
		switch {
		case !ok:
			return r.bad(c, "a number")
		case n.IsInt64():
			c.form, c.bits = formInt, uint64(n.Int64())
		default:
			if err := r.setText(c, formLong, n.String()); err != nil {
				return err
			}
		}
	}
	if c.look&lookDate != 0 {
		r.dates++
	}
	return nil
}

func hasPointOrExponent(v []byte) bool {
	for _, c := range v {
		if c == '.' || c == 'e' || c == 'E' {
			return true
		}
	}
	return false
}

// bad keeps the text of a cell that is not what its type says; the reference stops at it.
func (r *rowReader) bad(c *stored, what string) error {
	if r.strictErr == nil && !r.left {
		r.strictErr = &fault.Error{Kind: fault.Malformed, File: r.book.out.Path, At: fmt.Sprintf("%s, row %d", r.name, r.row), Found: fmt.Sprintf("%q", shorten(r.value)), Expected: what}
	}
	r.broken++
	return r.setText(c, formBad, string(r.value))
}

// smallInt reads up to 18 digits with an optional minus.
func smallInt(b []byte) (int64, bool) {
	digits := b
	if len(b) > 0 && b[0] == '-' {
		digits = b[1:]
	}
	if len(digits) == 0 || len(digits) > 18 {
		return 0, false
	}
	n := int64(0)
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if len(digits) < len(b) {
		n = -n
	}
	return n, true
}

func shorten(b []byte) string {
	const most = 60
	if len(b) > most {
		return strings.ToValidUTF8(string(b[:most]), "") + "…"
	}
	return string(b)
}
