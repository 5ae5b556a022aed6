package board

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"

	"coverslip/datasets/tabular/python"
	"coverslip/scoring/numeric"
)

// Number is a figure of a board. It is written as Python writes it, 1.0 and not 1, so that a board built anew from the same
// entries has the same bytes. What is not finite is written as null.
type Number float64

// MarshalJSON writes the number.
func (n Number) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return []byte(python.FormatFloat(float64(n))), nil
}

// rounded is a number rounded as Python does.
func rounded(v float64, decimals int) *Number {
	n := Number(numeric.Round(v, decimals))
	return &n
}

// WriteJSON writes a board or an entry as the reference's builder does: indented by one blank, in ASCII alone, with a
// newline at the end.
func WriteJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(ascii(b.Bytes()))
	return err
}

// ascii writes what is not ASCII, which in JSON occurs within texts alone, as \u escapes in UTF-16.
func ascii(text []byte) []byte {
	var out []byte
	for _, r := range string(text) {
		switch {
		case r < 0x7f:
			out = append(out, byte(r))
		case r > 0xffff:
			r -= 0x10000
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

// Count is a whole number, which a file may write as 3 or as 3.0.
type Count int64

// UnmarshalJSON reads the number.
func (c *Count) UnmarshalJSON(text []byte) error {
	var n json.Number
	if err := json.Unmarshal(text, &n); err != nil || n == "" {
		return err // "" was null
	}
	r, ok := new(big.Rat).SetString(bounded(n))
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return fmt.Errorf("%s is not a whole number", n)
	}
	*c = Count(r.Num().Int64())
	return nil
}
