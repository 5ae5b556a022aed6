package remedy

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster"
	"coverslip/datasets/tabular"
	"coverslip/datasets/tabular/xlsx"
)

const kineticsTask = "5D-npc-assembly-kinetics-idr0115"

// sheet is a table of one cell under the name that it is paired by.
type sheet struct {
	name string
	rows rows
}

// kinetics looks at the workbooks of curves. The scorer reads CSV tables as it reads sheets, but only where a file is
// called a workbook, whatever that holds (spec/scorers-signals.md 3.4): so an edited workbook is written as one CSV for
// each sheet, beside an empty file of that name.
func (f *finder) kinetics() {
	if f.task.Spec.TaskID != kineticsTask {
		return
	}
	var books []file
	var sheets []sheet
	for _, x := range f.files {
		if strings.EqualFold(filepath.Ext(x.path), ".xlsx") {
			books = append(books, x)
			sheets = append(sheets, sheetsOf(x.path)...)
		}
	}
	if len(books) == 0 {
		f.csvForWorkbook()
		return
	}
	var texts []string
	all := slices.Clone(sheets)
	for _, fix := range []func([]sheet) (string, []sheet){headFirst, inMinutes, f.inOrder} {
		if text, fixed := fix(slices.Clone(sheets)); text != "" {
			f.found = append(f.found, rebuilt(text, books, fixed))
		}
		if text, fixed := fix(all); text != "" {
			texts, all = append(texts, text), fixed
		}
	}
	if len(texts) > 1 {
		f.found = append(f.found, rebuilt(join(texts), books, all))
	}
}

// csvForWorkbook takes CSV tables for the sheets of a workbook.
func (f *finder) csvForWorkbook() {
	r := Remedy{Text: "the CSV tables were sheets of a workbook (.xlsx)", changes: map[string]change{}, added: map[string]string{"tables.xlsx": ""}}
	for _, x := range f.files {
		if strings.EqualFold(filepath.Ext(x.path), ".csv") {
			r.changes[x.rel] = change{} // read as it is
		}
	}
	if len(r.changes) > 0 {
		f.found = append(f.found, r)
	}
}

// rebuilt is the run with its workbooks replaced.
func rebuilt(text string, books []file, sheets []sheet) Remedy {
	r := Remedy{Text: text, changes: map[string]change{}, added: map[string]string{"tables.xlsx": ""}}
	for _, b := range books {
		r.changes[b.rel] = change{omit: true}
	}
	for _, s := range sheets {
		name := strings.Map(func(c rune) rune {
			if strings.ContainsRune(`/\:`, c) {
				return '_'
			}
			return c
		}, s.name) + ".csv"
		if _, taken := r.added[name]; !taken { // the first table of a name counts
			r.added[name] = commas.join(s.rows)
		}
	}
	return r
}

var (
	cellName = regexp.MustCompile(`(?i)cell[\s_-]?(\d{1,3})(?:\D|$)`)
	dateName = regexp.MustCompile(`\d{6}`)
)

// sheetsOf reads all sheets of a workbook as a person sees them.
func sheetsOf(path string) (list []sheet) {
	book, err := xlsx.Open(path)
	if err != nil {
		return nil
	}
	stem := biabench.Stem(path)
	for _, s := range book.Sheets {
		t := sheet{name: pairingName(s.Name, stem)}
		for i := range s.Rows() {
			var row []string
			for _, c := range s.Row(i) {
				row = append(row, c.Text())
			}
			t.rows = append(t.rows, row)
		}
		list = append(list, t)
	}
	return list
}

// pairingName is the name that a sheet of a workbook is paired by.
func pairingName(sheet, stem string) string {
	date := dateName.FindString(sheet)
	if date == "" {
		date = dateName.FindString(stem)
	}
	for _, text := range []string{sheet, stem} {
		m := cellName.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		if date == "" {
			return "cell" + strings.TrimLeft(m[1], "0")
		}
		return date + "-cell" + strings.TrimLeft(m[1], "0")
	}
	return sheet
}

