package signal

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"coverslip/datasets/tabular/python"
)

// The measured series in the reference's order, and the parts of a header by which their columns are known.
var seriesNames = [...]string{"volume_nucleus", "surface_area_nucleus", "normalized_total_innercore", "normalized_total_noncore"}

var seriesColumns = map[string][]string{
	"volume_nucleus":             {"volume_nucleus"},
	"surface_area_nucleus":       {"surfacearea_nucleus", "surface_area_nucleus"},
	"normalized_total_innercore": {"normalized_total_intensity_innercore", "normalized_total_innercore"},
	"normalized_total_noncore":   {"normalized_total_intensity_noncore", "normalized_total_noncore"},
}

const timeHeader = "time after anaphase onset (min)"

// sample is a value at a time in minutes after the onset of anaphase.
type sample struct{ time, value float64 }

// curves are what a table says of one cell (spec/scorers-signals.md 3.3).
type curves struct {
	series   map[string][]sample // of the measured columns that are there; both daughters in one series
	onset    float64             // frame of the onset, NaN if unknown
	hasFrame bool                // there is a column of frames
	nearest  float64             // the smallest |time| of a row with a frame, +Inf if none
	blanks   map[string]int      // empty cells of each series in rows with a time
	unsorted bool                // times go back or repeat
	last     float64             // the largest time
}

// grid is a table as the reference reads it: the header's texts, and numbers that are finite; NaN is any other cell.
type grid struct {
	header []string
	rows   int
	row    func(row int) []float64 // may be shorter than the header; valid until the next call
}

// at is a cell of a row, NaN behind its end.
func at(row []float64, column int) float64 {
	if column < len(row) {
		return row[column]
	}
	return math.NaN()
}

// read takes the curves from a table. ok is false for a table without a time column or without any measured column.
func (g grid) read() (c curves, ok bool) {
	header := make([]string, len(g.header))
	for i, h := range g.header {
		header[i] = lower(python.Trim(h))
	}
	timeColumn := slices.Index(header, timeHeader)
	if timeColumn < 0 {
		timeColumn = slices.IndexFunc(header, func(h string) bool { return strings.Contains(h, "anaphase") && strings.Contains(h, "time") })
	}
	columns, any := measuredColumns(header)
	if timeColumn < 0 || !any {
		return c, false
	}
	c = curves{series: map[string][]sample{}, blanks: map[string]int{}, onset: math.NaN(), nearest: math.Inf(1), last: math.Inf(-1)}
	frameColumn := frameColumn(header, timeColumn)
	c.hasFrame = frameColumn >= 0
	var series [len(seriesNames)][]sample // gathered apart from the map, which is slow for each cell
	var blanks [len(seriesNames)]int
	for k := range series {
		series[k] = make([]sample, 0, min(len(columns[k])*g.rows, 4096))
	}
	for r := range g.rows {
		row := g.row(r)
		t := at(row, timeColumn)
		if math.IsNaN(t) {
			continue
		}
		c.unsorted = c.unsorted || t <= c.last
		c.last = max(c.last, t)
		for k := range series {
			for _, column := range columns[k] {
				if v := at(row, column); math.IsNaN(v) {
					blanks[k]++
				} else {
					series[k] = append(series[k], sample{t, v})
				}
			}
		}
		if !c.hasFrame {
			continue
		}
		if f := at(row, frameColumn); !math.IsNaN(f) && math.Abs(t) < c.nearest {
			c.nearest, c.onset = math.Abs(t), f
		}
	}
	for k, name := range seriesNames {
		if len(columns[k]) > 0 {
			c.series[name], c.blanks[name] = series[k], blanks[k]
		}
	}
	if c.nearest > 0.5 {
		c.onset = math.NaN()
	}
	return c, true
}

// measuredColumns gives the columns of each series, in the order of seriesNames, and tells whether there are any.
func measuredColumns(header []string) (columns [len(seriesNames)][]int, any bool) {
	for k, name := range seriesNames {
		for i, h := range header {
			if slices.ContainsFunc(seriesColumns[name], func(p string) bool { return strings.Contains(h, p) }) {
				columns[k], any = append(columns[k], i), true
			}
		}
	}
	return columns, any
}

// frameColumn is the first column other than the time's that counts frames, or -1.
func frameColumn(header []string, timeColumn int) int {
	for i, h := range header {
		if i != timeColumn && (strings.Contains(h, "time") && strings.Contains(h, "point") || h == "frame" || h == "time_point" || h == "timepoint") {
			return i
		}
	}
	return -1
}

// cellID finds "cell", at most one white space, _ or -, and a number of one to three digits; the result is "cell" and
// the number without leading zeros, or "".
func cellID(text string) string {
	r := []rune(text)
	for i := 0; i+4 <= len(r); i++ {
		if !strings.EqualFold(string(r[i:i+4]), "cell") {
			continue
		}
		at := i + 4
		if at < len(r) && (r[at] == '_' || r[at] == '-' || python.IsSpace(r[at])) {
			at++
		}
		digits, number := 0, 0
		for ; at < len(r) && python.Digit(r[at]) >= 0 && digits < 4; at++ {
			digits, number = digits+1, number*10+python.Digit(r[at])
		}
		if digits >= 1 && digits <= 3 {
			return "cell" + strconv.Itoa(number)
		}
	}
	return ""
}

// dateIn finds the first six digits in a row, also within a longer number, or "".
func dateIn(text string) string {
	r := []rune(text)
	for i, run := 0, 0; i < len(r); i++ {
		if run++; python.Digit(r[i]) < 0 {
			run = 0
		}
		if run == 6 {
			return string(r[i-5 : i+1])
		}
	}
	return ""
}

// keyOf joins date and cell id.
func keyOf(date, cell string) string {
	if date == "" {
		return cell
	}
	return date + "-" + cell
}
