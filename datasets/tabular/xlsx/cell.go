package xlsx

import (
	"math"
	"math/big"
	"strconv"

	"coverslip/datasets/tabular/python"
)

// Kind is what a cell holds.
type Kind uint8

// The kinds of a cell.
const (
	Empty    Kind = iota
	Text          // a string, also an empty one
	Number        // a double
	Integer       // a number without point and exponent
	Bool          // true or false
	Fault         // an error such as #N/A
	Date          // a date, a time of day or both
	Duration      // a length of time; the reference takes one that only its style tells for a date
)

// Cell is the value of one cell.
type Cell struct {
	Kind Kind
	// Value is the number of a Number or Integer, 0 or 1 of a Bool, the serial number of a Date (days since the
	// workbook's first day; 0 for one that is written as text) and the days of a Duration.
	Value float64

	text  string // of all kinds but Number, and Integer up to 64 bits
	whole int64  // of an Integer without text
}

// Text is the value as the reference turns it into text: 0.1, 1e-17, True, 2024-01-01 12:00:00. It is empty for an
// empty cell.
func (c Cell) Text() string {
	switch {
	case c.Kind == Number:
		return python.FormatFloat(c.Value)
	case c.Kind == Integer && c.text == "":
		return strconv.FormatInt(c.whole, 10)
	}
	return c.text
}

// IsNumber tells whether the cell counts as a number; booleans and dates do not.
func (c Cell) IsNumber() bool { return c.Kind == Number || c.Kind == Integer }

// stored is a cell as it is kept: 16 bytes without a pointer, so that large sheets cost little.
type stored struct {
	bits   uint64 // a double, an int64 or the place of a text, by form
	column int32  // from 1
	form   form
	look   look
}

type form uint8

const (
	formEmpty form = iota
	formText       // place in the sheet's texts
	formShared
	formFloat
	formInt   // int64
	formLong  // place of the text of a whole number beyond 64 bits
	formBool  // 0 or 1
	formFault // place in the texts
	formISO   // place of the text of a date
	formBad   // place of the text of a number that is none
)

type look uint8

const (
	lookDate     look = 1 << iota // the style is one of dates or times
	lookDuration                  // the style is one of durations
	lookElapsed                   // a duration to the reference too
	lookCovered                   // hidden below a merged cell
)

// cell makes a value of a stored cell. Strict is the reference's view.
func (p *part) cell(s stored, strict bool) Cell {
	if s.look&lookCovered != 0 && !strict {
		return Cell{}
	}
	switch s.form {
	case formText, formBad:
		return Cell{Kind: Text, text: p.texts[s.bits]}
	case formShared:
		return Cell{Kind: Text, text: p.shared[s.bits]}
	case formFault:
		return Cell{Kind: Fault, text: p.texts[s.bits]}
	case formISO:
		return Cell{Kind: Date, text: p.texts[s.bits]}
	case formBool:
		if s.bits != 0 {
			return Cell{Kind: Bool, Value: 1, text: "True"}
		}
		return Cell{Kind: Bool, text: "False"}
	}
	c := p.number(s)
	if c.Kind == Empty || s.look&lookDate == 0 {
		return c
	}
	if s.look&lookElapsed != 0 || s.look&lookDuration != 0 && !strict {
		return Cell{Kind: Duration, Value: c.Value, text: durationText(c.Value)}
	}
	if text, ok := dateText(c.Value, p.date1904); ok {
		return Cell{Kind: Date, Value: c.Value, text: text}
	}
	return Cell{Kind: Fault, text: "#VALUE!"} // outside of all calendars
}

func (p *part) number(s stored) Cell {
	switch s.form {
	case formFloat:
		return Cell{Kind: Number, Value: math.Float64frombits(s.bits)}
	case formInt:
		v := int64(s.bits)
		return Cell{Kind: Integer, Value: float64(v), whole: v}
	case formLong:
		text := p.texts[s.bits]
		v, _, _ := new(big.Float).Parse(text, 10)
		f, _ := v.Float64()
		return Cell{Kind: Integer, Value: f, text: text}
	}
	return Cell{}
}
