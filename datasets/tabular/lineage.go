package tabular

import (
	"math"
	"strings"

	"coverslip/datasets/tabular/python"
)

// Track is one line of a CTC lineage: a track's id, its first and last frame, and its parent's id or 0. The numbers are
// whole but may exceed 64 bits.
type Track struct {
	ID, Start, End, Parent float64
	Line                   int // in the file, the first is 1
}

// ParseLineage reads a CTC lineage of the bytes of a file as the reference does (spec/scorers-segmentation-tracking.md
// 3.2): four numbers a line, separated by commas and white space, truncated toward zero. A later line for an id replaces
// the earlier one in its place. Lines that do not parse are skipped, and so are ids below 1 and tracks that end before
// they start. An infinite number is an error (ErrInfinite).
func ParseLineage(raw string) ([]Track, Skips, error) {
	var tracks []Track
	var skips Skips
	place := map[float64]int{}
	for i, text := range python.Lines(python.Decode(raw)) {
		fields := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || python.IsSpace(r) })
		if len(fields) == 0 {
			continue
		}
		values, why := lineageNumbers(fields)
		if why == "" && math.IsInf(values[len(values)-1], 0) {
			return tracks, skips, infinite(i+1, "number")
		}
		if why == "" {
			why = badTrack(values)
		}
		if why != "" {
			skips.add(i+1, text, why)
			continue
		}
		t := Track{values[0], values[1], values[2], values[3], i + 1}
		if at, known := place[t.ID]; known {
			skips.add(tracks[at].Line, "", "a later line has the same id")
			tracks[at] = t
			continue
		}
		place[t.ID] = len(tracks)
		tracks = append(tracks, t)
	}
	return tracks, skips, nil
}

// lineageNumbers reads four fields one after the other; it stops behind an infinite one, which is then the last.
func lineageNumbers(fields []string) (values []float64, why string) {
	if len(fields) < 4 {
		return nil, "fewer than four columns"
	}
	for _, f := range fields[:4] {
		v, ok := python.Float(f)
		if !ok || math.IsNaN(v) {
			return nil, "not a number"
		}
		values = append(values, math.Trunc(v)+0)
		if math.IsInf(v, 0) {
			break
		}
	}
	return values, ""
}

func badTrack(v []float64) string {
	switch {
	case v[0] <= 0:
		return "an id below 1"
	case v[2] < v[1]:
		return "it ends before it starts"
	}
	return ""
}