// timeColumn is the column of times: named as the scorer wants it, else one whose name begins with time.
func timeColumn(head []string) (at int, exact bool) {
	at = -1
	for i, cell := range head {
		name := strings.ToLower(strings.TrimSpace(cell))
		if strings.Contains(name, "anaphase") && strings.Contains(name, "time") {
			return i, true
		}
		if at < 0 && strings.HasPrefix(name, "time") && !strings.Contains(name, "point") {
			at = i
		}
	}
	return at, false
}

// measured tells a header that names what is measured.
func measured(head []string) bool {
	return slices.ContainsFunc(head, func(cell string) bool {
		name := strings.ToLower(cell)
		return strings.Contains(name, "innercore") || strings.Contains(name, "noncore") || strings.Contains(name, "volume_nucleus") || strings.Contains(name, "area_nucleus")
	})
}

const timeName = "Time after anaphase onset (min)"

// headFirst lets sheets begin with their header, the column of times under its name.
func headFirst(sheets []sheet) (text string, fixed []sheet) {
	for i, s := range sheets {
		for h, row := range s.rows[:min(len(s.rows), headerRows)] {
			at, exact := timeColumn(row)
			if at < 0 || !measured(row) {
				continue
			}
			if h > 0 || !exact {
				text = "each sheet began with its header"
				if !exact {
					text += fmt.Sprintf(", the times under %q", timeName)
				}
				head := slices.Clone(row)
				if !exact {
					head[at] = timeName
				}
				sheets[i].rows = append(rows{head}, s.rows[h+1:]...)
			}
			break
		}
	}
	return text, sheets
}

// wideStep is the time between frames, about half a minute, from which on it must be seconds.
const wideStep = 10

// inMinutes takes times for seconds where they stand too far apart for minutes.
func inMinutes(sheets []sheet) (text string, fixed []sheet) {
	for i, s := range sheets {
		if len(s.rows) < 3 {
			continue
		}
		at, _ := timeColumn(s.rows[0])
		if at < 0 || middleStep(s.rows[1:], at) < wideStep {
			continue
		}
		text = "times were in minutes, not in seconds"
		out := rows{s.rows[0]}
		for _, row := range s.rows[1:] {
			row = slices.Clone(row)
			if v, ok := value(row, at); ok {
				row[at] = strconv.FormatFloat(v/60, 'g', -1, 64)
			}
			out = append(out, row)
		}
		sheets[i].rows = out
	}
	return text, sheets
}

// middleStep is the median of the steps between neighbouring times.
func middleStep(body rows, at int) float64 {
	var times, steps []float64
	for _, row := range body {
		if at < len(row) {
			if v, ok := tabular.Finite(row[at]); ok {
				times = append(times, v)
			}
		}
	}
	slices.Sort(times)
	for i := 1; i < len(times); i++ {
		if d := times[i] - times[i-1]; d > 0 {
			steps = append(steps, d)
		}
	}
	if len(steps) == 0 {
		return 0
	}
	slices.Sort(steps)
	return steps[len(steps)/2]
}

// inOrder names the sheets as those of the reference, where none fits and there are as many of both.
func (f *finder) inOrder(sheets []sheet) (text string, fixed []sheet) {
	var names []string
	for _, truth := range f.truths {
		if strings.EqualFold(filepath.Ext(truth), ".xlsx") && names == nil {
			book, _ := xlsx.OpenStrict(truth)
			for _, s := range book {
				names = append(names, pairingName(s.Name, ""))
			}
		}
	}
	if len(names) != len(sheets) || slices.ContainsFunc(sheets, func(s sheet) bool { return slices.Contains(names, s.name) }) {
		return "", sheets
	}
	slices.SortStableFunc(sheets, func(a, b sheet) int { return raster.Natural(a.name, b.name) })
	for i := range sheets {
		sheets[i].name = names[i]
	}
	return "sheets were named as the cells, in their order", sheets
}
