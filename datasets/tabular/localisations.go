package tabular

import (
	"fmt"
	"math"
	"strings"

	"coverslip/datasets/fault"
	"coverslip/datasets/tabular/python"
)

// ErrInfinite is the cause of the error for an infinite number where the reference needs a whole one and stops.
var ErrInfinite = fmt.Errorf("an infinite number where a whole one is needed")

// Localisation is one detected molecule. Frame is a whole number, possibly beyond 64 bits, truncated toward zero; X and
// Y are in the file's units and may be NaN or infinite. Intensity is 0 where it is absent or no number.
type Localisation struct {
	Frame, X, Y, Intensity float64
	Line                   int // in the file, the first is 1
}

// Skipped is a line that a line-by-line reader left out, blank lines and comments not counted.
type Skipped struct {
	Line int
	Text string
	Why  string
}

const maxSkipped = 100 // lines that are kept to be shown; all are counted

// Skips are the lines left out: how many, and the first of them.
type Skips struct {
	Count int
	First []Skipped
}

func (s *Skips) add(line int, text, why string) {
	s.Count++
	if len(s.First) < maxSkipped {
		s.First = append(s.First, Skipped{line, shorten(text), why})
	}
}

// ParseLocalisations reads a localisation list of the bytes of a file as the reference does (spec/scorers-signals.md
// 2.3): frame, x, y and possibly intensity in each line, the separator chosen per line. Lines that do not parse, such as
// a header, are skipped. An infinite frame is an error (ErrInfinite); the lines before it are returned too.
func ParseLocalisations(raw string) ([]Localisation, Skips, error) {
	text, number := python.Decode(raw), 0
	list := make([]Localisation, 0, min(strings.Count(text, "\n")+1, mostLocalisations))
	var skips Skips
	for full := range python.LinesSeq(text) {
		number++
		line := python.Trim(full)
		if line == "" || line[0] == '#' {
			continue
		}
		l, why := localisation(line)
		if why != "" {
			skips.add(number, line, why)
			continue
		}
		if math.IsInf(l.Frame, 0) {
			return list, skips, infinite(number, "frame")
		}
		l.Line = number
		list = append(list, l)
	}
	return list, skips, nil
}

// mostLocalisations is for how many there is room from the start; more are possible.
const mostLocalisations = 1 << 20

// localisation reads one line's cells. Why is empty for a good one and for one with an infinite frame, which the caller
// must see to: the frame is read before x and y.
func localisation(line string) (l Localisation, why string) {
	cells, n := firstCells(line)
	if n < 3 {
		return l, "fewer than three columns"
	}
	frame, ok := python.Float(cells[0])
	if !ok || math.IsNaN(frame) {
		return l, "the frame is no number"
	}
	if l.Frame = math.Trunc(frame) + 0; math.IsInf(frame, 0) {
		return l, ""
	}
	var okX, okY bool
	l.X, okX = python.Float(cells[1])
	if l.Y, okY = python.Float(cells[2]); !okX || !okY {
		return l, "x or y is no number"
	}
	if n > 3 {
		l.Intensity, _ = python.Float(cells[3])
	}
	return l, ""
}

// firstCells are the first four cells of SplitLine and how many of them there are. Long lists are read without an
// allocation for each line.
func firstCells(line string) (cells [4]string, n int) {
	separator := cellSeparator(line)
	if separator == 0 {
		return cells, copy(cells[:], python.Fields(line))
	}
	for more := true; more && n < len(cells); n++ {
		end := strings.IndexByte(line, separator)
		if more = end >= 0; !more {
			end = len(line)
		}
		cells[n] = python.Trim(line[:end])
		line = line[min(end+1, len(line)):]
	}
	return cells, n
}

func infinite(line int, what string) error {
	return &fault.Error{Kind: fault.Malformed, At: fmt.Sprintf("line %d", line), Err: ErrInfinite, Found: "an infinite " + what,
		Expected: "a whole number", Fix: "The reference scorer stops here with an error: correct or remove the line"}
}
