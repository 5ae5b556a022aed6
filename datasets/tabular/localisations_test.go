package tabular

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"coverslip/datasets/tabular/python"
)

// byRules reads a list without the usual lines' form and in one piece.
func byRules(raw string) ([]Localisation, Skips, error) {
	r := localisationReader{list: []Localisation{}}
	for line := range python.LinesSeq(python.Decode(raw)) {
		if r.lines++; !r.stopped {
			if r.take(python.Trim(line)); r.stopped {
				break
			}
		}
	}
	return r.result()
}

// inPieces reads a list in at most n pieces.
func inPieces(raw string, n int) ([]Localisation, Skips, error) {
	text := python.Decode(raw)
	if r, ok := readPieces(text, strings.Count(text, "\n")+1, n); ok {
		return r.result()
	}
	return ParseLocalisations(raw)
}

// told is all that a reading gives, NaN and the sign of zero included.
func told(list []Localisation, skips Skips, err error) string {
	var b strings.Builder
	for _, l := range list {
		fmt.Fprintln(&b, l.Line, math.Float64bits(l.Frame), math.Float64bits(l.X), math.Float64bits(l.Y), math.Float64bits(l.Intensity))
	}
	return fmt.Sprint(b.String(), skips, err, errors.Is(err, ErrInfinite), list == nil)
}

// sameReading fails unless a list reads the same in all ways.
func sameReading(t *testing.T, raw string) {
	t.Helper()
	want := told(byRules(raw))
	if got := told(ParseLocalisations(raw)); got != want {
		t.Fatalf("%q: %s\nby the rules: %s", raw, got, want)
	}
	for _, n := range []int{2, 3, 5} {
		if got := told(inPieces(raw, n)); got != want {
			t.Fatalf("%q in %d pieces: %s\nby the rules: %s", raw, n, got, want)
		}
	}
}

// oddCells are what stands in a line now and then, in place of a number or of what is between two.
var oddCells = []string{"", " ", "x", "#", "nan", "-inf", "inf", "1_0", "1e3", "-1.5E-2", "0x1", "１", "\ufeff1", "1\x00", "12345678901234567890", "1e999", "-0.4", "-0", ".5", "5.", "+7", "0.1234567890123456789", "1 2", "ä", "\"1\"", "1;2"}
var oddGaps = []string{",", "\t", " ", "  ", ", ", " ,", "\t ", " \t", ";", "\t\t", ",,", "\u00a0", "\x1f"}
var oddEnds = []string{"\n", "\n", "\r\n", "\r", "\n\n", " \n", "\t\n", ",\n", "\r\r\n", "\v", "\f", "\x1c", "\u0085", "\u2028", "\xff\n", ""}

// randomLine is a line of a localisation list; odd is the chance in a hundred of each of its parts to be unusual.
func randomLine(rng *rand.Rand, odd int) string {
	gap := []string{"\t", ",", " "}[rng.IntN(3)]
	var b strings.Builder
	for i := range 3 + rng.IntN(4) - rng.IntN(100)/97 {
		if i > 0 {
			if rng.IntN(100) < odd {
				b.WriteString(oddGaps[rng.IntN(len(oddGaps))])
			} else {
				b.WriteString(gap)
			}
		}
		switch {
		case rng.IntN(100) < odd:
			b.WriteString(oddCells[rng.IntN(len(oddCells))])
		case i == 0:
			fmt.Fprint(&b, rng.IntN(1000))
		case rng.IntN(8) == 0:
			fmt.Fprintf(&b, "%.*e", rng.IntN(20), rng.NormFloat64())
		default:
			fmt.Fprintf(&b, "%.*f", rng.IntN(8), 300*rng.NormFloat64())
		}
	}
	if rng.IntN(100) < odd {
		return b.String() + oddEnds[rng.IntN(len(oddEnds))]
	}
	return b.String() + []string{"\n", "\n", "\r\n"}[rng.IntN(3)]
}

// TestUsualLines: lists with few or many unusual lines read as they do by the rules alone, in one piece and in several.
func TestUsualLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(26, 8))
	for round := range 30000 {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteString(randomLine(rng, round%12))
		}
		sameReading(t, b.String())
	}
}

// TestUsualLinesAreTaken: the forms of long lists are read in one step, so that a change does not make them slow unseen.
func TestUsualLinesAreTaken(t *testing.T) {
	for _, line := range []string{"1\t2.5\t3.25\t100.00\n", "1,2,3,4\r\n", "1 2 3\n", "0, 12.0, -3.5, 1e3, 7\n", "1\t2\t3\t4\tdirect hit\tnone", "1.000000000000000000e+00 1.234567890123456789e+02 9.5e+01 1.0e+03\n"} {
		if _, length := usualLine(line + "9,9,9\n"); strings.HasSuffix(line, "\n") && length != len(line) {
			t.Errorf("%q: %d bytes", line, length)
		}
		if _, length := usualLine(line); length != len(line) {
			t.Errorf("%q at the end: %d bytes", line, length)
		}
	}
}

// TestLongLists: a list that is long enough for several pieces, with comments, bad lines and an end in the midst of it.
func TestLongLists(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 256))
	var b strings.Builder
	for b.Len() < 3*pieceBytes {
		b.WriteString(randomLine(rng, rng.IntN(2)*rng.IntN(3)))
	}
	text := strings.ReplaceAll(b.String(), "inf", "if")
	sameReading(t, text)
	sameReading(t, text+"inf,1,2\n"+text)
	sameReading(t, strings.Repeat("no number\n", pieceBytes/4))
}
