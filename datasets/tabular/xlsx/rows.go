package xlsx

import (
	"coverslip/datasets/fault"
	"fmt"
	"strconv"
)

// rowReader fills a part.
type rowReader struct {
	*part
	*tally       // that counts
	book   *book // is not changed
	row    int   // number of the current row
	stated int   // its number by the first reference of a cell, 0 without one
	column int   // of the last cell
	value  []byte
}

// sheet walks over the part of a sheet.
func (r *rowReader) sheet(s *scanner) error {
	for {
		t, err := s.next()
		if err != nil || t == tokenEnd {
			r.sized = r.sized || err == nil
			return err
		}
		if t == tokenText || !isMain(s.space) {
			continue
		}
		switch name := string(s.name); {
		case t == tokenClose && name == "sheetData" && string(s.space) == mainSpace:
			r.sized = true
		case t == tokenClose:
		case name == "row":
			err = r.readRow(s)
		case name == "dimension" && !r.sized && string(s.space) == mainSpace:
			r.dimension(s)
		case name == "mergeCell" && len(r.merged) < maxMerged:
			ref, _ := s.attr("ref")
			if a, ok := parseArea(string(ref)); ok {
				r.merged = append(r.merged, a)
			}
		}
		if err != nil {
			return err
		}
	}
}

// dimension takes the window that the sheet states.
func (r *rowReader) dimension(s *scanner) {
	r.sized = true
	ref, stated := s.attr("ref")
	a, ok := parseArea(string(ref))
	if !stated || !ok {
		r.dimensionErr = &fault.Error{Kind: fault.Malformed, File: r.book.out.Path, At: r.name, Found: fmt.Sprintf("the dimensions %q", ref), Expected: "a range of cells such as A1:C5"}
		return
	}
	r.maxRow, r.maxColumn = a.row2, a.column2
}

// readRow reads the row that was just opened.
func (r *rowReader) readRow(s *scanner) error {
	_, numbered := s.attr("r")
	if err := r.startRow(s); err != nil {
		return err
	}
	r.strictly = r.strictly || string(s.space) == mainSpaceStrict
	row := span{number: int32(r.row), start: int32(len(r.part.cells)), rising: true}
	r.column, r.stated = 0, 0
	usual := s.usualCells()
	for {
		if usual {
			if c, ok := s.usualCell(); ok {
				if err := r.readUsualCell(c, &row); err != nil {
					return err
				}
				r.columns = max(r.columns, r.column)
				continue
			}
		}
		t, err := s.next()
		if err != nil {
			return err
		}
		if t == tokenClose {
			break
		}
		if t != tokenOpen {
			continue
		}
		if err := r.readCell(s, &row); err != nil {
			return err
		}
		r.columns = max(r.columns, r.column)
	}
	row.end, row.last = int32(len(r.part.cells)), int32(r.column)
	if row.shown = row.number; !numbered && r.stated > 0 {
		row.shown = int32(r.stated)
	}
	if r.column > 0 {
		r.part.rows = max(r.part.rows, int(row.shown))
	}
	r.spans = append(r.spans, row)
	r.left = r.left || r.maxRow > 0 && r.row > r.maxRow
	return nil
}

// startRow finds the row's number: its own, or the next one.
func (r *rowReader) startRow(s *scanner) error {
	if err := r.takeRow(); err != nil {
		return err
	}
	number, stated := s.attr("r")
	switch {
	case !stated:
		r.row++
	default:
		n, ok := wholeNumber(string(number))
		if !ok {
			return r.badReference("row", string(number))
		}
		r.row = n
	}
	if r.row > maxRowNumber {
		return r.badReference("row", strconv.Itoa(r.row))
	}
	return nil
}

func (r *rowReader) badReference(what, found string) error {
	r.sized = true // the reference looks at cells only later
	return &fault.Error{Kind: fault.Malformed, At: fmt.Sprintf("%s, row %d", r.name, r.row), Found: fmt.Sprintf("the %s reference %q", what, found), Expected: "one such as B7"}
}

// cellAttributes are those of a cell that count, nil where they are not there.
type cellAttributes struct{ reference, style, kind []byte }

