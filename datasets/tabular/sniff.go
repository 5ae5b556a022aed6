package tabular

import (
	"path/filepath"
	"regexp"
	"strings"

	"coverslip/datasets/tabular/python"
)

// Dialect is how a text table is written, as far as can be told from its content and name.
type Dialect struct {
	Encoding  string
	Separator string // "," ";" "\t"; " " where each line is split for itself: at commas, else tabs, else white space
	Decimal   string // "." or ","
	HasHeader bool
	hinted    bool // the separator comes from a "sep=" line
	binary    bool
}

const (
	perLine      = " "
	sampleBytes  = 64 << 10
	sampleRows   = 200
	goodFraction = 0.8 // of the rows must have the header's width for a separator to be taken without doubt
)

// Sniff tells how the bytes of a table are written. The name's suffix helps: .tsv means tabs, and only a .txt or a file
// without suffix is looked at for white space between its columns.
func Sniff(raw, name string) Dialect {
	d, _ := sniff(raw, name)
	return d
}

// sniff also gives the decoded text.
func sniff(raw, name string) (Dialect, string) {
	text, encoding := decodeForDisplay(raw)
	d := Dialect{Encoding: encoding, Separator: ",", Decimal: ".", HasHeader: true, binary: looksBinary(text)}
	if d.binary {
		d.HasHeader = false
		return d, text
	}
	sample := text
	if len(sample) > sampleBytes {
		sample = sample[:sampleBytes]
		sample = sample[:strings.LastIndexByte(sample, '\n')+1]
	}
	if separator, rest, ok := sepLine(sample); ok {
		d.Separator, d.hinted, sample = separator, true, rest
	} else {
		d.Separator = sniffSeparator(sample, strings.ToLower(filepath.Ext(name)))
	}
	rows := sampleOf(sample, d.Separator)
	if d.Separator != "," && commaDecimals(rows) {
		d.Decimal = ","
	}
	d.HasHeader = d.hasHeader(rows)
	return d, text
}

// sepLine reads the hint "sep=;" that some spreadsheet programs write in the first line.
func sepLine(text string) (separator, rest string, ok bool) {
	line, rest, _ := strings.Cut(text, "\n")
	line = strings.Trim(line, `" `)
	if len(line) != 5 || !strings.EqualFold(line[:4], "sep=") || line[4] == '"' {
		return "", text, false
	}
	return line[4:], rest, true
}

// sniffSeparator takes the separator for which most rows are as wide as the first.
func sniffSeparator(sample, suffix string) string {
	best, bestFit := ",", 0.0
	for _, separator := range []string{",", ";", "\t"} {
		rows := sampleOf(sample, separator)
		f := fit(rows)
		if mayBeProse(suffix) && len(rows) < 2 {
			f = 0 // a line of text with a comma in it
		}
		if suffix == ".tsv" && separator == "\t" {
			f *= 2
		}
		// A file with decimal commas may be as even under commas as under its true separator.
		if f > bestFit || f == bestFit && f > 0 && commaDecimals(rows) {
			best, bestFit = separator, f
		}
	}
	switch {
	case bestFit >= goodFraction:
		return best
	case mayBeProse(suffix) && perLineFits(sample):
		return perLine
	case bestFit == 0 && suffix == ".tsv":
		return "\t"
	case bestFit == 0 && mayBeProse(suffix):
		return ","
	case bestFit == 0:
		return widestSeparator(sample)
	}
	return best
}

// mayBeProse tells the suffixes of any kind of text.
func mayBeProse(suffix string) bool { return suffix == ".txt" || suffix == ".dat" || suffix == "" }

// fit is the fraction of rows that are as wide as the first, 0 if that has one cell.
func fit(rows Records) float64 {
	if len(rows) == 0 || len(rows[0]) < 2 {
		return 0
	}
	same := 0
	for _, r := range rows {
		if len(r) == len(rows[0]) {
			same++
		}
	}
	return float64(same) / float64(len(rows))
}

// widestSeparator decides where the first row has one cell under all separators, such as a title: the one that cuts the
// most rows, a comma if none does.
func widestSeparator(sample string) string {
	best, most := ",", 0
	for _, separator := range []string{",", ";", "\t"} {
		cut := 0
		for _, r := range sampleOf(sample, separator) {
			if len(r) > 1 {
				cut++
			}
		}
		if cut > most {
			best, most = separator, cut
		}
	}
	return best
}

// perLineFits tells rows of numbers that are separated by whatever.
func perLineFits(sample string) bool {
	rows := sampleOf(sample, perLine)
	wide := 0
	for _, r := range rows {
		if (Dialect{}).numbers(r) >= 2 {
			wide++
		}
	}
	return wide > 0 && wide*2 >= len(rows)
}

