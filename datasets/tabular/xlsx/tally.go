package xlsx

import (
	"fmt"

	"coverslip/datasets/fault"
)

// tally counts what is kept of a workbook, or of one of its sheets, against the limits.
type tally struct{ cells, rows, text int }

func (t *tally) takeCell() error {
	if t.cells++; t.cells > maxCells {
		return &fault.Error{Kind: fault.TooLarge, Found: fmt.Sprintf("more than %d cells", maxCells)}
	}
	return nil
}

func (t *tally) takeRow() error {
	if t.rows++; t.rows > maxRows {
		return &fault.Error{Kind: fault.TooLarge, Found: fmt.Sprintf("more than %d rows", maxRows)}
	}
	return nil
}

// takeText counts the bytes of text that are kept.
func (t *tally) takeText(n int) error {
	if t.text += n; t.text > maxText {
		return &fault.Error{Kind: fault.TooLarge, Found: fmt.Sprintf("more than %d MiB of text", maxText>>20)}
	}
	return nil
}

// add adds what a sheet took; ok is false, and nothing is added, where that is more than is left.
func (t *tally) add(sheet tally) (ok bool) {
	sum := tally{t.cells + sheet.cells, t.rows + sheet.rows, t.text + sheet.text}
	if sum.cells > maxCells || sum.rows > maxRows || sum.text > maxText {
		return false
	}
	*t = sum
	return true
}
