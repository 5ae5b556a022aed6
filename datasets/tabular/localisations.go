package tabular

import (
	"fmt"
	"math"
	"runtime"
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
	text := python.Decode(raw)
	room := strings.Count(text, "\n") + 1
	if n := min(runtime.GOMAXPROCS(0), len(text)/pieceBytes); n > 1 && room <= mostLocalisations {
		if r, ok := readPieces(text, room, n); ok {
			return r.result()
		}
	}
	r := localisationReader{list: make([]Localisation, 0, min(room, mostLocalisations))}
	r.read(text)
	return r.result()
}

// mostLocalisations is for how many there is room from the start; more are possible.
const mostLocalisations = 1 << 20

// localisationReader is what was read of a list, or of a piece of one: numbers of lines count from its start then.
type localisationReader struct {
	list    []Localisation
	skips   Skips
	lines   int
	stopped bool // at the last line, which has an infinite frame
}

func (r *localisationReader) result() ([]Localisation, Skips, error) {
	if r.stopped {
		return r.list, r.skips, infinite(r.lines, "frame")
	}
	return r.list, r.skips, nil
}

// read goes through the lines: those of the usual form in one step, others by the reference's rules one after the other.
func (r *localisationReader) read(text string) {
	for text != "" && !r.stopped {
		r.lines++
		if l, length := usualLine(text); length > 0 {
			l.Line = r.lines
			r.list = append(r.list, l)
			text = text[length:]
			continue
		}
		var line string
		line, text = python.CutLine(text)
		r.take(python.Trim(line))
	}
}

// take reads a line without white space around it.
func (r *localisationReader) take(line string) {
	if line == "" || line[0] == '#' {
		return
	}
	l, why := localisation(line)
	switch {
	case why != "":
		r.skips.add(r.lines, line, why)
	case math.IsInf(l.Frame, 0):
		r.stopped = true
	default:
		l.Line = r.lines
		r.list = append(r.list, l)
	}
}

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
