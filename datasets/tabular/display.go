package tabular

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"coverslip/datasets/tabular/python"
)

// openText reads a table in text for display and says what the reference makes of it.
func openText(path, raw string) (*Table, error) {
	dialect, text := sniff(raw, path)
	t := &Table{Path: path, Format: textFormat(path), Dialect: dialect, raw: raw}
	records, lines, err := displayRecords(&t.Dialect, text)
	if err != nil {
		return nil, inFile(path, err)
	}
	g := &textGrid{dialect: t.Dialect, records: records}
	g.keepFilled(lines)
	if g.filled() == 0 {
		t.HasHeader = false
	}
	sheet := &Sheet{Name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), grid: g}
	if t.HasHeader {
		sheet.header = 1
	}
	t.Sheets = []*Sheet{sheet}
	t.strictErr = inFile(path, firstLongField(raw))
	t.Notes = textNotes(t, g, text).worstFirst()
	return t, nil
}

func textFormat(path string) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		return "CSV"
	case ".tsv":
		return "TSV"
	}
	return "text"
}

// displayRecords splits the text as the dialect says. Lines are given where rows are not records of a CSV.
func displayRecords(d *Dialect, text string) (records Records, lines []int32, err error) {
	if d.hinted {
		_, text, _ = strings.Cut(text, "\n")
	}
	text = strings.ReplaceAll(text, "\x00", "")
	if d.Separator == perLine {
		records, lines = splitPerLine(text, maxCells)
		return records, lines, nil
	}
	records, err = parseAll(text, csvDialect{separator: d.Separator[0]})
	return records, nil, err
}

// textGrid are the records of a text that have something in them.
type textGrid struct {
	dialect Dialect
	records Records
	places  []int32 // of each row in the file; nil where row n is record n
	width   int
}

// keepFilled leaves out the records without any text.
func (g *textGrid) keepFilled(lines []int32) {
	offset := int32(0)
	if g.dialect.hinted {
		offset = 1
	}
	kept := g.records[:0:0]
	blank := 0
	for i, r := range g.records {
		if isBlank(r) {
			if blank == 0 {
				kept = append(make(Records, 0, len(g.records)), g.records[:i]...)
				g.places = make([]int32, i, len(g.records))
				for k := range g.places {
					g.places[k] = int32(k) + offset
				}
			}
			blank++
			continue
		}
		g.width = max(g.width, len(r))
		if blank > 0 {
			kept, g.places = append(kept, r), append(g.places, int32(i)+offset)
		}
	}
	switch {
	case blank > 0:
		g.records = kept
	case lines != nil:
		g.places = lines
	case offset > 0:
		g.places = make([]int32, len(g.records))
		for k := range g.places {
			g.places[k] = int32(k) + offset
		}
	}
}

func (g *textGrid) filled() int            { return len(g.records) }
func (g *textGrid) size() (rows, cols int) { return len(g.records), g.width }

func (g *textGrid) cell(r, c int) (string, bool) {
	if row := g.records[r]; c < len(row) {
		return row[c], true
	}
	return "", false
}

func (g *textGrid) number(r, c int) (float64, bool) {
	cell, ok := g.cell(r, c)
	if !ok {
		return 0, false
	}
	return g.dialect.number(cell)
}

func (g *textGrid) place(r int) int {
	if g.places == nil {
		return r
	}
	return int(g.places[r])
}

// firstLongField finds what the strict reading stops at, without keeping its records.
func firstLongField(raw string) error {
	if len(raw) <= maxField {
		return nil
	}
	p := csvParser{text: StrictText(raw), csvDialect: csvDialect{separator: ',', strict: true}}
	for {
		record, err := p.next()
		if err != nil || record == nil {
			return err
		}
		p.cells = p.cells[:0]
	}
}

// strictRecords reads the file as the reference does.
func (t *Table) strictRecords() (Records, error) {
	records, err := ParseCSV(StrictText(t.raw))
	return records, inFile(t.Path, err)
}

// textNotes compares what is shown with what the reference reads.
func textNotes(t *Table, g *textGrid, text string) notes {
	var n notes
	switch {
	case t.binary:
		n.warn("not a text table", "The file holds bytes that no table in text has: it may be an image or an archive under another name", "Open it under its true name, or export the table as CSV")
		return n
	case g.filled() == 0:
		n.warn("empty", "The file is empty: no header and no rows", "If nothing was found, write the header alone: a file with a header and no rows counts as an empty answer, an empty file as none")
		return n
	}
	noteEncoding(&n, t, text)
	noteSeparator(&n, t)
	noteHeader(&n, t, g, text)
	noteRows(&n, t, g)
	if t.strictErr != nil {
		n.warn("field longer than the reference accepts", fmt.Sprintf("A field has more than %d characters: the scorer's reader stops with an error there", maxField), "Look for a quote that is never closed, or shorten the field")
	}
	return n
}