// sampleOf gives the first rows with something in them.
func sampleOf(sample, separator string) Records {
	if separator == perLine {
		rows, _ := splitPerLine(sample, sampleRows)
		return rows
	}
	p := csvParser{text: sample, csvDialect: csvDialect{separator: separator[0]}}
	var rows Records
	for len(rows) < sampleRows {
		record, _ := p.next()
		if record == nil {
			break
		}
		if !isBlank(record) {
			rows = append(rows, record)
		}
	}
	return rows
}

func isBlank(record []string) bool {
	for _, cell := range record {
		if strings.Trim(cell, " \t\x00") != "" {
			return false
		}
	}
	return true
}

// splitPerLine splits each line at commas, else at tabs, else at runs of white space, and leaves out blank lines and
// comments. The places say which line each row stands in.
func splitPerLine(text string, most int) (rows Records, lines []int32) {
	for n := int32(0); text != "" && len(rows) < most; n++ {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		if line = python.Trim(line); line == "" || line[0] == '#' {
			continue
		}
		rows, lines = append(rows, SplitLine(line)), append(lines, n)
	}
	return rows, lines
}

// SplitLine splits a trimmed line at commas if it has one, else at tabs if it has one, else at runs of white space. In
// the first two forms the cells are trimmed and empty ones stay (spec/scorers-signals.md 2.3).
func SplitLine(line string) []string {
	separator := cellSeparator(line)
	if separator == 0 {
		return python.Fields(line)
	}
	cells := strings.Split(line, string(separator))
	for i, c := range cells {
		cells[i] = python.Trim(c)
	}
	return cells
}

// cellSeparator is what separates the cells of a line: a comma, else a tab; 0 for white space.
func cellSeparator(line string) byte {
	for _, separator := range [...]byte{',', '\t'} {
		if strings.IndexByte(line, separator) >= 0 {
			return separator
		}
	}
	return 0
}

// numbers counts the cells that are numbers.
func (d Dialect) numbers(cells []string) int {
	n := 0
	for _, c := range cells {
		if _, ok := d.number(c); ok {
			n++
		}
	}
	return n
}

// hasHeader tells names in the first row: no number in it; or the numbered columns of a plate map, under an empty first
// cell and above row names. Blocks of columns side by side, whose names stand over a second row of names, have none.
func (d Dialect) hasHeader(rows Records) bool {
	if len(rows) == 0 {
		return true
	}
	first := rows[0]
	if d.numbers(first) > 0 {
		return first[0] == "" && len(rows) > 1 && d.namedRows(rows[1:])
	}
	if len(rows) < 2 || d.numbers(rows[1]) > 0 {
		return true
	}
	overBlocks := emptyCells(first) > 1 && emptyCells(rows[1]) < emptyCells(first)
	perColumn := repeats(first) && len(rows) > 2 && d.numbers(rows[2]) > 0
	return !overBlocks && !perColumn
}

func repeats(record []string) bool {
	seen := map[string]bool{}
	for _, c := range record {
		if c != "" && seen[c] {
			return true
		}
		seen[c] = true
	}
	return false
}

func (d Dialect) namedRows(rows Records) bool {
	for _, r := range rows {
		if r[0] == "" || d.numbers(r[:1]) > 0 {
			return false
		}
	}
	return true
}

func emptyCells(record []string) int {
	n := 0
	for _, c := range record {
		if strings.TrimSpace(c) == "" {
			n++
		}
	}
	return n
}

var (
	commaNumber = regexp.MustCompile(`^[+-]?(\d+|\d{1,3}(\.\d{3})+),\d+([eE][+-]?\d+)?$`)
	pointNumber = regexp.MustCompile(`^[+-]?\d*\.\d+([eE][+-]?\d+)?$`)
	thousands   = regexp.MustCompile(`^[+-]?\d{1,3}(\.\d{3})+$`)
)

// commaDecimals tells numbers with a decimal comma, and none with a point that cannot be a thousands point.
func commaDecimals(rows Records) bool {
	commas := 0
	for _, r := range rows {
		for _, c := range r {
			c = strings.TrimSpace(c)
			switch {
			case commaNumber.MatchString(c):
				commas++
			case pointNumber.MatchString(c) && !thousands.MatchString(c):
				return false
			}
		}
	}
	return commas > 0
}

// number reads a cell that is shown, decimal comma or not.
func (d Dialect) number(cell string) (float64, bool) {
	if d.Decimal == "," {
		cell = strings.TrimSpace(cell)
		if commaNumber.MatchString(cell) || thousands.MatchString(cell) {
			cell = strings.ReplaceAll(strings.ReplaceAll(cell, ".", ""), ",", ".")
		}
	}
	return python.Float(cell)
}
