package remedy

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/tabular"
)

// valueSlip is one way in which the values of a table may be meant.
type valueSlip struct {
	text  string
	edit  func(rows) rows
	guess bool
}

// valueSlips lists the ways that the values of a table, read as a person does, give reason for.
func valueSlips(s schema, table rows, size pixelSize) []valueSlip {
	header, at := s.locate(table)
	body := table[min(len(table), header+1):]
	var list []valueSlip
	add := func(text string, edit func(row []string, at []int)) {
		list = append(list, valueSlip{text, s.each(edit), true})
	}
	if lowest, any := s.lowest(frameNo, at, body); any {
		by, text := 1.0, "frames were counted from 1, not from 0"
		if lowest >= 1 {
			by, text = -1, "frames were counted from 0, not from 1"
		}
		add(text, s.shift(by, frameNo))
	}
	x, y := s.of(xPixel, at), s.of(yPixel, at)
	if x >= 0 && y >= 0 {
		add("x and y were swapped", func(row []string, at []int) {
			i, j := s.of(xPixel, at), s.of(yPixel, at)
			if max(i, j) < len(row) {
				row[i], row[j] = row[j], row[i]
			}
		})
		add("pixels had their centre at whole numbers: half a pixel less in x and y", s.shift(-0.5, xPixel, yPixel))
		add("pixels had their corner at whole numbers: half a pixel more in x and y", s.shift(0.5, xPixel, yPixel))
		add("pixels were counted from 0, not from 1", s.shift(-1, xPixel, yPixel))
		list = append(list, s.units(size)...)
		list = append(list, s.leaveOut(body, at)...)
	}
	return append(append(list, s.numbers(body, at)...), s.spelling(body, at)...)
}

// each makes an edit of all rows below the header.
func (s schema) each(edit func(row []string, at []int)) func(rows) rows {
	return func(table rows) rows {
		header, at := s.locate(table)
		out := slices.Clone(table)
		for i := header + 1; i < len(out); i++ {
			out[i] = slices.Clone(out[i])
			edit(out[i], at)
		}
		return out
	}
}

// change replaces the numbers in the columns of the given roles.
func (s schema) change(f func(float64) float64, roles ...role) func(row []string, at []int) {
	return func(row []string, at []int) {
		for i, c := range s.columns {
			if !slices.Contains(roles, c.role) {
				continue
			}
			if v, ok := value(row, at[i]); ok {
				row[at[i]] = strconv.FormatFloat(f(v), 'f', -1, 64)
			}
		}
	}
}

func (s schema) shift(by float64, roles ...role) func(row []string, at []int) {
	return s.change(func(v float64) float64 { return v + by }, roles...)
}

// lowest is the least finite number in the columns of a role.
func (s schema) lowest(r role, at []int, body rows) (least float64, any bool) {
	least = math.Inf(1)
	for i, c := range s.columns {
		for _, row := range body {
			if v, ok := value(row, at[i]); ok && c.role == r && !math.IsNaN(v) {
				least = min(least, v)
			}
		}
	}
	return least, !math.IsInf(least, 0)
}

// pixelSize is in micrometres; 0 is unknown.
type pixelSize struct{ xy, z float64 }

// sizeOf reads the pixel size that a task's spec states.
func sizeOf(spec biabench.Spec) (p pixelSize) {
	in := spec.Input
	if inner, ok := in["calibration"].(map[string]any); ok {
		p = pixelSize{um(inner["pixel_size_xy_um"], 1), um(inner["pixel_size_z_um"], 1)}
	}
	for key, unit := range map[string]float64{"pixel_size_um": 1, "pixel_size_nm": 1e-3, "pixel_size_xy_um": 1} {
		if v := um(in[key], unit); v > 0 && p.xy == 0 {
			p.xy = v
		}
	}
	// "0.099 x 0.099 x 0.225 (XY x XY x Z)"
	if text, ok := in["voxel_size_um"].(string); ok && p.xy == 0 {
		if m := voxel.FindStringSubmatch(text); m != nil {
			p.xy, _ = tabular.Finite(m[1])
			p.z, _ = tabular.Finite(m[2])
		}
	}
	for _, text := range []string{spec.Expert, spec.Basic} { // "voxel size: 0.065 µm × 0.065 µm × 0.2 µm"
		if m := voxelInText.FindStringSubmatch(text); m != nil && p.xy == 0 && m[1] == m[2] {
			p.xy, _ = tabular.Finite(m[1])
			p.z, _ = tabular.Finite(m[3])
		}
	}
	return p
}

var voxelInText = regexp.MustCompile(`voxel size:? *\(?([\d.]+) ?(?:[µμu]m)? ?[x×] ?([\d.]+) ?(?:[µμu]m)? ?[x×] ?([\d.]+) ?[µμu]m`)

var voxel = regexp.MustCompile(`^\s*([\d.]+)\s*[x×]\s*[\d.]+\s*[x×]\s*([\d.]+)`)

func um(v any, unit float64) float64 {
	switch n := v.(type) {
	case float64:
		return n * unit
	case int:
		return float64(n) * unit
	case int64:
		return float64(n) * unit
	}
	return 0
}

