package biabench

import (
	"bufio"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxCell   = 131072  // characters; the reference's CSV reader gives up on a longer cell
	maxHeader = 1 << 24 // characters of one header row; nothing sensible comes near it
)

// missingColumns lists the required columns that the header of a table lacks, in declared order and spelling.
// A file that is no table misses all of them.
func missingColumns(path string, required []string) []string {
	if len(required) == 0 {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return required
	}
	defer f.Close()
	header, ok := readHeader(f)
	if !ok {
		return required
	}
	for i, cell := range header {
		header[i] = lower(trim(cell))
	}
	var missing []string
	for _, column := range required {
		if !slices.Contains(header, lower(column)) {
			missing = append(missing, column)
		}
	}
	return missing
}

// readHeader gives the cells of the first row that is not an empty line. The dialect is the reference's lenient one
// (spec/scorers-tables.md 1.4): commas, double quotes, invalid UTF-8 dropped, a byte-order mark kept.
func readHeader(r io.Reader) ([]string, bool) {
	h := headerReader{in: bufio.NewReader(r)}
	for {
		r, ok := h.next()
		if !ok {
			break
		}
		if done := h.take(r); done {
			return h.cells, true
		}
		if h.cellLength > maxCell || h.length > maxHeader {
			return nil, false
		}
	}
	if h.started { // the last line has no end, or a quote was never closed
		h.endCell()
	}
	return h.cells, len(h.cells) > 0
}

// headerReader is the state of reading one CSV row.
type headerReader struct {
	in                 *bufio.Reader
	cell               strings.Builder
	cells              []string
	cellLength, length int
	state              cellState
	started            bool // a character of the row was seen
	afterReturn        bool // the last character was a carriage return
}

type cellState uint8

const (
	cellStart cellState = iota // nothing of the cell yet
	cellPlain                  // quotes are ordinary from here on
	cellQuoted
	cellQuoteSeen // a quote inside quotes: the end, or half of a doubled one
)

// next is the next character: invalid bytes are dropped, all line ends are '\n'.
func (h *headerReader) next() (rune, bool) {
	for {
		r, size, err := h.in.ReadRune()
		if err != nil {
			return 0, false
		}
		if r == utf8.RuneError && size == 1 {
			continue
		}
		after := h.afterReturn
		h.afterReturn = r == '\r'
		switch {
		case r == '\r':
			return '\n', true
		case r == '\n' && after:
			continue
		}
		return r, true
	}
}

// take adds one character and tells whether the row is complete.
func (h *headerReader) take(r rune) bool {
	if r == '\n' && h.state != cellQuoted {
		if !h.started {
			return false // an empty line is no row
		}
		h.endCell()
		return true
	}
	h.started = true
	switch {
	case h.state == cellQuoted && r == '"':
		h.state = cellQuoteSeen
	case h.state == cellQuoted:
		h.add(r)
	case h.state == cellQuoteSeen && r == '"':
		h.add(r)
		h.state = cellQuoted
	case r == ',':
		h.endCell()
	case h.state == cellStart && r == '"':
		h.state = cellQuoted
	default:
		h.add(r)
		h.state = cellPlain
	}
	return false
}

func (h *headerReader) add(r rune) {
	h.cell.WriteRune(r)
	h.cellLength++
	h.length++
}

func (h *headerReader) endCell() {
	h.cells = append(h.cells, h.cell.String())
	h.cell.Reset()
	h.cellLength = 0
	h.length++
	h.state = cellStart
}
