package tabular

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"coverslip/datasets/fault"
)

// ErrFieldTooLong is the cause of the error that ParseCSV gives for a field of more than 131,072 characters.
var ErrFieldTooLong = fmt.Errorf("a field of more than %d characters", maxField)

const (
	maxField = 131072   // characters; the reference's CSV reader gives up on a longer field
	maxCells = 16 << 20 // of one table, an estimate from the separators; a row counts as two
)

// Records are the rows of a table as they stand in the file, a header included. Rows may differ in length; an empty line
// is a row without cells. Cells share memory with the text they were read from.
type Records [][]string

// ParseCSV splits decoded text (StrictText) into records as the reference does (spec/scorers-tables.md 1.4): commas,
// double quotes, doubled quotes and line breaks inside quotes; a quote that is not the first character of a field is an
// ordinary one, text after a closing quote is appended, an unclosed quote runs to the end of the file. After an error
// the records before it are returned too, since a reader that goes row by row sees them.
func ParseCSV(text string) (Records, error) {
	return parseAll(text, csvDialect{separator: ',', strict: true})
}

// ParseCSVLines is ParseCSV for readers that split the text into lines first, at any Unicode line break, drop the blank
// ones, and only then look for quotes (spec/scorers-segmentation-tracking.md 4.2): quoted line breaks vanish.
func ParseCSVLines(lines []string) (Records, error) {
	return parseAll(strings.Join(lines, "\n"), csvDialect{separator: ',', strict: true, dropBreaks: true})
}

// csvDialect is what may differ between readings.
type csvDialect struct {
	separator  byte
	strict     bool // refuse fields that the reference refuses
	dropBreaks bool // line breaks inside quotes vanish
}

func parseAll(text string, d csvDialect) (Records, error) {
	cells, rows := strings.Count(text, string(d.separator)), strings.Count(text, "\n")+1
	if cells+3*rows > maxCells {
		return nil, &fault.Error{Kind: fault.TooLarge, Found: fmt.Sprintf("about %d cells in %d rows", cells+rows, rows),
			Expected: fmt.Sprintf("at most some %d million cells", maxCells>>20)}
	}
	p := csvParser{text: text, csvDialect: d, cells: make([]string, 0, cells+rows)}
	records := make(Records, 0, rows)
	for {
		record, err := p.next()
		if err != nil || record == nil {
			return records, err
		}
		records = append(records, record)
	}
}

// csvParser walks over a text record by record.
type csvParser struct {
	csvDialect
	text  string
	at    int
	cells []string // of all records so far, so that they need one allocation
}

// next gives the next record, not nil but empty for an empty line, and nil at the end.
func (p *csvParser) next() ([]string, error) {
	if p.at >= len(p.text) {
		return nil, nil
	}
	if p.text[p.at] == '\n' {
		p.at++
		return []string{}, nil
	}
	first := len(p.cells)
	for {
		field := p.field()
		if p.strict && len(field) > maxField && utf8.RuneCountInString(field) > maxField {
			return nil, p.tooLong(len(p.cells) - first)
		}
		p.cells = append(p.cells, field)
		if p.at >= len(p.text) {
			break
		}
		p.at++
		if p.text[p.at-1] == '\n' {
			break
		}
	}
	return p.cells[first:len(p.cells):len(p.cells)], nil
}

// field reads up to the separator or line break that ends it, or the end of the text.
func (p *csvParser) field() string {
	if p.at < len(p.text) && p.text[p.at] == '"' {
		return p.quoted()
	}
	return p.plain()
}

func (p *csvParser) plain() string {
	start, text := p.at, p.text
	i := start
	for i < len(text) && text[i] != p.separator && text[i] != '\n' {
		i++
	}
	p.at = i
	return text[start:i]
}

// quoted reads a field that starts with a quote.
func (p *csvParser) quoted() string {
	p.at++
	var joined strings.Builder // of the parts, where there is more than one
	for {
		length := strings.IndexByte(p.text[p.at:], '"')
		if length < 0 {
			part := p.inside(p.text[p.at:])
			p.at = len(p.text)
			return join(&joined, part)
		}
		part := p.inside(p.text[p.at : p.at+length])
		p.at += length + 1
		if p.at < len(p.text) && p.text[p.at] == '"' {
			joined.WriteString(part)
			joined.WriteByte('"')
			p.at++
			continue
		}
		if rest := p.plain(); rest != "" {
			joined.WriteString(part)
			return join(&joined, rest)
		}
		return join(&joined, part)
	}
}

func (p *csvParser) inside(part string) string {
	if p.dropBreaks {
		return strings.ReplaceAll(part, "\n", "")
	}
	return part
}

func join(b *strings.Builder, last string) string {
	if b.Len() == 0 {
		return last
	}
	b.WriteString(last)
	return b.String()
}

func (p *csvParser) tooLong(column int) error {
	line := strings.Count(p.text[:p.at], "\n") + 1
	return &fault.Error{Kind: fault.Malformed, At: fmt.Sprintf("line %d, column %d", line, column+1), Err: ErrFieldTooLong,
		Found: ErrFieldTooLong.Error(), Expected: "fields that the reference scorer's reader accepts", Fix: "Look for a quote that is never closed"}
}