// units takes coordinates for micrometres or nanometres, where the spec says how large a pixel is.
func (s schema) units(size pixelSize) (list []valueSlip) {
	if size.xy <= 0 {
		return nil
	}
	depth := size.z
	if depth <= 0 {
		depth = size.xy
	}
	for _, unit := range []struct {
		name string
		um   float64
	}{{"micrometres", 1}, {"nanometres", 1e-3}} {
		flat := s.change(func(v float64) float64 { return v * unit.um / size.xy }, xPixel, yPixel)
		deep := s.change(func(v float64) float64 { return v * unit.um / depth }, zPixel)
		list = append(list, valueSlip{fmt.Sprintf("coordinates were in pixels of %g µm, not in %s", size.xy, unit.name),
			s.each(func(row []string, at []int) { flat(row, at); deep(row, at) }), true})
	}
	return list
}

// leaveOut leaves rows out whose coordinates are no finite numbers.
func (s schema) leaveOut(body rows, at []int) []valueSlip {
	endless := func(row []string, at []int) bool {
		for i, c := range s.columns {
			v, ok := value(row, at[i])
			if ok && (c.role == xPixel || c.role == yPixel || c.role == frameNo) && (math.IsNaN(v) || math.IsInf(v, 0)) {
				return true
			}
		}
		return false
	}
	if !slices.ContainsFunc(body, func(row []string) bool { return endless(row, at) }) {
		return nil
	}
	return []valueSlip{{"rows without finite numbers were left out", func(table rows) rows {
		_, at := s.locate(table)
		return slices.DeleteFunc(slices.Clone(table), func(row []string) bool { return endless(row, at) })
	}, false}}
}

// dressed is a number with a sign or a unit about it: "<0.001", "12.5 ng/ml", "25 %".
var dressed = regexp.MustCompile(`^\s*[<>~≈=]?\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(%|[a-zA-Zµμ][a-zA-Zµμ/^0-9 ]{0,12})?\s*$`)

// numbers takes units and signs off numbers, percent turned into fractions, and surplus cells off rows.
func (s schema) numbers(body rows, at []int) (list []valueSlip) {
	undress := func(row []string, at []int) (changed bool) {
		for i, c := range s.columns {
			if c.role == other || c.role == group || at[i] < 0 || at[i] >= len(row) {
				continue
			}
			if _, plain := tabular.Float(row[at[i]]); plain {
				continue
			}
			if m := dressed.FindStringSubmatch(row[at[i]]); m != nil {
				row[at[i]], changed = m[1], true
				if v, _ := tabular.Float(m[1]); m[2] == "%" {
					row[at[i]] = strconv.FormatFloat(v/100, 'f', -1, 64)
				}
			}
		}
		return changed
	}
	if slices.ContainsFunc(body, func(row []string) bool { return undress(slices.Clone(row), at) }) {
		list = append(list, valueSlip{"numbers stood without units and signs", s.each(func(row []string, at []int) { undress(row, at) }), false})
	}
	if v, any := s.highest(fraction, at, body); any && v > 1.5 && v <= 100 {
		list = append(list, valueSlip{"fractions were given as such, not as percent", s.each(s.change(func(v float64) float64 { return v / 100 }, fraction)), false})
	}
	return list
}

func (s schema) highest(r role, at []int, body rows) (most float64, any bool) {
	most = math.Inf(-1)
	for i, c := range s.columns {
		for _, row := range body {
			if v, ok := value(row, at[i]); ok && c.role == r && !math.IsNaN(v) {
				most = max(most, v)
			}
		}
	}
	return most, !math.IsInf(most, 0)
}

// spelling writes names that differ in case, blanks and signs alone in one way, the first of the table.
func (s schema) spelling(body rows, at []int) []valueSlip {
	names := func(body rows, at []int) (first map[string]string, differ bool) {
		first = map[string]string{}
		for _, row := range body {
			for i, c := range s.columns {
				if c.role != group || at[i] < 0 || at[i] >= len(row) {
					continue
				}
				name := strings.TrimSpace(row[at[i]])
				key := fold(name)
				if was, seen := first[key]; !seen {
					first[key] = name
				} else if was != name {
					differ = true
				}
			}
		}
		return first, differ
	}
	if _, differ := names(body, at); !differ {
		return nil
	}
	return []valueSlip{{"each name were spelled in one way", func(table rows) rows {
		header, at := s.locate(table)
		first, _ := names(table[min(len(table), header+1):], at)
		return s.each(func(row []string, at []int) {
			for i, c := range s.columns {
				if c.role == group && at[i] >= 0 && at[i] < len(row) {
					row[at[i]] = first[fold(row[at[i]])]
				}
			}
		})(table)
	}, false}}
}

// surplus tells a table with rows longer than its header.
func surplus(table rows) bool {
	return len(table) > 0 && len(table[0]) > 1 && slices.ContainsFunc(table[1:], func(row []string) bool { return len(row) > len(table[0]) })
}

// cut takes the cells behind the header's end off.
func cut(table rows) rows {
	out := slices.Clone(table)
	for i, row := range out {
		out[i] = row[:min(len(row), len(out[0]))]
	}
	return out
}