func (s *scanner) cellAttributes() (c cellAttributes) {
	c.reference, _ = s.attr("r")
	c.style, _ = s.attr("s")
	c.kind, _ = s.attr("t")
	return c
}

// cellHead is what the attributes of a cell say.
type cellHead struct {
	kind string
	look look
}

// readCell reads the cell that was just opened, whatever its name.
func (r *rowReader) readCell(s *scanner, row *span) error {
	before := r.column
	head, err := r.cellHead(s.cellAttributes())
	if err != nil {
		return err
	}
	content, err := r.cellContent(s)
	if err != nil {
		return err
	}
	return r.keep(row, before, head, content)
}

// readUsualCell reads a cell that was taken in one step.
func (r *rowReader) readUsualCell(c usualCell, row *span) error {
	before := r.column
	head, err := r.cellHead(c.cellAttributes)
	if err != nil {
		return err
	}
	r.value = append(r.value[:0], c.value...)
	return r.keep(row, before, head, cellContent{})
}

// keep stores the cell with r.value at r.column; before is the column of the one before.
func (r *rowReader) keep(row *span, before int, head cellHead, content cellContent) (err error) {
	c := stored{column: int32(r.column), look: head.look}
	switch {
	case head.kind == "inlineStr":
		if content.hasInline {
			err = r.setText(&c, formText, content.inline)
		}
	case len(r.value) > 0:
		err = r.setValue(&c, head.kind)
	case content.formula:
		r.unvalued++
	}
	if err != nil {
		return err
	}
	row.rising = row.rising && r.column > before
	if c.form == formEmpty && row.rising { // where columns go back it may empty an earlier cell
		return nil
	}
	if c.form != formEmpty {
		r.filled++
	}
	if err := r.takeCell(); err != nil {
		return err
	}
	r.part.cells = append(r.part.cells, c)
	return nil
}

func (r *rowReader) cellHead(a cellAttributes) (head cellHead, err error) {
	head.kind = "n"
	if a.kind != nil {
		head.kind = cellKind(a.kind)
	}
	if a.style != nil && len(r.book.styles) > 0 {
		if n, ok := wholeNumber(string(a.style)); ok {
			head.look = r.book.styles[n]
		}
	}
	if len(a.reference) == 0 {
		if r.column++; r.column > maxColumnNumber {
			return head, r.badReference("cell", "behind ZZZ")
		}
		return head, nil
	}
	var row int
	if r.column, row = columnOf(a.reference); r.column == 0 {
		return head, r.badReference("cell", string(a.reference))
	}
	if r.stated == 0 {
		r.stated = row
	}
	return head, nil
}

// cellKind avoids an allocation for the usual types.
func cellKind(t []byte) string {
	for _, known := range [...]string{"n", "s", "str", "inlineStr", "b", "e", "d"} {
		if string(t) == known {
			return known
		}
	}
	return string(t)
}

// cellContent is what a cell holds beside its value.
type cellContent struct {
	inline             string
	hasInline, formula bool
}

// cellContent reads up to the cell's end: its first value into r.value, its inline text, whether it has a formula.
func (r *rowReader) cellContent(s *scanner) (c cellContent, err error) {
	r.value = r.value[:0]
	inValue, hasValue := false, false
	for depth := 1; depth > 0; {
		t, err := s.next()
		if err != nil {
			return cellContent{}, err
		}
		switch {
		case t == tokenText:
			if inValue {
				r.value = append(r.value, s.text...)
			}
		case t == tokenClose:
			depth--
			inValue = false
		case depth == 1 && isMain(s.space) && string(s.name) == "is" && !c.hasInline:
			c.hasInline = true
			if c.inline, err = readRich(s); err != nil {
				return cellContent{}, err
			}
		default:
			inValue = depth == 1 && isMain(s.space) && string(s.name) == "v" && !hasValue
			hasValue = hasValue || inValue
			c.formula = c.formula || depth == 1 && isMain(s.space) && string(s.name) == "f"
			depth++
		}
	}
	return c, nil
}