func noteEncoding(n *notes, t *Table, text string) {
	switch t.Encoding {
	case UTF8Mark:
		n.warn("byte-order mark", "The file starts with a byte-order mark, as spreadsheet programs write for “CSV UTF-8”. The scorer does not remove it: it becomes part of the first column's name, which then counts as missing",
			"Save it as plain CSV, or remove the first three bytes")
	case UTF16:
		n.warn("UTF-16", "The text is UTF-16. The scorer reads UTF-8 and finds no column by name", "Save it as CSV in UTF-8 without a byte-order mark")
	case Latin1, CP1252:
		n.warn("not UTF-8", "Some letters are not UTF-8 and are shown as Latin-1. The scorer drops those bytes, so names that hold them are cut", "Save it as UTF-8")
	}
	if t.Encoding != UTF16 && strings.Contains(text, "\x00") {
		n.warn("NUL bytes", "The text holds NUL bytes, which are left out here. To the scorer they are part of the cell, so that it is no number", "Write the file again; it may have been cut off while it was written")
	}
	if t.Separator != perLine && strings.ContainsFunc(text, oddLineBreak) {
		n.warn("unusual line separators", "Some cells hold characters that end a line for some readers and not for others (vertical tab, form feed, U+001C to U+001E, U+0085, U+2028, U+2029). Scorers that read line by line break the row there",
			"Replace them by blanks")
	}
}

// oddLineBreak tells the line breaks that a CSV record goes on behind.
func oddLineBreak(r rune) bool { return r != '\n' && r != '\r' && python.IsLineBreak(r) }

func noteSeparator(n *notes, t *Table) {
	const one = "The scorer splits at commas alone"
	switch {
	case t.hinted:
		n.warn("sep= line", "The first line is a hint for spreadsheet programs. To the scorer it is the header, so that no column has its name", "Remove the line and separate the columns by commas")
	case t.Separator == ";":
		n.warn("semicolon separator", "The columns are separated by semicolons. "+one+": it sees other columns, none of the right name", "Export it with commas between the columns (English number settings)")
	case t.Separator == "\t" && t.Format == "CSV":
		n.warn("tab separator", "The columns are separated by tabs under the name of a CSV. "+one+" and sees a single column", "Export it with commas between the columns")
	case t.Separator == perLine && t.Format == "CSV":
		n.warn("blanks as separator", "The columns are separated by blanks under the name of a CSV. "+one, "Export it with commas between the columns")
	}
	if t.Decimal == "," {
		n.warn("decimal comma", "Numbers have a decimal comma, here read as one. To the scorer such a cell is no number", "Export it with decimal points (English number settings)")
	}
}

func noteHeader(n *notes, t *Table, g *textGrid, text string) {
	if t.Separator != perLine && strings.HasPrefix(text, "\n") {
		n.warn("first line empty", "The first line is empty. Most scorers take it for the header, so that no column has a name", "Remove the empty line")
	}
	if !t.HasHeader {
		switch {
		case t.numbers(g.records[0]) == 0:
			n.info("two rows of names", "The first row names blocks of columns, the second the columns", "")
		case t.Format == "CSV":
			n.warn("no header", "The first row holds numbers, so the table has no header. Most scorers take this row for the header and miss its values", "Write the column names in the first line")
		}
		return
	}
	header := g.records[0]
	if len(header) > 1 && header[0] == "" {
		n.info("first column without a name", "The first column has no name: row numbers or row names", "")
	}
	seen := map[string]bool{}
	for _, name := range header {
		if name != "" && seen[name] {
			n.warn("duplicate column", fmt.Sprintf("The column name “%s” is there more than once. Scorers that read by name use the last one", shorten(name)), "Keep one of them, or rename the others")
			break
		}
		seen[name] = true
	}
}

func noteRows(n *notes, t *Table, g *textGrid) {
	if t.Separator == perLine {
		return
	}
	for i, r := range g.records {
		if len(r) != len(g.records[0]) {
			n.warn("rows of different length", fmt.Sprintf("The rows differ in length: row %d has %d cells where the first has %d. The scorer has no value for missing cells and may refuse a table with surplus ones",
				i+1, len(r), len(g.records[0])), "Look for separators inside cells that are not quoted")
			return
		}
	}
}

// shorten cuts a text for a message.
func shorten(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) > most {
		return string([]rune(s)[:most]) + "…"
	}
	return s
}
