package signal

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"coverslip/datasets/tabular"
	"coverslip/datasets/tabular/python"
	"coverslip/scoring/numeric"
)

// feature is a measured quantity: Bodipy, DAPI, CD45 or PanCK; Sigma, M, rf or r.
type feature struct{ channel, name string }

func (f feature) compare(g feature) int {
	if c := strings.Compare(f.channel, g.channel); c != 0 {
		return c
	}
	return strings.Compare(f.name, g.name)
}

// measure is a mean with its spread and number of cells, NaN where not given.
type measure struct{ mean, sd, n float64 }

// means are measures by feature and population.
type means map[feature]map[string]measure

func (m means) set(f feature, population string, v measure) {
	if m[f] == nil {
		m[f] = map[string]measure{}
	}
	m[f][population] = v
}

// both lists the features that both populations have, sorted.
func (m means) both() []feature {
	var out []feature
	for f, by := range m {
		_, wbc := by[populationWBC]
		if _, mcf7 := by[populationMCF7]; wbc && mcf7 {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, feature.compare)
	return out
}

const (
	populationWBC  = "WBC"
	populationMCF7 = "MCF7"
)

// channelIn, featureIn and populationIn find the canonical name in a label, "" for none; the first rule that applies
// counts (spec/scorers-signals.md 4.3).
func channelIn(label string) string {
	l := lower(python.Trim(label))
	switch {
	case contains(l, "bodipy", "lipid"):
		return "Bodipy"
	case contains(l, "dapi", "dna", "nucle"):
		return "DAPI"
	case contains(l, "cd45", "leukocyte"):
		return "CD45"
	case contains(l, "panck", "cytokeratin", "pan-ck"), hasWord(l, "ck"):
		return "PanCK"
	}
	return ""
}

func featureIn(label string) string {
	l := lower(python.Trim(label))
	switch {
	case contains(l, "sigma", "σ", "total", "sum", "intensity", "dbct"):
		return "Sigma"
	case contains(l, "<m>", "product"), hasWord(l, "m"):
		return "M"
	case contains(l, "rf", "freq"):
		return "rf"
	case contains(l, "<r>", "spatial"), hasWord(l, "r"):
		return "r"
	}
	return ""
}

func populationIn(label string) string {
	l := lower(python.Trim(label))
	switch {
	case contains(l, "mcf", "cancer", "tumor", "tumour", "d1"):
		return populationMCF7
	case contains(l, "wbc", "leuko", "white blood", "d2"):
		return populationWBC
	}
	return ""
}

func contains(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(text, p) })
}

// hasWord tells a word that stands between characters other than letters, digits and the underscore.
func hasWord(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		at += i
		before, after := []rune(text[:at]), []rune(text[at+len(word):])
		if (len(before) == 0 || !wordRune(before[len(before)-1])) && (len(after) == 0 || !wordRune(after[0])) {
			return true
		}
		at += len(word)
	}
}

func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

// table is a CSV file's rows by trimmed column names.
type table struct {
	names []string // the columns' names, trimmed
	rows  [][]string
}

// readTable reads a table; a row with more cells than the header makes it unreadable.
func readTable(file string) (t table, err error) {
	records, err := tabular.ReadCSVFile(file)
	if err != nil {
		return t, err
	}
	if len(records) == 0 {
		return t, nil
	}
	for _, name := range records[0] {
		t.names = append(t.names, python.Trim(name))
	}
	for i, row := range records[1:] {
		if len(row) > len(t.names) {
			return t, fmt.Errorf("record %d of %s has %d cells where the header has %d", i+2, filepath.Base(file), len(row), len(t.names))
		}
		if len(row) > 0 {
			t.rows = append(t.rows, row)
		}
	}
	return t, nil
}

// column is the last column of a name, -1 for none.
func (t table) column(name string) int {
	for i := len(t.names) - 1; i >= 0; i-- {
		if t.names[i] == name {
			return i
		}
	}
	return -1
}

// lowered is the table with its columns' names in lower case.
func (t table) lowered() table {
	names := make([]string, len(t.names))
	for i, n := range t.names {
		names[i] = lower(n)
	}
	return table{names, t.rows}
}

// cell is the trimmed text of a cell, "" where there is none.
func (t table) cell(row []string, column int) string {
	if column < 0 || column >= len(row) {
		return ""
	}
	return python.Trim(row[column])
}

// number is a finite number in a cell, NaN otherwise.
func (t table) number(row []string, column int) float64 { return finiteOrNaN(t.cell(row, column)) }

// reference is the truth's table: means and the published effect size D, 0 where there is none.
type reference struct {
	means  means
	effect map[feature]float64
}

// readReference reads reference_table_1.csv.
func readReference(file string) (r reference, err error) {
	r = reference{means{}, map[feature]float64{}}
	t, err := readTable(file)
	if err != nil {
		return r, err
	}
	label, d := t.column("Feature"), t.column("D")
	for _, row := range t.rows {
		text := t.cell(row, label)
		words := python.Fields(text)
		if len(words) == 0 {
			continue
		}
		f := feature{channelIn(words[0]), featureIn(text)}
		wbc, mcf7 := t.number(row, t.column("WBC_Mean")), t.number(row, t.column("MCF7_Mean"))
		if f.channel == "" || f.name == "" || math.IsNaN(wbc) || math.IsNaN(mcf7) {
			continue
		}
		r.means.set(f, populationWBC, measure{wbc, t.number(row, t.column("WBC_SD")), math.NaN()})
		r.means.set(f, populationMCF7, measure{mcf7, t.number(row, t.column("MCF7_SD")), math.NaN()})
		r.effect[f] = 0
		if v := t.number(row, d); !math.IsNaN(v) {
			r.effect[f] = v
		}
	}
	return r, nil
}

// summary is the answer's table of means, and what of it could not be used.
type summary struct {
	means   means
	columns []string // of the four that are needed: those it lacks
	dropped int      // rows that name nothing known or hold no number
	rows    int
	mark    bool // begins with a byte-order mark
}

func readSummary(file string) (s summary, err error) {
	s.means = means{}
	whole, err := readTable(file)
	if err != nil {
		return s, err
	}
	t := whole.lowered()
	s.mark = len(t.names) > 0 && strings.HasPrefix(t.names[0], "\uFEFF")
	for _, name := range []string{"channel", "feature", "population", "mean"} {
		if t.column(name) < 0 {
			s.columns = append(s.columns, name)
		}
	}
	for _, row := range t.rows {
		s.rows++
		f := feature{channelIn(t.cell(row, t.column("channel"))), featureIn(t.cell(row, t.column("feature")))}
		population, mean := populationIn(t.cell(row, t.column("population"))), t.number(row, t.column("mean"))
		if f.channel == "" || f.name == "" || population == "" || math.IsNaN(mean) {
			s.dropped++
			continue
		}
		s.means.set(f, population, measure{mean, t.number(row, t.column("sd")), t.number(row, t.column("n"))})
	}
	return s, nil
}

// classColumns are the names of columns that may hold the population of a cell, in the order in which they are asked.
var classColumns = []string{"cell_type", "celltype", "population", "type", "class", "label", "class_label", "classification_label", "cell_class", "predicted_class"}

// readCells derives means from a table with one row per cell.
func readCells(file string) (means, error) {
	whole, err := readTable(file)
	if err != nil {
		return nil, err
	}
	t := whole.lowered()
	columns := map[int]feature{}
	var order []int
	for i, name := range t.names {
		if f, ok := columnFeature(name); ok && t.column(name) == i && !slices.Contains(classColumns, name) {
			columns[i] = f
			order = append(order, i)
		}
	}
	values := map[feature]map[string][]float64{}
	for _, row := range t.rows {
		population := ""
		for _, name := range classColumns {
			if population = populationIn(t.cell(row, t.column(name))); population != "" {
				break
			}
		}
		if population == "" {
			continue
		}
		for _, i := range order {
			if v := t.number(row, i); !math.IsNaN(v) {
				f := columns[i]
				if values[f] == nil {
					values[f] = map[string][]float64{}
				}
				values[f][population] = append(values[f][population], v)
			}
		}
	}
	out := means{}
	for f, by := range values {
		for population, list := range by {
			sd := 0.0
			if len(list) > 1 {
				if sd, err = numeric.SampleSD(list); err != nil {
					return nil, err
				}
			}
			out.set(f, population, measure{numeric.Mean(list), sd, float64(len(list))})
		}
	}
	return out, nil
}

// unitTokens are words in a column's name that say nothing of the feature.
var unitTokens = []string{"dbct", "um", "um1", "1", "2", "mean", "sd", "std", "avg", "average", "unitless"}

// columnFeature tells what a column of a per-cell table measures by its lower-case name.
func columnFeature(name string) (feature, bool) {
	channel := channelIn(name)
	if channel == "" {
		return feature{}, false
	}
	rest := strings.ReplaceAll(name, strings.ToLower(channel), " ")
	tokens := strings.FieldsFunc(rest, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '<' || r == '>')
	})
	for _, token := range tokens {
		switch {
		case slices.Contains(unitTokens, token):
		case slices.Contains([]string{"sigma", "total", "sum", "intensity"}, token):
			return feature{channel, "Sigma"}, true
		case token == "rf" || strings.Contains(token, "freq"):
			return feature{channel, "rf"}, true
		case token == "m" || token == "<m>" || strings.Contains(token, "product"):
			return feature{channel, "M"}, true
		case token == "r" || token == "<r>" || strings.Contains(token, "spatial"):
			return feature{channel, "r"}, true
		}
	}
	return feature{}, false
}
